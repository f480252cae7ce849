"""A value that is a tensor on one way and a list on another: what is done with it tells which of them is meant."""
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

device = torch.device("cuda")


def targets_of(labels, scales):
    if scales > 1:
        return [labels[:, ::scale] for scale in range(1, scales + 1)]
    return labels.float()


def weighted_overlap(probs, labels, scales, balance):
    target = targets_of(labels, scales)
    weight = (probs > 0.5).float() if balance else 1.0
    return (target * weight).sum()


def pick(features, index):
    return features[index]


def columns(parts, which):
    return parts[which]  # sync: host-read


def train(model, dataset, optimizer):
    for images, labels in DataLoader(dataset, batch_size=8):
        images = images.to(device)  # sync: copy-to-device
        labels = labels.to(device)  # sync: copy-to-device
        logits = model(images)
        best = logits.argmax(1)
        loss = weighted_overlap(logits, labels, dataset.scales, dataset.balance) + pick(logits, best).mean()
        loss = loss + pick([logits, images], 0).mean() + columns([logits, images], best[0]).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def validate(model, batches):
    scores = []
    for wave, names in batches:
        wave = wave.cuda()
        fields = {"wave": wave, "names": [name.lower() for name in names]}
        for part in fields.values():
            scores.append(part.to(device) if hasattr(part, "to") else part)
    return scores
