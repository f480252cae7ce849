# Article 000, "For Profiling": the wrong way (no wait, so no finding of this kind) and the right way
# (one wait in the whole run).
import time

import torch

x = torch.randn(512, 512, device="cuda")
w = torch.randn(512, 512, device="cuda")

t0 = time.time()
y = x @ w
t1 = time.time()  # sync: timer-unsynced
print(f"Time: {t1 - t0}")

start = torch.cuda.Event(enable_timing=True)
end = torch.cuda.Event(enable_timing=True)
start.record()
y = x @ w
end.record()
torch.cuda.synchronize()
print(f"Time: {start.elapsed_time(end)} ms")
