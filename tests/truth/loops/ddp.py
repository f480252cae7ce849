"""DistributedDataParallel on several GPUs: gradients are reduced beside the backward pass, a metric after the step."""
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    rank = int(os.environ["RANK"])
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl")
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(2048, 4096), nn.GELU(), nn.Linear(4096, 4096), nn.GELU(), nn.Linear(4096, 2048)).cuda()
    model = DistributedDataParallel(net, device_ids=[rank])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    x = torch.randn(2048, 2048, device="cuda")
    total, right = 0.0, 0.0
    for step in range(10000000):
        out = model(x)
        loss = (out - x).pow(2).mean()
        total += loss.item()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        share = (out > 0).float().mean()
        dist.all_reduce(share)
        right += share.item()


if __name__ == "__main__":
    main()
