"""An event, a stream and the device, waited for by the host."""
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
    done.synchronize()  # sync: explicit-sync
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        z = x * 2
    side.synchronize()  # sync: explicit-sync
