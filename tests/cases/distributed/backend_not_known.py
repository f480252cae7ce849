"""A barrier is likely where nobody sees what the default group is made of."""
import os

import torch
import torch.distributed as dist


def set_up():
    dist.init_process_group(backend=os.environ["BACKEND"])
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))


def save(step, net):
    torch.save(net.state_dict(), f"{step}.pt")  # sync: copy-to-host
    dist.barrier()  # sync: library-wait likely


def main(net, optimizer, loader):
    set_up()
    for step, x in enumerate(loader):
        net(x.cuda()).mean().backward()  # sync: copy-to-device
        optimizer.step()
        save(step, net)


if __name__ == "__main__":
    net = torch.nn.Linear(4, 4).cuda()
    main(net, torch.optim.SGD(net.parameters(), 0.1), torch.utils.data.DataLoader(torch.randn(64, 4)))
