import torch


def rnnt_loss(logits, targets, logit_lengths, target_lengths, blank=0, reduction="mean"):
    """
    Graves 2012. logits: (B, T, U + 1, V), targets: (B, U).

    The recursion over u inside a frame is a cumulative sum in the log domain, so only T is a loop:
        alpha[t, u] = logaddexp(alpha[t-1, u] + blank[t-1, u], alpha[t, u-1] + emit[t, u-1])
    """
    B, T, U1, V = logits.shape
    log_probs = torch.log_softmax(logits.float(), dim=-1)
    lp_blank = log_probs[..., blank]  # B T U+1
    idx = targets[:, None, :, None].expand(B, T, U1 - 1, 1)
    lp_emit = log_probs[:, :, :-1].gather(-1, idx).squeeze(-1)  # B T U
    zero = lp_emit.new_zeros(B, T, 1)
    cum_emit = torch.cat([zero, lp_emit.cumsum(dim=-1)], dim=-1)  # B T U+1

    alpha = cum_emit[:, 0]
    alphas = [alpha]
    for t in range(1, T):
        stay = alpha + lp_blank[:, t - 1]
        alpha = cum_emit[:, t] + torch.logcumsumexp(stay - cum_emit[:, t], dim=-1)
        alphas.append(alpha)
    alphas = torch.stack(alphas, dim=1)  # B T U+1

    b = torch.arange(B, device=logits.device)
    t_last = logit_lengths - 1
    ll = alphas[b, t_last, target_lengths] + lp_blank[b, t_last, target_lengths]
    if reduction == "mean":
        return -(ll / target_lengths.clamp(min=1)).mean()
    return -ll.sum()


@torch.no_grad()
def greedy_search(model, enc, enc_lens, max_sym_per_frame=3):
    """frame by frame, one utterance at a time"""
    blank = model.blank
    hyps = []
    for i in range(enc.size(0)):
        hyp = []
        token = torch.full((1, 1), blank, dtype=torch.long, device=enc.device)
        pred, state = model.predictor(token)
        for t in range(enc_lens[i]):
            n = 0
            while n < max_sym_per_frame:
                logits = model.joiner(enc[i:i + 1, t:t + 1], pred)
                k = logits[0, 0, 0].argmax().item()
                if k == blank:
                    break
                hyp.append(k)
                token.fill_(k)
                pred, state = model.predictor(token, state)
                n += 1
        hyps.append(hyp)
    return hyps


@torch.no_grad()
def ctc_greedy(log_probs, lens, blank=0):
    best = log_probs.argmax(-1).cpu()
    out = []
    for seq, n in zip(best, lens.tolist()):
        seq = torch.unique_consecutive(seq[:n])
        out.append([s for s in seq.tolist() if s != blank])
    return out
