"""What is kept under a key that is written out is no tensor because tensors are kept under names that are not known."""
import time

import torch


class Buffer:
    def __init__(self, device):
        self.device = device
        self.tensors = {}
        for name in ["obses", "values"]:
            self.tensors[name] = torch.zeros(32, 4, device=device)

    def transformed(self, transform, names):
        result = {}
        for name in names:
            value = self.tensors.get(name)
            if value is None:
                continue
            result[name] = transform(value)
        return result


class Agent:
    def __init__(self, config, device):
        self.buffer = Buffer(device)
        self.frame = 0
        self.batch_size = config["batch_size"]
        self.max_frames = config["max_frames"]

    def play_steps(self):
        step_time = 0.0
        for _ in range(16):
            start = time.perf_counter()
            step_time += time.perf_counter() - start
        batch = self.buffer.transformed(lambda x: x.flatten(), ["obses", "values"])
        batch["played_frames"] = self.batch_size
        batch["step_time"] = step_time
        return batch

    def train_epoch(self):
        batch = self.play_steps()
        self.current_frames = batch.pop("played_frames")
        return batch["step_time"], batch["values"].mean()

    def train(self):
        while True:
            step_time, value = self.train_epoch()
            self.frame += self.current_frames
            print(f"{self.current_frames / step_time:.0f} frames a second, {self.frame} in all")
            print(f"value {value.item():.3f}")  # sync: host-read
            if self.frame >= self.max_frames:
                break


def main(config):
    Agent(config, torch.device("cuda")).train()
