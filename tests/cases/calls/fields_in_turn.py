"""A record goes through its own fields: what getattr gives by such a name is each of them in its turn."""
from dataclasses import dataclass, fields
from typing import List, Optional

import torch


@dataclass
class Experience:
    tokens: torch.Tensor
    advantages: torch.Tensor
    texts: List[str]
    kl: Optional[torch.Tensor] = None
    step: int = 0

    def to(self, device):
        moved = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, torch.Tensor):
                value = value.to(device)  # sync: copy-to-device
            moved[field.name] = value
        return Experience(**moved)


def collate(rows):
    return Experience(torch.stack([row[0] for row in rows]), torch.randn(len(rows)), [row[1] for row in rows])


loader = torch.utils.data.DataLoader(torch.load("rows.pt"), 16, collate_fn=collate)
net = torch.nn.Linear(8, 8).cuda()
for batch in loader:
    batch = batch.to(torch.device("cuda"))
    loss = (net(batch.tokens).mean(1) * batch.advantages).mean()
    loss.backward()
