"""A branch runs as often as what the function that it asks returns is so: of several returns, the one that is not False."""
import torch
from torch import nn


class State:
    def __init__(self, check_point, size):
        self.steps, self.filled = 0, 0
        self.check_point, self.size = check_point, size

    def step(self, loss):
        self.steps += 1
        if self.filled < self.size:
            self.filled += 1
        return f"{loss:.3f}", self.is_check_point()

    def is_check_point(self):
        return self.steps == self.check_point

    def is_full(self):
        return self.filled == self.size

    def should_log(self, step):
        if self.check_point is None:
            return False
        return step > 0 and step % 50 == 0

    def should_keep(self, step):
        if self.is_full():
            return True
        return step % 50 == 0


def train(model, loader, optimizer, check_point):
    state = State(check_point, 100)
    for step, x in enumerate(loader):
        out = model(x.cuda())  # sync: copy-to-device
        optimizer.zero_grad()
        out.sum().backward()
        optimizer.step()
        message, due = state.step(3.0)
        if due:
            print(message, out.norm().item())  # sync: host-read note
        if message:
            print(message, out.max().item())  # sync: host-read
        if state.is_check_point():
            print(out.mean().item())  # sync: host-read note
        late = state.should_log(step)
        if late:
            print(out.var().item())  # sync: host-read note
        if not state.should_log(step):
            print(out.min().item())  # sync: host-read
        if state.is_full():
            print(out.std().item())  # sync: host-read
        if state.should_keep(step):
            print(out.sum().item())  # sync: host-read


model = nn.Linear(3, 4).cuda()
train(model, torch.utils.data.DataLoader(data), torch.optim.SGD(model.parameters()), 100)


class Agent:
    """Where the condition is around all that trains, its branch is the training step."""

    def __init__(self, model, every):
        self.model, self.every, self.frames = model, every, 0
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def act(self, x):
        self.frames += 1
        if self.should_train():
            loss = self.model(x.cuda()).square().mean()  # sync: copy-to-device
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            print(loss.item())  # sync: host-read
        return x

    def should_train(self):
        return self.frames > 100 and self.frames % self.every == 0


agent = Agent(model, 4)
for x in torch.utils.data.DataLoader(data):
    agent.act(x)
