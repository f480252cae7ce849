"""An event that the turn before recorded is waited for, and nothing of this turn."""
import torch


def shown(loader, model, opt):
    late = torch.full((), float("nan"), pin_memory=True)
    copied = torch.cuda.Event()
    for x in loader:
        loss = model(x.cuda(non_blocking=True)).mean()
        loss.backward()
        opt.step()
        copied.synchronize()  # sync: explicit-sync note
        print(late.item())
        late.copy_(loss.detach(), non_blocking=True)
        copied.record()


def recorded_first(loader, model, opt):
    copied = torch.cuda.Event()
    for x in loader:
        loss = model(x.cuda(non_blocking=True)).mean()
        copied.record()
        loss.backward()
        opt.step()
        copied.synchronize()  # sync: explicit-sync
        copied.record()


def anew(loader, model, opt):
    copied = torch.cuda.Event()
    for x in loader:
        loss = model(x.cuda(non_blocking=True)).mean()
        loss.backward()
        opt.step()
        copied.synchronize()  # sync: explicit-sync
        copied = torch.cuda.Event()
        copied.record()


def recorded_elsewhere(loader, model, opt, record):
    copied = torch.cuda.Event()
    for x in loader:
        loss = model(x.cuda(non_blocking=True)).mean()
        loss.backward()
        record(copied)
        opt.step()
        copied.synchronize()  # sync: explicit-sync
        copied.record()


model = torch.nn.Linear(8, 8).cuda()
opt = torch.optim.SGD(model.parameters())
loader = torch.utils.data.DataLoader(torch.randn(640, 8), pin_memory=True)
for train in (shown, recorded_first, anew):
    train(loader, model, opt)
recorded_elsewhere(loader, model, opt, print)
