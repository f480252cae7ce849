import argparse
import logging
import os
import pprint

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from core.function import train, validate
from dataset import JointsDataset

try:
    from tensorboardX import SummaryWriter
except ImportError:
    SummaryWriter = None


def parse_args():
    parser = argparse.ArgumentParser(description='Train keypoints network')
    parser.add_argument('--image_size', type=int, default=64)
    parser.add_argument('--num_joints', type=int, default=5)
    parser.add_argument('--stride', type=int, default=4)
    parser.add_argument('--sigma', type=float, default=1.5)
    parser.add_argument('--batch_size', type=int, default=8)
    parser.add_argument('--num_stacks', type=int, default=2)
    parser.add_argument('--lr', type=float, default=1e-3)
    parser.add_argument('--begin_epoch', type=int, default=0)
    parser.add_argument('--end_epoch', type=int, default=3)
    parser.add_argument('--print_freq', type=int, default=4)
    parser.add_argument('--no_flip_test', dest='flip_test', action='store_false')
    parser.add_argument('--output_dir', type=str, default='out/pose')
    return parser.parse_args()


class JointsMSELoss(nn.Module):
    def __init__(self, use_target_weight=True):
        super(JointsMSELoss, self).__init__()
        self.criterion = nn.MSELoss(reduction='mean')
        self.use_target_weight = use_target_weight

    def forward(self, output, target, target_weight):
        batch_size = output.size(0)
        num_joints = output.size(1)
        heatmaps_pred = output.reshape((batch_size, num_joints, -1)).split(1, 1)
        heatmaps_gt = target.reshape((batch_size, num_joints, -1)).split(1, 1)
        loss = 0
        for idx in range(num_joints):
            heatmap_pred = heatmaps_pred[idx].squeeze(1)
            heatmap_gt = heatmaps_gt[idx].squeeze(1)
            if self.use_target_weight:
                loss += 0.5 * self.criterion(heatmap_pred.mul(target_weight[:, idx]),
                                             heatmap_gt.mul(target_weight[:, idx]))
            else:
                loss += 0.5 * self.criterion(heatmap_pred, heatmap_gt)
        return loss / num_joints


def block(i, o, s=1):
    return nn.Sequential(nn.Conv2d(i, o, 3, s, 1, bias=False), nn.BatchNorm2d(o, momentum=0.1), nn.ReLU(inplace=True))


class StackedPoseNet(nn.Module):
    def __init__(self, num_joints, num_stacks, ch=48):
        super().__init__()
        self.stem = nn.Sequential(block(3, ch // 2, 2), block(ch // 2, ch, 2))
        self.stages = nn.ModuleList()
        self.heads = nn.ModuleList()
        self.remap = nn.ModuleList()
        for i in range(num_stacks):
            self.stages.append(nn.Sequential(block(ch, ch * 2, 2), block(ch * 2, ch * 2),
                                             nn.ConvTranspose2d(ch * 2, ch, 4, 2, 1), nn.BatchNorm2d(ch), nn.ReLU()))
            self.heads.append(nn.Conv2d(ch, num_joints, 1))
            self.remap.append(nn.Conv2d(num_joints, ch, 1))

    def forward(self, x):
        x = self.stem(x)
        outs = []
        for stage, head, remap in zip(self.stages, self.heads, self.remap):
            x = x + stage(x)
            hm = head(x)
            outs.append(hm)
            x = x + remap(hm)
        return outs


def main():
    args = parse_args()
    os.makedirs(args.output_dir, exist_ok=True)
    logging.basicConfig(format='%(asctime)-15s %(message)s', level=logging.INFO)
    logger = logging.getLogger()
    logger.info(pprint.pformat(args))

    device = torch.device('cuda:0') if torch.cuda.is_available() else torch.device('cpu')
    # cudnn related setting
    torch.backends.cudnn.benchmark = True

    model = StackedPoseNet(args.num_joints, args.num_stacks).to(device)
    criterion = JointsMSELoss().to(device)
    train_dataset = JointsDataset(args, True)
    valid_dataset = JointsDataset(args, False)
    train_loader = DataLoader(train_dataset, batch_size=args.batch_size, shuffle=True, pin_memory=True)
    valid_loader = DataLoader(valid_dataset, batch_size=args.batch_size, shuffle=False, pin_memory=True)

    writer_dict = {'writer': SummaryWriter(args.output_dir) if SummaryWriter else None, 'train_global_steps': 0}
    best_perf = 0.0
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    lr_scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, [2], 0.1)

    for epoch in range(args.begin_epoch, args.end_epoch):
        train(args, train_loader, model, criterion, optimizer, epoch, device, writer_dict)
        perf_indicator = validate(args, valid_loader, model, criterion, device, train_dataset.flip_pairs)
        lr_scheduler.step()

        best_model = perf_indicator >= best_perf
        best_perf = max(perf_indicator, best_perf)
        logger.info('=> saving checkpoint to {}'.format(args.output_dir))
        states = {'epoch': epoch + 1, 'state_dict': model.state_dict(), 'perf': float(perf_indicator),
                  'optimizer': optimizer.state_dict()}
        torch.save(states, os.path.join(args.output_dir, 'checkpoint.pth'))
        if best_model:
            torch.save(states['state_dict'], os.path.join(args.output_dir, 'model_best.pth'))


if __name__ == '__main__':
    main()
