import copy
from collections import defaultdict

import torch
import torch.nn.functional as F

from .task import EOS, cut, human_score


def logprobs_from_logits(logits, labels):
    logp = F.log_softmax(logits, dim=2)
    return torch.gather(logp, 2, labels.unsqueeze(2)).squeeze(-1)


def masked_mean(x, mask):
    return (x * mask).sum() / mask.sum()


def whiten(values, mask, shift_mean=True):
    mean = masked_mean(values, mask)
    var = masked_mean((values - mean) ** 2, mask)
    out = (values - mean) * torch.rsqrt(var + 1e-8)
    if not shift_mean:
        out += mean
    return out * mask


class AdaptiveKLController:
    """https://arxiv.org/pdf/1909.08593.pdf"""

    def __init__(self, init_kl_coef, target, horizon):
        self.value, self.target, self.horizon = init_kl_coef, target, horizon

    def update(self, current, n_steps):
        error = min(max(current / self.target - 1, -0.2), 0.2)
        self.value *= 1 + error * n_steps / self.horizon


class PPOTrainer:
    def __init__(self, cfg, policy, reward_model, world, logger):
        self.cfg = cfg.ppo
        self.device = cfg.device
        self.policy = policy
        self.ref = copy.deepcopy(policy.gpt).eval()
        for p in self.ref.parameters():
            p.requires_grad_(False)
        self.rm = reward_model.eval()
        self.world = world
        self.log = logger
        self.opt = torch.optim.Adam(policy.parameters(), lr=self.cfg.lr, eps=1e-5)
        self.kl_ctl = AdaptiveKLController(self.cfg.init_kl_coef, self.cfg.target_kl, self.cfg.kl_horizon)

    @torch.no_grad()
    def rollout(self):
        c = self.cfg
        self.policy.eval()
        query = self.world.prompts(c.batch_size, c.prompt_len, self.device)
        seq = self.policy.generate(query, c.gen_len, c.temperature, c.top_k, eos_id=EOS)
        response = seq[:, c.prompt_len:]

        # mask: 1 up to and including the first eos
        is_eos = (response == EOS).long()
        mask = ((is_eos.cumsum(1) - is_eos) == 0).float()

        logits, values = self.policy(seq)
        logp = logprobs_from_logits(logits[:, :-1], seq[:, 1:])[:, c.prompt_len - 1:]
        values = values[:, c.prompt_len - 1:-1] * mask
        ref_logp = logprobs_from_logits(self.ref(seq)[:, :-1], seq[:, 1:])[:, c.prompt_len - 1:]

        lengths = c.prompt_len + mask.sum(1).long()
        scores = self.rm(seq, lengths)

        kl = (logp - ref_logp) * mask
        rewards = -self.kl_ctl.value * kl
        rewards[torch.arange(len(seq), device=seq.device), lengths - c.prompt_len - 1] += scores
        if c.whiten_rewards:
            rewards = whiten(rewards, mask, shift_mean=False)

        adv, ret = self.gae(rewards, values, mask)
        stats = {
            "kl": kl.sum(1).mean().item(),
            "rm_score": scores.mean().item(),
            "human_score": sum(human_score(cut(s)) for s in seq.cpu().tolist()) / len(seq),
            "len": mask.sum(1).mean().item(),
        }
        return dict(seq=seq, mask=mask, logp=logp, values=values, adv=adv, ret=ret), stats

    def gae(self, rewards, values, mask):
        lastgaelam = 0
        adv_rev = []
        T = rewards.size(1)
        for t in reversed(range(T)):
            nextvalues = values[:, t + 1] if t < T - 1 else 0.0
            delta = rewards[:, t] + self.cfg.gamma * nextvalues - values[:, t]
            lastgaelam = delta + self.cfg.gamma * self.cfg.lam * lastgaelam
            adv_rev.append(lastgaelam)
        adv = torch.stack(adv_rev[::-1], dim=1)
        returns = adv + values
        return whiten(adv, mask), returns

    def train_minibatch(self, mb):
        c = self.cfg
        logits, values = self.policy(mb["seq"])
        logits = logits[:, c.prompt_len - 1:-1]
        values = values[:, c.prompt_len - 1:-1]
        mask = mb["mask"]
        logp = logprobs_from_logits(logits, mb["seq"][:, c.prompt_len:])

        ratio = torch.exp((logp - mb["logp"]) * mask)
        pg1 = -mb["adv"] * ratio
        pg2 = -mb["adv"] * torch.clamp(ratio, 1 - c.clip_eps, 1 + c.clip_eps)
        pg_loss = masked_mean(torch.max(pg1, pg2), mask)

        vclip = mb["values"] + torch.clamp(values - mb["values"], -c.value_clip, c.value_clip)
        vf_loss = 0.5 * masked_mean(torch.max((values - mb["ret"]) ** 2, (vclip - mb["ret"]) ** 2), mask)

        logp_all = F.log_softmax(logits, dim=-1)
        entropy = masked_mean(-(logp_all.exp() * logp_all).sum(-1), mask)
        loss = pg_loss + c.vf_coef * vf_loss - c.ent_coef * entropy

        self.opt.zero_grad()
        loss.backward()
        gnorm = torch.nn.utils.clip_grad_norm_(self.policy.parameters(), c.max_grad_norm)
        self.opt.step()

        with torch.no_grad():
            approx_kl = 0.5 * masked_mean((logp - mb["logp"]) ** 2, mask)
            clipfrac = masked_mean((torch.abs(ratio - 1) > c.clip_eps).float(), mask)
        return {"pg": pg_loss.item(), "vf": vf_loss.item(), "ent": entropy.item(), "approx_kl": approx_kl.item(),
                "clipfrac": clipfrac.item(), "gnorm": gnorm.item()}

    def step(self):
        batch, stats = self.rollout()
        self.policy.train()
        acc = defaultdict(list)
        stop = False
        for _ in range(self.cfg.epochs):
            perm = torch.randperm(self.cfg.batch_size)
            for i in range(0, self.cfg.batch_size, self.cfg.minibatch_size):
                idx = perm[i:i + self.cfg.minibatch_size].to(self.device)
                out = self.train_minibatch({k: v[idx] for k, v in batch.items()})
                for k, v in out.items():
                    acc[k].append(v)
                if out["approx_kl"] > 0.3:
                    stop = True
                    break
            if stop:
                break
        self.kl_ctl.update(stats["kl"], self.cfg.batch_size)
        stats.update({k: sum(v) / len(v) for k, v in acc.items()})
        stats["kl_coef"] = self.kl_ctl.value
        return stats

    def fit(self):
        history = []
        for it in range(self.cfg.iters):
            stats = self.step()
            history.append(stats)
            self.log.info("ppo %02d | " % it + " ".join(f"{k} {v:.3f}" for k, v in stats.items()))
        return history
