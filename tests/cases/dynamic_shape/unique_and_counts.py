"""unique, nonzero, bincount and where of one argument."""
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
    classes = y.unique()  # sync: dynamic-shape
    rows = (y == 3).nonzero()  # sync: dynamic-shape
    counts = torch.bincount(y, minlength=4)  # sync: dynamic-shape
    places = torch.where(y == 3)  # sync: dynamic-shape
    onehot = F.one_hot(y)  # sync: dynamic-shape
    hist = torch.histc(x)  # sync: dynamic-shape
