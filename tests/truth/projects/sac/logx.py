import json
import os
import time

import numpy as np
import torch


class EpochLogger:
    def __init__(self, output_dir):
        self.output_dir = output_dir
        os.makedirs(output_dir, exist_ok=True)
        self.f = open(os.path.join(output_dir, 'progress.txt'), 'w')
        self.epoch_dict = {}
        self.row = {}
        self.first = True

    def save_config(self, config):
        with open(os.path.join(self.output_dir, 'config.json'), 'w') as f:
            json.dump({k: str(v) for k, v in config.items()}, f, indent=4)

    def store(self, **kwargs):
        for k, v in kwargs.items():
            self.epoch_dict.setdefault(k, []).append(v)

    def log_tabular(self, key, val=None, with_min_and_max=False, average_only=False):
        if val is not None:
            self.row[key] = val
            return
        v = self.epoch_dict.get(key, [np.nan])
        vals = np.concatenate(v) if isinstance(v[0], np.ndarray) and len(v[0].shape) > 0 else np.array(v, dtype=float)
        self.row['Average' + key if not average_only else key] = vals.mean()
        if not average_only:
            self.row['Std' + key] = vals.std()
        if with_min_and_max:
            self.row['Max' + key], self.row['Min' + key] = vals.max(), vals.min()
        self.epoch_dict[key] = []

    def dump_tabular(self):
        print('-' * 40)
        for k, v in self.row.items():
            print('| %18s | %15s |' % (k, '%8.3g' % v if hasattr(v, '__float__') else v))
        print('-' * 40, flush=True)
        if self.first:
            self.f.write('\t'.join(self.row) + '\n')
            self.first = False
        self.f.write('\t'.join(map(str, self.row.values())) + '\n')
        self.f.flush()
        self.row = {}

    def save_state(self, model, itr=None):
        torch.save(model, os.path.join(self.output_dir, 'model%s.pt' % ('' if itr is None else itr)))
