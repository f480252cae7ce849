"""pytorch_forecasting: series of random walks forecast by its models in Lightning's trainer."""
import warnings

import numpy as np
import pandas
import torch

device = "gpu" if torch.cuda.is_available() else "cpu"
warnings.filterwarnings("ignore")


def _sets(univariate=False, target="value", length=12, ahead=4, normalizer=None):
    from pytorch_forecasting import GroupNormalizer, TimeSeriesDataSet
    from pytorch_forecasting.data import EncoderNormalizer
    rng = np.random.default_rng(0)
    data = pandas.concat([pandas.DataFrame({"time_idx": np.arange(60), "series": str(i), "value": np.abs(rng.standard_normal(60).cumsum()) + 1.0, "count": rng.integers(0, 20, 60).astype(float), "extra": rng.standard_normal(60), "month": (np.arange(60) % 12).astype(str)}) for i in range(6)], ignore_index=True)
    options = dict(time_idx="time_idx", target=target, group_ids=["series"], max_encoder_length=length, max_prediction_length=ahead, time_varying_unknown_reals=[target])
    if not univariate:
        options.update(static_categoricals=["series"], time_varying_known_reals=["time_idx", "extra"], time_varying_known_categoricals=["month"], add_relative_time_idx=True, add_target_scales=True)
    options["target_normalizer"] = normalizer or (EncoderNormalizer() if univariate else GroupNormalizer(groups=["series"]))
    training = TimeSeriesDataSet(data[data.time_idx < 56], **options)
    validation = TimeSeriesDataSet.from_dataset(training, data, predict=True, stop_randomization=True)
    return training, training.to_dataloader(train=True, batch_size=32, num_workers=0), validation.to_dataloader(train=False, batch_size=32, num_workers=0)


def _trainer(**options):
    import lightning.pytorch as pl
    return pl.Trainer(max_epochs=2, limit_train_batches=4, accelerator=device, devices=1, enable_progress_bar=False, logger=options.pop("logger", False), enable_checkpointing=False, gradient_clip_val=0.1, num_sanity_val_steps=0, **options)


def _fit(make, predict=True, sets=None, **options):
    training, train, val = sets or _sets()
    model = make(training)
    _trainer(**options).fit(model, train_dataloaders=train, val_dataloaders=val)
    if predict:
        print(model.predict(val, trainer_kwargs=dict(accelerator=device, logger=False)).shape)
    return model, train, val


def temporal_fusion():
    from pytorch_forecasting import QuantileLoss, TemporalFusionTransformer
    model, train, val = _fit(lambda training: TemporalFusionTransformer.from_dataset(training, learning_rate=0.03, hidden_size=8, attention_head_size=2, dropout=0.1, hidden_continuous_size=8, loss=QuantileLoss(), log_interval=2))
    for mode in ("quantiles", "raw"):
        found = model.predict(val, mode=mode, return_x=True, return_index=True, trainer_kwargs=dict(accelerator=device, logger=False))
        print(mode, len(found.index))
    model.interpret_output(found.output, reduction="sum")


def temporal_fusion_logged():
    import lightning.pytorch as pl
    from pytorch_forecasting import MAE, RMSE, SMAPE, QuantileLoss, TemporalFusionTransformer
    callbacks = [pl.callbacks.EarlyStopping(monitor="val_loss", patience=3), pl.callbacks.LearningRateMonitor()]
    _fit(lambda training: TemporalFusionTransformer.from_dataset(training, hidden_size=8, attention_head_size=1, hidden_continuous_size=4, loss=QuantileLoss(), logging_metrics=torch.nn.ModuleList([SMAPE(), MAE(), RMSE()]), log_interval=2, reduce_on_plateau_patience=2), logger=pl.loggers.TensorBoardLogger("tb"), callbacks=callbacks)


def deep_ar():
    from pytorch_forecasting import DeepAR, NormalDistributionLoss
    model, train, val = _fit(lambda training: DeepAR.from_dataset(training, hidden_size=8, rnn_layers=1, loss=NormalDistributionLoss(), learning_rate=0.03), False)
    for mode in ("prediction", "quantiles", ("raw", "prediction")):
        model.predict(val, mode=mode, n_samples=10, trainer_kwargs=dict(accelerator=device, logger=False))


def deep_ar_counts():
    from pytorch_forecasting import DeepAR, NegativeBinomialDistributionLoss
    from pytorch_forecasting.data import EncoderNormalizer
    _fit(lambda training: DeepAR.from_dataset(training, hidden_size=8, rnn_layers=1, cell_type="GRU", loss=NegativeBinomialDistributionLoss()), False, _sets(target="count", normalizer=EncoderNormalizer(center=False)))


def deep_ar_together():
    from pytorch_forecasting import DeepAR
    from pytorch_forecasting.metrics import MultivariateNormalDistributionLoss
    _fit(lambda training: DeepAR.from_dataset(training, hidden_size=8, rnn_layers=1, loss=MultivariateNormalDistributionLoss(rank=4)), False)


def n_beats():
    from pytorch_forecasting import MASE, NBeats
    sets = _sets(univariate=True)
    model, train, val = _fit(lambda training: NBeats.from_dataset(training, widths=[16, 32], num_blocks=[1, 1], backcast_loss_ratio=0.1, learning_rate=0.01), True, sets)
    _fit(lambda training: NBeats.from_dataset(training, widths=[16, 32], num_blocks=[1, 1], loss=MASE()), True, sets)


def n_hits():
    from pytorch_forecasting import NHiTS, QuantileLoss
    _fit(lambda training: NHiTS.from_dataset(training, hidden_size=16, loss=QuantileLoss(), learning_rate=0.01))


def recurrent():
    from pytorch_forecasting import MAE, RecurrentNetwork
    for cell in ("LSTM", "GRU"):
        _fit(lambda training: RecurrentNetwork.from_dataset(training, cell_type=cell, hidden_size=8, rnn_layers=1, loss=MAE()))


def perceptron():
    from pytorch_forecasting import RMSE, SMAPE, DecoderMLP
    for loss in (RMSE(), SMAPE()):
        _fit(lambda training: DecoderMLP.from_dataset(training, hidden_size=16, loss=loss))


def dense_encoder():
    from pytorch_forecasting import MAE
    from pytorch_forecasting.models import TiDEModel
    _fit(lambda training: TiDEModel.from_dataset(training, hidden_size=8, num_encoder_layers=1, num_decoder_layers=1, loss=MAE()), True)


def metrics():
    from pytorch_forecasting import metrics as m
    for make in (m.MAE, m.MAPE, m.RMSE, m.SMAPE, m.PoissonLoss, m.TweedieLoss, lambda: m.QuantileLoss([0.1, 0.5, 0.9])):
        try:
            metric = make().to("cuda" if torch.cuda.is_available() else "cpu")
            for _ in range(2):
                for _ in range(3):
                    truth = torch.rand(8, 4, device=metric.device)
                    metric.update(torch.rand(8, 4, 3 if isinstance(metric, m.QuantileLoss) else 1, device=metric.device).squeeze(-1), (truth, torch.ones(8, 4, device=metric.device)))
                print(type(metric).__name__, metric.compute().item())
                metric.reset()
        except Exception as error:
            print(make, type(error).__name__, error)


def baseline():
    from pytorch_forecasting import MAE, Baseline
    _, train, val = _sets()
    for _ in range(2):
        found = Baseline().predict(val, return_y=True, trainer_kwargs=dict(accelerator=device, logger=False))
        print(MAE()(found.output, found.y))
