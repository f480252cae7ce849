import torch

from corpus import BOS, EOS, PAD


@torch.no_grad()
def beam_search(model, src, beam=4, max_len=60, alpha=0.6):
    """batched beam search with GNMT length penalty, returns a list of token lists"""
    B, dev = src.size(0), src.device
    mem, mask = model.encode(src)
    mem = mem.repeat_interleave(beam, 0)
    mask = mask.repeat_interleave(beam, 0)
    ys = torch.full((B * beam, 1), BOS, dtype=torch.long, device=dev)
    scores = torch.full((B, beam), float('-inf'), device=dev)
    scores[:, 0] = 0.0
    done = torch.zeros(B * beam, dtype=torch.bool, device=dev)
    base = torch.arange(B, device=dev)[:, None] * beam
    for _ in range(max_len - 1):
        logp = model.decode(ys, mem, mask)[:, -1].float().log_softmax(-1)
        V = logp.size(-1)
        # finished hypotheses may only be extended by PAD at no cost
        logp[done] = float('-inf')
        logp[done, PAD] = 0.0
        cand = scores[:, :, None] + logp.view(B, beam, V)
        scores, idx = cand.view(B, -1).topk(beam, dim=-1)
        parent = (base + torch.div(idx, V, rounding_mode='floor')).view(-1)
        tok = (idx % V).view(-1)
        ys = torch.cat([ys[parent], tok[:, None]], dim=1)
        done = done[parent] | (tok == EOS)
        if done.all():
            break
    lens = (ys != PAD).sum(1).view(B, beam).float() - 1
    lp = ((5 + lens) / 6) ** alpha
    best = (scores / lp).argmax(-1)
    return ys.view(B, beam, -1)[torch.arange(B, device=dev), best][:, 1:].tolist()


def greedy(model, src, max_len=60):
    return beam_search(model, src, beam=1, max_len=max_len)
