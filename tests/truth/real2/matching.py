"""torchcfm and flow_matching: velocity fields learned and integrated."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _points(n=64):
    return torch.randn(n, 2, device=device) * 0.5 + torch.randint(0, 2, (n, 1), device=device) * 3


def _cfm(matcher, steps=6):
    from torchcfm.models.models import MLP
    model = MLP(dim=2, time_varying=True).to(device)
    optimizer = torch.optim.Adam(model.parameters())
    for step in range(steps):
        optimizer.zero_grad()
        t, xt, ut = matcher.sample_location_and_conditional_flow(torch.randn(64, 2, device=device), _points())
        loss = torch.mean((model(torch.cat([xt, t[:, None]], dim=-1)) - ut) ** 2)
        loss.backward()
        optimizer.step()
        if step % 3 == 0:
            print(step, loss.item())
    return model


def cfm_matchers():
    from torchcfm import conditional_flow_matching as c
    for make in (c.ConditionalFlowMatcher, c.ExactOptimalTransportConditionalFlowMatcher, c.TargetConditionalFlowMatcher, c.VariancePreservingConditionalFlowMatcher):
        _cfm(make(sigma=0.1))
    for method in ("exact", "sinkhorn"):
        _cfm(c.SchrodingerBridgeConditionalFlowMatcher(sigma=0.5, ot_method=method))


def cfm_score():
    from torchcfm.conditional_flow_matching import SchrodingerBridgeConditionalFlowMatcher
    from torchcfm.models.models import MLP
    matcher = SchrodingerBridgeConditionalFlowMatcher(sigma=0.5)
    model, score = MLP(dim=2, time_varying=True).to(device), MLP(dim=2, time_varying=True).to(device)
    optimizer = torch.optim.AdamW([*model.parameters(), *score.parameters()], 1e-3)
    for step in range(6):
        optimizer.zero_grad()
        t, xt, ut, eps = matcher.sample_location_and_conditional_flow(torch.randn(64, 2, device=device), _points(), return_noise=True)
        weight = matcher.compute_lambda(t)
        vt, st = model(torch.cat([xt, t[:, None]], dim=-1)), score(torch.cat([xt, t[:, None]], dim=-1))
        loss = torch.mean((vt - ut) ** 2) + torch.mean((weight[:, None] * st + eps) ** 2)
        loss.backward()
        optimizer.step()
        print(loss.item())


def cfm_sampling():
    from torchcfm.conditional_flow_matching import ConditionalFlowMatcher
    from torchdiffeq import odeint
    model = _cfm(ConditionalFlowMatcher(sigma=0.0))
    for method in ("dopri5", "euler", "rk4"):
        with torch.no_grad():
            path = odeint(lambda t, x: model(torch.cat([x, t.repeat(x.shape[0])[:, None]], 1)), torch.randn(64, 2, device=device), torch.linspace(0, 1, 10, device=device), atol=1e-4, rtol=1e-4, method=method)
        print(method, path[-1].mean().item())


def cfm_labels():
    from torchcfm.conditional_flow_matching import ExactOptimalTransportConditionalFlowMatcher, SchrodingerBridgeConditionalFlowMatcher
    for matcher in (ExactOptimalTransportConditionalFlowMatcher(sigma=0.1), SchrodingerBridgeConditionalFlowMatcher(sigma=0.1)):
        for _ in range(3):
            matcher.guided_sample_location_and_conditional_flow(torch.randn(32, 2, device=device), _points(32), y1=torch.randint(0, 2, (32,), device=device))


def cfm_transport():
    from torchcfm.optimal_transport import OTPlanSampler, wasserstein
    for method in ("exact", "sinkhorn", "unbalanced", "partial"):
        sampler = OTPlanSampler(method)
        for _ in range(3):
            x0, x1 = torch.randn(32, 2, device=device), _points(32)
            sampler.sample_plan(x0, x1)
            sampler.sample_plan_with_labels(x0, x1, torch.arange(32, device=device), torch.arange(32, device=device))
    for method in ("exact", "sinkhorn"):
        for power in (1, 2):
            print(wasserstein(torch.randn(32, 2, device=device), _points(32), method=method, power=power))
    for _ in range(2):
        OTPlanSampler("exact").sample_trajectory(torch.randn(16, 4, 2, device=device))


def cfm_pictures():
    from torchcfm.conditional_flow_matching import ConditionalFlowMatcher
    from torchcfm.models.unet import UNetModel
    for options in ({}, dict(num_classes=4, class_cond=True), dict(use_checkpoint=True, use_new_attention_order=True)):
        model = UNetModel(dim=(1, 28, 28), num_channels=32, num_res_blocks=1, **options).to(device)
        optimizer, matcher = torch.optim.Adam(model.parameters(), lr=2e-4), ConditionalFlowMatcher(sigma=0.0)
        for _ in range(3):
            optimizer.zero_grad()
            x1 = torch.randn(8, 1, 28, 28, device=device)
            t, xt, ut = matcher.sample_location_and_conditional_flow(torch.randn_like(x1), x1)
            vt = model(t, xt, torch.randint(0, 4, (8,), device=device)) if "num_classes" in options else model(t, xt)
            loss = torch.mean((vt - ut) ** 2)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        print(loss.item())


class Field(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, width), nn.SiLU(), nn.Linear(width, 2))

    def forward(self, x, t, **extras):
        t = t.reshape(-1, 1).expand(x.shape[0], 1).to(x)
        return self.net(torch.cat([x, t], 1))


def _wrapped(model):
    from flow_matching.utils import ModelWrapper

    class Wrapped(ModelWrapper):
        def forward(self, x, t, **extras):
            return self.model(x, t)
    return Wrapped(model)


def _learn(path, prior=None, steps=6):
    model = Field().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step in range(steps):
        optimizer.zero_grad()
        x1 = _points()
        sample = path.sample(t=torch.rand(64, device=device), x_0=torch.randn_like(x1), x_1=x1)
        loss = torch.pow(model(sample.x_t, sample.t) - sample.dx_t, 2).mean()
        loss.backward()
        optimizer.step()
        if step % 3 == 0:
            print(step, loss.item())
    return model


def fm_paths():
    from flow_matching.path import AffineProbPath, CondOTProbPath
    from flow_matching.path import scheduler as s
    for path in (CondOTProbPath(), AffineProbPath(s.CondOTScheduler()), AffineProbPath(s.PolynomialConvexScheduler(n=3.0)), AffineProbPath(s.VPScheduler()), AffineProbPath(s.LinearVPScheduler()), AffineProbPath(s.CosineScheduler())):
        _learn(path)
        for _ in range(2):
            x, t = torch.randn(8, 2, device=device), torch.rand(8, device=device) * 0.8 + 0.1
            t = t[:, None]
            path.target_to_velocity(x, x, t), path.epsilon_to_velocity(x, x, t), path.velocity_to_target(x, x, t), path.target_to_epsilon(x, x, t), path.velocity_to_epsilon(x, x, t), path.epsilon_to_target(x, x, t)


def fm_ode():
    from flow_matching.path import CondOTProbPath
    from flow_matching.solver import ODESolver
    solver = ODESolver(velocity_model=_wrapped(_learn(CondOTProbPath())))
    grid = torch.linspace(0, 1, 5).to(device)
    for method, step in (("midpoint", 0.1), ("euler", 0.1), ("dopri5", None), ("heun3", 0.2)):
        print(solver.sample(time_grid=grid, x_init=torch.randn(64, 2, device=device), method=method, step_size=step, return_intermediates=True).shape)


def fm_likelihood():
    from flow_matching.path import CondOTProbPath
    from flow_matching.solver import ODESolver
    solver = ODESolver(velocity_model=_wrapped(_learn(CondOTProbPath())))
    prior = torch.distributions.Independent(torch.distributions.Normal(torch.zeros(2, device=device), torch.ones(2, device=device)), 1)
    for exact in (True, False):
        for _ in range(2):
            x, log = solver.compute_likelihood(x_1=_points(16), method="midpoint", step_size=0.1, exact_divergence=exact, log_p0=prior.log_prob, time_grid=torch.tensor([1.0, 0.0], device=device))
            print(log.mean().item())


def fm_transformed():
    from flow_matching.path import AffineProbPath
    from flow_matching.path.scheduler import CondOTScheduler, ScheduleTransformedModel, VPScheduler
    from flow_matching.solver import ODESolver
    model = ScheduleTransformedModel(velocity_model=_wrapped(_learn(AffineProbPath(VPScheduler()))), original_scheduler=VPScheduler(), new_scheduler=CondOTScheduler())
    for _ in range(2):
        ODESolver(velocity_model=model).sample(time_grid=torch.tensor([0.0, 1.0], device=device), x_init=torch.randn(16, 2, device=device), method="midpoint", step_size=0.1)


def fm_manifolds():
    import math

    from flow_matching.path import GeodesicProbPath
    from flow_matching.path.scheduler import CondOTScheduler
    from flow_matching.solver import RiemannianODESolver
    from flow_matching.utils.manifolds import Euclidean, FlatTorus, Sphere
    for manifold in (FlatTorus(), Sphere(), Euclidean()):
        manifold = manifold.to(device)

        def project(x, manifold=manifold):
            return manifold.projx(x)
        path = GeodesicProbPath(scheduler=CondOTScheduler(), manifold=manifold)
        model = Field().to(device)
        optimizer = torch.optim.Adam(model.parameters())
        for _ in range(4):
            optimizer.zero_grad()
            x1, x0 = project(torch.rand(32, 2, device=device) * math.pi), project(torch.randn(32, 2, device=device))
            sample = path.sample(t=torch.rand(32, device=device), x_0=x0, x_1=x1)
            loss = torch.pow(manifold.proju(sample.x_t, model(sample.x_t, sample.t)) - sample.dx_t, 2).mean()
            loss.backward()
            optimizer.step()
        solver = RiemannianODESolver(velocity_model=_wrapped(model), manifold=manifold)
        for method in ("euler", "midpoint", "rk4"):
            solver.sample(x_init=project(torch.randn(16, 2, device=device)), step_size=0.1, method=method, return_intermediates=True, time_grid=torch.linspace(0, 1, 5, device=device))


class Words(nn.Module):
    def __init__(self, words=16):
        super().__init__()
        self.embed, self.time, self.head = nn.Embedding(words, 32), nn.Linear(1, 32), nn.Linear(32, words)

    def forward(self, x, t):
        return self.head(torch.nn.functional.silu(self.embed(x) + self.time(t.reshape(-1, 1, 1).to(self.time.weight).expand(x.shape[0], 1, 1))))


def fm_discrete():
    from flow_matching.loss import MixturePathGeneralizedKL
    from flow_matching.path import MixtureDiscreteProbPath
    from flow_matching.path.scheduler import PolynomialConvexScheduler
    from flow_matching.solver import MixtureDiscreteEulerSolver
    from flow_matching.utils import ModelWrapper
    path = MixtureDiscreteProbPath(scheduler=PolynomialConvexScheduler(n=2.0))
    for kind in ("kl", "ce"):
        model = Words().to(device)
        optimizer = torch.optim.Adam(model.parameters())
        for _ in range(6):
            optimizer.zero_grad()
            x1 = torch.randint(0, 16, (32, 5), device=device)
            sample = path.sample(t=torch.rand(32, device=device) * 0.99, x_0=torch.randint_like(x1, 16), x_1=x1)
            logits = model(sample.x_t, sample.t)
            loss = MixturePathGeneralizedKL(path=path)(logits=logits, x_1=x1, x_t=sample.x_t, t=sample.t) if kind == "kl" else nn.functional.cross_entropy(logits.flatten(0, 1), x1.flatten())
            loss.backward()
            optimizer.step()
            print(kind, loss.item())
        path.posterior_to_velocity(posterior_logits=logits, x_t=sample.x_t, t=sample.t)

        class Probabilities(ModelWrapper):
            def forward(self, x, t, **extras):
                return torch.softmax(self.model(x, t), dim=-1)
        solver = MixtureDiscreteEulerSolver(model=Probabilities(model), path=path, vocabulary_size=16, source_distribution_p=torch.ones(16, device=device) / 16)
        for div_free, verbose in ((0.0, False), (1.0, True)):
            try:
                solver.sample(x_init=torch.randint(0, 16, (16, 5), device=device), step_size=1 / 16, div_free=div_free, verbose=verbose, time_grid=torch.linspace(0, 0.99, 5, device=device), return_intermediates=True)
            except ImportError as error:
                print(error)
