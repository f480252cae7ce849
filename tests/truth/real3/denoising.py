"""azula and smalldiffusion: diffusion models trained and sampled."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Backbone(nn.Module):
    """As azula's tutorial has it: a network with the time's sine encoding as modulation."""

    def __init__(self, features=5, hidden=64):
        super().__init__()
        from azula.nn.layers import SineEncoding
        self.time = SineEncoding(16)
        self.net = nn.Sequential(nn.Linear(features + 16, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, features))

    def forward(self, x, t, label=None):
        emb = self.time(t).expand(*x.shape[:-1], -1)
        if label is not None:
            emb = emb + label
        return self.net(torch.cat((x, emb), dim=-1))


class Pictured(nn.Module):
    def __init__(self, kind):
        super().__init__()
        from azula.nn.layers import SineEncoding
        from azula.nn.unet import UNet
        from azula.nn.vit import ViT
        self.time = nn.Sequential(SineEncoding(32), nn.Linear(32, 32), nn.SiLU())
        if kind == "unet":
            self.net = UNet(1, 1, hid_channels=(16, 32), hid_blocks=(1, 1), mod_features=32, groups=4, dropout=0.1)
        else:
            self.net = ViT(1, 1, mod_features=32, hid_channels=32, hid_blocks=2, patch_size=4, attention_heads=4, rope=True)

    def forward(self, x, t):
        return self.net(x, self.time(t))


def _denoiser(schedule=None, kind=None, backbone=None, steps=12, shape=(5,)):
    from azula.denoise import KarrasDenoiser
    from azula.noise import VPSchedule
    torch.manual_seed(0)
    denoiser = (kind or KarrasDenoiser)(backbone=backbone or Backbone(), schedule=schedule or VPSchedule()).to(device)
    optimizer = torch.optim.Adam(denoiser.parameters(), lr=1e-3)
    for epoch in range(2):
        total = 0.0
        for _ in range(steps):
            x = torch.randn(32, *shape, device=device) * 0.5 + 1
            loss = denoiser.loss(x, torch.rand(32, device=device))
            loss.backward()
            grad_norm = nn.utils.clip_grad_norm_(denoiser.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            total += loss.item()
        print(epoch, total / steps, grad_norm.item())
    return denoiser.eval()


def training_schedules():
    from azula import noise
    from azula.denoise import SimpleDenoiser
    for schedule in (noise.VPSchedule(), noise.VESchedule(), noise.CosineSchedule(), noise.RectifiedSchedule(), noise.DecaySchedule()):
        _denoiser(schedule, SimpleDenoiser, steps=4)


def _sample(make, denoiser=None, shape=(16, 5), rounds=2, **options):
    sampler = make(denoiser or _denoiser(steps=4))
    for _ in range(rounds):
        x1 = sampler.init(shape, device=device)
        x0 = sampler(x1, **options)
    print(type(sampler).__name__, x0.mean().item())


def samplers():
    from azula import sample as s
    denoiser = _denoiser()
    for make in (lambda d: s.DDPMSampler(d, steps=12), lambda d: s.DDIMSampler(d, steps=12, silent=True), lambda d: s.DDIMSampler(d, eta=0.5, steps=12, silent=True), lambda d: s.EulerSampler(d, steps=12, silent=True), lambda d: s.HeunSampler(d, steps=8, silent=True),
                 lambda d: s.ItoSampler(d, steps=12, silent=True), lambda d: s.PCSampler(d, corrections=2, steps=8, silent=True)):
        try:
            _sample(make, denoiser)
        except Exception as error:
            print(type(error).__name__, error)


def multistep_samplers():
    from azula import sample as s
    denoiser = _denoiser()
    for kind in (s.zABSampler, s.vABSampler, s.zEABSampler, s.xEABSampler, s.REABSampler):
        for order in (1, 3):
            try:
                _sample(lambda d: kind(d, order=order, steps=10, silent=True), denoiser)
            except Exception as error:
                print(kind.__name__, type(error).__name__, error)


def samplers_on_the_gpu():
    from azula import sample as s
    denoiser = _denoiser()
    for kind in (s.DDPMSampler, s.DDIMSampler, s.HeunSampler, s.zABSampler, s.xEABSampler):
        try:
            _sample(lambda d: kind(d, steps=10, device=device, dtype=torch.float64, silent=True), denoiser)
        except Exception as error:
            print(kind.__name__, type(error).__name__, error)


def pictures():
    from azula.sample import DDIMSampler
    for kind in ("unet", "vit"):
        denoiser = _denoiser(backbone=Pictured(kind), steps=6, shape=(1, 16, 16))
        _sample(lambda d: DDIMSampler(d, steps=8, silent=True), denoiser, (4, 1, 16, 16))


def free_guidance():
    from azula.guidance import CFGDenoiser
    from azula.sample import DDIMSampler
    guided = CFGDenoiser(_denoiser())
    _sample(lambda d: DDIMSampler(d, steps=8, silent=True), guided, positive={"label": torch.ones(16, device=device)}, negative={"label": torch.zeros(16, device=device)}, guidance=2.0)


def posteriors():
    from azula import guidance as g
    from azula.linalg.covariance import IsotropicCovariance
    from azula.sample import DDIMSampler
    denoiser, y = _denoiser(), torch.ones(16, 2, device=device)

    def observe(x):
        return x[..., :2]
    cov_y, cov_x = IsotropicCovariance(torch.tensor(0.01, device=device)), IsotropicCovariance(torch.tensor(1.0, device=device))
    for make in (lambda: g.MMPSDenoiser(denoiser, y, observe, cov_y=cov_y, solver="gmres", iterations=2), lambda: g.MMPSDenoiser(denoiser, y, observe, cov_y=cov_y, solver="cg", iterations=2), lambda: g.TMPDenoiser(denoiser, y, observe, var_y=0.01),
                 lambda: g.DiffPIRDenoiser(denoiser, y, observe, var_y=0.01, solver="cg", iterations=2), lambda: g.JFPSDenoiser(denoiser, y, observe, cov_y=cov_y, cov_x=cov_x, iterations=2)):
        try:
            guided = make()
            _sample(lambda d: DDIMSampler(d, steps=6, silent=True), guided)
        except Exception as error:
            print(type(error).__name__, error)


def guided_samplers():
    from azula import guidance as g
    denoiser, y = _denoiser(), torch.ones(16, 2, device=device)

    def observe(x):
        return x[..., :2]

    def back(v):
        return torch.cat((v, torch.zeros(*v.shape[:-1], 3, device=device)), dim=-1)

    def twist(x, noise):
        return -((x[..., :2] - 1) ** 2).sum(-1) / (noise ** 2 + 0.01)
    mask = torch.tensor([True, True, False, False, False], device=device).expand(16, 5)
    for make in (lambda d: g.DPSSampler(d, y=y, A=observe, steps=8, silent=True), lambda d: g.PGDMSampler(d, y=y, A=observe, A_inv=back, steps=8, silent=True), lambda d: g.RePaintSampler(d, y=torch.ones(16, 5, device=device), mask=mask, iterations=2, steps=8, silent=True),
                 lambda d: g.TDSSampler(d, twist=twist, steps=8, silent=True)):
        try:
            _sample(make, denoiser)
        except Exception as error:
            print(type(error).__name__, error)


def covariances():
    from azula import linalg
    from azula.denoise import GaussianDenoiser
    from azula.linalg import covariance as c
    from azula.noise import VPSchedule
    from azula.sample import DDIMSampler
    for name, kind, options in (("iso", c.IsotropicCovariance, {}), ("diagonal", c.DiagonalCovariance, {}), ("full", c.FullCovariance, {}), ("low rank", c.DPLRCovariance, {"rank": 2, "iterations": 4}), ("kronecker", c.KroneckerCovariance, {})):
        try:
            for _ in range(2):
                data = torch.randn(128, 2, 4, device=device)
                cov = kind.from_data(data, **options)
                noise = torch.randn(16, 2, 4, device=device)
                print(name, cov(noise).mean().item(), cov.inv(noise).mean().item(), cov.color(noise).mean().item(), float(cov.logdet()))
            denoiser = GaussianDenoiser(mean=data.mean(dim=0), cov=cov, schedule=VPSchedule())
            _sample(lambda d: DDIMSampler(d, steps=6, silent=True), denoiser, (16, 2, 4))
        except Exception as error:
            print(name, type(error).__name__, error)
    matrix = torch.randn(6, 6, device=device)
    matrix = matrix @ matrix.T + torch.eye(6, device=device)
    for solve in (linalg.solve.cg, linalg.solve.gmres):
        for _ in range(2):
            print(solve(lambda v: v @ matrix, torch.randn(8, 6, device=device), iterations=5).mean().item())


def _small_loop(model, loader, schedule, epochs=2, **options):
    from accelerate import Accelerator
    from smalldiffusion import training_loop
    accelerator = Accelerator()
    losses = [step.loss.item() for step in training_loop(loader, model, schedule, epochs=epochs, lr=1e-3, accelerator=accelerator, **options)]
    print(type(model).__name__, sum(losses) / len(losses))
    return model, accelerator


def small_toys():
    from smalldiffusion import PredV, PredX0, Scaled, ScheduleCosine, ScheduleDDPM, ScheduleLogLinear, ScheduleSigmoid, Swissroll, TimeInputMLP, samples
    from torch.utils.data import DataLoader
    loader = DataLoader(Swissroll(torch.pi / 2, 5 * torch.pi, 256), batch_size=64, shuffle=True)
    for kind, schedule in ((TimeInputMLP, ScheduleLogLinear(200, 0.005, 10)), (Scaled(TimeInputMLP), ScheduleDDPM(200)), (PredX0(TimeInputMLP), ScheduleCosine(200)), (Scaled(PredV(TimeInputMLP)), ScheduleSigmoid(200))):
        model, accelerator = _small_loop(kind(hidden_dims=(16, 64, 16)), loader, schedule)
        for gam, mu in ((1, 0.5), (1, 0), (2, 0)):
            *_, x0 = samples(model, schedule.sample_sigmas(10), gam=gam, mu=mu, batchsize=32, accelerator=accelerator)
        print(x0.std().item())


def small_flows():
    from smalldiffusion import PredFlow, ScheduleFlow, ScheduleLogNormalFlow, Swissroll, TimeInputMLP, samples
    from torch.utils.data import DataLoader
    loader = DataLoader(Swissroll(torch.pi / 2, 5 * torch.pi, 256), batch_size=64, shuffle=True)
    for schedule in (ScheduleFlow(200), ScheduleLogNormalFlow(200)):
        model, accelerator = _small_loop(PredFlow(TimeInputMLP)(hidden_dims=(16, 64, 16)), loader, schedule)
        for _ in range(2):
            *_, x0 = samples(model, schedule.sample_sigmas(10), batchsize=32, accelerator=accelerator)
        print(x0.std().item())


def small_conditional():
    from smalldiffusion import ConditionalMLP, ScheduleLogLinear, TreeDataset, samples
    from torch.utils.data import DataLoader
    data, schedule = TreeDataset(branching_factor=3, depth=2, num_samples_per_path=16), ScheduleLogLinear(200, 0.01, 10)
    model, accelerator = _small_loop(ConditionalMLP(dim=2, hidden_dims=(16, 64, 16), num_classes=data.total_leaves), DataLoader(data, batch_size=32, shuffle=True), schedule, conditional=True)
    for scale in (0, 2):
        *_, x0 = samples(model, schedule.sample_sigmas(10), gam=2, batchsize=18, cond=torch.arange(18) % data.total_leaves, cfg_scale=scale, accelerator=accelerator)
        print(x0.std().item())


def small_pictures():
    from smalldiffusion import CondEmbedderLabel, DiT, Scaled, ScheduleDDPM, Unet, samples
    from torch.utils.data import DataLoader, TensorDataset
    pictures = torch.randn(48, 1, 16, 16)
    schedule = ScheduleDDPM(200)
    for model, conditional in ((Scaled(Unet)(16, 1, 1, ch=32, ch_mult=(1, 2), num_res_blocks=1, attn_resolutions=(8,)), False), (DiT(in_dim=16, channels=1, patch_size=4, depth=2, head_dim=16, num_heads=2, cond_embed=CondEmbedderLabel(32, 4)), True)):
        data = TensorDataset(pictures, torch.randint(0, 4, (48,))) if conditional else pictures
        model, accelerator = _small_loop(model, DataLoader(data, batch_size=16, shuffle=True), schedule, conditional=conditional)
        for _ in range(2):
            *_, x0 = samples(model, schedule.sample_sigmas(6), gam=1.6, batchsize=4, cond=torch.arange(4) if conditional else None, cfg_scale=1.5 if conditional else 0, accelerator=accelerator)
        print(x0.std().item())


def small_ideal():
    from smalldiffusion import IdealDenoiser, ScheduleLogLinear, Swissroll, samples
    schedule = ScheduleLogLinear(200, 0.005, 10)
    model = IdealDenoiser(Swissroll(torch.pi / 2, 5 * torch.pi, 128))
    for _ in range(2):
        *_, x0 = samples(model, schedule.sample_sigmas(12).to(device), gam=2, batchsize=32)
    print(x0.std().item())
