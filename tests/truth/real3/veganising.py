"""vegans: its generative models trained by their own fit."""
import os

import numpy as np
import torch
from torch import nn
from torch.utils.data import dataloader

device = "cuda" if torch.cuda.is_available() else "cpu"
if not hasattr(dataloader._BaseDataLoaderIter, "next"):  # gone since; the library asks for it
    dataloader._BaseDataLoaderIter.next = lambda self: next(self)
SIZE, Z, CLASSES = (1, 8, 8), 8, 4


def _pictures(n=96):
    rng = np.random.default_rng(0)
    labels = np.eye(CLASSES, dtype=np.float32)[rng.integers(0, CLASSES, n)]
    return rng.random((n, *SIZE)).astype(np.float32), labels


def _generator(into=Z):
    from vegans.utils.layers import LayerReshape
    return nn.Sequential(nn.Linear(into, 64), nn.LeakyReLU(0.2), nn.BatchNorm1d(64), nn.Linear(64, 64), LayerReshape(SIZE), nn.Sigmoid())


def _judge(into=64, out=1, last=nn.Sigmoid):
    return nn.Sequential(nn.Flatten(), nn.Linear(into, 64), nn.LeakyReLU(0.2), nn.Linear(64, out), last())


def _encoder(into=64, out=32):
    return nn.Sequential(nn.Flatten(), nn.Linear(into, 64), nn.LeakyReLU(0.2), nn.Linear(64, out))


def _autoencoder(into=64):
    from vegans.utils.layers import LayerReshape
    return nn.Sequential(nn.Flatten(), nn.Linear(into, 32), nn.LeakyReLU(0.2), nn.Linear(32, 64), LayerReshape(SIZE), nn.Identity())


def _fit(model, labels=False, **options):
    x, y = _pictures()
    options = {"epochs": 2, "batch_size": 16, "print_every": 3, "save_losses_every": 2, **options}
    if labels:
        model.fit(x, y, x[:32], y[:32], **options)
    else:
        model.fit(x, x[:32], **options)
    samples, losses = model.get_training_results(by_epoch=False)
    print(type(model).__name__, samples.shape, {k: float(np.mean(v)) for k, v in losses["Train"].items()}, model.get_number_params())
    return model


def _plain(kind, last=nn.Sigmoid, fitting=None, **options):
    model = kind(generator=_generator(), adversary=_judge(last=last), x_dim=SIZE, z_dim=Z, folder=None, device=device, **options)
    _fit(model, **(fitting or {}))
    print(model.generate(n=6).shape)
    return model


def vanilla():
    from vegans.GAN import VanillaGAN
    _plain(VanillaGAN, optim={"Generator": torch.optim.RMSprop, "Adversary": torch.optim.Adam}, optim_kwargs={"Generator": {"lr": 1e-4}, "Adversary": {"lr": 1e-4}}, fitting={"steps": {"Adversary": 2, "Generator": 1}})


def saved():
    from vegans.GAN import VanillaGAN
    model = VanillaGAN(generator=_generator(), adversary=_judge(), x_dim=SIZE, z_dim=Z, folder=os.path.join(os.getcwd(), "vegan"), device=device, fixed_noise_size=9)
    _fit(model, save_model_every="1e", save_images_every="0.5e", save_losses_every="0.25e", enable_tensorboard=True, epochs=3)
    model.summary(save=True)
    model.save()


def least_squares():
    from vegans.GAN import LSGAN
    _plain(LSGAN)


def kullback_leibler():
    from vegans.GAN import KLGAN
    _plain(KLGAN)


def wasserstein():
    from vegans.GAN import WassersteinGAN
    _plain(WassersteinGAN, nn.Identity, {"steps": {"Adversary": 3, "Generator": 1}})


def gradient_penalty():
    from vegans.GAN import WassersteinGANGP
    _plain(WassersteinGANGP, nn.Identity)


def features():
    from vegans.GAN import VanillaGAN
    judge = _judge()
    model = VanillaGAN(generator=_generator(), adversary=judge, x_dim=SIZE, z_dim=Z, folder=None, device=device, feature_layer=judge[:3])
    _fit(model)


def energy():
    from vegans.GAN import EBGAN
    _fit(EBGAN(generator=_generator(), adversary=_autoencoder(), x_dim=SIZE, z_dim=Z, m=0.4, folder=None, device=device))


def adversarial_autoencoder():
    from vegans.GAN import AAE
    _fit(AAE(generator=_generator(), adversary=_judge(Z), encoder=_encoder(out=Z), x_dim=SIZE, z_dim=Z, folder=None, device=device))
    _fit(AAE(generator=_generator(), adversary=_judge(Z, last=nn.Identity), encoder=_encoder(out=Z), x_dim=SIZE, z_dim=Z, adv_type="Critic", folder=None, device=device))


def latent_regressor():
    from vegans.GAN import LRGAN
    _fit(LRGAN(generator=_generator(), adversary=_judge(), encoder=_encoder(out=Z), x_dim=SIZE, z_dim=Z, folder=None, device=device))


def bicycle():
    from vegans.GAN import BicycleGAN
    _fit(BicycleGAN(generator=_generator(), adversary=_judge(), encoder=_encoder(), x_dim=SIZE, z_dim=Z, folder=None, device=device))


def variational():
    from vegans.GAN import VanillaVAE
    _fit(VanillaVAE(encoder=_encoder(), decoder=_generator(), x_dim=SIZE, z_dim=Z, folder=None, device=device))


def variational_adversarial():
    from vegans.GAN import VAEGAN
    _fit(VAEGAN(generator=_generator(), adversary=_judge(), encoder=_encoder(), x_dim=SIZE, z_dim=Z, folder=None, device=device))


def information():
    from vegans.GAN import InfoGAN
    model = InfoGAN(generator=_generator(Z + 7), adversary=_judge(), encoder=_encoder(), x_dim=SIZE, z_dim=Z, c_dim_discrete=[5], c_dim_continuous=2, folder=None, device=device)
    _fit(model, epochs=2)
    for _ in range(2):
        print(model.generate(c=model.sample_c(n=4)).shape)


def _given(kind, last=nn.Sigmoid, into=None, judge=None, **nets):
    into = into or Z + CLASSES
    model = kind(generator=_generator(into), adversary=judge or _judge(64 * (1 + CLASSES), last=last), x_dim=SIZE, z_dim=Z, y_dim=(CLASSES,), folder=None, device=device, **nets)
    _fit(model, True)
    print(model.generate(y=np.eye(CLASSES, dtype=np.float32)).shape)


def given_labels():
    from vegans import GAN as g
    for kind, last in ((g.ConditionalVanillaGAN, nn.Sigmoid), (g.ConditionalLSGAN, nn.Sigmoid), (g.ConditionalKLGAN, nn.Sigmoid), (g.ConditionalWassersteinGAN, nn.Identity), (g.ConditionalWassersteinGANGP, nn.Identity)):
        try:
            _given(kind, last)
        except Exception as error:
            print(kind.__name__, type(error).__name__, error)


def given_labels_encoders():
    from vegans import GAN as g
    wide = 64 * (1 + CLASSES)
    for kind, out in ((g.ConditionalBicycleGAN, 32), (g.ConditionalLRGAN, Z), (g.ConditionalVAEGAN, 32)):
        try:
            _given(kind, encoder=_encoder(wide, out))
        except Exception as error:
            print(kind.__name__, type(error).__name__, error)
    try:
        _given(g.ConditionalAAE, judge=_judge(Z), encoder=_encoder(wide, Z))
    except Exception as error:
        print("ConditionalAAE", type(error).__name__, error)


def given_labels_information():
    from vegans.GAN import ConditionalInfoGAN
    model = ConditionalInfoGAN(generator=_generator(Z + 7 + CLASSES), adversary=_judge(64 * (1 + CLASSES)), encoder=_encoder(64 * (1 + CLASSES)), x_dim=SIZE, z_dim=Z, y_dim=(CLASSES,), c_dim_discrete=[5], c_dim_continuous=2, folder=None, device=device)
    _fit(model, True)


def given_labels_variational():
    from vegans.GAN import ConditionalVanillaVAE
    model = ConditionalVanillaVAE(encoder=_encoder(64 * (1 + CLASSES)), decoder=_generator(Z + CLASSES), x_dim=SIZE, z_dim=Z, y_dim=(CLASSES,), folder=None, device=device)
    _fit(model, True)


def _conv(into, out=1, last=nn.Sigmoid, flat=False):
    layers = [nn.Conv2d(into, 8, 3, padding=1), nn.LeakyReLU(0.2), nn.Conv2d(8, out, 3, padding=1)]
    return nn.Sequential(*layers, *([nn.Flatten(), nn.Linear(64 * out, 1)] if flat else []), last())


def _translate(model):
    x, _ = _pictures()
    y = np.ascontiguousarray(x.transpose(0, 1, 3, 2))
    model.fit(x, y, x[:32], y[:32], epochs=2, batch_size=32, print_every=2, save_losses_every=1)
    print(type(model).__name__, {k: float(np.mean(v)) for k, v in model.get_losses()["Train"].items()})


def pictures_to_pictures():
    from vegans.GAN import ConditionalPix2Pix
    _translate(ConditionalPix2Pix(generator=_conv(Z + 1), adversary=_conv(2, flat=True), x_dim=SIZE, z_dim=Z, y_dim=SIZE, folder=None, device=device))


def cycles():
    from vegans.GAN import ConditionalCycleGAN
    _translate(ConditionalCycleGAN(generatorX_Y=_conv(Z + 1), adversaryX_Y=_conv(2, flat=True), generatorY_X=_conv(Z + 1), adversaryY_X=_conv(2, flat=True), x_dim=SIZE, z_dim=Z, y_dim=SIZE, folder=None, device=device))
