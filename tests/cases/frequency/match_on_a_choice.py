"""A match on texts, numbers and members is a chain of comparisons: what a default picks runs, the others need their choice."""
from dataclasses import dataclass
from enum import Enum

import torch


class Reduction(Enum):
    TOKEN = "token"
    HARD = "hard"


@dataclass
class Config:
    assigner: str = "greedy"
    reduction: Reduction = Reduction.TOKEN
    level: int = 1


def assign(kind, cost):
    match kind:
        case "greedy":
            return cost.argmin(1).tolist()  # sync: host-read certain
        case "exact" | "slow":
            return cost.cpu().numpy()  # sync: copy-to-host note
        case _:
            return cost.nonzero()  # sync: dynamic-shape note


def reduced(config, loss):
    match config.reduction:
        case Reduction.HARD:
            print(loss.max())  # sync: print-tensor note
        case Reduction.TOKEN:
            print(loss.mean())  # sync: print-tensor certain
    match config.level:
        case 0:
            pass
        case 1 if loss.isnan().any():  # sync: tensor-truth certain
            pass
        case -1:
            print(loss)  # sync: print-tensor note


def main(config=Config()):
    model = torch.nn.Linear(64, 64).cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for step in range(1000):
        cost = model(torch.randn(32, 64, device="cuda"))
        loss = cost.sum(1)
        assign(config.assigner, cost)
        reduced(config, loss)
        match torch.stack([loss, loss]):
            case torch.Tensor() as both:
                both.item  # no call
        loss.sum().backward()
        optimizer.step()
        optimizer.zero_grad()


main()
