import torch


class ReplayBuffer:
    """ring buffer that lives on the training device"""

    def __init__(self, capacity, obs_dim, act_dim, device):
        self.capacity, self.device = capacity, device
        self.obs = torch.zeros(capacity, obs_dim, device=device)
        self.next_obs = torch.zeros(capacity, obs_dim, device=device)
        self.act = torch.zeros(capacity, act_dim, device=device)
        self.rew = torch.zeros(capacity, device=device)
        self.not_done = torch.zeros(capacity, device=device)
        self.ptr = self.size = 0

    def add(self, obs, act, rew, next_obs, terminated):
        n = len(obs)
        idx = torch.arange(self.ptr, self.ptr + n, device=self.device) % self.capacity
        self.obs[idx] = torch.as_tensor(obs, device=self.device)
        self.act[idx] = torch.as_tensor(act, dtype=torch.float32, device=self.device)
        self.rew[idx] = torch.as_tensor(rew, device=self.device)
        self.next_obs[idx] = torch.as_tensor(next_obs, device=self.device)
        self.not_done[idx] = 1.0 - torch.as_tensor(terminated, dtype=torch.float32, device=self.device)
        self.ptr = (self.ptr + n) % self.capacity
        self.size = min(self.size + n, self.capacity)

    def sample(self, batch):
        i = torch.randint(0, self.size, (batch,), device=self.device)
        return self.obs[i], self.act[i], self.rew[i], self.next_obs[i], self.not_done[i]


class RunningNorm(torch.nn.Module):
    def __init__(self, dim, clip=5.0):
        super().__init__()
        self.clip = clip
        self.register_buffer("mean", torch.zeros(dim))
        self.register_buffer("var", torch.ones(dim))
        self.register_buffer("count", torch.tensor(1e-4))

    @torch.no_grad()
    def update(self, x):
        n = x.shape[0]
        bm, bv = x.mean(0), x.var(0, unbiased=False)
        delta = bm - self.mean
        tot = self.count + n
        m2 = self.var * self.count + bv * n + delta**2 * self.count * n / tot
        self.mean += delta * n / tot
        self.var.copy_(m2 / tot)
        self.count.copy_(tot)

    def forward(self, x):
        return ((x - self.mean) / (self.var + 1e-6).sqrt()).clamp(-self.clip, self.clip)
