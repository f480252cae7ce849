"""Waits that say so."""
import time

import torch
import torch.nn as nn

device = torch.device("cuda")
model = nn.Linear(512, 512).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
stream = torch.cuda.Stream()
start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
for step in range(100):
    t0 = time.perf_counter()
    start.record()
    x = torch.randn(64, 512, device=device)
    loss = model(x).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    end.record()
    torch.cuda.synchronize()  # sync: sync-for-timer
    elapsed = time.perf_counter() - t0
    end.synchronize()  # sync: explicit-sync
    torch.cuda.current_stream().synchronize()  # sync: explicit-sync
    torch.accelerator.synchronize()  # sync: sync-for-timer
    stream.wait_stream(torch.cuda.current_stream())
    end.wait()
    print(f"{elapsed * 1e3:.2f} ms {start.elapsed_time(end):.2f} ms")
