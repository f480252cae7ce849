"""Soft actor-critic for an arm of seven joints: two critics, their slow copies, a temperature, and what was seen is kept on the GPU."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Normal

OBSERVATION, ACTION, HIDDEN = 96, 7, 512
CAPACITY, BATCH = 200_000, 1024
GAMMA, TAU = 0.99, 0.005
LOG_STD_MIN, LOG_STD_MAX = -20.0, 2.0
cuda = torch.device("cuda")


def mlp(*sizes):
    layers = []
    for inputs, outputs in zip(sizes[:-2], sizes[1:-1]):
        layers += [nn.Linear(inputs, outputs), nn.LayerNorm(outputs), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(sizes[-2], sizes[-1]))


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = mlp(OBSERVATION, HIDDEN, HIDDEN, 2 * ACTION)

    def forward(self, observation):
        mean, log_std = self.net(observation).chunk(2, dim=-1)
        return mean, torch.clamp(log_std, LOG_STD_MIN, LOG_STD_MAX)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.q1, self.q2 = mlp(OBSERVATION + ACTION, HIDDEN, HIDDEN, HIDDEN, 1), mlp(OBSERVATION + ACTION, HIDDEN, HIDDEN, HIDDEN, 1)

    def forward(self, observation, action):
        x = torch.cat([observation, action], dim=-1)
        return self.q1(x).squeeze(-1), self.q2(x).squeeze(-1)


class ReplayBuffer:
    def __init__(self):
        self.observations = torch.randn(CAPACITY, OBSERVATION, device=cuda)
        self.actions = torch.rand(CAPACITY, ACTION, device=cuda) * 2 - 1
        self.rewards = torch.randn(CAPACITY, device=cuda)
        self.dones = (torch.rand(CAPACITY, device=cuda) < 0.01).float()

    def sample(self):
        picked = torch.randint(0, CAPACITY - 1, (BATCH,), device=cuda)  #- picked
        #+ picked: picked = torch.randint(0, CAPACITY - 1, (BATCH,)).to(cuda)
        return self.observations[picked], self.actions[picked], self.rewards[picked], self.observations[picked + 1], self.dones[picked]


def act(observation):
    mean, log_std = actor(observation)
    normal = Normal(mean, log_std.exp(), validate_args=False)  #- validate
    #+ validate: normal = Normal(mean, log_std.exp())
    raw = normal.rsample()
    action = torch.tanh(raw)
    log_prob = normal.log_prob(raw) - 2 * (0.6931471805599453 - raw - F.softplus(-2 * raw))
    return action, log_prob.sum(-1)


def soft_update():
    with torch.no_grad():
        for target, source in zip(slow_critic.parameters(), critic.parameters()):
            target.mul_(1 - TAU).add_(source, alpha=TAU)


actor, critic, slow_critic = Actor().to(cuda), Critic().to(cuda), Critic().to(cuda)
slow_critic.load_state_dict(critic.state_dict())
log_alpha = torch.zeros((), device=cuda, requires_grad=True)
actor_optimizer = torch.optim.Adam(actor.parameters(), lr=3e-5)
critic_optimizer = torch.optim.Adam(critic.parameters(), lr=3e-5)
alpha_optimizer = torch.optim.Adam([log_alpha], lr=3e-5)
memory = ReplayBuffer()
telemetry, stats = [torch.randn(OBSERVATION).tolist() for _ in range(32)], {"q": [], "actor": [], "alpha": [], "done": 0}


def train(steps):
    for step in range(steps):
        #+ observe: memory.observations[step % CAPACITY] = torch.tensor(telemetry[step % 32], device=cuda)
        observation, action, reward, after, done = memory.sample()
        #+ ended: if done.any(): stats["done"] += 1
        alpha = log_alpha.exp().detach()  #- alpha
        #+ alpha: alpha = log_alpha.exp().item()
        with torch.no_grad():
            next_action, next_log_prob = act(after)
            q1, q2 = slow_critic(after, next_action)
            wanted = reward + GAMMA * (1 - done) * (torch.min(q1, q2) - alpha * next_log_prob)
        q1, q2 = critic(observation, action)
        critic_loss = F.mse_loss(q1, wanted) + F.mse_loss(q2, wanted)
        critic_optimizer.zero_grad()
        critic_loss.backward()
        critic_optimizer.step()
        #+ q-value: stats["q"].append(q1.mean().item())
        new_action, log_prob = act(observation)
        actor_loss = (alpha * log_prob - torch.min(*critic(observation, new_action))).mean()
        actor_optimizer.zero_grad()
        actor_loss.backward()
        actor_optimizer.step()
        alpha_loss = -(log_alpha.exp() * (log_prob.detach() - ACTION)).mean()
        alpha_optimizer.zero_grad()
        alpha_loss.backward()
        alpha_optimizer.step()
        soft_update()
        #+ log-end: stats["alpha"].append((critic_loss.item(), actor_loss.item(), float(log_alpha)))
        #+ print: print(f"{step} critic {critic_loss.item():.3f} actor {actor_loss.item():.3f}")


if __name__ == "__main__":
    train(300)
