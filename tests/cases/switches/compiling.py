"""What Python does only while a model is compiled or exported is no part of a run."""
import torch
from torch import nn


def is_pt2_compiling():
    return torch.compiler.is_compiling() or torch._dynamo.is_compiling()


def listed(lengths):
    if torch.jit.is_scripting() or not lengths.is_cuda:
        return lengths.tolist()
    if is_pt2_compiling():
        return lengths.tolist()
    return lengths.cpu().tolist()  # sync: copy-to-host


model = nn.EmbeddingBag(100, 8).cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for step in range(1000):
    lengths = torch.ones(8, device="cuda")
    loss = model(torch.zeros(4, 8, dtype=torch.long, device="cuda")).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if not torch.compiler.is_compiling():
        print(listed(lengths), loss.item())  # sync: host-read
