"""DistilBERT on 64 texts of 128 words from transformers, bfloat16 autocast."""
import torch
from transformers import DistilBertConfig, DistilBertForSequenceClassification

device = torch.device("cuda")
model = DistilBertForSequenceClassification(DistilBertConfig()).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5)
input_ids = torch.randint(0, 30522, (64, 128), device=device)
labels = torch.randint(0, 2, (64,), device=device)
model.train()
for step in range(100):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(input_ids=input_ids, labels=labels).loss
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    if step % 10 == 0:
        print(step, loss.item())
