import json
import logging
import os


class AverageMeter(object):
    def __init__(self, items=None):
        self.items = items
        self.n_items = 1 if items is None else len(items)
        self.reset()

    def reset(self):
        self._val = [0] * self.n_items
        self._sum = [0] * self.n_items
        self._count = [0] * self.n_items

    def update(self, values):
        if type(values).__name__ == 'list':
            for idx, v in enumerate(values):
                self._val[idx] = v
                self._sum[idx] += v
                self._count[idx] += 1
        else:
            self._val[0] = values
            self._sum[0] += values
            self._count[0] += 1

    def val(self, idx=None):
        if idx is None:
            return self._val[0] if self.items is None else [self._val[i] for i in range(self.n_items)]
        return self._val[idx]

    def avg(self, idx=None):
        if idx is None:
            return self._sum[0] / self._count[0] if self.items is None else [
                self._sum[i] / self._count[i] for i in range(self.n_items)]
        return self._sum[idx] / self._count[idx]


def get_config(path):
    with open(path) as f:
        return json.load(f)


def setup_logging(out_dir):
    os.makedirs(out_dir, exist_ok=True)
    logging.basicConfig(format='[%(levelname)s] %(asctime)s %(message)s', level=logging.INFO,
                        handlers=[logging.StreamHandler(), logging.FileHandler(os.path.join(out_dir, 'log.txt'))])


def count_parameters(network):
    return sum(p.numel() for p in network.parameters())


def alpha_at(schedule, step):
    value = schedule[0][1]
    for s, v in schedule:
        if step >= s:
            value = v
    return value


def var_or_cuda(x):
    if torch_available():
        x = x.cuda(non_blocking=True)
    return x


def torch_available():
    import torch
    return torch.cuda.is_available()
