"""What runs before `break` or `return` out of a loop runs once for the whole loop."""
import torch

device = torch.device("cuda")
model = torch.nn.Linear(8, 8).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(100):
    loss = model(torch.randn(4, 8, device=device)).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step > 90:
        print(loss.item())
        break


def fit(x):
    for epoch in range(10):
        for step in range(100):
            loss = model(x).sum()
            opt.zero_grad()
            loss.backward()
            opt.step()
            if loss < 0.1:  # sync: tensor-truth
                print("found", loss.item())  # sync: host-read note
                break


def search(x, target):
    for step in range(100):
        x = model(x)
        if step == target:
            return x.item()
    return 0.0


def first_backend(backends, x):
    for backend in backends:
        if backend.works:
            torch.distributed.barrier()
            return backend


for epoch in range(3):
    fit(torch.randn(4, 8, device=device))
search(torch.randn(1, 8, device=device), 3)
first_backend([model], None)
