import argparse
import datetime
import json
import random
import time
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

from detr import build
from engine import evaluate, train_one_epoch


def get_args_parser():
    parser = argparse.ArgumentParser('Set transformer detector', add_help=False)
    parser.add_argument('--lr', default=1e-4, type=float)
    parser.add_argument('--lr_backbone', default=1e-5, type=float)
    parser.add_argument('--batch_size', default=4, type=int)
    parser.add_argument('--weight_decay', default=1e-4, type=float)
    parser.add_argument('--epochs', default=2, type=int)
    parser.add_argument('--lr_drop', default=200, type=int)
    parser.add_argument('--clip_max_norm', default=0.1, type=float)
    parser.add_argument('--hidden_dim', default=64, type=int)
    parser.add_argument('--num_queries', default=12, type=int)
    parser.add_argument('--num_classes', default=4, type=int)
    parser.add_argument('--no_aux_loss', dest='aux_loss', action='store_false')
    parser.add_argument('--eos_coef', default=0.1, type=float)
    parser.add_argument('--output_dir', default='./out')
    parser.add_argument('--device', default='cuda', help='device to use for training / testing')
    parser.add_argument('--seed', default=42, type=int)
    parser.add_argument('--resume', default='')
    parser.add_argument('--num_workers', default=0, type=int)
    return parser


class ShapesDetection(Dataset):
    def __init__(self, image_set, size=96):
        self.n = 48 if image_set == 'train' else 16
        self.offset = 0 if image_set == 'train' else 100000
        self.size = size

    def __len__(self):
        return self.n

    def __getitem__(self, idx):
        rng = np.random.RandomState(self.offset + idx)
        s = self.size
        img = rng.rand(3, s, s).astype(np.float32) * 0.2
        boxes, labels = [], []
        for _ in range(rng.randint(1, 5)):
            w, h = rng.randint(12, 40, 2)
            x, y = rng.randint(0, s - w), rng.randint(0, s - h)
            c = rng.randint(0, 4)
            img[c % 3, y:y + h, x:x + w] += 0.5 + 0.1 * c
            boxes.append([(x + w / 2) / s, (y + h / 2) / s, w / s, h / s])
            labels.append(c)
        target = {'boxes': torch.tensor(boxes, dtype=torch.float32), 'labels': torch.tensor(labels),
                  'image_id': torch.tensor([idx]), 'orig_size': torch.as_tensor([s, s])}
        return torch.from_numpy(img), target


def collate_fn(batch):
    batch = list(zip(*batch))
    return torch.stack(batch[0]), batch[1]


def main(args):
    if not torch.cuda.is_available():
        args.device = 'cpu'
    print(args)
    device = torch.device(args.device)

    # fix the seed for reproducibility
    torch.manual_seed(args.seed)
    np.random.seed(args.seed)
    random.seed(args.seed)

    model, criterion, postprocessors = build(args)
    model.to(device)
    n_parameters = sum(p.numel() for p in model.parameters() if p.requires_grad)
    print('number of params:', n_parameters)

    param_dicts = [
        {"params": [p for n, p in model.named_parameters() if "backbone" not in n and p.requires_grad]},
        {"params": [p for n, p in model.named_parameters() if "backbone" in n and p.requires_grad],
         "lr": args.lr_backbone},
    ]
    optimizer = torch.optim.AdamW(param_dicts, lr=args.lr, weight_decay=args.weight_decay)
    lr_scheduler = torch.optim.lr_scheduler.StepLR(optimizer, args.lr_drop)

    data_loader_train = DataLoader(ShapesDetection('train'), args.batch_size, shuffle=True, drop_last=True,
                                   collate_fn=collate_fn, num_workers=args.num_workers)
    data_loader_val = DataLoader(ShapesDetection('val'), args.batch_size, drop_last=False,
                                 collate_fn=collate_fn, num_workers=args.num_workers)

    output_dir = Path(args.output_dir)
    output_dir.mkdir(parents=True, exist_ok=True)
    start_epoch = 0
    if args.resume:
        checkpoint = torch.load(args.resume, map_location='cpu', weights_only=False)
        model.load_state_dict(checkpoint['model'])
        optimizer.load_state_dict(checkpoint['optimizer'])
        lr_scheduler.load_state_dict(checkpoint['lr_scheduler'])
        start_epoch = checkpoint['epoch'] + 1

    print("Start training")
    start_time = time.time()
    for epoch in range(start_epoch, args.epochs):
        train_stats = train_one_epoch(model, criterion, data_loader_train, optimizer, device, epoch,
                                      args.clip_max_norm)
        lr_scheduler.step()
        checkpoint_paths = [output_dir / 'checkpoint.pth']
        # extra checkpoint before LR drop and every 100 epochs
        if (epoch + 1) % args.lr_drop == 0 or (epoch + 1) % 100 == 0:
            checkpoint_paths.append(output_dir / f'checkpoint{epoch:04}.pth')
        for checkpoint_path in checkpoint_paths:
            torch.save({
                'model': model.state_dict(),
                'optimizer': optimizer.state_dict(),
                'lr_scheduler': lr_scheduler.state_dict(),
                'epoch': epoch,
                'args': args,
            }, checkpoint_path)

        test_stats = evaluate(model, criterion, postprocessors, data_loader_val, device)
        log_stats = {**{f'train_{k}': v for k, v in train_stats.items()},
                     **{f'test_{k}': v for k, v in test_stats.items()},
                     'epoch': epoch, 'n_parameters': n_parameters}
        with (output_dir / "log.txt").open("a") as f:
            f.write(json.dumps(log_stats) + "\n")

    total_time = time.time() - start_time
    print('Training time {}'.format(str(datetime.timedelta(seconds=int(total_time)))))


if __name__ == '__main__':
    parser = argparse.ArgumentParser('training script', parents=[get_args_parser()])
    main(parser.parse_args())
