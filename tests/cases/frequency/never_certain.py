"""What leaves a loop runs once for the whole of it, and what is right or wrong by what is done around it hangs on that: likely."""
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Linear(8, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.1)
loader = DataLoader(TensorDataset(torch.randn(64, 8)), batch_size=8)
for epoch in range(4):
    for step, (x,) in enumerate(loader):
        x = x.pin_memory()  # sync: pin-per-step note likely
        torch.cuda.synchronize()  # sync: sync-for-timer likely
        start = time.time()
        loss = model(x.cuda(non_blocking=True)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch.cuda.synchronize()  # sync: sync-for-timer likely
        print(time.time() - start, loss.item())  # sync: host-read certain
        if epoch * 8 + step > 20:
            reached = torch.tensor([step], device="cuda")  # sync: tensor-from-host note likely
            print(reached.item())  # sync: host-read note likely
            break
