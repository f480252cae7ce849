"""`cpu=True` of a helper asks for results on the CPU: it does not say what the run is on."""
import torch


def apply(func, x, *args, **kwargs):
    if isinstance(x, (list, tuple)):
        return [apply(func, o, *args, **kwargs) for o in x]
    return func(x, *args, **kwargs)


def to_detach(b, cpu=True):
    def inner(x, cpu=True):
        if not isinstance(x, torch.Tensor):
            return x
        x = x.detach()
        return x.cpu() if cpu else x  # sync: copy-to-host

    return apply(inner, b, cpu=cpu)


def fetched(x, cpu=True):
    return x.cpu() if cpu else x  # sync: copy-to-host


def train(net, optimizer, cpu=False):
    device = "cpu" if cpu else "cuda"
    net = net.to(device)
    for _ in range(100):
        loss = net(torch.randn(8, 4, device=device)).mean()
        loss.backward()
        optimizer.step()
        shown = to_detach(loss)
        again = fetched(loss.detach())
        print(shown)
        print(again)


net = torch.nn.Linear(4, 1)
train(net, torch.optim.SGD(net.parameters(), lr=0.1))
