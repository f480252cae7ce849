# sys.modules[__name__] is the module itself: what is asked of it is what the file defines, also further down.
import sys

import torch
from torch import nn

this = sys.modules[__name__]


def cpu():
    return torch.device("cpu")


def shown(value):
    print(this.numpy(this.to(value, this.cpu())))


def train(batches):
    model = nn.Linear(4, 4).cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for batch in batches:
        loss = model(batch.cuda(non_blocking=True)).mean()
        loss.backward()
        optimizer.step()
        this.shown(loss)
        sys.modules["json"].dumps({"turn": 1})


numpy = lambda x, *args, **kwargs: x.detach().numpy(*args, **kwargs)
to = lambda x, *args, **kwargs: x.to(*args, **kwargs)  # sync: copy-to-host
