"""What a run does when it ends, and what is printed of a module by who looks at it."""
import torch
import torch.distributed as dist
from torch import nn


class Coupling(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.register_buffer("mask", torch.arange(features) % 2 == 0)
        self.net = nn.Linear(features, features)

    def forward(self, x):
        return torch.where(self.mask, x, self.net(x))

    def extra_repr(self):
        return f"mask={self.mask.int().tolist()}"


def clean_up():
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    if dist.is_initialized():
        dist.destroy_process_group()


def stop_early(callback):
    callback.on_stop = clean_up


def train(steps):
    model = Coupling(8).cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for step in range(steps):
        loss = model(torch.randn(4, 8, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if loss.item() < 0.1:  # sync: host-read
            break


train(100)


def align(model, recordings, words):
    for name, recording in recordings.items():
        scores = model(recording.cuda()).argmax(-1)  # sync: copy-to-device
        places = scores.tolist()  # sync: host-read
        if len(places) != len(words[name]):
            torch.save(scores, "alignment.pt")
            assert False, "the alignment failed, see alignment.pt"


align(Coupling(8).cuda(), {"a": torch.randn(4, 8)}, {"a": ["one"]})
