"""Branches that ask where a tensor is: of a run on the GPU, those for the CPU are not taken."""
import torch
import torch.nn.functional as F

device = torch.device("cuda")


def label_on_gpu(masks):
    return int(masks.sum().item())  # sync: host-read


def label_regions(masks):
    return masks.cpu().numpy()


def suppress_cpu(boxes: torch.Tensor, scores: torch.Tensor):
    order = scores.argsort().tolist()
    return boxes[order]


def suppress(boxes: torch.Tensor, scores: torch.Tensor):
    order = scores.argsort().tolist()  # sync: host-read
    return boxes[order]  # sync: index-from-host


def validate(model, loader):
    regions = 0
    for images in loader:
        masks = model(images.to(device))  # sync: copy-to-device
        regions += label_on_gpu(masks) if masks.is_cuda else len(label_regions(masks))
        if masks.is_cpu:
            regions += len(label_regions(masks))
        if masks.device == torch.device("cpu"):
            regions += len(label_regions(masks))
        if masks.device != torch.device("cpu"):
            kept = masks.cpu()  # sync: copy-to-host
        print(kept.shape)
    return regions


def agreement(prediction, prediction_cpu: torch.Tensor):
    return float((prediction_cpu > 0).float().mean())


def as_list(tensor):
    if torch.jit.is_scripting() or not tensor.is_cuda:
        return tensor.tolist()
    if tensor.is_cuda and not torch.jit.is_scripting():
        return tensor.tolist()  # sync: host-read
    return tensor.tolist()


def lengths(model, loader, verbose):
    for images in loader:
        masks = model(images.to(device))  # sync: copy-to-device
        as_list(masks)
        if verbose and not masks.is_cuda:
            print(masks)
        if verbose or masks.is_cuda:
            print(masks.sum())  # sync: print-tensor
        if verbose or not masks.is_cuda:
            print(masks.sum())  # sync: print-tensor
