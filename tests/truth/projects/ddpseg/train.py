# torchrun --nproc_per_node=8 train.py --dist-eval
import argparse
import os
import time

import numpy as np
import torch
import torch.distributed as dist
import torch.utils.data
from torch import nn

import utils
from model import TinyDeepLab


class SyntheticVOC(torch.utils.data.Dataset):
    num_classes = 5

    def __init__(self, n, size=64, seed=0):
        self.n, self.size, self.seed = n, size, seed

    def __len__(self):
        return self.n

    def __getitem__(self, idx):
        rng = np.random.RandomState(self.seed * 7919 + idx)
        s = self.size
        img = rng.randn(s, s, 3).astype(np.float32) * 0.3
        target = np.zeros((s, s), dtype=np.int64)
        for _ in range(rng.randint(1, 4)):
            c = rng.randint(1, self.num_classes)
            y, x = rng.randint(0, s - 20, size=2)
            h, w = rng.randint(10, 20, size=2)
            target[y:y + h, x:x + w] = c
            img[y:y + h, x:x + w] += np.array([c % 2, c // 2, c / 4.])
        target[rng.rand(s, s) < 0.01] = 255
        return torch.from_numpy(img.transpose(2, 0, 1)), torch.from_numpy(target)


def criterion(inputs, target):
    losses = {}
    for name, x in inputs.items():
        losses[name] = nn.functional.cross_entropy(x, target, ignore_index=255)
    if len(losses) == 1:
        return losses['out'], losses
    return losses['out'] + 0.5 * losses['aux'], losses


def evaluate(model, data_loader, device, num_classes):
    model.eval()
    confmat = utils.ConfusionMatrix(num_classes)
    metric_logger = utils.MetricLogger(delimiter="  ")
    num_processed_samples = 0
    with torch.inference_mode():
        for image, target in metric_logger.log_every(data_loader, 2, 'Test:'):
            image, target = image.to(device), target.to(device)
            output = model(image)
            loss, _ = criterion(output, target)
            confmat.update(target.flatten(), output['out'].argmax(1).flatten())
            metric_logger.update(loss=loss.item())
            num_processed_samples += image.shape[0]
    confmat.reduce_from_all_processes()
    metric_logger.synchronize_between_processes()
    n = torch.tensor(num_processed_samples, device=device)
    dist.all_reduce(n)
    if n.item() != len(data_loader.dataset):
        print('warning: {} samples seen, {} in the dataset'.format(n.item(), len(data_loader.dataset)))
    return confmat, metric_logger.loss.global_avg


def train_one_epoch(model, optimizer, data_loader, lr_scheduler, device, epoch, print_freq, scaler=None):
    model.train()
    metric_logger = utils.MetricLogger(delimiter="  ")
    header = 'Epoch: [{}]'.format(epoch)
    for image, target in metric_logger.log_every(data_loader, print_freq, header):
        image, target = image.to(device, non_blocking=True), target.to(device, non_blocking=True)
        with torch.autocast('cuda', enabled=scaler is not None):
            output = model(image)
            loss, losses = criterion(output, target)
        optimizer.zero_grad()
        if scaler is not None:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            optimizer.step()
        lr_scheduler.step()

        loss_dict_reduced = utils.reduce_dict({k: v.detach() for k, v in losses.items()})
        losses_reduced = sum(loss_dict_reduced.values())
        if not torch.isfinite(losses_reduced):
            raise RuntimeError('Loss is {}, stopping training: {}'.format(losses_reduced, loss_dict_reduced))
        metric_logger.update(loss=losses_reduced, lr=optimizer.param_groups[0]['lr'], **loss_dict_reduced)
    metric_logger.synchronize_between_processes()
    return metric_logger.loss.global_avg


def main(args):
    utils.init_distributed_mode(args)
    os.makedirs(args.output_dir, exist_ok=True)
    device = torch.device(args.device)
    torch.manual_seed(args.seed + utils.get_rank())

    dataset, dataset_test = SyntheticVOC(192, seed=0), SyntheticVOC(48, seed=1)
    train_sampler = torch.utils.data.distributed.DistributedSampler(dataset)
    test_sampler = torch.utils.data.distributed.DistributedSampler(dataset_test, shuffle=False)
    data_loader = torch.utils.data.DataLoader(
        dataset, batch_size=args.batch_size, sampler=train_sampler, num_workers=args.workers, drop_last=True,
        pin_memory=True)
    data_loader_test = torch.utils.data.DataLoader(
        dataset_test, batch_size=args.batch_size, sampler=test_sampler, num_workers=args.workers)

    model = TinyDeepLab(SyntheticVOC.num_classes).to(device)
    model = nn.SyncBatchNorm.convert_sync_batchnorm(model) if args.sync_bn else model
    model = nn.parallel.DistributedDataParallel(model, device_ids=[args.gpu])
    model_without_ddp = model.module
    optimizer = torch.optim.SGD(model_without_ddp.parameters(), lr=args.lr, momentum=0.9, weight_decay=1e-4)
    total = len(data_loader) * args.epochs
    lr_scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda x: (1 - x / (total + 1)) ** 0.9)
    scaler = torch.amp.GradScaler('cuda') if args.amp else None

    if args.resume:
        checkpoint = torch.load(args.resume, map_location='cpu', weights_only=False)
        model_without_ddp.load_state_dict(checkpoint['model'])
        optimizer.load_state_dict(checkpoint['optimizer'])
        lr_scheduler.load_state_dict(checkpoint['lr_scheduler'])
        args.start_epoch = checkpoint['epoch'] + 1

    start_time, best = time.time(), 0.
    for epoch in range(args.start_epoch, args.epochs):
        train_sampler.set_epoch(epoch)
        train_loss = train_one_epoch(model, optimizer, data_loader, lr_scheduler, device, epoch, args.print_freq, scaler)
        confmat, val_loss = evaluate(model, data_loader_test, device, SyntheticVOC.num_classes)
        print(confmat)
        miou = confmat.compute()[2].mean().item()
        best = max(best, miou)
        summaries = utils.all_gather_object_list({'rank': utils.get_rank(), 'train': train_loss, 'val': val_loss})
        print('epoch', epoch, 'best mIoU %.4f' % best, summaries)
        ckpt = {'model': model_without_ddp.state_dict(), 'optimizer': optimizer.state_dict(),
                'lr_scheduler': lr_scheduler.state_dict(), 'epoch': epoch, 'args': args}
        utils.save_on_master(ckpt, os.path.join(args.output_dir, 'model_{}.pth'.format(epoch)))
        utils.save_on_master(ckpt, os.path.join(args.output_dir, 'checkpoint.pth'))
    print('Training time {:.1f}s'.format(time.time() - start_time))
    dist.destroy_process_group()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description='segmentation training')
    parser.add_argument('--device', default='cuda')
    parser.add_argument('-b', '--batch-size', default=16, type=int)
    parser.add_argument('--epochs', default=3, type=int)
    parser.add_argument('-j', '--workers', default=0, type=int)
    parser.add_argument('--lr', default=0.05, type=float)
    parser.add_argument('--print-freq', default=5, type=int)
    parser.add_argument('--output-dir', default='./out/ddpseg')
    parser.add_argument('--resume', default='')
    parser.add_argument('--start-epoch', default=0, type=int)
    parser.add_argument('--seed', default=0, type=int)
    parser.add_argument('--sync-bn', action='store_true')
    parser.add_argument('--amp', action='store_true')
    main(parser.parse_args())
