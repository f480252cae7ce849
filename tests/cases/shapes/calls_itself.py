"""Functions of which nothing says whether they call themselves again: what comes after them has its shapes."""
import json

import torch
import torch.nn as nn


def wrap(item):
    if isinstance(item, dict):
        return {key: wrap(value) for key, value in item.items()}
    if isinstance(item, list):
        return [wrap(one) for one in item]
    return item


def depth(node):
    if not node.children:
        return 0
    return 1 + max(depth(node.left), depth(node.right))


def nested(block, times):
    return nn.Sequential(block, nested(block, times - 1)) if times else block


config = wrap(json.load(open("config.json")))
print(depth(config["tree"]))
model = nested(nn.Linear(8, 8), 5).cuda()
for _ in range(100):
    y = model(torch.zeros(4, 8, device="cuda"))  # is: unknown | cuda float (4, 8)
