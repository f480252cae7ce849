import torch
import torchvision.utils as vutils


def print_network(network, name):
    num_params = 0
    for p in network.parameters():
        num_params += p.numel()
    print("Number of parameters of %s: %i" % (name, num_params))


def save_image(x, ncol, filename):
    x = (x + 1) / 2
    vutils.save_image(x.clamp_(0, 1).cpu(), filename, nrow=ncol, padding=0)  # sync: copy-to-host note


@torch.no_grad()
def debug_image(nets, args, inputs, step):
    x_src, y_src = inputs.x_src, inputs.y_src
    x_fake = nets.generator(x_src, inputs.z_trg)
    save_image(torch.cat([x_src, x_fake]), args.val_batch_size, "%06d.jpg" % step)
