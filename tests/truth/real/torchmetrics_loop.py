"""torchmetrics: what an evaluation loop computes, metrics of each domain updated and computed every step."""
import torch
import torchmetrics as tm
from torchmetrics import classification as C
from torchmetrics import functional as F

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def classes():
    metrics = tm.MetricCollection([
        C.MulticlassAccuracy(5), C.MulticlassF1Score(5), C.MulticlassPrecision(5, average="macro"), C.MulticlassConfusionMatrix(5),
        C.MulticlassAUROC(5), C.MulticlassAveragePrecision(5), C.MulticlassCalibrationError(5), C.MulticlassCohenKappa(5),
        C.MulticlassJaccardIndex(5), C.MulticlassMatthewsCorrCoef(5), C.MulticlassHingeLoss(5), C.MulticlassSpecificity(5),
    ]).to(device)
    model = torch.nn.Linear(16, 5).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for _ in range(3):
            x, y = torch.randn(32, 16, device=device), torch.randint(0, 5, (32,), device=device)
            logits = model(x)
            loss = torch.nn.functional.cross_entropy(logits, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            metrics.update(logits.softmax(-1), y)
        values = metrics.compute()
        print(epoch, {name: value.item() for name, value in values.items() if value.numel() == 1})
        metrics.reset()


def binned():
    metrics = [C.MulticlassPrecisionRecallCurve(5, thresholds=20), C.MulticlassROC(5), C.BinaryAUROC(), C.BinaryPrecisionRecallCurve(thresholds=None),
               C.BinaryRecallAtFixedPrecision(0.3), C.MultilabelAUROC(5), C.MultilabelRankingAveragePrecision(5), C.MultilabelCoverageError(5), C.BinaryGroupStatRates(2),
               C.BinaryFairness(2), C.BinaryCalibrationError(), C.MultilabelF1Score(5), C.MultilabelExactMatch(5), C.BinaryStatScores(),
               C.MultilabelRankingLoss(5), C.BinaryEER(), C.BinaryLogAUC()]
    for metric in metrics:
        try:
            metric = metric.to(device)
            for _ in range(3):
                name = type(metric).__name__
                if name.startswith("Multiclass"):
                    metric.update(torch.rand(16, 5, device=device).softmax(-1), torch.randint(0, 5, (16,), device=device))
                elif name.startswith("Multilabel"):
                    metric.update(torch.rand(16, 5, device=device), torch.randint(0, 2, (16, 5), device=device))
                elif "Group" in name or "Fair" in name:
                    metric.update(torch.rand(16, device=device), torch.randint(0, 2, (16,), device=device), torch.randint(0, 2, (16,), device=device))
                else:
                    metric.update(torch.rand(16, device=device), torch.randint(0, 2, (16,), device=device))
                metric.compute()
        except Exception as error:
            print(type(metric).__name__, error)


def regression():
    metrics = tm.MetricCollection([
        tm.MeanSquaredError(), tm.MeanAbsoluteError(), tm.MeanAbsolutePercentageError(), tm.R2Score(), tm.ExplainedVariance(), tm.PearsonCorrCoef(),
        tm.SpearmanCorrCoef(), tm.KendallRankCorrCoef(), tm.ConcordanceCorrCoef(), tm.CosineSimilarity(), tm.LogCoshError(), tm.MinkowskiDistance(3),
        tm.TweedieDevianceScore(0), tm.RelativeSquaredError(), tm.CriticalSuccessIndex(0.5), tm.NormalizedRootMeanSquaredError(), tm.WeightedMeanAbsolutePercentageError(),
    ], compute_groups=False).to(device)
    for _ in range(4):
        target = torch.rand(64, device=device)
        for metric in metrics.values():
            try:
                metric(target + 0.1 * torch.rand(64, device=device) if not isinstance(metric, tm.CosineSimilarity) else target.view(4, 16), target if not isinstance(metric, tm.CosineSimilarity) else target.view(4, 16))
            except Exception as error:
                print(type(metric).__name__, error)


def images():
    from torchmetrics import image as I
    metrics = [I.PeakSignalNoiseRatio(data_range=1.0), I.StructuralSimilarityIndexMeasure(data_range=1.0), I.StructuralSimilarityIndexMeasure(),
               I.UniversalImageQualityIndex(), I.ErrorRelativeGlobalDimensionlessSynthesis(), I.SpectralAngleMapper(), I.TotalVariation(), I.RelativeAverageSpectralError(),
               I.RootMeanSquaredErrorUsingSlidingWindow(), I.SpectralDistortionIndex(), I.VisualInformationFidelity(), I.SpatialCorrelationCoefficient()]
    for metric in metrics:
        try:
            metric = metric.to(device)
            for _ in range(3):
                a = torch.rand(2, 3, 48, 48, device=device)
                if isinstance(metric, I.TotalVariation):
                    metric.update(a)
                else:
                    metric.update(a, (a + 0.05 * torch.rand_like(a)).clamp(0, 1))
                metric.compute()
        except Exception as error:
            print(type(metric).__name__, error)


def aggregation():
    mean, top, low, total, cat = tm.MeanMetric().to(device), tm.MaxMetric().to(device), tm.MinMetric().to(device), tm.SumMetric().to(device), tm.CatMetric().to(device)
    running = tm.aggregation.RunningMean(3).to(device)
    tracker = tm.MetricTracker(tm.MeanMetric().to(device), maximize=False)
    for epoch in range(4):
        tracker.increment()
        for _ in range(3):
            loss = torch.rand(8, device=device).mean()
            for metric in (mean, top, low, total, cat, running):
                metric(loss)
            tracker.update(loss)
        mean.compute(), top.compute(), low.compute(), cat.compute(), tracker.best_metric()


def detection():
    from torchmetrics.detection import CompleteIntersectionOverUnion, GeneralizedIntersectionOverUnion, IntersectionOverUnion, PanopticQuality
    for metric in (IntersectionOverUnion(), GeneralizedIntersectionOverUnion(), CompleteIntersectionOverUnion()):
        metric = metric.to(device)
        for _ in range(3):
            boxes = torch.rand(6, 4, device=device) * 20
            boxes[:, 2:] += boxes[:, :2] + 1
            preds = [{"boxes": boxes, "scores": torch.rand(6, device=device), "labels": torch.randint(0, 3, (6,), device=device)}]
            target = [{"boxes": boxes + 1, "labels": torch.randint(0, 3, (6,), device=device)}]
            metric.update(preds, target)
            metric.compute()
    panoptic = PanopticQuality(things={0, 1}, stuffs={6, 7}).to(device)
    for _ in range(3):
        preds = torch.stack([torch.randint(0, 2, (1, 8, 8), device=device), torch.randint(0, 3, (1, 8, 8), device=device)], -1)
        panoptic.update(preds, preds.clone())
        panoptic.compute()


def retrieval():
    from torchmetrics import retrieval as R
    for metric in (R.RetrievalMAP(), R.RetrievalMRR(), R.RetrievalNormalizedDCG(), R.RetrievalPrecision(top_k=2), R.RetrievalRecall(), R.RetrievalHitRate(), R.RetrievalFallOut(), R.RetrievalRPrecision(), R.RetrievalAUROC()):
        metric = metric.to(device)
        for _ in range(3):
            metric.update(torch.rand(20, device=device), torch.randint(0, 2, (20,), device=device), indexes=torch.randint(0, 4, (20,), device=device))
            metric.compute()


def audio_text():
    from torchmetrics.audio import ScaleInvariantSignalDistortionRatio, SignalDistortionRatio, SignalNoiseRatio, PermutationInvariantTraining
    from torchmetrics.functional.audio import scale_invariant_signal_noise_ratio
    from torchmetrics.text import BLEUScore, CharErrorRate, EditDistance, Perplexity, WordErrorRate
    for metric in (ScaleInvariantSignalDistortionRatio(), SignalNoiseRatio(), SignalDistortionRatio(), PermutationInvariantTraining(scale_invariant_signal_noise_ratio)):
        metric = metric.to(device)
        for _ in range(3):
            shape = (2, 2, 2000) if isinstance(metric, PermutationInvariantTraining) else (2, 2000)
            target = torch.randn(shape, device=device)
            metric.update(target + torch.randn_like(target) * 0.1, target)
            metric.compute()
    perplexity = Perplexity(ignore_index=-100).to(device)
    texts = [WordErrorRate().to(device), CharErrorRate().to(device), EditDistance().to(device)]
    bleu = BLEUScore().to(device)
    for _ in range(3):
        perplexity.update(torch.randn(2, 8, 20, device=device), torch.randint(0, 20, (2, 8), device=device))
        perplexity.compute()
        for metric in texts:
            metric.update(["a small cat sat"], ["a cat sat down"])
            metric.compute()
        bleu.update(["the cat is on the mat"], [["there is a cat on the mat"]])
        bleu.compute()


def clustering_nominal():
    from torchmetrics import clustering as K
    from torchmetrics import nominal as N
    for metric in (K.MutualInfoScore(), K.AdjustedRandScore(), K.NormalizedMutualInfoScore(), K.VMeasureScore(), K.FowlkesMallowsIndex(), K.CompletenessScore(),
                   K.CalinskiHarabaszScore(), K.DaviesBouldinScore(), K.DunnIndex(), N.CramersV(4), N.TheilsU(4), N.TschuprowsT(4), N.FleissKappa(mode="counts")):
        try:
            metric = metric.to(device)
            for _ in range(3):
                labels = torch.randint(0, 4, (40,), device=device)
                if type(metric).__name__ in ("CalinskiHarabaszScore", "DaviesBouldinScore", "DunnIndex"):
                    metric.update(torch.randn(40, 3, device=device), labels)
                elif type(metric).__name__ == "FleissKappa":
                    metric.update(torch.randint(0, 10, (40, 5), device=device))
                else:
                    metric.update(labels, torch.randint(0, 4, (40,), device=device))
                metric.compute()
        except Exception as error:
            print(type(metric).__name__, error)


def wrappers():
    boot = tm.wrappers.BootStrapper(tm.MeanSquaredError(), num_bootstraps=4).to(device)
    many = tm.wrappers.MultioutputWrapper(tm.R2Score(), 2).to(device)
    least = tm.wrappers.MinMaxMetric(C.MulticlassAccuracy(5)).to(device)
    each = tm.wrappers.ClasswiseWrapper(C.MulticlassAccuracy(5, average=None)).to(device)
    for _ in range(3):
        a, b = torch.rand(20, device=device), torch.rand(20, device=device)
        boot.update(a, b)
        boot.compute()
        many.update(torch.rand(20, 2, device=device), torch.rand(20, 2, device=device))
        many.compute()
        logits, labels = torch.rand(20, 5, device=device), torch.randint(0, 5, (20,), device=device)
        least(logits, labels)
        each(logits, labels)


def functional():
    for _ in range(3):
        a, b = torch.randn(16, 8, device=device), torch.randn(16, 8, device=device)
        F.pairwise_cosine_similarity(a, b), F.pairwise_euclidean_distance(a, b), F.pairwise_manhattan_distance(a)
        F.image_gradients(torch.rand(1, 3, 8, 8, device=device))
        F.accuracy(a, torch.randint(0, 8, (16,), device=device), task="multiclass", num_classes=8)


if __name__ == "__main__":
    for work in (classes, binned, regression, images, aggregation, detection, retrieval, audio_text, clustering_nominal, wrappers, functional):
        work()
