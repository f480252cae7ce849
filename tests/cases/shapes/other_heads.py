"""Transfer learning: another part stands behind the convolutions of a library's model."""
import timm
import torch
import torch.nn as nn
from torchvision import models

images = torch.randn(16, 3, 224, 224, device="cuda")
residual = models.resnet18(weights="DEFAULT")
residual.fc = nn.Linear(residual.fc.in_features, 2)
residual = residual.cuda()
deep = models.resnet50(pretrained=True)
for param in deep.parameters():
    param.requires_grad = False
deep.fc = nn.Sequential(nn.Linear(deep.fc.in_features, 256), nn.ReLU(), nn.Dropout(0.2), nn.Linear(256, 11))
deep = deep.cuda()
wide = models.vgg16(pretrained=True)
wide.classifier[6] = nn.Linear(wide.classifier[6].in_features, 4)
wide = wide.cuda()
small = models.mobilenet_v2(weights=models.MobileNet_V2_Weights.DEFAULT)
small.classifier[-1] = nn.Linear(small.last_channel, 5)
small = small.cuda()
dense = models.densenet121(pretrained=True)
dense.classifier = nn.Linear(dense.classifier.in_features, 14)
dense = dense.cuda()
seeing = models.vit_b_16(weights="IMAGENET1K_V1")
seeing.heads.head = nn.Linear(seeing.heads.head.in_features, 6)
seeing = seeing.cuda()
plain = models.efficientnet_b0(pretrained=True)
plain.classifier = nn.Sequential(nn.Dropout(0.3), nn.Linear(1280, 8))
plain = plain.cuda()
body = models.resnet34(pretrained=True)
inner = body.fc.in_features
body.fc = nn.Identity()
body, own = body.cuda(), nn.Linear(inner, 9).cuda()
other = timm.create_model("efficientnet_b0", pretrained=True)
other.reset_classifier(12)
other = other.cuda()
for step in range(10):
    residual(images) + 1  # is: cuda float (16, 2)
    deep(images) + 1  # is: cuda float (16, 11)
    wide(images) + 1  # is: cuda float (16, 4)
    small(images) + 1  # is: cuda float (16, 5)
    dense(images) + 1  # is: cuda float (16, 14)
    seeing(images) + 1  # is: cuda float (16, 6)
    plain(images) + 1  # is: cuda float (16, 8)
    own(body(images)) + 1  # is: cuda float (16, 9)
    other(images) + 1  # is: cuda float (16, 12)
