import torch
from ignite.engine import Engine, Events
from torch import nn
from torch.utils.data import DataLoader

from mydata import Points

device = "cuda"
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()


def train_step(engine, batch):
    model.train()
    x, y = batch[0].to(device, non_blocking=True), batch[1].to(device, non_blocking=True)
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()  # sync: host-read


def eval_step(engine, batch):
    with torch.no_grad():
        x, y = batch[0].to(device, non_blocking=True), batch[1].to(device, non_blocking=True)
        out = model(x)
        return out.argmax(1).cpu(), y.cpu()  # sync: copy-to-host x2


trainer = Engine(train_step)
evaluator = Engine(eval_step)


@trainer.on(Events.ITERATION_COMPLETED)
def watch_weights(engine):
    if torch.isnan(model.weight).any():  # sync: tensor-truth
        engine.terminate()


@trainer.on(Events.ITERATION_COMPLETED(every=100))
def log_norm(engine):
    print(model.weight.norm().item())  # sync: host-read note


@trainer.on(Events.EPOCH_COMPLETED)
def validate(engine):
    evaluator.run(DataLoader(Points(10), batch_size=4))
    print("norm", float(model.weight.norm()))  # sync: host-read note


trainer.run(DataLoader(Points(100), batch_size=4, pin_memory=True), max_epochs=5)
