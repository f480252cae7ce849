"""Copies back to the host in an inference loop."""
import numpy as np
import torch
import torch.nn as nn

device = torch.device("cuda")
model = nn.Sequential(nn.Linear(128, 256), nn.GELU(), nn.Linear(256, 64)).to(device).eval()
batches = torch.randn(50, 32, 128, device=device)
features, scores, masks = [], [], []
with torch.no_grad():
    for batch in batches:
        out = model(batch)
        features.append(out.cpu())  # sync: copy-to-host
        scores.append(out.max(dim=1).values.detach().cpu().numpy())  # sync: copy-to-host
        masks.append((out > 0).to("cpu"))  # sync: copy-to-host
        norm = np.asarray(out.norm(dim=1).cpu())  # sync: copy-to-host
        print(norm.mean())
features = torch.cat(features)
print(features.shape, np.concatenate(scores).shape, len(masks))
