"""Batches from pageable memory: each copy waits, also the one inside a helper."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda")
dataset = TensorDataset(torch.randn(1000, 20), torch.randint(0, 2, (1000,)))
loader = DataLoader(dataset, batch_size=32, shuffle=True)
model = nn.Linear(20, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    model.train()
    for inputs, labels in loader:
        inputs, labels = inputs.to(device), labels.to(device)  # sync: copy-to-device x2
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        for inputs, labels in loader:
            inputs = inputs.cuda()  # sync: copy-to-device
            labels = labels.cuda()  # sync: copy-to-device
            hits = (model(inputs).argmax(1) == labels).sum()
