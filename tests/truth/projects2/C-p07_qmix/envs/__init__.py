import numpy as np

MOVES = np.array([[0, 0], [0, 1], [0, -1], [1, 0], [-1, 0]])


class SpreadGrid:
    """agents have to cover all landmarks of a grid without bumping"""

    def __init__(self, n_agents=3, size=7, n_landmarks=3, episode_limit=20, sight=3, seed=None):
        self.n_agents = n_agents
        self.size = size
        self.n_landmarks = n_landmarks
        self.episode_limit = episode_limit
        self.sight = sight
        self.rng = np.random.RandomState(seed)
        self.n_actions = 5

    def reset(self):
        cells = self.rng.permutation(self.size ** 2)[:self.n_agents + self.n_landmarks]
        xy = np.stack([cells // self.size, cells % self.size], 1)
        self.agents = xy[:self.n_agents].copy()
        self.landmarks = xy[self.n_agents:].copy()
        self.t = 0
        return self.get_obs(), self.get_state()

    def _dist(self):
        return np.abs(self.agents[:, None] - self.landmarks[None]).sum(-1)

    def step(self, actions):
        self.t += 1
        old = self._dist().min(0).sum()
        new = self.agents + MOVES[np.asarray(actions)]
        bumps = 0
        for i in range(self.n_agents):
            others = np.delete(self.agents, i, 0)
            if (others == new[i]).all(1).any():
                bumps += 1
            else:
                self.agents[i] = new[i]
        d = self._dist()
        covered = (d == 0).any(0).sum()
        win = covered == self.n_landmarks
        reward = 0.2 * (old - d.min(0).sum()) - 0.1 * bumps + (5.0 if win else 0.0) - 0.02
        terminated = bool(win) or self.t >= self.episode_limit
        return float(reward), terminated, {"battle_won": bool(win), "episode_limit": self.t >= self.episode_limit and not win}

    def get_obs(self):
        obs = []
        for i in range(self.n_agents):
            rel_l = (self.landmarks - self.agents[i]) / self.size
            rel_a = (np.delete(self.agents, i, 0) - self.agents[i])
            seen = (np.abs(rel_a).max(1) <= self.sight)[:, None]
            obs.append(np.concatenate([self.agents[i] / self.size, rel_l.flatten(),
                                       (rel_a * seen / self.size).flatten(), seen.flatten().astype(float)]))
        return [o.astype(np.float32) for o in obs]

    def get_state(self):
        return np.concatenate([self.agents.flatten(), self.landmarks.flatten(), [self.t]]).astype(np.float32) / self.size

    def get_avail_actions(self):
        nxt = self.agents[:, None] + MOVES[None]
        ok = ((nxt >= 0) & (nxt < self.size)).all(-1)
        return ok.astype(np.int64).tolist()

    def get_env_info(self):
        self.reset()
        return {"state_shape": len(self.get_state()), "obs_shape": len(self.get_obs()[0]),
                "n_actions": self.n_actions, "n_agents": self.n_agents, "episode_limit": self.episode_limit}


REGISTRY = {"spread": SpreadGrid}
