"""nflows, zuko and torchsde: densities fitted and sampled, equations solved and learned."""
import torch
from nflows import distributions, flows, transforms
from nflows.nn import nets
from nflows.flows import MaskedAutoregressiveFlow, SimpleRealNVP

import torchsde
import zuko

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _fit(flow, features=4, context=None, steps=5):
    flow = flow.to(device)
    optimizer = torch.optim.Adam(flow.parameters(), lr=1e-3)
    for step in range(steps):
        x = torch.randn(64, features, device=device)
        c = None if context is None else torch.randn(64, context, device=device)
        loss = -flow.log_prob(inputs=x, context=c).mean()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
        optimizer.step()
        if step % 2 == 0:
            print(step, loss.item())
    flow.eval()
    for _ in range(3):
        with torch.no_grad():
            if context is None:
                flow.sample(16)
                flow.sample_and_log_prob(8)
            else:
                flow.sample(4, context=torch.randn(3, context, device=device))
            flow.transform_to_noise(torch.randn(8, features, device=device), None if context is None else torch.randn(8, context, device=device))


def spline():
    layers = []
    for _ in range(2):
        layers.append(transforms.ReversePermutation(features=4))
        layers.append(transforms.MaskedPiecewiseRationalQuadraticAutoregressiveTransform(features=4, hidden_features=16, num_bins=5, tails="linear", tail_bound=3.0))
    _fit(flows.Flow(transforms.CompositeTransform(layers), distributions.StandardNormal([4])))


def coupling():
    def net(i, o):
        return nets.ResidualNet(i, o, hidden_features=16, num_blocks=1)

    mask = torch.tensor([1, 0, 1, 0])
    for layer in (transforms.PiecewiseRationalQuadraticCouplingTransform, transforms.PiecewiseQuadraticCouplingTransform, transforms.PiecewiseLinearCouplingTransform, transforms.PiecewiseCubicCouplingTransform):
        try:
            _fit(flows.Flow(transforms.CompositeTransform([layer(mask, net, num_bins=4, tails="linear", tail_bound=4.0), transforms.RandomPermutation(4)]), distributions.StandardNormal([4])))
        except Exception as error:
            print(layer.__name__, type(error).__name__, error)


def affine():
    base = distributions.ConditionalDiagonalNormal(shape=[4], context_encoder=torch.nn.Linear(3, 8))
    _fit(flows.Flow(transforms.CompositeTransform([transforms.MaskedAffineAutoregressiveTransform(features=4, hidden_features=16, context_features=3)]), base), context=3)
    _fit(MaskedAutoregressiveFlow(4, 16, 2, 1, batch_norm_between_layers=True))
    _fit(SimpleRealNVP(4, 16, 2, 1))


def linear():
    for layer in (transforms.LULinear(4), transforms.QRLinear(4, 2), transforms.SVDLinear(4, 2), transforms.NaiveLinear(4), transforms.ActNorm(4), transforms.BatchNorm(4), transforms.Sigmoid(), transforms.LeakyReLU(), transforms.HouseholderSequence(4, 2)):
        try:
            layer = layer.to(device)
            for _ in range(3):
                x = torch.rand(8, 4, device=device) * 0.9 + 0.05
                y, _ = layer(x)
                y.sum().backward() if y.requires_grad else None
            layer.eval()
            for _ in range(3):
                with torch.no_grad():
                    layer(x)
                    layer.inverse(layer(x)[0])
        except Exception as error:
            print(type(layer).__name__, type(error).__name__, error)


def mixture():
    for dist in (distributions.MADEMoG(features=4, hidden_features=16, context_features=3, num_mixture_components=2), distributions.StandardNormal([4])):
        dist = dist.to(device)
        for _ in range(3):
            dist.log_prob(torch.randn(16, 4, device=device), context=torch.randn(16, 3, device=device)) if isinstance(dist, distributions.MADEMoG) else dist.log_prob(torch.randn(16, 4, device=device))


def zuko_flows():
    for flow in (zuko.flows.NSF(3, 2, transforms=2, hidden_features=(16,)), zuko.flows.MAF(3, 2, transforms=2, hidden_features=(16,)), zuko.flows.NAF(3, 2, transforms=1, hidden_features=(16,), signal=4),
                 zuko.flows.NICE(3, 2, transforms=2, hidden_features=(16,)), zuko.flows.SOSPF(3, 2, transforms=1, hidden_features=(16,)), zuko.flows.BPF(3, 2, transforms=1, hidden_features=(16,)),
                 zuko.flows.CNF(3, 2, hidden_features=(16,)), zuko.flows.GF(3, 2, transforms=1, hidden_features=(16,)), zuko.flows.GMM(3, 2, components=3), zuko.flows.UNAF(3, 2, transforms=1, hidden_features=(16,), signal=4),
                 zuko.flows.NCSF(3, 2, transforms=2, hidden_features=(16,))):
        try:
            flow = flow.to(device)
            optimizer = torch.optim.Adam(flow.parameters(), lr=1e-3)
            for step in range(3):
                x, c = torch.rand(32, 3, device=device), torch.randn(32, 2, device=device)
                loss = -flow(c).log_prob(x).mean()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                print(loss.item())
            for _ in range(3):
                with torch.no_grad():
                    flow(torch.randn(2, device=device)).sample((4,))
                    flow(torch.randn(2, device=device)).rsample_and_log_prob((4,))
        except Exception as error:
            print(type(flow).__name__, type(error).__name__, error)


def zuko_distributions():
    for _ in range(3):
        base = zuko.distributions.DiagNormal(torch.zeros(3, device=device), torch.ones(3, device=device))
        zuko.distributions.BoxUniform(torch.zeros(3, device=device), torch.ones(3, device=device)).log_prob(torch.rand(4, 3, device=device))
        zuko.distributions.Truncated(torch.distributions.Normal(torch.tensor(0.0, device=device), torch.tensor(1.0, device=device)), torch.tensor(-1.0, device=device), torch.tensor(1.0, device=device)).sample((4,))
        zuko.distributions.Sort(torch.distributions.Normal(torch.tensor(0.0, device=device), torch.tensor(1.0, device=device)), 3).log_prob(torch.rand(4, 3, device=device).sort(-1).values)
        mixture = zuko.distributions.Mixture(zuko.distributions.DiagNormal(torch.zeros(2, 3, device=device), torch.ones(2, 3, device=device)), torch.zeros(2, device=device))
        mixture.sample((4,))
        mixture.log_prob(torch.rand(4, 3, device=device))


class Drift(torch.nn.Module):
    noise_type, sde_type = "diagonal", "ito"

    def __init__(self):
        super().__init__()
        self.mu, self.sigma = torch.nn.Linear(3, 3), torch.nn.Linear(3, 3)

    def f(self, t, y):
        return self.mu(y)

    def g(self, t, y):
        return torch.sigmoid(self.sigma(y)) * 0.1

    def h(self, t, y):
        return -y


def sde():
    for method in ("euler", "milstein", "srk"):
        model = Drift().to(device)
        optimizer = torch.optim.Adam(model.parameters())
        for _ in range(3):
            ts = torch.linspace(0, 1, 5, device=device)
            ys = torchsde.sdeint(model, torch.rand(8, 3, device=device), ts, method=method, dt=0.1)
            ys.square().mean().backward()
            optimizer.step()
            optimizer.zero_grad()
    for _ in range(3):
        torchsde.sdeint(model, torch.rand(8, 3, device=device), ts, method="euler", dt=0.1, logqp=True)
        torchsde.sdeint(model, torch.rand(8, 3, device=device), ts, method="milstein", dt=0.1, adaptive=True, rtol=0.1, atol=0.1)


def sde_adjoint():
    model = Drift().to(device)
    model.sde_type = "stratonovich"
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(3):
        ts = torch.linspace(0, 1, 4, device=device)
        brownian = torchsde.BrownianInterval(t0=0.0, t1=1.0, size=(8, 3), device=device)
        ys = torchsde.sdeint_adjoint(model, torch.rand(8, 3, device=device), ts, bm=brownian, method="midpoint", dt=0.2)
        ys.square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()
        print(brownian(0.1, 0.4).sum().item())


if __name__ == "__main__":
    for work in (spline, coupling, affine, linear, mixture, zuko_flows, zuko_distributions, sde, sde_adjoint):
        work()
