"""CycleGAN, one file: image pools, two pairs of optimisers, LR schedules, a loss dict for the log."""
import argparse
import itertools
import random
import time
from collections import OrderedDict

import torch
import torch.nn as nn
import torchvision.transforms as T
from PIL import Image
from torch.optim import lr_scheduler
from torch.utils.data import DataLoader, Dataset
from torch.utils.tensorboard import SummaryWriter


class Unpaired(Dataset):
    def __init__(self, a, b):
        self.a, self.b = a, b
        self.tf = T.Compose([T.Resize(286), T.RandomCrop(256), T.ToTensor(), T.Normalize((0.5,) * 3, (0.5,) * 3)])

    def __len__(self):
        return max(len(self.a), len(self.b))

    def __getitem__(self, i):
        return {"A": self.tf(Image.open(self.a[i % len(self.a)])), "B": self.tf(Image.open(random.choice(self.b))), "A_paths": self.a[i % len(self.a)]}


class ImagePool:
    def __init__(self, pool_size):
        self.pool_size = pool_size
        if self.pool_size > 0:
            self.num_imgs = 0
            self.images = []

    def query(self, images):
        if self.pool_size == 0:
            return images
        return_images = []
        for image in images:
            image = torch.unsqueeze(image.data, 0)
            if self.num_imgs < self.pool_size:
                self.num_imgs = self.num_imgs + 1
                self.images.append(image)
                return_images.append(image)
            else:
                p = random.uniform(0, 1)
                if p > 0.5:
                    random_id = random.randint(0, self.pool_size - 1)
                    tmp = self.images[random_id].clone()
                    self.images[random_id] = image
                    return_images.append(tmp)
                else:
                    return_images.append(image)
        return torch.cat(return_images, 0)


class GANLoss(nn.Module):
    def __init__(self, gan_mode, target_real_label=1.0, target_fake_label=0.0):
        super().__init__()
        self.register_buffer("real_label", torch.tensor(target_real_label))
        self.register_buffer("fake_label", torch.tensor(target_fake_label))
        self.gan_mode = gan_mode
        self.loss = nn.MSELoss() if gan_mode == "lsgan" else nn.BCEWithLogitsLoss()

    def get_target_tensor(self, prediction, target_is_real):
        target_tensor = self.real_label if target_is_real else self.fake_label
        return target_tensor.expand_as(prediction)

    def __call__(self, prediction, target_is_real):
        return self.loss(prediction, self.get_target_tensor(prediction, target_is_real))


def block(i, o, k=3, s=1, p=1):
    return nn.Sequential(nn.Conv2d(i, o, k, s, p), nn.InstanceNorm2d(o), nn.ReLU(True))


class Generator(nn.Module):
    def __init__(self, n=64):
        super().__init__()
        self.model = nn.Sequential(block(3, n, 7, 1, 3), block(n, n * 2, 3, 2), block(n * 2, n * 2), nn.ConvTranspose2d(n * 2, n, 3, 2, 1, 1), nn.Conv2d(n, 3, 7, 1, 3), nn.Tanh())

    def forward(self, x):
        return self.model(x)


class CycleGAN:
    def __init__(self, opt):
        self.opt = opt
        self.gpu_ids = opt.gpu_ids
        self.device = torch.device("cuda:{}".format(self.gpu_ids[0])) if self.gpu_ids else torch.device("cpu")
        self.loss_names = ["D_A", "G_A", "cycle_A", "D_B", "G_B", "cycle_B"]
        self.model_names = ["G_A", "G_B", "D_A", "D_B"]
        self.netG_A = self.init_net(Generator())
        self.netG_B = self.init_net(Generator())
        self.netD_A = self.init_net(nn.Sequential(block(3, 64, 4, 2), nn.Conv2d(64, 1, 4)))
        self.netD_B = self.init_net(nn.Sequential(block(3, 64, 4, 2), nn.Conv2d(64, 1, 4)))
        self.fake_A_pool, self.fake_B_pool = ImagePool(50), ImagePool(50)
        self.criterionGAN = GANLoss("lsgan").to(self.device)
        self.criterionCycle = torch.nn.L1Loss()
        self.optimizer_G = torch.optim.Adam(itertools.chain(self.netG_A.parameters(), self.netG_B.parameters()), lr=opt.lr, betas=(0.5, 0.999))
        self.optimizer_D = torch.optim.Adam(itertools.chain(self.netD_A.parameters(), self.netD_B.parameters()), lr=opt.lr, betas=(0.5, 0.999))
        self.optimizers = [self.optimizer_G, self.optimizer_D]
        self.schedulers = [lr_scheduler.StepLR(o, step_size=50, gamma=0.1) for o in self.optimizers]

    def init_net(self, net):
        if len(self.gpu_ids) > 0:
            assert torch.cuda.is_available()
            net.to(self.gpu_ids[0])
            net = torch.nn.DataParallel(net, self.gpu_ids)
        return net

    def set_input(self, input):
        self.real_A = input["A"].to(self.device)  # sync: copy-to-device
        self.real_B = input["B"].to(self.device)  # sync: copy-to-device
        self.image_paths = input["A_paths"]

    def forward(self):
        self.fake_B = self.netG_A(self.real_A)
        self.rec_A = self.netG_B(self.fake_B)
        self.fake_A = self.netG_B(self.real_B)
        self.rec_B = self.netG_A(self.fake_A)

    def backward_D_basic(self, netD, real, fake):
        loss_D = (self.criterionGAN(netD(real), True) + self.criterionGAN(netD(fake.detach()), False)) * 0.5
        loss_D.backward()
        return loss_D

    def backward_G(self):
        self.loss_G_A = self.criterionGAN(self.netD_A(self.fake_B), True)
        self.loss_G_B = self.criterionGAN(self.netD_B(self.fake_A), True)
        self.loss_cycle_A = self.criterionCycle(self.rec_A, self.real_A) * 10
        self.loss_cycle_B = self.criterionCycle(self.rec_B, self.real_B) * 10
        self.loss_G = self.loss_G_A + self.loss_G_B + self.loss_cycle_A + self.loss_cycle_B
        self.loss_G.backward()

    def optimize_parameters(self):
        self.forward()
        self.set_requires_grad([self.netD_A, self.netD_B], False)
        self.optimizer_G.zero_grad()
        self.backward_G()
        self.optimizer_G.step()
        self.set_requires_grad([self.netD_A, self.netD_B], True)
        self.optimizer_D.zero_grad()
        self.loss_D_A = self.backward_D_basic(self.netD_A, self.real_B, self.fake_B_pool.query(self.fake_B))
        self.loss_D_B = self.backward_D_basic(self.netD_B, self.real_A, self.fake_A_pool.query(self.fake_A))
        self.optimizer_D.step()

    def set_requires_grad(self, nets, requires_grad=False):
        for net in nets:
            for param in net.parameters():
                param.requires_grad = requires_grad

    def get_current_losses(self):
        errors_ret = OrderedDict()
        for name in self.loss_names:
            if isinstance(name, str):
                errors_ret[name] = float(getattr(self, "loss_" + name))  # sync: host-read note
        return errors_ret

    def get_current_visuals(self):
        return {name: getattr(self, name) for name in ("real_A", "fake_B", "rec_A")}

    def save_networks(self, epoch):
        for name in self.model_names:
            net = getattr(self, "net" + name)
            torch.save(net.module.cpu().state_dict(), f"{epoch}_net_{name}.pth")  # sync: copy-to-host note
            net.cuda(self.gpu_ids[0])  # missed: copy-to-device

    def update_learning_rate(self):
        old_lr = self.optimizers[0].param_groups[0]["lr"]
        for scheduler in self.schedulers:
            scheduler.step()
        print("learning rate %.7f -> %.7f" % (old_lr, self.optimizers[0].param_groups[0]["lr"]))


def tensor2im(input_image):
    image_tensor = input_image.data if isinstance(input_image, torch.Tensor) else input_image
    image_numpy = image_tensor[0].cpu().float().numpy()  # sync: copy-to-host note
    return ((image_numpy.transpose(1, 2, 0) + 1) / 2.0 * 255.0).astype("uint8")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpu_ids", type=str, default="0")
    parser.add_argument("--lr", type=float, default=0.0002)
    opt = parser.parse_args()
    opt.gpu_ids = [int(s) for s in opt.gpu_ids.split(",") if int(s) >= 0]
    a, b = open("trainA.txt").read().split(), open("trainB.txt").read().split()
    loader = DataLoader(Unpaired(a, b), batch_size=1, shuffle=True, num_workers=4)
    model = CycleGAN(opt)
    writer = SummaryWriter()
    total_iters = 0
    for epoch in range(1, 201):
        for i, data in enumerate(loader):
            total_iters += 1
            model.set_input(data)
            model.optimize_parameters()
            if total_iters % 400 == 0:
                for label, image in model.get_current_visuals().items():
                    writer.add_image(label, tensor2im(image), total_iters, dataformats="HWC")
            if total_iters % 100 == 0:
                losses = model.get_current_losses()
                print(epoch, " ".join("%s: %.3f" % (k, v) for k, v in losses.items()))
        if epoch % 5 == 0:
            model.save_networks(epoch)
        model.update_learning_rate()


if __name__ == "__main__":
    main()
