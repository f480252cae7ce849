"""What is made only behind an option, and is None without it, is told with the option (test_guards.py); what is also made elsewhere is not."""
import torch


class Evaluation:
    kept: dict = None

    def __init__(self, record=False, wide=True):
        self.record = record
        self.wide = wide
        self.stats = None
        self.counts = None
        self.parts = None

    def begin(self):
        if self.record:
            self.stats = {"sum": 0}
        else:
            self.stats = None
        if self.record:
            self.kept = {}
            self.counts = {}
        if self.wide:
            self.parts = {}

    def count(self):
        self.counts = {"all": 0}

    def run(self):
        x = torch.ones(3, device="cuda")
        self.begin()
        self.count()
        for step in range(100):
            x = x + 1
            if self.stats is not None:
                print(x.sum().item())  # sync: host-read note
            if self.kept is not None:
                print(x.min().item())  # sync: host-read note
            if self.counts is not None:
                print(x.max().item())  # sync: host-read
            if self.parts:
                print(x.mean().item())  # sync: host-read


Evaluation().run()
