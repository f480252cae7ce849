"""cpu(), numpy() and to("cpu") of results each step."""
import torch
import torch.nn.functional as F

device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
outputs, arrays = [], []

for step in range(100):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    probs = model(x).softmax(-1).detach()
    outputs.append(probs.cpu())  # sync: copy-to-host
    arrays.append(probs.to("cpu").numpy())  # sync: copy-to-host
    rows = probs.cpu().numpy().tolist()  # sync: copy-to-host
