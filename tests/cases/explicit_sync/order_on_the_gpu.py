"""Streams ordered by the GPU, events asked without waiting."""
import torch
import torch.nn.functional as F

device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
done = torch.cuda.Event()
side = torch.cuda.Stream()

for step in range(100):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    done.record()
    side.wait_event(done)
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        z = x * 2
        z.record_stream(side)
    torch.cuda.current_stream().wait_stream(side)
    if done.query():
        opt.param_groups[0]["lr"] *= 0.99
