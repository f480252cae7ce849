"""Barriers and objects over a gloo group beside the default one leave the GPU alone."""
import torch
import torch.distributed as dist


def main(loader, hosts):
    dist.init_process_group(backend="nccl")
    beside = dist.new_group(backend="gloo")
    model = torch.nn.Linear(8, 8).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(10):
        for x in loader:
            loss = model(x.cuda()).mean()  # sync: copy-to-device
            loss.backward()
            opt.step()
            opt.zero_grad()
        seen = [None] * dist.get_world_size()
        dist.all_gather_object(seen, epoch, group=beside)
        dist.barrier(group=beside)
        dist.barrier(group=hosts)  # sync: library-wait note
        dist.all_gather_object(seen, epoch)  # sync: library-wait note likely
        dist.barrier()  # sync: library-wait note
