"""Wrappers around environments: called at every step, by whatever drives the environment."""
import gymnasium as gym
import torch
from stable_baselines3.common.vec_env import VecEnvWrapper


class TorchWrapper(gym.Wrapper):
    def __init__(self, env, device):
        super().__init__(env)
        self.device = torch.device(device)

    def step(self, action):
        obs, reward, ended, cut, info = self.env.step(action.cpu().numpy())  # sync: copy-to-host likely
        return torch.from_numpy(obs).to(self.device), reward, ended, cut, info  # sync: copy-to-device likely


class VecPyTorch(VecEnvWrapper):
    def __init__(self, venv, device):
        super().__init__(venv)
        self.device = device

    def step_async(self, actions):
        self.venv.step_async(actions.cpu().numpy())  # sync: copy-to-host likely

    def step_wait(self):
        obs, reward, done, info = self.venv.step_wait()
        return torch.from_numpy(obs).float().to(self.device), reward, done, info  # sync: copy-to-device likely


class Clipped(gym.ActionWrapper):
    def action(self, action):
        return action.clip(-1, 1)


def make(device=torch.device("cuda")):
    return TorchWrapper(gym.make("Ant-v4"), device), VecPyTorch(gym.make_vec("Ant-v4"), device)
