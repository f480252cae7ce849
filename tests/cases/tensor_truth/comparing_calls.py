"""torch's own comparisons that answer with a Python bool."""
import torch

device = torch.device("cuda")
a = torch.randn(128, 128, device=device)
previous = torch.zeros_like(a)
for i in range(200):
    a = (a @ a).softmax(-1)
    if torch.allclose(a, previous, atol=1e-6):  # sync: tensor-truth
        break
    if torch.equal(a, previous):  # sync: tensor-truth
        break
    same = a.equal(previous)  # sync: tensor-truth
    zero = torch.is_nonzero(a.sum())  # sync: tensor-truth
    close = torch.isclose(a, previous).all()
    previous = a
    print(i, same, zero)
