from __future__ import annotations

import argparse
import copy
import json
import time
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader
from tqdm import tqdm

from fed import Client, Server
from fed.model import ConvNet, evaluate, norm_keys
from fed.partition import build

METHODS = ("fedavg", "fedprox", "fedavgm", "fedbn", "scaffold")


def get_args() -> argparse.Namespace:
    ap = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    ap.add_argument("--methods", nargs="+", choices=METHODS, default=["fedavg", "fedprox", "fedbn"])
    ap.add_argument("--clients", type=int, default=12)
    ap.add_argument("--fraction", type=float, default=0.5)
    ap.add_argument("--rounds", type=int, default=6)
    ap.add_argument("--local-epochs", type=int, default=2)
    ap.add_argument("--samples", type=int, default=160)
    ap.add_argument("--alpha", type=float, default=0.4, help="Dirichlet concentration")
    ap.add_argument("--lr", type=float, default=0.03)
    ap.add_argument("--lr-decay", type=float, default=0.95)
    ap.add_argument("--mu", type=float, default=0.05, help="proximal term for fedprox")
    ap.add_argument("--batch-size", type=int, default=32)
    ap.add_argument("--norm", choices=("bn", "gn"), default="bn")
    ap.add_argument("--seed", type=int, default=3)
    ap.add_argument("--out", type=Path, default=Path("out"))
    return ap.parse_args()


def run_method(name: str, data, init: torch.nn.Module, args: argparse.Namespace, device: torch.device) -> list[dict]:
    torch.manual_seed(args.seed)
    model = copy.deepcopy(init)
    clients = [Client(i, tr, te, args.batch_size, device) for i, (tr, te) in enumerate(zip(data.train, data.local_test))]
    server = Server(model, clients, args.fraction, momentum=0.6 if name == "fedavgm" else 0.0,
                    scaffold=name == "scaffold", seed=args.seed)
    local_keys = norm_keys(model) if name == "fedbn" else set()
    global_loader = DataLoader(data.global_test, batch_size=256)
    log: list[dict] = []
    bar = tqdm(range(args.rounds), desc=f"{name:>8s}", ncols=100)
    for rnd in bar:
        lr = args.lr * args.lr_decay ** rnd
        updates = [
            c.fit(model, server.state, epochs=args.local_epochs, lr=lr, mu=args.mu if name == "fedprox" else 0.0,
                  local_keys=local_keys, control=server.control)
            for c in server.select()
        ]
        server.aggregate(updates)
        local = [c.test(model, server.state)["acc"] for c in clients]
        model.load_state_dict(server.state)
        glob = evaluate(model, global_loader, device)
        row = dict(round=rnd, method=name, train_loss=float(np.mean([u.loss for u in updates])),
                   drift=float(np.mean([u.drift for u in updates])), global_acc=glob["acc"], global_loss=glob["loss"],
                   local_acc=float(np.mean(local)), worst_client=float(np.min(local)))
        log.append(row)
        bar.set_postfix(loss=f"{row['train_loss']:.3f}", glob=f"{row['global_acc']:.3f}", loc=f"{row['local_acc']:.3f}")
    args.out.mkdir(parents=True, exist_ok=True)
    torch.save(server.state, args.out / f"{name}.pt")
    return log


def main() -> None:
    args = get_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(args.seed)
    data = build(args.clients, 10, args.alpha, args.samples, seed=args.seed)
    print("label histogram per client:")
    for k, row in enumerate(data.label_hist):
        print(f"  client {k:2d} ({row.sum():4d}): {' '.join(f'{v:3d}' for v in row)}")
    init = ConvNet(norm=args.norm).to(device)

    results: dict[str, list[dict]] = {}
    for name in args.methods:
        t0 = time.perf_counter()
        results[name] = run_method(name, data, init, args, device)
        last = results[name][-1]
        print(f"{name}: global {last['global_acc']:.3f} local {last['local_acc']:.3f} worst {last['worst_client']:.3f} "
              f"drift {last['drift']:.2f} [{time.perf_counter() - t0:.1f}s]")
    (args.out / "results.json").write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
