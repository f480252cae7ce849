"""is None, isinstance, hasattr and shape tests of tensors."""
import torch
import torch.nn.functional as F

device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)

for step in range(100):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if x is None or loss is y:
        break
    if isinstance(x, torch.Tensor) and torch.is_tensor(y) and x.requires_grad:
        break
    if x.shape != (8, 16) or x.dtype != torch.float32 or x.device != loss.device:
        break
    if hasattr(x, "grad_fn") and x.grad is not None and loss.grad_fn is None:
        break
    print(loss.item() if hasattr(loss, "item") else float(loss))  # sync: host-read
    kept = loss.detach() if hasattr(loss, "detach") else torch.tensor(float(loss))
    marked = 0.0 if hasattr(loss, "marked") else float(loss)  # sync: host-read
