"""geomloss: Sinkhorn divergences and kernel norms between samples, used as losses."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _flow(loss, steps=6, lr=0.05, n=80, m=64, dims=2, batch=None, weights=False):
    """The gradient flow of the tutorials."""
    torch.manual_seed(0)
    shape = (batch,) if batch else ()
    x, y = torch.rand(*shape, n, dims, device=device), torch.rand(*shape, m, dims, device=device) * 0.5 + 0.5
    x.requires_grad_(True)
    for step in range(steps):
        if weights:
            a, b = torch.ones(*shape, n, device=device) / n, torch.rand(*shape, m, device=device)
            value = loss(a, x, b / b.sum(-1, keepdim=True), y)
        else:
            value = loss(x, y)
        [g] = torch.autograd.grad(value.sum(), [x])
        x.data -= lr * n * g
    print(getattr(loss, "loss", ""), value.sum().item())


def sinkhorn():
    from geomloss import SamplesLoss
    for options in ({"p": 2, "blur": 0.05}, {"p": 1, "blur": 0.05}, {"p": 2, "blur": 0.1, "scaling": 0.8}, {"p": 2, "blur": 0.05, "reach": 0.3}, {"p": 2, "blur": 0.05, "debias": False}, {"p": 2, "blur": 0.05, "diameter": 2.0}):
        _flow(SamplesLoss(loss="sinkhorn", backend="tensorized", **options))


def sinkhorn_weighted():
    from geomloss import SamplesLoss
    _flow(SamplesLoss(loss="sinkhorn", p=2, blur=0.05), weights=True)
    _flow(SamplesLoss(loss="sinkhorn", p=2, blur=0.05, reach=0.5, debias=False), weights=True)


def sinkhorn_batches():
    from geomloss import SamplesLoss
    _flow(SamplesLoss(loss="sinkhorn", p=2, blur=0.05), batch=3, dims=3)
    _flow(SamplesLoss("sinkhorn", p=1, blur=0.05, cost=lambda x, y: (x[:, :, None] - y[:, None]).abs().sum(-1)), batch=3, dims=3)


def kernels():
    from geomloss import SamplesLoss
    for kind in ("gaussian", "laplacian", "energy", "hausdorff"):
        try:
            _flow(SamplesLoss(loss=kind, blur=0.5, backend="tensorized"))
            _flow(SamplesLoss(loss=kind, blur=0.5), batch=2)
        except Exception as error:
            print(kind, type(error).__name__, error)


def potentials():
    from geomloss import SamplesLoss
    for kind in ("sinkhorn", "gaussian", "hausdorff"):
        try:
            loss = SamplesLoss(loss=kind, blur=0.1, potentials=True, debias=kind != "hausdorff", verbose=True)
            for _ in range(3):
                f, g = loss(torch.rand(60, 2, device=device), torch.rand(50, 2, device=device))
            print(kind, f.mean().item(), g.mean().item())
        except Exception as error:
            print(kind, type(error).__name__, error)


def generator():
    """A generator trained by the divergence between its samples and the data."""
    from geomloss import SamplesLoss
    net = torch.nn.Sequential(torch.nn.Linear(4, 32), torch.nn.ReLU(), torch.nn.Linear(32, 2)).to(device)
    optimizer, loss = torch.optim.Adam(net.parameters(), 1e-2), SamplesLoss("sinkhorn", p=2, blur=0.05, scaling=0.7)
    for epoch in range(3):
        total = 0.0
        for _ in range(4):
            value = loss(net(torch.randn(64, 4, device=device)), torch.randn(64, 2, device=device) * 0.1 + 1)
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            total += value.item()
        print(epoch, total)


def _tell(solution, names=("value", "plan", "potential_a", "potential_b", "marginal_a", "marginal_b", "density")):
    for name in names:
        try:
            value = getattr(solution, name)
            print(name, value.shape if value.ndim else value.item())
        except Exception as error:
            print(name, type(error).__name__, error)


def cost_matrices():
    from geomloss import ot
    for _ in range(3):
        x, y = torch.rand(40, 2, device=device), torch.rand(30, 2, device=device)
        solution = ot.solve(torch.cdist(x, y) ** 2, reg=0.05, max_iter=30)
        _tell(solution)
    _tell(ot.solve(torch.cdist(x, y) ** 2, reg=0.05, unbalanced=0.5, max_iter=30))


def cost_matrices_batch():
    from geomloss import ot
    for _ in range(3):
        cost = torch.rand(4, 20, 16, device=device)
        _tell(ot.solve_batch(cost, reg=0.05, max_iter=20))


def cost_matrices_gradients():
    from geomloss import ot
    x, y = torch.rand(40, 2, device=device, requires_grad=True), torch.rand(30, 2, device=device)
    for _ in range(4):
        value = ot.solve(((x[:, None] - y[None]) ** 2).sum(-1), reg=0.05, max_iter=20).value
        [g] = torch.autograd.grad(value, [x])
        x.data -= 0.5 * g
    print(value.item())


def samples():
    from geomloss import ot
    for options in ({"reg": 0.05}, {"blur": 0.1}, {"reg": 0.05, "debias": True}, {"blur": 0.1, "reach": 0.5}):
        try:
            for _ in range(3):
                solution = ot.solve_sample(torch.rand(40, 2, device=device), torch.rand(30, 2, device=device), max_iter=30, **options)
            _tell(solution)
        except Exception as error:
            print(options, type(error).__name__, error)
