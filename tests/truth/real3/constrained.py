"""neuromancer: learning to optimise, to control and to identify dynamics, with its own trainer."""
import torch
from standin import blank
from torch import nn
from torch.utils.data import DataLoader

blank("functorch", "wandb", "pydot", "pyts", "pyts.image", "pyts.multivariate", "pyts.multivariate.image", "dill", "torchsde", "cvxpy", "casadi")
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _loader(name, batch=32, **tensors):
    from neuromancer.dataset import DictDataset
    data = DictDataset(tensors, name=name)
    return DataLoader(data, batch_size=batch, collate_fn=data.collate_fn, shuffle=name == "train")


def _train(problem, make, epochs=3, **options):
    from neuromancer.trainer import Trainer
    train, dev, test = (_loader(name, **make()) for name in ("train", "dev", "test"))
    problem = problem.to(device)
    trainer = Trainer(problem, train, dev, test, **dict(dict(optimizer=torch.optim.AdamW(problem.parameters(), lr=1e-3), epochs=epochs, epoch_verbose=1, patience=5, warmup=1, device=str(device)), **options))
    best = trainer.train()
    problem.load_state_dict(best)
    found = trainer.test(best)
    print({key: value.item() for key, value in found.items() if key.startswith("mean")})
    return trainer


def _mlp(insize, outsize, kind="MLP", **options):
    from neuromancer import slim
    from neuromancer.modules import blocks
    return getattr(blocks, kind)(insize, outsize, bias=True, linear_map=slim.maps["linear"], nonlin=nn.ReLU, hsizes=[24, 24], **options)


def _rosenbrock(block=None):
    from neuromancer.constraint import variable
    from neuromancer.system import Node
    node = Node(block or _mlp(2, 2), ["a_p"], ["x"], name="map")
    whole, params = variable("x"), variable("a_p")
    x, y, a, p = whole[:, [0]], whole[:, [1]], params[:, [0]], params[:, [1]]
    objective = ((1 - x) ** 2 + a * (y - x ** 2) ** 2).minimize(weight=1.0, name="rosenbrock")
    first, second, third = 100.0 * (x >= y), 100.0 * ((p / 2) ** 2 <= x ** 2 + y ** 2), 100.0 * (x ** 2 + y ** 2 <= p ** 2)
    first.update_name("c1"), second.update_name("c2"), third.update_name("c3")
    return node, [objective], [first, second, third]


def _points():
    return dict(a_p=torch.rand(128, 2) * 2 + 0.5)


def optimise():
    from neuromancer.loss import PenaltyLoss
    from neuromancer.problem import Problem
    node, objectives, constraints = _rosenbrock()
    _train(Problem([node], PenaltyLoss(objectives, constraints)), _points)


def optimise_barrier():
    from neuromancer.loss import BarrierLoss
    from neuromancer.problem import Problem
    for barrier in ("log10", "inverse", "softexp"):
        node, objectives, constraints = _rosenbrock()
        _train(Problem([node], BarrierLoss(objectives, constraints, barrier=barrier)), _points, 2)


def optimise_lagrange():
    from neuromancer.loss import AugmentedLagrangeLoss
    from neuromancer.problem import Problem
    from neuromancer.trainer import Trainer
    node, objectives, constraints = _rosenbrock()
    parts = {name: _loader(name, 128, a_p=torch.rand(128, 2) + 0.5, index=torch.arange(128)) for name in ("train", "dev", "test")}
    problem = Problem([node], AugmentedLagrangeLoss(objectives, constraints, parts["train"], inner_loop=1)).to(device)
    torch.set_default_device(device)
    try:
        for part in parts.values():
            part.generator = torch.Generator(device=device)
            part.sampler.generator = torch.Generator(device=device)
        Trainer(problem, *parts.values(), optimizer=torch.optim.Adam(problem.parameters()), epochs=3, device=str(device)).train()
    finally:
        torch.set_default_device("cpu")


def optimise_projected():
    from neuromancer.constraint import variable
    from neuromancer.loss import PenaltyLoss
    from neuromancer.modules.solvers import GradientProjection
    from neuromancer.problem import Problem
    node, objectives, constraints = _rosenbrock()
    solver = GradientProjection(constraints=constraints, input_keys=["x"], output_keys=["x_fixed"], num_steps=4, step_size=0.1, name="proj")
    again = variable("x_fixed")
    distance = ((again - variable("x")) ** 2).minimize(weight=1.0, name="distance")
    _train(Problem([node, solver], PenaltyLoss([*objectives, distance], []), grad_inference=True), _points)


def optimise_scheduled():
    from neuromancer.callbacks import Callback
    from neuromancer.loss import PenaltyLoss
    from neuromancer.problem import Problem

    class Seen(Callback):
        def end_batch(self, trainer, output):
            self.last = output["train_loss"].item()

        def end_epoch(self, trainer, output):
            print("epoch", self.last, output["mean_train_loss"].item())
    node, objectives, constraints = _rosenbrock()
    _train(Problem([node], PenaltyLoss(objectives, constraints)), _points, 4, lr_scheduler=True, callback=Seen(), patience=1, warmup=0, clip=1.0)


def optimise_logged():
    from neuromancer.loggers import BasicLogger, LossLogger
    from neuromancer.loss import PenaltyLoss
    from neuromancer.problem import Problem
    for kind in (BasicLogger, LossLogger):
        class Quiet(kind):
            def log_artifacts(self, artifacts):
                pass
        node, objectives, constraints = _rosenbrock()
        _train(Problem([node], PenaltyLoss(objectives, constraints)), _points, 3, logger=Quiet(args=None, savedir="logs", verbosity=1, stdout=["train_loss", "dev_loss", "mean_train_loss"]))


def blocks_of_all_kinds():
    from neuromancer.loss import PenaltyLoss
    from neuromancer.problem import Problem
    for kind in ("ResMLP", "MLPDropout", "InputConvexNN", "BasisLinear", "MLP_bounds"):
        try:
            node, objectives, constraints = _rosenbrock(_mlp(2, 2, kind))
            _train(Problem([node], PenaltyLoss(objectives, constraints)), _points, 2)
        except Exception as error:
            print(kind, type(error).__name__, error)


def splines():
    from neuromancer.loss import PenaltyLoss
    from neuromancer.modules.blocks import KANBlock
    from neuromancer.problem import Problem
    for domains in (1, 2):
        try:
            node, objectives, constraints = _rosenbrock(KANBlock(2, 2, hsizes=[6], num_domains=domains, grid_sizes=[4] * domains))
            _train(Problem([node], PenaltyLoss(objectives, constraints)), _points, 2)
        except Exception as error:
            print(domains, type(error).__name__, error)


def linear_maps():
    """Structured matrices of slim, each with its own error to be kept small."""
    from neuromancer import slim
    for name, kind in slim.maps.items():
        try:
            layer = kind(8, 8).to(device)
            optimizer = torch.optim.Adam(layer.parameters(), lr=1e-2)
            for _ in range(3):
                x = torch.randn(32, 8, device=device)
                loss = (layer(x) - x.flip(1)).pow(2).mean() + layer.reg_error()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            print(name, loss.item(), layer.effective_W().shape)
        except Exception as error:
            print(name, type(error).__name__, error)


def _trajectories(steps=8):
    time = torch.linspace(0, 2, steps + 1)
    phase = torch.rand(128, 1) * 3
    return dict(X=torch.stack([torch.sin(time + phase), torch.cos(time + phase)], -1), xn=torch.stack([torch.sin(phase), torch.cos(phase)], -1))


def _identify(function, integrator="RK4", epochs=3, h=0.25):
    import neuromancer.dynamics.integrators as integrators
    from neuromancer.constraint import variable
    from neuromancer.loss import PenaltyLoss
    from neuromancer.problem import Problem
    from neuromancer.system import Node, System
    step = getattr(integrators, integrator)(function, h=h)
    model = System([Node(step, ["xn"], ["xn"], name="step")], name="system", nsteps=8)
    x, found = variable("X"), variable("xn")
    whole = 10.0 * ((found[:, :-1, :] == x[:, :8, :]) ^ 2)
    first = ((found[:, 1, :] == x[:, 1, :]) ^ 2)
    whole.update_name("trajectory"), first.update_name("one_step")
    _train(Problem([model], PenaltyLoss([], [whole, first])), _trajectories, epochs)


def neural_ode():
    _identify(_mlp(2, 2))


def neural_ode_integrators():
    for name in ("Euler", "Euler_Trap", "RK2", "RK4_Trap", "Luther", "Runge_Kutta_Fehlberg", "DiffEqIntegrator"):
        try:
            _identify(_mlp(2, 2), name, 2)
        except Exception as error:
            print(name, type(error).__name__, error)


def brusselator():
    from neuromancer.dynamics.ode import BrusselatorHybrid, BrusselatorParam
    for make in (BrusselatorParam, lambda: BrusselatorHybrid(_mlp(2, 1))):
        try:
            _identify(make(), epochs=2, h=0.05)
        except Exception as error:
            print(type(error).__name__, error)


def sparse_dynamics():
    from neuromancer.dynamics.library import FourierLibrary, PolynomialLibrary
    from neuromancer.dynamics.ode import SINDy
    for library in (PolynomialLibrary(2, max_degree=2), FourierLibrary(2, max_freq=2)):
        try:
            _identify(SINDy(library), epochs=2)
        except Exception as error:
            print(type(library).__name__, type(error).__name__, error)


def control():
    """Differentiable predictive control of a linear plant."""
    from neuromancer.constraint import variable
    from neuromancer.loss import PenaltyLoss
    from neuromancer.modules.blocks import MLP_bounds
    from neuromancer.problem import Problem
    from neuromancer.system import Node, System
    a, b = torch.tensor([[1.2, 1.0], [0.0, 1.0]], device=device), torch.tensor([[1.0], [0.5]], device=device)
    policy = Node(MLP_bounds(insize=2, outsize=1, hsizes=[16, 16], nonlin=nn.GELU, min=-1.0, max=1.0), ["x"], ["u"], name="policy")
    plant = Node(lambda x, u: x @ a.T + u @ b.T, ["x", "u"], ["x"], name="plant")
    loop = System([policy, plant], name="loop", nsteps=6)
    x, u = variable("x"), variable("u")
    regulate, effort = 5.0 * ((x == 0.0) ^ 2), 0.1 * ((u == 0.0) ^ 2)
    low, high, last = 10.0 * (x > -10.0), 10.0 * (x < 10.0), 10.0 * (x[:, [-1], :] < 0.1)
    for name, part in dict(regulate=regulate, effort=effort, low=low, high=high, last=last).items():
        part.update_name(name)
    _train(Problem([loop], PenaltyLoss([], [regulate, effort, low, high, last])), lambda: dict(x=3 * torch.randn(128, 1, 2)))
    found = loop({"x": 3 * torch.randn(16, 1, 2, device=device)})
    print(found["x"][:, -1].abs().max().item())


def physics_informed():
    """Burgers' equation, by derivatives of variables."""
    from neuromancer.constraint import variable
    from neuromancer.loss import PenaltyLoss
    from neuromancer.problem import Problem
    from neuromancer.system import Node
    net = Node(_mlp_tanh(), ["x", "t"], ["y_hat"], name="net")
    y, x, t = variable("y_hat"), variable("x"), variable("t")
    f = y.grad(t) + y * y.grad(x) - 0.01 * y.grad(x).grad(x)
    inner, start = 1.0 * ((f == 0.0) ^ 2), 10.0 * ((y[:16] == -torch.sin(torch.pi * x[:16])) ^ 2)
    inner.update_name("pde"), start.update_name("start")

    def make():
        return dict(x=(torch.rand(96, 1) * 2 - 1).requires_grad_(), t=torch.rand(96, 1).requires_grad_())
    from neuromancer.trainer import Trainer
    problem = Problem([net], PenaltyLoss([], [inner, start]), grad_inference=True).to(device)
    batch = dict({key: value.to(device).detach().requires_grad_() for key, value in make().items()}, name="train")
    trainer = Trainer(problem, [batch], optimizer=torch.optim.Adam(problem.parameters(), lr=1e-3), epochs=6, train_metric="train_loss", dev_metric="train_loss", eval_metric="train_loss", warmup=2, device=str(device))
    trainer.train()


def _mlp_tanh():
    from neuromancer.modules.blocks import MLP
    return MLP(insize=2, outsize=1, hsizes=[24, 24], nonlin=nn.Tanh)


def function_encoder():
    from neuromancer.modules.function_encoder import FunctionEncoder
    for squares in (True, False):
        model = FunctionEncoder([_mlp_tanh_one() for _ in range(4)], use_least_squares=squares).to(device)
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
        for step in range(5):
            scale = torch.rand(8, 1, 1, device=device)
            seen, asked = torch.rand(8, 20, 1, device=device), torch.rand(8, 10, 1, device=device)
            loss = (model(seen, scale * seen ** 2, asked) - scale * asked ** 2).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(squares, loss.item())


def _mlp_tanh_one():
    from neuromancer.modules.blocks import MLP
    return MLP(insize=1, outsize=1, hsizes=[16], nonlin=nn.Tanh)


def recurrent():
    from neuromancer.modules.blocks import RNN, PytorchRNN
    for kind in (RNN, PytorchRNN):
        try:
            net = kind(3, 2, hsizes=[8], nonlin=nn.Tanh).to(device)
            optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
            for step in range(4):
                x = torch.randn(6, 16, 3, device=device)
                loss = net(x).pow(2).mean()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            print(kind.__name__, loss.item())
        except Exception as error:
            print(kind.__name__, type(error).__name__, error)


def lightning():
    """The trainer of lightning, which neuromancer wraps."""
    from neuromancer.dataset import DictDataset
    from neuromancer.loss import PenaltyLoss
    from neuromancer.problem import Problem
    from neuromancer.trainer import LitTrainer

    def setup():
        return DictDataset(_points(), name="train"), DictDataset(_points(), name="dev"), None, 32
    node, objectives, constraints = _rosenbrock()
    trainer = LitTrainer(epochs=3, accelerator="gpu" if device.type == "cuda" else "cpu", devices=1, strategy="auto", patience=2, save_weights=False, logger=False)
    trainer.fit(Problem([node], PenaltyLoss(objectives, constraints)), data_setup_function=setup)
