"""Vectors that are joined are a vector: a number that is written into one of its elements is sent to the GPU first."""
import torch


def evaluate(env, policy, target: float, scale: float):
    rewards = torch.zeros(0, device="cuda")
    states = torch.zeros((1, 17), device="cuda")
    for step in range(1000):
        rewards = torch.cat([rewards, torch.zeros(1, device="cuda")])
        states = torch.cat([states, torch.zeros((1, 17), device="cuda")], dim=0)
        done = env.step(step)
        rewards[-1] = step * scale  # sync: index-from-host likely
        states[-1] = 0.0
        if done:
            break
    return rewards
