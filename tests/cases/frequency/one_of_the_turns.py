"""`if i == 0:` runs in one turn of the loop that counts i: as often as that loop, once in a run where nothing is around it."""
import torch

device = torch.device("cuda")
model = torch.nn.Linear(8, 8).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)


def train(x):
    loss = model(x).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for step in range(100):
    loss = train(torch.randn(4, 8, device=device))
    if step == 0:
        print("first", loss.item())
    if step != 99:
        pass
    else:
        print("last", loss.item())
    if step == 0 and loss.item() > 3:
        print("high")
    if step < 3:
        print("one of three", loss.item())  # sync: host-read note


def fit(batches, patience: int):
    total = 0
    for epoch in range(10):
        seen = 0
        for i, x in enumerate(batches):
            loss = train(x.cuda())  # sync: copy-to-device
            total += 1
            seen += 1
            if i == 0:
                print("first of the epoch", loss.item())  # sync: host-read note
            if i == len(batches) - 1:
                print("last of the epoch", loss.item())  # sync: host-read note
            if seen == 10:
                print("tenth of the epoch", loss.item())  # sync: host-read note
            if epoch == 0 and i == 0:
                print("first of all", loss.item())
            if total == 1:
                print("first of all", loss.item())
            if epoch == 0:
                print("all of one epoch", loss.item())  # sync: host-read note
            if total == patience:
                print("every tenth", loss.item())  # sync: host-read note
                patience += 10
            for part in x.split(4):
                if i == 3:
                    train(part.cuda())  # sync: copy-to-device note


class Trainer:
    def step(self, x, rounds: int):
        for i in range(rounds):
            loss = train(x)
            if i == 0:
                self.first = loss.item()  # sync: host-read note
        return loss

    def fit(self, batches):
        for x in batches:
            self.step(x.cuda(), 4)  # sync: copy-to-device note


fit([torch.randn(4, 8)] * 20, 10)
Trainer().fit([torch.randn(4, 8)] * 20)
