import gymnasium as gym
import numpy as np
import torch


class VecPyTorch(gym.vector.VectorWrapper):
    def __init__(self, venv, device):
        super().__init__(venv)
        self.device = device

    def reset(self):
        obs, _ = self.env.reset()
        return torch.from_numpy(obs).float().to(self.device)  # sync: copy-to-device note

    def step(self, actions):
        if isinstance(actions, torch.LongTensor):
            actions = actions.squeeze(1)
        actions = actions.cpu().numpy()  # sync: copy-to-host
        obs, reward, term, trunc, info = self.env.step(actions)
        obs = torch.from_numpy(obs).float().to(self.device)  # sync: copy-to-device
        reward = torch.from_numpy(reward).unsqueeze(dim=1).float()
        return obs, reward, np.logical_or(term, trunc), info


def make_vec_envs(env_name, seed, num_processes, device):
    def thunk(rank):
        def _init():
            env = gym.make(env_name)
            env = gym.wrappers.RecordEpisodeStatistics(env)
            env.reset(seed=seed + rank)
            return env
        return _init
    envs = gym.vector.AsyncVectorEnv([thunk(i) for i in range(num_processes)])
    return VecPyTorch(envs, device)
