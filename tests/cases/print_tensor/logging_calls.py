"""Loggers format their arguments when the level is on."""
import logging

import torch
import torch.nn as nn

logging.basicConfig(level=logging.INFO)
logger = logging.getLogger(__name__)


def train(model, optimizer, x, y):
    criterion = nn.CrossEntropyLoss()
    for step in range(100):
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        logger.info("step %d loss %s", step, loss)  # sync: print-tensor
        logging.warning("loss is %s", loss)  # sync: print-tensor
        logger.info("step %d done", step)


def main():
    device = torch.device("cuda")
    model = nn.Linear(16, 4).to(device)
    x = torch.randn(64, 16, device=device)
    y = torch.randint(0, 4, (64,), device=device)
    train(model, torch.optim.SGD(model.parameters(), lr=0.1), x, y)


main()
