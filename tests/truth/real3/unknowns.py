"""pytorch_ood: losses, detectors and metrics of out-of-distribution detection."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
CLASSES = 4


def _loader(n=96, outside=0, batch=24, size=32, shuffle=True):
    torch.manual_seed(1)
    y = torch.arange(n) % CLASSES
    x = torch.rand(n, 3, size, size) * 0.3
    for c in range(CLASSES):
        x[y == c, :, c * 4:c * 4 + 6] += 0.6
    if outside:
        x, y = torch.cat([x, torch.randn(outside, 3, size, size)]), torch.cat([y, torch.full((outside,), -1)])
    return DataLoader(TensorDataset(x, y), batch_size=batch, shuffle=shuffle, drop_last=True)


def _net(classes=CLASSES, trained=True):
    from pytorch_ood.model import WideResNet
    torch.manual_seed(0)
    model = WideResNet(num_classes=classes, depth=10, widen_factor=1, drop_rate=0.3).to(device)
    if trained:
        optimizer = torch.optim.Adam(model.parameters(), 1e-2)
        for _ in range(4):
            for x, y in _loader():
                optimizer.zero_grad()
                nn.functional.cross_entropy(model(x.to(device)), y.to(device)).backward()
                optimizer.step()
    return model.eval()


def _detect(makes, rounds=2):
    """As the examples do: fit, then score a test set with known and unknown pictures."""
    from pytorch_ood.metrics import OODMetrics
    model = _net()
    for make in makes:
        try:
            detector = make(model)
            detector.to(device)
            for _ in range(rounds):
                detector.fit(_loader())
                metrics = OODMetrics()
                for x, y in _loader(48, 48):
                    metrics.update(detector(x.to(device)), y.to(device))
            print(type(detector).__name__, metrics.compute())
        except Exception as error:
            print(make, type(error).__name__, error)


def logits():
    from pytorch_ood import detector as d
    _detect([d.MaxSoftmax, d.MaxLogit, d.EnergyBased, d.Entropy, d.GEN, d.TemperatureScaling, d.KLMatching, lambda m: d.WeightedEBO(m, torch.ones(CLASSES, device=device)), lambda m: d.OpenMax(m, tailsize=10, alpha=3)])


def features():
    from pytorch_ood import detector as d
    _detect([lambda m: d.Mahalanobis(m.features), lambda m: d.RMD(m.features), lambda m: d.KNN(m.features, k=10), lambda m: d.GMM(m.features, reg=1e-2), lambda m: d.ViM(m.features, 16, m.fc.weight, m.fc.bias)])


def features_and_heads():
    from pytorch_ood import detector as d
    _detect([lambda m: d.fDBD(m.features, m.fc), lambda m: d.NCI(m.features, m.fc, alpha=0.01), lambda m: d.NNGuide(m.features, m.fc, k=5), lambda m: d.SHE(m.features, m.fc), lambda m: d.PNML(m.features, m.fc), lambda m: d.LTS(m.features, m.fc),
             lambda m: d.DICE(m.features, m.fc.weight, m.fc.bias, 0.7), lambda m: d.MCM(m.features, torch.randn(CLASSES, 64, device=device))])


def feature_maps():
    from pytorch_ood import detector as d
    _detect([lambda m: d.ASH(m.feature_maps, m.forward_feature_maps, variant="ash-s"), lambda m: d.ASH(m.feature_maps, m.forward_feature_maps, variant="ash-b"), lambda m: d.ASH(m.feature_maps, m.forward_feature_maps, variant="ash-p"), lambda m: d.ReAct(m.feature_maps, m.forward_feature_maps),
             lambda m: d.SCALE(m.feature_maps, m.forward_feature_maps), lambda m: d.VRA(m.feature_maps, m.forward_feature_maps), lambda m: d.RankFeat(m.feature_maps, m.forward_feature_maps)])


def gradients():
    from pytorch_ood import detector as d
    _detect([lambda m: d.ODIN(m, eps=0.002, norm_std=[0.25, 0.25, 0.25]), lambda m: d.MahalanobisODIN(m.features), lambda m: d.NACUE(m, layers=[m.block2, m.block3])])


def gradients_by_sample():
    from pytorch_ood import detector as d
    _detect([lambda m: d.GradNorm(m, param_filter=lambda name: name.startswith("fc")), lambda m: d.GradUncertainty(m, param_filter=lambda name: name.startswith("fc"))], rounds=1)


def layers():
    from pytorch_ood import detector as d
    _detect([lambda m: d.MultiMahalanobis([m.conv1, m.block1, m.block2, m.block3]),
             lambda m: d.Gram(nn.Sequential(m.bn1, m.relu, nn.AvgPool2d(8), nn.Flatten(), m.fc), [m.conv1, m.block1, m.block2, m.block3], CLASSES, [1, 2])])


def dropout_samples():
    from pytorch_ood import detector as d
    _detect([lambda m: d.MCD(m, samples=6, mode="var"), lambda m: d.MCD(m, samples=6, mode="mean")])


def grid_search():
    from pytorch_ood.detector import ASH, ODIN, ReAct
    from pytorch_ood.utils import GridSearch
    model = _net()
    for detector, space, fit in ((ASH(model.feature_maps, model.forward_feature_maps), {"percentile": [0.65, 0.8, 0.9]}, None), (ReAct(model.feature_maps, model.forward_feature_maps), {"percentile": [0.8, 0.9]}, _loader()), (ODIN(model), {"eps": [0.001, 0.01]}, None)):
        try:
            search = GridSearch(detector.to(device), fit, _loader(48, 48), hyperparameter_space=space, device=str(device))
            print(search.run(), search.best_score_)
        except Exception as error:
            print(type(detector).__name__, type(error).__name__, error)


def by_tensors():
    """Detectors on logits and features that were taken before."""
    from pytorch_ood import detector as d
    from pytorch_ood.utils import extract_features
    model = _net()
    z, y = extract_features(_loader(), model.features, device)
    z, y = z.to(device), y.to(device)
    for make in (lambda: d.Mahalanobis(None), lambda: d.RMD(None), lambda: d.GMM(None, reg=1e-2)):
        try:
            detector = make().to(device)
            for _ in range(2):
                detector.fit_features(z, y)
                for _ in range(3):
                    scores = detector.predict_features(torch.randn(24, z.shape[1], device=device))
            print(type(detector).__name__, scores.mean().item())
        except Exception as error:
            print(make, type(error).__name__, error)


def measures():
    from pytorch_ood import metrics as m
    for make in (m.AUROC, m.AUPR, lambda: m.AUPR(positive="id"), m.FPRAtTPR, m.AUTC, m.OODMetrics, lambda: m.OODMetrics(device=device)):
        metric = make()
        for _ in range(2):
            metric.reset()
            for _ in range(4):
                labels = torch.randint(-1, 3, (32,), device=device)
                metric.update(torch.rand(32, device=device) + (labels < 0) * 0.3, labels)
            print(metric.compute())


def segmentation_measures():
    from pytorch_ood import metrics as m
    for make in (m.OODSegmentationMetrics, m.OODPerImageSegmentationMetrics, lambda: m.OODSegmentationMetrics(void_label=7)):
        try:
            metric = make()
            for _ in range(2):
                metric.reset()
                for _ in range(3):
                    labels = torch.randint(-1, 3, (4, 16, 16), device=device)
                    metric.update(torch.rand(4, 16, 16, device=device) + (labels < 0) * 0.3, labels)
                print(metric.compute())
        except Exception as error:
            print(make, type(error).__name__, error)


def measure_functions():
    from pytorch_ood.metrics import functional as f
    for _ in range(3):
        labels = torch.randint(-1, 4, (64,), device=device)
        scores, guesses = torch.rand(64, device=device), torch.randint(0, 4, (64,), device=device)
        for work in (lambda: f.auroc(scores, labels), lambda: f.aupr(scores, labels), lambda: f.aupr(scores, labels, "id"), lambda: f.fpr_at_tpr(scores, labels), lambda: f.autc(scores, labels), lambda: f.accuracy(guesses, labels),
                     lambda: f.oscr_score(scores, guesses, labels), lambda: f.calibration_error(scores, guesses == labels), lambda: f.aurra(scores, guesses == labels)):
            try:
                print(float(work()))
            except Exception as error:
                print(type(error).__name__, error)


def _train(criterion, classes=CLASSES, call=None, epochs=2, outside=48, model=None, more=()):
    model = model or _net(classes, trained=False)
    model.train()
    criterion = criterion.to(device)
    optimizer = torch.optim.SGD([*model.parameters(), *criterion.parameters(), *more], lr=0.01, momentum=0.9)
    call = call or (lambda x, y: criterion(model(x), y))
    for epoch in range(epochs):
        total = 0.0
        for x, y in _loader(48, outside):
            loss = call(x.to(device), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(type(criterion).__name__, epoch, total)
    return model.eval()


def train_outliers():
    from pytorch_ood import loss as l
    for criterion, classes in ((l.OutlierExposureLoss(alpha=0.5), CLASSES), (l.EnergyRegularizedLoss(), CLASSES), (l.EntropicOpenSetLoss(), CLASSES), (l.CrossEntropyLoss(), CLASSES), (l.BackgroundClassLoss(CLASSES), CLASSES + 1)):
        _train(criterion, classes)


def train_norms():
    from pytorch_ood import loss as l
    _train(l.LogitNorm(t=0.04), outside=0)
    criterion, model = l.ObjectosphereLoss(), _net(trained=False)

    def both(x, y):
        z = model.features(x)
        return criterion(model.fc(z), z, y)
    _train(criterion, call=both, model=model)


def train_centers():
    from pytorch_ood import loss as l
    _train(criterion := l.CACLoss(CLASSES, magnitude=5), model=_Distances(criterion, CLASSES))
    _train(criterion := l.CenterLoss(CLASSES, 8), model=_Distances(criterion, 8))
    _train(criterion := l.MCHADLoss(CLASSES, 8), model=_Distances(criterion, 8))


class _Distances(nn.Module):
    def __init__(self, criterion, width):
        super().__init__()
        self.net, self.place = _net(width, trained=False), [criterion.to(device)]

    def forward(self, x):
        return self.place[0].distance(self.net(x))


def train_one_class():
    from pytorch_ood import loss as l
    for criterion in (l.DeepSVDDLoss(8), l.DeepSVDDLoss(8, radius=0.5), l.DeepSADLoss(8)):
        _train(criterion, 8)


def train_running_centers():
    from pytorch_ood import loss as l
    criterion = l.IILoss(CLASSES, 8)
    model = _train(criterion, 8)
    for x, _ in _loader(48):
        print(criterion.distance(model(x.to(device))).min(dim=1).values.max().item())


def train_confidence():
    from pytorch_ood import loss as l
    model, sure, criterion = _net(trained=False), nn.Linear(64, 1).to(device), l.ConfidenceLoss()

    def both(x, y):
        z = model.features(x)
        return criterion(model.fc(z), sure(z).sigmoid(), y)
    _train(criterion, call=both, model=model, outside=0, more=tuple(sure.parameters()))


def train_virtual_outliers():
    from pytorch_ood import loss as l
    weights = nn.Linear(CLASSES, 1)
    nn.init.uniform_(weights.weight)
    _train(l.VOSRegLoss(nn.Linear(1, 2), weights))
    model = _net(trained=False)
    criterion = l.VirtualOutlierSynthesizingRegLoss(nn.Linear(1, 2), weights, fc=nn.Linear(64, CLASSES), sample_number=6, sample_from=50)

    def both(x, y):
        z = model.features(x)
        return criterion(criterion.fc(z), z, y)
    _train(criterion, call=both, model=model, outside=0, epochs=3)


def train_margins():
    from pytorch_ood import loss as l
    model, phi = _net(), nn.Linear(1, 1).to(device)
    criterion = l.EnergyMarginLoss(full_train_loss=1.0)
    for _ in range(2):
        _train(criterion, call=lambda x, y: criterion(model(x), y, phi), model=model, epochs=1, more=tuple(phi.parameters()))
        criterion.update_hyperparameters(model, _loader(48), phi)
