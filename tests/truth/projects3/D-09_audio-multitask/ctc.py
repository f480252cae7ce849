from __future__ import annotations

import torch
from torch import Tensor

NEG = -1e30


def ctc_nll(log_probs: Tensor, targets: Tensor, in_len: Tensor, tgt_len: Tensor, blank: int = 0) -> Tensor:
    """CTC forward algorithm in log space, per sequence. log_probs (B, T, C), targets (B, U) padded.

    Autograd does the backward. Kept in plain torch because we also want the per-clip
    values for the loss weighting (F.ctc_loss gives the same numbers).
    """
    B, T, _ = log_probs.shape
    U = targets.size(1)
    ext = torch.full((B, 2 * U + 1), blank, dtype=torch.long, device=targets.device)
    ext[:, 1::2] = targets
    emit = log_probs.gather(2, ext[:, None, :].expand(B, T, -1))  # B T S

    # skipping the blank is allowed between different labels only
    skip = torch.zeros_like(ext, dtype=torch.bool)
    skip[:, 3::2] = targets[:, 1:] != targets[:, :-1]
    no_skip = (~skip).float() * NEG

    S = ext.size(1)
    pad = log_probs.new_full((B, 2), NEG)
    state = torch.arange(S, device=targets.device)
    alpha = torch.where(state < 2, emit[:, 0], NEG)
    for t in range(1, T):
        prev = torch.cat([pad, alpha], dim=1)
        stacked = torch.stack([alpha, prev[:, 1:-1], prev[:, :-2] + no_skip])
        new = torch.logsumexp(stacked, dim=0) + emit[:, t]
        alpha = torch.where((t < in_len)[:, None], new, alpha)
    last = torch.stack([2 * tgt_len, 2 * tgt_len - 1], dim=1)
    return -torch.logsumexp(alpha.gather(1, last), dim=1)


@torch.no_grad()
def greedy_decode(log_probs: Tensor, in_len: Tensor, blank: int = 0) -> list[list[int]]:
    best = log_probs.argmax(dim=-1).cpu()
    out = []
    for row, n in zip(best, in_len.tolist()):
        row = torch.unique_consecutive(row[:n])
        out.append(row[row != blank].tolist())
    return out


def edit_distance(a: list[int], b: list[int]) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        diag, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            diag, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diag + (x != y))
    return row[-1]
