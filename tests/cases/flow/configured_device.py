"""Devices out of configurations that nobody sees."""
import json

import torch
import yaml

config = yaml.safe_load(open("train.yaml"))
device = config["training"]["device"]
model = torch.nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), config["lr"])
for x, y in torch.utils.data.DataLoader(torch.load("data.pt"), batch_size=8):
    x = x.to(device)  # sync: copy-to-device
    loss = torch.nn.functional.mse_loss(model(x), y.to(config.get("device", "cuda:0")))  # sync: copy-to-device
    loss.backward()
    optimizer.step()
    print(loss.item())  # sync: host-read


class Predictor:
    def __init__(self, path):
        self.settings = json.load(open(path))
        self.device = self.settings["where"]
        self.model = torch.nn.Linear(8, 1).to(self.device)

    def predict(self, rows):
        for row in rows:
            scores = self.model(torch.from_numpy(row).to(self.device))  # sync: copy-to-device
            print(scores.tolist())  # sync: host-read


Predictor("settings.json").predict(json.load(open("rows.json")))
