"""torch_rechub: click, match and multi-task models trained and evaluated by its trainers."""
import numpy as np
import torch

from torch_rechub.basic.features import DenseFeature, SequenceFeature, SparseFeature
from torch_rechub.utils.data import DataGenerator, MatchDataGenerator

device = "cuda:0" if torch.cuda.is_available() else "cpu"
n = 240
rng = np.random.default_rng(0)
mlp = {"dims": [16, 8], "dropout": 0.1, "activation": "relu"}
quick = {"optimizer_params": {"lr": 1e-3, "weight_decay": 1e-5}, "n_epoch": 2, "earlystop_patience": 3, "device": device, "model_path": "."}


def _rows():
    x = {f"c{i}": rng.integers(0, 20, n) for i in range(4)} | {f"d{i}": rng.random(n).astype(np.float32) for i in range(2)}
    return x, rng.integers(0, 2, n)


def _features():
    return [DenseFeature(f"d{i}") for i in range(2)], [SparseFeature(f"c{i}", vocab_size=20, embed_dim=8) for i in range(4)]


def _loaders(x, y):
    return DataGenerator(x, y).generate_dataloader(split_ratio=[0.7, 0.1], batch_size=32, num_workers=0)


def _click(models, x, y):
    from torch_rechub.trainers import CTRTrainer
    train, val, test = _loaders(x, y)
    for make in models:
        try:
            trainer = CTRTrainer(make(), scheduler_fn=torch.optim.lr_scheduler.StepLR, scheduler_params={"step_size": 1, "gamma": 0.8}, **quick)
            trainer.fit(train, val)
            print(trainer.evaluate(trainer.model, test))
        except Exception as error:
            print(make, type(error).__name__, error)


def click_models():
    from torch_rechub.models import ranking as r
    dense, sparse = _features()
    _click([lambda: r.WideDeep(wide_features=dense, deep_features=sparse, mlp_params=mlp), lambda: r.DeepFM(deep_features=dense, fm_features=sparse, mlp_params=mlp), lambda: r.DCN(features=dense + sparse, n_cross_layers=2, mlp_params=mlp), lambda: r.DCNv2(features=dense + sparse, n_cross_layers=2, mlp_params=mlp)], *_rows())


def click_crossings():
    from torch_rechub.models import ranking as r
    dense, sparse = _features()
    _click([lambda: r.AFM(fm_features=sparse, embed_dim=8), lambda: r.AutoInt(sparse_features=sparse, dense_features=dense, num_layers=2, num_heads=2, mlp_params=mlp), lambda: r.EDCN(features=sparse, n_cross_layers=2, mlp_params={"dims": [32, 32], "dropout": 0.1, "activation": "relu"}), lambda: r.FiBiNet(features=sparse, mlp_params=mlp)], *_rows())


def click_histories():
    from torch_rechub.models import ranking as r
    x = {"user": rng.integers(1, 20, n), "item": rng.integers(1, 20, n), "hist": rng.integers(0, 20, (n, 6)), "neg": rng.integers(0, 20, (n, 6))}
    user, item = [SparseFeature("user", 20, 8)], [SparseFeature("item", 20, 8, padding_idx=0)]
    hist, neg = [SequenceFeature("hist", 20, 8, pooling="concat", shared_with="item", padding_idx=0)], [SequenceFeature("neg", 20, 8, pooling="concat", shared_with="item", padding_idx=0)]
    _click([lambda: r.DIN(features=user, history_features=hist, target_features=item, mlp_params={"dims": [16, 8]}, attention_mlp_params={"dims": [16, 8]}), lambda: r.BST(features=user, history_features=hist, target_features=item, mlp_params={"dims": [16, 8]}, nhead=2, max_seq_len=10),
            lambda: r.DIEN(features=user, history_features=hist, neg_history_features=neg, target_features=item, mlp_params={"dims": [16, 8]}, alpha=0.0)], x, rng.integers(0, 2, n))


def click_regression():
    from torch_rechub.models.ranking import DeepFM
    from torch_rechub.trainers import CTRTrainer
    dense, sparse = _features()
    x, y = _rows()
    train, val, test = _loaders(x, y)
    trainer = CTRTrainer(DeepFM(deep_features=dense, fm_features=sparse, mlp_params=mlp), regularization_params={"embedding_l2": 1e-5, "dense_l2": 1e-5}, **quick)
    trainer.fit(train)
    for _ in range(2):
        trainer.predict(trainer.model, test)


def _match(make, mode, x, y, user, items, **options):
    from torch_rechub.trainers import MatchTrainer
    train, test, item = MatchDataGenerator(x, y).generate_dataloader({name: v[:40] for name, v in user.items()}, items, batch_size=32, num_workers=0)
    trainer = MatchTrainer(make(), mode=mode, **quick, **options)
    trainer.fit(train)
    for _ in range(2):
        users = trainer.inference_embedding(model=trainer.model, mode="user", data_loader=test, model_path=".")
        goods = trainer.inference_embedding(model=trainer.model, mode="item", data_loader=item, model_path=".")
        print(users.shape, goods.shape)


def _visits():
    x = {"user": rng.integers(1, 20, n), "item": rng.integers(1, 20, n), "hist": rng.integers(0, 20, (n, 6)), "negs": rng.integers(1, 20, (n, 3))}
    return x, {"user": x["user"], "hist": x["hist"]}, {"item": np.arange(1, 20)}


def _sides():
    user = [SparseFeature("user", 20, 8), SequenceFeature("hist", 20, 8, pooling="mean", shared_with="item", padding_idx=0)]
    return user, [SparseFeature("item", 20, 8, padding_idx=0)], [SequenceFeature("negs", 20, 8, pooling="concat", shared_with="item")]


def match_dssm():
    from torch_rechub.models.matching import DSSM
    x, user, items = _visits()
    users, goods, _ = _sides()
    _match(lambda: DSSM(users, goods, temperature=0.02, user_params={"dims": [16, 8], "activation": "prelu"}, item_params={"dims": [16, 8], "activation": "prelu"}), 0, x, rng.integers(0, 2, n), user, items)


def match_in_batch():
    from torch_rechub.models.matching import DSSM
    x, user, items = _visits()
    users, goods, _ = _sides()
    for hard in (False, True):
        _match(lambda: DSSM(users, goods, temperature=0.1, user_params={"dims": [16, 8]}, item_params={"dims": [16, 8]}), 0, x, rng.integers(0, 2, n), user, items, in_batch_neg=True, in_batch_neg_ratio=5, hard_negative=hard, sampler_seed=0)


def match_youtube():
    from torch_rechub.models.matching import YoutubeDNN
    x, user, items = _visits()
    users, goods, negs = _sides()
    _match(lambda: YoutubeDNN(users, goods, negs, user_params={"dims": [16, 8]}, temperature=0.02), 2, x, np.zeros(n), user, items)


def match_interests():
    from torch_rechub.models import matching as m
    x, user, items = _visits()
    users, goods, negs = [SparseFeature("user", 20, 8)], [SparseFeature("item", 20, 8)], [SequenceFeature("negs", 20, 8, pooling="concat", shared_with="item")]
    hist = [SequenceFeature("hist", 20, 8, pooling="concat", shared_with="item")]
    for make in (lambda: m.MIND(users, hist, goods, negs, max_length=6, temperature=0.02, interest_num=2), lambda: m.ComirecDR(users, hist, goods, negs, max_length=6, interest_num=2), lambda: m.ComirecSA(users, hist, goods, negs, interest_num=2), lambda: m.GRU4Rec(users, hist, goods, negs, user_params={"dims": [16, 8], "num_layers": 1})):
        try:
            _match(make, 2, x, np.zeros(n), user, items)
        except Exception as error:
            print(make, type(error).__name__, error)


def match_pairs():
    from torch_rechub.models.matching import FaceBookDSSM
    x, user, items = _visits()
    x["rival"] = rng.integers(1, 20, n)
    users, goods, _ = _sides()
    _match(lambda: FaceBookDSSM(users, goods, [SparseFeature("rival", 20, 8, shared_with="item")], temperature=0.1, user_params={"dims": [16, 8]}, item_params={"dims": [16, 8]}), 1, x, np.zeros(n), user, items)


def tasks():
    from torch_rechub.models import multi_task as t
    from torch_rechub.trainers import MTLTrainer
    dense, sparse = _features()
    features, kinds = dense + sparse, ["classification", "classification"]
    tower = [{"dims": [8]}, {"dims": [8]}]
    x, _ = _rows()
    train, val, test = _loaders(x, rng.integers(0, 2, (n, 2)))
    for make, adaptive in ((lambda: t.SharedBottom(features, kinds, bottom_params={"dims": [16]}, tower_params_list=tower), None), (lambda: t.MMOE(features, kinds, 3, expert_params={"dims": [16]}, tower_params_list=tower), {"method": "uwl"}), (lambda: t.MMOE(features, kinds, 3, expert_params={"dims": [16]}, tower_params_list=tower), {"method": "gradnorm"}),
                           (lambda: t.SharedBottom(features, kinds, bottom_params={"dims": [16]}, tower_params_list=tower), {"method": "metabalance"}), (lambda: t.PLE(features, kinds, n_level=1, n_expert_specific=2, n_expert_shared=1, expert_params={"dims": [16]}, tower_params_list=tower), None),
                           (lambda: t.AITM(features, 2, bottom_params={"dims": [32, 16]}, tower_params_list=tower), None), (lambda: t.ESMM(sparse[:2], sparse[2:], cvr_params={"dims": [8]}, ctr_params={"dims": [8]}), None)):
        try:
            trainer = MTLTrainer(make(), task_types=kinds, adaptive_params=adaptive, **{**quick})
            trainer.fit(train, val)
            print(trainer.evaluate(trainer.model, test))
            trainer.predict(trainer.model, test)
        except Exception as error:
            print(make, adaptive, type(error).__name__, error)


def sequences():
    from torch_rechub.models.generative import HSTUModel
    from torch_rechub.trainers import SeqTrainer
    from torch_rechub.utils.data import SequenceDataGenerator
    tokens, positions, target, seconds = rng.integers(1, 30, (n, 12)), np.tile(np.arange(12), (n, 1)), rng.integers(1, 30, (n, 1)), rng.integers(0, 1000, (n, 12))
    loaders = SequenceDataGenerator(tokens, positions, target, seconds).generate_dataloader(batch_size=32, num_workers=0, split_ratio=(0.7, 0.1, 0.2))
    model = HSTUModel(vocab_size=30, d_model=16, n_heads=2, n_layers=1, max_seq_len=12)
    trainer = SeqTrainer(model, n_epoch=2, device=device, model_path=".")
    trainer.fit(*loaders[:2])
    trainer.evaluate(loaders[-1])
