import json
from collections import OrderedDict
from itertools import repeat
from pathlib import Path


def ensure_dir(dirname):
    dirname = Path(dirname)
    if not dirname.is_dir():
        dirname.mkdir(parents=True, exist_ok=False)


def read_json(fname):
    with Path(fname).open('rt') as handle:
        return json.load(handle, object_hook=OrderedDict)


def inf_loop(data_loader):
    ''' wrapper function for endless data loader. '''
    for loader in repeat(data_loader):
        yield from loader


class MetricTracker:
    def __init__(self, *keys, writer=None):
        self.writer = writer
        self._data = {k: {'total': 0, 'counts': 0, 'average': 0} for k in keys}

    def reset(self):
        for row in self._data.values():
            for c in row:
                row[c] = 0

    def update(self, key, value, n=1):
        if self.writer is not None:
            self.writer.add_scalar(key, value)
        row = self._data[key]
        row['total'] += value * n
        row['counts'] += n
        row['average'] = row['total'] / row['counts']

    def avg(self, key):
        return self._data[key]['average']

    def result(self):
        return {k: v['average'] for k, v in self._data.items()}
