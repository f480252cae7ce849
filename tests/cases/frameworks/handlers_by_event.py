"""What a handler is attached to says how often it runs; a word that it is attached with comes as its argument."""
from typing import TYPE_CHECKING

import torch
from monai.utils import optional_import
from torch.utils.tensorboard import SummaryWriter

Events, _ = optional_import("ignite.engine", "0.4.11", min, "Events")

if TYPE_CHECKING:
    from ignite.engine import Engine
else:
    Engine, _ = optional_import("ignite.engine", "0.4.11", min, "Engine")


class ImageHandler:
    def __init__(self, interval=1):
        self.writer = SummaryWriter()
        self.interval = interval

    def attach(self, engine: Engine):
        engine.add_event_handler(Events.ITERATION_COMPLETED(every=self.interval), self, "iteration")
        engine.add_event_handler(Events.EPOCH_COMPLETED(every=self.interval), self, "epoch")

    def __call__(self, engine: Engine, action):
        if action == "iteration":
            print(engine.state.output["pred"].detach().cpu().numpy().mean())  # sync: copy-to-host
            return
        self.write(engine.state.output)

    def write(self, output):
        self.writer.add_image("pred", torch.stack(output["pred"]).cuda(non_blocking=True).detach().cpu().numpy(), 0)  # sync: copy-to-host note
