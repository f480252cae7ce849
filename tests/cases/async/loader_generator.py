"""A prefetching loader as a generator, as in timm: ordered on the GPU, but the batch's memory goes back to the side
stream while the model may still read it."""
import torch
import torch.nn.functional as F


class PrefetchLoader:
    def __init__(self, loader, device):
        self.loader = loader
        self.device = device
        self.mean = torch.tensor([0.5, 0.5, 0.5], device=device).view(1, 3, 1, 1)

    def __iter__(self):
        first = True
        stream = torch.cuda.Stream(device=self.device)
        for next_input, next_target in self.loader:
            with torch.cuda.stream(stream):
                next_input = next_input.to(device=self.device, non_blocking=True)
                next_target = next_target.to(device=self.device, non_blocking=True)
                next_input = next_input.to(torch.float32).sub_(self.mean)
            if not first:
                yield input, target
            else:
                first = False
            torch.cuda.current_stream(device=self.device).wait_stream(stream)
            input = next_input
            target = next_target
        yield input, target


def run(batches, record):
    device = torch.device("cuda")
    stream = torch.cuda.Stream()
    model = torch.nn.Conv2d(3, 8, 3).to(device)
    for images in batches:
        with torch.cuda.stream(stream):
            images = images.to(device, non_blocking=True) / 255
        torch.cuda.current_stream().wait_stream(stream)
        if record:
            images.record_stream(torch.cuda.current_stream())
        out = model(images)
    return out


def run_unrecorded(batches):
    device = torch.device("cuda")
    stream = torch.cuda.Stream()
    model = torch.nn.Conv2d(3, 8, 3).to(device)
    for images in batches:
        with torch.cuda.stream(stream):
            images = images.to(device, non_blocking=True) / 255
        torch.cuda.current_stream().wait_stream(stream)
        out = model(images)  # sync: stream-freed note
    return out


def run_read(batches):
    device = torch.device("cuda")
    stream = torch.cuda.Stream()
    model = torch.nn.Conv2d(3, 8, 3).to(device)
    total = 0.0
    for images in batches:
        with torch.cuda.stream(stream):
            images = images.to(device, non_blocking=True) / 255
        torch.cuda.current_stream().wait_stream(stream)
        total += model(images).mean().item()  # sync: host-read
    return total


batches = [torch.randn(8, 3, 32, 32).pin_memory() for _ in range(100)]
run(batches, True)
run_unrecorded(batches)
run_read(batches)
