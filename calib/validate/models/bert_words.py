"""BERT on 32 texts of 256 words, its masked words from transformers, bfloat16 autocast."""
import torch
from transformers import BertConfig, BertForMaskedLM

device = torch.device("cuda")
model = BertForMaskedLM(BertConfig()).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5)
input_ids = torch.randint(0, 30522, (32, 256), device=device)
model.train()
for step in range(100):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(input_ids=input_ids, labels=input_ids).loss
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    if step % 10 == 0:
        print(step, loss.item())
