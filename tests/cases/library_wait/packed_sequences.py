"""Lengths that come from the GPU must go to the host before packing."""
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

device = torch.device("cuda")
rnn = nn.GRU(16, 32, batch_first=True).to(device)
opt = torch.optim.Adam(rnn.parameters())
seq = torch.randn(8, 20, 16, device=device)
lengths = torch.randint(1, 20, (8,), device=device)
host_lengths = [20, 18, 15, 12, 9, 7, 5, 2]
for step in range(100):
    lengths = lengths.sort(descending=True).values
    n = lengths.cpu()  # sync: copy-to-host
    packed = pack_padded_sequence(seq, host_lengths, batch_first=True)
    out, h = rnn(packed)
    loss = h.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(n.max())
