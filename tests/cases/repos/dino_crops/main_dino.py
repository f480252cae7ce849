import argparse
import datetime
import json
import math
import os
import sys
import time
from pathlib import Path

import numpy as np
import torch
import torch.backends.cudnn as cudnn
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from PIL import Image
from torchvision import datasets, models as torchvision_models, transforms

import utils


class DINOHead(nn.Module):
    def __init__(self, in_dim, out_dim, hidden_dim=2048, bottleneck_dim=256):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(in_dim, hidden_dim), nn.GELU(), nn.Linear(hidden_dim, bottleneck_dim))
        self.last_layer = nn.utils.weight_norm(nn.Linear(bottleneck_dim, out_dim, bias=False))
        self.last_layer.weight_g.data.fill_(1)

    def forward(self, x):
        x = self.mlp(x)
        x = nn.functional.normalize(x, dim=-1, p=2)
        return self.last_layer(x)


class DINOLoss(nn.Module):
    def __init__(self, out_dim, ncrops, warmup_teacher_temp, teacher_temp, warmup_teacher_temp_epochs, nepochs, student_temp=0.1, center_momentum=0.9):
        super().__init__()
        self.student_temp = student_temp
        self.center_momentum = center_momentum
        self.ncrops = ncrops
        self.register_buffer("center", torch.zeros(1, out_dim))
        self.teacher_temp_schedule = np.concatenate((np.linspace(warmup_teacher_temp, teacher_temp, warmup_teacher_temp_epochs),
                                                     np.ones(nepochs - warmup_teacher_temp_epochs) * teacher_temp))

    def forward(self, student_output, teacher_output, epoch):
        student_out = (student_output / self.student_temp).chunk(self.ncrops)
        temp = self.teacher_temp_schedule[epoch]
        teacher_out = F.softmax((teacher_output - self.center) / temp, dim=-1).detach().chunk(2)
        total_loss = 0
        n_loss_terms = 0
        for iq, q in enumerate(teacher_out):
            for v in range(len(student_out)):
                if v == iq:
                    continue
                loss = torch.sum(-q * F.log_softmax(student_out[v], dim=-1), dim=-1)
                total_loss += loss.mean()
                n_loss_terms += 1
        total_loss /= n_loss_terms
        self.update_center(teacher_output)
        return total_loss

    @torch.no_grad()
    def update_center(self, teacher_output):
        batch_center = torch.sum(teacher_output, dim=0, keepdim=True)
        dist.all_reduce(batch_center)
        batch_center = batch_center / (len(teacher_output) * dist.get_world_size())
        self.center = self.center * self.center_momentum + batch_center * (1 - self.center_momentum)


class DataAugmentationDINO(object):
    def __init__(self, local_crops_number):
        self.global_transfo = transforms.Compose([transforms.RandomResizedCrop(224, scale=(0.4, 1.0)), transforms.ToTensor()])
        self.local_transfo = transforms.Compose([transforms.RandomResizedCrop(96, scale=(0.05, 0.4)), transforms.ToTensor()])
        self.local_crops_number = local_crops_number

    def __call__(self, image):
        crops = [self.global_transfo(image), self.global_transfo(image)]
        for _ in range(self.local_crops_number):
            crops.append(self.local_transfo(image))
        return crops


def get_args_parser():
    parser = argparse.ArgumentParser("DINO", add_help=False)
    parser.add_argument("--arch", default="resnet50", type=str)
    parser.add_argument("--out_dim", default=65536, type=int)
    parser.add_argument("--momentum_teacher", default=0.996, type=float)
    parser.add_argument("--use_fp16", type=bool, default=True)
    parser.add_argument("--clip_grad", type=float, default=3.0)
    parser.add_argument("--batch_size_per_gpu", default=64, type=int)
    parser.add_argument("--epochs", default=100, type=int)
    parser.add_argument("--freeze_last_layer", default=1, type=int)
    parser.add_argument("--local_crops_number", type=int, default=8)
    parser.add_argument("--data_path", default="/path/to/imagenet/train/", type=str)
    parser.add_argument("--output_dir", default=".", type=str)
    parser.add_argument("--saveckp_freq", default=20, type=int)
    parser.add_argument("--num_workers", default=10, type=int)
    parser.add_argument("--dist_url", default="env://", type=str)
    return parser


def train_dino(args):
    utils.init_distributed_mode(args)
    utils.fix_random_seeds(0)
    cudnn.benchmark = True
    dataset = datasets.ImageFolder(args.data_path, transform=DataAugmentationDINO(args.local_crops_number))
    sampler = torch.utils.data.DistributedSampler(dataset, shuffle=True)
    data_loader = torch.utils.data.DataLoader(dataset, sampler=sampler, batch_size=args.batch_size_per_gpu, num_workers=args.num_workers, pin_memory=True, drop_last=True)
    student = torchvision_models.__dict__[args.arch]()
    teacher = torchvision_models.__dict__[args.arch]()
    embed_dim = student.fc.weight.shape[1]
    student = utils.MultiCropWrapper(student, DINOHead(embed_dim, args.out_dim))
    teacher = utils.MultiCropWrapper(teacher, DINOHead(embed_dim, args.out_dim))
    student, teacher = student.cuda(), teacher.cuda()
    student = nn.SyncBatchNorm.convert_sync_batchnorm(student)
    teacher = nn.SyncBatchNorm.convert_sync_batchnorm(teacher)
    teacher = nn.parallel.DistributedDataParallel(teacher, device_ids=[args.gpu])
    teacher_without_ddp = teacher.module
    student = nn.parallel.DistributedDataParallel(student, device_ids=[args.gpu])
    teacher_without_ddp.load_state_dict(student.module.state_dict())
    for p in teacher.parameters():
        p.requires_grad = False
    dino_loss = DINOLoss(args.out_dim, args.local_crops_number + 2, 0.04, 0.04, 0, args.epochs).cuda()
    optimizer = torch.optim.AdamW(utils.get_params_groups(student))
    fp16_scaler = torch.cuda.amp.GradScaler() if args.use_fp16 else None
    lr_schedule = utils.cosine_scheduler(0.0005, 1e-6, args.epochs, len(data_loader), 10)
    momentum_schedule = utils.cosine_scheduler(args.momentum_teacher, 1, args.epochs, len(data_loader))
    start_time = time.time()
    for epoch in range(args.epochs):
        data_loader.sampler.set_epoch(epoch)
        train_stats = train_one_epoch(student, teacher, teacher_without_ddp, dino_loss, data_loader, optimizer, lr_schedule, momentum_schedule, epoch, fp16_scaler, args)
        save_dict = {"student": student.state_dict(), "teacher": teacher.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch + 1, "args": args, "dino_loss": dino_loss.state_dict()}
        if fp16_scaler is not None:
            save_dict["fp16_scaler"] = fp16_scaler.state_dict()  # sync: grad-scaler note
        utils.save_on_master(save_dict, os.path.join(args.output_dir, "checkpoint.pth"))
        if args.saveckp_freq and epoch % args.saveckp_freq == 0:
            utils.save_on_master(save_dict, os.path.join(args.output_dir, f"checkpoint{epoch:04}.pth"))
        log_stats = {**{f"train_{k}": v for k, v in train_stats.items()}, "epoch": epoch}
        if utils.is_main_process():
            with (Path(args.output_dir) / "log.txt").open("a") as f:
                f.write(json.dumps(log_stats) + "\n")
    print("Training time {}".format(str(datetime.timedelta(seconds=int(time.time() - start_time)))))


def train_one_epoch(student, teacher, teacher_without_ddp, dino_loss, data_loader, optimizer, lr_schedule, momentum_schedule, epoch, fp16_scaler, args):
    metric_logger = utils.MetricLogger(delimiter="  ")
    header = "Epoch: [{}/{}]".format(epoch, args.epochs)
    for it, (images, _) in enumerate(metric_logger.log_every(data_loader, 10, header)):
        it = len(data_loader) * epoch + it
        for i, param_group in enumerate(optimizer.param_groups):
            param_group["lr"] = lr_schedule[it]
        images = [im.cuda(non_blocking=True) for im in images]
        with torch.cuda.amp.autocast(fp16_scaler is not None):
            teacher_output = teacher(images[:2])
            student_output = student(images)
            loss = dino_loss(student_output, teacher_output, epoch)
        if not math.isfinite(loss.item()):  # sync: host-read
            print("Loss is {}, stopping training".format(loss.item()), force=True)
            sys.exit(1)
        optimizer.zero_grad()
        if fp16_scaler is None:
            loss.backward()
            if args.clip_grad:
                utils.clip_gradients(student, args.clip_grad)
            utils.cancel_gradients_last_layer(epoch, student, args.freeze_last_layer)
            optimizer.step()
        else:
            fp16_scaler.scale(loss).backward()
            if args.clip_grad:
                fp16_scaler.unscale_(optimizer)
                utils.clip_gradients(student, args.clip_grad)
            utils.cancel_gradients_last_layer(epoch, student, args.freeze_last_layer)
            fp16_scaler.step(optimizer)  # sync: grad-scaler
            fp16_scaler.update()
        with torch.no_grad():
            m = momentum_schedule[it]
            for param_q, param_k in zip(student.module.parameters(), teacher_without_ddp.parameters()):
                param_k.data.mul_(m).add_((1 - m) * param_q.detach().data)
        torch.cuda.synchronize()  # sync: sync-for-timer
        metric_logger.update(loss=loss.item())  # sync: host-read
        metric_logger.update(lr=optimizer.param_groups[0]["lr"])
    metric_logger.synchronize_between_processes()
    return {k: meter.global_avg for k, meter in metric_logger.meters.items()}


if __name__ == "__main__":
    parser = argparse.ArgumentParser("DINO", parents=[get_args_parser()])
    args = parser.parse_args()
    Path(args.output_dir).mkdir(parents=True, exist_ok=True)
    train_dino(args)
