import time
from collections import OrderedDict


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
        self.avg = self.sum / self.count


class TimeMeter(object):
    """Computes the average occurrence of some event per second"""

    def __init__(self):
        self.reset()

    def reset(self):
        self.start = time.time()
        self.n = 0

    def update(self, val=1):
        self.n += val

    @property
    def avg(self):
        return self.n / max(self.elapsed_time, 1e-9)

    @property
    def elapsed_time(self):
        return time.time() - self.start


def format_stats(stats):
    return ' | '.join('{} {}'.format(k, '{:.4g}'.format(v) if isinstance(v, float) else v)
                      for k, v in OrderedDict(stats).items())
