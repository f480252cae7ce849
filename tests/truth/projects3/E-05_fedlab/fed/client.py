from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset

from .model import evaluate

State = dict[str, Tensor]


@dataclass
class LocalUpdate:
    client_id: int
    state: State
    n_samples: int
    loss: float
    drift: float
    delta_control: State = field(default_factory=dict)


class Client:
    def __init__(self, cid: int, train: Dataset, test: Dataset, batch_size: int, device: torch.device) -> None:
        self.cid = cid
        self.device = device
        self.n = len(train)  # type: ignore[arg-type]
        self.loader = DataLoader(train, batch_size=min(batch_size, self.n), shuffle=True, drop_last=True)
        self.test_loader = DataLoader(test, batch_size=256)
        self.private: State = {}          # FedBN: layers that never leave the client
        self.control: State | None = None  # SCAFFOLD control variate

    def _load(self, model: nn.Module, global_state: State) -> None:
        model.load_state_dict({**global_state, **self.private})

    def fit(self, model: nn.Module, global_state: State, *, epochs: int, lr: float, mu: float = 0.0,
            local_keys: set[str] = frozenset(), control: State | None = None) -> LocalUpdate:
        self._load(model, global_state)
        model.train()
        anchor = {k: v.detach().clone() for k, v in model.named_parameters()}
        opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.0 if control is not None else 0.9, weight_decay=1e-4)
        if control is not None and self.control is None:
            self.control = {k: torch.zeros_like(v) for k, v in anchor.items()}

        total, steps = 0.0, 0
        for _ in range(epochs):
            for x, y in self.loader:
                x, y = x.to(self.device), y.to(self.device)
                loss = nn.functional.cross_entropy(model(x), y)
                if mu > 0:
                    prox = sum((p - anchor[k]).pow(2).sum() for k, p in model.named_parameters() if k not in local_keys)
                    loss = loss + 0.5 * mu * prox
                opt.zero_grad(set_to_none=True)
                loss.backward()
                if control is not None:
                    assert self.control is not None
                    for k, p in model.named_parameters():
                        p.grad.add_(control[k] - self.control[k])
                nn.utils.clip_grad_norm_(model.parameters(), 10.0)
                opt.step()
                total += loss.item()
                steps += 1

        params = {k: v.detach() for k, v in model.named_parameters()}
        drift = torch.sqrt(sum((params[k] - anchor[k]).pow(2).sum() for k in params)).item()
        delta: State = {}
        if control is not None:
            assert self.control is not None
            for k in params:
                new = self.control[k] - control[k] + (anchor[k] - params[k]) / (steps * lr)
                delta[k] = new - self.control[k]
                self.control[k] = new
        state = {k: v.detach().clone() for k, v in model.state_dict().items()}
        if local_keys:
            self.private = {k: state.pop(k) for k in local_keys}
        return LocalUpdate(self.cid, state, self.n, total / steps, drift, delta)

    def test(self, model: nn.Module, global_state: State) -> dict[str, float]:
        self._load(model, global_state)
        return evaluate(model, self.test_loader, self.device)
