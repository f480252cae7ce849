# Where CUDA is named too, that is what is priced: the other accelerator is not there.
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
if torch.backends.mps.is_available():
    device = torch.device("mps")
model = nn.Linear(10, 10).to(device)


def run(steps, x):
    other = torch.ones(3, device="mps")
    for _ in range(steps):
        y = model(x.to(device, non_blocking=True))
        print(y.sum().item())  # sync: host-read
        print(other.sum().item())  # spurious: host-read
        if device.type == "mps":
            torch.mps.synchronize()
