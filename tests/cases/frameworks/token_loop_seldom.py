"""The same that asks every 16 tokens: a note."""
import torch
from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained("gpt2").to("cuda").eval()
ids = torch.randint(0, 1000, (4, 16), device="cuda")
done = torch.zeros(4, dtype=torch.bool, device="cuda")
for position in range(100):
    with torch.no_grad():
        token = model(ids).logits[:, -1].argmax(-1)
    ids = torch.cat([ids, token[:, None]], dim=1)
    done |= token == 50256
    if position % 16 == 15 and done.all():  # sync: tensor-truth note
        break
