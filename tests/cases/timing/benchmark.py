"""A benchmark script as people write them: what it prints is the time to queue."""
import time

import torch
import torch.nn as nn

device = torch.device("cuda")
net = nn.Sequential(nn.Conv2d(3, 64, 3), nn.ReLU(), nn.Conv2d(64, 64, 3)).to(device)
images = torch.randn(32, 3, 224, 224, device=device)


def unsynced(repeats):
    for _ in range(10):
        net(images)
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(repeats):
        net(images)
    return (time.perf_counter() - start) / repeats  # sync: timer-unsynced


def synced(repeats):
    for _ in range(10):
        net(images)
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(repeats):
        net(images)
    torch.cuda.synchronize()
    return (time.perf_counter() - start) / repeats


def start_unsynced(repeats):
    for _ in range(10):
        net(images)
    start = time.perf_counter()  # sync: timer-start-unsynced note
    for _ in range(repeats):
        net(images)
    torch.cuda.synchronize()
    return (time.perf_counter() - start) / repeats


def reads_the_result(repeats):
    net(images).sum().item()
    start = time.perf_counter()
    for _ in range(repeats):
        out = net(images)
    total = out.sum().item()
    return total, (time.perf_counter() - start) / repeats


def per_call(repeats):
    net(images)
    torch.cuda.synchronize()
    times = []
    for _ in range(repeats):
        begin = time.time()
        net(images)
        times.append(time.time() - begin)  # sync: timer-unsynced likely
    return times


def per_call_synced(repeats):
    net(images)
    torch.cuda.synchronize()
    times = []
    for _ in range(repeats):
        begin = time.time()
        net(images)
        torch.cuda.synchronize()
        times.append(time.time() - begin)
    return times


def with_events(repeats):
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    for _ in range(repeats):
        net(images)
    end.record()
    end.synchronize()
    return start.elapsed_time(end) / repeats


def main():
    print(unsynced(50), synced(50), start_unsynced(50), reads_the_result(50))
    print(per_call(50), per_call_synced(50), with_events(50))


if __name__ == "__main__":
    main()
