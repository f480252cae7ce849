"""An accelerate loop that gathers and reads."""
import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader, TensorDataset

accelerator = Accelerator()
model = torch.nn.Linear(16, 4)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
data = DataLoader(TensorDataset(torch.randn(64, 16), torch.randint(0, 4, (64,))), batch_size=8)
model, opt, data = accelerator.prepare(model, opt, data)
for x, y in data:  # sync: copy-to-device
    loss = torch.nn.functional.cross_entropy(model(x), y)
    accelerator.backward(loss)
    opt.step()
    value = accelerator.gather(loss.detach()).mean().item()  # sync: host-read
    accelerator.print(loss)  # sync: print-tensor
