#!/usr/bin/env python3
"""Models of libraries have parameter tensors and work of their own."""
import sys
from bench import *

TRAINS = """import torch
import torchvision

model = torchvision.models.{name}(num_classes={classes}).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
images = torch.randn({batch}, 3, {side}, {side}, device="cuda")
for step in range(1000):
    loss = model(images).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
"""


def events(name, classes=1000, batch=8, side=224):
    pathlib.Path("train.py").write_text(TRAINS.format(name=name, classes=classes, batch=batch, side=side))
    return syncl("--isolated", "--dump=events", "train.py").out


def test_parameter_tensors():
    # as len(list(model.parameters())) and their elements
    for name, tensors, elements in (("resnet18", 62, "1.169e+07"), ("resnet34", 110, "2.18e+07"), ("resnet50", 161, "2.556e+07"),
                                    ("resnet101", 314, "4.455e+07"), ("resnet152", 467, "6.019e+07"), ("wide_resnet50_2", 161, "6.888e+07")):
        out = events(name)
        assert f" tensors {tensors} parameters {elements} " in out, (name, out)


def flops(*words):
    out = events(*words)
    return float(out.split("convolution float tf32 ")[1].split(" flops ")[1].split()[0])


def test_work_follows_batch_and_side():
    # resnet50 of 224 x 224: 4.09 GMAC, 1 of 2,048 of which are its classes
    same(round(flops("resnet50", 1000, 1) / 2e9, 1), 4.1)
    same(round(flops("resnet18", 1000, 1) / 2e9, 1), 1.8)
    same(round(flops("resnet50", 1000, 16) / flops("resnet50", 1000, 8), 2), 2.0)
    same(round(flops("resnet50", 10, 8, 448) / flops("resnet50", 10, 8, 224), 2), 4.0)


PRODUCTS = """import torch
import torch.nn as nn
{before}
model = nn.Sequential(*[nn.Linear(256, 256) for _ in range(30)]).cuda(){after}
x = torch.randn(64, 256, device="cuda"){after}
for step in range(1000):
    {context}out = model(x)
    print(out.sum().item())
"""


def products(before="", after="", context=""):
    pathlib.Path("train.py").write_text(PRODUCTS.format(before=before, after=after, context=context))
    events = syncl("--isolated", "--dump=events", "train.py").out
    return sorted({"half" if one.startswith("half") else one.split(" 30")[0] for one in events.split("gemm ")[1:]})


def test_precision_of_products():
    same(products(), ["float"])
    same(products("torch.backends.cuda.matmul.allow_tf32 = True"), ["float tf32"])
    same(products("torch.backends.cuda.matmul.allow_tf32 = True\ntorch.backends.cuda.matmul.allow_tf32 = False"), ["float"])
    same(products('torch.set_float32_matmul_precision("high")'), ["float tf32"])
    for dtype in (".half()", ".bfloat16()", ".to(torch.bfloat16)", '.to("cuda", torch.float16)', ".to(dtype=torch.bfloat16)"):
        same((dtype, products(after=dtype)), (dtype, ["half"]))
    same(products(context='with torch.autocast("cuda", dtype=torch.bfloat16): '), ["half"])


main(sys.modules[__name__])
