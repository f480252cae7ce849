"""Post-processing is given what a model gave: nothing else has logits."""
import torch


class Processor:
    def __init__(self, things, threshold=0.5):
        self.things = things
        self.threshold = threshold

    def post_process(self, outputs, sizes=None):
        logits, masks = outputs.class_logits, outputs.mask_logits
        results = []
        for i in range(logits.shape[0]):
            scores, labels = torch.softmax(logits[i], dim=-1).max(-1)
            keep = scores > self.threshold
            kept = masks[i][keep]  # sync: dynamic-shape
            if (kept > 0).sum() > 0:  # sync: tensor-truth
                results.append(labels[0].item())  # sync: host-read
        return results


class Settings:
    def __init__(self, logits):
        self.logits = logits

    def read(self, config):
        rows = []
        for key in config.names:
            rows.append(config.values[key].item())  # only possible: nobody says what this is
        return rows
