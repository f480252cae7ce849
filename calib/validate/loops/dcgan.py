"""A DCGAN: two networks and two optimizers in a step."""
import torch
import torch.nn as nn

batch_size, nz, ngf, ndf, image_size = 128, 100, 128, 128, 64
device = torch.device("cuda:0")

netG = nn.Sequential(
    nn.ConvTranspose2d(nz, ngf * 8, 4, 1, 0, bias=False), nn.BatchNorm2d(ngf * 8), nn.ReLU(True),
    nn.ConvTranspose2d(ngf * 8, ngf * 4, 4, 2, 1, bias=False), nn.BatchNorm2d(ngf * 4), nn.ReLU(True),
    nn.ConvTranspose2d(ngf * 4, ngf * 2, 4, 2, 1, bias=False), nn.BatchNorm2d(ngf * 2), nn.ReLU(True),
    nn.ConvTranspose2d(ngf * 2, ngf, 4, 2, 1, bias=False), nn.BatchNorm2d(ngf), nn.ReLU(True),
    nn.ConvTranspose2d(ngf, 3, 4, 2, 1, bias=False), nn.Tanh()).to(device)
netD = nn.Sequential(
    nn.Conv2d(3, ndf, 4, 2, 1, bias=False), nn.LeakyReLU(0.2, inplace=True),
    nn.Conv2d(ndf, ndf * 2, 4, 2, 1, bias=False), nn.BatchNorm2d(ndf * 2), nn.LeakyReLU(0.2, inplace=True),
    nn.Conv2d(ndf * 2, ndf * 4, 4, 2, 1, bias=False), nn.BatchNorm2d(ndf * 4), nn.LeakyReLU(0.2, inplace=True),
    nn.Conv2d(ndf * 4, ndf * 8, 4, 2, 1, bias=False), nn.BatchNorm2d(ndf * 8), nn.LeakyReLU(0.2, inplace=True),
    nn.Conv2d(ndf * 8, 1, 4, 1, 0, bias=False)).to(device)

criterion = nn.BCEWithLogitsLoss()
optimizerD = torch.optim.Adam(netD.parameters(), lr=1e-6, betas=(0.5, 0.999))
optimizerG = torch.optim.Adam(netG.parameters(), lr=1e-6, betas=(0.5, 0.999))
dataset = [torch.rand(batch_size, 3, image_size, image_size) * 2 - 1 for _ in range(8)]
pinned = [images.pin_memory() for images in dataset]
real_label, fake_label = torch.ones(batch_size, device=device), torch.zeros(batch_size, device=device)
D_losses, shown = [], [None]


def train(steps):
    for i in range(steps):
        real = pinned[i % 8].to(device, non_blocking=True)  #- upload
        #+ upload: real = dataset[i % 8].to(device)
        netD.zero_grad()
        output = netD(real).view(-1)
        errD_real = criterion(output, real_label)
        errD_real.backward()
        #+ D-x: D_losses.append(output.sigmoid().mean().item())
        noise = torch.randn(batch_size, nz, 1, 1, device=device)
        fake = netG(noise)
        errD_fake = criterion(netD(fake.detach()).view(-1), fake_label)
        errD_fake.backward()
        errD = errD_real.detach() + errD_fake.detach()
        #+ item-middle: D_losses.append(errD.item())
        optimizerD.step()
        netG.zero_grad()
        errG = criterion(netD(fake).view(-1), real_label)
        #+ before-G: D_losses.append(errG.item())
        errG.backward()
        optimizerG.step()
        #+ errors: D_losses.append((errD.item(), errG.item()))
        #+ epoch-line: print(f"[{i}] Loss_D: {errD.item():.4f} Loss_G: {errG.item():.4f}")
        #+ fakes: shown[0] = fake.detach().cpu()
        #+ print: print("Loss_D", errD)
        #+ tenth: if i % 10 == 0: D_losses.append(errG.item())


if __name__ == "__main__":
    train(1000)
