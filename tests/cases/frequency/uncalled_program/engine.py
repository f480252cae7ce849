class Trainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer

    def loss(self, x):
        out = self.model(x).mean()
        print(out.item())
        return out

    def log(self, loss):
        print(loss.item())  # sync: host-read

    def fit(self, loader):
        for x in loader:
            loss = self.loss(x.cuda())  # sync: copy-to-device
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.log(loss)


class Distiller(Trainer):
    def loss(self, x):
        return self.model(x).square().mean()
