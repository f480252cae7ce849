"""Wav2Vec2 from transformers with a class a clip, bfloat16 autocast, 8 clips of 5 seconds."""
import torch
from transformers import Wav2Vec2Config, Wav2Vec2ForSequenceClassification

device = torch.device("cuda")
model = Wav2Vec2ForSequenceClassification(Wav2Vec2Config(num_labels=35)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
input_values = torch.randn(8, 80000, device=device)
labels = torch.randint(0, 35, (8,), device=device)
model.train()
for step in range(100):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(input_values=input_values, labels=labels).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        print(step, loss.item())
