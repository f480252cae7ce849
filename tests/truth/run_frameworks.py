#!/usr/bin/env python3
"""How often do frameworks wait that run the loop themselves? Waits a training step, by setting, and where they stand.

    python3 tests/truth/run_frameworks.py OUT.tsv     # on a GPU machine with transformers, pytorch_lightning, accelerate

Each setting trains a small model for two numbers of steps; the difference of the debug mode's warnings is what a step costs.
The place is the innermost frame outside of torch.
"""
import collections
import contextlib
import io
import logging
import os
import sys
import tempfile
import traceback
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F

FEW, MANY = 20, 60
SYNC_TEXT = "called a synchronizing CUDA operation"
TORCH = os.path.dirname(torch.__file__)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))

    def forward(self, x=None, labels=None):
        logits = self.body(x)
        return {"loss": F.cross_entropy(logits, labels), "logits": logits} if labels is not None else logits


class Rows(torch.utils.data.Dataset):
    def __init__(self, count):
        self.x, self.y = torch.randn(count, 64), torch.randint(0, 10, (count,))

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return {"x": self.x[i], "labels": self.y[i]}


def place():
    """file:line of the innermost frame outside of torch."""
    for frame in reversed(traceback.extract_stack()[:-2]):
        if not frame.filename.startswith(TORCH) and "warnings" not in frame.filename and frame.name != "place":
            return "/".join(frame.filename.split("/")[-3:]) + f":{frame.lineno} {frame.name}"
    return "?"


def waits(work, steps):
    """Counter of places."""
    seen = collections.Counter()

    def show(message, *args, **kwargs):
        if SYNC_TEXT in str(message):
            seen[place()] += 1

    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("always")
        warnings.showwarning = show
        torch.cuda.set_sync_debug_mode("warn")
        try:
            work(steps)
        finally:
            torch.cuda.set_sync_debug_mode(0)
    return seen


def hf(**options):
    def work(steps):
        import transformers
        options_ = {"logging_steps": 10_000, "report_to": [], "save_strategy": "no", "disable_tqdm": True, **options}
        args = transformers.TrainingArguments(tempfile.mkdtemp(), max_steps=steps, per_device_train_batch_size=8, **options_)
        transformers.Trainer(Net(), args, train_dataset=Rows(8 * MANY)).train()
    return work


def lightning(log, pair=False, **options):
    def work(steps):
        import pytorch_lightning as pl

        class Module(pl.LightningModule):
            def __init__(self):
                super().__init__()
                self.net = Net()

            def training_step(self, batch, batch_idx):
                loss = self.net(**batch)["loss"]
                if pair:
                    self.log_dict({"loss": loss, "double": 2 * loss}, **log)
                elif log is not None:
                    self.log("loss", loss, **log)
                return loss

            def configure_optimizers(self):
                return torch.optim.Adam(self.parameters(), lr=1e-3)

        logging.getLogger("pytorch_lightning").setLevel(logging.ERROR)
        chosen = {"enable_progress_bar": False, "logger": False, "log_every_n_steps": 10_000, **options}
        if chosen["logger"] is True:
            chosen["logger"] = pl.loggers.CSVLogger(tempfile.mkdtemp())
        trainer = pl.Trainer(max_steps=steps, accelerator="gpu", devices=1, enable_checkpointing=False, enable_model_summary=False,
                             default_root_dir=tempfile.mkdtemp(), **chosen)
        trainer.fit(Module(), torch.utils.data.DataLoader(Rows(8 * MANY), batch_size=8))
    return work


def accelerated(use, pin=False, **options):
    def work(steps):
        import accelerate
        if options:
            options["dataloader_config"] = accelerate.utils.DataLoaderConfiguration(non_blocking=True)
        accelerator = accelerate.Accelerator(**options)
        net, loader = Net(), torch.utils.data.DataLoader(Rows(8 * steps), batch_size=8, pin_memory=pin)
        model, optimizer, loader = accelerator.prepare(net, torch.optim.Adam(net.parameters()), loader)
        for batch in loader:
            loss = model(**batch)["loss"]
            accelerator.backward(loss)
            use(accelerator, model, loss)
            optimizer.step()
            optimizer.zero_grad()
    return work


SETTINGS = {
    "Trainer()": hf(), "Trainer(logging_nan_inf_filter=False)": hf(logging_nan_inf_filter=False),
    "Trainer(logging_nan_inf_filter=False, max_grad_norm=0)": hf(logging_nan_inf_filter=False, max_grad_norm=0.0),
    "Trainer(logging_steps=1)": hf(logging_steps=1), "Trainer(logging_steps=10)": hf(logging_steps=10),
    "Trainer(logging_steps=1, logging_nan_inf_filter=False)": hf(logging_steps=1, logging_nan_inf_filter=False),
    "Trainer(dataloader_pin_memory=False)": hf(dataloader_pin_memory=False), "Trainer(bf16=True)": hf(bf16=True),
    "Trainer(fp16=True)": hf(fp16=True), "Trainer(gradient_accumulation_steps=4)": hf(gradient_accumulation_steps=4),
    "Trainer(accelerator_config={'non_blocking': True})": hf(accelerator_config={"non_blocking": True}),
    "Trainer(accelerator_config={'non_blocking': True}, logging_nan_inf_filter=False)": hf(accelerator_config={"non_blocking": True}, logging_nan_inf_filter=False),
    "Trainer(optim='adamw_torch_fused')": hf(optim="adamw_torch_fused"),
    "LightningModule, nothing logged": lightning(None), "self.log('loss', loss)": lightning({}),
    "self.log(prog_bar=True), no bar": lightning({"prog_bar": True}),
    "self.log(prog_bar=True), bar": lightning({"prog_bar": True}, enable_progress_bar=True),
    "self.log(), bar": lightning({}, enable_progress_bar=True),
    "self.log(prog_bar=True, on_step=False, on_epoch=True), bar": lightning({"prog_bar": True, "on_step": False, "on_epoch": True}, enable_progress_bar=True),
    "self.log_dict(prog_bar=True), two values, bar": lightning({"prog_bar": True}, pair=True, enable_progress_bar=True),
    "self.log_dict(), two values, bar": lightning({}, pair=True, enable_progress_bar=True),
    "self.log(on_epoch=True)": lightning({"on_epoch": True}), "self.log(on_step=True, on_epoch=True)": lightning({"on_step": True, "on_epoch": True}),
    "self.log(), CSVLogger every step": lightning({}, logger=True, log_every_n_steps=1),
    "self.log(), CSVLogger every 10 steps": lightning({}, logger=True, log_every_n_steps=10),
    "self.log(sync_dist=True)": lightning({"sync_dist": True}),
    "LightningModule, gradient_clip_val=1.0": lightning(None, gradient_clip_val=1.0),
    "LightningModule, precision=16-mixed": lightning(None, precision="16-mixed"),
    "LightningModule, detect_anomaly=True": lightning(None, detect_anomaly=True),
    "Accelerator": accelerated(lambda a, m, loss: None),
    "Accelerator, pin_memory=True": accelerated(lambda a, m, loss: None, True),
    "Accelerator(dataloader_config=DataLoaderConfiguration(non_blocking=True)), pin_memory=True": accelerated(lambda a, m, loss: None, True, dataloader_config=None),
    "Accelerator, clip_grad_norm_": accelerated(lambda a, m, loss: a.clip_grad_norm_(m.parameters(), 1.0)),
    "Accelerator, gather(loss)": accelerated(lambda a, m, loss: a.gather(loss)),
    "Accelerator, gather_for_metrics(loss)": accelerated(lambda a, m, loss: a.gather_for_metrics(loss)),
    "Accelerator, reduce(loss)": accelerated(lambda a, m, loss: a.reduce(loss)),
    "Accelerator, gather(loss).item()": accelerated(lambda a, m, loss: a.gather(loss).item()),
    "Accelerator, print(loss)": accelerated(lambda a, m, loss: a.print(loss)),
}


def main():
    with open(sys.argv[1], "w") as file:
        print("setting", "waits_a_step", "places (waits a step)", "torch", "gpu", sep="\t", file=file)
        for name, work in SETTINGS.items():
            try:
                waits(work, 4)
                few, many = waits(work, FEW), waits(work, MANY)
                each = {where: round((many[where] - few[where]) / (MANY - FEW), 3) for where in many | few}
                told = "; ".join(f"{where} ({n:g})" for where, n in sorted(each.items(), key=lambda p: -p[1]) if n)
                row = [f"{sum(each.values()):.3g}", told]
            except Exception as error:
                row = ["failed", f"{type(error).__name__}: {error}".replace("\n", " ").replace("\t", " ")[:200]]
            print(name, *row, torch.__version__, torch.cuda.get_device_name(0), sep="\t", file=file, flush=True)


if __name__ == "__main__":
    main()
