# options: --min-confidence possible
"""Hooks of a framework out of sight: at the start or end of a run they run once, around anything else perhaps often."""
import torch


class Plugin:
    def __init__(self, device=torch.device("cuda")):
        self.device = device
        self.seen = torch.zeros(10, device=device)

    def before_run(self, algorithm):
        self.start = torch.tensor([0.5, 0.25], device=self.device)

    def on_before_plugin_fit_start(self):
        self.weights = torch.tensor([0.5, 0.25], device=self.device)

    def on_request_end(self):
        self.weights = torch.tensor([0.5, 0.25], device=self.device)  # sync: tensor-from-host
