"""Pinned memory and non_blocking copies: nothing waits."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
dataset = TensorDataset(torch.randn(1024, 16), torch.randint(0, 4, (1024,)))
loader = DataLoader(dataset, batch_size=64, num_workers=4, pin_memory=True, drop_last=True)
model = nn.Linear(16, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
criterion = nn.CrossEntropyLoss()
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=1000)
for epoch in range(10):
    for i, (images, target) in enumerate(loader):
        images = images.to(device, non_blocking=True)
        target = target.cuda(non_blocking=True)
        loss = criterion(model(images), target)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        scheduler.step()
    print(f"epoch {epoch} done, lr {scheduler.get_last_lr()[0]:.5f}")
