"""Q-learning with a world on the host: a read chooses each action, a batch from the replay memory is learned."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("cuda")
inputs, actions, memory, batch = 32, 6, 20000, 128


def network():
    return nn.Sequential(nn.Linear(inputs, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, actions))


online, target = network().to(device), network().to(device)
target.load_state_dict(online.state_dict())
optimizer = torch.optim.Adam(online.parameters(), lr=1e-5)
states = torch.randn(memory, inputs, device=device)
following = torch.randn(memory, inputs, device=device)
taken = torch.randint(0, actions, (memory,), device=device)
rewards = torch.randn(memory, device=device)
weights = torch.rand(batch).pin_memory()
random = np.random.default_rng(0)
drift = random.standard_normal((actions, inputs)).astype(np.float32)
seen = []


def world(state, action):
    state = 0.9 * state + 0.1 * drift[action] + 0.01 * random.standard_normal(inputs, dtype=np.float32)
    return state, float(-np.square(state).mean())


def train(steps):
    state = np.zeros(inputs, dtype=np.float32)
    for step in range(steps):
        with torch.no_grad():
            seen_now = torch.from_numpy(state).to(device)  # syncl: allow the world lives on the host
            scores = online(seen_now.unsqueeze(0))
            action = scores.argmax(1).item()  # syncl: allow the world lives on the host
        state, reward = world(state, action)
        picked = torch.randint(0, memory, (batch,), device=device)
        values = online(states[picked]).gather(1, taken[picked].unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            best = target(following[picked]).max(1).values
            aim = rewards[picked] + 0.99 * best
        errors = F.smooth_l1_loss(values, aim, reduction="none")
        loss = errors.mean()
        #+ item-forward: seen.append(loss.item())
        #+ mask: worst = errors.detach()[errors > 0.5].mean()
        #+ weights: loss = (errors * weights.to(device)).mean()
        optimizer.zero_grad()
        loss.backward()
        #+ item-backward: seen.append(loss.item())
        optimizer.step()
        #+ item-end: seen.append(loss.item())
        #+ print: print("loss", loss.detach())
        #+ priorities: seen.append(errors.detach().cpu().numpy())
        #+ three: seen.append((loss.item(), values.mean().item(), aim.max().item()))
        #+ tenth: if step % 10 == 0: seen.append(loss.item())


if __name__ == "__main__":
    train(1000)
