"""Objects over NCCL are copied to the GPU and back; over the CPU, when the call says so, they are not."""
import torch
import torch.distributed as dist

dist.init_process_group("nccl")
x = torch.randn(64, 64, device="cuda")
for step in range(100):
    x = x @ x
    box = [None]
    dist.broadcast_object_list(box, src=0)  # sync: library-wait
    dist.broadcast_object_list(box, src=0, device=torch.device("cpu"))
    dist.broadcast_object_list(box, src=0, device="cpu")
