"""A Wasserstein GAN with gradient penalty: critic and generator with an optimizer each, a gradient of a gradient."""
import torch
from torch import autograd, nn, optim

opt = {"batch_size": 48, "latent_dim": 128, "img_size": 64, "channels": 3, "lambda_gp": 10.0, "n_critic": 1, "lr": 1e-7}
cuda = torch.device("cuda")


class ResBlockG(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.bn1, self.bn2 = nn.BatchNorm2d(n_in), nn.BatchNorm2d(n_out)
        self.conv1, self.conv2 = nn.Conv2d(n_in, n_out, 3, padding=1), nn.Conv2d(n_out, n_out, 3, padding=1)
        self.skip = nn.Conv2d(n_in, n_out, 1)
        self.up = nn.Upsample(scale_factor=2)

    def forward(self, x):
        h = self.conv1(self.up(torch.relu(self.bn1(x))))
        return self.conv2(torch.relu(self.bn2(h))) + self.skip(self.up(x))


class Generator(nn.Module):
    def __init__(self, ch=256):
        super().__init__()
        self.ch = ch
        self.fc = nn.Linear(opt["latent_dim"], ch * 4 * 4)
        self.blocks = nn.Sequential(ResBlockG(ch, ch), ResBlockG(ch, ch), ResBlockG(ch, ch), ResBlockG(ch, ch))
        self.out = nn.Sequential(nn.BatchNorm2d(ch), nn.ReLU(), nn.Conv2d(ch, opt["channels"], 3, padding=1), nn.Tanh())

    def forward(self, z):
        return self.out(self.blocks(self.fc(z).view(z.size(0), self.ch, 4, 4)))


class Critic(nn.Module):
    def __init__(self, ch=128):
        super().__init__()
        self.model = nn.Sequential(
            nn.Conv2d(opt["channels"], ch, 3, padding=1), nn.LeakyReLU(0.2),
            nn.Conv2d(ch, ch, 4, stride=2, padding=1), nn.LeakyReLU(0.2),
            nn.Conv2d(ch, ch * 2, 4, stride=2, padding=1), nn.LeakyReLU(0.2),
            nn.Conv2d(ch * 2, ch * 4, 4, stride=2, padding=1), nn.LeakyReLU(0.2),
            nn.Conv2d(ch * 4, ch * 4, 4, stride=2, padding=1), nn.LeakyReLU(0.2),
            nn.Flatten(), nn.Linear(ch * 4 * 4 * 4, 1))

    def forward(self, img):
        return self.model(img)


def gradient_penalty(critic, real, fake):
    alpha = torch.rand(real.size(0), 1, 1, 1, device=real.device)
    mixed = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    score = critic(mixed)
    gradients = autograd.grad(outputs=score, inputs=mixed, grad_outputs=torch.ones_like(score),
                              create_graph=True, retain_graph=True)[0]
    return ((gradients.flatten(1).norm(2, dim=1) - 1) ** 2).mean()


generator, critic = Generator().to(cuda), Critic().to(cuda)
optimizer_G = optim.Adam(generator.parameters(), lr=opt["lr"], betas=(0.0, 0.9))
optimizer_C = optim.Adam(critic.parameters(), lr=opt["lr"], betas=(0.0, 0.9))
faces = [torch.rand(opt["batch_size"], opt["channels"], opt["img_size"], opt["img_size"]) * 2 - 1 for _ in range(8)]
faces_pinned = [f.pin_memory() for f in faces]
history, samples = [], [None]


def train(steps):
    for i in range(steps):
        real = faces_pinned[i % 8].to(cuda, non_blocking=True)  #- upload
        #+ upload: real = faces[i % 8].to(cuda)
        optimizer_C.zero_grad()
        z = torch.randn(real.size(0), opt["latent_dim"], device=cuda)
        fake = generator(z).detach()
        penalty = gradient_penalty(critic, real, fake)
        distance = critic(real).mean() - critic(fake).mean()
        c_loss = -distance + opt["lambda_gp"] * penalty
        #+ penalty: history.append(penalty.item())
        c_loss.backward()
        #+ item-critic: history.append(c_loss.item())
        optimizer_C.step()
        optimizer_G.zero_grad()
        generated = generator(torch.randn(real.size(0), opt["latent_dim"], device=cuda))
        g_loss = -critic(generated).mean()
        #+ item-generator: history.append(g_loss.item())
        g_loss.backward()
        optimizer_G.step()
        #+ item-end: history.append(g_loss.item())
        #+ wasserstein: history.append((distance.item(), penalty.item(), g_loss.item()))
        #+ line: print("[Batch %d] [D loss: %f] [G loss: %f]" % (i, c_loss.item(), g_loss.item()))
        #+ samples: samples[0] = generated[:16].detach().cpu()
        #+ all: samples[0] = generated.detach().mul(0.5).add(0.5).cpu().numpy()
        #+ print: print("distance", distance.detach())
        #+ tenth: if i % 10 == 0: history.append(distance.item())


if __name__ == "__main__":
    train(1000)
