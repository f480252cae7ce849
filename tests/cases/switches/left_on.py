"""Switches of a debugging session, left on at the top of a training script. They slow the run without a loop of their own."""
import os

os.environ["CUDA_LAUNCH_BLOCKING"] = "1"  # sync: launch-blocking
os.environ["CUDA_VISIBLE_DEVICES"] = "0"
os.environ["TORCH_NCCL_BLOCKING_WAIT"] = "1"  # sync: nccl-blocking-wait
os.environ.setdefault("PYTORCH_NO_CUDA_MEMORY_CACHING", "1")  # sync: memory-caching-off

import torch
from torch import autograd
from torch.profiler import ProfilerActivity, profile

autograd.set_detect_anomaly(True)  # sync: anomaly-mode


def main():
    model = torch.nn.Linear(64, 10).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    data = torch.utils.data.TensorDataset(torch.randn(512, 64), torch.randint(0, 10, (512,)))
    loader = torch.utils.data.DataLoader(data, batch_size=64, pin_memory=True)
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as prof:  # sync: profiler-on
        for x, y in loader:
            loss = torch.nn.functional.cross_entropy(model(x.cuda(non_blocking=True)), y.cuda(non_blocking=True))
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
    prof.export_chrome_trace("trace.json")


main()
