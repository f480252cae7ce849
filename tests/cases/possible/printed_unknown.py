# options: --min-confidence possible
"""What is printed may be anything: where it may also be what nobody here knows, a tensor is not believed. A loss that is
nothing else is."""
import logging

import elsewhere
import torch
from torch import nn

logger = logging.getLogger(__name__)


def best_of(history, loss: torch.Tensor):
    best = loss
    if elsewhere.knows(history):
        best = elsewhere.best(history)
    return best


def train(model: nn.Module, loader, optimizer):
    history = []
    for x in loader:
        loss = model(x.cuda()).mean()  # sync: copy-to-device
        loss.backward()
        optimizer.step()
        logger.info("best so far: %s", best_of(history, loss))
        logger.info("now: %s", loss)  # sync: print-tensor
        print("finite", torch.isfinite(best_of(history, loss)))  # sync: print-tensor
