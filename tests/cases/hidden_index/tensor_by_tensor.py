"""An embedding table on the GPU indexed by a 1-dim tensor does not wait."""
import torch
import torch.nn.functional as F

device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
table = torch.randn(4, 8, device=device)

for step in range(100):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    guess = model(x).argmax(1)
    vectors = table[guess]
    row = table[guess[:1]]
    picked = table.index_select(0, guess)
