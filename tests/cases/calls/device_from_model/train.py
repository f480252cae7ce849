import torch
from model import build
from mydata import loader


class Trainer:
    def __init__(self):
        self.model = build()
        self.setup(torch.device("cuda"))

    def setup(self, device):
        self.device = device
        self.model = self.model.to(device)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01)

    def run(self):
        for batch in loader():
            batch["img"] = batch["img"].to(self.device, non_blocking=True)  # sync: pageable-async note
            loss = self.model(batch)
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()


Trainer().run()
