"""The fields of a model's output are where the model is."""
import torch
from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained("gpt2").to("cuda")
opt = torch.optim.AdamW(model.parameters())
ids = torch.randint(0, 1000, (4, 16), device="cuda")
for step in range(100):
    out = model(input_ids=ids, labels=ids)
    out.loss.backward()
    opt.step()
    print(out.loss.item())  # sync: host-read
    guess = out.logits[:, -1].argmax(-1)
    text = guess.tolist()  # sync: host-read
    rows = out.logits.shape[0], len(ids), out.logits.dtype
