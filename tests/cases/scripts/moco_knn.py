"""Momentum contrast with a queue, DDP, AMP; kNN evaluation on frozen features."""
import argparse
import builtins
import math
import os
import time

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
import torchvision.datasets as datasets
import torchvision.models as models
import torchvision.transforms as transforms

parser = argparse.ArgumentParser()
parser.add_argument("data")
parser.add_argument("--arch", default="resnet50")
parser.add_argument("--epochs", default=200, type=int)
parser.add_argument("--batch-size", default=256, type=int)
parser.add_argument("--lr", default=0.03, type=float)
parser.add_argument("--print-freq", default=10, type=int)
parser.add_argument("--local_rank", default=int(os.environ.get("LOCAL_RANK", 0)), type=int)


class AverageMeter:
    def __init__(self, name, fmt=":f"):
        self.name = name
        self.fmt = fmt
        self.reset()

    def reset(self):
        self.val = 0
        self.avg = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count

    def __str__(self):
        fmtstr = "{name} {val" + self.fmt + "} ({avg" + self.fmt + "})"
        return fmtstr.format(**self.__dict__)  # sync: host-read note


class ProgressMeter:
    def __init__(self, num_batches, meters, prefix=""):
        self.num_batches = num_batches
        self.meters = meters
        self.prefix = prefix

    def display(self, batch):
        entries = [self.prefix + f"[{batch}/{self.num_batches}]"]
        entries += [str(meter) for meter in self.meters]
        print("\t".join(entries))


@torch.no_grad()
def concat_all_gather(tensor):
    gathered = [torch.ones_like(tensor) for _ in range(dist.get_world_size())]
    dist.all_gather(gathered, tensor, async_op=False)
    return torch.cat(gathered, dim=0)


class MoCo(nn.Module):
    def __init__(self, base_encoder, dim=128, K=65536, m=0.999, T=0.07):
        super().__init__()
        self.K = K
        self.m = m
        self.T = T
        self.encoder_q = base_encoder(num_classes=dim)
        self.encoder_k = base_encoder(num_classes=dim)
        for param_q, param_k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            param_k.data.copy_(param_q.data)
            param_k.requires_grad = False
        self.register_buffer("queue", F.normalize(torch.randn(dim, K), dim=0))
        self.register_buffer("queue_ptr", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def _momentum_update_key_encoder(self):
        for param_q, param_k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            param_k.data = param_k.data * self.m + param_q.data * (1.0 - self.m)

    @torch.no_grad()
    def _dequeue_and_enqueue(self, keys):
        keys = concat_all_gather(keys)
        batch_size = keys.shape[0]
        ptr = int(self.queue_ptr)  # sync: host-read
        assert self.K % batch_size == 0
        self.queue[:, ptr : ptr + batch_size] = keys.T
        ptr = (ptr + batch_size) % self.K
        self.queue_ptr[0] = ptr  # sync: index-from-host

    @torch.no_grad()
    def _batch_shuffle_ddp(self, x):
        batch_size_this = x.shape[0]
        x_gather = concat_all_gather(x)
        batch_size_all = x_gather.shape[0]
        num_gpus = batch_size_all // batch_size_this
        idx_shuffle = torch.randperm(batch_size_all).cuda()  # sync: copy-to-device
        dist.broadcast(idx_shuffle, src=0)
        idx_unshuffle = torch.argsort(idx_shuffle)
        gpu_idx = dist.get_rank()
        idx_this = idx_shuffle.view(num_gpus, -1)[gpu_idx]
        return x_gather[idx_this], idx_unshuffle

    def forward(self, im_q, im_k):
        q = F.normalize(self.encoder_q(im_q), dim=1)
        with torch.no_grad():
            self._momentum_update_key_encoder()
            im_k, idx_unshuffle = self._batch_shuffle_ddp(im_k)
            k = F.normalize(self.encoder_k(im_k), dim=1)
        l_pos = torch.einsum("nc,nc->n", [q, k]).unsqueeze(-1)
        l_neg = torch.einsum("nc,ck->nk", [q, self.queue.clone().detach()])
        logits = torch.cat([l_pos, l_neg], dim=1) / self.T
        labels = torch.zeros(logits.shape[0], dtype=torch.long).cuda()  # sync: copy-to-device
        self._dequeue_and_enqueue(k)
        return logits, labels


def accuracy(output, target, topk=(1,)):
    with torch.no_grad():
        maxk = max(topk)
        batch_size = target.size(0)
        _, pred = output.topk(maxk, 1, True, True)
        pred = pred.t()
        correct = pred.eq(target.view(1, -1).expand_as(pred))
        res = []
        for k in topk:
            correct_k = correct[:k].reshape(-1).float().sum(0, keepdim=True)
            res.append(correct_k.mul_(100.0 / batch_size))
        return res


@torch.no_grad()
def knn_eval(net, memory_loader, test_loader, k=200, t=0.1):
    net.eval()
    classes = len(memory_loader.dataset.classes)
    bank = []
    for data, target in memory_loader:
        feature = F.normalize(net(data.cuda(non_blocking=True)), dim=1)
        bank.append(feature)
    bank = torch.cat(bank, dim=0).t().contiguous()
    labels = torch.tensor(memory_loader.dataset.targets, device=bank.device)  # sync: tensor-from-host note
    total_top1, total_num = 0.0, 0
    for data, target in test_loader:
        data, target = data.cuda(non_blocking=True), target.cuda(non_blocking=True)
        feature = F.normalize(net(data), dim=1)
        sim, idx = torch.mm(feature, bank).topk(k=k, dim=-1)
        sim_labels = torch.gather(labels.expand(data.size(0), -1), dim=-1, index=idx)
        sim = (sim / t).exp()
        one_hot = torch.zeros(data.size(0) * k, classes, device=sim.device)
        one_hot = one_hot.scatter(dim=-1, index=sim_labels.view(-1, 1), value=1.0)
        scores = torch.sum(one_hot.view(data.size(0), -1, classes) * sim.unsqueeze(dim=-1), dim=1)
        pred = scores.argsort(dim=-1, descending=True)
        total_num += data.size(0)
        total_top1 += (pred[:, 0] == target).float().sum().item()  # sync: host-read
    return total_top1 / total_num * 100


def train(loader, model, criterion, optimizer, scaler, epoch, args):
    batch_time = AverageMeter("Time", ":6.3f")
    losses = AverageMeter("Loss", ":.4e")
    top1 = AverageMeter("Acc@1", ":6.2f")
    top5 = AverageMeter("Acc@5", ":6.2f")
    progress = ProgressMeter(len(loader), [batch_time, losses, top1, top5], prefix=f"Epoch: [{epoch}]")
    model.train()
    end = time.time()
    for i, (images, _) in enumerate(loader):
        images[0] = images[0].cuda(args.local_rank, non_blocking=True)
        images[1] = images[1].cuda(args.local_rank, non_blocking=True)
        with torch.cuda.amp.autocast():
            output, target = model(im_q=images[0], im_k=images[1])
            loss = criterion(output, target)
        acc1, acc5 = accuracy(output, target, topk=(1, 5))
        losses.update(loss.item(), images[0].size(0))  # sync: host-read
        top1.update(acc1[0], images[0].size(0))
        top5.update(acc5[0], images[0].size(0))
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)  # sync: grad-scaler
        scaler.update()
        batch_time.update(time.time() - end)
        end = time.time()
        if i % args.print_freq == 0:
            progress.display(i)


def main():
    args = parser.parse_args()
    torch.cuda.set_device(args.local_rank)
    dist.init_process_group(backend="nccl")
    if args.local_rank != 0:
        def print_pass(*a):
            pass
        builtins.print = print_pass
    model = MoCo(models.__dict__[args.arch])
    model.cuda(args.local_rank)
    model = nn.parallel.DistributedDataParallel(model, device_ids=[args.local_rank])
    criterion = nn.CrossEntropyLoss().cuda(args.local_rank)
    optimizer = torch.optim.SGD(model.parameters(), args.lr, momentum=0.9, weight_decay=1e-4)
    scaler = torch.cuda.amp.GradScaler()
    aug = transforms.Compose([transforms.RandomResizedCrop(224), transforms.ToTensor()])
    ds = datasets.ImageFolder(os.path.join(args.data, "train"), lambda x: [aug(x), aug(x)])
    sampler = torch.utils.data.distributed.DistributedSampler(ds)
    loader = torch.utils.data.DataLoader(ds, batch_size=args.batch_size, sampler=sampler, num_workers=8, pin_memory=True, drop_last=True)
    memory = torch.utils.data.DataLoader(datasets.ImageFolder(os.path.join(args.data, "train"), aug), batch_size=512, num_workers=8, pin_memory=True)
    test = torch.utils.data.DataLoader(datasets.ImageFolder(os.path.join(args.data, "val"), aug), batch_size=512, num_workers=8, pin_memory=True)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        lr = args.lr * 0.5 * (1.0 + math.cos(math.pi * epoch / args.epochs))
        for group in optimizer.param_groups:
            group["lr"] = lr
        train(loader, model, criterion, optimizer, scaler, epoch, args)
        if epoch % 5 == 0:
            print("kNN", knn_eval(model.module.encoder_q, memory, test))
        if dist.get_rank() == 0:
            torch.save({"epoch": epoch, "state_dict": model.state_dict(), "optimizer": optimizer.state_dict()}, f"ckpt_{epoch:04d}.pt")  # sync: copy-to-host note


if __name__ == "__main__":
    main()
