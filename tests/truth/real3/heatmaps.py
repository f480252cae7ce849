"""torchcam: class activation maps of small classifiers, and how faithful they are."""
import functools

import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _net(classes=6):
    """A classifier of the shape of the torchvision ones."""
    torch.manual_seed(0)
    net = nn.Sequential()
    for i, (a, b) in enumerate(((3, 8), (8, 16), (16, 16))):
        net.add_module(f"layer{i + 1}", nn.Sequential(nn.Conv2d(a, b, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)))
    net.add_module("pool", nn.AdaptiveAvgPool2d(1))
    net.add_module("flatten", nn.Flatten())
    net.add_module("fc", nn.Linear(16, classes))
    return net.to(device).eval()


def _resnet():
    from torchvision.models import resnet18
    return resnet18(num_classes=6).to(device).eval()


def _batch(n=4, size=32):
    return torch.rand(n, 3, size, size, device=device)


def _maps(makes, model=None, rounds=3):
    for make in makes:
        try:
            net = (model or _net)()
            with make(net) as extractor:
                for _ in range(rounds):
                    scores = net(_batch().requires_grad_(True))
                    maps = extractor(scores.argmax(dim=1).tolist(), scores)
                    picture = net(_batch(1).requires_grad_(True))
                    single = extractor(picture.squeeze(0).argmax().item(), picture)
                print(type(extractor).__name__, [m.shape for m in maps], single[0].max().item())
        except Exception as error:
            print(make, type(error).__name__, error)


def gradient_maps():
    from torchcam import methods as m
    _maps([lambda n: m.GradCAM(n, "layer3"), lambda n: m.GradCAMpp(n, "layer3"), lambda n: m.XGradCAM(n, "layer3"), lambda n: m.LayerCAM(n, ["layer1", "layer2", "layer3"])])


def smooth_maps():
    from torchcam import methods as m
    _maps([lambda n: m.SmoothGradCAMpp(n, "layer3", num_samples=3, std=0.3)])


def activation_maps():
    from torchcam import methods as m
    _maps([lambda n: m.CAM(n, "layer3", "fc", input_shape=(3, 32, 32)), lambda n: m.ScoreCAM(n, "layer3", batch_size=8)])


def sampled_maps():
    from torchcam import methods as m
    _maps([lambda n: m.SSCAM(n, "layer3", batch_size=8, num_samples=3), lambda n: m.ISCAM(n, "layer3", batch_size=8, num_samples=3)], rounds=2)


def found_layers():
    from torchcam import methods as m
    _maps([lambda n: m.GradCAM(n, input_shape=(3, 32, 32)), lambda n: m.LayerCAM(n, input_shape=(3, 32, 32))], _resnet, 2)


def refined_maps():
    from torchcam import methods as m
    net = _net()
    extractor = m.RefineCAM(net, ["layer1", "layer2", "layer3"], base_method=m.GradCAMpp)
    for _ in range(3):
        scores = net(_batch().requires_grad_(True))
        print([c.shape for c in extractor(scores.argmax(dim=1).tolist(), scores)])
    extractor.remove_hooks()


def finer_maps():
    from torchcam import methods as m
    net = _net()
    extractor = m.FinerCAM(net, "layer3", base_method=m.GradCAM, num_references=2)
    for _ in range(3):
        scores = net(_batch().requires_grad_(True))
        print([c.shape for c in extractor(scores.argmax(dim=1).tolist(), scores)])
    extractor.remove_hooks()


def fused_maps():
    from torchcam.methods import LayerCAM
    net = _net()
    with LayerCAM(net, ["layer1", "layer2", "layer3"]) as extractor:
        for _ in range(3):
            scores = net(_batch(1).requires_grad_(True))
            maps = extractor(int(scores.argmax()), scores)
            print(extractor.fuse_cams(maps).mean().item(), extractor.fuse_cams(maps, (32, 32)).shape)


def scalar_targets():
    from torchcam.methods import GradCAM
    net = _net()
    with GradCAM(net, "layer3") as extractor:
        for _ in range(3):
            scores = net(_batch().requires_grad_(True))
            print(extractor(scores=scores, targets=lambda out: out[0] - out[1])[0].shape)


def confidence():
    from torchcam import methods as m
    from torchcam.metrics import ClassificationMetric
    for make in (lambda n: m.GradCAM(n, "layer3"), lambda n: m.ScoreCAM(n, "layer3", batch_size=8)):
        net = _net()
        with make(net) as extractor:
            metric = ClassificationMetric(extractor, functools.partial(torch.softmax, dim=-1))
            for _ in range(3):
                metric.update(_batch())
                metric.update(_batch(), class_idx=2)
            print(metric.summary())
            metric.reset()


def deletions():
    from torchcam.methods import GradCAMpp
    from torchcam.metrics import DeletionInsertionMetric
    net = _net()
    with GradCAMpp(net, "layer3") as extractor:
        metric = DeletionInsertionMetric(extractor, functools.partial(torch.softmax, dim=-1), steps=6, batch_size=16)
        for _ in range(3):
            metric.update(_batch())
        print(metric.summary())


def explanations():
    import numpy as np
    from PIL import Image
    from torchcam.explain import explain
    net = _net()
    for turn in range(2):
        result = explain(net, _batch(1), class_names=list("abcdef"), target_layer="layer3", expected_class_idx=3)
        result.save(f"explanation{turn}", Image.fromarray(np.zeros((32, 32, 3), dtype=np.uint8)))


def transformer_maps():
    from torchcam.methods import GradCAM, LeGrad
    from torchvision.models import VisionTransformer
    net = VisionTransformer(image_size=32, patch_size=8, num_layers=2, num_heads=2, hidden_dim=16, mlp_dim=32, num_classes=6).to(device).eval()

    def grid(tokens):
        return tokens[:, 1:].transpose(1, 2).reshape(tokens.shape[0], -1, 4, 4)
    with GradCAM(net, net.encoder.layers[-1].ln_1, reshape_transform=grid) as extractor:
        for _ in range(3):
            scores = net(_batch().requires_grad_(True))
            print(extractor(scores.argmax(dim=1).tolist(), scores)[0].shape)
    with LeGrad(net, [layer.self_attention for layer in net.encoder.layers]) as extractor:
        for _ in range(3):
            scores = net(_batch().requires_grad_(True))
            print(extractor(scores.argmax(dim=1).tolist(), scores)[0].shape)
