import math
import sys
import time
from collections import defaultdict, deque

import torch

from box_ops import box_cxcywh_to_xyxy, box_iou


class SmoothedValue(object):
    def __init__(self, window_size=20, fmt="{median:.4f} ({global_avg:.4f})"):
        self.deque = deque(maxlen=window_size)
        self.total = 0.0
        self.count = 0
        self.fmt = fmt

    def update(self, value, n=1):
        self.deque.append(value)
        self.count += n
        self.total += value * n

    @property
    def global_avg(self):
        return self.total / self.count

    def __str__(self):
        return self.fmt.format(median=torch.tensor(list(self.deque)).median().item(),
                               global_avg=self.global_avg, value=self.deque[-1])


class MetricLogger(object):
    def __init__(self, delimiter="\t"):
        self.meters = defaultdict(SmoothedValue)
        self.delimiter = delimiter

    def update(self, **kwargs):
        for k, v in kwargs.items():
            if isinstance(v, torch.Tensor):
                v = v.item()
            assert isinstance(v, (float, int))
            self.meters[k].update(v)

    def __str__(self):
        return self.delimiter.join("{}: {}".format(n, str(m)) for n, m in self.meters.items())

    def log_every(self, iterable, print_freq, header=''):
        start_time = time.time()
        MB = 1024.0 * 1024.0
        for i, obj in enumerate(iterable):
            yield obj
            if i % print_freq == 0 or i == len(iterable) - 1:
                msg = [header, f'[{i}/{len(iterable)}]', str(self)]
                if torch.cuda.is_available():
                    msg.append('max mem: {:.0f}'.format(torch.cuda.max_memory_allocated() / MB))
                print(self.delimiter.join(msg))
        total_time = time.time() - start_time
        print('{} Total time: {:.2f}s ({:.4f} s / it)'.format(header, total_time, total_time / len(iterable)))


def train_one_epoch(model, criterion, data_loader, optimizer, device, epoch, max_norm=0.):
    model.train()
    criterion.train()
    metric_logger = MetricLogger(delimiter="  ")
    header = 'Epoch: [{}]'.format(epoch)

    for samples, targets in metric_logger.log_every(data_loader, 5, header):
        samples = samples.to(device)
        targets = [{k: v.to(device) for k, v in t.items()} for t in targets]

        outputs = model(samples)
        loss_dict = criterion(outputs, targets)
        weight_dict = criterion.weight_dict
        losses = sum(loss_dict[k] * weight_dict[k] for k in loss_dict.keys() if k in weight_dict)

        loss_dict_scaled = {k: v * weight_dict[k] for k, v in loss_dict.items() if k in weight_dict}
        losses_value = sum(loss_dict_scaled.values()).item()

        if not math.isfinite(losses_value):
            print("Loss is {}, stopping training".format(losses_value))
            print(loss_dict)
            sys.exit(1)

        optimizer.zero_grad()
        losses.backward()
        if max_norm > 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()

        metric_logger.update(loss=losses_value, **loss_dict_scaled)
        metric_logger.update(class_error=loss_dict['class_error'])
        metric_logger.update(lr=optimizer.param_groups[0]["lr"])
    print("Averaged stats:", metric_logger)
    return {k: meter.global_avg for k, meter in metric_logger.meters.items()}


@torch.no_grad()
def evaluate(model, criterion, postprocessors, data_loader, device):
    model.eval()
    criterion.eval()
    metric_logger = MetricLogger(delimiter="  ")
    n_gt, n_hit = 0, 0
    for samples, targets in metric_logger.log_every(data_loader, 5, 'Test:'):
        samples = samples.to(device)
        targets = [{k: v.to(device) for k, v in t.items()} for t in targets]
        outputs = model(samples)
        loss_dict = criterion(outputs, targets)
        weight_dict = criterion.weight_dict
        loss_dict_scaled = {k: v * weight_dict[k] for k, v in loss_dict.items() if k in weight_dict}
        metric_logger.update(loss=sum(loss_dict_scaled.values()), **loss_dict_scaled)
        metric_logger.update(class_error=loss_dict['class_error'])

        orig_target_sizes = torch.stack([t["orig_size"] for t in targets], dim=0)
        results = postprocessors(outputs, orig_target_sizes)
        for res, t in zip(results, targets):
            gt = box_cxcywh_to_xyxy(t['boxes']) * t['orig_size'].repeat(2)
            iou, _ = box_iou(gt, res['boxes'])
            best, arg = iou.max(dim=1)
            n_hit += ((best > 0.5) & (res['labels'][arg] == t['labels'])).sum().item()
            n_gt += len(gt)
    stats = {k: meter.global_avg for k, meter in metric_logger.meters.items()}
    stats['recall50'] = n_hit / max(n_gt, 1)
    return stats
