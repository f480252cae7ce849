"""A set that remembers what was done: the first launch on a device waits once in a run, the first of a shape now and then."""
import threading
import torch

lock = threading.Lock()
warmed: set = set()
shapes = set()
bad_layers = []
CHECKED = {}


def warm_up(device):
    if device.type != "cuda":
        return
    with lock:
        if device.index in warmed:
            return
        warmed.add(device.index)
        probe = torch.randn(4, 128, device=device)
        probe.softmax(-1)
        torch.cuda.synchronize(device)
        if not torch.isfinite(probe).all():
            raise RuntimeError("warm-up gave what is not finite")


def check_shape(x):
    key = tuple(x.shape)
    if key not in shapes:
        print(key, x.std().item())  # sync: host-read note (likely)
        shapes.add(key)


def report(x, name):
    """The door stays open: what is remembered is something else."""
    if name in bad_layers:
        return
    shapes.add(name)
    if x.isnan().any():  # sync: tensor-truth
        bad_layers.append(name)


def forget(x, name):
    if name in bad_layers:
        bad_layers.remove(name)
        torch.cuda.synchronize()  # sync: explicit-sync


def warn_of_range(x):
    """`not "range" in CHECKED` is `"range" not in CHECKED`: the first batch alone is looked at."""
    if not "range" in CHECKED:
        low, high = x.min(), x.max()
        if torch.logical_or(low < -1024, high > 1024):
            print(f"values from {low:.2f} to {high:.2f}")
        CHECKED["range"] = True


def warn_of_names(x, name):
    if not name in CHECKED:
        print(name, x.std().item())  # sync: host-read note (likely)
        CHECKED[name] = True


def main():
    device = torch.device("cuda")
    model = torch.nn.Linear(128, 128).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(1000):
        x = torch.randn(64, 128, device=device)
        warm_up(device)
        check_shape(x)
        y = model(x)
        report(y, "out")
        warn_of_range(x)
        warn_of_names(y, f"out{step % 4}")
        forget(y, "out")
        optimizer.zero_grad()
        y.mean().backward()
        optimizer.step()


main()
