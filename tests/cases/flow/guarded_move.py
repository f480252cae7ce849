"""A helper that moves what is a tensor, at any depth, and gives everything else back: its tensors are on the GPU."""
import torch


def to_device(data, device):
    if isinstance(data, (list, tuple)):
        return [to_device(part, device) for part in data]
    if isinstance(data, dict):
        return {key: to_device(part, device) for key, part in data.items()}
    if torch.is_tensor(data):
        return data.to(device, non_blocking=True)
    return data


def by_attribute(data, device):
    if hasattr(data, "to"):
        return data.to(device, non_blocking=True)
    elif isinstance(data, dict):
        return {key: by_attribute(part, device) for key, part in data.items()}
    return data


def moved_in_place(data, device):
    if isinstance(data, torch.Tensor):
        data = data.to(device, non_blocking=True)
    return data


def seen_only(data):
    if torch.is_tensor(data):
        print(data.shape)
    return data


def summarise(x):
    return float(x.mean())  # sync: host-read certain


def largest(x):
    return float(x.max())  # sync: host-read certain


def norm(x):
    return float(x.norm())  # sync: host-read certain


def of_the_host(x):
    return float(x.mean())


def run(loader, model, optimizer):
    device = torch.device("cuda")
    model.to(device)
    for batch in loader:
        before = of_the_host(seen_only(batch)["x"])
        other = by_attribute(batch, device)
        row = moved_in_place(batch["z"], device)
        batch = to_device(batch, device)
        print(before, summarise(batch["x"]), largest(other["x"]), norm(row))
        loss = model(batch["x"]).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
