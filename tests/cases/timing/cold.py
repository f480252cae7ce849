"""The first call is measured: kernels are loaded and algorithms chosen inside the timed region."""
import time

import torch
import torchvision

model = torchvision.models.resnet50().cuda().eval()
x = torch.randn(16, 3, 224, 224, device="cuda")
with torch.no_grad():
    torch.cuda.synchronize()
    t0 = time.perf_counter()  # sync: timer-no-warmup note
    for _ in range(100):
        y = model(x)
    torch.cuda.synchronize()
    print("ms per batch", (time.perf_counter() - t0) * 10)
    torch.cuda.synchronize()
    t0 = time.perf_counter()
    for _ in range(100):
        y = model(x)
    torch.cuda.synchronize()
    print("ms per batch, warm", (time.perf_counter() - t0) * 10)
