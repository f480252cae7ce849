from torch import nn

from losses import Detection


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Conv2d(3, 4, 1)

    def forward(self, x):
        if isinstance(x, dict):
            return self.loss(x)
        return self.head(x)

    def loss(self, batch):
        if getattr(self, "criterion", None) is None:
            self.criterion = Detection(self)
        return self.criterion(self.forward(batch["img"]), batch)


def build():
    model = Model()
    model.criterion = Detection(model)
    return model
