"""CLIP from transformers, as its configuration's defaults make it, bfloat16 autocast, 64 pairs of picture and text."""
import torch
from transformers import CLIPConfig, CLIPModel

device = torch.device("cuda")
model = CLIPModel(CLIPConfig()).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
input_ids = torch.randint(0, 49407, (64, 77), device=device)
attention_mask = torch.ones(64, 77, dtype=torch.long, device=device)
pixel_values = torch.randn(64, 3, 224, 224, device=device)
model.train()
for step in range(100):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(input_ids=input_ids, attention_mask=attention_mask, pixel_values=pixel_values, return_loss=True).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        print(step, loss.item())
