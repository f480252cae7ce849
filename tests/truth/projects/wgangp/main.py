from __future__ import print_function
import argparse
import os
import random
import torch
import torch.nn as nn
import torch.nn.parallel
import torch.backends.cudnn as cudnn
import torch.optim as optim
import torch.utils.data
import torchvision.datasets as dset
import torchvision.transforms as transforms
import torchvision.utils as vutils
from torch.autograd import Variable, grad


parser = argparse.ArgumentParser()
parser.add_argument('--dataset', default='fake', help='cifar10 | lsun | folder | fake')
parser.add_argument('--dataroot', default='', help='path to dataset')
parser.add_argument('--workers', type=int, help='number of data loading workers', default=0)
parser.add_argument('--batchSize', type=int, default=16, help='input batch size')
parser.add_argument('--imageSize', type=int, default=32, help='the height / width of the input image to network')
parser.add_argument('--nz', type=int, default=64, help='size of the latent z vector')
parser.add_argument('--ngf', type=int, default=16)
parser.add_argument('--ndf', type=int, default=16)
parser.add_argument('--niter', type=int, default=2, help='number of epochs to train for')
parser.add_argument('--lrD', type=float, default=0.0001)
parser.add_argument('--lrG', type=float, default=0.0001)
parser.add_argument('--beta1', type=float, default=0.5, help='beta1 for adam. default=0.5')
parser.add_argument('--Diters', type=int, default=2, help='number of D iters per each G iter')
parser.add_argument('--lambda_gp', type=float, default=10)
parser.add_argument('--cuda', action='store_true', default=torch.cuda.is_available(), help='enables cuda')
parser.add_argument('--ngpu', type=int, default=1, help='number of GPUs to use')
parser.add_argument('--netG', default='', help="path to netG (to continue training)")
parser.add_argument('--netD', default='', help="path to netD (to continue training)")
parser.add_argument('--outf', default='./out', help='folder to output images and model checkpoints')
parser.add_argument('--log_every', type=int, default=2)
parser.add_argument('--sample_every', type=int, default=5)
parser.add_argument('--manualSeed', type=int, help='manual seed')

opt = parser.parse_args()
print(opt)

try:
    os.makedirs(opt.outf)
except OSError:
    pass

if opt.manualSeed is None:
    opt.manualSeed = random.randint(1, 10000)
print("Random Seed: ", opt.manualSeed)
random.seed(opt.manualSeed)
torch.manual_seed(opt.manualSeed)
if opt.cuda:
    torch.cuda.manual_seed_all(opt.manualSeed)

cudnn.benchmark = True

if torch.cuda.is_available() and not opt.cuda:
    print("WARNING: You have a CUDA device, so you should probably run with --cuda")

tfm = transforms.Compose([
    transforms.Resize(opt.imageSize),
    transforms.ToTensor(),
    transforms.Normalize((0.5, 0.5, 0.5), (0.5, 0.5, 0.5)),
])
if opt.dataset in ['imagenet', 'folder', 'lfw']:
    dataset = dset.ImageFolder(root=opt.dataroot, transform=tfm)
elif opt.dataset == 'cifar10':
    dataset = dset.CIFAR10(root=opt.dataroot, transform=tfm)
elif opt.dataset == 'fake':
    dataset = dset.FakeData(size=256, image_size=(3, opt.imageSize, opt.imageSize), transform=tfm)
assert dataset
dataloader = torch.utils.data.DataLoader(dataset, batch_size=opt.batchSize, shuffle=True,
                                         num_workers=int(opt.workers), drop_last=True)

ngpu = int(opt.ngpu)
nz = int(opt.nz)
ngf = int(opt.ngf)
ndf = int(opt.ndf)
nc = 3


# custom weights initialization called on netG and netD
def weights_init(m):
    classname = m.__class__.__name__
    if classname.find('Conv') != -1:
        m.weight.data.normal_(0.0, 0.02)
    elif classname.find('BatchNorm') != -1:
        m.weight.data.normal_(1.0, 0.02)
        m.bias.data.fill_(0)


class _netG(nn.Module):
    def __init__(self, ngpu):
        super(_netG, self).__init__()
        self.ngpu = ngpu
        self.main = nn.Sequential(
            # input is Z, going into a convolution
            nn.ConvTranspose2d(nz, ngf * 4, 4, 1, 0, bias=False),
            nn.BatchNorm2d(ngf * 4),
            nn.ReLU(True),
            # state size. (ngf*4) x 4 x 4
            nn.ConvTranspose2d(ngf * 4, ngf * 2, 4, 2, 1, bias=False),
            nn.BatchNorm2d(ngf * 2),
            nn.ReLU(True),
            # state size. (ngf*2) x 8 x 8
            nn.ConvTranspose2d(ngf * 2, ngf, 4, 2, 1, bias=False),
            nn.BatchNorm2d(ngf),
            nn.ReLU(True),
            # state size. (ngf) x 16 x 16
            nn.ConvTranspose2d(ngf, nc, 4, 2, 1, bias=False),
            nn.Tanh()
            # state size. (nc) x 32 x 32
        )

    def forward(self, input):
        if input.is_cuda and self.ngpu > 1:
            output = nn.parallel.data_parallel(self.main, input, range(self.ngpu))
        else:
            output = self.main(input)
        return output


class _netD(nn.Module):
    def __init__(self, ngpu):
        super(_netD, self).__init__()
        self.ngpu = ngpu
        # no batchnorm in the critic because of the per sample gradient penalty
        self.main = nn.Sequential(
            nn.Conv2d(nc, ndf, 4, 2, 1, bias=False),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(ndf, ndf * 2, 4, 2, 1, bias=False),
            nn.InstanceNorm2d(ndf * 2, affine=True),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(ndf * 2, ndf * 4, 4, 2, 1, bias=False),
            nn.InstanceNorm2d(ndf * 4, affine=True),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(ndf * 4, 1, 4, 1, 0, bias=False),
        )

    def forward(self, input):
        output = self.main(input)
        return output.view(-1)


netG = _netG(ngpu)
netG.apply(weights_init)
if opt.netG != '':
    netG.load_state_dict(torch.load(opt.netG))
print(netG)

netD = _netD(ngpu)
netD.apply(weights_init)
if opt.netD != '':
    netD.load_state_dict(torch.load(opt.netD))
print(netD)

fixed_noise = torch.FloatTensor(opt.batchSize, nz, 1, 1).normal_(0, 1)
one = torch.tensor(1, dtype=torch.float)
mone = one * -1

if opt.cuda:
    netD.cuda()
    netG.cuda()
    one, mone = one.cuda(), mone.cuda()
    fixed_noise = fixed_noise.cuda()

optimizerD = optim.Adam(netD.parameters(), lr=opt.lrD, betas=(opt.beta1, 0.9))
optimizerG = optim.Adam(netG.parameters(), lr=opt.lrG, betas=(opt.beta1, 0.9))


def calc_gradient_penalty(netD, real_data, fake_data):
    alpha = torch.rand(real_data.size(0), 1, 1, 1)
    alpha = alpha.expand(real_data.size())
    alpha = alpha.cuda() if opt.cuda else alpha

    interpolates = alpha * real_data + ((1 - alpha) * fake_data)
    if opt.cuda:
        interpolates = interpolates.cuda()
    interpolates = Variable(interpolates, requires_grad=True)

    disc_interpolates = netD(interpolates)

    gradients = grad(outputs=disc_interpolates, inputs=interpolates,
                     grad_outputs=torch.ones(disc_interpolates.size()).cuda() if opt.cuda else torch.ones(
                         disc_interpolates.size()),
                     create_graph=True, retain_graph=True, only_inputs=True)[0]
    gradients = gradients.view(gradients.size(0), -1)

    gradient_penalty = ((gradients.norm(2, dim=1) - 1) ** 2).mean() * opt.lambda_gp
    return gradient_penalty


gen_iterations = 0
history = {'D': [], 'G': [], 'W': []}
for epoch in range(opt.niter):
    data_iter = iter(dataloader)
    i = 0
    while i < len(dataloader):
        ############################
        # (1) Update D network
        ###########################
        for p in netD.parameters():  # reset requires_grad
            p.requires_grad = True  # they are set to False below in netG update

        j = 0
        while j < opt.Diters and i < len(dataloader):
            j += 1
            real_cpu, _ = next(data_iter)
            i += 1

            netD.zero_grad()
            batch_size = real_cpu.size(0)
            if opt.cuda:
                real_cpu = real_cpu.cuda()
            inputv = Variable(real_cpu)

            errD_real = netD(inputv).mean()
            errD_real.backward(mone)

            # train with fake
            noise = torch.randn(batch_size, nz, 1, 1)
            if opt.cuda:
                noise = noise.cuda()
            with torch.no_grad():
                noisev = Variable(noise)
                fake = Variable(netG(noisev).data)
            errD_fake = netD(fake).mean()
            errD_fake.backward(one)

            gradient_penalty = calc_gradient_penalty(netD, inputv.data, fake.data)
            gradient_penalty.backward()

            errD = errD_fake - errD_real + gradient_penalty
            wasserstein_D = errD_real - errD_fake
            optimizerD.step()

        ############################
        # (2) Update G network
        ###########################
        for p in netD.parameters():
            p.requires_grad = False  # to avoid computation
        netG.zero_grad()
        noise = torch.randn(opt.batchSize, nz, 1, 1)
        if opt.cuda:
            noise = noise.cuda()
        fake = netG(Variable(noise))
        errG = netD(fake).mean()
        errG.backward(mone)
        optimizerG.step()
        gen_iterations += 1

        history['D'].append(errD.cpu().data.numpy())
        history['G'].append(-errG.cpu().data.numpy())
        history['W'].append(wasserstein_D.cpu().data.numpy())

        if gen_iterations % opt.log_every == 0:
            print('[%d/%d][%d/%d][%d] Loss_D: %f Loss_G: %f Loss_D_real: %f Loss_D_fake %f GP %f'
                  % (epoch, opt.niter, i, len(dataloader), gen_iterations,
                     errD.item(), errG.item(), errD_real.item(), errD_fake.item(), gradient_penalty.item()))
        if gen_iterations % opt.sample_every == 0:
            vutils.save_image(real_cpu.mul(0.5).add(0.5), '{0}/real_samples.png'.format(opt.outf))
            with torch.no_grad():
                fake = netG(Variable(fixed_noise))
            vutils.save_image(fake.data.mul(0.5).add(0.5), '{0}/fake_samples_{1}.png'.format(opt.outf, gen_iterations))

    # do checkpointing
    torch.save(netG.state_dict(), '{0}/netG_epoch_{1}.pth'.format(opt.outf, epoch))
    torch.save(netD.state_dict(), '{0}/netD_epoch_{1}.pth'.format(opt.outf, epoch))
    n = len(dataloader) // opt.Diters
    print('epoch %d  avg D %.4f  avg G %.4f  avg W %.4f' % (
        epoch, sum(history['D'][-n:]) / n, sum(history['G'][-n:]) / n, sum(history['W'][-n:]) / n))
