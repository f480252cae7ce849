"""Whole-network capture as in PyTorch's notes on CUDA graphs, with what people leave in by mistake."""
import torch
import torch.nn as nn

N, D_in, H, D_out = 640, 4096, 2048, 1024
model = nn.Sequential(nn.Linear(D_in, H), nn.Dropout(0.2), nn.Linear(H, D_out)).cuda()
loss_fn = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
static_input = torch.randn(N, D_in, device="cuda")
static_target = torch.randn(N, D_out, device="cuda")

s = torch.cuda.Stream()
s.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(s):
    for i in range(3):
        optimizer.zero_grad(set_to_none=True)
        loss = loss_fn(model(static_input), static_target)
        loss.backward()
        optimizer.step()
torch.cuda.current_stream().wait_stream(s)


def metrics(prediction, target):
    error = (prediction - target).abs().mean()
    return error.item()  # sync: graph-capture-wait error


def clipped(parameters):
    return torch.nn.utils.clip_grad_norm_(parameters, 1.0)


g = torch.cuda.CUDAGraph()
optimizer.zero_grad(set_to_none=True)
with torch.cuda.graph(g):
    static_y_pred = model(static_input)
    static_loss = loss_fn(static_y_pred, static_target)
    static_loss.backward()
    clipped(model.parameters())
    optimizer.step()
    worst = static_y_pred[static_y_pred > 3]  # sync: graph-capture-wait error
    print("captured", static_loss)  # sync: graph-capture-wait error
    mae = metrics(static_y_pred, static_target)
    torch.cuda.synchronize()  # sync: graph-capture-wait error
    weights = torch.ones(D_out).to("cuda", non_blocking=True)  # sync: graph-capture-wait error
    static_pinned = torch.ones(D_out, pin_memory=True).to("cuda", non_blocking=True)

real_inputs = [torch.rand_like(static_input) for _ in range(10)]
real_targets = [torch.rand_like(static_target) for _ in range(10)]
for data, target in zip(real_inputs, real_targets):
    static_input.copy_(data)
    static_target.copy_(target)
    g.replay()
    print(static_loss.item())  # sync: host-read
