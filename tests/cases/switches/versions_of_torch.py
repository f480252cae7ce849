"""What is written for PyTorch before 2.0 does not run with the one that is priced; what asks for a newer one may."""
import torch
from packaging import version
from packaging.version import Version as V
from torch import nn
from torch.utils.data import DataLoader

TORCH_GE_1_8 = V(torch.__version__) >= V("1.8.0")
TORCH_VERSION = version.parse(torch.__version__.split("+")[0])
TORCH_PARTS = tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2])


def orthogonal(size, device):
    block = torch.randn(size, size, device=device)
    if TORCH_GE_1_8:
        q, _ = torch.linalg.qr(block.cpu())  # sync: copy-to-host
    else:
        q, _ = torch.qr(block.cpu(), some=True)
    return q.to(device)  # sync: copy-to-device


class Loss(nn.Module):
    def forward(self, x, y):
        if torch.__version__ > "1.6.0":
            return nn.functional.smooth_l1_loss(x, y)
        close = (x - y).abs() < 1
        loss = torch.zeros_like(x)
        loss[close] = 0.5 * (x - y)[close] ** 2
        return loss.mean()


def train(dataset, options):
    model = nn.Linear(64, 64).cuda()
    criterion = Loss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if version.parse(torch.__version__) < version.parse("2.4.0"):
        scaler = torch.cuda.amp.GradScaler()
    else:
        scaler = torch.GradScaler("cuda")
    for x, y in DataLoader(dataset, batch_size=32, pin_memory=True):
        x = x.cuda(non_blocking=True)
        y = y.cuda(non_blocking=True)
        loss = criterion(model(x @ orthogonal(64, x.device)), y)
        if TORCH_VERSION < version.parse("1.10"):
            print(loss.item())
        if TORCH_PARTS < (1, 9):
            print(loss.item())
        if version.parse(torch.__version__).release >= (2, 99):
            print(loss.item())  # sync: host-read
        if options.version < version.parse("1.10"):
            print(loss.item())  # sync: host-read
        scaler.scale(loss).backward()
        scaler.step(optimizer)  # sync: grad-scaler
        scaler.update()
        optimizer.zero_grad()


train(torch.load("pairs.pt"), torch.load("options.pt"))
