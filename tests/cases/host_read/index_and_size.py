"""A GPU scalar where Python needs a whole number: __index__ reads it."""
import torch

device = torch.device("cuda")
words = ["zero", "one", "two", "three"]
emb = torch.nn.Embedding(100, 16).to(device)
head = torch.nn.Linear(16, 4).to(device)
tokens = torch.randint(0, 100, (32, 20), device=device)
lengths = torch.randint(1, 20, (32,), device=device)

for step in range(50):
    h = emb(tokens)
    longest = lengths.max()
    h = h[:, :longest]  # sync: host-read
    pred = head(h).mean(dim=(0, 1)).argmax()
    word = words[pred]  # sync: host-read
    pad = torch.zeros(longest, device=device)  # sync: host-read
    for t in range(longest):  # sync: host-read
        pad[t:t + 1].add_(h[:, t].mean())
    print(step, word)
