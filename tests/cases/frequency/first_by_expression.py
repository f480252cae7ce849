"""A conditional expression that fills what was None before the loop takes that side at the first step only."""
import torch


def train(model, loader, optimizer, epochs):
    mean = low = high = None
    for _ in range(epochs):
        last = None
        for x, y in loader:
            loss = (model(x.cuda()) - y.cuda()).square().mean()  # sync: copy-to-device x2
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            mean = loss.item() if mean is None else 0.99 * mean + 0.01 * loss.detach()
            low = torch.minimum(low, loss.detach()) if low is not None else loss.detach().cpu().cuda()
            if high is not None:
                high = torch.maximum(high, loss.detach())
            else:
                high = loss.detach()
                print(high.item())
            last = loss.item() if last is not None else 0.0  # sync: host-read
            first = None
            first = loss.item() if first is None else first  # sync: host-read


net = torch.nn.Linear(8, 8).cuda()
train(net, torch.utils.data.DataLoader(torch.load("d.pt")), torch.optim.SGD(net.parameters(), 0.1), 10)
