"""The only program: all of it runs where torch.load puts it."""
import torch
from model import Decoder


def load(path):
    decoder = Decoder()
    decoder.load_state_dict(torch.load(path, map_location="cpu"))
    return decoder.eval()
