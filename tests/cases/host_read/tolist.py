"""A list of predictions is a copy to the host, once a batch."""
import torch
from torch import nn


def predict(model, batches):
    model.eval()
    out = []
    with torch.no_grad():
        for x in batches:
            scores = model(x)
            out.extend(scores.argmax(dim=1).tolist())  # sync: host-read
            best = scores.max().item()  # sync: host-read
            print("best so far", best)
    return out


model = nn.Linear(8, 4).cuda()
batches = [torch.randn(16, 8, device="cuda") for _ in range(10)]
print(len(predict(model, batches)))
