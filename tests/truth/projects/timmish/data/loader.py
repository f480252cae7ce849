from contextlib import suppress
from functools import partial

import numpy as np
import torch
import torch.utils.data

MEAN = (0.485, 0.456, 0.406)
STD = (0.229, 0.224, 0.225)


def fast_collate(batch):
    """ A fast collation function optimized for uint8 images (np array) and int64 targets (labels)"""
    batch_size = len(batch)
    targets = torch.tensor([b[1] for b in batch], dtype=torch.int64)
    tensor = torch.zeros((batch_size, *batch[0][0].shape), dtype=torch.uint8)
    for i in range(batch_size):
        tensor[i] += torch.from_numpy(batch[i][0])
    return tensor, targets


class PrefetchLoader:
    def __init__(self, loader, mean=MEAN, std=STD, device=torch.device('cuda'), img_dtype=torch.float32):
        self.loader = loader
        self.device = device
        self.img_dtype = img_dtype
        self.mean = torch.tensor([x * 255 for x in mean], device=device, dtype=img_dtype).view(1, 3, 1, 1)
        self.std = torch.tensor([x * 255 for x in std], device=device, dtype=img_dtype).view(1, 3, 1, 1)
        self.is_cuda = torch.cuda.is_available() and device.type == 'cuda'

    def __iter__(self):
        first = True
        if self.is_cuda:
            stream = torch.cuda.Stream(device=self.device)
            stream_context = partial(torch.cuda.stream, stream=stream)
        else:
            stream = None
            stream_context = suppress

        for next_input, next_target in self.loader:
            with stream_context():
                next_input = next_input.to(device=self.device, non_blocking=True)
                next_target = next_target.to(device=self.device, non_blocking=True)
                next_input = next_input.to(self.img_dtype).sub_(self.mean).div_(self.std)

            if not first:
                yield input, target
            else:
                first = False

            if stream is not None:
                torch.cuda.current_stream(device=self.device).wait_stream(stream)

            input = next_input
            target = next_target

        yield input, target

    def __len__(self):
        return len(self.loader)

    @property
    def dataset(self):
        return self.loader.dataset


def create_loader(dataset, batch_size, is_training=False, num_workers=0, device=torch.device('cuda')):
    loader = torch.utils.data.DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=is_training,
        num_workers=num_workers,
        collate_fn=fast_collate,
        pin_memory=True,
        drop_last=is_training,
    )
    return PrefetchLoader(loader, device=device)
