"""poutyne and torchbearer: models trained, tested and asked by the two libraries' own loops."""
import torch
import torchmetrics
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import poutyne
import torchbearer
from torchbearer import Trial

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
images, labels = torch.randn(96, 3, 16, 16), torch.randint(0, 5, (96,))
rows, targets = torch.randn(128, 12), torch.randint(0, 4, (128,))


def _dense(inputs=12, outputs=4):
    return nn.Sequential(nn.Linear(inputs, 32), nn.ReLU(), nn.Linear(32, outputs))


def _conv():
    return nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(128, 5))


def poutyne_fit():
    model = poutyne.Model(_dense(), "adam", "cross_entropy", batch_metrics=["accuracy"], epoch_metrics=["f1"], device=device)
    model.fit(rows.numpy(), targets.numpy(), validation_data=(rows[:32].numpy(), targets[:32].numpy()), epochs=3, batch_size=16)
    print(model.evaluate(rows.numpy(), targets.numpy(), batch_size=16))
    for _ in range(2):
        model.predict(rows.numpy(), batch_size=32)
        model.predict_on_batch(rows[:8].numpy())


def poutyne_generators():
    loader = DataLoader(TensorDataset(rows, targets), batch_size=16, shuffle=True)
    network = _dense()
    model = poutyne.Model(network, torch.optim.SGD(network.parameters(), lr=0.01), nn.CrossEntropyLoss(), batch_metrics=[poutyne.Accuracy(), poutyne.TopKAccuracy(2)],
                          epoch_metrics=[poutyne.F1(average="micro"), poutyne.Precision(), poutyne.Recall(average="macro"), torchmetrics.AUROC(num_classes=4, task="multiclass")], device=device)
    model.fit_generator(loader, loader, epochs=2, batches_per_step=2, progress_options={"coloring": False})
    loss, metrics, predicted, truth = model.evaluate_generator(loader, return_pred=True, return_ground_truth=True)
    print(loss, metrics, predicted.shape, truth.shape)
    model.predict_generator(loader, has_ground_truth=True, return_ground_truth=True)
    for x, y in loader:
        model.train_on_batch(x, y, return_pred=True)
        model.evaluate_on_batch(x, y)


def poutyne_callbacks():
    network = _dense()
    optimizer = torch.optim.SGD(network.parameters(), lr=0.05, momentum=0.9)
    model = poutyne.Model(network, optimizer, "cross_entropy", batch_metrics=["acc"], epoch_metrics=["fscore_macro"], device=device)
    callbacks = [poutyne.ModelCheckpoint("best_{epoch}.ckpt", save_best_only=True, monitor="val_loss"), poutyne.OptimizerCheckpoint("optim_{epoch}.ckpt"), poutyne.BestModelRestore(),
                 poutyne.EarlyStopping(monitor="val_acc", mode="max", patience=2), poutyne.ClipNorm(network.parameters(), 1.0), poutyne.ClipValue(network.parameters(), 0.5),
                 poutyne.TerminateOnNaN(), poutyne.CSVLogger("log.csv", batch_granularity=True), poutyne.ExponentialLR(gamma=0.9), poutyne.LambdaCallback(on_epoch_end=lambda epoch, logs: print(epoch, logs))]
    model.fit_dataset(TensorDataset(rows, targets), TensorDataset(rows[:40], targets[:40]), epochs=3, batch_size=16, callbacks=callbacks)
    print(model.evaluate_dataset(TensorDataset(rows, targets), batch_size=32, return_dict_format=True))


def poutyne_plateau():
    network = _conv()
    model = poutyne.Model(network, "adam", "cross_entropy", batch_metrics=["accuracy"], device=device)
    model.fit_dataset(TensorDataset(images, labels), TensorDataset(images[:32], labels[:32]), epochs=3, batch_size=16, callbacks=[poutyne.ReduceLROnPlateau(monitor="val_loss", patience=1)], verbose=False)
    weights = model.get_weight_copies()
    model.set_weights(weights)
    model.save_weights("net.pt")
    model.load_weights("net.pt")
    model.save_optimizer_state("optim.pt")
    model.load_optimizer_state("optim.pt")


def poutyne_gradients():
    from torch.utils.tensorboard import SummaryWriter
    network, writer = _dense(), SummaryWriter("tb")
    model = poutyne.Model(network, "sgd", "cross_entropy", batch_metrics=["accuracy"], device=device)
    model.fit_dataset(TensorDataset(rows, targets), epochs=3, batch_size=32, callbacks=[poutyne.TensorBoardGradientTracker(writer), poutyne.TensorBoardLogger(writer)])


def poutyne_policies():
    network = _dense()
    model = poutyne.Model(network, torch.optim.SGD(network.parameters(), lr=0.05, momentum=0.9), "cross_entropy", batch_metrics=["accuracy"], device=device)
    model.fit_dataset(TensorDataset(rows, targets), epochs=2, batch_size=16, callbacks=[poutyne.OptimizerPolicy(poutyne.one_cycle_phases(8, lr=(0.01, 0.1)))])


def poutyne_bundle():
    bundle = poutyne.ModelBundle.from_network("bundle", _dense(), device=device, optimizer="adam", task="classif")
    data = TensorDataset(rows, targets)
    bundle.train_dataset(data, TensorDataset(rows[:48], targets[:48]), epochs=2, batch_size=16)
    bundle.train_dataset(data, TensorDataset(rows[:48], targets[:48]), epochs=3, batch_size=16)
    print(bundle.test_dataset(data, batch_size=32))
    bundle.infer_data(rows.numpy(), batch_size=32)


def poutyne_regression():
    values = torch.randn(128, 1)
    bundle = poutyne.ModelBundle.from_network("regression", _dense(12, 1), device=device, optimizer="sgd", task="reg", logging=False, monitoring=False)
    bundle.train_data(rows.numpy(), values.numpy(), validation_data=(rows.numpy(), values.numpy()), epochs=2, batch_size=32)
    binary = poutyne.Model(_dense(12, 1), "adam", "bce_with_logits", batch_metrics=["binary_accuracy"], epoch_metrics=["binary_f1"], device=device)
    binary.fit(rows.numpy(), (values > 0).float().numpy(), epochs=3, batch_size=32)


def _trial(model=None, criterion=None, **options):
    model = model or _dense()
    options.setdefault("metrics", ["acc", "loss"])
    return Trial(model, torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9), criterion or nn.CrossEntropyLoss(), **options).to(device)


def bearer_plain():
    trial = _trial(metrics=["acc", "loss", "lr", "epoch"])
    trial.with_train_data(rows, targets, batch_size=16).with_val_data(rows[:48], targets[:48], batch_size=16).with_test_data(rows[:40], batch_size=8)
    trial.run(epochs=3)
    print(trial.evaluate(data_key=torchbearer.VALIDATION_DATA))
    trial.predict(data_key=torchbearer.TEST_DATA)
    trial.replay()
    state = trial.state_dict()
    trial.load_state_dict(state)


def bearer_metrics():
    from torchbearer.metrics import BatchLambda, EpochLambda, TopKCategoricalAccuracy, lambda_metric, mean, running_mean, std, to_dict

    @running_mean
    @std
    @mean
    @lambda_metric("margin")
    def margin(y_pred, y_true):
        return (y_pred.max(1).values - y_pred.mean(1))
    epoch = EpochLambda("whole", lambda y_pred, y_true: (y_pred.argmax(1) == y_true).float().mean().item(), step_size=2)
    for metric in (["acc", "loss", "top_5_acc"], [margin], [to_dict(TopKCategoricalAccuracy)(k=2)], [epoch], [mean(BatchLambda("share", lambda y_pred, y_true: (y_pred > 0).float()))]):
        try:
            trial = _trial(_dense(12, 8), metrics=metric)
            print(trial.with_train_data(rows, targets, batch_size=16).with_val_data(rows, targets, batch_size=32).run(2, verbose=1))
        except Exception as error:
            print(metric, type(error).__name__, error)


def bearer_scores():
    trial = _trial(metrics=[torchbearer.metrics.RocAucScore(one_hot_classes=4), "acc"])
    trial.with_train_data(rows, targets, batch_size=32).run(2)
    values = torch.randn(128, 1)
    trial = _trial(_dense(12, 1), nn.MSELoss(), metrics=["mse", "loss", "acc"])
    trial.with_train_data(rows, values, batch_size=32).with_val_data(rows, values, batch_size=32).run(2)
    trial = _trial(nn.Sequential(_dense(12, 1), nn.Sigmoid()), nn.BCELoss(), metrics=["acc", "binary_acc"])
    trial.with_train_data(rows, (values > 0).float(), batch_size=32).run(2)


def bearer_callbacks():
    from torchbearer import callbacks as c
    callbacks = [c.GradientNormClipping(1.0), c.GradientClipping(0.5), c.L2WeightDecay(1e-3), c.L1WeightDecay(1e-4), c.EarlyStopping(monitor="val_acc", mode="max", patience=5), c.TerminateOnNaN(), c.CSVLogger("bearer.csv"),
                 c.StepLR(1), c.MostRecent("recent.pt"), c.Best("best.pt", monitor="val_loss"), c.Interval("interval.pt", period=2), c.AggregatePredictions()]
    _trial(callbacks=callbacks).with_train_data(rows, targets, batch_size=16).with_val_data(rows, targets, batch_size=32).run(3)


def bearer_schedules():
    from torchbearer import callbacks as c
    for make in (lambda: c.CosineAnnealingLR(10, step_on_batch=True), lambda: c.ExponentialLR(0.9), lambda: c.MultiStepLR([1, 2]), lambda: c.CyclicLR(0.01, 0.1, monitor=None, step_on_batch=True), lambda: c.LambdaLR(lambda e: 0.9 ** e), lambda: c.ReduceLROnPlateau(patience=1)):
        try:
            _trial(callbacks=[make()]).with_train_data(rows, targets, batch_size=32).with_val_data(rows, targets, batch_size=32).run(3, verbose=0)
        except Exception as error:
            print(type(error).__name__, error)


def bearer_pictures():
    from torchbearer import callbacks as c
    soft = nn.BCEWithLogitsLoss()
    for callback, criterion, metrics in ((c.Cutout(2, 4), None, ["acc", "loss"]), (c.RandomErase(1, 4), None, ["acc"]), (c.Mixup(0.9), c.Mixup.mixup_loss, ["mixup_acc", "loss"]), (c.CutMix(1.0, classes=5), soft, ["loss"]),
                                         (c.LabelSmoothingRegularisation(0.1, 5), soft, ["loss"]), (c.BCPlus(classes=5), c.BCPlus.bc_loss, ["loss"]), (c.SamplePairing(c.SamplePairing.default_policy(0, 10, 8, 2)), None, ["acc"])):
        try:
            _trial(_conv(), criterion, callbacks=[callback], metrics=metrics).with_train_data(images, labels, batch_size=16).with_val_data(images[:32], labels[:32], batch_size=16).run(3, verbose=0)
        except Exception as error:
            print(type(callback).__name__, type(error).__name__, error)


def bearer_own_steps():
    @torchbearer.callbacks.add_to_loss
    def penalty(state):
        return 1e-3 * sum(p.abs().sum() for p in state[torchbearer.MODEL].parameters())

    @torchbearer.callbacks.on_step_training
    def tell(state):
        if state[torchbearer.BATCH] % 4 == 0:
            print(state[torchbearer.LOSS].item())
    trial = _trial(callbacks=[penalty, tell]).with_train_data(rows, targets, batch_size=16).for_train_steps(20).for_inf_train_steps()
    trial.run(2)


def bearer_board():
    from torchbearer.callbacks import TensorBoard, TensorBoardImages
    callbacks = [TensorBoard(write_graph=False, write_batch_metrics=True, write_epoch_metrics=True), TensorBoardImages(name="Image", write_each_epoch=True, num_images=8, nrow=4)]
    _trial(_conv(), callbacks=callbacks).with_train_data(images, labels, batch_size=16).with_val_data(images[:32], labels[:32], batch_size=16).run(2)


def bearer_imaging():
    from torchbearer.callbacks import imaging
    seen = imaging.ClassAppearanceModel(5, (3, 16, 16), steps=10).on_train().to_file("seen.png")
    kept = imaging.MakeGrid(num_images=8).on_val().to_file("grid.png")
    for callback in (seen, kept):
        try:
            _trial(_conv(), callbacks=[callback]).with_train_data(images, labels, batch_size=16).with_val_data(images[:32], labels[:32], batch_size=16).run(2)
        except Exception as error:
            print(type(callback).__name__, type(error).__name__, error)


def bearer_start():
    from torchbearer.callbacks import init
    for callback in (init.KaimingNormal(), init.XavierUniform(), init.ZeroBias(), init.LsuvInit(images[:16].to(device))):
        try:
            _trial(_conv(), callbacks=[callback]).with_train_data(images, labels, batch_size=16).run(2, verbose=0)
        except Exception as error:
            print(type(callback).__name__, type(error).__name__, error)
