import torch
import torch.nn as nn
import torch.nn.functional as F

ROUTERS = {}


def register_router(name):
    def deco(cls):
        ROUTERS[name] = cls
        return cls
    return deco


class Experts(nn.Module):
    def __init__(self, num_experts, d_model, d_ff):
        super().__init__()
        self.w1 = nn.Parameter(torch.empty(num_experts, d_model, d_ff))
        self.b1 = nn.Parameter(torch.zeros(num_experts, 1, d_ff))
        self.w2 = nn.Parameter(torch.empty(num_experts, d_ff, d_model))
        self.b2 = nn.Parameter(torch.zeros(num_experts, 1, d_model))
        for e in range(num_experts):
            nn.init.xavier_uniform_(self.w1[e])
            nn.init.xavier_uniform_(self.w2[e])

    def forward(self, x):  # E x C x D
        h = F.gelu(torch.bmm(x, self.w1) + self.b1)
        return torch.bmm(h, self.w2) + self.b2


class Router(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.num_experts = cfg.NUM_EXPERTS
        self.capacity_factor = cfg.CAPACITY_FACTOR
        self.jitter = cfg.JITTER
        self.gate = nn.Linear(cfg.D_MODEL, cfg.NUM_EXPERTS, bias=False)
        nn.init.normal_(self.gate.weight, std=0.02)

    def logits(self, x):
        # router in fp32, see Switch Transformer section 2.4
        with torch.autocast("cuda", enabled=False):
            x = x.float()
            if self.training and self.jitter > 0:
                x = x * torch.empty_like(x).uniform_(1 - self.jitter, 1 + self.jitter)
            return self.gate(x)

    def capacity(self, num_tokens, k):
        return max(4, int(self.capacity_factor * k * num_tokens / self.num_experts))


@register_router("switch")
class Top1Router(Router):
    """Dispatch by looping over the experts. Returns combined output and aux dict."""

    def forward(self, x, experts):
        T, D = x.shape
        logits = self.logits(x)
        probs = F.softmax(logits, dim=-1)
        gate, index = probs.max(dim=-1)
        cap = self.capacity(T, 1)

        expert_in = x.new_zeros(self.num_experts, cap, D)
        slots = []
        dropped = 0
        for e in range(self.num_experts):
            tok = torch.nonzero(index == e).squeeze(1)
            if tok.numel() > cap:
                dropped += tok.numel() - cap
                keep = torch.randperm(tok.numel(), device=tok.device)[:cap] if self.training else slice(0, cap)
                tok = tok[keep]
            expert_in[e, : tok.numel()] = x[tok]
            slots.append(tok)
        expert_out = experts(expert_in)
        out = torch.zeros_like(x)
        for e, tok in enumerate(slots):
            out[tok] = (expert_out[e, : tok.numel()] * gate[tok].unsqueeze(1)).to(out.dtype)

        frac = F.one_hot(index, self.num_experts).float().mean(0)
        balance = self.num_experts * (frac * probs.mean(0)).sum()
        zloss = torch.logsumexp(logits, dim=-1).pow(2).mean()
        return out, {"balance": balance, "zloss": zloss, "load": frac.detach(), "dropped": dropped / T}


@register_router("top2")
class Top2Router(Router):
    """GShard-like top-2 with dense dispatch / combine masks."""

    def forward(self, x, experts):
        T, D = x.shape
        E = self.num_experts
        logits = self.logits(x)
        probs = F.softmax(logits, dim=-1)
        top_p, top_i = probs.topk(2, dim=-1)
        top_p = top_p / top_p.sum(dim=-1, keepdim=True)
        cap = self.capacity(T, 2)

        mask1 = F.one_hot(top_i[:, 0], E)
        mask2 = F.one_hot(top_i[:, 1], E)
        pos1 = torch.cumsum(mask1, dim=0) * mask1 - 1
        pos2 = (torch.cumsum(mask2, dim=0) + mask1.sum(0, keepdim=True)) * mask2 - 1
        p1 = pos1.max(dim=1)[0]
        p2 = pos2.max(dim=1)[0]
        ok1 = p1 < cap
        ok2 = p2 < cap

        combine = x.new_zeros(T, E, cap, dtype=torch.float32)
        t = torch.arange(T, device=x.device)
        combine[t[ok1], top_i[ok1, 0], p1[ok1]] = top_p[ok1, 0]
        combine[t[ok2], top_i[ok2, 1], p2[ok2]] = top_p[ok2, 1]
        dispatch = (combine > 0).to(x.dtype)

        expert_in = torch.einsum("tec,td->ecd", dispatch, x)
        expert_out = experts(expert_in)
        out = torch.einsum("tec,ecd->td", combine.to(expert_out.dtype), expert_out)

        frac = mask1.float().mean(0)
        balance = E * (frac * probs.mean(0)).sum()
        zloss = torch.logsumexp(logits, dim=-1).pow(2).mean()
        dropped = 1.0 - (ok1.sum() + ok2.sum()).item() / (2 * T)
        return out, {"balance": balance, "zloss": zloss, "load": frac.detach(), "dropped": dropped}


@register_router("expert_choice")
class ExpertChoiceRouter(Router):
    # leaks the future in a causal LM, only here for the ablation
    def forward(self, x, experts):
        T, D = x.shape
        logits = self.logits(x)
        probs = F.softmax(logits, dim=-1)
        cap = min(T, self.capacity(T, 1))
        g, idx = probs.t().topk(cap, dim=-1)  # E x C
        expert_out = experts(x[idx])
        out = torch.zeros_like(x)
        out.index_add_(0, idx.reshape(-1), (expert_out * g.unsqueeze(-1)).reshape(-1, D).to(out.dtype))
        load = torch.full((self.num_experts,), 1.0 / self.num_experts, device=x.device)
        zloss = torch.logsumexp(logits, dim=-1).pow(2).mean()
        dropped = 1 - idx.unique().numel() / T
        return out, {"balance": logits.new_zeros(()), "zloss": zloss, "load": load, "dropped": dropped}


class MoELayer(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.router = ROUTERS[cfg.TYPE](cfg)
        self.experts = Experts(cfg.NUM_EXPERTS, cfg.D_MODEL, cfg.D_FF)
        self.aux = None

    def forward(self, x):
        shape = x.shape
        out, self.aux = self.router(x.reshape(-1, shape[-1]), self.experts)
        return out.view(shape)
