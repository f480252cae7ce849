"""What asks whether something is so gives yes or no; what a batch says of its own size is a number."""
import functional_images as F
import torch
from torch import nn


class Advantage(nn.Module):
    def __init__(self, value):
        super().__init__()
        self.value = value

    def forward(self, tensordict):
        if tensordict.batch_dims < 1:
            raise RuntimeError("a batch is needed")
        if F._is_pil_image(tensordict["image"]):
            tensordict["image"] = F.to_tensor(tensordict["image"])
        reward = tensordict["reward"]
        rows = reward.reshape(tensordict.batch_size[0], -1)
        if rows.isnan().any():  # sync: tensor-truth
            rows = rows.nan_to_num()
        return rows


def padded(graph: torch.Tensor, store):
    mask = torch.ones(graph.num_nodes + 8, dtype=torch.bool, device=graph.device)
    mask[graph.num_nodes:] = False
    return graph[mask[: graph.size(0)]]  # sync: dynamic-shape
