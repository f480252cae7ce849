"""A mode that nothing here asks for, and what runs once in each of several runs, are likely at most."""
import torch
import torch.nn.functional as F

device = torch.device("cuda")


def trades(net, x, distance="l_inf", scale="mean"):
    noise = torch.randn(x.shape, device=device)
    if distance == "l_2":
        size = torch.tensor(0.5, device=device)  # sync: tensor-from-host note likely
        noise = noise * size
    if distance == "l_inf":
        bound = torch.tensor(0.5, device=device)  # sync: tensor-from-host certain
        noise = noise.clamp(-bound, bound)
    loss = F.mse_loss(net(x + noise), x)
    if scale != "mean":
        print(loss.item())  # sync: host-read note likely
    return loss


def epochs(net, loader, optimizer, count):
    for epoch in range(count):
        for x in loader:
            loss = trades(net, x.to(device))  # sync: copy-to-device certain
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        print(epoch, loss.item())  # sync: host-read certain note
    return loss


class Trainer:
    def __init__(self, net):
        self.net = net.to(device)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def run(self, loader):
        return self.train(loader)

    def train(self, loader):
        loss = epochs(self.net, loader, self.optimizer, 10)
        return loss.item()  # sync: host-read likely note


def main(variants, loader):
    return [Trainer(torch.nn.Linear(size, 4)).run(loader) for size in variants]


if __name__ == "__main__":
    data = torch.utils.data.DataLoader(torch.randn(64, 4), batch_size=8)
    print(main([4, 4], data))
