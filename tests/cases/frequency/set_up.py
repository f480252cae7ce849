"""A function that loads a checkpoint, exports or starts the process group is no step: its small loops run once a run. So
is a constructor that no step calls.
Loops that train or compute in the same function are not."""
import torch
import torch.distributed as dist
from torch import nn


def load_parts(models: dict, folder, device):
    for name, model in models.items():
        state = torch.load(f"{folder}/{name}.pt", map_location="cuda")
        model.load_state_dict(state)
        print(name, state["step"].cuda().item(), torch.zeros(3, device="cuda").sum().item())


def export(model: nn.Module, inputs: list[torch.Tensor], path):
    scripted = torch.jit.script(model)
    torch.jit.save(scripted, path)
    for one in inputs:
        print(one.cuda().sum().item())


def start(backends):
    dist.init_process_group("nccl")
    for backend in backends:
        dist.barrier()


def resume(path, loader):
    device = torch.device("cuda")
    model = nn.Linear(8, 8).to(device)
    model.load_state_dict(torch.load(path))
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        loss = model(x.to(device, non_blocking=True)).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item())  # sync: host-read
    for i in range(10):
        print(model(torch.randn(4, 8, device=device)).sum().item())  # sync: host-read


resume("last.pt", [torch.randn(4, 8).pin_memory()])


class Mix(nn.Module):
    def __init__(self, sizes, device):
        super().__init__()
        self.parts = nn.ParameterList([nn.Parameter(torch.tensor([float(n)], device=device)) for n in sizes])
        self.total = sum(part.item() for part in self.parts)


class Noise:
    def __init__(self, scale, device):
        self.scale = torch.tensor(scale, device=device)  # sync: tensor-from-host likely


def sample(names, steps):
    device = torch.device("cuda")
    mixes = [Mix([1, 2, 3], device) for _ in names]
    model = nn.Linear(8, 8).to(device)
    x = torch.randn(4, 8, device=device)
    for step in range(steps):
        noise = Noise(0.1 * step, device)
        x = model(x) + noise.scale
    return mixes, x


sample(["a", "b"], 10)
