import logging
import time

import numpy as np
import torch

from core.inference import accuracy, get_final_preds

logger = logging.getLogger(__name__)


def train(config, train_loader, model, criterion, optimizer, epoch, device, writer_dict):
    batch_time = AverageMeter()
    data_time = AverageMeter()
    losses = AverageMeter()
    acc = AverageMeter()

    # switch to train mode
    model.train()

    end = time.time()
    for i, (input, target, target_weight, meta) in enumerate(train_loader):
        # measure data loading time
        data_time.update(time.time() - end)

        # compute output
        outputs = model(input.to(device))
        target = target.to(device, non_blocking=True)
        target_weight = target_weight.to(device, non_blocking=True)

        if isinstance(outputs, list):
            loss = criterion(outputs[0], target, target_weight)
            for output in outputs[1:]:
                loss += criterion(output, target, target_weight)
            output = outputs[-1]
        else:
            output = outputs
            loss = criterion(output, target, target_weight)

        # compute gradient and do update step
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

        # measure accuracy and record loss
        losses.update(loss.item(), input.size(0))
        avg_acc, cnt, pred = accuracy(output.detach().cpu().numpy(), target.detach().cpu().numpy())
        acc.update(avg_acc, cnt)

        # measure elapsed time
        batch_time.update(time.time() - end)
        end = time.time()

        if i % config.print_freq == 0:
            msg = 'Epoch: [{0}][{1}/{2}]\t' \
                  'Time {batch_time.val:.3f}s ({batch_time.avg:.3f}s)\t' \
                  'Speed {speed:.1f} samples/s\t' \
                  'Data {data_time.val:.3f}s ({data_time.avg:.3f}s)\t' \
                  'Loss {loss.val:.5f} ({loss.avg:.5f})\t' \
                  'Accuracy {acc.val:.3f} ({acc.avg:.3f})'.format(
                      epoch, i, len(train_loader), batch_time=batch_time,
                      speed=input.size(0) / batch_time.val, data_time=data_time, loss=losses, acc=acc)
            logger.info(msg)

            writer = writer_dict['writer']
            global_steps = writer_dict['train_global_steps']
            if writer:
                writer.add_scalar('train_loss', losses.val, global_steps)
                writer.add_scalar('train_acc', acc.val, global_steps)
            writer_dict['train_global_steps'] = global_steps + 1


def validate(config, val_loader, model, criterion, device, flip_pairs):
    losses = AverageMeter()
    acc = AverageMeter()
    model.eval()

    num_samples = len(val_loader.dataset)
    all_preds = np.zeros((num_samples, config.num_joints, 3), dtype=np.float32)
    all_gt = np.zeros((num_samples, config.num_joints, 2), dtype=np.float32)
    idx = 0
    with torch.no_grad():
        for i, (input, target, target_weight, meta) in enumerate(val_loader):
            input = input.to(device)
            output = model(input)
            if isinstance(output, list):
                output = output[-1]

            if config.flip_test:
                # this part is ugly, because pytorch has not supported negative index
                input_flipped = np.flip(input.cpu().numpy(), 3).copy()
                input_flipped = torch.from_numpy(input_flipped).to(device)
                output_flipped = model(input_flipped)
                if isinstance(output_flipped, list):
                    output_flipped = output_flipped[-1]
                output_flipped = output_flipped.cpu().numpy()[:, :, :, ::-1]
                for a, b in flip_pairs:
                    tmp = output_flipped[:, a].copy()
                    output_flipped[:, a] = output_flipped[:, b]
                    output_flipped[:, b] = tmp
                output_flipped = torch.from_numpy(output_flipped.copy()).to(device)
                output = (output + output_flipped) * 0.5

            target = target.to(device, non_blocking=True)
            target_weight = target_weight.to(device, non_blocking=True)
            loss = criterion(output, target, target_weight)

            num_images = input.size(0)
            losses.update(loss.item(), num_images)
            avg_acc, cnt, pred = accuracy(output.cpu().numpy(), target.cpu().numpy())
            acc.update(avg_acc, cnt)

            preds, maxvals = get_final_preds(output.clone().cpu().numpy())
            all_preds[idx:idx + num_images, :, 0:2] = preds * config.stride
            all_preds[idx:idx + num_images, :, 2:3] = maxvals
            all_gt[idx:idx + num_images] = meta['joints'].numpy()
            idx += num_images

            if i % config.print_freq == 0:
                logger.info('Test: [{0}/{1}]\tLoss {loss.val:.4f} ({loss.avg:.4f})\t'
                            'Accuracy {acc.val:.3f} ({acc.avg:.3f})'.format(i, len(val_loader), loss=losses, acc=acc))

    err = np.linalg.norm(all_preds[:, :, :2] - all_gt, axis=2)
    name_values = {'PCK@4px': (err < 4).mean(), 'PCK@8px': (err < 8).mean(), 'mean_err': err.mean()}
    logger.info('| ' + ' | '.join('%s %.3f' % kv for kv in name_values.items()) + ' |')
    return name_values['PCK@8px']


class AverageMeter(object):
    """Computes and stores the average and current value"""
    def __init__(self):
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
        self.avg = self.sum / self.count if self.count != 0 else 0
