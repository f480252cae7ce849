"""The names that every example of the rule pages may use.

An example is a body: it runs inside `for step in range(steps):` after this file. `make truth` executes this file on a
GPU machine; the analyser reads it like any other code. What waits in here waits once per run, before the loop.
"""
import copy
import io
import logging
import math
import operator
import os
import statistics
import sys
import warnings

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

dev = torch.device("cuda")
steps = 2

# Matrices: x and y on the GPU, xc and bigc in pageable CPU memory, xp and bigp in page-locked CPU memory.
x = torch.randn(256, 256, device=dev)
y = torch.randn(256, 256, device=dev)
xg = torch.randn(256, 256, device=dev, requires_grad=True)
xc = torch.randn(256, 256)
xp = torch.randn(256, 256).pin_memory()
big = torch.randn(2048, 2048, device=dev)
bigc = torch.randn(2048, 2048)
bigp = torch.randn(2048, 2048).pin_memory()
buf = torch.empty(256, 256).pin_memory()  # a page-locked staging buffer, made once
bufc = torch.empty(256, 256)
spd = x @ x.t() + 256 * torch.eye(256, device=dev)
arr = np.zeros((4, 4), dtype=np.float32)
pylist = [1.0, 2.0, 3.0]

# Masks and indices.
mask = x > 0
rowmask = x[:, 0] > 0
mask_cpu = mask.cpu()
rowmask_cpu = rowmask.cpu()
idx = torch.randperm(256, device=dev)[:64]
idx_cpu = idx.cpu()
idx_list = idx_cpu.tolist()
idx_np = idx_cpu.numpy()

# Scalars: 0-dim tensors on the GPU, but one1, which has one dimension of one element.
s = torch.tensor(1.5, device=dev)
zero = torch.tensor(0.0, device=dev)
i0 = torch.tensor(4, device=dev)
j0 = torch.tensor(8, device=dev)
one1 = torch.ones(1, device=dev)
losses = [torch.rand((), device=dev) for _ in range(8)]
d = {"loss": losses[0], "accuracy": losses[1]}

# Classes and counts.
labels = torch.randint(0, 10, (256,), device=dev)
ints = torch.randint(0, 10, (256,), device=dev)
rep = torch.randint(1, 4, (256,), device=dev)
rep_sum = int(rep.sum())
logits = torch.randn(256, 10, device=dev)
probs = logits.softmax(-1)

# Sequences, images, boxes.
seq = torch.randn(32, 20, 16, device=dev)
lengths = torch.randint(1, 21, (32,), device=dev).sort(descending=True).values
lengths_cpu = lengths.cpu()
img = torch.rand(8, 3, 64, 64, device=dev)
corners = torch.rand(200, 2, device=dev) * 32
boxes = torch.cat([corners, corners + 1 + torch.rand(200, 2, device=dev) * 30], dim=1)
scores = torch.rand(200, device=dev)

# Modules and optimizers.
model = nn.Sequential(nn.Linear(256, 64), nn.ReLU(), nn.Linear(64, 10)).to(dev)
params = list(model.parameters())
opt = torch.optim.SGD(params, lr=1e-4)
adam = torch.optim.Adam(params, lr=1e-4)
adamw_f = torch.optim.AdamW(params, lr=1e-4, fused=True)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt)
scaler = torch.amp.GradScaler("cuda")
emb = nn.Embedding(100, 16, device=dev)
bn = nn.BatchNorm2d(3, device=dev)
lin = nn.Linear(256, 256, device=dev)
F.cross_entropy(model(x), labels).backward()

# Streams and events.
stream = torch.cuda.Stream()
ev = torch.cuda.Event(enable_timing=True)
ev2 = torch.cuda.Event(enable_timing=True)

# Where text goes.
devnull = open(os.devnull, "w")
logger = logging.getLogger("train")
logger.setLevel(logging.INFO)
logger.addHandler(logging.StreamHandler(devnull))
