"""deepod: outliers of tables and of series, found by small nets."""
import numpy as np

import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
rng = np.random.default_rng(0)


def _table():
    x = rng.normal(size=(300, 12)).astype(np.float32)
    y = np.zeros(300, dtype=int)
    y[:30] = 1
    x[:30] += 4
    order = rng.permutation(300)
    return x[order], y[order]


def _series():
    x = (np.sin(np.arange(420)[:, None] / np.arange(3, 8)) + 0.1 * rng.normal(size=(420, 5))).astype(np.float32)
    y = np.zeros(420, dtype=int)
    for start in (60, 180, 300):
        x[start:start + 15] += 2
        y[start:start + 15] = 1
    return x, y


def _judge(model, data, weak=False, rep=False):
    from deepod.metrics import tabular_metrics
    x, y = data
    if weak:
        model.fit(x, y)
    else:
        model.fit(x)
    scores = model.decision_function(x)
    print(type(model).__name__, tabular_metrics(y, scores))
    found, trust = model.predict(x, return_confidence=True)
    print(found.sum(), trust.mean())
    if rep:
        scores, kept = model.decision_function(x, return_rep=True)
        print(kept.shape)


def table_svdd():
    from deepod.models.tabular import DeepSVDD
    _judge(DeepSVDD(epochs=3, hidden_dims="32,16", rep_dim=8, device=device, prt_steps=1), _table(), rep=True)


def table_autoencoders():
    from deepod.models.tabular import RCA
    _judge(RCA(epochs=2, hidden_dims="32,16", rep_dim=8, device=device, inference_ensemble=3, prt_steps=1), _table())


def table_transforms():
    from deepod.models.tabular import GOAD
    _judge(GOAD(epochs=2, n_trans=16, trans_dim=8, device=device, prt_steps=1), _table())


def table_neutral():
    from deepod.models.tabular import NeuTraL
    for kind in ("residual", "mul"):
        _judge(NeuTraL(epochs=2, n_trans=5, trans_type=kind, hidden_dims="32,16", rep_dim=8, device=device, prt_steps=1), _table())


def table_distances():
    from deepod.models.tabular import RDP
    _judge(RDP(epochs=2, hidden_dims="32,16", rep_dim=8, device=device, prt_steps=1), _table())


def table_contrast():
    from deepod.models.tabular import ICL
    _judge(ICL(epochs=2, n_ensemble=2, hidden_dims="32,16", rep_dim=8, device=device, prt_steps=1), _table())


def table_scales():
    from deepod.models.tabular import SLAD
    _judge(SLAD(epochs=2, hidden_dims=16, n_slad_ensemble=3, distribution_size=4, subspace_pool_size=8, n_unified_features=16, device=device, prt_steps=1), _table())


def table_forest():
    from deepod.models.tabular import DeepIsolationForest
    _judge(DeepIsolationForest(n_ensemble=4, n_estimators=3, hidden_dims="32,16", rep_dim=8, max_samples=64, device=device), _table())


def table_weak_sad():
    from deepod.models.tabular import DeepSAD
    _judge(DeepSAD(epochs=2, hidden_dims="32,16", rep_dim=8, device=device, prt_steps=1), _table(), weak=True)


def table_weak_deviation():
    from deepod.models.tabular import DevNet
    _judge(DevNet(epochs=2, hidden_dims="32,16", rep_dim=8, device=device, prt_steps=1), _table(), weak=True)


def table_weak_pairs():
    from deepod.models.tabular import PReNet
    _judge(PReNet(epochs=2, hidden_dims="32,16", rep_dim=8, epoch_steps=4, device=device, prt_steps=1), _table(), weak=True)


def table_weak_features():
    from deepod.models.tabular import FeaWAD
    _judge(FeaWAD(epochs=2, hidden_dims="32,16", rep_dim=8, device=device, prt_steps=1), _table(), weak=True)


def table_weak_triplets():
    from deepod.models.tabular import REPEN
    _judge(REPEN(epochs=2, init_score_ensemble_size=4, hidden_dims="32,16", rep_dim=8, device=device, prt_steps=1), _table())


def table_weak_mixing():
    from deepod.models.tabular import RoSAS
    _judge(RoSAS(epochs=2, hidden_dims="16", rep_dim=8, device=device, prt_steps=1), _table(), weak=True)


def series_svdd():
    from deepod.models.time_series import DeepSVDDTS
    for network in ("Transformer", "TCN", "GRU", "LSTM"):
        try:
            _judge(DeepSVDDTS(epochs=2, network=network, hidden_dims="32", rep_dim=8, d_model=16, n_heads=2, seq_len=20, stride=2, device=device, prt_steps=1), _series())
        except Exception as error:
            print(network, type(error).__name__, error)


def series_adversaries():
    from deepod.models.time_series import TranAD
    _judge(TranAD(epochs=2, seq_len=20, epoch_steps=4, device=device), _series())


def series_users():
    from deepod.models.time_series import USAD
    _judge(USAD(epochs=2, seq_len=20, hidden_dims=16, rep_dim=8, epoch_steps=3, device=device, prt_steps=1), _series())


def series_calibrated():
    from deepod.models.time_series import COUTA
    _judge(COUTA(epochs=2, seq_len=20, device=device), _series())


def series_convolutions():
    from deepod.models.time_series import TcnED
    _judge(TcnED(epochs=2, seq_len=20, epoch_steps=5, device=device, prt_steps=1), _series())


def series_attention():
    from deepod.models.time_series import AnomalyTransformer
    _judge(AnomalyTransformer(epochs=2, seq_len=20, epoch_steps=3, device=device), _series())


def series_periods():
    from deepod.models.time_series import TimesNet
    _judge(TimesNet(epochs=2, seq_len=20, d_model=8, d_ff=8, num_kernels=2, top_k=2, epoch_steps=4, device=device), _series())


def series_forest():
    from deepod.models.time_series import DeepIsolationForestTS
    _judge(DeepIsolationForestTS(n_ensemble=2, n_estimators=2, hidden_dims="16,8", rep_dim=8, seq_len=20, max_samples=64, device=device), _series())


def series_weak():
    from deepod.models.time_series import DeepSADTS, DevNetTS
    _judge(DeepSADTS(epochs=2, network="TCN", hidden_dims="16", rep_dim=8, seq_len=20, stride=2, device=device, prt_steps=1), _series(), weak=True)
    _judge(DevNetTS(epochs=2, hidden_dims="16", rep_dim=8, d_model=16, n_heads=2, seq_len=20, stride=2, device=device, prt_steps=1), _series(), weak=True)


def series_weak_pairs():
    from deepod.models.time_series import PReNetTS
    _judge(PReNetTS(epochs=2, hidden_dims="16", rep_dim=8, d_model=16, n_heads=2, seq_len=20, epoch_steps=4, device=device, prt_steps=1), _series(), weak=True)


def series_scores():
    from deepod.metrics import point_adjustment, ts_metrics
    from deepod.models.time_series import TcnED
    x, y = _series()
    model = TcnED(epochs=2, seq_len=20, epoch_steps=3, device=device)
    model.fit(x[:200])
    scores = model.decision_function(x)
    print(ts_metrics(y, scores), ts_metrics(y, point_adjustment(y, scores)))
