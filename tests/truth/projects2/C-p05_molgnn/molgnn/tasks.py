import copy
import os
import time

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from .data import BucketSampler, MoleculeDataset, collate, sbm_graph, split_edges
from .nn import LinkModel, MolNet
from .registry import TASKS


@TASKS.register("mol")
class MolTask:
    def __init__(self, args, device):
        self.args, self.device = args, device
        sets = {s: MoleculeDataset(n, seed=i) for i, (s, n) in
                enumerate([("train", 1200), ("valid", 200), ("test", 200)])}
        self.loaders = {s: DataLoader(d, batch_sampler=BucketSampler(d, args.max_nodes, s == "train"),
                                      collate_fn=collate, num_workers=args.num_workers, pin_memory=True)
                        for s, d in sets.items()}
        y = torch.stack([g.y for g in sets["train"].graphs])
        self.mean, self.std = y.mean(0).to(device), y.std(0).to(device)
        self.model = MolNet(args.dim, args.depth, args.conv, args.pool).to(device)
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=args.lr, weight_decay=1e-5)
        self.sched = torch.optim.lr_scheduler.ReduceLROnPlateau(self.opt, factor=0.5, patience=1)
        print(f"#Params: {sum(p.numel() for p in self.model.parameters())}")

    def train_epoch(self, epoch):
        self.model.train()
        total, count = 0, 0
        for step, g in enumerate(self.loaders["train"]):
            g = g.to(self.device, non_blocking=True)
            self.opt.zero_grad()
            pred = self.model(g)
            loss = F.l1_loss(pred, (g.y - self.mean) / self.std)
            if torch.isnan(loss):
                print("nan loss, skipping batch", step)
                continue
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.opt.step()
            total += loss.item() * g.num_graphs
            count += g.num_graphs
        return total / count

    @torch.no_grad()
    def evaluate(self, split):
        self.model.eval()
        err, ys = [], []
        for g in self.loaders[split]:
            g = g.to(self.device)
            err.append(((self.model(g) * self.std + self.mean) - g.y).abs().cpu())
        return torch.cat(err).mean(0)

    def run(self):
        best, best_state = float("inf"), None
        for epoch in range(1, self.args.epochs + 1):
            t = time.perf_counter()
            loss = self.train_epoch(epoch)
            val = self.evaluate("valid")
            self.sched.step(val.mean())
            if val.mean() < best:
                best = val.mean()
                best_state = copy.deepcopy(self.model.state_dict())
            print(f"Epoch {epoch:02d} | loss {loss:.4f} | val MAE {val.tolist()} | lr {self.opt.param_groups[0]['lr']:.1e}"
                  f" | {time.perf_counter() - t:.1f}s")
        self.model.load_state_dict(best_state)
        print(f"best val {best:.4f}  test MAE {self.evaluate('test').tolist()}")


@TASKS.register("link")
class LinkTask:
    def __init__(self, args, device):
        self.args, self.device = args, device
        x, edges = sbm_graph()
        self.x = x.to(device)
        self.split = {k: v.to(device) for k, v in split_edges(edges).items()}
        tr = self.split["train"]
        self.adj = torch.cat([tr, tr.flip(0)], 1)
        self.n = x.size(0)
        self.edge_set = set((edges[0] * self.n + edges[1]).tolist())
        self.model = LinkModel(x.size(1), args.dim).to(device)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=args.lr)

    def negatives(self, num, exact=False):
        neg = torch.randint(0, self.n, (2, num), device=self.device)
        if not exact:
            return neg
        out = []
        while len(out) < num:
            a, b = torch.randint(0, self.n, (2,)).tolist()
            if a != b and (min(a, b) * self.n + max(a, b)) not in self.edge_set:
                out.append((a, b))
        return torch.tensor(out, device=self.device).t()

    def train_epoch(self):
        self.model.train()
        pos_all = self.split["train"]
        perm = torch.randperm(pos_all.size(1), device=self.device)
        total = 0.
        for idx in perm.split(self.args.link_batch):
            pos = pos_all[:, idx]
            # drop the target edges from message passing
            mask = torch.ones(pos_all.size(1), dtype=torch.bool, device=self.device)
            mask[idx] = False
            e = pos_all[:, mask]
            z = self.model.encode(self.x, torch.cat([e, e.flip(0)], 1))
            neg = self.negatives(pos.size(1))
            lp = self.model.decode(z, pos)
            ln = self.model.decode(z, neg)
            loss = -F.logsigmoid(lp).mean() - F.logsigmoid(-ln).mean()
            self.opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.opt.step()
            total += float(loss) * idx.numel()
        return total / perm.numel()

    @torch.no_grad()
    def evaluate(self, split, ks=(10, 50)):
        self.model.eval()
        z = self.model.encode(self.x, self.adj)
        pos = self.model.decode(z, self.split[split])
        neg = self.model.decode(z, self.negatives(1000, exact=True))
        res = {}
        for k in ks:
            thr = neg.topk(k).values[-1]
            res[f"hits@{k}"] = (pos > thr).float().mean().item()
        rank = (neg[None] >= pos[:, None]).sum(1) + 1
        res["mrr"] = (1.0 / rank.float()).mean().item()
        res["auc"] = (pos[:, None] > neg[None]).float().mean().item()
        return res

    def run(self):
        path = os.path.join(self.args.out, "link_best.pt")
        best = 0
        for epoch in range(1, self.args.epochs + 1):
            loss = self.train_epoch()
            val = self.evaluate("valid")
            print(f"Epoch {epoch:02d} | loss {loss:.4f} | " + " ".join(f"{k} {v:.4f}" for k, v in val.items()))
            if val["mrr"] > best:
                best = val["mrr"]
                torch.save(self.model.state_dict(), path)
        self.model.load_state_dict(torch.load(path, map_location=self.device))
        print("test", self.evaluate("test"))
