"""What is behind an option that is off by default is a note that says so; one that is on by default is told as ever. A default that
is an interval is one."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--amp", action="store_true")
parser.add_argument("-p", "--profile-steps", action="store_true", default=False)
parser.add_argument("--no-check", dest="check", action="store_false")
parser.add_argument("--clip", type=float, default=0.0)
parser.add_argument("--scale", type=float, default=1.0)
parser.add_argument("--resume")
parser.add_argument("--mode", default="fast")
parser.add_argument("--print-every", type=int, default=50)
parser.add_argument("--distributed", action="store_true")
parser.add_argument("--data", required=True)
args = parser.parse_args()
args.distributed = torch.cuda.device_count() > 1

model = nn.Linear(8, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.1)


def step():
    loss = model(torch.randn(4, 8, device="cuda")).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


for i in range(10000):
    loss = step()
    if args.amp:
        print(loss.item())  # sync: host-read note
    else:
        print(loss.item())  # sync: host-read
    if not args.amp:
        print(loss.item())  # sync: host-read
    if args.profile_steps and i > 3:
        torch.cuda.synchronize()  # sync: explicit-sync note
    if args.check:
        print(loss.item())  # sync: host-read
    if not args.check:
        print(loss.item())  # sync: host-read note
    if args.clip > 0:
        print(loss.item())  # sync: host-read note
    if args.scale > 0:
        print(loss.item())  # sync: host-read
    if args.resume is not None or args.resume:
        print(loss.item())  # sync: host-read note
    if args.mode == "slow":
        print(loss.item())  # sync: host-read note
    elif args.mode in ("slower", "slowest"):
        print(loss.item())  # sync: host-read note
    else:
        print(loss.item())  # sync: host-read
    if i % args.print_every == 0:
        print(loss.item())  # sync: host-read note certain
    if args.amp or i % 10 == 0:
        print(loss.item())  # sync: host-read note certain
    if args.distributed:
        print(loss.item())  # sync: host-read
    if args.data:
        print(loss.item())  # sync: host-read
    if args.unheard_of:
        print(loss.item())  # sync: host-read
    shown = loss.item() if args.amp else 0.0  # sync: host-read note
    if getattr(args, "amp", False) and args.clip:
        print(loss.item(), shown)  # sync: host-read note
    if not args.amp:
        continue
    print(loss.item())  # sync: host-read note

if args.amp:
    for i in range(1000):
        print(step().item())  # sync: host-read
