"""A parameter whose default is a text or a flag takes such: what a method of an unknown model gives is no tensor there."""
import torch
from somewhere import make_model


def report(energy, note="", full=False, scale=None):
    said = note  # is: str
    shown = full  # is: number
    if shown:
        print("E={} {}".format(energy, said))
    print("{}".format(scale))  # sync: host-read


model = make_model().cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(100):
    loss = model(torch.randn(8, 4).cuda()).mean()  # sync: copy-to-device
    loss.backward()
    optimizer.step()
    report(loss.item(), model.get_note(), model.is_full(), loss.detach())  # sync: host-read
