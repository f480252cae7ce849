# Article 001, examples 1 and 2: one wait in the run.
import time

import torch
from torch import nn

start_time = time.time()
x = torch.randn(1024, 1024, device="cuda")
y = torch.mm(x, x)
torch.cuda.synchronize()
end_time = time.time()
print(f"GPU computation time: {end_time - start_time:.4f} seconds")

model = nn.Linear(1024, 16).cuda()
with torch.cuda.stream(torch.cuda.Stream()):
    out = model(x)
with torch.cuda.stream(torch.cuda.Stream()):
    scaled = y * 2
torch.cuda.synchronize()
