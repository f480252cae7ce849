"""GPT-2 on 8 texts of 512 words from transformers, bfloat16 autocast."""
import torch
from transformers import GPT2Config, GPT2LMHeadModel

device = torch.device("cuda")
model = GPT2LMHeadModel(GPT2Config()).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5)
input_ids = torch.randint(0, 50257, (8, 512), device=device)
model.train()
for step in range(100):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(input_ids=input_ids, labels=input_ids).loss
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    if step % 10 == 0:
        print(step, loss.item())
