"""collie: matrix factorisation and hybrid recommenders, trained by its minimal trainer and evaluated in batches."""
from functools import partial

import numpy as np
import torch
from standin import blank
from torch.optim.lr_scheduler import ReduceLROnPlateau, StepLR

blank("fire")
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
rng = np.random.default_rng(0)
users, items = 90, 70


def _pairs():
    hit = rng.random((users, items)) < 0.15
    hit[np.arange(users), np.arange(users) % items] = True
    return np.nonzero(hit)


def _implicit(negatives=5):
    from collie.cross_validation import random_split, stratified_split
    from collie.interactions import Interactions
    user, item = _pairs()
    data = Interactions(users=user, items=item, ratings=np.ones(len(user)), num_negative_samples=negatives, allow_missing_ids=True, remove_duplicate_user_item_pairs=False, num_users=users, num_items=items, seed=0)
    try:
        return stratified_split(data, val_p=0.1, test_p=0.1, processes=0, seed=0, force_split=True)
    except Exception as error:
        print(type(error).__name__, error)
        return random_split(data, val_p=0.1, test_p=0.1, seed=0)


def _explicit():
    from collie.cross_validation import random_split
    from collie.interactions import ExplicitInteractions
    user, item = _pairs()
    data = ExplicitInteractions(users=user, items=item, ratings=rng.integers(1, 6, len(user)), allow_missing_ids=True, remove_duplicate_user_item_pairs=False, num_users=users, num_items=items)
    return random_split(data, val_p=0.1, test_p=0.1, seed=0)


def _train(model, epochs=3, **options):
    from collie.model import CollieMinimalTrainer
    options = dict(dict(gpus=1 if device.type == "cuda" else 0, logger=None, enable_model_summary=False, verbosity=2, early_stopping_patience=5, deterministic=False), **options)
    trainer = CollieMinimalTrainer(model, max_epochs=epochs, **options)
    trainer.fit(model)
    return trainer


def _judge(model, test, metrics=("mapk", "mrr", "auc")):
    import collie.metrics as m
    model.eval()
    for _ in range(2):
        print(m.evaluate_in_batches([getattr(m, name) for name in metrics], test, model, k=5, batch_size=30, verbose=False))


def _factors(loss="hinge", negatives=5, **options):
    from collie.model import MatrixFactorizationModel
    train, val, test = _implicit(negatives)
    from collie.interactions import InteractionsDataLoader
    train, val = InteractionsDataLoader(train, batch_size=128, shuffle=True), InteractionsDataLoader(val, batch_size=128)
    return MatrixFactorizationModel(train=train, val=val, embedding_dim=8, lr=1e-2, loss=loss, **dict(dict(lr_scheduler_func=None), **options)), test


def factors_hinge():
    model, test = _factors()
    _train(model)
    _judge(model, test)


def factors_bpr():
    model, test = _factors("bpr", lr_scheduler_func=partial(ReduceLROnPlateau, patience=1))
    _train(model)
    _judge(model, test)


def factors_warp():
    model, test = _factors("warp", lr_scheduler_func=partial(StepLR, step_size=1))
    _train(model)
    _judge(model, test)


def factors_single():
    for loss in ("bpr", "hinge"):
        model, test = _factors(loss, negatives=1, dropout_p=0.1, y_range=(0, 1))
        _train(model, 2)
        _judge(model, test, ("mapk", "mrr"))


def factors_metadata():
    genre = torch.randint(0, 4, (items, 1))
    for loss in ("hinge", "bpr", "warp"):
        try:
            model, test = _factors(loss, metadata_for_loss={"genre": genre}, metadata_for_loss_weights={"genre": 0.4})
            _train(model, 2)
        except Exception as error:
            print(loss, type(error).__name__, error)


def factors_sparse():
    model, test = _factors(sparse=True, optimizer="sparse_adam", bias_optimizer="sparse_adam", bias_lr="infer")
    _train(model, 2)


def factors_own_loss():
    def log_loss(positive, negative, **_):
        return -torch.nn.functional.logsigmoid(positive - negative.max(0).values).mean()
    model, test = _factors(log_loss, bias_optimizer=None)
    _train(model, 2)
    _judge(model, test, ("mapk",))


def factors_logger():
    from pytorch_lightning.loggers import CSVLogger
    model, test = _factors()
    _train(model, 2, logger=CSVLogger("logs"), log_every_n_steps=2, flush_logs_every_n_steps=4)


def factors_more_epochs():
    model, test = _factors()
    trainer = _train(model, 2, verbosity=1, early_stopping_patience=1, detect_anomaly=True)
    trainer.max_epochs += 2
    trainer.fit(model)


def factors_approximate():
    from collie.interactions import ApproximateNegativeSamplingInteractionsDataLoader
    from collie.model import MatrixFactorizationModel
    train, val, test = _implicit()
    train = ApproximateNegativeSamplingInteractionsDataLoader(train, batch_size=128, shuffle=True)
    val = ApproximateNegativeSamplingInteractionsDataLoader(val, batch_size=128)
    model = MatrixFactorizationModel(train=train, val=val, embedding_dim=8, lr_scheduler_func=None)
    _train(model)
    _judge(model, test)


def similar():
    model, test = _factors()
    _train(model, 2)
    for one in range(4):
        print(model.get_item_predictions(user_id=one, unseen_items_only=True).head(2), model.get_user_predictions(item_id=one).head(2))
        print(model.item_item_similarity(one).head(2), model.user_user_similarity(one).head(2))


def nets():
    import collie.model as m
    train, val, test = _implicit()
    for kind, options in ((m.MLPMatrixFactorizationModel, dict(embedding_dim=8, num_layers=2)), (m.NonlinearMatrixFactorizationModel, dict(user_embedding_dim=8, item_embedding_dim=8, user_dense_layers_dims=[8, 4], item_dense_layers_dims=[8, 4])),
                          (m.NeuralCollaborativeFiltering, dict(embedding_dim=4, num_layers=2)), (m.DeepFM, dict(embedding_dim=4, num_layers=2)), (m.CollaborativeMetricLearningModel, dict(embedding_dim=8))):
        try:
            model = kind(train=train, val=val, lr_scheduler_func=None, **options)
            _train(model, 2)
            _judge(model, test, ("mapk", "mrr"))
        except Exception as error:
            print(kind.__name__, type(error).__name__, error)


def explicit():
    import torchmetrics
    from collie.metrics import explicit_evaluate_in_batches
    from collie.model import MatrixFactorizationModel
    train, val, test = _explicit()
    for loss in ("mse", "mae"):
        model = MatrixFactorizationModel(train=train, val=val, embedding_dim=8, loss=loss, y_range=(1, 5), lr_scheduler_func=None)
        _train(model, 2)
        model.eval()
        print(explicit_evaluate_in_batches([torchmetrics.MeanSquaredError(), torchmetrics.MeanAbsoluteError()], test, model, verbose=False, batch_size=64))


def cold_start():
    from collie.model import ColdStartModel
    train, val, test = _implicit()
    buckets = torch.arange(items) % 6
    model = ColdStartModel(train=train, val=val, item_buckets=buckets, embedding_dim=8, lr_scheduler_func=None)
    trainer = _train(model, 2)
    trainer.max_epochs += 2
    model.advance_stage()
    trainer.fit(model)
    _judge(model, test)
    for bucket in range(3):
        print(model.item_bucket_item_similarity(bucket).head(2))


def hybrid():
    from collie.model import HybridModel
    train, val, test = _implicit()
    model = HybridModel(train=train, val=val, item_metadata=torch.rand(items, 5), user_metadata=torch.rand(users, 3), embedding_dim=8, item_metadata_layers_dims=[8], user_metadata_layers_dims=[8], combined_layers_dims=[16, 8], lr_scheduler_func=None)
    trainer = _train(model, 2)
    for _ in range(2):
        trainer.max_epochs += 2
        model.advance_stage()
        trainer.fit(model)
    _judge(model, test)


def hybrid_pretrained():
    from collie.model import HybridPretrainedModel
    base, test = _factors()
    _train(base, 2)
    model = HybridPretrainedModel(train=base.train_loader, val=base.val_loader, item_metadata=torch.rand(items, 5), trained_model=base, item_metadata_layers_dims=[8], combined_layers_dims=[16, 8], freeze_embeddings=True, lr_scheduler_func=None)
    _train(model, 2)
    model.unfreeze_embeddings()
    _train(model, 2)
    _judge(model, test, ("mapk", "mrr"))
