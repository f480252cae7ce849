"""What a build makes and what may be missing breaks nothing."""
import torch
from pkg import _C
from pkg.ops import fused_one, fused_two
from pkg.utils.meters import Meter
from pkg.version import __version__

try:
    from pkg.extra.apex import FusedAdam
    from pkg.extra.flash import flash
except ImportError:
    FusedAdam = flash = None

net = torch.nn.Linear(4, 4).cuda()


def train(loader, optimizer):
    meter = Meter()
    for batch in loader:
        loss = net(batch.cuda()).mean()  # sync: copy-to-device
        loss.backward()
        optimizer.step()
        meter.update(loss.item())  # sync: host-read
