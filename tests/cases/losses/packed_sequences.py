"""pack_padded_sequence sorts lengths on the CPU."""
import torch
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence

device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
lengths = torch.tensor([5, 5, 4, 4, 3, 3, 2, 1])

for step in range(100):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    seq = torch.randn(8, 5, 16, device=device)
    packed = pack_padded_sequence(seq, lengths, batch_first=True, enforce_sorted=False)  # sync: library-wait
    sizes = torch.randint(1, 5, (8,), device=device)
    packed = pack_padded_sequence(seq, sizes.cpu(), batch_first=True, enforce_sorted=False)  # sync: library-wait, copy-to-host
