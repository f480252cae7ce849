"""A Llama of six layers on 8 texts of 512 words from transformers, bfloat16 autocast."""
import torch
from transformers import LlamaConfig, LlamaForCausalLM

device = torch.device("cuda")
model = LlamaForCausalLM(LlamaConfig(vocab_size=32000, hidden_size=1024, intermediate_size=2816, num_hidden_layers=6,
                                     num_attention_heads=16, num_key_value_heads=4)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5)
input_ids = torch.randint(0, 32000, (8, 512), device=device)
model.train()
for step in range(100):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(input_ids=input_ids, labels=input_ids).loss
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    if step % 10 == 0:
        print(step, loss.item())
