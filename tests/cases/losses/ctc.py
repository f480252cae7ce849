"""ctc_loss reads lengths and targets."""
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
    logp = torch.randn(20, 8, 4, device=device).log_softmax(2)
    lengths = torch.full((8,), 20, device=device)
    loss = F.ctc_loss(logp, y[:, None], lengths, torch.ones_like(y))  # sync: library-wait
