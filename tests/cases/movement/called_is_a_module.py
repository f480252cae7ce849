"""What a function moves and calls is a module, which is there from the first batch on; what it moves and does not call is data."""
import torch
from torch.utils.data import DataLoader


def forward(model, inputs, device):
    model = model.to(device)
    return model(inputs)


def weigh(weights, inputs, device):
    weights = weights.to(device)  # sync: copy-to-device
    return inputs * weights


class Evaluation:
    def __init__(self):
        self.device = torch.device("cuda")

    def run(self, network, weights, loader: DataLoader):
        for inputs in loader:
            outputs = forward(network, inputs.to(self.device), self.device)  # sync: copy-to-device
            outputs = weigh(weights, outputs, self.device)
