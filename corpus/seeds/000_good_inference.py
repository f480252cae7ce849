# Article 000, "For Inference", GOOD: batch the samples, one copy each way.
import torch
from torch import nn

model = nn.Linear(32, 10).cuda()
samples = [torch.randn(32) for _ in range(20)]

batch = torch.stack(samples).cuda()
preds = model(batch)
results = preds.cpu()
print(results.shape)
