import torch.distributed as dist


def is_main_process():
    return not dist.is_initialized() or dist.get_rank() == 0


def gather(data, dst=0):
    if not dist.is_initialized() or dist.get_world_size() == 1:
        return [data]
    output = [None for _ in range(dist.get_world_size())]
    dist.all_gather_object(output, data)  # sync: library-wait
    return output
