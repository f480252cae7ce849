import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm


class EarlyStopping:
    def __init__(self, patience=5):
        self.patience = patience
        self.best = None
        self.counter = 0

    def __call__(self, score):
        if self.best is None or score > self.best:
            self.best = score
            self.counter = 0
        else:
            self.counter += 1
        return self.counter >= self.patience


def run_epoch(model, loader, criterion, optimizer=None, device="cuda"):
    training = optimizer is not None
    model.train(training)
    losses, hits, n = [], 0, 0
    with torch.set_grad_enabled(training):
        bar = tqdm(loader, leave=False)
        for x, y in bar:
            x, y = x.to(device), y.to(device)  # sync: copy-to-device x2
            out = model(x)
            loss = criterion(out, y)
            if training:
                optimizer.zero_grad()
                loss.backward()
                total_norm = 0
                for p in model.parameters():
                    total_norm += p.grad.data.norm(2).item() ** 2  # sync: host-read
                optimizer.step()
            losses.append(loss.item())  # sync: host-read
            hits += (out.argmax(1) == y).sum().item()  # sync: host-read
            n += len(y)
            bar.set_postfix({"loss": f"{loss.item():.4f}"})  # sync: host-read
    return sum(losses) / len(losses), hits / n


def main():
    data = TensorDataset(torch.randn(100, 4), torch.randint(0, 2, (100,)))
    model = nn.Linear(4, 2).to("cuda")
    optimizer = torch.optim.Adam(model.parameters())
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
    stop = EarlyStopping()
    for fold in range(5):
        train, val = DataLoader(data, batch_size=10), DataLoader(data, batch_size=10)
        for epoch in range(100):
            train_loss, train_acc = run_epoch(model, train, nn.CrossEntropyLoss(), optimizer)
            val_loss, val_acc = run_epoch(model, val, nn.CrossEntropyLoss())
            scheduler.step(val_loss)
            if stop(val_acc):
                break


main()
