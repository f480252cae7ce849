# Article 003 (the skill), the "before" halves of steps 2 to 6 and of the quick-reference table.
import numpy as np
import torch
from torch import nn

device = torch.device("cuda")
net = nn.Linear(8, 8).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
inputs = [torch.randn(8, 8) for _ in range(4)]
obj = [1.0, 2.0, 3.0]
arr = np.ones(8, dtype=np.float32)
idx_cpu = torch.tensor([0, 2])
threshold = 0.5
i_gpu = torch.full((), 2, device=device)
j_gpu = torch.full((), 5, device=device)
repeats = torch.arange(8, device=device)

for x_cpu in inputs:
    # 2. blocking copies
    x_gpu = x_cpu.cuda()  # sync: copy-to-device
    back = x_gpu.cpu()  # sync: copy-to-host

    # 4. a read in mid-iteration
    loss = net(x_gpu).square().mean()
    print(f"Loss: {loss.item()}")  # sync: host-read
    optimizer.zero_grad()
    loss.backward()
    grad_norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
    # "sync is outside the hot path", says the article of this place: it still waits in every step
    print(f"Loss: {loss.item()}")  # sync: host-read

    # 5. three reads
    accuracy = (x_gpu > 0).float().mean()
    loss_val = loss.item()  # sync: host-read
    acc_val = accuracy.item()  # sync: host-read
    gnorm_val = grad_norm.item()  # sync: host-read

    # 6. control flow on the host
    if loss.item() > threshold:  # sync: host-read
        result = x_gpu
    else:
        result = -x_gpu
    val = max(x_gpu[0, 0], x_gpu[0, 1])  # sync: tensor-truth
    if (x_gpu > 3).any():  # sync: tensor-truth
        result = result * 2

    # the table: creation
    a = torch.tensor(obj, device="cuda")  # sync: tensor-from-host
    b = torch.tensor(0, device="cuda")  # sync: tensor-from-host
    c = torch.as_tensor(arr, device="cuda")  # sync: tensor-from-host
    d = torch.cuda.BoolTensor([False, True])  # sync: tensor-from-host
    e = x_gpu.type(torch.FloatTensor)  # sync: copy-to-host
    # the table: indexing
    f = x_gpu[idx_cpu]  # sync: index-from-host
    g = x_gpu[[0, 2]]  # sync: index-from-host
    x_gpu[1, 2] = 5.0  # sync: index-from-host
    h = x_gpu[i_gpu:j_gpu]  # sync: host-read
    # the table's own fix for it, arange with GPU bounds, reads them on the host too (facts: torch.arange(0,i0,device=dev))
    k = x_gpu[torch.arange(i_gpu, j_gpu, device="cuda")]  # sync: host-read
    # the table: dynamic shapes
    m = x_gpu[x_gpu > 0]  # sync: dynamic-shape
    n = torch.nonzero(x_gpu > 0)  # sync: dynamic-shape
    o = torch.masked_select(x_gpu, x_gpu > 0)  # sync: dynamic-shape
    p = torch.repeat_interleave(x_gpu, repeats, dim=0)  # sync: dynamic-shape
