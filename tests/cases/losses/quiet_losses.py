"""The usual losses and embeddings wait for nothing."""
import torch
import torch.nn.functional as F

device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
emb = torch.nn.Embedding(4, 16, device=device)

for step in range(100):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    a = F.cross_entropy(model(x), y, label_smoothing=0.1, ignore_index=-100)
    b = F.mse_loss(x, x * 2) + F.smooth_l1_loss(x, x * 2) + F.l1_loss(x, x)
    c = F.binary_cross_entropy_with_logits(x, torch.rand_like(x))
    d = F.kl_div(x.log_softmax(1), x.softmax(1), reduction="batchmean")
    e = emb(y).sum() + F.nll_loss(model(x).log_softmax(1), y)
    (a + b + c + d + e).backward()
