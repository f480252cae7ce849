import os
import sys
import time
from types import SimpleNamespace

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

from eval import auc_score, hit_ratio, log_loss, ndcg_at_k
from models import MODELS

CONFIG = {
    "model": "dlrm",
    "users": 200,
    "items": 120,
    "extra_cards": [12, 7, 30],
    "num_dense": 6,
    "rows": 6000,
    "batch_size": 256,
    "epochs": 3,
    "lr": 0.02,
    "print_freq": 5,
    "test_freq": 12,
    "rank_users": 40,
    "rank_negs": 50,
    "save": "/tmp/recsys_best.pt",
    "gpu": os.environ.get("GPU", "0"),
}


def load_config(argv):
    cfg = dict(CONFIG)
    for a in argv:
        k, v = a.lstrip("-").split("=")
        if k not in cfg:
            raise KeyError(k)
        cfg[k] = type(cfg[k])(v)
    return SimpleNamespace(**cfg)


def fake_criteo(cfg, seed=0):
    g = np.random.default_rng(seed)
    U, I = g.normal(size=(cfg.users, 4)), g.normal(size=(cfg.items, 4))
    cards = [cfg.users, cfg.items] + cfg.extra_cards
    sparse = np.stack([g.integers(0, c, cfg.rows) for c in cards], 1)
    dense = np.log1p(g.exponential(2.0, size=(cfg.rows, cfg.num_dense)))
    logit = (U[sparse[:, 0]] * I[sparse[:, 1]]).sum(1) + 0.5 * dense[:, 0] - 1.2
    y = (g.random(cfg.rows) < 1 / (1 + np.exp(-logit))).astype(np.float32)
    return torch.tensor(dense, dtype=torch.float32), torch.tensor(sparse), torch.tensor(y), cards, (U, I)


def inference(model, loader, device):
    scores, targets = [], []
    model.eval()
    with torch.no_grad():
        for dense, sparse, y in loader:
            z = torch.sigmoid(model(dense.to(device), sparse.to(device)))
            scores.append(z.cpu().numpy())
            targets.append(y.numpy())
    model.train()
    return np.concatenate(targets), np.concatenate(scores)


def ranking_eval(model, cfg, truth, cards, device, k=10):
    """leave-one-out: the best item of the user against sampled negatives"""
    U, I = truth
    g = np.random.default_rng(1)
    hr, ndcg = [], []
    model.eval()
    for u in g.choice(cfg.users, cfg.rank_users, replace=False):
        best = int((I @ U[u]).argmax())
        negs = g.choice(np.setdiff1d(np.arange(cfg.items), [best]), cfg.rank_negs, replace=False)
        items = np.concatenate([[best], negs])
        sparse = torch.zeros(len(items), len(cards), dtype=torch.long)
        sparse[:, 0] = int(u)
        sparse[:, 1] = torch.from_numpy(items)
        dense = torch.ones(len(items), cfg.num_dense)
        with torch.no_grad():
            s = model(dense.to(device), sparse.to(device))
        _, indices = torch.topk(s, k)
        recommends = torch.take(torch.from_numpy(items).to(device), indices).cpu().numpy().tolist()
        rank = recommends.index(best) if best in recommends else k
        hr.append(hit_ratio(rank, k))
        ndcg.append(ndcg_at_k(rank, k))
    model.train()
    return np.mean(hr), np.mean(ndcg)


def main():
    cfg = load_config(sys.argv[1:])
    if cfg.gpu != "-1" and torch.cuda.is_available():
        device = torch.device("cuda:" + cfg.gpu)
        print("Using {} GPU(s)...".format(torch.cuda.device_count()))
    else:
        device = torch.device("cpu")
        print("Using CPU...")
    np.random.seed(123)
    torch.manual_seed(123)

    dense, sparse, y, cards, truth = fake_criteo(cfg)
    n_tr = int(0.8 * cfg.rows)
    train_ld = DataLoader(TensorDataset(dense[:n_tr], sparse[:n_tr], y[:n_tr]), cfg.batch_size, shuffle=True,
                          pin_memory=True)
    test_ld = DataLoader(TensorDataset(dense[n_tr:], sparse[n_tr:], y[n_tr:]), cfg.batch_size * 2)

    model = MODELS[cfg.model](cards, cfg.num_dense).to(device)
    loss_fn = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adagrad(model.parameters(), lr=cfg.lr)
    lr_scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.8)

    best_auc = 0
    total_time, total_loss, total_accu, total_iter, total_samp = 0, 0, 0, 0, 0
    for k in range(cfg.epochs):
        for j, (X, lS, T) in enumerate(train_ld):
            t1 = time.time()
            X, lS, T = X.to(device), lS.to(device), T.to(device)
            Z = model(X, lS)
            E = loss_fn(Z, T)
            # compute loss and accuracy
            L = E.detach().cpu().numpy()
            S = Z.detach().cpu().numpy()
            Tn = T.detach().cpu().numpy()
            A = np.sum(((S > 0) == Tn).astype(np.uint8))

            optimizer.zero_grad()
            E.backward()
            optimizer.step()

            total_time += time.time() - t1
            total_accu += A
            total_loss += L * len(Tn)
            total_iter += 1
            total_samp += len(Tn)

            should_print = ((j + 1) % cfg.print_freq == 0) or (j + 1 == len(train_ld))
            should_test = (j + 1) % cfg.test_freq == 0 or (j + 1 == len(train_ld))
            if should_print or should_test:
                gT = 1000.0 * total_time / total_iter
                gA = total_accu / total_samp
                gL = total_loss / total_samp
                total_time, total_loss, total_accu, total_iter, total_samp = 0, 0, 0, 0, 0
                print("Finished {} it {}/{} of epoch {}, {:.2f} ms/it, loss {:.6f}, accuracy {:3.3f} %".format(
                    "training", j + 1, len(train_ld), k, gT, gL, gA * 100))
            if should_test:
                yt, ps = inference(model, test_ld, device)
                auc, ll = auc_score(yt, ps), log_loss(yt, ps)
                is_best = auc > best_auc
                if is_best:
                    best_auc = auc
                    torch.save({"epoch": k, "iter": j + 1, "state_dict": model.state_dict(),
                                "test_auc": float(auc), "opt_state_dict": optimizer.state_dict()}, cfg.save)
                print("Testing at - {}/{} of epoch {}, logloss {:.4f}, auc {:.4f} (best {:.4f}), calib {:.3f}".format(
                    j + 1, len(train_ld), k, ll, auc, best_auc, ps.mean() / yt.mean()))
        lr_scheduler.step()
        hr, nd = ranking_eval(model, cfg, truth, cards, device)
        print("The time elapse of epoch {:03d}; HR: {:.3f}\tNDCG: {:.3f}".format(k, hr, nd))


if __name__ == "__main__":
    main()
