"""
Neural Transfer Using PyTorch
=============================
Adapted from the official tutorial (Gatys et al.), plus total variation and a fast version with Adam.
"""
import argparse
import copy
import os

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torchvision.models import vgg19
from torchvision.utils import save_image

ap = argparse.ArgumentParser()
ap.add_argument("--imsize", type=int, default=64)
ap.add_argument("--num_steps", type=int, default=40)
ap.add_argument("--style_weight", type=float, default=1e6)
ap.add_argument("--content_weight", type=float, default=1)
ap.add_argument("--tv_weight", type=float, default=1e-3)
ap.add_argument("--optimizer", choices=["lbfgs", "adam", "both"], default="both")
ap.add_argument("--pretrained", action="store_true", help="download imagenet weights")
ap.add_argument("--out", default="out")
opt = ap.parse_args()

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.set_default_device(device)

imsize = opt.imsize


def image_loader(kind):
    y, x = torch.meshgrid(torch.linspace(0, 1, imsize), torch.linspace(0, 1, imsize), indexing="ij")
    if kind == "style":
        img = torch.stack([torch.sin(20 * x + 6 * torch.sin(8 * y)), torch.cos(25 * y), torch.sin(15 * (x + y))])
        img = img * 0.5 + 0.5
    else:
        disc = (((x - 0.5) ** 2 + (y - 0.5) ** 2) < 0.09).float()
        img = torch.stack([disc, 1 - disc * 0.5, x])
    return img.unsqueeze(0).to(device, torch.float)


style_img = image_loader("style")
content_img = image_loader("content")
assert style_img.size() == content_img.size(), "we need to import style and content images of the same size"


class ContentLoss(nn.Module):
    def __init__(self, target):
        super(ContentLoss, self).__init__()
        # we 'detach' the target content from the tree used to dynamically compute the gradient
        self.target = target.detach()

    def forward(self, input):
        self.loss = F.mse_loss(input, self.target)
        return input


def gram_matrix(input):
    a, b, c, d = input.size()  # a=batch size(=1), b=number of feature maps
    features = input.view(a * b, c * d)
    G = torch.mm(features, features.t())
    return G.div(a * b * c * d)


class StyleLoss(nn.Module):
    def __init__(self, target_feature):
        super(StyleLoss, self).__init__()
        self.target = gram_matrix(target_feature).detach()

    def forward(self, input):
        G = gram_matrix(input)
        self.loss = F.mse_loss(G, self.target)
        return input


class Normalization(nn.Module):
    def __init__(self, mean, std):
        super(Normalization, self).__init__()
        self.mean = mean.clone().detach().view(-1, 1, 1)
        self.std = std.clone().detach().view(-1, 1, 1)

    def forward(self, img):
        return (img - self.mean) / self.std


# only the first few convs are needed, keep the network short
cnn = vgg19(weights="IMAGENET1K_V1" if opt.pretrained else None).features[:21].eval()
cnn_normalization_mean = torch.tensor([0.485, 0.456, 0.406])
cnn_normalization_std = torch.tensor([0.229, 0.224, 0.225])

content_layers_default = ['conv_4']
style_layers_default = ['conv_1', 'conv_2', 'conv_3', 'conv_4', 'conv_5']


def get_style_model_and_losses(cnn, normalization_mean, normalization_std, style_img, content_img,
                               content_layers=content_layers_default, style_layers=style_layers_default):
    cnn = copy.deepcopy(cnn)
    normalization = Normalization(normalization_mean, normalization_std)
    content_losses = []
    style_losses = []
    model = nn.Sequential(normalization)

    i = 0  # increment every time we see a conv
    for layer in cnn.children():
        if isinstance(layer, nn.Conv2d):
            i += 1
            name = 'conv_{}'.format(i)
        elif isinstance(layer, nn.ReLU):
            name = 'relu_{}'.format(i)
            # The in-place version doesn't play very nicely with the losses inserted below
            layer = nn.ReLU(inplace=False)
        elif isinstance(layer, nn.MaxPool2d):
            name = 'pool_{}'.format(i)
        else:
            raise RuntimeError('Unrecognized layer: {}'.format(layer.__class__.__name__))

        model.add_module(name, layer)

        if name in content_layers:
            target = model(content_img).detach()
            content_loss = ContentLoss(target)
            model.add_module("content_loss_{}".format(i), content_loss)
            content_losses.append(content_loss)

        if name in style_layers:
            target_feature = model(style_img).detach()
            style_loss = StyleLoss(target_feature)
            model.add_module("style_loss_{}".format(i), style_loss)
            style_losses.append(style_loss)

    # now we trim off the layers after the last content and style losses
    for i in range(len(model) - 1, -1, -1):
        if isinstance(model[i], ContentLoss) or isinstance(model[i], StyleLoss):
            break
    model = model[:(i + 1)]
    return model, style_losses, content_losses


def tv_loss(img):
    return (img[..., 1:, :] - img[..., :-1, :]).abs().sum() + (img[..., :, 1:] - img[..., :, :-1]).abs().sum()


def run_style_transfer_lbfgs(input_img, num_steps):
    print('Building the style transfer model..')
    model, style_losses, content_losses = get_style_model_and_losses(
        cnn, cnn_normalization_mean, cnn_normalization_std, style_img, content_img)
    input_img.requires_grad_(True)
    model.eval()
    model.requires_grad_(False)
    optimizer = optim.LBFGS([input_img])

    print('Optimizing..')
    run = [0]
    while run[0] <= num_steps:

        def closure():
            # correct the values of updated input image
            with torch.no_grad():
                input_img.clamp_(0, 1)

            optimizer.zero_grad()
            model(input_img)
            style_score = 0
            content_score = 0

            for sl in style_losses:
                style_score += sl.loss
            for cl in content_losses:
                content_score += cl.loss

            style_score *= opt.style_weight
            content_score *= opt.content_weight

            loss = style_score + content_score
            loss.backward()

            run[0] += 1
            if run[0] % 10 == 0:
                print("run {}:".format(run))
                print('Style Loss : {:4f} Content Loss: {:4f}'.format(style_score.item(), content_score.item()))
                print()

            return style_score + content_score

        optimizer.step(closure)

    with torch.no_grad():
        input_img.clamp_(0, 1)
    return input_img


def run_style_transfer_adam(input_img, num_steps):
    model, style_losses, content_losses = get_style_model_and_losses(
        cnn, cnn_normalization_mean, cnn_normalization_std, style_img, content_img)
    model.eval().requires_grad_(False)
    input_img = input_img.clone().requires_grad_(True)
    optimizer = optim.Adam([input_img], lr=0.02)
    scheduler = optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=3, factor=0.5)
    best_loss, best_img = float("inf"), None
    losses = []
    for step in range(1, num_steps + 1):
        optimizer.zero_grad()
        model(input_img)
        s = sum(sl.loss for sl in style_losses) * opt.style_weight
        c = sum(cl.loss for cl in content_losses) * opt.content_weight
        tv = tv_loss(input_img) * opt.tv_weight
        loss = s + c + tv
        loss.backward()
        optimizer.step()
        input_img.data.clamp_(0, 1)

        losses.append(loss.item())
        if losses[-1] < best_loss:
            best_loss = losses[-1]
            best_img = input_img.detach().clone()
        if step % 10 == 0:
            scheduler.step(sum(losses[-10:]) / 10)
            print(f"step {step}: total {loss:.4f} style {s:.4f} content {c:.4f} tv {tv:.4f} "
                  f"lr {optimizer.param_groups[0]['lr']:.4f}")
            save_image(input_img, os.path.join(opt.out, f"adam_{step:04d}.png"))
    return best_img, best_loss


if __name__ == "__main__":
    os.makedirs(opt.out, exist_ok=True)
    if opt.optimizer in ("lbfgs", "both"):
        output = run_style_transfer_lbfgs(content_img.clone(), opt.num_steps)
        save_image(output.detach().cpu(), os.path.join(opt.out, "lbfgs.png"))
    if opt.optimizer in ("adam", "both"):
        output, best = run_style_transfer_adam(content_img, opt.num_steps)
        print("best loss", best)
        torch.save({"image": output.cpu(), "loss": best}, os.path.join(opt.out, "adam.pt"))
