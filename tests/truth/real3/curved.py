"""geoopt: optimisers, samplers, layers and points on manifolds."""
import numpy as np
import torch
from torch import nn

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
np.random.seed(0)


def _spaces():
    import geoopt as g
    return {"euclidean": (g.Euclidean(ndim=1), (4, 5)), "sphere": (g.Sphere(), (4, 5)), "exact sphere": (g.SphereExact(), (4, 5)), "stiefel": (g.EuclideanStiefel(), (5, 3)), "exact stiefel": (g.EuclideanStiefelExact(), (5, 3)),
            "canonical": (g.CanonicalStiefel(), (5, 3)), "ball": (g.PoincareBall(c=1.0), (4, 5)), "exact ball": (g.PoincareBallExact(), (4, 5)), "projection": (g.SphereProjection(), (4, 5)), "lorentz": (g.Lorentz(), (4, 5)),
            "spd": (g.SymmetricPositiveDefinite(), (4, 3, 3)), "birkhoff": (g.BirkhoffPolytope(), (4, 4)), "upper": (g.UpperHalf(), (3, 2, 2)), "bounded": (g.BoundedDomain(), (3, 2, 2))}


def _each(*names):
    for name in names:
        space, shape = _spaces()[name]
        yield name, space.to(device), shape


def _random(space, shape):
    draw = space.random_normal if type(space).__name__ == "Lorentz" else space.random
    return draw(*shape, device=device)


def _fit(kind, *names, steps=6, **options):
    import geoopt
    for name, space, shape in _each(*names):
        try:
            target = _random(space, shape)
            point = geoopt.ManifoldParameter(_random(space, shape), manifold=space)
            optimizer = getattr(geoopt.optim, kind)([point], lr=1e-2, stabilize=3, **options)
            for step in range(steps):
                optimizer.zero_grad()
                loss = space.dist2(point, target).sum() if name in ("euclidean", "sphere", "ball", "exact ball", "projection", "lorentz", "spd") else (point - target).abs().pow(2).sum()
                loss.backward()
                optimizer.step()
            print(kind, name, loss.item())
        except Exception as error:
            print(kind, name, type(error).__name__, error)


def adam_flat():
    _fit("RiemannianAdam", "euclidean", "sphere", "exact sphere")


def adam_frames():
    _fit("RiemannianAdam", "stiefel", "exact stiefel")


def adam_hyperbolic():
    _fit("RiemannianAdam", "ball", "exact ball", "projection", "lorentz", amsgrad=True)


def adam_matrices():
    _fit("RiemannianAdam", "spd", "birkhoff")


def adam_siegel():
    _fit("RiemannianAdam", "upper", "bounded")


def descent():
    _fit("RiemannianSGD", "euclidean", "sphere", "stiefel", "canonical", "ball", "lorentz")


def descent_momentum():
    _fit("RiemannianSGD", "sphere", "stiefel", "ball", "lorentz", "spd", momentum=0.9, weight_decay=1e-4, nesterov=True)


def line_search():
    import geoopt
    for method, cg in (("armijo", "steepest"), ("armijo", "fr"), ("wolfe", "pr"), ("wolfe", "steepest")):
        for name, space, shape in _each("sphere", "stiefel"):
            torch.manual_seed(0)
            weight = torch.randn(shape[0] if name == "stiefel" else 5, shape[0] if name == "stiefel" else 5, device=device)
            weight = weight @ weight.T
            point = geoopt.ManifoldParameter(_random(space, shape), manifold=space)
            optimizer = geoopt.optim.RiemannianLineSearch([point], line_search_method=method, cg_method=cg)

            def closure():
                optimizer.zero_grad()
                loss = torch.trace(point.T @ weight @ point) if name == "stiefel" else ((point @ weight) * point).sum()
                loss.backward()
                return loss.item()
            try:
                for _ in range(5):
                    loss = optimizer.step(closure)
                print(method, cg, name, loss)
            except Exception as error:
                print(method, cg, name, type(error).__name__, error)


def sparse_words():
    import geoopt
    for kind in ("SparseRiemannianAdam", "SparseRiemannianSGD"):
        ball = geoopt.PoincareBall().to(device)
        words = nn.Embedding(40, 4, sparse=True).to(device)
        words.weight = geoopt.ManifoldParameter(ball.random(40, 4, device=device, std=0.1), manifold=ball)
        optimizer = getattr(geoopt.optim, kind)(words.parameters(), lr=1e-2)
        for step in range(5):
            pair = torch.randint(0, 40, (16, 2), device=device)
            optimizer.zero_grad()
            loss = ball.dist(words(pair[:, 0]), words(pair[:, 1])).mean()
            loss.backward()
            optimizer.step()
        print(kind, loss.item())


def tree_embedding():
    """Nodes of a tree by their hyperbolic distances, as in Nickel and Kiela."""
    import geoopt
    ball = geoopt.PoincareBall().to(device)
    nodes = geoopt.ManifoldParameter(ball.random(31, 2, device=device, std=0.01), manifold=ball)
    optimizer = geoopt.optim.RiemannianAdam([nodes], lr=5e-2, stabilize=2)
    child = torch.arange(1, 31, device=device)
    for epoch in range(3):
        for part in child.split(10):
            negative = torch.randint(0, 31, (len(part), 5), device=device)
            near = ball.dist(nodes[part], nodes[(part - 1) // 2])
            far = ball.dist(nodes[part][:, None], nodes[negative])
            loss = (near + torch.logsumexp(-far, 1)).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item(), nodes.norm(dim=1).max().item())


class _Hyperbolic(nn.Module):
    def __init__(self, ball):
        super().__init__()
        import geoopt
        from geoopt.layers.stereographic import Distance2StereographicHyperplanes
        self.ball, self.inner = ball, nn.Linear(10, 6)
        self.weight = nn.Parameter(torch.randn(6, 6) * 0.1)
        self.bias = geoopt.ManifoldParameter(torch.zeros(6), manifold=ball)
        self.planes = Distance2StereographicHyperplanes(6, 3, ball=ball, squared=True)

    def forward(self, x):
        point = self.ball.expmap0(self.inner(x))
        point = self.ball.mobius_add(self.ball.mobius_matvec(self.weight, point), self.bias)
        return self.planes(self.ball.mobius_fn_apply(torch.tanh, point))


def hyperbolic_net():
    import geoopt
    for ball in (geoopt.PoincareBall(c=1.0, learnable=True), geoopt.Stereographic(k=-0.5, learnable=True)):
        try:
            net = _Hyperbolic(ball).to(device)
            optimizer = geoopt.optim.RiemannianAdam(net.parameters(), lr=1e-2)
            for epoch in range(3):
                right = 0
                for _ in range(3):
                    x, y = torch.randn(32, 10, device=device), torch.randint(0, 3, (32,), device=device)
                    out = net(x)
                    loss = nn.functional.cross_entropy(out, y)
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    right += (out.argmax(1) == y).sum().item()
                print(epoch, loss.item(), right / 96, ball.k.item())
        except Exception as error:
            print(type(ball).__name__, type(error).__name__, error)


def orthogonal_net():
    import geoopt
    space = geoopt.CanonicalStiefel()
    weight = geoopt.ManifoldParameter(space.random(16, 8, device=device), manifold=space)
    head = nn.Linear(8, 4).to(device)
    optimizer = geoopt.optim.RiemannianSGD([weight, *head.parameters()], lr=1e-2, momentum=0.9)
    for step in range(8):
        loss = nn.functional.cross_entropy(head(torch.randn(32, 16, device=device) @ weight), torch.randint(0, 4, (32,), device=device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(loss.item(), space.check_point_on_manifold(weight, atol=1e-3))


def _sample(kind, space, steps=20, **options):
    import geoopt

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.point = geoopt.ManifoldParameter(space.random(2, 3, device=device) if not isinstance(space, geoopt.Euclidean) else torch.randn(2, 3, device=device), manifold=space)
            self.goal = torch.full((2, 3), 0.3, device=device)

        def forward(self):
            return -(self.point - self.goal).pow(2).sum()
    model = Model()
    sampler = getattr(geoopt.samplers, kind)(model.parameters(), **options)
    for _ in range(5):
        sampler.step(model)
    sampler.burnin, kept = False, []
    for _ in range(steps):
        sampler.step(model)
        kept.append(model.point.detach().clone())
    print(kind, torch.stack(kept).mean(0).tolist(), sampler.rejection_rate)


def chains_hamilton():
    import geoopt
    for space in (geoopt.Euclidean(), geoopt.PoincareBallExact().to(device)):
        _sample("RHMC", space, n_steps=3, epsilon=1e-2)


def chains_langevin():
    import geoopt
    for space in (geoopt.Euclidean(), geoopt.PoincareBallExact().to(device)):
        _sample("RSGLD", space, epsilon=1e-3)


def chains_stochastic():
    import geoopt
    for space in (geoopt.Euclidean(), geoopt.PoincareBallExact().to(device)):
        _sample("SGRHMC", space, n_steps=3, epsilon=1e-2, alpha=0.5)


def checks():
    for name, space, shape in _each("sphere", "stiefel", "ball", "lorentz", "spd", "birkhoff", "upper", "bounded"):
        for _ in range(2):
            try:
                point = _random(space, shape)
                step = space.proju(point, 0.1 * torch.randn_like(point))
                print(name, space.check_point_on_manifold(point, atol=1e-3), space.check_vector_on_tangent(point, step, atol=1e-3))
                space.assert_check_point(point)
                again, moved = space.retr_transp(point, step, step)
                print(space.norm(point, step).sum().item(), space.projx(again).shape, moved.shape)
            except Exception as error:
                print(name, type(error).__name__, error)


def geodesics():
    for name, space, shape in _each("sphere", "ball", "lorentz", "spd", "upper", "bounded"):
        for _ in range(2):
            try:
                a, b = _random(space, shape), _random(space, shape)
                print(name, space.dist(a, b).mean().item(), (space.expmap(a, space.logmap(a, b)) - b).abs().max().item())
            except Exception as error:
                print(name, type(error).__name__, error)


def products():
    import geoopt
    space = geoopt.ProductManifold((geoopt.Sphere(), 4), (geoopt.PoincareBall(), 3), (geoopt.Euclidean(), 2)).to(device)
    parts = [geoopt.Sphere().random(6, 4, device=device), geoopt.PoincareBall().to(device).random(6, 3, device=device), torch.randn(6, 2, device=device)]
    point = geoopt.ManifoldParameter(space.pack_point(*parts), manifold=space)
    goal = space.projx(torch.randn(6, 9, device=device) * 0.1)
    optimizer = geoopt.optim.RiemannianAdam([point], lr=1e-2)
    for _ in range(5):
        optimizer.zero_grad()
        loss = space.dist2(point, goal).sum()
        loss.backward()
        optimizer.step()
    print(loss.item(), [part.shape for part in space.unpack_tensor(point)])


def scaled():
    import geoopt
    space = geoopt.Scaled(geoopt.PoincareBall(), 2.0, learnable=True).to(device)
    point = geoopt.ManifoldParameter(torch.zeros(4, 3, device=device) + 0.05, manifold=space)
    optimizer = geoopt.optim.RiemannianSGD([point], lr=1e-2)
    goal = torch.full((4, 3), -0.2, device=device)
    for _ in range(5):
        optimizer.zero_grad()
        loss = space.dist2(point, goal).sum()
        loss.backward()
        optimizer.step()
    print(loss.item())


def midpoints():
    import geoopt
    for ball in (geoopt.PoincareBall().to(device), geoopt.Stereographic(k=0.5).to(device)):
        for _ in range(3):
            points = ball.random_normal(10, 3, std=0.2, device=device)
            print(ball.weighted_midpoint(points, torch.rand(10, device=device), reducedim=[0]).tolist(), ball.dist0(points).max().item())


def trees():
    import geoopt
    from geoopt.datasets.stereographic import StereographicTreeDataset
    data = StereographicTreeDataset(geoopt.PoincareBall(), 2, 4)
    ball = geoopt.PoincareBall().to(device)
    net = _Hyperbolic(ball).to(device)
    net.inner = nn.Linear(2, 6).to(device)
    optimizer = geoopt.optim.RiemannianAdam(net.parameters(), lr=1e-2)
    for epoch in range(2):
        for points, labels, last in torch.utils.data.DataLoader(data, batch_size=16, shuffle=True):
            loss = nn.functional.cross_entropy(net(ball.logmap0(points.to(device))), last.to(device) % 3)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())
