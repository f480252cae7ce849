"""A model that is asked for by its name: of a registry, of a module, of a command line."""
import argparse

import timm
import torch
import torchvision.models as models
from torchvision.models import get_model

parser = argparse.ArgumentParser()
parser.add_argument("-a", "--arch", default="resnet50", choices=["resnet18", "resnet50"])
parser.add_argument("--timm-name", default="vit_small_patch16_224", type=str)
args = parser.parse_args()
images = torch.randn(8, 3, 224, 224, device="cuda")
registered = timm.create_model("resnet50", pretrained=True, num_classes=10).cuda()
chosen = timm.create_model(args.timm_name, num_classes=7).cuda()
gotten = get_model("resnet18", weights=None, num_classes=100).cuda()
kept = models.__dict__[args.arch](pretrained=True).cuda()
asked = getattr(models, args.arch)(num_classes=5).cuda()
shared = torch.hub.load("pytorch/vision:v0.10.0", "resnet18", pretrained=True).cuda()
features = timm.create_model("resnet18", num_classes=0).cuda()
head = torch.nn.Linear(features.num_features, 3).cuda()


def build(name):
    if name.startswith("resnet"):
        return models.__dict__[name](num_classes=20)
    return models.vgg16(num_classes=30)


built = build(args.arch.lower()).cuda()
for step in range(10):
    registered(images) + 1  # is: cuda float (8, 10)
    chosen(images) + 1  # is: cuda (8, 7)
    gotten(images) + 1  # is: cuda (8, 100)
    kept(images) + 1  # is: cuda (8, 1000)
    asked(images) + 1  # is: cuda possible (8, 5)
    shared(images) + 1  # is: cuda (8, 1000)
    head(features(images)) + 1  # is: cuda float (8, 3)
    built(images) + 1  # is: cuda | cuda float (8, 20)
