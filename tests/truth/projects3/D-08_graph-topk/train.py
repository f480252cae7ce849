import torch
from torch.utils.data import DataLoader

import graphs
import models  # noqa: F401  (fills the registry)
from core import DATASETS, MODELS
from core.runner import Runner

cfg = dict(
    seed=3,
    max_epochs=12,
    node_budget=1500,
    train=dict(type="BAMotifs", n=800, seed=0),
    val=dict(type="BAMotifs", n=200, seed=1),
    model=dict(type="TopKNet", n_feat=8, hidden=64, ratios=(0.6, 0.6)),
    optim=dict(lr=4e-3, weight_decay=1e-4),
    hooks=[
        dict(type="PolyLR", warmup=10),
        dict(type="Evaluate", names=list(graphs.MOTIFS)),
        dict(type="BestCheckpoint", patience=6, path="best.pt"),
        dict(type="TextLogger"),
    ],
)


def main():
    torch.manual_seed(cfg["seed"])
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loaders = {}
    for split in ("train", "val"):
        ds = DATASETS.build(cfg[split])
        sampler = graphs.NodeBudgetSampler(ds, cfg["node_budget"], shuffle=split == "train")
        loaders[split] = DataLoader(ds, batch_sampler=sampler, collate_fn=graphs.Batch.collate)
        print(f"{split}: {len(ds)} graphs in {len(sampler)} batches, {sampler.sizes.mean():.1f} nodes on average")
    model = MODELS.build(cfg["model"], n_classes=len(graphs.MOTIFS)).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), **cfg["optim"])
    runner = Runner(model, optimizer, loaders, cfg["max_epochs"], device, cfg["hooks"])
    runner.run()


if __name__ == "__main__":
    main()
