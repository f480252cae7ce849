"""Methods and functions that nobody in sight calls and that take no tensor: what an agent's act, a predictor's predict and a
metric's compute do is done for each step, image or batch, as their names say; what sets up, loads, exports or tests is not."""
import numpy as np
import torch
from torch import nn


class Agent:
    def __init__(self, policy: nn.Module, device: torch.device = torch.device("cuda"), limits=(-1.0, 1.0)):
        self.device = device
        self.limits = limits
        self.policy = policy.to(device)
        self.table = torch.zeros(64, 4, device=device)

    def batch_act(self, observations):
        inputs = torch.as_tensor(np.asarray(observations), device=self.device)  # sync: tensor-from-host likely
        with torch.no_grad():
            return self.policy(inputs).cpu().numpy()  # sync: copy-to-host likely

    def observe_many(self, rewards):
        self.table[:, 0] += torch.tensor(rewards, device=self.device)  # sync: tensor-from-host likely

    def get_action_bounds(self):
        return torch.tensor(self.limits, device=self.device)  # sync: tensor-from-host likely

    def predict(self, image: np.ndarray):
        """An array is what is predicted from: no sample of a loader's."""
        return self.policy(torch.from_numpy(image).to(self.device)).argmax(1).cpu()  # sync: copy-to-device likely, copy-to-host likely

    def reset_steps(self):
        """At each episode, as whoever holds the agent asks."""
        self.scale = torch.tensor(self.limits, device=self.device)  # sync: tensor-from-host likely

    def load_batch_statistics(self, path):
        self.mean = torch.from_numpy(np.load(path)).to(self.device)

    def export_predictor(self, path):
        np.save(path, self.table.cpu().numpy())

    def test_predict(self):
        assert torch.as_tensor(self.limits, device=self.device).shape == (2,)

    def predict_with(self, head: nn.Linear):
        head = head.to(self.device)
        return head(self.table)


def evaluate_metric(values):
    device = torch.device("cuda")
    shares = torch.tensor(values, device=device)  # sync: tensor-from-host likely
    return shares / shares.sum()


def calibration_table(values):
    return torch.tensor(values, device=torch.device("cuda"))
