"""Methods that nobody in sight calls: of a plugin's hooks around batches, steps and passes the name says that a loop
does, of others that a run begins or ends; what reads a number is asked for again and again."""
import torch


class GradientMemory:
    def __init__(self, patterns, device=torch.device("cuda")):
        self.patterns = patterns
        self.device = device
        self.reference = torch.zeros(1000, device=device)
        self.seen = torch.zeros((), device=device)

    def before_training_iteration(self, strategy):
        self.weights = torch.tensor(self.patterns, device=self.device)  # sync: tensor-from-host

    def after_backward(self, strategy):
        gradient = self.reference * 2
        if (gradient * self.reference).sum() < 0:  # sync: tensor-truth
            self.seen += 1

    def shared_step(self):
        return self.seen.item()  # sync: host-read

    def before_training(self, strategy):
        self.start = torch.tensor([0.5, 0.25], device=self.device)

    def summary(self):
        return {"seen": self.seen.item()}  # sync: host-read
