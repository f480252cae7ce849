import argparse
import copy
import datetime
import json
import os
import tempfile
import time
from pathlib import Path

import numpy as np
import torch
import torch.backends.cudnn as cudnn

import models_mae
import util.misc as misc
from datasets import Gratings
from engine import evaluate, finetune_one_epoch, pretrain_one_epoch
from util.misc import NativeScalerWithGradNormCount as NativeScaler


def get_args_parser():
    parser = argparse.ArgumentParser('MAE pre-training + linear probing', add_help=False)
    parser.add_argument('--batch_size', default=64, type=int)
    parser.add_argument('--epochs', default=3, type=int)
    parser.add_argument('--probe_epochs', default=2, type=int)
    parser.add_argument('--accum_iter', default=2, type=int,
                        help='Accumulate gradient iterations (for increasing the effective batch size)')
    parser.add_argument('--input_size', default=32, type=int)
    parser.add_argument('--mask_ratio', default=0.75, type=float)
    parser.add_argument('--norm_pix_loss', action='store_true')
    parser.add_argument('--weight_decay', type=float, default=0.05)
    parser.add_argument('--lr', type=float, default=None, metavar='LR')
    parser.add_argument('--blr', type=float, default=1.5e-3, metavar='LR',
                        help='base learning rate: absolute_lr = base_lr * total_batch_size / 256')
    parser.add_argument('--probe_blr', type=float, default=0.1)
    parser.add_argument('--min_lr', type=float, default=0.)
    parser.add_argument('--warmup_epochs', type=int, default=1)
    parser.add_argument('--nb_classes', default=10, type=int)
    parser.add_argument('--output_dir', default='', help='path where to save, empty for a temp dir')
    parser.add_argument('--device', default='cuda')
    parser.add_argument('--seed', default=0, type=int)
    parser.add_argument('--num_workers', default=2, type=int)
    parser.add_argument('--no_pin_mem', action='store_false', dest='pin_mem')
    parser.set_defaults(pin_mem=True)
    return parser


def param_groups_weight_decay(model, weight_decay, no_weight_decay_list=()):
    decay, no_decay = [], []
    for name, param in model.named_parameters():
        if not param.requires_grad:
            continue
        if param.ndim <= 1 or name.endswith(".bias") or name in no_weight_decay_list:
            no_decay.append(param)
        else:
            decay.append(param)
    return [{'params': no_decay, 'weight_decay': 0.}, {'params': decay, 'weight_decay': weight_decay}]


def pretrain(args):
    device = torch.device(args.device)
    dataset_train = Gratings(2560, args.nb_classes, args.input_size, train=True, seed=args.seed)
    data_loader_train = torch.utils.data.DataLoader(
        dataset_train, sampler=torch.utils.data.RandomSampler(dataset_train), batch_size=args.batch_size,
        num_workers=args.num_workers, pin_memory=args.pin_mem, drop_last=True)

    model = models_mae.mae_vit_tiny_patch4(img_size=args.input_size, norm_pix_loss=args.norm_pix_loss)
    model.to(device)
    print("Model = %s" % str(model))

    eff_batch_size = args.batch_size * args.accum_iter * misc.get_world_size()
    if args.lr is None:  # only base_lr is specified
        args.lr = args.blr * eff_batch_size / 256
    print("base lr: %.2e" % (args.lr * 256 / eff_batch_size))
    print("actual lr: %.2e" % args.lr)
    print("effective batch size: %d" % eff_batch_size)

    optimizer = torch.optim.AdamW(param_groups_weight_decay(model, args.weight_decay), lr=args.lr, betas=(0.9, 0.95))
    loss_scaler = NativeScaler()

    print(f"Start training for {args.epochs} epochs")
    start_time = time.time()
    ckpt = None
    for epoch in range(args.epochs):
        train_stats = pretrain_one_epoch(model, data_loader_train, optimizer, device, epoch, loss_scaler, args=args)
        if args.output_dir and (epoch % 20 == 0 or epoch + 1 == args.epochs):
            ckpt = misc.save_model(args, epoch, model, optimizer, loss_scaler)
        log_stats = {**{f'train_{k}': v for k, v in train_stats.items()}, 'epoch': epoch}
        if args.output_dir and misc.is_main_process():
            with open(os.path.join(args.output_dir, "log.txt"), mode="a", encoding="utf-8") as f:
                f.write(json.dumps(log_stats) + "\n")

    # reconstruction of a few images, for the notebook
    model.eval()
    with torch.no_grad():
        x = torch.stack([dataset_train[i][0] for i in range(8)]).to(device)
        _, y, mask = model(x, mask_ratio=args.mask_ratio)
        y = model.unpatchify(y).detach().cpu()
        mask = mask.detach().unsqueeze(-1).repeat(1, 1, model.patch_embed.patch_size[0]**2 * 3)
        mask = model.unpatchify(mask).cpu()
        x = x.cpu()
        im_paste = x * (1 - mask) + y * mask
        np.save(os.path.join(args.output_dir, 'recon.npy'), im_paste.numpy())

    total_time_str = str(datetime.timedelta(seconds=int(time.time() - start_time)))
    print('Training time {}'.format(total_time_str))
    return ckpt


def linprobe(args, ckpt):
    device = torch.device(args.device)
    args = copy.deepcopy(args)
    args.epochs, args.warmup_epochs = args.probe_epochs, 0
    args.lr = args.probe_blr * 128 / 256
    dataset_train = Gratings(2560, args.nb_classes, args.input_size, train=True, seed=args.seed)
    dataset_val = Gratings(640, args.nb_classes, args.input_size, train=False, seed=args.seed + 1)
    data_loader_train = torch.utils.data.DataLoader(
        dataset_train, shuffle=True, batch_size=128, num_workers=args.num_workers, pin_memory=args.pin_mem,
        drop_last=True)
    data_loader_val = torch.utils.data.DataLoader(
        dataset_val, sampler=torch.utils.data.SequentialSampler(dataset_val), batch_size=128,
        num_workers=args.num_workers, pin_memory=args.pin_mem, drop_last=False)

    model = models_mae.vit_tiny_patch4(img_size=args.input_size, num_classes=args.nb_classes, global_pool=False)
    checkpoint = torch.load(ckpt, map_location='cpu')
    print("Load pre-trained checkpoint from: %s" % ckpt)
    msg = model.load_state_dict(checkpoint['model'], strict=False)
    print(msg.missing_keys)
    assert set(msg.missing_keys) == {'head.weight', 'head.bias'}
    torch.nn.init.trunc_normal_(model.head.weight, std=0.01)
    # for linear prob only
    # hack: revise model's head with BN
    model.head = torch.nn.Sequential(
        torch.nn.BatchNorm1d(model.head.in_features, affine=False, eps=1e-6), model.head)
    # freeze all but the head
    for _, p in model.named_parameters():
        p.requires_grad = False
    for _, p in model.head.named_parameters():
        p.requires_grad = True
    model.to(device)
    n_parameters = sum(p.numel() for p in model.parameters() if p.requires_grad)
    print('number of params (M): %.4f' % (n_parameters / 1.e6))

    optimizer = torch.optim.SGD(model.head.parameters(), lr=args.lr, momentum=0.9)
    loss_scaler = NativeScaler()
    criterion = torch.nn.CrossEntropyLoss()
    max_accuracy = 0.0
    for epoch in range(args.epochs):
        finetune_one_epoch(model, criterion, data_loader_train, optimizer, device, epoch, loss_scaler, args=args)
        test_stats = evaluate(data_loader_val, model, device)
        print(f"Accuracy of the network on the {len(dataset_val)} test images: {test_stats['acc1']:.1f}%")
        max_accuracy = max(max_accuracy, test_stats["acc1"])
        print(f'Max accuracy: {max_accuracy:.2f}%')


if __name__ == '__main__':
    args = argparse.ArgumentParser(parents=[get_args_parser()]).parse_args()
    if not args.output_dir:
        args.output_dir = tempfile.mkdtemp(prefix='mae_')
    Path(args.output_dir).mkdir(parents=True, exist_ok=True)
    print("{}".format(args).replace(', ', ',\n'))
    torch.manual_seed(args.seed)
    np.random.seed(args.seed)
    cudnn.benchmark = True
    ckpt = pretrain(args)
    linprobe(args, ckpt)
