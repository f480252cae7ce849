"""One of two callers asks for no backend: only its run has the GPU for its default device."""
import torch


def prepare(backend="nccl"):
    if backend is not None:
        torch.distributed.init_process_group(backend)
    else:
        torch.set_default_device("cuda")
