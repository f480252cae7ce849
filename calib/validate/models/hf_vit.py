"""ViT from transformers, as its configuration's defaults make it, bfloat16 autocast, 64 pictures of 224."""
import torch
from transformers import ViTConfig, ViTForImageClassification

device = torch.device("cuda")
model = ViTForImageClassification(ViTConfig(num_labels=100)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
pixel_values = torch.randn(64, 3, 224, 224, device=device)
labels = torch.randint(0, 100, (64,), device=device)
model.train()
for step in range(100):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(pixel_values=pixel_values, labels=labels).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        print(step, loss.item())
