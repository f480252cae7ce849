"""Buffers that a constructor makes one by one, whatever it calls with them; what its methods do is run after run."""
from collections import namedtuple

import numpy as np
import torch

Binding = namedtuple("Binding", ("name", "data", "address"))


class Engine:
    def __init__(self, engine, device="cuda"):
        self.device = torch.device(device)
        self.bindings = {}
        for name in engine:
            data = torch.from_numpy(np.empty(engine.shape(name))).to(self.device)
            self.bindings[name] = Binding(name, data, data.data_ptr())

    def run(self, blobs):
        for name in self.bindings:
            data = torch.from_numpy(blobs[name]).to(self.device)  # sync: copy-to-device
            self.bindings[name] = Binding(name, data, data.data_ptr())
