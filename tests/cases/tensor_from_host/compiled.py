"""What is made of numbers under @torch.compile is a constant of the compiled graph."""
import torch


@torch.compile
def clip_update(g):
    g.mul_(torch.minimum(torch.tensor(1.0, device=g.device), 1.1 / g.square().mean()))


@torch.compile(dynamic=False)
def shifted(g, by: torch.Tensor):
    return g + torch.tensor([0.0, 1.0], device=g.device)


@torch.no_grad()
def plain(g):
    g.add_(torch.tensor(1.0, device=g.device))  # sync: tensor-from-host


def train(model, loader, optimizer):
    for x in loader:
        model(x.to("cuda", non_blocking=True)).sum().backward()
        for p in model.parameters():
            clip_update(p.grad)
            shifted(p.grad, p)
            plain(p.grad)
        optimizer.step()
