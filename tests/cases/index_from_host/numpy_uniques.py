# What np.unique gives beside the values are positions on the host, by which a GPU tensor is indexed.
import numpy as np
import torch
from torch import nn


class Contrast(nn.Module):
    def forward(self, embeddings, labels):
        classes, first = np.unique(labels.cpu().numpy(), return_index=True)  # sync: copy-to-host
        _, counts = np.unique(labels.cpu().numpy(), return_counts=True)  # sync: copy-to-host
        anchors = embeddings[first]  # sync: index-from-host
        weight = 1.0 / len(classes)
        return (anchors.sum() * weight + counts.max()) / embeddings.shape[0]
