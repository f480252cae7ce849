# A text asked for in a batch asks a mapping for a key, whatever the mapping holds.
import torch
from torch import nn


class Trainer:
    def __init__(self, model: nn.Module, loader: torch.utils.data.DataLoader, config):
        self.model = model.cuda()
        self.loader = loader
        self.main_input = getattr(config, "main_input", "input_ids")

    def tokens(self, inputs):
        if self.main_input not in inputs:
            return 0
        if "labels" in inputs:
            return inputs["labels"].numel()
        return inputs[self.main_input].numel()

    def train(self):
        seen = 0
        for inputs in self.loader:
            inputs = {key: value.cuda() for key, value in inputs.items()}  # sync: copy-to-device
            seen += self.tokens(inputs)
            self.model(**inputs).sum().backward()
