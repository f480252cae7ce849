"""A default group with a backend for the CPU beside NCCL holds barriers and objects there."""
import torch
import torch.distributed as dist


def save(model, path):
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)  # sync: copy-to-host note
    dist.barrier()


def main(loader):
    dist.init_process_group("cuda:nccl,cpu:gloo")
    model = torch.nn.Linear(8, 8).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(10):
        for x in loader:
            loss = model(x.cuda()).mean()  # sync: copy-to-device
            loss.backward()
            opt.step()
            opt.zero_grad()
        seen = [None] * dist.get_world_size()
        dist.all_gather_object(seen, epoch)
        save(model, f"epoch{epoch}.pt")
