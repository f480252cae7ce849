"""Whether a step reports is asked by a property or a method that divides the counter; a generator is summed up once an epoch."""
import torch
class Base:
    log_interval = 100
    def __init__(self, model, loader):
        self.model, self.loader = model.cuda(), loader
        self.optimizer = torch.optim.SGD(model.parameters(), 0.1)
        self.global_step = 0
    @property
    def should_log(self):
        return self.global_step % self.log_interval == 0
    def is_due(self):
        return not self.global_step % 20
    def fit_epoch(self):
        for x in self.loader:
            loss = self.model(x.cuda(non_blocking=True)).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.global_step += 1
            if self.should_log:
                print(loss.item())  # sync: host-read certain note
            if self.is_due():
                print(loss.item())  # sync: host-read certain note
            yield loss.detach()
    def run(self, epochs):
        for epoch in range(epochs):
            tot = sum(self.fit_epoch()) / len(self.loader)
            print(tot.item())  # sync: host-read certain note
class D(Base):
    log_interval = 10
D(torch.nn.Linear(4, 4), torch.utils.data.DataLoader(torch.randn(100, 4), 2, pin_memory=True)).run(10)
