"""yacs and its like: settings in capitals, the device among them."""
import torch
from config import get_cfg

cfg = get_cfg()
cfg.merge_from_file("train.yaml")
device = torch.device(cfg.MODEL.DEVICE)
model = torch.nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), cfg.SOLVER.LR)
for x, y in torch.utils.data.DataLoader(torch.load("data.pt"), batch_size=8, pin_memory=True):
    x = x.to(device, non_blocking=True)
    loss = torch.nn.functional.mse_loss(model(x), y.to(cfg["DEVICE"], non_blocking=True))
    loss.backward()
    optimizer.step()
    print(loss.item())  # sync: host-read likely
    print(y.to(cfg.DATA.DEVICES).sum().item())
