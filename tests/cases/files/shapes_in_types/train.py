import torch

from attention import entropy_of, masked_mean

device = "cuda"
query = torch.nn.Linear(64, 64).to(device)
optimizer = torch.optim.Adam(query.parameters())
for step in range(100):
    x = torch.randn(4, 10, 64, device=device)
    mask = torch.rand(4, 10, device=device) > 0.2
    weights = query(x).softmax(-1)
    loss = masked_mean(weights, mask) + entropy_of(weights)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
