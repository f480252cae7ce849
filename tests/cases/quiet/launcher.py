"""Starting a run: seeds, ranks, directories, git hash, environment; torch is asked for numbers of the machine only."""
import datetime
import os
import random
import subprocess
import sys

import numpy as np
import torch
import torch.distributed as dist


def seed_everything(seed: int):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)


def ranks():
    rank = int(os.environ.get("RANK", 0))
    world = int(os.environ.get("WORLD_SIZE", 1))
    local = int(os.environ.get("LOCAL_RANK", 0))
    if world > 1:
        torch.cuda.set_device(local)
        dist.init_process_group("nccl", timeout=datetime.timedelta(minutes=30))
    return rank, local, world


def machine():
    lines = [f"python {sys.version.split()[0]}, torch {torch.__version__}"]
    for i in range(torch.cuda.device_count()):
        p = torch.cuda.get_device_properties(i)
        lines.append(f"{p.name}: {p.total_memory / 2**30:.0f} GiB, {p.multi_processor_count} SMs")
    return lines


def git_hash():
    try:
        return subprocess.check_output(["git", "rev-parse", "--short", "HEAD"]).decode().strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def folder(base, name, rank):
    path = os.path.join(base, f"{datetime.date.today():%Y%m%d}-{name}")
    if rank == 0:
        os.makedirs(path, exist_ok=True)
    return path


def batch_per_rank(total: int, world: int) -> int:
    if total % world:
        raise ValueError(f"{total} does not divide by {world}")
    return total // world


def memory(device):
    free, total = torch.cuda.mem_get_info(device)
    return round(free / total, 3)


def pick(candidates):
    best, most = None, -1.0
    for device in candidates:
        free = memory(device)
        if free > most:
            best, most = device, free
    return best


def prepare(argv):
    rank, local, world = ranks()
    seed_everything(1234 + rank)
    where = folder("runs", argv[0] if argv else "run", rank)
    if rank == 0:
        for line in machine():
            print(line)
        print("git", git_hash(), "folder", where, "batch", batch_per_rank(256, world))
    return torch.device("cuda", local), where
