# options: --min-confidence possible
"""An image processor prepares pictures before they are batched, on the CPU unless its caller asks for a GPU: what it does to
them is only possible. What it makes of a model's outputs is likely as everywhere else."""
import torch
from transformers import BaseImageProcessor


class PanopticImageProcessor(BaseImageProcessor):
    def _preprocess(self, images: list[torch.Tensor], boxes: list[torch.Tensor], size: int):
        kept = []
        for image, box in zip(images, boxes):
            scale = torch.as_tensor([size, size], device=image.device)  # sync: tensor-from-host possible
            box = box * scale
            kept.append(box[box[:, 0] > 0])  # sync: dynamic-shape possible
        return kept

    def post_process(self, outputs, threshold: float = 0.5):
        scores = torch.sigmoid(outputs.logits)
        return [score[score > threshold] for score in scores]  # sync: dynamic-shape likely


class CornerFeatureExtractor(torch.nn.Module):
    def find(self, images: list[torch.Tensor]):
        return [image[image > 0.5] for image in images]  # sync: dynamic-shape likely
