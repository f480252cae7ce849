"""Methods called item, cpu, cuda, tolist and synchronize of things that are no tensors."""
import torch


class Cart:
    def __init__(self):
        self.items = []

    def item(self):
        return self.items[-1]

    def cpu(self):
        return "cpu time"

    def tolist(self):
        return list(self.items)

    def nonzero(self):
        return [i for i in self.items if i]


class Database:
    def synchronize(self):
        return True

    def to(self, where):
        return where


net = torch.nn.Linear(4, 4).cuda()
cart, db = Cart(), Database()
for i in range(100):
    y = net(torch.randn(2, 4, device="cuda"))
    cart.items.append(i)
    print(cart.item(), cart.cpu(), cart.tolist(), cart.nonzero())
    db.synchronize()
    if db.to("cpu") == "cpu" and cart.item() > 3:
        continue
