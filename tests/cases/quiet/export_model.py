"""Exporting a trained model and checking it: once a run, whatever waits there."""
import argparse

import numpy as np
import onnxruntime
import torch
from torch import nn


class Wrapper(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, x):
        logits = self.model(x)
        return logits.softmax(-1), logits.argmax(-1)


def build(checkpoint, device):
    model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 10))
    state = torch.load(checkpoint, map_location=device)
    missing = model.load_state_dict(state["model"], strict=False)
    print("missing", missing.missing_keys)
    return Wrapper(model).to(device).eval()


def check(model, path, device):
    x = torch.randn(1, 3, 224, 224, device=device)
    with torch.inference_mode():
        expected, _ = model(x)
    session = onnxruntime.InferenceSession(path)
    got = session.run(None, {"x": x.cpu().numpy()})[0]
    error = np.abs(expected.cpu().numpy() - got).max().item()
    print("largest difference", error)
    if error > 1e-3:
        raise SystemExit("the export differs")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("checkpoint")
    parser.add_argument("--out", default="model.onnx")
    parser.add_argument("--half", action="store_true")
    args = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = build(args.checkpoint, device)
    if args.half:
        model = model.half()
    total = sum(p.numel() for p in model.parameters())
    norm = torch.stack([p.float().norm() for p in model.parameters()]).norm().item()
    print(f"{total} parameters, norm {norm:.2f}")
    x = torch.randn(1, 3, 224, 224, device=device)
    torch.onnx.export(model, x, args.out, input_names=["x"], dynamic_axes={"x": {0: "n"}})
    check(model, args.out, device)
    torch.cuda.synchronize()


if __name__ == "__main__":
    main()
