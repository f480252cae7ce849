"""torchgan and pythae: adversarial and variational training by the libraries' trainers."""
import dataclasses
import sys
import types

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
try:
    import pydantic  # noqa: F401
except ImportError:  # pythae asks it for dataclasses alone
    pydantic, inner = types.ModuleType("pydantic"), types.ModuleType("pydantic.dataclasses")
    pydantic.ValidationError, inner.dataclass, pydantic.dataclasses = ValueError, dataclasses.dataclass, inner
    sys.modules.update({"pydantic": pydantic, "pydantic.dataclasses": inner})


def _pictures():
    return DataLoader(TensorDataset(torch.randn(64, 1, 32, 32).tanh(), torch.randint(0, 4, (64,))), batch_size=16, shuffle=True, drop_last=True)


def _gan(losses, generator=None, discriminator=None, given=None, judged=None, epochs=2, **options):
    from torchgan.models import DCGANDiscriminator, DCGANGenerator
    from torchgan.trainer import Trainer
    given = {"encoding_dims": 16, "out_channels": 1, "step_channels": 8, "last_nonlinearity": nn.Tanh(), **(given or {})}
    judged = {"in_channels": 1, "step_channels": 8, "last_nonlinearity": nn.LeakyReLU(0.2), **(judged or {})}
    adam = {"name": torch.optim.Adam, "args": {"lr": 1e-4, "betas": (0.5, 0.999)}}
    network = {"generator": {"name": generator or DCGANGenerator, "args": given, "optimizer": adam, "scheduler": {"name": torch.optim.lr_scheduler.StepLR, "args": {"step_size": 1}}}, "discriminator": {"name": discriminator or DCGANDiscriminator, "args": judged, "optimizer": adam}}
    trainer = Trainer(network, losses, sample_size=8, epochs=epochs, device=device, checkpoints="./model/gan", recon="./images", log_dir="./logs", **options)
    trainer(_pictures())
    trainer.complete()
    return trainer


def gan_minimax():
    from torchgan import losses as l
    _gan([l.MinimaxGeneratorLoss(), l.MinimaxDiscriminatorLoss()])
    _gan([l.MinimaxGeneratorLoss(nonsaturating=False), l.MinimaxDiscriminatorLoss()], ncritic=2)


def gan_squares():
    from torchgan import losses as l
    _gan([l.LeastSquaresGeneratorLoss(), l.LeastSquaresDiscriminatorLoss()], ncritic=-2)


def gan_wasserstein():
    from torchgan import losses as l
    _gan([l.WassersteinGeneratorLoss(), l.WassersteinDiscriminatorLoss(clip=(-0.01, 0.01))])
    _gan([l.WassersteinGeneratorLoss(), l.WassersteinDiscriminatorLoss(), l.WassersteinGradientPenalty()])


def gan_dragan():
    from torchgan import losses as l
    _gan([l.MinimaxGeneratorLoss(), l.MinimaxDiscriminatorLoss(), l.DraganGradientPenalty()])


def gan_history():
    from torchgan import losses as l
    _gan([l.MinimaxGeneratorLoss(), l.MinimaxDiscriminatorLoss(), l.HistoricalAverageGeneratorLoss(), l.HistoricalAverageDiscriminatorLoss()])


def gan_features():
    from torchgan import losses as l
    _gan([l.FeatureMatchingGeneratorLoss(), l.MinimaxDiscriminatorLoss()])


def gan_conditional():
    from torchgan import losses as l
    from torchgan.models import ConditionalGANDiscriminator, ConditionalGANGenerator
    _gan([l.MinimaxGeneratorLoss(), l.MinimaxDiscriminatorLoss()], ConditionalGANGenerator, ConditionalGANDiscriminator, {"num_classes": 4}, {"num_classes": 4}, test_noise=[torch.randn(8, 16, device=device), torch.randint(0, 4, (8,), device=device)])


def gan_auxiliary():
    from torchgan import losses as l
    from torchgan.models import ACGANDiscriminator, ACGANGenerator
    _gan([l.MinimaxGeneratorLoss(), l.MinimaxDiscriminatorLoss(), l.AuxiliaryClassifierGeneratorLoss(), l.AuxiliaryClassifierDiscriminatorLoss()], ACGANGenerator, ACGANDiscriminator, {"num_classes": 4}, {"num_classes": 4}, test_noise=[torch.randn(8, 16, device=device), torch.randint(0, 4, (8,), device=device)])


def gan_boundary():
    from torchgan import losses as l
    from torchgan.models import AutoEncodingDiscriminator, AutoEncodingGenerator
    _gan([l.BoundaryEquilibriumGeneratorLoss(), l.BoundaryEquilibriumDiscriminatorLoss()], AutoEncodingGenerator, AutoEncodingDiscriminator, {}, {"encoding_dims": 16, "last_nonlinearity": nn.Tanh()})


def gan_energy():
    from torchgan import losses as l
    from torchgan.models import AutoEncodingDiscriminator
    _gan([l.EnergyBasedGeneratorLoss(), l.EnergyBasedDiscriminatorLoss(), l.EnergyBasedPullingAwayTerm()], None, AutoEncodingDiscriminator, {}, {"encoding_dims": 16, "energy": True, "embeddings": True})


def gan_information():
    from torchgan import losses as l
    from torchgan.models import InfoGANDiscriminator, InfoGANGenerator
    codes = {"dim_dis": 4, "dim_cont": 2}
    _gan([l.MinimaxGeneratorLoss(), l.MinimaxDiscriminatorLoss(), l.MutualInformationPenalty()], InfoGANGenerator, InfoGANDiscriminator, codes, codes,
         test_noise=[torch.randn(8, 16, device=device), torch.zeros(8, 4, device=device), torch.randn(8, 2, device=device)], dis_code=torch.zeros(16, 4, device=device), cont_code=torch.randn(16, 2, device=device))


def gan_score():
    from torchgan import losses as l
    from torchgan.metrics import ClassifierScore
    classifier = nn.Sequential(nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(16, 4)).to(device)
    trainer = _gan([l.MinimaxGeneratorLoss(), l.MinimaxDiscriminatorLoss()], metrics_list=[ClassifierScore(classifier=classifier, sample_size=16)])
    trainer.load_model("./model/gan1.model")
    score = ClassifierScore(classifier=classifier)
    for _ in range(2):
        print(score(torch.randn(16, 1, 32, 32, device=device)).item())


def gan_layers():
    from torchgan import layers as y
    for make in (lambda: y.SpectralNorm2d(nn.Conv2d(8, 8, 3, padding=1)), lambda: y.MinibatchDiscrimination1d(8 * 64, 4), lambda: y.SelfAttention2d(8), lambda: y.VirtualBatchNorm(8), lambda: y.ResidualBlock2d([8, 8, 8], [3, 3], paddings=[1, 1])):
        try:
            layer = make().to(device)
            for _ in range(3):
                x = torch.randn(4, 8, 8, 8, device=device)
                out = layer(x.flatten(1) if isinstance(layer, y.MinibatchDiscrimination1d) else x)
                (out[0] if isinstance(out, tuple) else out).sum().backward()
        except Exception as error:
            print(make, type(error).__name__, error)


data = torch.rand(96, 1, 16, 16)


def _train(model, kind=None, **options):
    from pythae.pipelines import TrainingPipeline
    from pythae.trainers import BaseTrainerConfig
    config = (kind or BaseTrainerConfig)(output_dir="vae", num_epochs=options.pop("num_epochs", 2), learning_rate=1e-3, per_device_train_batch_size=16, per_device_eval_batch_size=16, **options)
    TrainingPipeline(training_config=config, model=model)(train_data=data, eval_data=data[:32])
    return model


def _models(*pairs, **options):
    for make in pairs:
        try:
            _train(make(), **options)
        except Exception as error:
            print(make, type(error).__name__, error)


def vae_plain():
    from pythae.models import AE, VAE, AEConfig, VAEConfig
    _train(AE(AEConfig(input_dim=(1, 16, 16), latent_dim=4)))
    model = _train(VAE(VAEConfig(input_dim=(1, 16, 16), latent_dim=4)), steps_saving=1, steps_predict=1, scheduler_cls="ReduceLROnPlateau", scheduler_params={"patience": 1})
    for _ in range(2):
        model.reconstruct(data[:8].to(device))
        model.embed(data[:8].to(device))
        model.interpolate(data[:4].to(device), data[4:8].to(device))


def vae_kinds():
    from pythae import models as m
    size = dict(input_dim=(1, 16, 16), latent_dim=4)
    _models(lambda: m.BetaVAE(m.BetaVAEConfig(beta=2.0, **size)), lambda: m.DisentangledBetaVAE(m.DisentangledBetaVAEConfig(warmup_epoch=1, **size)), lambda: m.BetaTCVAE(m.BetaTCVAEConfig(**size)), lambda: m.WAE_MMD(m.WAE_MMD_Config(**size)), lambda: m.INFOVAE_MMD(m.INFOVAE_MMD_Config(**size)),
            lambda: m.RAE_GP(m.RAE_GP_Config(**size)), lambda: m.SVAE(m.SVAEConfig(**size)), lambda: m.PoincareVAE(m.PoincareVAEConfig(**size)))


def vae_weighted():
    from pythae import models as m
    size = dict(input_dim=(1, 16, 16), latent_dim=4)
    _models(lambda: m.IWAE(m.IWAEConfig(number_samples=3, **size)), lambda: m.MIWAE(m.MIWAEConfig(number_gradient_estimates=2, number_samples=2, **size)), lambda: m.CIWAE(m.CIWAEConfig(number_samples=3, **size)), lambda: m.VAE_LinNF(m.VAE_LinNF_Config(flows=["Planar", "Radial"], **size)), lambda: m.VAE_IAF(m.VAE_IAF_Config(n_made_blocks=2, **size)))


def vae_geometric():
    from pythae import models as m
    size = dict(input_dim=(1, 16, 16), latent_dim=2)
    _models(lambda: m.HVAE(m.HVAEConfig(n_lf=2, **size)), lambda: m.RHVAE(m.RHVAEConfig(n_lf=2, **size)), lambda: m.VAMP(m.VAMPConfig(number_components=8, linear_scheduling_steps=1, **size)))


def vae_quantised():
    from pythae.models import VQVAE, VQVAEConfig
    for ema in (False, True):
        _train(VQVAE(VQVAEConfig(input_dim=(1, 16, 16), latent_dim=4, num_embeddings=16, use_ema=ema)))


def vae_adversarial():
    from pythae import models as m
    from pythae.trainers import AdversarialTrainerConfig, CoupledOptimizerAdversarialTrainerConfig, CoupledOptimizerTrainerConfig
    size = dict(input_dim=(1, 16, 16), latent_dim=4)
    _models(lambda: m.Adversarial_AE(m.Adversarial_AE_Config(**size)), lambda: m.FactorVAE(m.FactorVAEConfig(**size)), kind=AdversarialTrainerConfig)
    _models(lambda: m.VAEGAN(m.VAEGANConfig(**size)), kind=CoupledOptimizerAdversarialTrainerConfig)
    _models(lambda: m.RAE_L2(m.RAE_L2_Config(**size)), lambda: m.PIWAE(m.PIWAEConfig(number_gradient_estimates=2, number_samples=2, **size)), kind=CoupledOptimizerTrainerConfig)


def vae_amp():
    from pythae.models import VAE, VAEConfig
    _train(VAE(VAEConfig(input_dim=(1, 16, 16), latent_dim=4)), amp=True, optimizer_cls="AdamW", optimizer_params={"weight_decay": 0.05}, scheduler_cls="MultiStepLR", scheduler_params={"milestones": [1]}, keep_best_on_train=True)


def vae_samplers():
    from pythae import samplers as s
    from pythae.models import VAE, VAEConfig
    from pythae.trainers import BaseTrainerConfig
    model = _train(VAE(VAEConfig(input_dim=(1, 16, 16), latent_dim=4)))
    config = BaseTrainerConfig(output_dir="sampler", num_epochs=2, per_device_train_batch_size=32)
    for sampler in (s.NormalSampler(model), s.GaussianMixtureSampler(model, s.GaussianMixtureSamplerConfig(n_components=3)), s.TwoStageVAESampler(model), s.MAFSampler(model, s.MAFSamplerConfig(n_made_blocks=2, n_hidden_in_made=1, hidden_size=16)), s.IAFSampler(model, s.IAFSamplerConfig(n_made_blocks=2, n_hidden_in_made=1, hidden_size=16))):
        try:
            if isinstance(sampler, s.GaussianMixtureSampler):
                sampler.fit(data)
            elif not isinstance(sampler, s.NormalSampler):
                sampler.fit(data, data[:32], config)
            print(sampler.sample(num_samples=20, batch_size=8).shape)
            sampler.sample(num_samples=10, batch_size=4, output_dir="made", return_gen=False)
        except Exception as error:
            print(type(sampler).__name__, type(error).__name__, error)


def vae_own_samplers():
    from pythae import models as m
    from pythae import samplers as s
    from pythae.trainers import BaseTrainerConfig
    size = dict(input_dim=(1, 16, 16), latent_dim=2)
    vamp = _train(m.VAMP(m.VAMPConfig(number_components=8, **size)))
    s.VAMPSampler(vamp).sample(num_samples=12, batch_size=4)
    vq = _train(m.VQVAE(m.VQVAEConfig(num_embeddings=16, **size)))
    pixel = s.PixelCNNSampler(vq, s.PixelCNNSamplerConfig(n_layers=2))
    pixel.fit(data, data[:32], BaseTrainerConfig(output_dir="pixel", num_epochs=2, per_device_train_batch_size=32))
    pixel.sample(num_samples=6, batch_size=3)
    hyper = _train(m.SVAE(m.SVAEConfig(**size)))
    s.HypersphereUniformSampler(hyper).sample(num_samples=12, batch_size=4)


def vae_manifold():
    from pythae import models as m
    from pythae import samplers as s
    model = _train(m.RHVAE(m.RHVAEConfig(input_dim=(1, 16, 16), latent_dim=2, n_lf=2)))
    s.RHVAESampler(model, s.RHVAESamplerConfig(n_lf=3, mcmc_steps_nbr=4)).sample(num_samples=6, batch_size=3)
    disk = _train(m.PoincareVAE(m.PoincareVAEConfig(input_dim=(1, 16, 16), latent_dim=2)))
    s.PoincareDiskSampler(disk).sample(num_samples=6, batch_size=3)


def vae_likelihood():
    from pythae import models as m
    size = dict(input_dim=(1, 16, 16), latent_dim=4)
    for model in (m.VAE(m.VAEConfig(**size)), m.BetaVAE(m.BetaVAEConfig(**size)), m.IWAE(m.IWAEConfig(number_samples=2, **size))):
        try:
            print(model.to(device).eval().get_nll(data[:4].to(device), n_samples=20, batch_size=10))
        except Exception as error:
            print(type(model).__name__, type(error).__name__, error)
