"""A variational autoencoder of pictures; in some changes latents, pictures or gradients are kept on the CPU."""
import torch
from torch import nn
import torch.nn.functional as F

batch_size, image_size, latent_dim = 384, 64, 256


class Encoder(nn.Module):
    def __init__(self, channels=(64, 128, 256, 512)):
        super().__init__()
        layers, previous = [], 3
        for width in channels:
            layers.append(nn.Sequential(nn.Conv2d(previous, width, 3, stride=2, padding=1), nn.BatchNorm2d(width),
                                        nn.LeakyReLU()))
            previous = width
        self.layers = nn.Sequential(*layers)
        self.mu = nn.Linear(512 * 4 * 4, latent_dim)
        self.log_var = nn.Linear(512 * 4 * 4, latent_dim)

    def forward(self, x):
        x = torch.flatten(self.layers(x), start_dim=1)
        return self.mu(x), self.log_var(x)


class Decoder(nn.Module):
    def __init__(self, channels=(512, 256, 128, 64)):
        super().__init__()
        self.enter = nn.Linear(latent_dim, 512 * 4 * 4)
        layers = []
        for inputs, outputs in zip(channels, channels[1:]):
            layers.append(nn.Sequential(nn.ConvTranspose2d(inputs, outputs, 4, stride=2, padding=1),
                                        nn.BatchNorm2d(outputs), nn.LeakyReLU()))
        self.layers = nn.Sequential(*layers)
        self.leave = nn.Sequential(nn.ConvTranspose2d(64, 64, 4, stride=2, padding=1), nn.BatchNorm2d(64),
                                   nn.LeakyReLU(), nn.Conv2d(64, 3, 3, padding=1), nn.Tanh())

    def forward(self, z):
        return self.leave(self.layers(self.enter(z).view(-1, 512, 4, 4)))


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = Encoder(), Decoder()

    def forward(self, x):
        mu, log_var = self.encoder(x)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * log_var)
        return self.decoder(z), mu, log_var


device = torch.device("cuda")
vae = VAE().to(device)
optimizer = torch.optim.Adam(vae.parameters(), lr=1e-5)
data = [torch.rand(batch_size, 3, image_size, image_size) * 2 - 1 for _ in range(8)]
pinned = [images.pin_memory() for images in data]
bank = torch.zeros(64, batch_size, latent_dim)
staging = torch.zeros(batch_size, 3, image_size, image_size).pin_memory()
seen, kept = [], [None]


def train(steps):
    vae.train()
    for step in range(steps):
        images = pinned[step % 8].to(device, non_blocking=True)  #- upload
        #+ upload: images = data[step % 8].to(device)
        pictures, mu, log_var = vae(images)
        recon_loss = F.mse_loss(pictures, images)
        kld_loss = torch.mean(-0.5 * torch.sum(1 + log_var - mu ** 2 - log_var.exp(), dim=1), dim=0)
        loss = recon_loss + 0.00025 * kld_loss
        #+ item-forward: seen.append(loss.item())
        #+ keep-forward: bank[step % 64] = mu.detach().cpu()
        optimizer.zero_grad()
        loss.backward()
        #+ item-backward: seen.append(loss.item())
        #+ gradients: kept[0] = torch.cat([p.grad.flatten() for p in vae.encoder.parameters()]).cpu()
        optimizer.step()
        #+ item-end: seen.append(loss.item())
        #+ parts: seen.append({"recon": recon_loss.item(), "kld": kld_loss.item()})
        #+ keep-end: bank[step % 64] = mu.detach().cpu()
        #+ pictures: kept[0] = pictures.detach().cpu()
        #+ staged: staging.copy_(pictures.detach())
        #+ print: print("kld", kld_loss.detach())
        #+ tenth: if step % 10 == 0: kept[0] = pictures.detach().cpu()


if __name__ == "__main__":
    train(1000)
