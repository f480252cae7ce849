"""T5-small on 32 texts of 128 words from transformers, bfloat16 autocast."""
import torch
from transformers import T5Config, T5ForConditionalGeneration

device = torch.device("cuda")
model = T5ForConditionalGeneration(T5Config(decoder_start_token_id=0)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5)
input_ids = torch.randint(0, 32128, (32, 128), device=device)
labels = torch.randint(0, 32128, (32, 64), device=device)
model.train()
for step in range(100):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(input_ids=input_ids, labels=labels).loss
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    if step % 10 == 0:
        print(step, loss.item())
