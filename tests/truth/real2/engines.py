"""pytorch-ignite and skorch: engines with handlers and metrics, scikit-learn's way of fitting."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
rows, targets = torch.randn(128, 12), torch.randint(0, 4, (128,))


def _dense(inputs=12, outputs=4):
    return nn.Sequential(nn.Linear(inputs, 32), nn.ReLU(), nn.Linear(32, outputs))


def _loader(batch=16):
    return DataLoader(TensorDataset(rows, targets), batch_size=batch, shuffle=True)


def _pair(**options):
    from ignite.engine import create_supervised_evaluator, create_supervised_trainer
    from ignite.metrics import Accuracy, Loss
    model = _dense().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    trainer = create_supervised_trainer(model, optimizer, nn.CrossEntropyLoss(), device=device, **options)
    evaluator = create_supervised_evaluator(model, metrics={"accuracy": Accuracy(), "nll": Loss(nn.CrossEntropyLoss())}, device=device)
    return model, optimizer, trainer, evaluator


def ignite_supervised():
    from ignite.engine import Events
    model, optimizer, trainer, evaluator = _pair()

    @trainer.on(Events.ITERATION_COMPLETED(every=4))
    def tell(engine):
        print(engine.state.epoch, engine.state.output)

    @trainer.on(Events.EPOCH_COMPLETED)
    def validate(engine):
        evaluator.run(_loader(32))
        print(evaluator.state.metrics)
    trainer.run(_loader(), max_epochs=3)


def ignite_amp():
    for options in (dict(amp_mode="amp", scaler=True), dict(amp_mode="amp", scaler=torch.amp.GradScaler("cuda"), gradient_accumulation_steps=2), dict(gradient_accumulation_steps=2, deterministic=True), dict(non_blocking=True, output_transform=lambda x, y, y_pred, loss: {"loss": loss.item(), "y_pred": y_pred, "y": y})):
        try:
            _pair(**options)[2].run(_loader(), max_epochs=2)
        except Exception as error:
            print(options, type(error).__name__, error)


def ignite_handlers():
    from ignite.engine import Events
    from ignite.handlers import Checkpoint, DiskSaver, EarlyStopping, EMAHandler, ModelCheckpoint, TerminateOnNan, Timer, global_step_from_engine
    from ignite.handlers.tqdm_logger import ProgressBar
    from ignite.metrics import RunningAverage
    model, optimizer, trainer, evaluator = _pair()
    RunningAverage(output_transform=lambda x: x).attach(trainer, "loss")
    ProgressBar(persist=True).attach(trainer, ["loss"])
    trainer.add_event_handler(Events.ITERATION_COMPLETED, TerminateOnNan())
    EMAHandler(model, momentum=0.01).attach(trainer, name="ema_momentum", event=Events.ITERATION_COMPLETED)
    saved = {"model": model, "optimizer": optimizer, "trainer": trainer}
    trainer.add_event_handler(Events.ITERATION_COMPLETED(every=5), Checkpoint(saved, DiskSaver("all", create_dir=True, require_empty=False), n_saved=2))
    best = ModelCheckpoint("best", n_saved=2, score_name="accuracy", score_function=lambda engine: engine.state.metrics["accuracy"], global_step_transform=global_step_from_engine(trainer), require_empty=False)
    evaluator.add_event_handler(Events.COMPLETED, best, {"model": model})
    evaluator.add_event_handler(Events.COMPLETED, EarlyStopping(patience=5, score_function=lambda engine: -engine.state.metrics["nll"], trainer=trainer))
    Timer(average=True).attach(trainer, start=Events.EPOCH_STARTED, resume=Events.ITERATION_STARTED, pause=Events.ITERATION_COMPLETED, step=Events.ITERATION_COMPLETED)
    trainer.add_event_handler(Events.EPOCH_COMPLETED, lambda engine: evaluator.run(_loader(32)))
    trainer.run(_loader(), max_epochs=3)
    state = {name: part.state_dict() for name, part in saved.items()}
    Checkpoint.load_objects(to_load=saved, checkpoint=state)


def ignite_schedules():
    from ignite.engine import Events
    from ignite.handlers import BasicTimeProfiler, ConcatScheduler, CosineAnnealingScheduler, HandlersTimeProfiler, LinearCyclicalScheduler, LRScheduler, PiecewiseLinear, create_lr_scheduler_with_warmup
    for make in (lambda o: PiecewiseLinear(o, "lr", [(0, 0.0), (4, 0.1), (12, 0.0)]), lambda o: CosineAnnealingScheduler(o, "lr", 0.1, 0.001, 8), lambda o: LRScheduler(torch.optim.lr_scheduler.ExponentialLR(o, 0.98)),
                 lambda o: create_lr_scheduler_with_warmup(torch.optim.lr_scheduler.ExponentialLR(o, 0.98), warmup_start_value=0.0, warmup_end_value=0.1, warmup_duration=4),
                 lambda o: ConcatScheduler([LinearCyclicalScheduler(o, "lr", 0.1, 0.01, 4), CosineAnnealingScheduler(o, "lr", 0.1, 0.01, 8)], durations=[4])):
        model, optimizer, trainer, evaluator = _pair()
        trainer.add_event_handler(Events.ITERATION_STARTED, make(optimizer))
        profiler, handlers = BasicTimeProfiler(), HandlersTimeProfiler()
        profiler.attach(trainer)
        handlers.attach(trainer)
        trainer.run(_loader(), max_epochs=2)
        profiler.print_results(profiler.get_results())


def ignite_finder():
    from ignite.handlers import FastaiLRFinder
    model, optimizer, trainer, evaluator = _pair()
    finder = FastaiLRFinder()
    with finder.attach(trainer, to_save={"model": model, "optimizer": optimizer}, num_iter=12, end_lr=1.0) as with_finder:
        with_finder.run(_loader(), max_epochs=2)
    print(finder.get_results())


def ignite_boards():
    from ignite.engine import Events
    from ignite.handlers.tensorboard_logger import GradsHistHandler, GradsScalarHandler, TensorboardLogger, WeightsHistHandler, WeightsScalarHandler, global_step_from_engine
    model, optimizer, trainer, evaluator = _pair()
    with TensorboardLogger(log_dir="tb") as board:
        board.attach_output_handler(trainer, event_name=Events.ITERATION_COMPLETED, tag="training", output_transform=lambda loss: {"loss": loss})
        board.attach_output_handler(evaluator, event_name=Events.EPOCH_COMPLETED, tag="validation", metric_names="all", global_step_transform=global_step_from_engine(trainer))
        board.attach_opt_params_handler(trainer, event_name=Events.ITERATION_STARTED, optimizer=optimizer)
        for handler in (WeightsScalarHandler, WeightsHistHandler, GradsScalarHandler, GradsHistHandler):
            board.attach(trainer, event_name=Events.ITERATION_COMPLETED(every=4), log_handler=handler(model))
        trainer.add_event_handler(Events.EPOCH_COMPLETED, lambda engine: evaluator.run(_loader(32)))
        trainer.run(_loader(), max_epochs=2)


def ignite_common():
    import ignite.distributed as idist
    from ignite.contrib.engines import common
    from ignite.engine import Events
    model, optimizer, trainer, evaluator = _pair(output_transform=lambda x, y, y_pred, loss: {"loss": loss.item()})
    common.setup_common_training_handlers(trainer, to_save={"model": model, "optimizer": optimizer}, save_every_iters=6, output_path="common", with_gpu_stats=False, output_names=["loss"], with_pbars=True, log_every_iters=4)
    common.save_best_model_by_val_score("common", evaluator, model, metric_name="accuracy", n_saved=2, trainer=trainer)
    common.add_early_stopping_by_val_score(5, evaluator, trainer, metric_name="accuracy")
    trainer.add_event_handler(Events.EPOCH_COMPLETED, lambda engine: evaluator.run(_loader(32)))
    trainer.run(_loader(), max_epochs=3)
    for _ in range(2):
        idist.all_reduce(torch.ones(2, device=device))
        idist.barrier()


def ignite_recurrent():
    from ignite.contrib.engines.tbptt import create_supervised_tbptt_trainer

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.rnn, self.head = nn.GRU(6, 16), nn.Linear(16, 3)

        def forward(self, x, hidden=None):
            y, hidden = self.rnn(x, hidden)
            return self.head(y), hidden
    model = Net().to(device)
    trainer = create_supervised_tbptt_trainer(model, torch.optim.SGD(model.parameters(), 0.01), nn.MSELoss(), tbtt_step=5, device=device)
    trainer.run([(torch.randn(20, 8, 6), torch.randn(20, 8, 3)) for _ in range(4)], max_epochs=2)


def _measure(metrics, outputs):
    from ignite.engine import Engine
    for metric in metrics:
        try:
            metric = metric()
            engine = Engine(lambda engine, batch: batch)
            metric.attach(engine, "value")
            for _ in range(2):
                print(type(metric).__name__, str(engine.run(outputs).metrics["value"])[:80])
        except Exception as error:
            print(type(metric).__name__, type(error).__name__, error)


def ignite_class_metrics():
    from ignite import metrics as m
    outputs = [(torch.softmax(torch.randn(32, 4, device=device), 1), torch.randint(0, 4, (32,), device=device)) for _ in range(3)]
    on = dict(device=device)
    _measure([lambda: m.Accuracy(**on), lambda: m.Precision(average=False, **on), lambda: m.Recall(average="macro", **on), lambda: m.Fbeta(1.0, **on), lambda: m.ConfusionMatrix(4, **on), lambda: m.TopKCategoricalAccuracy(2, **on),
              lambda: m.IoU(m.ConfusionMatrix(4, **on)), lambda: m.mIoU(m.ConfusionMatrix(4, **on)), lambda: m.DiceCoefficient(m.ConfusionMatrix(4, **on)), lambda: m.JaccardIndex(m.ConfusionMatrix(4, **on)), lambda: m.ClassificationReport(output_dict=True, **on),
              lambda: m.Loss(nn.NLLLoss(), **on), lambda: m.MutualInformation(**on), lambda: m.Entropy(**on), lambda: m.MeanAveragePrecision(**on), lambda: m.Accuracy(), lambda: m.ConfusionMatrix(4, average="recall")], outputs)
    labels = [(p.argmax(1), y) for p, y in outputs]
    _measure([lambda: m.CohenKappa(**on), lambda: m.CohenKappa(weights="linear", num_classes=4, **on), lambda: m.MatthewsCorrCoef(**on)], labels)


def ignite_binary_metrics():
    from ignite import metrics as m
    from ignite.metrics.fairness import DemographicParityDifference, SubgroupAccuracyDifference
    outputs = [(torch.rand(32, device=device), torch.randint(0, 2, (32,), device=device)) for _ in range(3)]
    on = dict(device=device)
    _measure([lambda: m.ROC_AUC(**on), lambda: m.RocCurve(**on), lambda: m.AveragePrecision(**on), lambda: m.PrecisionRecallCurve(**on), lambda: m.EpochMetric(lambda p, y: (p.round() == y).float().mean().item(), **on)], outputs)
    several = [(torch.randint(0, 2, (16, 5), device=device), torch.randint(0, 2, (16, 5), device=device)) for _ in range(3)]
    _measure([lambda: m.Accuracy(is_multilabel=True, **on), lambda: m.Precision(is_multilabel=True, average=True, **on), lambda: m.Recall(is_multilabel=True, average="samples", **on), lambda: m.MultiLabelConfusionMatrix(5, **on)], several)
    groups = [(torch.rand(32, 2, device=device), torch.randint(0, 2, (32,), device=device), torch.randint(0, 2, (32,), device=device)) for _ in range(3)]
    _measure([lambda: DemographicParityDifference(groups=[0, 1], **on), lambda: SubgroupAccuracyDifference(groups=[0, 1], **on)], groups)


def ignite_regression_metrics():
    from ignite import metrics as m
    from ignite.metrics import regression as r
    outputs = [(torch.rand(32, device=device) + 0.5, torch.rand(32, device=device) + 0.5) for _ in range(3)]
    on = dict(device=device)
    _measure([lambda kind=kind: kind(**on) for kind in (m.MeanAbsoluteError, m.MeanSquaredError, m.RootMeanSquaredError, r.R2Score, r.CanberraMetric, r.FractionalAbsoluteError, r.FractionalBias, r.GeometricMeanAbsoluteError, r.GeometricMeanRelativeAbsoluteError, r.KendallRankCorrelation, r.ManhattanDistance, r.MaximumAbsoluteError,
              r.MeanAbsoluteRelativeError, r.MeanError, r.MeanNormalizedBias, r.MedianAbsoluteError, r.MedianAbsolutePercentageError, r.MedianRelativeAbsoluteError, r.PearsonCorrelation, r.SpearmanRankCorrelation, r.WaveHedgesDistance, m.MeanAbsoluteError)], outputs)


def ignite_vector_metrics():
    from ignite import metrics as m
    from ignite.metrics import clustering as c
    on = dict(device=device)
    outputs = [(torch.randn(32, 8, device=device), torch.randn(32, 8, device=device)) for _ in range(3)]
    _measure([lambda kind=kind: kind(**on) for kind in (m.CosineSimilarity, m.HSIC, m.MaximumMeanDiscrepancy, m.MeanPairwiseDistance, m.KLDivergence, m.JSDivergence)], outputs)
    labelled = [(torch.randn(32, 8, device=device), torch.randint(0, 3, (32,), device=device)) for _ in range(3)]
    _measure([lambda: c.SilhouetteScore(**on), lambda: c.DaviesBouldinScore(**on), lambda: c.CalinskiHarabaszScore(**on)], labelled)
    ranked = [(torch.rand(8, 10, device=device), torch.randint(0, 2, (8, 10), device=device)) for _ in range(3)]
    _measure([lambda: m.HitRate(top_k=[1, 5], **on), lambda: m.NDCG(top_k=[1, 5], **on)], ranked)
    _measure([lambda: m.Average(**on), lambda: m.GeometricAverage(**on), lambda: m.Frequency(**on)], [torch.rand(1, device=device).sum() for _ in range(4)])


def ignite_picture_metrics():
    from ignite import metrics as m
    on = dict(device=device)
    outputs = [(torch.rand(4, 3, 32, 32, device=device), torch.rand(4, 3, 32, 32, device=device)) for _ in range(3)]
    _measure([lambda: m.SSIM(data_range=1.0, **on), lambda: m.PSNR(data_range=1.0, **on)], outputs)
    extractor = nn.Sequential(nn.AdaptiveAvgPool2d(2), nn.Flatten()).to(device)
    _measure([lambda: m.FID(num_features=12, feature_extractor=extractor, **on)], outputs)
    _measure([lambda: m.InceptionScore(num_features=12, feature_extractor=nn.Sequential(extractor, nn.Softmax(1)), **on)], [a for a, b in outputs])

    def boxes(n):
        corner = torch.rand(n, 2, device=device) * 50
        return torch.cat([corner, corner + 10 + torch.rand(n, 2, device=device) * 40], 1)
    found = [([{"bbox": boxes(6), "scores": torch.rand(6, device=device), "labels": torch.randint(0, 3, (6,), device=device)} for _ in range(2)], [{"bbox": boxes(4), "labels": torch.randint(0, 3, (4,), device=device)} for _ in range(2)]) for _ in range(2)]
    _measure([lambda: m.ObjectDetectionAvgPrecisionRecall(num_classes=3, **on), lambda: m.CommonObjectDetectionMetrics(num_classes=3, **on)], found)


def ignite_text_metrics():
    from ignite import metrics as m
    words = [([["the", "cat", "sat", "on", "mats"]], [[["the", "cat", "is", "on", "the", "mat"], ["a", "cat", "sat"]]]) for _ in range(3)]
    _measure([lambda: m.Bleu(ngram=4, smooth="smooth1", device=device), lambda: m.Rouge(variants=["L", 2], multiref="best", device=device)], words)
    _measure([lambda: m.Perplexity(device=device)], [(torch.randn(4, 10, 6, device=device), torch.randint(0, 10, (4, 6), device=device)) for _ in range(3)])


X, y = np.random.randn(160, 12).astype(np.float32), np.random.randint(0, 4, 160).astype(np.int64)


def _classifier(**options):
    from skorch import NeuralNetClassifier
    options.setdefault("max_epochs", 3)
    return NeuralNetClassifier(_dense, criterion=nn.CrossEntropyLoss, lr=0.1, batch_size=32, device=str(device), **options)


def skorch_classifier():
    net = _classifier()
    net.fit(X, y)
    net.partial_fit(X, y)
    for _ in range(2):
        net.predict_proba(X)
        print(net.score(X, y))
        net.forward(X)
    for _ in net.forward_iter(X):
        pass


def skorch_callbacks():
    from skorch import callbacks as c
    callbacks = [c.EpochScoring("accuracy", on_train=True, name="train_acc"), c.BatchScoring("accuracy", name="batch_acc", lower_is_better=False), c.EarlyStopping(patience=5, load_best=True), c.Checkpoint(monitor="valid_loss_best", dirname="skorch", f_pickle="net.pkl", load_best=True),
                 c.LRScheduler(policy="StepLR", step_size=1), c.GradientNormClipping(1.0), c.ProgressBar(), c.TrainEndCheckpoint(dirname="end")]
    net = _classifier(callbacks=callbacks, optimizer=torch.optim.SGD, optimizer__momentum=0.9, iterator_train__shuffle=True)
    net.fit(X, y)
    net.save_params(f_params="p.pt", f_optimizer="o.pt", f_criterion="c.pt", f_history="h.json")
    net.load_params(f_params="p.pt", f_optimizer="o.pt", f_criterion="c.pt", f_history="h.json")


def skorch_schedules():
    from skorch import callbacks as c
    for policy, options in (("CosineAnnealingLR", {"T_max": 3}), ("ReduceLROnPlateau", {"patience": 1}), ("CyclicLR", {"base_lr": 0.01, "max_lr": 0.1, "step_every": "batch"}), (c.lr_scheduler.WarmRestartLR, {}), ("ExponentialLR", {"gamma": 0.9, "event_name": "lr"})):
        try:
            _classifier(callbacks=[c.LRScheduler(policy=policy, **options)]).fit(X, y)
        except Exception as error:
            print(policy, type(error).__name__, error)


def skorch_freeze():
    from skorch import callbacks as c
    net = _classifier(callbacks=[c.Freezer("0.*"), c.Unfreezer("0.*", at=2), c.Initializer("2.weight", fn=nn.init.orthogonal_), c.EpochTimer()], warm_start=True, train_split=None)
    net.fit(X, y)
    net.fit(X, y)


def skorch_regression():
    from skorch import NeuralNetBinaryClassifier, NeuralNetRegressor
    from skorch.callbacks import EpochScoring
    value = np.random.randn(160, 1).astype(np.float32)
    net = NeuralNetRegressor(_dense, module__outputs=1, max_epochs=3, lr=0.01, device=str(device), callbacks=[EpochScoring("r2", lower_is_better=False), EpochScoring("neg_mean_squared_error", lower_is_better=False, use_caching=False)])
    net.fit(X, value)
    print(net.score(X, value))

    class Flat(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = _dense(12, 1)

        def forward(self, X):
            return self.net(X).squeeze(-1)
    binary = NeuralNetBinaryClassifier(Flat, max_epochs=3, lr=0.01, device=str(device), callbacks=[EpochScoring("roc_auc", lower_is_better=False)])
    binary.fit(X, (value[:, 0] > 0).astype(np.float32))
    binary.predict(X)
    binary.predict_proba(X)


def skorch_search():
    from sklearn.model_selection import GridSearchCV, cross_val_predict
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import StandardScaler
    net = _classifier(verbose=0, train_split=False, max_epochs=2)
    GridSearchCV(net, {"lr": [0.01, 0.1]}, cv=2, scoring="accuracy", refit=False).fit(X, y)
    cross_val_predict(net, X, y, cv=2)
    Pipeline([("scale", StandardScaler()), ("net", net)]).fit(X, y).predict(X)


def skorch_closure():
    net = _classifier(optimizer=torch.optim.LBFGS, max_epochs=2)
    net.fit(X, y)


def skorch_gp():
    import gpytorch
    from skorch.probabilistic import ExactGPRegressor, GPBinaryClassifier, GPRegressor

    class Exact(gpytorch.models.ExactGP):
        def __init__(self, likelihood):
            super().__init__(train_inputs=None, train_targets=None, likelihood=likelihood)
            self.mean_module, self.covar_module = gpytorch.means.ConstantMean(), gpytorch.kernels.RBFKernel()

        def forward(self, x):
            return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))

    class Variational(gpytorch.models.ApproximateGP):
        def __init__(self, inducing_points):
            strategy = gpytorch.variational.VariationalStrategy(self, inducing_points, gpytorch.variational.CholeskyVariationalDistribution(inducing_points.size(0)))
            super().__init__(strategy)
            self.mean_module, self.covar_module = gpytorch.means.ConstantMean(), gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel())

        def forward(self, x):
            return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))
    x, value, points = torch.randn(60, 2), torch.randn(60), torch.randn(10, 2)
    for make in (lambda: ExactGPRegressor(Exact, optimizer=torch.optim.Adam, lr=0.1, max_epochs=4, device=str(device), batch_size=-1),
                 lambda: GPRegressor(Variational, module__inducing_points=points, criterion=gpytorch.mlls.VariationalELBO, criterion__num_data=60, optimizer=torch.optim.Adam, max_epochs=3, batch_size=20, device=str(device), train_split=None)):
        try:
            gp = make()
            gp.fit(x, value)
            gp.predict(x, return_std=True)
            gp.sample(x, n_samples=4)
            gp.confidence_region(x)
        except Exception as error:
            print(type(error).__name__, error)
    binary = GPBinaryClassifier(Variational, module__inducing_points=points, criterion=gpytorch.mlls.VariationalELBO, criterion__num_data=60, optimizer=torch.optim.Adam, max_epochs=3, batch_size=20, device=str(device), train_split=None)
    binary.fit(x, (value > 0).long())
    binary.predict_proba(x)


def skorch_accelerated():
    from accelerate import Accelerator
    from skorch import NeuralNetClassifier
    from skorch.hf import AccelerateMixin

    class Accelerated(AccelerateMixin, NeuralNetClassifier):
        pass
    net = Accelerated(_dense, accelerator=Accelerator(), criterion=nn.CrossEntropyLoss, max_epochs=3, batch_size=32, device=None)
    net.fit(X, y)
    net.predict(X)
