"""A constructor that moves some of a module's parts to the GPU leaves the others where they were made, when nobody moves the
module itself. Others may make one and move it: by convention it is on the GPU; so is what both kinds of owners call."""
import torch
from torch import nn


def edge_masks(size):
    masks = torch.zeros(size, size).bool()
    masks[0, 1:] = 1
    return nn.Parameter(masks, requires_grad=False)


class Core(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)
        self.keep = nn.Parameter(torch.ones(8).bool(), requires_grad=False)

    def forward(self, x):
        return self.fc(x)[:, self.keep]  # sync: dynamic-shape likely


class InParts(nn.Module):
    def __init__(self, use_gpu):
        super().__init__()
        self.edge_masks = edge_masks(8)
        prior = torch.zeros(1)
        self.core = Core()
        if use_gpu:
            self.core = nn.DataParallel(self.core)
            self.prior = nn.Parameter(prior.cuda(), requires_grad=False)
        else:
            self.prior = nn.Parameter(prior, requires_grad=False)

    def forward(self, x, adjacency):
        edges = adjacency[:, self.edge_masks]  # sync: dynamic-shape likely
        return self.core(x) * edges.mean() + self.prior


class Whole(nn.Module):
    def __init__(self):
        super().__init__()
        self.edge_masks = edge_masks(8)
        self.core = Core()

    def forward(self, x, adjacency):
        edges = adjacency[:, self.edge_masks]  # sync: dynamic-shape certain
        return self.core(x) * edges.mean()


class Method:
    def get_model(self, use_gpu):
        self.model = InParts(use_gpu)

    def train(self, batches, use_gpu):
        self.get_model(use_gpu)
        optimizer = torch.optim.Adam(self.model.parameters())
        for epoch in range(10):
            for x, adjacency in batches:
                x = torch.randn(4, 8).cuda()  # sync: copy-to-device
                adjacency = torch.randn(4, 8, 8).cuda()  # sync: copy-to-device
                loss = self.model(x, adjacency).mean()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()


def train_whole(batches):
    both = Whole()
    both.to("cuda")
    optimizer = torch.optim.Adam(both.parameters())
    for x, adjacency in batches:
        x = torch.randn(4, 8).cuda()  # sync: copy-to-device
        adjacency = torch.randn(4, 8, 8).cuda()  # sync: copy-to-device
        loss = both(x, adjacency).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
