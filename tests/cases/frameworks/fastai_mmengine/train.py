import gymnasium as gym
import torch
from fastai.vision.all import Learner
from callbacks import Norms
from torch import nn


def rollout(policy, env, steps):
    obs, _ = env.reset()
    total = 0.0
    for _ in range(steps):
        x = torch.as_tensor(obs, dtype=torch.float32, device="cuda")  # sync: tensor-from-host
        action = policy(x).argmax().item()  # sync: host-read
        obs, reward, terminated, truncated, _ = env.step(action)
        total += reward
        if terminated or truncated:
            obs, _ = env.reset()
    return total


def main(dls):
    net = nn.Linear(4, 2).cuda()
    learn = Learner(dls, net, loss_func=nn.MSELoss(), cbs=[Norms()])
    learn.fit(3)
    env = gym.make("CartPole-v1")
    for i in range(10):
        print(rollout(net, env, 100))


main(None)
