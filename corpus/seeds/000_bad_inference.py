# Article 000, "For Inference", BAD. The article marks pred.cpu() only;
# the copy of the pageable sample to the GPU waits as well (facts: xc.cuda()).
import torch
from torch import nn

model = nn.Linear(32, 10).cuda()
samples = [torch.randn(32) for _ in range(20)]

results = []
for sample in samples:
    pred = model(sample.cuda())  # sync: copy-to-device
    results.append(pred.cpu())  # sync: copy-to-host
