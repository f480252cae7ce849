"""A scaler that an option may switch off waits likely, one that is on for certain."""
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--precision", default="float32")
args = parser.parse_args()
dtype = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}[args.precision]

net = torch.nn.Linear(4, 4).to("cuda")
optimizer = torch.optim.AdamW(net.parameters())
perhaps = torch.amp.GradScaler("cuda", enabled=dtype == torch.float16)
always = torch.amp.GradScaler("cuda", enabled=True)
off = torch.amp.GradScaler("cuda", enabled=False)


def train(loader):
    for batch in loader:
        loss = net(batch.to("cuda", dtype)).mean()  # sync: copy-to-device certain
        perhaps.scale(loss).backward()
        perhaps.step(optimizer)  # sync: grad-scaler certain
        perhaps.update()


def train_half(loader):
    for batch in loader:
        loss = net(batch.to("cuda")).mean()  # sync: copy-to-device certain
        always.scale(loss).backward()
        always.step(optimizer)  # sync: grad-scaler certain
        always.update()


def train_full(loader):
    for batch in loader:
        loss = net(batch.to("cuda")).mean()  # sync: copy-to-device certain
        off.scale(loss).backward()
        off.step(optimizer)
        off.update()


if __name__ == "__main__":
    loader = torch.utils.data.DataLoader(torch.randn(64, 4), batch_size=8)
    train(loader)
    train_half(loader)
    train_full(loader)
