"""A custom loss, called by a loop: the mask index inside it is the finding."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class HardNegativeLoss(nn.Module):
    def __init__(self, margin=0.2):
        super().__init__()
        self.margin = margin

    def forward(self, anchor, positive):
        sim = F.normalize(anchor) @ F.normalize(positive).t()
        eye = torch.eye(sim.size(0), device=sim.device, dtype=torch.bool)
        negatives = sim[~eye].view(sim.size(0), -1)  # sync: dynamic-shape
        hardest = negatives.max(dim=1).values
        return F.relu(self.margin + hardest - sim.diagonal()).mean()


device = torch.device("cuda")
encoder = nn.Linear(128, 64).to(device)
criterion = HardNegativeLoss()
optimizer = torch.optim.AdamW(encoder.parameters())
for _ in range(1000):
    a = torch.randn(32, 128, device=device)
    b = a + 0.1 * torch.randn_like(a)
    loss = criterion(encoder(a), encoder(b))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
