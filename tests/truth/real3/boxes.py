"""pytorchyolo: its command lines train, test and detect on made-up pictures."""
import os
import sys

import numpy as np
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
NET = """[net]
batch=8
subdivisions=2
width=64
height=64
channels=3
momentum=0.9
decay=0.0005
learning_rate=0.001
burn_in=4
max_batches=100
policy=steps
steps=6,12
scales=.1,.1
{more}
"""
LAYERS = (["conv 8 3", "pool", "conv 16 3", "pool", "conv 32 3", "pool", "conv 32 3", "pool", "conv 64 3", "out", "yolo 3,4,5", "route -3", "conv 32 1", "up", "route -1,6", "conv 32 3", "shortcut -3", "out", "yolo 0,1,2"])


def _write():
    """A small model, twelve pictures with boxes, and the lists of them; as the README's config and data folders are."""
    from PIL import Image
    text = []
    for layer in LAYERS:
        kind, *rest = layer.split()
        if kind == "conv":
            text.append(f"[convolutional]\nbatch_normalize=1\nfilters={rest[0]}\nsize={rest[1]}\nstride=1\npad=1\nactivation=leaky\n")
        elif kind == "out":
            text.append("[convolutional]\nsize=1\nstride=1\npad=1\nfilters=24\nactivation=linear\n")
        elif kind == "pool":
            text.append("[maxpool]\nsize=2\nstride=2\n")
        elif kind == "up":
            text.append("[upsample]\nstride=2\n")
        elif kind == "route":
            text.append(f"[route]\nlayers={rest[0]}\n")
        elif kind == "shortcut":
            text.append(f"[shortcut]\nfrom={rest[0]}\nactivation=linear\n")
        else:
            text.append(f"[yolo]\nmask={rest[0]}\nanchors=8,8, 12,16, 16,12, 20,24, 28,28, 40,36\nclasses=3\nnum=6\n")
    for name, more in (("adam.cfg", "optimizer=adam"), ("sgd.cfg", "optimizer=sgd")):
        with open(name, "w") as file:
            file.write(NET.format(more=more) + "\n" + "\n".join(text))
    rng = np.random.default_rng(0)
    os.makedirs("data/images", exist_ok=True)
    os.makedirs("data/labels", exist_ok=True)
    paths = []
    for i in range(12):
        picture = rng.integers(0, 80, (64, 64, 3)).astype(np.uint8)
        lines = []
        for _ in range(2):
            x, y, w, h = rng.integers(2, 36), rng.integers(2, 36), rng.integers(10, 26), rng.integers(10, 26)
            kind = int(rng.integers(0, 3))
            picture[y:y + h, x:x + w, kind] = 220
            lines.append(f"{kind} {(x + w / 2) / 64:.4f} {(y + h / 2) / 64:.4f} {w / 64:.4f} {h / 64:.4f}")
        paths.append(os.path.abspath(f"data/images/{i}.png"))
        Image.fromarray(picture).save(paths[-1])
        with open(f"data/labels/{i}.txt", "w") as file:
            file.write("\n".join(lines) + "\n")
    for name, part in (("train.txt", paths), ("valid.txt", paths[:6])):
        with open(name, "w") as file:
            file.write("\n".join(part) + "\n")
    with open("names.txt", "w") as file:
        file.write("red\ngreen\nblue\n")
    with open("small.data", "w") as file:
        file.write("classes=3\ntrain=train.txt\nvalid=valid.txt\nnames=names.txt\n")


_write()


def _run(module, *arguments):
    kept, sys.argv = sys.argv, [module.__name__, *arguments]
    try:
        module.run()
    finally:
        sys.argv = kept


def training():
    from pytorchyolo import train
    _run(train, "--model", "adam.cfg", "--data", "small.data", "--epochs", "3", "--n_cpu", "0", "--verbose", "--conf_thres", "0.2", "--logdir", "logs", "--seed", "1")


def training_sgd():
    from pytorchyolo import train
    _run(train, "--model", "sgd.cfg", "--data", "small.data", "--epochs", "2", "--n_cpu", "0", "--evaluation_interval", "2", "--logdir", "logs_sgd")


def _weights():
    from pytorchyolo.models import load_model
    model = load_model("adam.cfg")
    torch.save(model.state_dict(), "small.pth")
    return "small.pth"


def testing():
    from pytorchyolo import test
    _run(test, "--model", "adam.cfg", "--weights", _weights(), "--data", "small.data", "--batch_size", "2", "--img_size", "64", "--n_cpu", "0", "--conf_thres", "0.1", "--verbose")


def detecting():
    from pytorchyolo import detect
    detect.detect_directory("adam.cfg", _weights(), "data/images", ["red", "green", "blue"], "found", batch_size=3, img_size=64, n_cpu=0, conf_thres=0.35)


def detecting_single():
    from pytorchyolo import detect, models
    model = models.load_model("adam.cfg", _weights())
    for _ in range(4):
        picture = np.random.default_rng(2).integers(0, 255, (64, 64, 3)).astype(np.uint8)
        print(detect.detect_image(model, picture, img_size=64, conf_thres=0.2).shape)


def darknet_weights():
    from pytorchyolo.models import load_model
    model = load_model("adam.cfg")
    for _ in range(2):
        model.save_darknet_weights("small.weights")
        model.load_darknet_weights("small.weights")


def losses():
    """The usual loop on the GPU, without the reader of pictures."""
    from pytorchyolo.models import load_model
    from pytorchyolo.utils.loss import bbox_iou, compute_loss
    from pytorchyolo.utils.utils import box_iou, get_batch_statistics, non_max_suppression, rescale_boxes
    model = load_model("adam.cfg")
    optimizer = torch.optim.Adam(model.parameters(), 1e-3)
    for epoch in range(2):
        model.train()
        for _ in range(4):
            pictures = torch.rand(4, 3, 64, 64, device=device)
            targets = torch.cat([torch.arange(4, device=device).repeat(2)[:, None].float(), torch.randint(0, 3, (8, 1), device=device).float(), torch.rand(8, 4, device=device) * 0.3 + 0.3], 1)
            loss, parts = compute_loss(model(pictures), targets, model)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            found = non_max_suppression(model(pictures), conf_thres=0.3, iou_thres=0.4)
            chosen = non_max_suppression(model(pictures), conf_thres=0.3, iou_thres=0.4, classes=[0, 1])
        statistics = get_batch_statistics(found, targets.cpu(), iou_threshold=0.5)
        print(epoch, loss.item(), parts, len(statistics), [len(f) for f in chosen])
        for boxes in found:
            if len(boxes):
                rescale_boxes(boxes, 64, (120, 100))
    for _ in range(3):
        a, b = torch.rand(6, 4, device=device), torch.rand(6, 4, device=device)
        a[:, 2:] += a[:, :2]
        b[:, 2:] += b[:, :2]
        print(box_iou(a, b).max().item(), [bbox_iou(a[0], b, **{k: True}).max().item() for k in ("GIoU", "DIoU", "CIoU")])
