import numpy as np


class PointMass:
    """2d point mass, force actions, dense reward; state = pos, vel, goal"""
    max_ep_len = 60
    state_dim = 6
    act_dim = 2

    def __init__(self, seed=0):
        self.rng = np.random.RandomState(seed)

    def reset(self):
        self.pos = self.rng.uniform(-1, 1, size=2)
        self.vel = np.zeros(2)
        self.goal = self.rng.uniform(-1, 1, size=2)
        self.t = 0
        return self._obs()

    def _obs(self):
        return np.concatenate([self.pos, self.vel, self.goal]).astype(np.float32)

    def step(self, action):
        action = np.clip(action, -1, 1)
        self.vel = 0.9 * self.vel + 0.1 * action
        self.pos = np.clip(self.pos + self.vel * 0.3, -1.5, 1.5)
        self.t += 1
        dist = np.linalg.norm(self.pos - self.goal)
        reward = 1.0 - dist - 0.05 * float((action ** 2).sum())
        done = bool(dist < 0.05) or self.t >= self.max_ep_len
        if dist < 0.05:
            reward += 20.0
        return self._obs(), reward, done, {}


def collect(env, n_traj, quality, seed=0):
    rng = np.random.RandomState(seed)
    trajectories = []
    noise = {'random': 3.0, 'medium': 0.8, 'expert': 0.1}[quality]
    for _ in range(n_traj):
        eps = noise * rng.uniform(0.5, 1.5)
        gain = rng.uniform(0.5, 4.0)
        s, done = env.reset(), False
        traj = {'observations': [], 'actions': [], 'rewards': [], 'dones': []}
        while not done:
            a = gain * (s[4:6] - s[0:2]) - 1.0 * s[2:4] + eps * rng.randn(2)
            a = np.tanh(a)
            ns, r, done, _ = env.step(a)
            traj['observations'].append(s)
            traj['actions'].append(a)
            traj['rewards'].append(r)
            traj['dones'].append(done)
            s = ns
        trajectories.append({k: np.array(v) for k, v in traj.items()})
    return trajectories
