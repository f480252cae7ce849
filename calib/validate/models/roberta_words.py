"""RoBERTa from transformers that fills masked words, bfloat16 autocast, 32 texts of 128."""
import torch
from transformers import RobertaConfig, RobertaForMaskedLM

device = torch.device("cuda")
model = RobertaForMaskedLM(RobertaConfig(vocab_size=50265, max_position_embeddings=514)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5)
input_ids = torch.randint(5, 50265, (32, 128), device=device)
labels = torch.randint(5, 50265, (32, 128), device=device)
model.train()
for step in range(100):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(input_ids=input_ids, labels=labels).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        print(step, loss.item())
