"""pytorch_optimizer: every optimizer for a few steps on a small network, and its losses."""
import torch

import pytorch_optimizer as po

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _net():
    return torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.BatchNorm2d(8), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(8 * 36, 10)).to(device)


def _steps(optimizer, model, steps=4):
    for step in range(steps):
        x, y = torch.randn(4, 3, 8, 8, device=device), torch.randint(0, 10, (4,), device=device)

        def closure():
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(model(x), y)
            loss.backward(create_graph=type(optimizer).__name__ in ("SophiaH", "AdaHessian"))
            return loss

        if type(optimizer).__name__ in ("SAM", "WSAM", "BSAM", "GSAM", "LookSAM", "FriendlySAM"):
            closure()
            optimizer.step(closure)
        elif type(optimizer).__name__ in ("AliG", "LBFGS", "SRMM"):
            optimizer.step(closure)
        else:
            closure()
            optimizer.step()


def _each(names):
    for name in names:
        try:
            model = _net()
            kind = po.load_optimizer(name)
            options = {"lr": 1e-3}
            parameters = model.parameters()
            if name in ("muon", "adago", "adamuon"):
                parameters = [{"params": [p for p in model.parameters() if p.ndim >= 2], "use_muon": True}, {"params": [p for p in model.parameters() if p.ndim < 2], "use_muon": False}]
            if name in ("alig", "lbfgs", "adashift"):
                options = {}
            optimizer = kind(model, **options) if name in ("lomo", "adalomo") else kind(parameters, **options)
            _steps(optimizer, model)
        except Exception as error:
            print(name, type(error).__name__, error)


def first():
    _each(sorted(po.get_supported_optimizers())[0::3])


def second():
    _each(sorted(po.get_supported_optimizers())[1::3])


def third():
    _each(sorted(po.get_supported_optimizers())[2::3])


def wrapped():
    for wrap in (po.Lookahead, po.ScheduleFreeWrapper, po.OrthoGrad, po.SAM, po.GSAM, po.WSAM, po.LookSAM, po.FriendlySAM, po.TRAC, po.PCGrad):
        try:
            model = _net()
            if wrap in (po.SAM, po.LookSAM, po.FriendlySAM):
                optimizer = wrap(model.parameters(), base_optimizer=torch.optim.SGD, lr=0.1)
            elif wrap is po.WSAM:
                optimizer = wrap(model, model.parameters(), torch.optim.SGD, lr=0.1)
            else:
                optimizer = wrap(torch.optim.SGD(model.parameters(), lr=0.1))
            if wrap is po.PCGrad:
                for _ in range(3):
                    optimizer.zero_grad()
                    out = model(torch.randn(4, 3, 8, 8, device=device))
                    optimizer.pc_backward([out.square().mean(), (out - 1).abs().mean()])
                    optimizer.step()
                continue
            optimizer.train() if hasattr(optimizer, "train") else None
            _steps(optimizer, model)
        except Exception as error:
            print(wrap.__name__, type(error).__name__, error)


def losses():
    for name, loss in sorted(po.loss.LOSS_FUNCTIONS.items()):
        try:
            criterion = loss()
            for _ in range(3):
                x, y = torch.randn(4, 1, 8, 8, device=device, requires_grad=True), torch.randint(0, 2, (4, 1, 8, 8), device=device).float()
                criterion(x, y).mean().backward()
        except Exception as error:
            print(name, type(error).__name__, error)


def schedules():
    model = _net()
    optimizer = po.AdamP(model.parameters())
    lr = po.CosineAnnealingWarmupRestarts(optimizer, 10, 2)
    rex = po.REXScheduler(optimizer, total_steps=10, max_lr=0.1, min_lr=0.0) if hasattr(po, "REXScheduler") else lr
    for _ in range(5):
        optimizer.zero_grad()
        model(torch.randn(4, 3, 8, 8, device=device)).square().mean().backward()
        po.agc(model.conv.weight, 0.1) if hasattr(model, "conv") else None
        po.clip_grad_norm(model.parameters(), 1.0)
        po.normalize_gradient(model[0].weight.grad)
        po.centralize_gradient(model[0].weight.grad)
        optimizer.step()
        lr.step()
        print(po.get_global_gradient_norm(optimizer.param_groups), rex)


if __name__ == "__main__":
    for work in (first, second, third, wrapped, losses, schedules):
        work()
