"""Tensors in other clothes: spread over GPUs, wrapped for vision, quasi-random, by the file of a distribution."""
import torch
from torch.distributed.tensor import DTensor, Shard, distribute_tensor
from torch.distributions.half_normal import HalfNormal
from torch.quasirandom import SobolEngine
from torchvision import tv_tensors

model = torch.nn.Linear(16, 4).cuda()
sobol = SobolEngine(16)
for step in range(100):
    x = torch.randn(8, 16, device="cuda")
    spread = distribute_tensor(x, None, [Shard(0)])
    total = DTensor.from_local(model(spread)).sum()
    value = total.item()  # sync: host-read
    shown = tv_tensors.Image(x)
    print(shown.shape, shown.max().item())  # sync: host-read
    wide = HalfNormal(x.abs() + 1)  # sync: distribution-validation
    points = sobol.draw(8)
    lowest = points.min().item(), float(points[0, 0])
