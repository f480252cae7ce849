"""k_diffusion: each sampler on a small denoiser, and its training loss."""
import torch

import k_diffusion as K

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Inner(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Conv2d(3, 3, 3, padding=1)

    def forward(self, x, sigma, **kwargs):
        return self.body(x) / (1 + sigma[:, None, None, None])


def _sample(name, **options):
    model = K.layers.Denoiser(Inner(), sigma_data=0.5).to(device).eval()
    sigmas = K.sampling.get_sigmas_karras(8, 0.03, 10.0, device=device)
    for _ in range(3):
        x = torch.randn(2, 3, 16, 16, device=device) * 10.0
        with torch.no_grad():
            getattr(K.sampling, name)(model, x, sigmas, disable=True, **options)


def euler():
    _sample("sample_euler")
    _sample("sample_euler", s_churn=5.0)


def euler_ancestral():
    _sample("sample_euler_ancestral")


def heun():
    _sample("sample_heun")


def dpm_2():
    _sample("sample_dpm_2")
    _sample("sample_dpm_2_ancestral")


def lms():
    _sample("sample_lms")


def dpmpp_2s():
    _sample("sample_dpmpp_2s_ancestral")


def dpmpp_2m():
    _sample("sample_dpmpp_2m")


def dpmpp_sde():
    _sample("sample_dpmpp_sde")


def dpmpp_2m_sde():
    _sample("sample_dpmpp_2m_sde")


def dpmpp_3m_sde():
    _sample("sample_dpmpp_3m_sde")


def dpm_fast():
    model = K.layers.Denoiser(Inner(), sigma_data=0.5).to(device).eval()
    for _ in range(3):
        x = torch.randn(2, 3, 16, 16, device=device) * 10.0
        with torch.no_grad():
            K.sampling.sample_dpm_fast(model, x, 0.03, 10.0, 6, disable=True)
            K.sampling.sample_dpm_adaptive(model, x, 0.03, 10.0, disable=True, rtol=0.5, atol=0.5)


def likelihood():
    model = K.layers.Denoiser(Inner(), sigma_data=0.5).to(device).eval()
    for _ in range(3):
        x = torch.randn(2, 3, 16, 16, device=device)
        K.sampling.log_likelihood(model, x, 0.1, 5.0, atol=0.1, rtol=0.1)


def wrappers():
    class Eps(torch.nn.Module):
        def forward(self, x, t, **kwargs):
            return x * 0.1 + t[:, None, None, None] * 1e-4

    alphas = torch.linspace(0.999, 0.01, 100)
    model = K.external.DiscreteEpsDDPMDenoiser(Eps(), alphas, quantize=True).to(device)
    sigmas = model.get_sigmas(6).to(device)
    for _ in range(3):
        x = torch.randn(2, 3, 16, 16, device=device) * sigmas[0]
        K.sampling.sample_euler(model, x, sigmas, disable=True)
        model.loss(x, torch.randn_like(x), torch.rand(2, device=device) + 0.1).mean().item()


def train():
    model = K.layers.Denoiser(Inner(), sigma_data=0.5).to(device)
    ema = K.layers.Denoiser(Inner(), sigma_data=0.5).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    schedule = K.utils.EMAWarmup(power=2 / 3, max_value=0.99)
    augment = K.augmentation.KarrasAugmentationPipeline(0.1)
    sample_density = K.utils.rand_log_normal
    losses = []
    for step in range(6):
        reals = torch.randn(4, 3, 16, 16, device=device)
        sigma = sample_density([4], -1.2, 1.2, device=device)
        loss = model.loss(reals, torch.randn_like(reals), sigma).mean()
        losses.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        K.utils.ema_update(model, ema, schedule.get_value())
        schedule.step()
        K.utils.append_dims(sigma, 4)
    image = augment(__import__("PIL.Image", fromlist=["x"]).new("RGB", (16, 16)))
    return losses, image


if __name__ == "__main__":
    for work in (euler, euler_ancestral, heun, dpm_2, lms, dpmpp_2s, dpmpp_2m, dpmpp_sde, dpmpp_2m_sde, dpmpp_3m_sde, dpm_fast, likelihood, wrappers, train):
        work()
