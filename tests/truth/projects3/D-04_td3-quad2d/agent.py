import copy
import itertools

import torch
import torch.nn as nn
import torch.nn.functional as F

from buffer import RunningNorm


def mlp(i, h, o, ln=False):
    layers = []
    for a, b in itertools.pairwise([i, h, h]):
        layers += [nn.Linear(a, b)] + ([nn.LayerNorm(b)] if ln else []) + [nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(h, o))


class Actor(nn.Module):
    def __init__(self, obs_dim, act_dim, hidden):
        super().__init__()
        self.net = mlp(obs_dim, hidden, act_dim)
        with torch.no_grad():
            self.net[-1].weight.mul_(0.1)
            self.net[-1].bias.zero_()

    def forward(self, o):
        return torch.tanh(self.net(o))


class TwinQ(nn.Module):
    def __init__(self, obs_dim, act_dim, hidden):
        super().__init__()
        self.q1 = mlp(obs_dim + act_dim, hidden, 1, ln=True)
        self.q2 = mlp(obs_dim + act_dim, hidden, 1, ln=True)

    def forward(self, o, a):
        x = torch.cat([o, a], dim=-1)
        return self.q1(x).squeeze(-1), self.q2(x).squeeze(-1)


class TD3:
    def __init__(self, obs_dim, act_dim, args, device):
        self.args, self.device, self.act_dim = args, device, act_dim
        self.norm = RunningNorm(obs_dim).to(device)
        self.actor = Actor(obs_dim, act_dim, args.hidden).to(device)
        self.critic = TwinQ(obs_dim, act_dim, args.hidden).to(device)
        self.actor_t = copy.deepcopy(self.actor).requires_grad_(False)
        self.critic_t = copy.deepcopy(self.critic).requires_grad_(False)
        self.opt_a = torch.optim.Adam(self.actor.parameters(), lr=args.lr_actor)
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=args.lr_critic)
        self.it = 0

    @torch.no_grad()
    def act(self, obs, noise=0.0):
        o = torch.as_tensor(obs, device=self.device)
        a = self.actor(self.norm(o))
        if noise > 0:
            a = a + noise * torch.randn_like(a)
        return a.clamp(-1, 1).cpu().numpy()

    @torch.no_grad()
    def _soft_update(self, net, target):
        torch._foreach_lerp_(list(target.parameters()), list(net.parameters()), self.args.tau)

    def update(self, buf):
        ar = self.args
        self.it += 1
        o, a, r, o2, nd = buf.sample(ar.batch_size)
        o, o2 = self.norm(o), self.norm(o2)

        with torch.no_grad():
            eps = (torch.randn_like(a) * ar.policy_noise).clamp(-ar.noise_clip, ar.noise_clip)
            a2 = (self.actor_t(o2) + eps).clamp(-1, 1)
            q1t, q2t = self.critic_t(o2, a2)
            target = r + ar.gamma * nd * torch.min(q1t, q2t)

        q1, q2 = self.critic(o, a)
        td = (q1 - target).abs().detach()
        loss_c = F.smooth_l1_loss(q1, target) + F.smooth_l1_loss(q2, target)
        self.opt_c.zero_grad(set_to_none=True)
        loss_c.backward()
        nn.utils.clip_grad_norm_(self.critic.parameters(), ar.max_grad_norm)
        self.opt_c.step()
        logs = {"loss_q": loss_c.detach(), "q": q1.detach().mean(), "td": td.mean()}

        if self.it % ar.policy_delay == 0:
            for p in self.critic.parameters():
                p.requires_grad_(False)
            pi = self.actor(o)
            q = self.critic.q1(torch.cat([o, pi], dim=-1))
            # TD3 scale-free actor loss, as in TD3+BC without the BC part
            loss_a = -q.mean() / q.detach().abs().mean().clamp(min=1.0) + ar.action_l2 * pi.pow(2).mean()
            self.opt_a.zero_grad(set_to_none=True)
            loss_a.backward()
            self.opt_a.step()
            for p in self.critic.parameters():
                p.requires_grad_(True)
            self._soft_update(self.critic, self.critic_t)
            self._soft_update(self.actor, self.actor_t)
            logs["loss_pi"] = loss_a.detach()
        return logs

    def save(self, path):
        torch.save(
            {"actor": self.actor.state_dict(), "critic": self.critic.state_dict(), "norm": self.norm.state_dict()},
            path,
        )
