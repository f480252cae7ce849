"""An empty tensor has nothing to copy."""
import torch

x = torch.randn(64, 64, device="cuda")
for step in range(100):
    x = x @ x
    nothing = torch.tensor([], device=x.device)
    also_nothing = torch.as_tensor((), device="cuda")
    moved = torch.tensor([]).to(x.device)
    boxes = torch.empty(0, 4).to(x.device)
    none_yet = torch.zeros((0, 6)).cuda()
    offset = torch.randint(0, 4, (1,)).to(x.device)  # sync: copy-to-device
