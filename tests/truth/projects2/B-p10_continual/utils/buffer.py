from typing import Tuple

import numpy as np
import torch


def reservoir(num_seen_examples: int, buffer_size: int) -> int:
    """Reservoir sampling: the index to write to, or -1."""
    if num_seen_examples < buffer_size:
        return num_seen_examples
    rand = np.random.randint(0, num_seen_examples + 1)
    return rand if rand < buffer_size else -1


class Buffer:
    def __init__(self, buffer_size, device):
        self.buffer_size = buffer_size
        self.device = device
        self.num_seen_examples = 0
        self.attributes = ['examples', 'labels', 'logits', 'task_labels']

    def init_tensors(self, **kwargs) -> None:
        for attr_str in self.attributes:
            attr = kwargs[attr_str]
            if attr is not None and not hasattr(self, attr_str):
                typ = torch.int64 if attr_str.endswith('els') else torch.float32
                setattr(self, attr_str,
                        torch.zeros((self.buffer_size, *attr.shape[1:]), dtype=typ, device=self.device))

    def add_data(self, examples, labels=None, logits=None, task_labels=None):
        if not hasattr(self, 'examples'):
            self.init_tensors(examples=examples, labels=labels, logits=logits, task_labels=task_labels)
        for i in range(examples.shape[0]):
            index = reservoir(self.num_seen_examples, self.buffer_size)
            self.num_seen_examples += 1
            if index >= 0:
                self.examples[index] = examples[i].to(self.device)
                if labels is not None:
                    self.labels[index] = labels[i].to(self.device)
                if logits is not None:
                    self.logits[index] = logits[i].to(self.device)
                if task_labels is not None:
                    self.task_labels[index] = task_labels[i].to(self.device)

    def get_data(self, size: int, transform=None) -> Tuple:
        n = min(self.num_seen_examples, self.buffer_size)
        choice = np.random.choice(n, size=min(size, n), replace=False)
        if transform is None:
            transform = lambda x: x
        ret = (torch.stack([transform(ee.cpu()) for ee in self.examples[choice]]).to(self.device),)
        for attr_str in self.attributes[1:]:
            if hasattr(self, attr_str):
                ret += (getattr(self, attr_str)[choice],)
        return ret

    def is_empty(self) -> bool:
        return self.num_seen_examples == 0

    def __len__(self):
        return min(self.num_seen_examples, self.buffer_size)
