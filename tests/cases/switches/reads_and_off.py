"""What looks like a switch and is none: reading it, turning it off, other variables, an option that is off, a profiler
with a schedule or around a few steps."""
import argparse
import os

import torch

os.environ["CUDA_LAUNCH_BLOCKING"] = "0"
os.environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
os.environ.pop("CUDA_LAUNCH_BLOCKING", None)
blocking = os.environ.get("CUDA_LAUNCH_BLOCKING", "0")
config = {}
config["CUDA_LAUNCH_BLOCKING"] = "1"
torch.autograd.set_detect_anomaly(False)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--anomaly", action="store_true")
    parser.add_argument("--blocking", default="0")
    args = parser.parse_args()
    torch.autograd.set_detect_anomaly(args.anomaly)
    os.environ["CUDA_LAUNCH_BLOCKING"] = args.blocking
    if args.anomaly:
        torch.autograd.set_detect_anomaly(True)
    model = torch.nn.Linear(64, 10).cuda()
    x = torch.randn(64, 64, device="cuda")
    with torch.profiler.profile(schedule=torch.profiler.schedule(wait=1, warmup=1, active=3)) as prof:
        for step in range(1000):
            model(x)
            prof.step()
    with torch.autograd.profiler.profile(enabled=args.anomaly):
        for step in range(100):
            model(x)


main()
