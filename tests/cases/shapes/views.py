"""Views, products and reductions of known shapes, and what no shape can be: that is not known, and nothing else happens."""
import torch

x = torch.randn(8, 12, 64, device="cuda")
for step in range(10):
    q = x.view(8, 12, 4, 16).transpose(1, 2)  # is: cuda float (8, 4, 12, 16)
    s = q @ q.transpose(-2, -1)  # is: cuda float (8, 4, 12, 12)
    f = x.reshape(-1, 64)  # is: cuda float (96, 64)
    p = x.permute(2, 0, 1)  # is: cuda float (64, 8, 12)
    t = torch.cat([x, x], dim=1)  # is: cuda float (8, 24, 64)
    u = torch.stack([x, x, x])  # is: cuda float (3, 8, 12, 64)
    m = x.mean(dim=(1, 2), keepdim=True)  # is: cuda float (8, 1, 1)
    k = x.chunk(3, dim=1)[0]  # is: cuda float (8, 4, 64)
    n = x[:, -1]  # is: cuda float (8, 64)
    e = x[..., None, ::2]  # is: cuda float (8, 12, 1, 32)
    v, i = x.topk(5)
    w = v + 0  # is: cuda float (8, 12, 5)
    o = x.unsqueeze(0).expand(2, -1, -1, -1)  # is: cuda float (2, 8, 12, 64)
    bad = x + torch.randn(5, 5, device="cuda")  # is: cuda float
    worse = x.view(-2, 7)  # is: cuda float
    huge = torch.randn(10 ** 18, 10 ** 18, device="cuda")  # is: cuda float
    minus = torch.randn(-3, device="cuda")  # is: cuda float
    none = torch.randn(0, 4, device="cuda").sum(1)  # is: cuda float (0,)
    print(w.sum().item())  # sync: host-read
