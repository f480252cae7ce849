import torch
from model import Model, halves, stats
from outputs import Config
from data import batches


def main(cfg: Config):
    model = Model().to(cfg.device)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
    for x, y in batches(cfg):
        x = x.to(cfg.device, non_blocking=True)
        y = y.to(cfg.device, non_blocking=True)
        out = model(x, y)
        out.loss.backward()
        opt.step()
        opt.zero_grad()
        s = stats(out.logits)
        print(s.mean.item(), s.count)  # sync: host-read
        pair = halves(out.logits)
        if pair.left.sum() > pair.right.sum():  # sync: tensor-truth
            cfg.steps -= 1
        log = {k: v.item() for k, v in out.extras.items()}  # sync: host-read
        log["loss"] = float(out.loss)  # sync: host-read


if __name__ == "__main__":
    main(Config())
