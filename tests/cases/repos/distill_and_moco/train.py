import copy

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader

from mydata import TwoCrops
from moco import MoCo


def kd_loss(student, teacher, T=4.0):
    return F.kl_div(F.log_softmax(student / T, 1), F.softmax(teacher / T, 1), reduction="batchmean") * T * T


def main(args):
    torch.cuda.set_device(args.gpu)
    model = MoCo(nn.Linear, dim=128).cuda(args.gpu)
    teacher = copy.deepcopy(model.encoder_q).eval()
    optimizer = torch.optim.SGD(model.parameters(), args.lr)
    loader = DataLoader(TwoCrops(), batch_size=256, pin_memory=True, drop_last=True)
    meters = {"loss": [], "kd": []}
    for epoch in range(200):
        for i, (images, _) in enumerate(loader):
            images[0] = images[0].cuda(args.gpu, non_blocking=True)
            images[1] = images[1].cuda(args.gpu, non_blocking=True)
            logits, labels = model(images[0], images[1])
            losses = {"loss": F.cross_entropy(logits, labels)}
            with torch.no_grad():
                soft = teacher(images[0])
            losses["kd"] = kd_loss(model.encoder_q(images[0]), soft)
            total = sum(losses.values())
            optimizer.zero_grad()
            total.backward()
            optimizer.step()
            for key, value in losses.items():
                meters[key].append(value.item())  # sync: host-read


if __name__ == "__main__":
    import argparse

    parser = argparse.ArgumentParser()
    parser.add_argument("--gpu", type=int, default=0)
    parser.add_argument("--lr", type=float, default=0.03)
    main(parser.parse_args())
