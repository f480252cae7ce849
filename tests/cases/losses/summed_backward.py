"""Losses that are summed where they go backward: each of them is on the GPU."""
import torch
from agents import build


def update(memory, epochs):
    policy, value, scaler, optimizer = build()
    totals = [0.0, 0.0]
    for _ in range(epochs):
        for states, actions, returns in memory.sample(torch.device("cuda")):
            policy_loss = policy.loss(states, actions)
            value_loss = value.loss(states, returns)
            optimizer.zero_grad()
            scaler.scale(policy_loss + value_loss).backward()
            scaler.step(optimizer)
            totals[0] += policy_loss.item()  # sync: host-read
            totals[1] += value_loss.item()  # sync: host-read
    return totals


def plain(memory, policy, value, optimizer):
    for states, actions, returns in memory.sample():
        policy_loss = policy.loss(states, actions)
        value_loss = value.loss(states, returns)
        optimizer.zero_grad()
        (policy_loss + value_loss).backward()
        optimizer.step()
        print(policy_loss.item(), value_loss.item())  # sync: host-read, host-read
