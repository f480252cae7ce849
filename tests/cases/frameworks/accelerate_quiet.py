"""An accelerate loop that keeps its numbers on the GPU; its batches come in a way that waits."""
import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader, TensorDataset

accelerator = Accelerator()
model = torch.nn.Linear(16, 4)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
data = DataLoader(TensorDataset(torch.randn(64, 16), torch.randint(0, 4, (64,))), batch_size=8)
model, opt, data = accelerator.prepare(model, opt, data)
total = torch.zeros((), device=accelerator.device)
for x, y in data:  # sync: copy-to-device
    with accelerator.accumulate(model):
        loss = torch.nn.functional.cross_entropy(model(x), y)
        accelerator.backward(loss)
        if accelerator.sync_gradients:
            accelerator.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        opt.zero_grad()
    total += accelerator.gather(loss.detach()).mean()
accelerator.print(total.item())
