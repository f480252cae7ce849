"""torchtnt and pytorch-accelerated: units, callbacks, trainers with schedules and averages."""
from functools import partial

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
data = TensorDataset(torch.randn(128, 12), torch.randint(0, 4, (128,)))


def _dense():
    return nn.Sequential(nn.Linear(12, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 4))


def _loader(batch=16):
    return DataLoader(data, batch_size=batch, shuffle=True)


def _unit(**options):
    from torchtnt.framework.auto_unit import AutoUnit

    class Unit(AutoUnit):
        def compute_loss(self, state, data):
            x, y = data
            out = self.module(x)
            return nn.functional.cross_entropy(out, y), out

        def configure_optimizers_and_lr_scheduler(self, module):
            optimizer = torch.optim.SGD(module.parameters(), lr=0.01, momentum=0.9)
            return optimizer, torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)

        def on_train_step_end(self, state, data, step, results):
            if step % 4 == 0:
                print(step, results.loss.item(), results.total_grad_norm)
    return Unit(module=_dense(), device=device, **options)


def tnt_auto():
    from torchtnt.framework.evaluate import evaluate
    from torchtnt.framework.fit import fit
    from torchtnt.framework.train import train
    unit = _unit(clip_grad_norm=1.0)
    train(unit, _loader(), max_epochs=2)
    evaluate(unit, _loader())
    fit(_unit(step_lr_interval="step"), _loader(), _loader(32), max_epochs=3, evaluate_every_n_steps=5)


def tnt_precision():
    from torchtnt.framework.train import train
    for options in (dict(precision="fp16", clip_grad_norm=1.0), dict(precision="bf16", clip_grad_value=0.5), dict(gradient_accumulation_steps=2), dict(detect_anomaly=True)):
        try:
            train(_unit(**options), _loader(), max_epochs=2)
        except Exception as error:
            print(options, type(error).__name__, error)


def tnt_averages():
    from torchtnt.framework.auto_unit import SWALRParams, SWAParams
    from torchtnt.framework.fit import fit
    for method in ("ema", "swa"):
        swa = SWAParams(warmup_steps_or_epochs=2, step_or_epoch_update_freq=1, averaging_method=method, ema_decay=0.9, swalr_params=SWALRParams(anneal_steps_or_epochs=2))
        fit(_unit(swa_params=swa, step_lr_interval="step"), _loader(), _loader(), max_epochs=3)


def tnt_predict():
    from torchtnt.framework.auto_unit import AutoPredictUnit
    from torchtnt.framework.predict import predict

    class Predict(AutoPredictUnit):
        def on_predict_step_end(self, state, data, step, outputs):
            print(outputs.argmax(1)[:2].tolist())
    for precision in (None, "bf16"):
        unit = Predict(module=_dense(), device=device, precision=precision)
        predict(unit, [x for x, _ in _loader()])


def tnt_callbacks():
    from torchtnt.framework import callbacks as c
    from torchtnt.framework.fit import fit
    from torchtnt.utils.loggers import InMemoryLogger, TensorBoardLogger
    memory, board = InMemoryLogger(), TensorBoardLogger("tb")
    callbacks = [c.IterationTimeLogger(memory), c.LearningRateMonitor(memory, logging_interval="step"), c.ThroughputLogger(memory, {"items": 16}), c.TimeWaitForBatchLogger(memory), c.TensorBoardParameterMonitor(board),
                 c.ModuleSummary(max_depth=2), c.SystemResourcesMonitor(memory, logging_interval="step"), c.GarbageCollector(4), c.EmptyCudaCache(4), c.TQDMProgressBar(), c.TrainProgressMonitor(memory), c.Lambda(on_train_epoch_end=lambda state, unit: print("epoch"))]
    fit(_unit(), _loader(), _loader(), max_epochs=2, callbacks=callbacks)


def tnt_saving():
    from torchtnt.framework import callbacks as c
    from torchtnt.framework.train import train
    saver = c.DistributedCheckpointSaver("dcp", save_every_n_train_steps=4, save_every_n_epochs=1, keep_last_n_checkpoints=2)
    unit = _unit()
    train(unit, _loader(), max_epochs=2, callbacks=[saver])
    c.DistributedCheckpointSaver.restore_from_latest("dcp", unit)


def tnt_own_unit():
    from torchmetrics.classification import MulticlassAccuracy
    from torchtnt.framework.callbacks import EarlyStopping
    from torchtnt.framework.fit import fit
    from torchtnt.framework.unit import EvalUnit, TrainUnit
    from torchtnt.utils import copy_data_to_device
    from torchtnt.utils.early_stop_checker import EarlyStopChecker
    from torchtnt.utils.timer import Timer

    class Mine(TrainUnit, EvalUnit):
        def __init__(self):
            super().__init__()
            self.module = _dense().to(device)
            self.optimizer = torch.optim.Adam(self.module.parameters())
            self.accuracy = MulticlassAccuracy(4).to(device)
            self.loss = torch.tensor(0.0)

        def train_step(self, state, data):
            x, y = copy_data_to_device(data, device)
            self.loss = nn.functional.cross_entropy(self.module(x), y)
            self.loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.accuracy.update(self.module(x), y)

        def on_train_epoch_end(self, state):
            print(self.accuracy.compute().item())
            self.accuracy.reset()

        def eval_step(self, state, data):
            x, y = copy_data_to_device(data, device)
            self.accuracy.update(self.module(x), y)
    stop = EarlyStopping("loss", EarlyStopChecker("min", patience=5), interval="step", interval_freq=2)
    fit(Mine(), _loader(), _loader(), max_epochs=2, callbacks=[stop], timer=Timer())


def tnt_tools():
    from torchtnt.utils import get_module_summary, record_data_in_stream
    from torchtnt.utils.data import CudaDataPrefetcher
    from torchtnt.utils.flops import FlopTensorDispatchMode
    from torchtnt.utils.timer import Timer
    module = _dense().to(device)
    for _ in range(2):
        print(get_module_summary(module, module_args=(torch.randn(8, 12, device=device),)).num_parameters)
        timer = Timer(cuda_sync=True)
        for _ in range(3):
            with timer.time("forward"):
                module(torch.randn(8, 12, device=device))
    for x, y in CudaDataPrefetcher(_loader(), device, 2):
        record_data_in_stream((x, y), torch.cuda.current_stream())
        module(x)
    with FlopTensorDispatchMode(module) as flops:
        module(torch.randn(8, 12, device=device)).mean().backward()
    print(flops.flop_counts)


def tnt_memory():
    from torchtnt.utils.memory import measure_rss_deltas
    from torchtnt.utils.oom import log_memory_snapshot
    deltas = []
    for _ in range(2):
        with measure_rss_deltas(deltas):
            torch.randn(100, 100, device=device).sum().item()
    log_memory_snapshot("memory")


def _accelerated(callbacks=None, kind=None, model=None):
    from pytorch_accelerated import Trainer
    from pytorch_accelerated.trainer import DEFAULT_CALLBACKS
    model = model or _dense()
    return (kind or Trainer)(model, loss_func=nn.CrossEntropyLoss(), optimizer=torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9), callbacks=callbacks or DEFAULT_CALLBACKS)


def accelerated_plain():
    trainer = _accelerated()
    trainer.train(train_dataset=data, eval_dataset=data, num_epochs=3, per_device_batch_size=16)
    trainer.evaluate(dataset=data, per_device_batch_size=32)
    print(trainer.run_history.get_metric_values("train_loss_epoch"))


def accelerated_schedules():
    from torch.optim.lr_scheduler import OneCycleLR

    from pytorch_accelerated import TrainerPlaceholderValues
    from pytorch_accelerated.schedulers import CosineLrScheduler, WSDLrScheduler
    for make in (partial(OneCycleLR, max_lr=0.1, epochs=TrainerPlaceholderValues.NUM_EPOCHS, steps_per_epoch=TrainerPlaceholderValues.NUM_UPDATE_STEPS_PER_EPOCH),
                 CosineLrScheduler.create_scheduler_fn(num_warmup_epochs=1), WSDLrScheduler.create_scheduler_fn(num_warmup_epochs=1)):
        try:
            _accelerated().train(train_dataset=data, eval_dataset=data, num_epochs=2, per_device_batch_size=16, gradient_accumulation_steps=2, gradient_clip_value=1.0, create_scheduler_fn=make)
        except Exception as error:
            print(type(error).__name__, error)


def accelerated_callbacks():
    from pytorch_accelerated import callbacks as c
    given = [c.MoveModulesToDeviceCallback, c.TerminateOnNaNCallback, c.SaveBestModelCallback(save_path="best.pt"), c.EarlyStoppingCallback(early_stopping_patience=3), c.PrintProgressCallback, c.ProgressBarCallback, c.LogMetricsCallback]
    trainer = _accelerated(given)
    trainer.train(train_dataset=data, eval_dataset=data, num_epochs=3, per_device_batch_size=16)
    trainer.save_checkpoint("checkpoint.pt")
    trainer.load_checkpoint("checkpoint.pt")


def accelerated_average():
    from pytorch_accelerated import callbacks as c
    given = [c.ModelEmaCallback(decay=0.9, save_path="ema.pt"), c.TerminateOnNaNCallback, c.LogMetricsCallback]
    _accelerated(given).train(train_dataset=data, eval_dataset=data, num_epochs=3, per_device_batch_size=16)


def accelerated_limits():
    from pytorch_accelerated import callbacks as c
    given = [c.LimitBatchesCallback(3), c.LimitEvalStepsCallback(2), c.LogMetricsCallback]
    _accelerated(given).train(train_dataset=data, eval_dataset=data, num_epochs=2, per_device_batch_size=16)


def accelerated_states():
    from pytorch_accelerated import callbacks as c
    given = [c.SaveTrainingStateCallback("states", save_every_n_epochs=1, save_every_n_steps=5), c.LogMetricsCallback]
    _accelerated(given).train(train_dataset=data, eval_dataset=data, num_epochs=2, per_device_batch_size=16)


def accelerated_metrics():
    import torchmetrics
    from pytorch_accelerated import Trainer
    from pytorch_accelerated import callbacks as c

    class Metrics(c.TrainerCallback):
        def __init__(self):
            self.accuracy = torchmetrics.Accuracy(task="multiclass", num_classes=4)

        def on_training_run_start(self, trainer, **kwargs):
            self.accuracy.to(trainer.device)

        def on_eval_step_end(self, trainer, batch, batch_output, **kwargs):
            self.accuracy.update(batch_output["model_outputs"].argmax(-1), batch[1])

        def on_eval_epoch_end(self, trainer, **kwargs):
            trainer.run_history.update_metric("accuracy", self.accuracy.compute().cpu())
            self.accuracy.reset()

    class Mine(Trainer):
        def calculate_train_batch_loss(self, batch):
            x, y = batch
            out = self.model(x)
            loss = self.loss_func(out, y)
            return {"loss": loss, "model_outputs": out, "batch_size": x.size(0)}
    _accelerated([Metrics, c.LogMetricsCallback], Mine).train(train_dataset=data, eval_dataset=data, num_epochs=3, per_device_batch_size=16)


def accelerated_tuning():
    from pytorch_accelerated.finetuning import ModelFreezer
    model = _dense()
    freezer = ModelFreezer(model)
    freezer.freeze()
    for _ in range(2):
        freezer.unfreeze(from_index=-1)
        _accelerated(model=model).train(train_dataset=data, num_epochs=2, per_device_batch_size=16)
