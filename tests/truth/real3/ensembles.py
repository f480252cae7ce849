"""torchensemble: ensembles of small networks, trained by their own fit."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

cuda = torch.cuda.is_available()


class Small(nn.Module):
    def __init__(self, out=4, into=10):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(into, 32), nn.ReLU(), nn.Linear(32, out))

    def forward(self, x):
        return self.net(x.flatten(1))


def _classes(n=96):
    return DataLoader(TensorDataset(torch.rand(n, 10), torch.randint(0, 4, (n,))), batch_size=16, shuffle=True)


def _numbers(n=96):
    return DataLoader(TensorDataset(torch.rand(n, 10), torch.rand(n, 1)), batch_size=16, shuffle=True)


def _run(kind, classes, scheduler=None, fit=None, loss=True, **options):
    model = kind(estimator=Small, estimator_args={"out": 4 if classes else 1}, n_estimators=3, cuda=cuda, **options)
    if loss:
        model.set_criterion(nn.CrossEntropyLoss() if classes else nn.MSELoss())
    model.set_optimizer("Adam", lr=1e-3, weight_decay=5e-4)
    if scheduler:
        model.set_scheduler(*scheduler[:1], **scheduler[1])
    train, test = (_classes(), _classes(48)) if classes else (_numbers(), _numbers(48))
    model.fit(train, epochs=3, log_interval=2, test_loader=test, save_dir="./", **(fit or {}))
    for _ in range(2):
        print(kind.__name__, model.evaluate(test))
        print(model.predict(torch.rand(8, 10)).shape)
    return model


def fusion():
    from torchensemble import FusionClassifier, FusionRegressor
    _run(FusionClassifier, True, ("CosineAnnealingLR", {"T_max": 3}))
    _run(FusionRegressor, False)


def voting():
    from torchensemble import VotingClassifier, VotingRegressor
    _run(VotingClassifier, True, ("StepLR", {"step_size": 1}), n_jobs=1)
    _run(VotingClassifier, True, ("ReduceLROnPlateau", {"patience": 1}), voting_strategy="hard", n_jobs=1)
    _run(VotingRegressor, False, n_jobs=1)


def voting_untested():
    from torchensemble import VotingClassifier
    model = VotingClassifier(estimator=Small(), n_estimators=3, cuda=cuda, n_jobs=1)
    model.set_optimizer("SGD", lr=1e-2)
    model.set_scheduler("ReduceLROnPlateau", patience=1)
    model.fit(_classes(), epochs=3, log_interval=1, save_model=False)
    print(model.evaluate(_classes(), return_loss=True))


def bagging():
    from torchensemble import BaggingClassifier, BaggingRegressor
    _run(BaggingClassifier, True, ("StepLR", {"step_size": 1}), n_jobs=1)
    _run(BaggingRegressor, False, n_jobs=1)


def gradient_boosting():
    from torchensemble import GradientBoostingClassifier, GradientBoostingRegressor
    _run(GradientBoostingClassifier, True, ("CosineAnnealingLR", {"T_max": 3}), loss=False, fit={"early_stopping_rounds": 3})
    _run(GradientBoostingRegressor, False, loss=False, shrinkage_rate=0.5)


def soft_gradient_boosting():
    from torchensemble import SoftGradientBoostingClassifier, SoftGradientBoostingRegressor
    _run(SoftGradientBoostingClassifier, True, ("StepLR", {"step_size": 1}), n_jobs=1)
    _run(SoftGradientBoostingRegressor, False, n_jobs=1, fit={"use_reduction_sum": False})


def snapshots():
    from torchensemble import SnapshotEnsembleClassifier, SnapshotEnsembleRegressor
    _run(SnapshotEnsembleClassifier, True)
    _run(SnapshotEnsembleClassifier, True, voting_strategy="hard", fit={"lr_clip": [1e-5, 1e-2]})
    _run(SnapshotEnsembleRegressor, False)


def adversarial():
    from torchensemble import AdversarialTrainingClassifier, AdversarialTrainingRegressor
    _run(AdversarialTrainingClassifier, True, ("StepLR", {"step_size": 1}), n_jobs=1, fit={"epsilon": 0.05})
    _run(AdversarialTrainingRegressor, False, n_jobs=1, fit={"epsilon": 0.05})


def fast_geometric():
    from torchensemble import FastGeometricClassifier, FastGeometricRegressor
    _run(FastGeometricClassifier, True, fit={"cycle": 2, "lr_1": 1e-2, "lr_2": 1e-4})
    _run(FastGeometricRegressor, False, fit={"cycle": 2, "lr_1": 1e-2, "lr_2": 1e-4})


def forests():
    from torchensemble import NeuralForestClassifier, NeuralForestRegressor
    for kind, train, loss in ((NeuralForestClassifier, _classes(), nn.CrossEntropyLoss()), (NeuralForestRegressor, _numbers(), nn.MSELoss())):
        model = kind(n_estimators=3, depth=3, lamda=1e-3, cuda=cuda, n_jobs=1)
        model.set_criterion(loss)
        model.set_optimizer("Adam", lr=1e-2)
        model.fit(train, epochs=2, log_interval=2, test_loader=train, save_dir="./")
        print(model.evaluate(train))


def logged():
    from torchensemble import FusionClassifier, VotingClassifier
    from torchensemble.utils.logging import set_logger
    set_logger("ensembles", use_tb_logger=True)
    _run(FusionClassifier, True)
    _run(VotingClassifier, True, n_jobs=1)
