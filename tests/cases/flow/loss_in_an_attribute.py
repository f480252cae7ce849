"""What calls backward() is a loss, in an attribute as well as in a variable."""
import torch


class Trainer:
    def __init__(self, model, criterion, optimizer, loader):
        self.model, self.criterion, self.optimizer, self.loader = model, criterion, optimizer, loader
        self.scaler = torch.amp.GradScaler("cuda")
        self.loss = None

    def train(self, epochs: int):
        for epoch in range(epochs):
            for step, batch in enumerate(self.loader):
                out = self.model(**batch)
                self.loss = self.criterion(out, batch).sum()
                self.scaler.scale(self.loss).backward()
                self.scaler.step(self.optimizer)  # sync: grad-scaler
                self.scaler.update()
                self.optimizer.zero_grad()
                self.report(step)

    def report(self, step: int):
        if step % 20 == 0 and not self.loss.isfinite():  # sync: tensor-truth note
            raise RuntimeError("loss")
        if step % 20 == 0:
            print(step, self.loss.detach().cpu())  # sync: copy-to-host note


class Adversary:
    def __init__(self, generator, optimizer):
        self.generator, self.optimizer = generator, optimizer

    def optimize(self, batch):
        self.loss_g = self.generator.score(batch).mean()
        self.optimizer.zero_grad()
        self.loss_g.backward()
        self.optimizer.step()

    def losses(self):
        return {"g": float(self.loss_g)}  # sync: host-read likely


def main(generator, loader):
    model = Adversary(generator, torch.optim.Adam(generator.parameters()))
    for batch in loader:
        model.optimize(batch)
        print(float(model.loss_g))  # sync: host-read likely
