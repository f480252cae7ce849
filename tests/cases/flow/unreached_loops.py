"""Loops that nothing reaches, though no statement right before them jumps: they run no turn, and what is behind them neither."""
import torch


def every_case_returns(mode, loader, model):
    match mode:
        case "off":
            return 0
        case other:
            return other
    for x in loader:
        print(model(x.cuda()).sum().item())


def some_case_goes_on(mode, loader, model):
    match mode:
        case "off":
            return 0
        case "on":
            pass
    for x in loader:
        print(model(x.cuda()).sum().item())  # sync: host-read, copy-to-device


def behind_one_that_catches_all(loader, model):
    try:
        step(model)
    except Exception:
        pass
    except BaseException as error:
        for x in loader:
            print(model(x.cuda()).sum().item(), error)


def behind_a_loop_that_always_breaks(loader, model):
    while True:
        for x in loader:
            pass
        else:
            break
        while model.training:
            model(x.cuda()).sum().item()


model = torch.nn.Linear(8, 8).cuda()
batches = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.zeros(8, 8)))
every_case_returns("off", batches, model)
some_case_goes_on("on", batches, model)
behind_one_that_catches_all(batches, model)
behind_a_loop_that_always_breaks(batches, model)
