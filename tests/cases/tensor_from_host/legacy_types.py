"""The old typed constructors."""
import torch

x = torch.randn(3, device="cuda")
for i in range(100):
    flags = torch.cuda.BoolTensor([False, True, False])  # sync: tensor-from-host
    offset = torch.cuda.FloatTensor([i, i, i])  # sync: tensor-from-host
    moved = torch.FloatTensor([1, 2, 3]).cuda()  # sync: copy-to-device
    x = x * 0.5 + offset + moved + flags

# A torch.Size, unlike any other sequence, is the size of what they make, and not its elements.
make = torch.cuda.FloatTensor if x.is_cuda else torch.FloatTensor
for i in range(100):
    size = x.size()
    noise = x.new(size).normal_() + x.data.new(x.shape).fill_(1) + x.new(torch.Size([3]))
    boxes = make(x[..., :3].shape)
    rest = torch.cuda.LongTensor(x.size()[:1])
    listed = x.new(list(size))  # sync: tensor-from-host
    tupled = torch.cuda.LongTensor((3, i))  # sync: tensor-from-host
    x = x * 0.5 + noise + boxes + rest + listed + tupled.sum()
    assert isinstance(size, tuple)
