import torch
from torch.utils.data import DataLoader, TensorDataset

from steps import make_evaluate, make_meter, make_step, threshold_of

device = torch.device("cuda")
model = torch.nn.Linear(8, 2).to(device)
step = make_step(model, torch.optim.SGD(model.parameters(), 0.1), torch.nn.CrossEntropyLoss())
evaluate = make_evaluate(model, device)
data = TensorDataset(torch.rand(64, 8), torch.randint(0, 2, (64,)))
loader, held_out = DataLoader(data, batch_size=8, pin_memory=True), DataLoader(data, batch_size=8)
too_high = threshold_of(10)
host_high = threshold_of(0.5)
for epoch in range(10):
    add, mean = make_meter()
    for x, y in loader:
        loss = step(x.to(device, non_blocking=True), y.to(device, non_blocking=True))
        add(loss)
        if too_high(loss):
            break
    print(epoch, mean(), evaluate(held_out), host_high(epoch / 10))
