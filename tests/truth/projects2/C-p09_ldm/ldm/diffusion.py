import torch
import torch.nn.functional as F


class Diffusion:
    def __init__(self, timesteps, param="v", min_snr_gamma=5.0, device="cuda"):
        s = 0.008
        x = torch.linspace(0, timesteps, timesteps + 1, dtype=torch.float64)
        f = torch.cos((x / timesteps + s) / (1 + s) * torch.pi * 0.5) ** 2
        betas = (1 - f[1:] / f[:-1]).clamp(max=0.999)
        self.acp = torch.cumprod(1 - betas, 0).float().to(device)
        self.T, self.param, self.gamma, self.device = timesteps, param, min_snr_gamma, device

    def coef(self, t):
        a = self.acp[t].view(-1, 1, 1, 1)
        return a.sqrt(), (1 - a).sqrt()

    def q_sample(self, x0, t, noise):
        a, s = self.coef(t)
        return a * x0 + s * noise

    def predict(self, out, x, t):
        """model output -> (x0, eps)"""
        a, s = self.coef(t)
        if self.param == "v":
            return a * x - s * out, s * x + a * out
        return (x - s * out) / a, out

    def loss(self, model, x0, y, t=None):
        if t is None:
            t = torch.randint(0, self.T, (x0.size(0),), device=x0.device)
        noise = torch.randn_like(x0)
        xt = self.q_sample(x0, t, noise)
        out = model(xt, t, y).float()
        a, s = self.coef(t)
        target = a * noise - s * x0 if self.param == "v" else noise
        per = F.mse_loss(out, target, reduction="none").mean((1, 2, 3))
        snr = self.acp[t] / (1 - self.acp[t])
        w = snr.clamp(max=self.gamma) / (snr + 1 if self.param == "v" else snr)
        return (w * per).mean(), per.detach(), t

    @torch.no_grad()
    def ddim(self, model, shape, y, null, steps=50, guidance=1.0, eta=0.0, generator=None, callback=None):
        x = torch.randn(shape, device=self.device, generator=generator)
        seq = torch.linspace(self.T - 1, 0, steps).round().long().tolist()
        for i, ti in enumerate(seq):
            t = torch.full((shape[0],), ti, device=self.device, dtype=torch.long)
            if guidance != 1.0:
                o = model(torch.cat([x, x]), torch.cat([t, t]), torch.cat([y, torch.full_like(y, null)])).float()
                c, u = o.chunk(2)
                out = u + guidance * (c - u)
            else:
                out = model(x, t, y).float()
            x0, eps = self.predict(out, x, t)
            x0 = self.dynamic_threshold(x0)
            a = self.acp[ti]
            a_prev = self.acp[seq[i + 1]] if i + 1 < len(seq) else torch.tensor(1.0, device=self.device)
            sigma = eta * ((1 - a_prev) / (1 - a) * (1 - a / a_prev)).clamp(min=0).sqrt()
            x = a_prev.sqrt() * x0 + (1 - a_prev - sigma ** 2).clamp(min=0).sqrt() * eps
            if eta > 0:
                x = x + sigma * torch.randn_like(x)
            if callback is not None:
                callback(i, x)
        return x

    @staticmethod
    def dynamic_threshold(x0, p=0.995, floor=3.0):
        q = torch.quantile(x0.abs().flatten(1), p, dim=1).clamp(min=floor).view(-1, 1, 1, 1)
        return x0.clamp(-q, q)
