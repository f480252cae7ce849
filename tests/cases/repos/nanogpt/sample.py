import pickle

import torch

from model import GPT, GPTConfig

device = 'cuda'
checkpoint = torch.load('out/ckpt.pt', map_location=device)
model = GPT(GPTConfig(**checkpoint['model_args']))
model.load_state_dict(checkpoint['model'])
model.eval()
model.to(device)
with open('meta.pkl', 'rb') as f:
    meta = pickle.load(f)
stoi, itos = meta['stoi'], meta['itos']
encode = lambda s: [stoi[c] for c in s]
decode = lambda l: ''.join([itos[i] for i in l])
x = torch.tensor(encode("\n"), dtype=torch.long, device=device)[None, ...]
with torch.no_grad():
    for k in range(10):
        y = model.generate(x, 500, temperature=0.8, top_k=200)
        print(decode(y[0].tolist()))  # sync: host-read
