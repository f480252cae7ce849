"""A training loop written with care: losses stay on the GPU and are read once an epoch at the end, in one piece."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Block(nn.Module):
    def __init__(self, width, drop=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.drop = nn.Dropout(drop)
        self.register_buffer("scale", torch.ones(()))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, width = x.shape
        if width != self.up.in_features:
            raise ValueError(f"width {width}, expected {self.up.in_features}")
        h = self.drop(self.down(nn.functional.gelu(self.up(self.norm(x)))))
        return x + self.scale * h


class Net(nn.Module):
    def __init__(self, width=64, depth=3, classes=10):
        super().__init__()
        self.blocks = nn.ModuleList([Block(width) for _ in range(depth)])
        self.head = nn.Linear(width, classes)

    def forward(self, x, return_hidden=False):
        hidden = []
        for i, block in enumerate(self.blocks):
            x = block(x)
            if return_hidden:
                hidden.append(x)
            if i == len(self.blocks) - 1 and self.training:
                x = nn.functional.normalize(x, dim=-1)
        logits = self.head(x)
        return (logits, hidden) if return_hidden else logits


class Ema:
    def __init__(self, model, decay=0.999):
        self.decay = decay
        self.shadow = {k: v.detach().clone() for k, v in model.state_dict().items() if v.dtype.is_floating_point}

    @torch.no_grad()
    def update(self, model):
        for name, value in model.state_dict().items():
            if name in self.shadow:
                self.shadow[name].lerp_(value, 1 - self.decay)


def epoch(model, loader, optimizer, scheduler, device, ema):
    total = torch.zeros((), device=device)
    hits = torch.zeros((), device=device, dtype=torch.long)
    seen = 0
    for x, y in loader:
        x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
        logits = model(x)
        loss = nn.functional.cross_entropy(logits, y, label_smoothing=0.1)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        ema.update(model)
        total += loss.detach() * x.size(0)
        hits += (logits.detach().argmax(-1) == y).sum()
        seen += x.shape[0]
    return torch.stack([total / seen, hits / seen])


def main():
    device = torch.device("cuda")
    data = TensorDataset(torch.randn(4096, 64), torch.randint(0, 10, (4096,)))
    loader = DataLoader(data, 128, shuffle=True, pin_memory=True, num_workers=2, drop_last=True)
    model = Net().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1e-2, total_steps=10 * len(loader))
    ema = Ema(model)
    history = []
    for _ in range(10):
        history.append(epoch(model, loader, optimizer, scheduler, device, ema))
    for i, (loss, accuracy) in enumerate(torch.stack(history).tolist()):
        print(f"epoch {i}: loss {loss:.4f} accuracy {accuracy:.3f} lr {scheduler.get_last_lr()[0]:.2e}")


if __name__ == "__main__":
    main()
