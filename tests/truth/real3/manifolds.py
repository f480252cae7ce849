"""pypose: poses optimised, filtered and controlled on the GPU."""
import pypose as pp
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class PoseInv(nn.Module):
    def __init__(self, *dim):
        super().__init__()
        self.pose = pp.Parameter(pp.randn_SE3(*dim))

    def forward(self, input):
        return (self.pose @ input).Log().tensor()


def _optimise(make, rounds=2, steps=6):
    for _ in range(rounds):
        torch.manual_seed(0)
        poses, net = pp.randn_SE3(2, 2, device=device), PoseInv(2, 2).to(device)
        optimizer = make(net)
        for step in range(steps):
            loss = optimizer.step(poses)
            print(f"Pose loss {loss:.7f} @ {step}it")
            if loss < 1e-9:
                break


def gauss_newton():
    from pypose.optim import corrector, kernel, solver
    _optimise(lambda n: pp.optim.GN(n))
    _optimise(lambda n: pp.optim.GN(n, solver=solver.LSTSQ(), kernel=kernel.Cauchy(), corrector=corrector.FastTriggs(kernel.Cauchy())))
    _optimise(lambda n: pp.optim.GN(n, solver=solver.PINV(), kernel=kernel.Huber(), vectorize=False))


def levenberg():
    from pypose.optim import strategy
    _optimise(lambda n: pp.optim.LM(n, strategy=strategy.Constant(damping=1e-4)))
    _optimise(lambda n: pp.optim.LM(n, strategy=strategy.Adaptive(damping=1e-6)))
    _optimise(lambda n: pp.optim.LM(n, strategy=strategy.TrustRegion(radius=1e4)))


def robust_kernels():
    from pypose.optim import corrector, kernel
    for k in (kernel.Huber(), kernel.PseudoHuber(), kernel.Cauchy(), kernel.SoftLOne(), kernel.Arctan(), kernel.Scale(2.0)):
        try:
            _optimise(lambda n: pp.optim.LM(n, kernel=k, corrector=corrector.FastTriggs(k)), 1, 4)
            _optimise(lambda n: pp.optim.LM(n, kernel=k, corrector=corrector.Triggs(k)), 1, 4)
        except Exception as error:
            print(type(k).__name__, type(error).__name__, error)


def solvers():
    from pypose.optim import solver
    for s in (solver.Cholesky(), solver.PINV(), solver.LSTSQ(), solver.CG()):
        try:
            _optimise(lambda n: pp.optim.LM(n, solver=s), 1, 4)
        except Exception as error:
            print(type(s).__name__, type(error).__name__, error)


def scheduled():
    from pypose.optim.scheduler import StopOnPlateau
    for _ in range(2):
        poses, net = pp.randn_SE3(2, 2, device=device), PoseInv(2, 2).to(device)
        optimizer = pp.optim.LM(net, strategy=pp.optim.strategy.Constant(damping=1e-4))
        scheduler = StopOnPlateau(optimizer, steps=8, patience=3, decreasing=1e-3, verbose=True)
        while scheduler.continual():
            loss = optimizer.step(poses)
            scheduler.step(loss)
        StopOnPlateau(optimizer, steps=5, patience=2, verbose=True).optimize(input=poses)


class Graph(nn.Module):
    """Of examples/module/pgo: a graph of poses."""

    def __init__(self, nodes):
        super().__init__()
        self.nodes = pp.Parameter(nodes)

    def forward(self, edges, poses):
        first, second = self.nodes[edges[..., 0]], self.nodes[edges[..., 1]]
        return (poses.Inv() @ first.Inv() @ second).Log().tensor()


def pose_graph():
    from pypose.optim.scheduler import StopOnPlateau
    torch.manual_seed(0)
    truth = pp.randn_SE3(8, device=device)
    edges = torch.tensor([[i, (i + s) % 8] for i in range(8) for s in (1, 2)], device=device)
    relative = truth[edges[:, 0]].Inv() @ truth[edges[:, 1]]
    weight = torch.eye(6, device=device).repeat(len(edges), 1, 1)
    graph = Graph(truth @ pp.randn_SE3(8, sigma=0.1, device=device)).to(device)
    optimizer = pp.optim.LM(graph, solver=pp.optim.solver.Cholesky(), strategy=pp.optim.strategy.TrustRegion(radius=1e4), min=1e-6, vectorize=True)
    scheduler = StopOnPlateau(optimizer, steps=8, patience=3, decreasing=1e-3, verbose=True)
    while scheduler.continual():
        loss = optimizer.step(input=(edges, relative), weight=weight)
        scheduler.step(loss)
    print(loss.item())


def reprojection():
    """Camera and points together, as in bundle adjustment."""
    torch.manual_seed(0)
    points = torch.rand(12, 3, device=device) + torch.tensor([0.0, 0.0, 3.0], device=device)
    intrinsics = torch.tensor([[200.0, 0, 100], [0, 200, 100], [0, 0, 1]], device=device)
    pixels = pp.point2pixel(points, intrinsics)

    class Camera(nn.Module):
        def __init__(self):
            super().__init__()
            self.pose = pp.Parameter(pp.randn_SE3(sigma=0.05))

        def forward(self, points, pixels):
            return pp.reprojerr(points, pixels, intrinsics, self.pose)
    for _ in range(2):
        camera = Camera().to(device)
        optimizer = pp.optim.LM(camera, kernel=pp.optim.kernel.Huber())
        for step in range(5):
            loss = optimizer.step((points, pixels))
            print(step, loss.item())


def first_order():
    for kind in (torch.optim.SGD, torch.optim.Adam):
        net = PoseInv(2, 2).to(device)
        optimizer, scheduler = kind(net.parameters(), lr=1e-2), None
        scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[2, 4], gamma=0.5)
        for step in range(6):
            loss = net(pp.randn_SE3(2, 2, device=device)).square().sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            scheduler.step()
            print(step, loss.item())


def groups():
    for make, log in ((pp.randn_SO3, pp.randn_so3), (pp.randn_SE3, pp.randn_se3), (pp.randn_Sim3, pp.randn_sim3), (pp.randn_RxSO3, pp.randn_rxso3)):
        for _ in range(3):
            x, y, a = make(5, device=device, requires_grad=True), make(5, device=device), log(5, device=device)
            p = torch.randn(5, 3, device=device)
            values = []
            for work in (lambda: (x @ y).Log().tensor(), lambda: (a.Exp() * x).tensor(), lambda: x.Inv().tensor(), lambda: x.Act(p), lambda: x.Adj(a).tensor(), lambda: x.AdjT(a).tensor(), lambda: x.Retr(a).tensor(), lambda: x.matrix(), lambda: x.rotation().tensor(), lambda: x.translation(), lambda: x.scale()):
                try:
                    values.append(work().sum())
                except Exception as error:
                    print(make.__name__, type(error).__name__, error)
            sum(v for v in values if v.requires_grad).backward()
            print(make.__name__, x.grad.norm().item(), x.euler().shape, pp.is_lietensor(x))
            try:
                print(x.Jinvp(a).shape, a.Jr().shape)
            except Exception as error:
                print(type(error).__name__, error)


def conversions():
    for _ in range(3):
        x = pp.randn_SE3(4, device=device)
        for work in (lambda: pp.mat2SE3(x.matrix()), lambda: pp.mat2SO3(x.rotation().matrix()), lambda: pp.from_matrix(x.matrix(), ltype=pp.SE3_type), lambda: pp.euler2SO3(x.euler()), lambda: pp.mat2Sim3(pp.randn_Sim3(4, device=device).matrix()), lambda: pp.vec2skew(torch.randn(4, 3, device=device)), lambda: x.cumprod(dim=0, left=False), lambda: pp.quat2unit(x.rotation().tensor())):
            try:
                print(work().shape)
            except Exception as error:
                print(type(error).__name__, error)


def registration():
    from pypose.utils.stepper import ReduceToBason
    for _ in range(3):
        source = torch.rand(1, 30, 3, device=device)
        target = pp.randn_SE3(1, sigma=0.05, device=device).unsqueeze(-2) @ source
        icp = pp.module.ICP(stepper=ReduceToBason(steps=6, verbose=True)).to(device)
        print(icp(source, target).shape, pp.svdtf(source, target).shape)


def perspective():
    intrinsics = torch.tensor([[200.0, 0, 100], [0, 200, 100], [0, 0, 1]], device=device)
    for refine in (True, False):
        for _ in range(3):
            points = torch.rand(8, 3, device=device) + torch.tensor([0.0, 0.0, 3.0], device=device)
            pixels = pp.point2pixel(points, intrinsics)
            pose = pp.module.EPnP(intrinsics, refine=refine).to(device)(points, pixels)
            print(pose, pp.reprojerr(points, pixels, intrinsics, pose, reduction="norm").mean().item())


def clouds():
    for _ in range(3):
        points = torch.rand(40, 3, device=device) * 4
        for work in (lambda: pp.knn(points, torch.rand(10, 3, device=device), k=3).values.mean(), lambda: pp.nbr_filter(points, nbr=3, radius=1.0), lambda: pp.random_filter(points, 10), lambda: pp.voxel_filter(points, [1.0, 1.0, 1.0]), lambda: pp.voxel_filter(points, [1.0, 1.0, 1.0], random=True), lambda: pp.knn_filter(points, k=3), lambda: pp.knn_filter(points, k=3, radius=0.8),
                     lambda: pp.pixel2point(torch.rand(6, 2, device=device), torch.rand(6, device=device), torch.eye(3, device=device)), lambda: pp.svdstf(points, points * 2 + 1)):
            try:
                value = work()
                print(getattr(value, "shape", value))
            except Exception as error:
                print(type(error).__name__, error)


def splines():
    for _ in range(3):
        print(pp.chspline(torch.rand(2, 8, 3, device=device), 0.2).shape)
        print(pp.bspline(pp.randn_SE3(1, 8, device=device), 0.2).shape, pp.bspline(pp.randn_SE3(1, 6, device=device), 0.2, extrapolate=True).shape)


def inertial():
    integrator = pp.module.IMUPreintegrator(torch.zeros(3), pp.identity_SO3(), torch.zeros(3), reset=False).to(device)
    for _ in range(4):
        states = integrator(dt=torch.full((1, 10, 1), 0.01, device=device), gyro=torch.randn(1, 10, 3, device=device) * 0.1, acc=torch.randn(1, 10, 3, device=device))
        print(states["pos"].shape, states["cov"].shape)
    for _ in range(3):
        states = integrator(dt=torch.tensor([0.01], device=device), gyro=torch.randn(3, device=device), acc=torch.randn(3, device=device), rot=pp.identity_SO3(device=device))


def inertial_correction():
    """A network that corrects what the sensors say, as examples/module/imu."""
    net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 6)).to(device)
    integrator = pp.module.IMUPreintegrator(reset=True, prop_cov=False).to(device)
    optimizer = torch.optim.Adam(net.parameters(), 1e-3)
    for epoch in range(2):
        for _ in range(3):
            feature = torch.randn(2, 10, 6, device=device)
            corrected = feature + net(feature) * 0.1
            init = {"pos": torch.zeros(2, 1, 3, device=device), "rot": pp.identity_SO3(2, 1, device=device), "vel": torch.zeros(2, 1, 3, device=device)}
            states = integrator(dt=torch.full((2, 10, 1), 0.01, device=device), gyro=corrected[..., :3], acc=corrected[..., 3:], init_state=init)
            loss = states["pos"].square().mean() + (states["rot"].Log().tensor()).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


class System(pp.module.NLS):
    def state_transition(self, state, input, t=None):
        return state.cos() + input

    def observation(self, state, input, t=None):
        return state.sin() + input


def _filtered(kind, **options):
    model = System().to(device)
    filter_ = kind(model, **options).to(device)
    T, N, q, r, p = 6, 2, 0.1, 0.1, 10
    states, inputs, observed = torch.zeros(T, N, device=device), torch.randn(T, N, device=device), torch.zeros(T, N, device=device)
    Q, R, P = torch.eye(N, device=device) * q ** 2, torch.eye(N, device=device) * r ** 2, torch.eye(N, device=device).repeat(T, 1, 1) * p ** 2
    estimated = torch.randn(T, N, device=device) * p
    for i in range(T - 1):
        states[i + 1], observed[i] = model(states[i] + q * torch.randn(N, device=device), inputs[i])
        estimated[i + 1], P[i + 1] = filter_(estimated[i], observed[i] + r * torch.randn(N, device=device), inputs[i], P[i], Q, R)
    print(kind.__name__, (states - estimated).norm(dim=-1))


def kalman():
    for kind in (pp.module.EKF, pp.module.UKF):
        for _ in range(2):
            _filtered(kind)


def particles():
    for _ in range(2):
        _filtered(pp.module.PF, particles=100)


def regulator():
    torch.manual_seed(0)
    batch, T, n, m = 2, 5, 4, 3
    for _ in range(3):
        Q = torch.randn(batch, T, n + m, n + m, device=device)
        Q, p = Q.mT @ Q, torch.randn(batch, T, n + m, device=device)
        A = torch.tile(torch.eye(n, device=device) + 0.2 * torch.randn(n, n, device=device), (batch, 1, 1))
        B = torch.randn(batch, n, m, device=device)
        C, D = torch.tile(torch.eye(n, device=device), (batch, 1, 1)), torch.zeros(batch, n, m, device=device)
        system = pp.module.LTI(A, B, C, D, torch.randn(batch, n, device=device), torch.zeros(batch, n, device=device)).to(device)
        x, u, cost = pp.module.LQR(system, Q, p, T).to(device)(torch.randn(batch, n, device=device), 1)
        print(x.shape, u.shape, cost)


class CartPole(pp.module.NLS):
    def __init__(self, dt, length, cart, pole, gravity):
        super().__init__()
        self.tau, self.length, self.polemass, self.gravity = dt, length, pole, gravity
        self.poleml, self.total = pole * length, cart + pole

    def state_transition(self, state, input, t=None):
        x, speed, theta, spin = state.squeeze()
        force = input.squeeze()
        cos, sin = torch.cos(theta), torch.sin(theta)
        temp = (force + self.poleml * spin ** 2 * sin) / self.total
        spin_up = (self.gravity * sin - cos * temp) / (self.length * (4.0 / 3.0 - self.polemass * cos ** 2 / self.total))
        change = torch.stack((speed, temp - self.poleml * spin_up * cos / self.total, spin, spin_up))
        return (state.squeeze() + torch.mul(change, self.tau)).unsqueeze(0)

    def observation(self, state, input, t=None):
        return state


def predictive_control():
    from pypose.utils.stepper import ReduceToBason
    dt, T = 0.01, 5
    for _ in range(2):
        Q, p = torch.tile(torch.eye(5, device=device), (1, T, 1, 1)), torch.randn(1, T, 5, device=device)
        u = torch.sin(torch.arange(0, T, device=device) * dt).unsqueeze(1).unsqueeze(0)
        control = pp.module.MPC(CartPole(dt, 1.5, 20, 10, 9.81).to(device), Q, p, T, stepper=ReduceToBason(steps=4, verbose=True)).to(device)
        x, u, cost = control(dt, torch.tensor([[0, 0, torch.pi, 0]], device=device), u_init=u)
        print(x.shape, cost.item())


def trajectories():
    stamps = torch.arange(20, dtype=torch.float64, device=device) * 0.1
    for _ in range(2):
        truth = pp.randn_SE3(20, dtype=torch.float64, device=device)
        guess = pp.randn_SE3(20, sigma=0.01, dtype=torch.float64, device=device) @ truth
        for etype in ("translation", "rotation", "pose"):
            for work in (lambda: pp.metric.ape(stamps, truth, stamps, guess, etype=etype), lambda: pp.metric.ape(stamps, truth, stamps, guess, etype=etype, align=True, scale=True), lambda: pp.metric.rpe(stamps, truth, stamps, guess, etype=etype)):
                try:
                    print(work())
                except Exception as error:
                    print(etype, type(error).__name__, error)


def geodesics():
    criterion = pp.module.GeodesicLoss()
    net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 6)).to(device)
    optimizer = torch.optim.Adam(net.parameters(), 1e-2)
    for epoch in range(2):
        for _ in range(4):
            loss = criterion(pp.se3(net(torch.randn(8, 4, device=device))).Exp(), pp.randn_SE3(8, device=device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())
