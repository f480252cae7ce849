import torch
import torchvision.models as models
from models.mlp_head import MLPHead


class ResNet18(torch.nn.Module):
    def __init__(self, *args, **kwargs):
        super(ResNet18, self).__init__()
        if kwargs['name'] == 'resnet18':
            resnet = models.resnet18()
        elif kwargs['name'] == 'resnet50':
            resnet = models.resnet50()
        # small images
        resnet.conv1 = torch.nn.Conv2d(3, 64, 3, 1, 1, bias=False)
        resnet.maxpool = torch.nn.Identity()
        self.encoder = torch.nn.Sequential(*list(resnet.children())[:-1])
        self.projetion = MLPHead(in_channels=resnet.fc.in_features, **kwargs['projection_head'])

    def forward(self, x):
        h = self.encoder(x)
        h = h.view(h.shape[0], h.shape[1])
        return self.projetion(h)
