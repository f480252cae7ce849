"""What copies to the host's memory take by their size, and by what becomes of them: python3 calib/validate/copies.py OUT.jsonl

A row a case, us each, the middle of REPEATS: `kept` the copy before is dropped once the next is there, `dropped` before it, `into` a
tensor that is always the same, `bank` copied to the host and from there into a row of a tensor there, `touch` no GPU: a new tensor of
the host's filled; `pinned` and `up` for comparison; `behind` is `up`, not blocking, behind 3 ms of other work: how much of that a copy from
pageable memory waits for. Before each the GPU is done.
"""
import json
import sys
import time

import torch

REPEATS, SLEPT = 15, 6000000  # cycles
SIZES = (1 << 12, 1 << 16, 1 << 18, 393216, 1 << 20, 2 << 20, 3 << 20, 4 << 20, 8 << 20, 16 << 20, 19 << 20, 23 << 20, 28 << 20, 33 << 20, 64 << 20)


def case(work, *state):
    times = []
    for _ in range(REPEATS):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        state = work(*state)
        times.append((time.perf_counter() - begin) * 1e6)
    return sorted(times)


def cases(x):
    host = torch.empty(x.shape)
    bank, row = torch.zeros(32, *x.shape) if x.numel() <= 1 << 20 else None, [0]
    pinned = torch.empty(x.shape, pin_memory=True)

    def dropped(kept):
        kept[0] = None
        kept[0] = x.cpu()
        return (kept,)

    def to_bank():
        row[0] = (row[0] + 1) % 32
        bank[row[0]] = x.cpu()
        return ()

    yield "kept", lambda kept: (x.cpu(),), (None,)
    yield "dropped", dropped, ([None],)
    yield "into", lambda: (host.copy_(x), ())[1], ()
    yield "pinned", lambda: (pinned.copy_(x), ())[1], ()
    yield "touch", lambda kept: (torch.ones(x.shape),), (None,)
    yield "up", lambda: (x.copy_(host), ())[1], ()
    yield "behind", lambda: (torch.cuda._sleep(SLEPT), x.copy_(host, non_blocking=True), ())[2], ()
    if bank is not None:
        yield "bank", to_bank, ()


def main(out):
    with open(out, "w") as file:
        for size in SIZES:
            x = torch.randn(size // 4, device="cuda")
            for name, work, state in cases(x):
                times = case(work, *state)
                print(json.dumps({"case": name, "bytes": size, "us": round(times[len(times) // 2], 1), "least": round(times[0], 1), "most": round(times[-1], 1)}), file=file, flush=True)
        print(json.dumps({"case": "threads", "count": torch.get_num_threads()}), file=file)


if __name__ == "__main__":
    main(sys.argv[1])
