"""What is looked for among strings is a string, though a batch may be anything."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader

SKIPPED = ("prompt", "completion")


def train(dataset, wanted):
    model = nn.Linear(8, 2).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in DataLoader(dataset, batch_size=4, collate_fn=list):
        batch = [{k: v.cuda() if torch.is_tensor(v) else v for k, v in one.items()} for one in batch]  # sync: copy-to-device
        extra = [key for key in batch[0] if key not in ["prompt", "completion"]]
        names = [key for key in batch[0] if key in SKIPPED]
        x = torch.stack([one["x"] for one in batch])
        y = model(x)
        if y.argmax() in [1, 2]:  # sync: tensor-truth
            print(extra, names)
        loss = y.sum()
        opt.zero_grad()
        loss.backward()
        opt.step()


train(torch.load("data.pt"), 3)
