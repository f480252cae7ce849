import datetime
import os
import time
from os.path import join as ospj

import torch
import torch.nn as nn
import torch.nn.functional as F
from munch import Munch

import utils
from data_loader import InputFetcher
from model import build_model


class Solver(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.args = args
        self.device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
        self.nets, self.nets_ema = build_model(args)
        for name, module in self.nets.items():
            utils.print_network(module, name)
            setattr(self, name, module)
        for name, module in self.nets_ema.items():
            setattr(self, name + '_ema', module)
        self.optims = Munch()
        for net in self.nets.keys():
            self.optims[net] = torch.optim.Adam(params=self.nets[net].parameters(), lr=args.lr)
        self.to(self.device)

    def _reset_grad(self):
        for optim in self.optims.values():
            optim.zero_grad()

    def train(self, loaders):
        args = self.args
        nets = self.nets
        optims = self.optims
        fetcher = InputFetcher(loaders.src, loaders.ref, args.latent_dim, 'train')
        start_time = time.time()
        for i in range(args.resume_iter, args.total_iters):
            inputs = next(fetcher)
            x_real, y_org = inputs.x_src, inputs.y_src
            x_ref, y_trg = inputs.x_ref, inputs.y_ref
            z_trg = inputs.z_trg

            d_loss, d_losses_latent = compute_d_loss(nets, args, x_real, y_org, y_trg, z_trg=z_trg)
            self._reset_grad()
            d_loss.backward()
            optims.discriminator.step()

            g_loss, g_losses_latent = compute_g_loss(nets, args, x_real, y_org, y_trg, z_trg=z_trg)
            self._reset_grad()
            g_loss.backward()
            optims.generator.step()
            optims.mapping_network.step()

            moving_average(nets.generator, self.nets_ema.generator, beta=0.999)
            if args.lambda_ds > 0:
                args.lambda_ds -= 1.0 / args.ds_iter

            if (i + 1) % args.print_every == 0:
                elapsed = str(datetime.timedelta(seconds=time.time() - start_time))[:-7]
                log = "Elapsed time [%s], Iteration [%i/%i], " % (elapsed, i + 1, args.total_iters)
                all_losses = dict()
                for loss, prefix in zip([d_losses_latent, g_losses_latent], ['D/latent_', 'G/latent_']):
                    for key, value in loss.items():
                        all_losses[prefix + key] = value
                log += ' '.join(['%s: [%.4f]' % (key, value) for key, value in all_losses.items()])
                print(log)
            if (i + 1) % args.sample_every == 0:
                utils.debug_image(self.nets_ema, args, inputs=inputs, step=i + 1)


def compute_d_loss(nets, args, x_real, y_org, y_trg, z_trg=None, x_ref=None):
    assert (z_trg is None) != (x_ref is None)
    x_real.requires_grad_()
    out = nets.discriminator(x_real, y_org)
    loss_real = adv_loss(out, 1)
    loss_reg = r1_reg(out, x_real)
    with torch.no_grad():
        s_trg = nets.mapping_network(z_trg, y_trg)
        x_fake = nets.generator(x_real, s_trg)
    out = nets.discriminator(x_fake, y_trg)
    loss_fake = adv_loss(out, 0)
    loss = loss_real + loss_fake + args.lambda_reg * loss_reg
    return loss, Munch(real=loss_real.item(), fake=loss_fake.item(), reg=loss_reg.item())  # sync: host-read x3


def compute_g_loss(nets, args, x_real, y_org, y_trg, z_trg=None):
    s_trg = nets.mapping_network(z_trg, y_trg)
    x_fake = nets.generator(x_real, s_trg)
    out = nets.discriminator(x_fake, y_trg)
    loss_adv = adv_loss(out, 1)
    loss_cyc = torch.mean(torch.abs(x_fake - x_real))
    loss = loss_adv + args.lambda_cyc * loss_cyc
    return loss, Munch(adv=loss_adv.item(), cyc=loss_cyc.item())  # sync: host-read x2


def moving_average(model, model_test, beta=0.999):
    for param, param_test in zip(model.parameters(), model_test.parameters()):
        param_test.data = torch.lerp(param.data, param_test.data, beta)


def adv_loss(logits, target):
    assert target in [1, 0]
    targets = torch.full_like(logits, fill_value=target)
    return F.binary_cross_entropy_with_logits(logits, targets)


def r1_reg(d_out, x_in):
    batch_size = x_in.size(0)
    grad_dout = torch.autograd.grad(outputs=d_out.sum(), inputs=x_in, create_graph=True, retain_graph=True)[0]
    grad_dout2 = grad_dout.pow(2)
    assert (grad_dout2.size() == x_in.size())
    return 0.5 * grad_dout2.view(batch_size, -1).sum(1).mean(0)
