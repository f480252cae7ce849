import time

import numpy as np
import torch


class Evaluator:
    def __init__(self):
        self._cpu_device = torch.device("cpu")
        self.reset()

    def reset(self):
        self._predictions = []

    def process(self, inputs, outputs):
        for input, output in zip(inputs, outputs):
            boxes = output["boxes"].to(self._cpu_device).numpy()  # sync: copy-to-host
            scores = output["scores"].tolist()  # sync: host-read
            self._predictions.append((boxes, scores))

    def evaluate(self):
        return {"AP": float(np.mean([np.mean(s) for _, s in self._predictions]))}


def inference_on_dataset(model, data_loader, evaluator):
    evaluator.reset()
    model.eval()
    total = 0
    with torch.no_grad():
        for idx, inputs in enumerate(data_loader):
            start = time.perf_counter()
            outputs = model(inputs)
            if torch.cuda.is_available():
                torch.cuda.synchronize()  # sync: sync-for-timer
            total += time.perf_counter() - start
            evaluator.process(inputs, outputs)
    model.train()
    return evaluator.evaluate()
