"""A stand-in for the old gym: spaces, wrappers and two tasks of random numbers."""
import numpy as np

from . import spaces


class Env:
    metadata, reward_range, spec, observation_space, action_space = {}, (-1.0, 1.0), None, None, None

    def seed(self, seed=None):
        return [seed]

    def close(self):
        pass

    @property
    def unwrapped(self):
        return self


class Wrapper(Env):
    def __init__(self, env):
        self.env = env
        self.observation_space, self.action_space = env.observation_space, env.action_space

    def reset(self, **kwargs):
        return self.env.reset(**kwargs)

    def step(self, action):
        return self.env.step(action)


class ObservationWrapper(Wrapper):
    def reset(self, **kwargs):
        return self.observation(self.env.reset(**kwargs))

    def step(self, action):
        obs, *rest = self.env.step(action)
        return (self.observation(obs), *rest)


class RewardWrapper(Wrapper):
    pass


class ActionWrapper(Wrapper):
    pass


class Walk(Env):
    def __init__(self, actions):
        self.observation_space = spaces.Box(-1.0, 1.0, (4,))
        self.action_space, self.turn = actions, 0
        self._max_episode_steps = 20

    def reset(self):
        self.turn = 0
        return np.random.uniform(-1, 1, 4).astype(np.float32)

    def step(self, action):
        self.turn += 1
        return np.random.uniform(-1, 1, 4).astype(np.float32), float(np.random.rand()), self.turn >= 20, {}


def make(name, **kwargs):
    return Walk(spaces.Discrete(3) if "CartPole" in name else spaces.Box(-1.0, 1.0, (2,)))


from . import wrappers  # noqa: E402, F401
