import torch
import torch.nn as nn
import torch.nn.functional as F

from core.registry import build_from_cfg
from . import BACKBONES, CLASSIFIERS, HEADS


def conv_bn_relu(cin, cout, stride=1):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, stride, 1, bias=False), nn.BatchNorm2d(cout),
        nn.ReLU(inplace=True))


class Block(nn.Module):

    def __init__(self, cin, cout, stride):
        super(Block, self).__init__()
        self.conv1 = conv_bn_relu(cin, cout, stride)
        self.conv2 = nn.Conv2d(cout, cout, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(cout)
        self.down = None
        if stride != 1 or cin != cout:
            self.down = nn.Conv2d(cin, cout, 1, stride, bias=False)

    def forward(self, x):
        identity = x if self.down is None else self.down(x)
        out = self.bn2(self.conv2(self.conv1(x)))
        return F.relu(out + identity, inplace=True)


@BACKBONES.register_module()
class SmallResNet(nn.Module):

    def __init__(self, widths=(16, 32, 64)):
        super(SmallResNet, self).__init__()
        self.stem = conv_bn_relu(3, widths[0])
        layers, cin = [], widths[0]
        for i, w in enumerate(widths):
            layers.append(Block(cin, w, 1 if i == 0 else 2))
            cin = w
        self.layers = nn.Sequential(*layers)
        self.init_weights()

    def init_weights(self):
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode='fan_out', nonlinearity='relu')
            elif isinstance(m, nn.BatchNorm2d):
                nn.init.constant_(m.weight, 1)
                nn.init.constant_(m.bias, 0)

    def forward(self, x):
        return self.layers(self.stem(x))


def accuracy(pred, target, topk=(1,)):
    maxk = max(topk)
    _, pred_label = pred.topk(maxk, dim=1)
    pred_label = pred_label.t()
    correct = pred_label.eq(target.view(1, -1).expand_as(pred_label))
    res = []
    for k in topk:
        correct_k = correct[:k].reshape(-1).float().sum(0, keepdim=True)
        res.append(correct_k.mul_(100.0 / pred.size(0)))
    return res


@HEADS.register_module()
class ClsHead(nn.Module):

    def __init__(self, num_classes, in_channels, label_smooth=0., topk=(1, 5)):
        super(ClsHead, self).__init__()
        self.fc = nn.Linear(in_channels, num_classes)
        self.label_smooth = label_smooth
        self.topk = topk

    def forward(self, x):
        return self.fc(F.adaptive_avg_pool2d(x, 1).flatten(1))

    def loss(self, cls_score, gt_label):
        losses = dict()
        losses['loss_cls'] = F.cross_entropy(cls_score, gt_label, label_smoothing=self.label_smooth)
        losses['loss_reg'] = [1e-4 * (self.fc.weight ** 2).sum(), 1e-4 * self.fc.bias.abs().sum()]
        acc = accuracy(cls_score, gt_label, self.topk)
        losses['acc'] = {'top-{}'.format(k): a for k, a in zip(self.topk, acc)}
        return losses


@CLASSIFIERS.register_module()
class ImageClassifier(nn.Module):

    def __init__(self, backbone, head):
        super(ImageClassifier, self).__init__()
        self.backbone = build_from_cfg(backbone, BACKBONES)
        self.head = build_from_cfg(head, HEADS)

    def forward_train(self, img, gt_label):
        return self.head.loss(self.head(self.backbone(img)), gt_label)

    def simple_test(self, img):
        cls_score = self.head(self.backbone(img))
        pred = F.softmax(cls_score, dim=1)
        return list(pred.detach().cpu().numpy())

    def forward(self, img, return_loss=True, **kwargs):
        if return_loss:
            return self.forward_train(img, **kwargs)
        return self.simple_test(img)
