"""A loop over callbacks runs as often as the place that asks them: once before training and once after it."""
import torch


class Sanity:
    def __init__(self, loader):
        self.loader = loader

    def on_train_begin(self, trainer):
        x, y = next(iter(self.loader))
        out = trainer.model(x.to("cuda"))
        if not torch.isfinite(out).all():
            raise RuntimeError("not finite")

    def on_train_end(self, trainer):
        print(sum(p.norm() for p in trainer.model.parameters()).item())

    def on_batch_end(self, trainer):
        print(trainer.loss.item())  # sync: host-read


class Trainer:
    def __init__(self, model, callbacks):
        self.model, self.callbacks = model, callbacks
        self.optimizer = torch.optim.SGD(model.parameters(), 0.1)

    def fire(self, name):
        for callback in self.callbacks:
            getattr(callback, name)(self)

    def fit(self, loader, epochs):
        self.fire("on_train_begin")
        for _ in range(epochs):
            for x, y in loader:
                self.loss = (self.model(x.to("cuda")) - y.to("cuda")).square().mean()  # sync: copy-to-device x2
                self.optimizer.zero_grad()
                self.loss.backward()
                self.optimizer.step()
                self.fire("on_batch_end")
        for hook in self.callbacks:
            hook.on_train_end(self)


class Scene:
    def __init__(self, points):
        self.points = points.to("cuda")

    def render(self, model):
        return model(self.points).norm().item()  # sync: host-read


def show(model):
    for scene in [Scene(torch.ones(8, 8)) for _ in range(100)]:
        print(scene.render(model))


def main():
    model = torch.nn.Linear(8, 8).to("cuda")
    loader = torch.utils.data.DataLoader(torch.load("data.pt"))
    show(model)
    Trainer(model, [Sanity(loader)]).fit(loader, 10)


if __name__ == "__main__":
    main()
