# Article 000, "Multi-Stream Execution": two streams, one wait for both at the end; copies that overlap.
import torch
from torch import nn

x1, w1 = torch.randn(256, 256, device="cuda"), torch.randn(256, 256, device="cuda")
x2, w2 = torch.randn(256, 256, device="cuda"), torch.randn(256, 256, device="cuda")
stream1 = torch.cuda.Stream()
stream2 = torch.cuda.Stream()
with torch.cuda.stream(stream1):
    y1 = x1 @ w1
with torch.cuda.stream(stream2):
    y2 = x2 @ w2
torch.cuda.synchronize()

model = nn.Linear(256, 256).cuda()
batches = [torch.randn(64, 256).pin_memory() for _ in range(8)]
stream_compute = torch.cuda.Stream()
stream_transfer = torch.cuda.Stream()
batch_current = batches[0].cuda(non_blocking=True)
for batch_next_cpu in batches[1:]:
    with torch.cuda.stream(stream_transfer):
        batch_next = batch_next_cpu.cuda(non_blocking=True)
    with torch.cuda.stream(stream_compute):
        output = model(batch_current)
    stream_compute.wait_stream(stream_transfer)
    batch_current = batch_next
torch.cuda.synchronize()
