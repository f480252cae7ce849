"""Reinforcement learning in miniature: eight steps of tiny operations in a batched environment, then one update."""
import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("cuda")
worlds, inputs, actions, horizon = 64, 8, 4, 8
policy = nn.Sequential(nn.Linear(inputs, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, actions)).to(device)
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-5)
drift = torch.randn(actions, inputs, device=device)
targets = [torch.randn(worlds, inputs).pin_memory() for _ in range(8)]
pageable = [torch.randn(worlds, inputs) for _ in range(8)]
features = torch.randn(2048, 1024, device=device)
seen = []


def train(steps):
    state = torch.zeros(worlds, inputs, device=device)
    for step in range(steps):
        target = targets[step % 8].to(device, non_blocking=True)  #- upload
        #+ upload: target = pageable[step % 8].to(device)
        terms = []
        for _ in range(horizon):
            scores = policy(state)
            action = torch.argmax(scores + torch.randn_like(scores), dim=1)
            state = 0.9 * state + 0.1 * drift[action]
            reward = -(state - target).square().mean(1)
            terms.append(F.cross_entropy(scores, action, reduction="none") * reward)
        loss = torch.stack(terms).mean()
        #+ item-forward: seen.append(loss.item())
        #+ mask: best = reward[action == 0].mean()
        #+ copy: kept = features.cpu()
        optimizer.zero_grad()
        loss.backward()
        #+ item-backward: seen.append(loss.item())
        optimizer.step()
        #+ item-end: seen.append(loss.item())
        #+ print: print("loss", loss.detach())
        #+ three: seen.append((loss.item(), reward.mean().item(), loss.item()))
        #+ tenth: if step % 10 == 0: seen.append(loss.item())


if __name__ == "__main__":
    train(1000)
