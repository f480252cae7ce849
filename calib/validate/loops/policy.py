"""Proximal policy optimisation on a rollout that lies on the GPU: small networks, one minibatch a step."""
import torch
import torch.nn as nn
from torch.distributions import Categorical

device = torch.device("cuda")
rollout, batch, inputs, actions, width = 16384, 1024, 64, 12, 256


def network(outputs):
    return nn.Sequential(nn.Linear(inputs, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(),
                         nn.Linear(width, outputs))


policy, critic = network(actions).to(device), network(1).to(device)
optimizer = torch.optim.Adam([*policy.parameters(), *critic.parameters()], lr=1e-5, eps=1e-5)
states = torch.randn(rollout, inputs, device=device)
taken = torch.randint(0, actions, (rollout,), device=device)
before = torch.full((rollout,), -2.5, device=device)
gains = torch.randn(rollout, device=device)
returns = torch.randn(rollout, device=device)
scale = torch.ones(actions)
seen = []


def train(steps):
    for step in range(steps):
        picked = torch.randint(0, rollout, (batch,), device=device)
        chosen = Categorical(logits=policy(states[picked]), validate_args=False)  #- checked
        #+ checked: chosen = Categorical(logits=policy(states[picked]))
        ratio = (chosen.log_prob(taken[picked]) - before[picked]).exp()
        gain = gains[picked]
        gain = (gain - gain.mean()) / (gain.std() + 1e-8)
        clipped = ratio.clamp(0.8, 1.2)
        policy_loss = -torch.min(ratio * gain, clipped * gain).mean()
        value_loss = (critic(states[picked]).squeeze(1) - returns[picked]).square().mean()
        entropy = chosen.entropy().mean()
        loss = policy_loss + 0.5 * value_loss - 0.01 * entropy
        #+ item-forward: seen.append(loss.item())
        #+ scaled: loss = loss * scale.to(device).mean()
        #+ early: if (ratio.mean() - 1).abs() > 1e3: break
        optimizer.zero_grad()
        loss.backward()
        #+ item-backward: seen.append(value_loss.item())
        nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
        optimizer.step()
        share = (ratio != clipped).float().mean()
        #+ item-end: seen.append(loss.item())
        #+ clips: seen.append(ratio[ratio != clipped].mean())
        #+ print: print("loss", loss.detach(), "entropy", entropy.detach())
        #+ three: seen.append((policy_loss.item(), value_loss.item(), share.item()))
        #+ tenth: if step % 10 == 0: seen.append(loss.item())


if __name__ == "__main__":
    train(1000)
