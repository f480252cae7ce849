import torch
import torch.nn as nn
import torch.nn.functional as F

from lit import LitModule


class ConvVAE(LitModule):
    def __init__(self, latent_dim=16, base=16, lr=2e-3, beta=1.0, warmup_epochs=2):
        super().__init__()
        self.save_hyperparameters(latent_dim=latent_dim, base=base, lr=lr, beta=beta, warmup_epochs=warmup_epochs)
        self.encoder = nn.Sequential(
            nn.Conv2d(1, base, 4, 2, 1), nn.SiLU(),
            nn.Conv2d(base, base * 2, 4, 2, 1), nn.SiLU(), nn.Flatten())
        self.fc_mu = nn.Linear(base * 2 * 49, latent_dim)
        self.fc_var = nn.Linear(base * 2 * 49, latent_dim)
        self.decoder_in = nn.Linear(latent_dim, base * 2 * 49)
        self.decoder = nn.Sequential(
            nn.ConvTranspose2d(base * 2, base, 4, 2, 1), nn.SiLU(),
            nn.ConvTranspose2d(base, 1, 4, 2, 1))

    def encode(self, x):
        h = self.encoder(x)
        return self.fc_mu(h), self.fc_var(h).clamp(-8, 8)

    def decode(self, z):
        return self.decoder(self.decoder_in(z).view(z.size(0), -1, 7, 7))

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp() if self.training else mu
        return self.decode(z), mu, logvar

    def _elbo(self, x):
        logits, mu, logvar = self(x)
        rec = F.binary_cross_entropy_with_logits(logits, x, reduction="none").flatten(1).sum(1).mean()
        kld = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
        return rec, kld

    def training_step(self, batch, batch_idx):
        x, _ = batch
        beta = self.hparams["beta"] * min(1.0, (self.current_epoch + 1) / self.hparams["warmup_epochs"])
        rec, kld = self._elbo(x)
        loss = rec + beta * kld
        self.log("train_loss", loss, on_step=True, prog_bar=True, batch_size=x.size(0))
        self.log_dict({"train_rec": rec, "train_kld": kld, "beta": beta}, batch_size=x.size(0))
        return {"loss": loss, "rec": rec.detach()}

    def on_validation_epoch_start(self):
        self.codes, self.labels = [], []

    def validation_step(self, batch, batch_idx):
        x, y = batch
        rec, kld = self._elbo(x)
        self.log("val_loss", rec + kld, batch_size=x.size(0))
        self.codes.append(self.encode(x)[0].float())
        self.labels.append(y)

    def on_validation_epoch_end(self):
        z = torch.cat(self.codes)
        y = torch.cat(self.labels)
        d = torch.cdist(z, z)
        d.fill_diagonal_(float("inf"))
        knn_acc = (y[d.argmin(1)] == y).float().mean()
        active = (z.var(0) > 1e-2).sum()
        self.log("val_knn", knn_acc)
        self.log("val_active_units", active)

    def configure_optimizers(self):
        opt = torch.optim.AdamW(self.parameters(), lr=self.hparams["lr"])
        sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=self.trainer.max_epochs)
        return {"optimizer": opt, "lr_scheduler": sched}

    @torch.no_grad()
    def sample(self, n):
        self.eval()
        z = torch.randn(n, self.hparams["latent_dim"], device=self.device)
        return torch.sigmoid(self.decode(z)).cpu().numpy()
