"""torch_optimizer and torchmin: optimisers of networks, and minimisers of functions."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _train(kinds, epochs=2, steps=5, graph=False, wrap=None):
    for make in kinds:
        try:
            torch.manual_seed(0)
            model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(128, 5)).to(device)
            optimizer = make(model.parameters())
            scheduler = torch.optim.lr_scheduler.StepLR(wrap(optimizer) if wrap else optimizer, 1, 0.7)
            for epoch in range(epochs):
                total = 0.0
                for _ in range(steps):
                    x, y = torch.randn(16, 3, 12, 12, device=device), torch.randint(0, 5, (16,), device=device)
                    optimizer.zero_grad()
                    loss = nn.functional.cross_entropy(model(x), y)
                    loss.backward(create_graph=graph)
                    optimizer.step()
                    total += loss.item()
                scheduler.step()
            print(type(optimizer).__name__, total)
        except Exception as error:
            print(make, type(error).__name__, error)


def adams():
    import torch_optimizer as o
    _train([lambda p: o.AdaBelief(p, lr=1e-3), lambda p: o.AdaBelief(p, lr=1e-3, amsgrad=True, rectify=True), lambda p: o.AdaBound(p, lr=1e-3), lambda p: o.AdaMod(p, lr=1e-3), lambda p: o.AdamP(p, lr=1e-3, weight_decay=1e-2), lambda p: o.DiffGrad(p, lr=1e-3), lambda p: o.Yogi(p, lr=1e-2),
            lambda p: o.RAdam(p, lr=1e-3), lambda p: o.QHAdam(p, lr=1e-3), lambda p: o.NovoGrad(p, lr=1e-3), lambda p: o.Lamb(p, lr=1e-3, weight_decay=1e-2)])


def momenta():
    import torch_optimizer as o
    _train([lambda p: o.AccSGD(p, lr=1e-3), lambda p: o.AggMo(p, lr=1e-2), lambda p: o.AggMo.from_exp_form(p, lr=1e-2), lambda p: o.PID(p, lr=1e-3, momentum=0.9), lambda p: o.QHM(p, lr=1e-3, momentum=0.9), lambda p: o.SGDP(p, lr=1e-2, momentum=0.9, weight_decay=1e-2), lambda p: o.SGDW(p, lr=1e-2, momentum=0.9),
            lambda p: o.SWATS(p, lr=1e-1), lambda p: o.LARS(p, lr=1e-2, momentum=0.9, weight_decay=1e-4), lambda p: o.MADGRAD(p, lr=1e-2), lambda p: o.Apollo(p, lr=1e-2)])


def averages():
    import torch_optimizer as o
    _train([lambda p: o.A2GradUni(p), lambda p: o.A2GradInc(p), lambda p: o.A2GradExp(p), lambda p: o.Adafactor(p), lambda p: o.Adafactor(p, lr=1e-3, relative_step=False, scale_parameter=False, beta1=0.9), lambda p: o.Shampoo(p, lr=1e-2, momentum=0.9, update_freq=2)])


def rangers():
    import torch_optimizer as o
    _train([lambda p: o.Ranger(p, lr=1e-3, k=3), lambda p: o.RangerQH(p, lr=1e-3, k=3), lambda p: o.RangerVA(p, lr=1e-3, k=3)])


def hessians():
    import torch_optimizer as o
    _train([lambda p: o.Adahessian(p, lr=1e-2)], graph=True)


def lookahead():
    import torch_optimizer as o
    _train([lambda p: o.Lookahead(o.Yogi(p, lr=1e-2), k=3, alpha=0.5), lambda p: o.Lookahead(o.DiffGrad(p, lr=1e-3), k=2, alpha=0.8)], wrap=lambda optimizer: optimizer.optimizer)


def by_name():
    """As examples/viz_optimizers.py: the path of a point."""
    import torch_optimizer as o

    def rosenbrock(point):
        x, y = point
        return (1 - x) ** 2 + (y - x ** 2) ** 2
    for name in ("adamod", "diffgrad", "yogi", "adabelief", "lamb"):
        point = torch.tensor([-2.0, 2.0], device=device, requires_grad=True)
        optimizer = o.get(name)([point], lr=1e-2)
        path = []
        for _ in range(8):
            optimizer.zero_grad()
            f = rosenbrock(point)
            f.backward(create_graph=True, retain_graph=True)
            torch.nn.utils.clip_grad_norm_([point], 1.0)
            optimizer.step()
            path.append(point.data.cpu().numpy())
        print(name, path[-1])


def _minimise(method, rounds=2, **options):
    from torchmin import minimize
    from torchmin.benchmarks import rosen
    for _ in range(rounds):
        x0 = torch.tensor([1.3, 0.7, 0.8, 1.9, 1.2], device=device, dtype=torch.float64)
        result = minimize(rosen, x0, method=method, **{"max_iter": 12, "disp": 2, **options})
    print(method, result.fun, result.nit, result.success)


def quasi_newton():
    _minimise("bfgs")
    _minimise("bfgs", options={"line_search": "none", "lr": 1e-3})
    _minimise("l-bfgs", options={"history_size": 4}, return_all=True)
    _minimise("l-bfgs", options={"line_search": "none", "lr": 1e-3}, callback=lambda x: None)


def conjugate_gradient():
    _minimise("cg")


def newton():
    _minimise("newton-cg")
    _minimise("newton-cg", options={"line_search": "none", "cg_max_iter": 4})
    for handle in ("grad", "lu", "eig", "cauchy"):
        try:
            _minimise("newton-exact", options={"handle_npd": handle})
        except Exception as error:
            print(handle, type(error).__name__, error)


def trust_regions():
    for method in ("trust-ncg", "trust-exact", "dogleg"):
        try:
            _minimise(method)
        except Exception as error:
            print(method, type(error).__name__, error)


def trust_krylov():
    _minimise("trust-krylov")


def least_squares():
    from torchmin import least_squares as solve
    t = torch.linspace(0, 4, 40, device=device, dtype=torch.float64)
    y = 2.0 * torch.exp(-0.7 * t) + 0.3 + 0.01 * torch.randn_like(t)
    for solver in ("exact", "lsmr", "cgls"):
        try:
            for _ in range(2):
                result = solve(lambda p: p[0] * torch.exp(-p[1] * t) + p[2] - y, torch.ones(3, device=device, dtype=torch.float64), tr_solver=solver, max_nfev=15, verbose=2)
            print(solver, result.x, result.cost)
        except Exception as error:
            print(solver, type(error).__name__, error)


def bounded():
    from torchmin import minimize_constr
    from torchmin.benchmarks import rosen
    for method in ("l-bfgs-b", "trust-constr"):
        try:
            for _ in range(2):
                x0 = torch.tensor([1.3, 0.7, 0.8, 1.9, 1.2], device=device, dtype=torch.float64)
                result = minimize_constr(rosen, x0, method=method, bounds=(0.0, 0.95), max_iter=12, disp=2)
            print(method, result.fun)
        except Exception as error:
            print(method, type(error).__name__, error)


def constrained():
    from torchmin import minimize_constr
    from torchmin.benchmarks import rosen
    for _ in range(2):
        x0 = torch.tensor([0.3, 0.7, 0.2, 0.1, 0.2], device=device, dtype=torch.float64)
        result = minimize_constr(rosen, x0, constr={"fun": lambda x: x.square().sum(), "ub": 1.0}, max_iter=12, disp=1)
    print(result.fun)


def as_optimizers():
    from torchmin import Minimizer
    x, y = torch.randn(64, 6, device=device), torch.randint(0, 3, (64,), device=device)
    for method in ("bfgs", "l-bfgs", "cg", "newton-cg", "newton-exact", "trust-ncg"):
        try:
            model = nn.Linear(6, 3).to(device)
            optimizer = Minimizer(model.parameters(), method=method, max_iter=5, disp=1)

            def closure():
                optimizer.zero_grad()
                return nn.functional.cross_entropy(model(x), y) + 1e-3 * sum(p.square().sum() for p in model.parameters())
            for _ in range(3):
                loss = optimizer.step(closure)
            print(method, loss, optimizer.nfev)
        except Exception as error:
            print(method, type(error).__name__, error)


def scipy_optimizers():
    from torchmin import ScipyMinimizer
    x, y = torch.randn(64, 6, device=device), torch.randint(0, 3, (64,), device=device)
    for method in ("bfgs", "l-bfgs-b", "cg"):
        try:
            model = nn.Linear(6, 3).to(device)
            optimizer = ScipyMinimizer(model.parameters(), method=method, options={"maxiter": 8})

            def closure():
                optimizer.zero_grad()
                loss = nn.functional.cross_entropy(model(x), y)
                loss.backward()
                return loss
            for _ in range(2):
                optimizer.step(closure)
            print(method, closure().item())
        except Exception as error:
            print(method, type(error).__name__, error)
