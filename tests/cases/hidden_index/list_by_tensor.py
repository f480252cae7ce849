"""A Python list indexed by a GPU scalar."""
import torch
import torch.nn.functional as F

device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
names = ["cat", "dog", "bird", "fish"]

for step in range(100):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    guess = model(x)[0].argmax()
    print(names[guess])  # sync: host-read
    word = names[y[0]]  # sync: host-read
