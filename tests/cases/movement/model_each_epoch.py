"""A model that goes to the CPU and back in a loop."""
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
    if step % 10 == 0:
        model.cpu()  # sync: copy-to-host note
        torch.save(model.state_dict(), "model.pt")
        model.cuda()  # sync: copy-to-device note
