"""What parameters are called says what they are: cpu_device is the CPU, torch_dtype is a dtype."""
import torch


def gather(outputs: list[torch.Tensor], cpu_device, torch_dtype):
    kept = []
    for out in outputs:
        here = out.to(cpu_device)  # sync: copy-to-host
        kept.append(here.tolist())
        noise = torch.randn(4).to(torch_dtype)
        print(noise.sum().item())
    return kept
