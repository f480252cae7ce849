"""einops changes shapes, which the host knows."""
import torch
from einops import parse_shape, rearrange, reduce, repeat

model = torch.nn.Linear(16, 4).cuda()
for step in range(100):
    x = torch.randn(8, 4, 16, device="cuda")
    z = rearrange(x, "b t d -> (b t) d")
    y = model(z)
    m = reduce(y, "(b t) c -> b c", "mean", t=4)
    r = repeat(m, "b c -> b n c", n=2)
    r.sum().backward()
    b, t, d = x.shape
    print(parse_shape(x, "b t d"), b * t)
