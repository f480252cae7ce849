# options: --min-confidence possible
"""A model's forward runs for each input, whatever the function is called that leads to it and that nobody calls."""
import torch
from torch import nn


class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.names = nn.Embedding(64, 128)
        self.head = nn.Linear(128, 1)

    def place(self, names):
        return torch.tensor(names).to("cuda")  # sync: copy-to-device possible

    def forward(self, names):
        ids = torch.tensor(names, dtype=torch.long).to(self.names.weight.device)  # sync: copy-to-device likely
        return self.head(self.names(ids)).squeeze()


class Router:
    def __init__(self):
        self.scorer = Scorer().to("cuda")

    def strong(self, names):
        return self.scorer(names)[0]

    def ask(self, name):
        return self.strong([name, "other"]), self.scorer.place([name])


router = Router()
print(router.strong([0, 1]))
