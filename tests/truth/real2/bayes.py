"""pyro and blitz: posteriors by guides, chains and sampled weights."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _start():
    import pyro
    pyro.clear_param_store()
    pyro.set_rng_seed(0)
    return torch.randn(60, 3, device=device), torch.randn(60, device=device)


def _regression(x, y=None):
    import pyro
    import pyro.distributions as dist
    w = pyro.sample("w", dist.Normal(torch.zeros(3, device=device), 1.0).to_event(1))
    b = pyro.sample("b", dist.Normal(torch.tensor(0.0, device=device), 1.0))
    sigma = pyro.sample("sigma", dist.LogNormal(torch.tensor(0.0, device=device), 0.5))
    mean = x @ w + b
    with pyro.plate("data", x.shape[0]):
        return pyro.sample("obs", dist.Normal(mean, sigma), obs=y)


def _infer(guide, loss=None, optimizer=None, steps=6, model=_regression):
    import pyro
    from pyro.infer import SVI, Trace_ELBO
    x, y = _start()
    svi = SVI(model, guide, optimizer or pyro.optim.Adam({"lr": 0.01}), loss or Trace_ELBO())
    for step in range(steps):
        value = svi.step(x, y)
        if step % 3 == 0:
            print(step, value)
    svi.evaluate_loss(x, y)
    return x, y


def pyro_guides():
    from pyro.infer import autoguide as g
    for kind in (g.AutoDelta, g.AutoNormal, g.AutoDiagonalNormal, g.AutoMultivariateNormal, g.AutoLowRankMultivariateNormal, g.AutoLaplaceApproximation):
        try:
            guide = kind(_regression)
            _infer(guide)
            for _ in range(2):
                guide.median()
                if hasattr(guide, "quantiles"):
                    guide.quantiles([0.25, 0.75])
        except Exception as error:
            print(kind.__name__, type(error).__name__, error)


def pyro_flows():
    from functools import partial

    from pyro.distributions.transforms import affine_coupling, block_autoregressive, iterated
    from pyro.infer.autoguide import AutoIAFNormal, AutoNormalizingFlow
    for make in (lambda: AutoIAFNormal(_regression, hidden_dim=[16]), lambda: AutoNormalizingFlow(_regression, partial(iterated, 1, block_autoregressive)), lambda: AutoNormalizingFlow(_regression, partial(iterated, 1, affine_coupling))):
        try:
            guide = make()
            with torch.device(device):
                _infer(guide)
        except Exception as error:
            print(type(error).__name__, error)


def pyro_elbos():
    import pyro.infer as i
    from pyro.infer.autoguide import AutoNormal
    for loss in (i.Trace_ELBO(num_particles=3, vectorize_particles=False), i.TraceGraph_ELBO(), i.TraceMeanField_ELBO(), i.TraceEnum_ELBO(), i.RenyiELBO(alpha=0.5, num_particles=3), i.TraceTailAdaptive_ELBO(num_particles=3, vectorize_particles=False)):
        try:
            _infer(AutoNormal(_regression), loss)
        except Exception as error:
            print(type(loss).__name__, type(error).__name__, error)


def pyro_optimizers():
    import pyro.optim as o
    from pyro.infer.autoguide import AutoNormal
    for optimizer in (o.Adam({"lr": 0.01}), o.ClippedAdam({"lr": 0.01, "clip_norm": 1.0, "lrd": 0.99}), o.AdagradRMSProp({}), o.DCTAdam({"lr": 0.01}), o.ExponentialLR({"optimizer": torch.optim.Adam, "optim_args": {"lr": 0.01}, "gamma": 0.9}), o.PyroOptim(torch.optim.Adam, {"lr": 0.01}, {"clip_norm": 10.0})):
        try:
            _infer(AutoNormal(_regression), optimizer=optimizer)
        except Exception as error:
            print(type(optimizer).__name__, type(error).__name__, error)


def pyro_own_guide():
    import pyro
    import pyro.distributions as dist
    from torch.distributions import constraints

    def guide(x, y=None):
        loc, scale = pyro.param("loc", torch.zeros(3, device=device)), pyro.param("scale", torch.ones(3, device=device), constraint=constraints.positive)
        pyro.sample("w", dist.Normal(loc, scale).to_event(1))
        pyro.sample("b", dist.Delta(pyro.param("b_loc", torch.tensor(0.0, device=device))))
        pyro.sample("sigma", dist.Delta(pyro.param("s_loc", torch.tensor(1.0, device=device), constraint=constraints.positive)))
    for _ in range(2):
        _infer(guide)
        print({name: value.detach().cpu().numpy() for name, value in pyro.get_param_store().items()})


def pyro_predictive():
    from pyro.infer import Predictive
    from pyro.infer.autoguide import AutoDiagonalNormal
    guide = AutoDiagonalNormal(_regression)
    x, y = _infer(guide)
    for parallel in (False, True):
        try:
            samples = Predictive(_regression, guide=guide, num_samples=10, return_sites=("w", "obs", "_RETURN"), parallel=parallel)(x)
            print({name: value.shape for name, value in samples.items()})
        except Exception as error:
            print(parallel, type(error).__name__, error)


def pyro_chains():
    from pyro.infer import HMC, MCMC, NUTS
    x, y = _start()
    for kernel in (NUTS(_regression, max_tree_depth=4, adapt_step_size=True), HMC(_regression, step_size=0.05, num_steps=4)):
        mcmc = MCMC(kernel, num_samples=10, warmup_steps=10, disable_progbar=True)
        mcmc.run(x, y)
        mcmc.summary()
        mcmc.get_samples()
        mcmc.diagnostics()


def _mixture(data):
    import pyro
    import pyro.distributions as dist
    weights = pyro.sample("weights", dist.Dirichlet(0.5 * torch.ones(2, device=device)))
    scale = pyro.sample("scale", dist.LogNormal(torch.tensor(0.0, device=device), 2.0))
    with pyro.plate("components", 2):
        locs = pyro.sample("locs", dist.Normal(torch.tensor(0.0, device=device), 10.0))
    with pyro.plate("data", len(data)):
        assignment = pyro.sample("assignment", dist.Categorical(weights))
        pyro.sample("obs", dist.Normal(locs[assignment], scale), obs=data)


def pyro_enumeration():
    import pyro
    from pyro import poutine
    from pyro.infer import SVI, TraceEnum_ELBO, config_enumerate, infer_discrete
    from pyro.infer.autoguide import AutoDelta
    x, data = _start()
    model = config_enumerate(_mixture)
    guide = AutoDelta(poutine.block(model, expose=["weights", "locs", "scale"]))
    svi = SVI(model, guide, pyro.optim.Adam({"lr": 0.1}), TraceEnum_ELBO(max_plate_nesting=1))
    for _ in range(5):
        print(svi.step(data))
    for temperature in (0, 1):
        trained = poutine.replay(model, poutine.trace(guide).get_trace(data))
        poutine.trace(infer_discrete(trained, temperature=temperature, first_available_dim=-2)).get_trace(data)


def pyro_vae():
    import pyro
    import pyro.distributions as dist
    from pyro.infer import SVI, JitTrace_ELBO, Trace_ELBO

    class VAE(nn.Module):
        def __init__(self):
            super().__init__()
            self.encoder, self.decoder = nn.Sequential(nn.Linear(16, 32), nn.Softplus(), nn.Linear(32, 8)), nn.Sequential(nn.Linear(4, 32), nn.Softplus(), nn.Linear(32, 16), nn.Sigmoid())

        def model(self, x):
            pyro.module("decoder", self.decoder)
            with pyro.plate("data", x.shape[0]):
                z = pyro.sample("latent", dist.Normal(x.new_zeros(x.shape[0], 4), x.new_ones(x.shape[0], 4)).to_event(1))
                pyro.sample("obs", dist.Bernoulli(self.decoder(z), validate_args=False).to_event(1), obs=x)

        def guide(self, x):
            pyro.module("encoder", self.encoder)
            with pyro.plate("data", x.shape[0]):
                loc, scale = self.encoder(x).chunk(2, -1)
                pyro.sample("latent", dist.Normal(loc, scale.exp()).to_event(1))
    for loss in (Trace_ELBO(), JitTrace_ELBO()):
        pyro.clear_param_store()
        vae = VAE().to(device)
        svi = SVI(vae.model, vae.guide, pyro.optim.Adam({"lr": 1e-3}), loss=loss)
        for epoch in range(2):
            total = 0.0
            for (x,) in DataLoader(TensorDataset(torch.rand(96, 16)), batch_size=32):
                total += svi.step(x.to(device))
            print(epoch, total / 96)


def pyro_module():
    import pyro
    import pyro.distributions as dist
    from pyro.infer import SVI, Predictive, Trace_ELBO
    from pyro.infer.autoguide import AutoDiagonalNormal
    from pyro.nn import PyroModule, PyroSample

    class Net(PyroModule):
        def __init__(self):
            super().__init__()
            self.fc = PyroModule[nn.Linear](3, 1)
            self.fc.weight = PyroSample(dist.Normal(torch.tensor(0.0, device=device), 1.0).expand([1, 3]).to_event(2))
            self.fc.bias = PyroSample(dist.Normal(torch.tensor(0.0, device=device), 1.0).expand([1]).to_event(1))

        def forward(self, x, y=None):
            mean = self.fc(x).squeeze(-1)
            with pyro.plate("data", x.shape[0]):
                pyro.sample("obs", dist.Normal(mean, 0.5), obs=y)
            return mean
    x, y = _start()
    model = Net().to(device)
    guide = AutoDiagonalNormal(model)
    svi = SVI(model, guide, pyro.optim.Adam({"lr": 0.03}), Trace_ELBO())
    for _ in range(4):
        print(svi.step(x, y))
    Predictive(model, guide=guide, num_samples=8)(x)


def pyro_processes():
    import pyro
    import pyro.contrib.gp as gp
    x, y = _start()

    def kernel():
        return gp.kernels.RBF(input_dim=3, variance=torch.tensor(1.0), lengthscale=torch.tensor(1.0))
    for make in (lambda: gp.models.GPRegression(x, y, kernel(), noise=torch.tensor(0.5)), lambda: gp.models.SparseGPRegression(x, y, kernel(), Xu=x[:10].clone(), jitter=1e-4), lambda: gp.models.VariationalGP(x, y, kernel(), likelihood=gp.likelihoods.Gaussian()), lambda: gp.models.VariationalSparseGP(x, y, kernel(), Xu=x[:10].clone(), likelihood=gp.likelihoods.Gaussian(), whiten=True)):
        try:
            pyro.clear_param_store()
            model = make().to(device)
            losses = gp.util.train(model, num_steps=4)
            print(losses[-1])
            for _ in range(2):
                with torch.no_grad():
                    model(torch.randn(5, 3, device=device), full_cov=False)
        except Exception as error:
            print(type(error).__name__, error)


def pyro_particles():
    import pyro
    import pyro.distributions as dist
    from pyro.infer import EmpiricalMarginal, Importance, SMCFilter
    x, y = _start()
    for _ in range(2):
        posterior = Importance(_regression, num_samples=10).run(x, y)
        print(EmpiricalMarginal(posterior, sites="b").mean)

    class Model:
        def init(self, state):
            state["z"] = pyro.sample("z_init", dist.Normal(torch.tensor(0.0, device=device), 1.0))

        def step(self, state, y=None):
            state["z"] = pyro.sample("z", dist.Normal(state["z"], 1.0))
            return pyro.sample("y", dist.Normal(state["z"], 0.5), obs=y)

    class Guide:
        def init(self, state):
            pyro.sample("z_init", dist.Normal(torch.tensor(0.0, device=device), 1.0))

        def step(self, state, y=None):
            pyro.sample("z", dist.Normal(state["z"], 1.0))
    smc = SMCFilter(Model(), Guide(), num_particles=20, max_plate_nesting=0)
    smc.init()
    for value in y[:6]:
        smc.step(value)
    smc.get_empirical()


def pyro_stein():
    import pyro
    from pyro.infer import SVGD, RBFSteinKernel
    x, y = _start()
    svgd = SVGD(_regression, RBFSteinKernel(), pyro.optim.Adam({"lr": 0.05}), num_particles=8, max_plate_nesting=1)
    for _ in range(4):
        svgd.step(x, y)
    print(svgd.get_named_particles()["w"].mean().item())


def pyro_forecast():
    import pyro
    import pyro.distributions as dist
    from pyro.contrib.forecast import Forecaster, ForecastingModel, eval_crps, eval_mae

    class Model(ForecastingModel):
        def model(self, zero_data, covariates):
            bias = pyro.sample("bias", dist.Normal(zero_data.new_tensor(0.0), 10.0))
            weight = pyro.sample("weight", dist.Normal(zero_data.new_tensor(0.0), 0.1))
            prediction = bias + (weight * covariates).sum(-1, keepdim=True)
            scale = pyro.sample("scale", dist.LogNormal(zero_data.new_tensor(-5.0), 5.0))
            self.predict(dist.Normal(zero_data.new_zeros(1), scale), prediction)
    _start()
    data, covariates = torch.randn(40, 1, device=device), torch.randn(50, 2, device=device)
    with torch.device(device):
        forecaster = Forecaster(Model(), data, covariates[:40], num_steps=5, log_every=2, learning_rate=0.1)
        for _ in range(2):
            samples = forecaster(data, covariates, num_samples=8)
            print(eval_mae(samples, torch.randn(10, 1, device=device)), eval_crps(samples, torch.randn(10, 1, device=device)))


def _rows():
    return DataLoader(TensorDataset(torch.randn(96, 6), torch.randn(96, 1)), batch_size=16, shuffle=True)


def blitz_regression():
    from blitz.modules import BayesianLinear
    from blitz.utils import variational_estimator

    @variational_estimator
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = BayesianLinear(6, 32), BayesianLinear(32, 1, prior_sigma_1=0.1, prior_sigma_2=0.4, prior_pi=0.5)

        def forward(self, x):
            return self.b(torch.relu(self.a(x)))
    net = Net().to(device)
    optimizer, criterion = torch.optim.Adam(net.parameters(), lr=0.01), nn.MSELoss()
    for epoch in range(2):
        for x, y in _rows():
            optimizer.zero_grad()
            loss = net.sample_elbo(inputs=x.to(device), labels=y.to(device), criterion=criterion, sample_nbr=3, complexity_cost_weight=1 / 96)
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())
        x, y = torch.randn(20, 6, device=device), torch.randn(20, 1, device=device)
        predictions = torch.stack([net(x) for _ in range(10)])
        upper, lower = predictions.mean(0) + 3 * predictions.std(0), predictions.mean(0) - 3 * predictions.std(0)
        print(((lower <= y) * (upper >= y)).float().mean().item())
        print(net.sample_elbo_detailed_loss(inputs=x, labels=y, criterion=criterion, sample_nbr=2))
        net.mfvi_forward(x, sample_nbr=5)
    net.freeze_model()
    net(x)
    net.unfreeze_model()
    net.moped(delta=0.1)


def blitz_pictures():
    from blitz.losses import kl_divergence_from_nn
    from blitz.modules import BayesianConv1d, BayesianConv2d, BayesianConv3d, BayesianLinear
    from blitz.utils import minibatch_weight, variational_estimator

    @variational_estimator
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv, self.one, self.three, self.out = BayesianConv2d(1, 4, (3, 3)), BayesianConv1d(4, 4, 3), BayesianConv3d(1, 2, (2, 2, 2)), BayesianLinear(4 * 6 * 6, 3)

        def forward(self, x):
            y = torch.relu(self.conv(x))
            self.one(y.flatten(2)), self.three(y.unsqueeze(1))
            return self.out(nn.functional.adaptive_avg_pool2d(y, 6).flatten(1))
    net = Net().to(device)
    optimizer, criterion = torch.optim.Adam(net.parameters(), lr=1e-3), nn.CrossEntropyLoss()
    for epoch in range(2):
        for batch in range(4):
            x, y = torch.randn(8, 1, 12, 12, device=device), torch.randint(0, 3, (8,), device=device)
            optimizer.zero_grad()
            loss = net.sample_elbo(inputs=x, labels=y, criterion=criterion, sample_nbr=2, complexity_cost_weight=minibatch_weight(batch_idx=batch, num_batches=4))
            loss.backward()
            optimizer.step()
            print(loss.item(), kl_divergence_from_nn(net).item())


def blitz_recurrent():
    from blitz.modules import BayesianEmbedding, BayesianGRU, BayesianLinear, BayesianLSTM
    from blitz.utils import variational_estimator
    for layer in (BayesianLSTM, BayesianGRU):
        @variational_estimator
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.embed, self.rnn, self.out = BayesianEmbedding(12, 6), layer(6, 10, prior_sigma_1=1, prior_pi=1, posterior_rho_init=-3.0), BayesianLinear(10, 1)

            def forward(self, x):
                y, _ = self.rnn(self.embed(x))
                return self.out(y[:, -1, :])
        net = Net().to(device)
        optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
        for step in range(4):
            x, y = torch.randint(0, 12, (16, 8), device=device), torch.randn(16, 1, device=device)
            optimizer.zero_grad()
            loss = net.sample_elbo(inputs=x, labels=y, criterion=nn.MSELoss(), sample_nbr=2, complexity_cost_weight=1 / 16)
            loss.backward()
            optimizer.step()
            print(step, loss.item())
