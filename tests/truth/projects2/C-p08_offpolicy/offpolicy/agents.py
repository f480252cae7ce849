import copy

import numpy as np
import torch
import torch.nn.functional as F

from .networks import DetActor, GaussianActor, TwinQ
from .normalizer import RunningNorm


class BaseAgent:
    def __init__(self, obs_dim, act_dim, cfg, device):
        self.cfg, self.device = cfg, device
        self.act_dim = act_dim
        self.norm = RunningNorm(obs_dim).to(device)
        self.critic = TwinQ(obs_dim, act_dim, cfg.hidden, self.n_critics).to(device)
        self.critic_t = copy.deepcopy(self.critic).requires_grad_(False)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=cfg.critic_lr)
        self.updates = 0

    n_critics = 2

    def soft_update(self, src, dst):
        for p, tp in zip(src.parameters(), dst.parameters()):
            tp.data.copy_(self.cfg.tau * p.data + (1 - self.cfg.tau) * tp.data)

    def critic_loss(self, q, target, weight):
        td = q - target
        loss = (weight * F.huber_loss(q, target.expand_as(q), reduction="none", delta=5.0)).mean(1).sum()
        return loss, td.abs().mean(0).squeeze(-1)

    def update(self, batch):
        o, no = self.norm(batch["obs"]), self.norm(batch["next_obs"])
        with torch.no_grad():
            y = batch["rew"] + self.cfg.gamma * (1 - batch["done"]) * self.target_q(no)
        q = self.critic(o, batch["act"])
        loss, td = self.critic_loss(q, y, batch["weight"])
        self.critic_opt.zero_grad()
        loss.backward()
        gn = torch.nn.utils.clip_grad_norm_(self.critic.parameters(), self.cfg.max_grad_norm)
        self.critic_opt.step()
        info = {"critic_loss": loss.item(), "q": q.mean().item(), "critic_gn": float(gn)}
        self.updates += 1
        if self.updates % self.cfg.policy_delay == 0:
            for p in self.critic.parameters():
                p.requires_grad = False
            info.update(self.update_actor(o))
            for p in self.critic.parameters():
                p.requires_grad = True
            self.soft_update(self.critic, self.critic_t)
        return info, td.detach().cpu().numpy()

    def state_dict(self):
        return {"critic": self.critic.state_dict(), "actor": self.actor.state_dict(), "norm": self.norm.state_dict(),
                "critic_opt": self.critic_opt.state_dict(), "updates": self.updates}

    def load_state_dict(self, sd):
        self.critic.load_state_dict(sd["critic"])
        self.actor.load_state_dict(sd["actor"])
        self.norm.load_state_dict(sd["norm"])
        self.critic_opt.load_state_dict(sd["critic_opt"])


class TD3Agent(BaseAgent):
    def __init__(self, obs_dim, act_dim, cfg, device):
        super().__init__(obs_dim, act_dim, cfg, device)
        self.actor = DetActor(obs_dim, act_dim, cfg.hidden).to(device)
        self.actor_t = copy.deepcopy(self.actor).requires_grad_(False)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=cfg.actor_lr)

    @torch.no_grad()
    def act(self, obs, deterministic=False):
        o = torch.FloatTensor(obs).to(self.device)
        a = self.actor(self.norm(o)).cpu().numpy()
        if not deterministic:
            a = np.clip(a + np.random.normal(0, self.cfg.expl_noise, a.shape), -1, 1).astype(np.float32)
        return a

    def target_q(self, no):
        a = self.actor_t(no)
        noise = (torch.randn_like(a) * self.cfg.policy_noise).clamp(-0.5, 0.5)
        return self.critic_t(no, (a + noise).clamp(-1, 1)).min(0).values

    def update_actor(self, o):
        loss = -self.critic(o, self.actor(o))[0].mean()
        self.actor_opt.zero_grad()
        loss.backward()
        self.actor_opt.step()
        self.soft_update(self.actor, self.actor_t)
        return {"actor_loss": loss.item()}


class DDPGAgent(TD3Agent):
    n_critics = 1

    def target_q(self, no):
        return self.critic_t(no, self.actor_t(no))[0]


class SACAgent(BaseAgent):
    def __init__(self, obs_dim, act_dim, cfg, device):
        super().__init__(obs_dim, act_dim, cfg, device)
        self.actor = GaussianActor(obs_dim, act_dim, cfg.hidden).to(device)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=cfg.actor_lr)
        self.target_entropy = -float(act_dim)
        self.log_alpha = torch.zeros(1, requires_grad=True, device=device)
        self.alpha_opt = torch.optim.Adam([self.log_alpha], lr=cfg.actor_lr)
        self.alpha = self.log_alpha.exp().item()

    @torch.no_grad()
    def act(self, obs, deterministic=False):
        o = torch.as_tensor(obs, dtype=torch.float32, device=self.device)
        a, _, mu = self.actor(self.norm(o))
        return (mu if deterministic else a).cpu().numpy()

    def target_q(self, no):
        a, logp, _ = self.actor(no)
        return self.critic_t(no, a).min(0).values - self.alpha * logp

    def update_actor(self, o):
        a, logp, _ = self.actor(o)
        q = self.critic(o, a).min(0).values
        loss = (self.alpha * logp - q).mean()
        self.actor_opt.zero_grad()
        loss.backward()
        self.actor_opt.step()
        alpha_loss = (-self.log_alpha.exp() * (logp.detach() + self.target_entropy)).mean()
        self.alpha_opt.zero_grad()
        alpha_loss.backward()
        self.alpha_opt.step()
        self.alpha = self.log_alpha.exp().item()
        return {"actor_loss": loss.item(), "alpha": self.alpha, "entropy": -logp.mean().item()}
