"""PPO with a rollout buffer on the GPU and NumPy environments."""
import argparse
import random
from collections import deque

import gymnasium as gym
import numpy as np
import torch
from torch import nn, optim
from torch.distributions import Categorical


def layer_init(layer, std=np.sqrt(2)):
    nn.init.orthogonal_(layer.weight, std)
    return layer


class Agent(nn.Module):
    def __init__(self, obs_dim, n_act):
        super().__init__()
        self.critic = nn.Sequential(layer_init(nn.Linear(obs_dim, 64)), nn.Tanh(), layer_init(nn.Linear(64, 1), 1.0))
        self.actor = nn.Sequential(layer_init(nn.Linear(obs_dim, 64)), nn.Tanh(), layer_init(nn.Linear(64, n_act), 0.01))

    def act(self, x, action=None):
        probs = Categorical(logits=self.actor(x))  # sync: distribution-validation
        if action is None:
            action = probs.sample()
        return action, probs.log_prob(action), probs.entropy(), self.critic(x)  # sync: distribution-validation


class RolloutBuffer:
    def __init__(self, steps, envs, obs_dim, device):
        self.obs = torch.zeros((steps, envs, obs_dim), device=device)
        self.actions = torch.zeros((steps, envs), dtype=torch.long, device=device)
        self.rewards = torch.zeros((steps, envs)).to(device)
        self.dones = torch.zeros((steps, envs)).to(device)
        self.pos = 0
        self.device = device

    def add(self, **kw):
        for k, v in kw.items():
            getattr(self, k)[self.pos] = v
        self.pos += 1

    def minibatches(self, n):
        total = self.obs.shape[0] * self.obs.shape[1]
        order = np.random.permutation(total)
        flat = {k: getattr(self, k).flatten(0, 1) for k in ("obs", "actions", "rewards")}
        for start in range(0, total, total // n):
            idx = order[start:start + total // n]
            yield {k: v[idx] for k, v in flat.items()}  # sync: index-from-host


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--num-steps", type=int, default=128)
    parser.add_argument("--cuda", type=lambda x: x.lower() == "true", default=True)
    args = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() and args.cuda else "cpu")
    envs = gym.vector.SyncVectorEnv([lambda: gym.make("CartPole-v1") for _ in range(8)])
    agent = Agent(4, 2).to(device)
    opt = optim.Adam(agent.parameters(), lr=2.5e-4)
    buffer = RolloutBuffer(args.num_steps, 8, 4, device)
    returns = deque(maxlen=100)
    obs, _ = envs.reset()
    obs = torch.Tensor(obs).to(device)
    for update in range(1000):
        buffer.pos = 0
        for step in range(args.num_steps):
            with torch.no_grad():
                action, logp, _, value = agent.act(obs)
            next_obs, reward, term, trunc, info = envs.step(action.cpu().numpy())  # sync: copy-to-host
            done = np.logical_or(term, trunc)
            buffer.add(obs=obs, actions=action, rewards=torch.tensor(reward).to(device))  # sync: copy-to-device
            obs = torch.Tensor(next_obs).to(device)  # sync: copy-to-device
            if done.any():
                returns.append(float(np.mean(reward)))
        clipfracs = []
        for batch in buffer.minibatches(4):
            _, newlogp, entropy, newvalue = agent.act(batch["obs"], batch["actions"])
            ratio = (newlogp - newlogp.detach()).exp()
            clipfracs += [((ratio - 1.0).abs() > 0.2).float().mean().item()]  # sync: host-read
            loss = -(ratio * batch["rewards"]).mean() - 0.01 * entropy.mean() + newvalue.pow(2).mean()
            opt.zero_grad()
            loss.backward()
            grad_norm = nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            opt.step()
            if grad_norm > 10:  # sync: tensor-truth
                break
        print(f"update {update} loss {loss.item():.3f} returns {np.mean(returns):.1f}")  # sync: host-read note


if __name__ == "__main__":
    main()
