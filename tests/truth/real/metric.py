"""pytorch_metric_learning and torchreid: losses, miners, trainers, testers, re-identification."""
import numpy as np
import torch
from pytorch_metric_learning import distances, losses, miners, reducers, regularizers, samplers, testers, trainers
from pytorch_metric_learning.utils.accuracy_calculator import AccuracyCalculator
from pytorch_metric_learning.utils.inference import CustomKNN

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _net():
    return torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 8)).to(device)


def _fit(loss_function, miner=None, steps=4):
    model = _net()
    loss_function = loss_function.to(device)
    optimizer = torch.optim.Adam([*model.parameters(), *loss_function.parameters()], lr=1e-3)
    for step in range(steps):
        x, labels = torch.randn(32, 16, device=device), torch.arange(32, device=device) % 4
        embeddings = model(x)
        loss = loss_function(embeddings, labels, miner(embeddings, labels)) if miner else loss_function(embeddings, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 2 == 0:
            print(type(loss_function).__name__, loss.item())


def pair_losses():
    for make in (losses.AngularLoss, losses.CircleLoss, losses.ContrastiveLoss, losses.FastAPLoss, losses.IntraPairVarianceLoss, losses.LiftedStructureLoss, losses.GeneralizedLiftedStructureLoss, losses.MultiSimilarityLoss,
                 losses.NCALoss, losses.NPairsLoss, losses.NTXentLoss, losses.SignalToNoiseRatioContrastiveLoss, losses.SupConLoss, losses.TripletMarginLoss, losses.TupletMarginLoss, losses.PNPLoss,
                 losses.DynamicSoftMarginLoss, losses.SmoothAPLoss, losses.ThresholdConsistentMarginLoss, losses.HistogramLoss):
        try:
            _fit(make())
        except Exception as error:
            print(make.__name__, type(error).__name__, error)


def class_losses():
    for make in (losses.ArcFaceLoss, losses.CosFaceLoss, losses.LargeMarginSoftmaxLoss, losses.NormalizedSoftmaxLoss, losses.ProxyNCALoss, losses.ProxyAnchorLoss, losses.SoftTripleLoss, losses.SphereFaceLoss, losses.SubCenterArcFaceLoss, losses.P2SGradLoss):
        try:
            _fit(make(num_classes=4, **({} if make is losses.P2SGradLoss else {"embedding_size": 8})) if make is not losses.P2SGradLoss else make(8, 4))
        except Exception as error:
            print(make.__name__, type(error).__name__, error)
    _fit(losses.MarginLoss(num_classes=4, learn_beta=True))
    _fit(losses.CrossBatchMemory(losses.ContrastiveLoss(), 8, memory_size=64, miner=miners.MultiSimilarityMiner()), steps=5)
    _fit(losses.MultipleLosses([losses.TripletMarginLoss(), losses.NTXentLoss()], weights=[1, 0.5]))
    inner = losses.SelfSupervisedLoss(losses.NTXentLoss())
    manifold = losses.ManifoldLoss(l=8, K=4).to(device)
    vicreg = losses.VICRegLoss()
    for _ in range(3):
        a, b = torch.randn(16, 8, device=device), torch.randn(16, 8, device=device)
        inner(a, b)
        vicreg(a, ref_emb=b)
        manifold(a)


def mined():
    for miner in (miners.AngularMiner(), miners.BatchEasyHardMiner(), miners.BatchHardMiner(), miners.DistanceWeightedMiner(), miners.HDCMiner(), miners.MultiSimilarityMiner(), miners.PairMarginMiner(), miners.TripletMarginMiner(type_of_triplets="semihard"), miners.UniformHistogramMiner()):
        try:
            _fit(losses.TripletMarginLoss(), miner)
        except Exception as error:
            print(type(miner).__name__, type(error).__name__, error)


def reduced():
    for reducer in (reducers.AvgNonZeroReducer(), reducers.ClassWeightedReducer(torch.rand(4)), reducers.DivisorReducer(), reducers.MeanReducer(), reducers.PerAnchorReducer(), reducers.SumReducer(), reducers.ThresholdReducer(low=0)):
        try:
            _fit(losses.ContrastiveLoss(reducer=reducer, distance=distances.LpDistance(power=2)))
            _fit(losses.TripletMarginLoss(reducer=reducer, distance=distances.CosineSimilarity(), embedding_regularizer=regularizers.LpRegularizer()))
        except Exception as error:
            print(type(reducer).__name__, type(error).__name__, error)
    for regularizer in (regularizers.CenterInvariantRegularizer(), regularizers.RegularFaceRegularizer(), regularizers.SparseCentersRegularizer(4, 2), regularizers.ZeroMeanRegularizer()):
        try:
            _fit(losses.NormalizedSoftmaxLoss(4, 8, **({"embedding_regularizer": regularizer} if isinstance(regularizer, regularizers.ZeroMeanRegularizer) else {"weight_regularizer": regularizer})))
        except Exception as error:
            print(type(regularizer).__name__, type(error).__name__, error)
    for distance in (distances.DotProductSimilarity(), distances.SNRDistance(), distances.BatchedDistance(distances.CosineSimilarity(), lambda mat, s, e: None, batch_size=8)):
        for _ in range(3):
            distance(torch.randn(16, 8, device=device))


def whole_trainer():
    data = torch.utils.data.TensorDataset(torch.randn(96, 16), torch.arange(96) % 4)
    for kind in (trainers.MetricLossOnly, trainers.TrainWithClassifier):
        models = {"trunk": _net()}
        functions = {"metric_loss": losses.TripletMarginLoss()}
        if kind is trainers.TrainWithClassifier:
            models["classifier"] = torch.nn.Linear(8, 4).to(device)
            functions["classifier_loss"] = torch.nn.CrossEntropyLoss()
        optimizers = {f"{name}_optimizer": torch.optim.Adam(model.parameters()) for name, model in models.items()}
        kind(models, optimizers, 16, functions, data, mining_funcs={"tuple_miner": miners.MultiSimilarityMiner()}, data_device=device, dataloader_num_workers=0,
             sampler=samplers.MPerClassSampler(torch.arange(96) % 4, m=4, length_before_new_iter=96), end_of_iteration_hook=lambda t: None).train(num_epochs=2)
    tester = testers.GlobalEmbeddingSpaceTester(data_device=device, dataloader_num_workers=0, accuracy_calculator=AccuracyCalculator(include=("precision_at_1", "mean_average_precision"), k=5, knn_func=CustomKNN(distances.LpDistance())))
    for epoch in range(2):
        tester.test({"val": data}, epoch, _net())


def accuracy():
    calculator = AccuracyCalculator(exclude=("AMI", "NMI"), k=5, knn_func=CustomKNN(distances.LpDistance()), device=device)
    for _ in range(3):
        query, labels = torch.randn(40, 8, device=device), torch.randint(0, 4, (40,), device=device)
        calculator.get_accuracy(query, labels)


def reid():
    import torchreid
    torch.manual_seed(0)
    model = torchreid.models.build_model("osnet_x0_25", num_classes=6, loss="triplet", pretrained=False).to(device)
    optimizer = torchreid.optim.build_optimizer(model, optim="adam", lr=3e-4)
    schedule = torchreid.optim.build_lr_scheduler(optimizer, lr_scheduler="cosine", max_epoch=3)
    softmax, triplet = torchreid.losses.CrossEntropyLoss(6, use_gpu=torch.cuda.is_available()), torchreid.losses.TripletLoss()
    meter = torchreid.utils.MetricMeter()
    for _ in range(3):
        images, ids = torch.randn(8, 3, 64, 32, device=device), torch.arange(8, device=device) // 2
        logits, features = model(images)
        loss = softmax(logits, ids) + triplet(features, ids)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        meter.update({"loss": loss.item(), "acc": torchreid.metrics.accuracy(logits, ids)[0].item()})
        print(meter)
        schedule.step()
    model.eval()
    for _ in range(3):
        with torch.no_grad():
            query, gallery = model(torch.randn(6, 3, 64, 32, device=device)), model(torch.randn(10, 3, 64, 32, device=device))
        for kind in ("euclidean", "cosine"):
            matrix = torchreid.metrics.compute_distance_matrix(query, gallery, kind).cpu().numpy()
            torchreid.metrics.evaluate_rank(matrix, np.arange(6) % 3, np.arange(10) % 3, np.zeros(6), np.ones(10), max_rank=3, use_cython=False)
        torchreid.utils.re_ranking(torchreid.metrics.compute_distance_matrix(query, gallery).cpu().numpy(), torchreid.metrics.compute_distance_matrix(query, query).cpu().numpy(), torchreid.metrics.compute_distance_matrix(gallery, gallery).cpu().numpy(), k1=4, k2=2)


class Data:
    """What torchreid's engine asks of a data manager."""
    def __init__(self):
        import torchreid  # noqa: F401
        rows = [{"img": torch.randn(3, 64, 32), "pid": i % 6, "camid": i % 4, "impath": str(i), "dsetid": 0} for i in range(48)]
        self.train_loader = torch.utils.data.DataLoader(rows, batch_size=12)
        self.test_loader = {"fake": {"query": torch.utils.data.DataLoader(rows[:12], batch_size=6), "gallery": torch.utils.data.DataLoader(rows[12:], batch_size=6)}}
        self.num_train_pids, self.num_train_cams, self.sources, self.targets = 6, 2, ["fake"], ["fake"]

    def fetch_test_loaders(self, name):
        return [], []


def reid_engine():
    import torchreid
    for kind, loss in ((torchreid.engine.ImageSoftmaxEngine, "softmax"), (torchreid.engine.ImageTripletEngine, "triplet")):
        model = torchreid.models.build_model("osnet_x0_25", num_classes=6, loss=loss, pretrained=False).to(device)
        optimizer = torchreid.optim.build_optimizer(model, optim="adam", lr=3e-4)
        engine = kind(Data(), model, optimizer=optimizer, scheduler=torchreid.optim.build_lr_scheduler(optimizer, lr_scheduler="cosine", max_epoch=2), use_gpu=torch.cuda.is_available())
        engine.run(save_dir="reid", max_epoch=2, print_freq=1, eval_freq=1)


if __name__ == "__main__":
    for work in (pair_losses, class_losses, mined, reduced, whole_trainer, accuracy, reid, reid_engine):
        work()
