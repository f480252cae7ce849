"""BERT on 32 texts of 128 words, two classes from transformers, float32."""
import torch
from transformers import BertConfig, BertForSequenceClassification

device = torch.device("cuda")
model = BertForSequenceClassification(BertConfig()).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5)
input_ids = torch.randint(0, 30522, (32, 128), device=device)
attention_mask = torch.ones_like(input_ids)
labels = torch.randint(0, 2, (32,), device=device)
model.train()
for step in range(100):
    loss = model(input_ids=input_ids, attention_mask=attention_mask, labels=labels).loss
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    if step % 10 == 0:
        print(step, loss.item())
