import functools

import torch
import torch.nn as nn
from torch.nn import init
from torch.optim import lr_scheduler


def get_scheduler(optimizer, opt):
    if opt.lr_policy == 'linear':
        def lambda_rule(epoch):
            lr_l = 1.0 - max(0, epoch + opt.epoch_count - opt.n_epochs) / float(opt.n_epochs_decay + 1)
            return lr_l
        scheduler = lr_scheduler.LambdaLR(optimizer, lr_lambda=lambda_rule)
    elif opt.lr_policy == 'step':
        scheduler = lr_scheduler.StepLR(optimizer, step_size=50, gamma=0.1)
    elif opt.lr_policy == 'plateau':
        scheduler = lr_scheduler.ReduceLROnPlateau(optimizer, mode='min', factor=0.2, threshold=0.01, patience=5)
    else:
        raise NotImplementedError('learning rate policy [%s] is not implemented' % opt.lr_policy)
    return scheduler


def init_net(net, init_gain=0.02, gpu_ids=[]):
    def init_func(m):
        classname = m.__class__.__name__
        if hasattr(m, 'weight') and (classname.find('Conv') != -1 or classname.find('Linear') != -1):
            init.normal_(m.weight.data, 0.0, init_gain)
            if hasattr(m, 'bias') and m.bias is not None:
                init.constant_(m.bias.data, 0.0)
    if len(gpu_ids) > 0 and torch.cuda.is_available():
        net.to(gpu_ids[0])
    net.apply(init_func)
    return net


class ResnetBlock(nn.Module):
    def __init__(self, dim, norm_layer):
        super(ResnetBlock, self).__init__()
        self.conv_block = nn.Sequential(
            nn.ReflectionPad2d(1), nn.Conv2d(dim, dim, 3), norm_layer(dim), nn.ReLU(True),
            nn.ReflectionPad2d(1), nn.Conv2d(dim, dim, 3), norm_layer(dim))

    def forward(self, x):
        out = x + self.conv_block(x)  # add skip connections
        return out


class ResnetGenerator(nn.Module):
    def __init__(self, ngf=16, n_blocks=2):
        super(ResnetGenerator, self).__init__()
        norm_layer = functools.partial(nn.InstanceNorm2d, affine=False)
        model = [nn.ReflectionPad2d(3), nn.Conv2d(3, ngf, 7), norm_layer(ngf), nn.ReLU(True)]
        for i in range(2):  # add downsampling layers
            mult = 2 ** i
            model += [nn.Conv2d(ngf * mult, ngf * mult * 2, 3, stride=2, padding=1),
                      norm_layer(ngf * mult * 2), nn.ReLU(True)]
        for i in range(n_blocks):
            model += [ResnetBlock(ngf * 4, norm_layer)]
        for i in range(2):
            mult = 2 ** (2 - i)
            model += [nn.ConvTranspose2d(ngf * mult, ngf * mult // 2, 3, stride=2, padding=1, output_padding=1),
                      norm_layer(ngf * mult // 2), nn.ReLU(True)]
        model += [nn.ReflectionPad2d(3), nn.Conv2d(ngf, 3, 7), nn.Tanh()]
        self.model = nn.Sequential(*model)

    def forward(self, input):
        return self.model(input)


class NLayerDiscriminator(nn.Module):
    def __init__(self, ndf=16, n_layers=2):
        super(NLayerDiscriminator, self).__init__()
        sequence = [nn.Conv2d(3, ndf, 4, 2, 1), nn.LeakyReLU(0.2, True)]
        for n in range(1, n_layers):
            sequence += [nn.Conv2d(ndf * n, ndf * n * 2, 4, 2, 1), nn.InstanceNorm2d(ndf * n * 2),
                         nn.LeakyReLU(0.2, True)]
        sequence += [nn.Conv2d(ndf * n * 2, 1, 4, 1, 1)]
        self.model = nn.Sequential(*sequence)

    def forward(self, input):
        return self.model(input)


class GANLoss(nn.Module):
    def __init__(self, gan_mode, target_real_label=1.0, target_fake_label=0.0):
        super(GANLoss, self).__init__()
        self.register_buffer('real_label', torch.tensor(target_real_label))
        self.register_buffer('fake_label', torch.tensor(target_fake_label))
        self.loss = {'lsgan': nn.MSELoss, 'vanilla': nn.BCEWithLogitsLoss}[gan_mode]()

    def __call__(self, prediction, target_is_real):
        target_tensor = self.real_label if target_is_real else self.fake_label
        return self.loss(prediction, target_tensor.expand_as(prediction))
