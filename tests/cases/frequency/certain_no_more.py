"""Certain is what stands near its loop: not what four calls lead to, what a loop of a handful of turns does, what an empty
batch alone meets, what only a framework's page says."""
import lightning.pytorch as pl
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

device = torch.device("cuda")
net = torch.nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def near(loss):
    return loss.item()  # sync: host-read certain


def far(loss):
    return loss.item()  # sync: host-read certain


def third(loss):
    return far(loss)


def second(loss):
    return third(loss)


def first(loss):
    return second(loss)


def pairs_of(batch):
    return [(a, b) for a in range(len(batch)) for b in range(a)]


def contrast(out):
    pairs = pairs_of(out)
    if len(pairs) == 0:
        return torch.tensor(0.0, device="cuda")  # sync: tensor-from-host likely note
    return out.mean()


def train(loader):
    for batch in loader:
        loss = contrast(net(batch.to(device)))  # sync: copy-to-device certain
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        near(loss)
        first(loss)


def probe():
    for name, backend in (("flash", SDPBackend.FLASH_ATTENTION), ("math", SDPBackend.MATH)):
        q = torch.randn(1, 2, 16, 64, device="cuda", requires_grad=True)
        with sdpa_kernel(backend):
            out = torch.nn.functional.scaled_dot_product_attention(q, q, q).sum()
        out.backward()
        print(name, out.item())  # sync: host-read likely


class Best(pl.Callback):
    def on_validation_end(self, trainer, pl_module):
        score = trainer.callback_metrics["val_loss"].item()  # sync: host-read likely note
        print(score)


if __name__ == "__main__":
    probe()
    train(torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(64, 4)), batch_size=8))
