"""The branch asks for the device itself, or for a GPU: a run has one."""
import torch


def prepare(device=None):
    if device is not None:
        torch.set_default_device(device)


def prepare_gpu(use_gpu=True):
    if use_gpu:
        torch.set_default_device("cuda")
