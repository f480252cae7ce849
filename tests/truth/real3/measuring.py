"""torcheval: metrics of classification, ranking, regression and pictures, in loops over batches."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
N, C = 24, 4


def _loop(metrics, batch, epochs=2, steps=3):
    """As the README does: update every batch, compute, reset every epoch."""
    for make in metrics:
        try:
            metric = make()
            for _ in range(epochs):
                for _ in range(steps):
                    metric.update(*batch())
                value = metric.compute()
                metric.reset()
            print(type(metric).__name__, value)
        except Exception as error:
            print(make, type(error).__name__, error)


def _binary():
    return torch.rand(N, device=device), torch.randint(0, 2, (N,), device=device)


def _several():
    return torch.rand(N, C, device=device), torch.randint(0, C, (N,), device=device)


def _labels():
    return torch.rand(N, C, device=device), torch.randint(0, 2, (N, C), device=device)


def binary():
    from torcheval import metrics as m
    _loop([lambda: m.BinaryAccuracy(device=device), lambda: m.BinaryF1Score(device=device), lambda: m.BinaryPrecision(device=device), lambda: m.BinaryRecall(device=device), lambda: m.BinaryConfusionMatrix(device=device, normalize="true"), lambda: m.BinaryAUROC(device=device), lambda: m.BinaryAUPRC(device=device),
           lambda: m.BinaryPrecisionRecallCurve(device=device), lambda: m.BinaryRecallAtFixedPrecision(min_precision=0.5, device=device), lambda: m.BinaryNormalizedEntropy(device=device)],
          lambda: (_binary()[0], torch.randint(0, 2, (N,), device=device)))
    _loop([lambda: m.BinaryNormalizedEntropy(device=device), lambda: m.BinaryNormalizedEntropy(device=device, from_logits=True)], lambda: (torch.rand(N, device=device).double(), torch.randint(0, 2, (N,), device=device).double()))


def binary_binned():
    from torcheval import metrics as m
    _loop([lambda: m.BinaryBinnedAUROC(threshold=20, device=device), lambda: m.BinaryBinnedAUPRC(threshold=20, device=device), lambda: m.BinaryBinnedPrecisionRecallCurve(threshold=20, device=device)], _binary)


def binary_tasks():
    from torcheval import metrics as m
    _loop([lambda: m.BinaryAUROC(num_tasks=3, device=device), lambda: m.BinaryAUPRC(num_tasks=3, device=device), lambda: m.BinaryBinnedAUROC(num_tasks=3, threshold=10, device=device)], lambda: (torch.rand(3, N, device=device), torch.randint(0, 2, (3, N), device=device)))


def classes():
    from torcheval import metrics as m
    makes = [lambda a=a: m.MulticlassAccuracy(average=a, num_classes=C, device=device) for a in ("micro", "macro", None)]
    makes += [lambda a=a: m.MulticlassF1Score(average=a, num_classes=C, device=device) for a in ("micro", "macro", "weighted", None)]
    makes += [lambda a=a: m.MulticlassPrecision(average=a, num_classes=C, device=device) for a in ("macro", "weighted")]
    makes += [lambda a=a: m.MulticlassRecall(average=a, num_classes=C, device=device) for a in ("macro", "weighted")]
    _loop(makes + [lambda: m.MulticlassAccuracy(k=2, num_classes=C, device=device), lambda: m.MulticlassConfusionMatrix(C, device=device), lambda: m.MulticlassConfusionMatrix(C, normalize="pred", device=device)], _several)


def classes_curves():
    from torcheval import metrics as m
    _loop([lambda: m.MulticlassAUROC(num_classes=C, device=device), lambda: m.MulticlassAUPRC(num_classes=C, device=device), lambda: m.MulticlassPrecisionRecallCurve(num_classes=C, device=device), lambda: m.MulticlassBinnedAUROC(num_classes=C, threshold=20, device=device),
           lambda: m.MulticlassBinnedAUPRC(num_classes=C, threshold=20, device=device), lambda: m.MulticlassBinnedAUPRC(num_classes=C, threshold=20, optimization="memory", device=device), lambda: m.MulticlassBinnedPrecisionRecallCurve(num_classes=C, threshold=20, device=device),
           lambda: m.MulticlassBinnedPrecisionRecallCurve(num_classes=C, threshold=20, optimization="memory", device=device)], _several)


def labels():
    from torcheval import metrics as m
    makes = [lambda c=c: m.MultilabelAccuracy(criteria=c, device=device) for c in ("exact_match", "hamming", "overlap", "contain", "belong")]
    makes += [lambda c=c: m.TopKMultilabelAccuracy(criteria=c, k=2, device=device) for c in ("exact_match", "hamming", "overlap", "contain", "belong")]
    _loop(makes + [lambda: m.MultilabelAUPRC(num_labels=C, device=device), lambda: m.MultilabelPrecisionRecallCurve(num_labels=C, device=device), lambda: m.MultilabelRecallAtFixedPrecision(num_labels=C, min_precision=0.5, device=device),
                   lambda: m.MultilabelBinnedAUPRC(num_labels=C, threshold=20, device=device), lambda: m.MultilabelBinnedAUPRC(num_labels=C, threshold=20, optimization="memory", device=device), lambda: m.MultilabelBinnedPrecisionRecallCurve(num_labels=C, threshold=20, device=device)], _labels)


def regression():
    from torcheval import metrics as m
    makes = [lambda o=o: m.MeanSquaredError(multioutput=o, device=device) for o in ("uniform_average", "raw_values")] + [lambda o=o: m.R2Score(multioutput=o, device=device) for o in ("uniform_average", "raw_values", "variance_weighted")]
    _loop(makes, lambda: (torch.rand(N, 3, device=device), torch.rand(N, 3, device=device)))


def ranking():
    from torcheval import metrics as m
    _loop([lambda: m.HitRate(k=2, device=device), lambda: m.ReciprocalRank(k=3, device=device), lambda: m.ReciprocalRank(device=device)], _several)
    _loop([lambda: m.ClickThroughRate(device=device)], lambda: (torch.randint(0, 2, (N,), device=device),))
    _loop([lambda: m.WeightedCalibration(device=device)], _binary)
    _loop([lambda: m.RetrievalPrecision(k=3, num_queries=4, avg="macro", device=device), lambda: m.RetrievalPrecision(k=3, num_queries=4, empty_target_action="skip", device=device)], lambda: (*_binary(), torch.randint(0, 4, (N,), device=device)))


def aggregation():
    from torcheval import metrics as m
    _loop([lambda: m.Mean(device=device), lambda: m.Sum(device=device), lambda: m.Max(device=device), lambda: m.Min(device=device), lambda: m.Cat(device=device)], lambda: (torch.rand(N, device=device),))
    _loop([lambda: m.AUC(device=device), lambda: m.AUC(reorder=False, n_tasks=2, device=device)], lambda: (torch.rand(2, N, device=device).sort(-1).values, torch.rand(2, N, device=device)))
    _loop([lambda: m.Throughput(device=device)], lambda: (64, 2.0))


def windows():
    from torcheval import metrics as m
    _loop([lambda: m.WindowedBinaryAUROC(max_num_samples=40, device=device)], _binary, steps=5)
    _loop([lambda: m.WindowedBinaryNormalizedEntropy(max_num_updates=3, device=device), lambda: m.WindowedBinaryNormalizedEntropy(max_num_updates=3, enable_lifetime=False, device=device)], lambda: (torch.rand(N, device=device).double(), torch.randint(0, 2, (N,), device=device).double()), steps=5)
    _loop([lambda: m.WindowedClickThroughRate(max_num_updates=3, device=device)], lambda: (torch.randint(0, 2, (N,), device=device),), steps=5)
    _loop([lambda: m.WindowedMeanSquaredError(max_num_updates=3, device=device)], lambda: (torch.rand(N, device=device), torch.rand(N, device=device)), steps=5)
    _loop([lambda: m.WindowedWeightedCalibration(max_num_updates=3, device=device)], _binary, steps=5)


def pictures():
    from torcheval import metrics as m
    net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.AdaptiveAvgPool2d(2), nn.Flatten())
    _loop([lambda: m.PeakSignalNoiseRatio(device=device), lambda: m.PeakSignalNoiseRatio(data_range=1.0, device=device)], lambda: (torch.rand(2, 3, 16, 16, device=device), torch.rand(2, 3, 16, 16, device=device)))
    flip = iter([True, False] * 100)
    _loop([lambda: m.FrechetInceptionDistance(model=net, feature_dim=32, device=device)], lambda: (torch.rand(8, 3, 16, 16, device=device), next(flip)), steps=4)


def words():
    from torcheval import metrics as m
    _loop([lambda: m.Perplexity(device=device), lambda: m.Perplexity(ignore_index=0, device=device)], lambda: (torch.randn(2, 6, 10, device=device), torch.randint(0, 10, (2, 6), device=device)))
    _loop([lambda: m.WordErrorRate(device=device), lambda: m.WordInformationLost(device=device), lambda: m.WordInformationPreserved(device=device)], lambda: (["hello world of metrics", "this is text"], ["hello the world of metrics", "this is the text"]))
    _loop([lambda: m.BLEUScore(n_gram=2, device=device)], lambda: (["the cat sat on the mat"], [["the cat sat on a mat", "a cat on the mat"]]))


def training():
    """A loop of training and evaluation with metrics, as in examples/simple_example.py."""
    from torcheval import metrics as m
    model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, C)).to(device)
    optimizer, accuracy, area = torch.optim.Adagrad(model.parameters(), 1e-2), m.MulticlassAccuracy(device=device), m.MulticlassAUROC(num_classes=C, device=device)
    for epoch in range(3):
        for step in range(6):
            x, y = torch.randn(N, 16, device=device), torch.randint(0, C, (N,), device=device)
            out = model(x)
            loss = nn.functional.cross_entropy(out, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            accuracy.update(out, y)
            area.update(out.softmax(-1), y)
            if (step + 1) % 2 == 0:
                print(f"epoch {epoch}, step {step}: loss {loss.item():.3f}, accuracy {accuracy.compute().item():.3f}")
        print(area.compute().item())
        accuracy.reset()
        area.reset()


def merging():
    from torcheval import metrics as m
    from torcheval.metrics import toolkit
    for make, batch in ((lambda: m.MulticlassAccuracy(device=device), _several), (lambda: m.BinaryAUROC(device=device), _binary), (lambda: m.Cat(device=device), lambda: (torch.rand(N, device=device),)), (lambda: m.BinaryBinnedAUPRC(threshold=10, device=device), _binary), (lambda: m.MeanSquaredError(device=device), lambda: (torch.rand(N, device=device), torch.rand(N, device=device)))):
        try:
            for _ in range(2):
                parts = [make() for _ in range(3)]
                for part in parts:
                    part.update(*batch())
                parts[0].merge_state(parts[1:])
                parts[0].load_state_dict(parts[0].state_dict())
                print(parts[0].compute(), toolkit.sync_and_compute(parts[0]), toolkit.clone_metric(parts[0]).to("cpu").compute())
        except Exception as error:
            print(make, type(error).__name__, error)


def functions():
    from torcheval.metrics import functional as f
    for _ in range(3):
        (p, t), (s, c), (l, u) = _binary(), _several(), _labels()
        works = [lambda: f.binary_accuracy(p, t), lambda: f.binary_auroc(p, t), lambda: f.binary_auprc(p, t), lambda: f.binary_f1_score(p, t), lambda: f.binary_confusion_matrix(p, t), lambda: f.binary_precision_recall_curve(p, t), lambda: f.binary_binned_auroc(p, t, threshold=10), lambda: f.multiclass_accuracy(s, c, average="macro", num_classes=C),
                 lambda: f.multiclass_auroc(s, c, num_classes=C), lambda: f.multiclass_auprc(s, c, num_classes=C), lambda: f.multiclass_f1_score(s, c, num_classes=C, average="weighted"), lambda: f.multiclass_confusion_matrix(s, c, C, normalize="all"), lambda: f.multilabel_accuracy(l, u, criteria="hamming"), lambda: f.topk_multilabel_accuracy(l, u, k=2),
                 lambda: f.hit_rate(s, c, k=2), lambda: f.reciprocal_rank(s, c), lambda: f.num_collisions(torch.randint(0, 8, (16,), device=device)), lambda: f.frequency_at_k(p, 0.5), lambda: f.retrieval_precision(p, t, k=3), lambda: f.r2_score(p, torch.rand(N, device=device)), lambda: f.mean_squared_error(p, torch.rand(N, device=device)),
                 lambda: f.peak_signal_noise_ratio(s, l), lambda: f.auc(p.sort().values, s[:, 0]), lambda: f.mean(p, 0.5), lambda: f.sum(p), lambda: f.weighted_calibration(p, t), lambda: f.click_through_rate(t), lambda: f.perplexity(torch.randn(1, 5, 7, device=device), torch.randint(0, 7, (1, 5), device=device))]
        for work in works:
            try:
                print(work())
            except Exception as error:
                print(type(error).__name__, error)
