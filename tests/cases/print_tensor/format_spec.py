# A list or dict takes no format: `f"{x:.4f}"` raises TypeError for it, so where x may be a list it is a number here.
import torch
from torch import nn

from options import args, fmt, loader


class Loss:
    def __call__(self, out, y, get_out=False):
        loss = (out - y).square().mean()
        loss.backward()
        result = loss.item()  # sync: host-read
        if get_out:
            result = (result, out.argmax(-1))
        return result


model = nn.Linear(3, 4).cuda()
optimizer = torch.optim.SGD(model.parameters())
loss_of = Loss()
for x, y in loader:
    out = model(x.cuda())  # sync: copy-to-device
    loss = loss_of(out, y.cuda(), get_out=args.get_out)  # sync: copy-to-device
    optimizer.step()
    print(f"{loss:.4f}")
    by_name = {"loss": out.sum()}
    print(f"{by_name:>10}" if args.odd else "")
    print(f"{loss}")  # sync: print-tensor
    print(f"{loss!r:>10}")  # sync: print-tensor
    print(f"{by_name:{fmt}}")  # sync: print-tensor
