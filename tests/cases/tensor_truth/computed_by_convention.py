# A library whose callers are not in sight: what is read plainly there is a tensor because something computed it, or made it
# where a tensor is, and only that it is on the GPU is a convention. A parameter itself, or a flag, may be an option.
import torch
from torch import Tensor, nn


def adjusted_score(confusion: Tensor) -> Tensor:
    pairs = torch.zeros(2, 2, dtype=confusion.dtype, device=confusion.device)
    pairs[1, 1] = (confusion * confusion).sum() - confusion.sum()
    pairs[0, 1] = confusion.sum(dim=0).square().sum() - pairs[1, 1]
    (_, fp), (fn, tp) = pairs
    if fn == 0 and fp == 0:  # sync: tensor-truth likely x2
        return torch.ones_like(tp, dtype=torch.float32)
    return 2.0 * tp / (fn + fp)


def dispersion(data: Tensor, labels: Tensor, least: float = 0.0, strict=False) -> Tensor:
    within = torch.tensor(0.0, device=data.device)  # sync: tensor-from-host
    centre = data.mean(dim=0)
    for k in range(8):
        within = within + (data * (labels == k).unsqueeze(-1) - centre).square().sum()
    if strict:
        within = within.sqrt()
    if within <= least:  # sync: tensor-truth likely
        return torch.ones_like(within)
    return 1.0 / within


def matched_instances(pred: Tensor, true: Tensor, count: int):
    """One turn for each instance that a mask holds: the number of it is on the GPU."""
    found = []
    masks = [pred == k + 1 for k in range(count)]
    for label in true.unique():  # sync: dynamic-shape
        inside = pred[true == label].unique()  # sync: dynamic-shape x2
        for instance in inside:
            if instance == 0:  # missed: tensor-truth
                continue
            found.append(masks[instance - 1])  # missed: host-read
    return found


class Neuron(nn.Module):
    """The kind of reset is a buffer, so that it is saved; it moves with the module."""

    def __init__(self, reset: int = 0, until=None):
        super().__init__()
        self.register_buffer("kind", torch.as_tensor(reset))
        self.limit = until

    def forward(self, current: Tensor, spikes: Tensor) -> Tensor:
        if self.kind == 0:  # sync: tensor-truth likely
            return current - spikes
        return current * (1 - spikes)


class Prodigal(torch.optim.Optimizer):
    def __init__(self, params, lr=1.0, d0=1e-6):
        super().__init__(params, dict(lr=lr, d=d0))

    @torch.no_grad()
    def step(self, closure=None):
        group = self.param_groups[0]
        moved = torch.tensor([0.0], device=group["params"][0].device)  # sync: tensor-from-host
        for p in group["params"]:
            moved.add_(p.grad.abs().sum())
        if moved == 0:  # sync: tensor-truth likely
            return
        for p in group["params"]:
            p.sub_(p.grad * (group["lr"] / moved))


def pad_to(hidden: Tensor, pads, windows: Tensor):
    """What stays a guess: a parameter that is compared, a flag."""
    if pads > 0:
        hidden = nn.functional.pad(hidden, (0, 0, 0, pads))
    wide = bool(windows.shape[0] > 1)
    if wide:
        hidden = hidden.flatten(0, 1)
    return hidden
