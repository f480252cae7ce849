import os
import sys

import torch
from torch import nn, optim
from torch.distributions import Normal, kl_divergence
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

BATCH_SIZE = 128
EPOCHS = int(os.environ.get("EPOCHS", 10))
N_TRAIN = int(os.environ.get("N_TRAIN", 8192))
LOG_EVERY = 20
Z_DIM = 8
CUDA = torch.cuda.is_available()
DEVICE = torch.device("cuda" if CUDA else "cpu")
RESULTS = os.environ.get("RESULTS", "vae_results")

torch.manual_seed(0)
os.makedirs(RESULTS, exist_ok=True)


def synthetic_digits(n):
    base = torch.rand(10, 784) > 0.7
    labels = torch.randint(0, 10, (n,))
    flips = torch.rand(n, 784) < 0.05
    return (base[labels] ^ flips).float(), labels


kwargs = {"num_workers": 0, "pin_memory": True} if CUDA else {}
train_loader = DataLoader(TensorDataset(*synthetic_digits(N_TRAIN)), batch_size=BATCH_SIZE, shuffle=True, **kwargs)
test_loader = DataLoader(TensorDataset(*synthetic_digits(N_TRAIN // 8)), batch_size=BATCH_SIZE, **kwargs)


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(784, 256)
        self.fc21 = nn.Linear(256, Z_DIM)
        self.fc22 = nn.Linear(256, Z_DIM)
        self.fc3 = nn.Linear(Z_DIM, 256)
        self.fc4 = nn.Linear(256, 784)
        self.register_buffer("prior_mean", torch.zeros(Z_DIM))
        self.register_buffer("prior_std", torch.ones(Z_DIM))

    def encode(self, x):
        h1 = F.relu(self.fc1(x))
        return self.fc21(h1), self.fc22(h1)

    def posterior(self, x):
        mu, logvar = self.encode(x)
        return Normal(mu, torch.exp(0.5 * logvar))  # sync: distribution-validation

    def prior(self):
        return Normal(self.prior_mean, self.prior_std, validate_args=False)

    def decode(self, z):
        return self.fc4(F.relu(self.fc3(z)))

    def forward(self, x):
        q = self.posterior(x.view(-1, 784))
        z = q.rsample()
        return self.decode(z), q


def loss_function(recon, x, q, prior):
    bce = F.binary_cross_entropy_with_logits(recon, x.view(-1, 784), reduction="sum")
    kld = kl_divergence(q, prior).sum()
    return bce + kld, bce, kld


model = VAE().to(DEVICE)
optimizer = optim.Adam(model.parameters(), lr=1e-3)


def train(epoch):
    model.train()
    train_loss = 0
    for batch_idx, (data, _) in enumerate(train_loader):
        data = data.to(DEVICE, non_blocking=True)
        optimizer.zero_grad()
        recon_batch, q = model(data)
        loss, _, kld = loss_function(recon_batch, data, q, model.prior())
        loss.backward()
        train_loss += loss.detach()
        optimizer.step()
        if batch_idx % LOG_EVERY == 0:
            sys.stdout.write(f"Train {epoch} [{batch_idx * len(data)}/{len(train_loader.dataset)}] ")
            sys.stdout.write("loss %.3f\n" % (loss / len(data)))  # sync: host-read note

    print("====> Epoch: {} Average loss: {:.4f}".format(epoch, train_loss / len(train_loader.dataset)))  # sync: host-read note


def test(epoch):
    model.eval()
    test_loss, active = 0.0, None
    latents = []
    with torch.no_grad():
        for i, (data, label) in enumerate(test_loader):
            n_even = (label % 2 == 0).sum().item()
            data = data.to(DEVICE)  # sync: copy-to-device
            recon, q = model(data)
            loss, _, _ = loss_function(recon, data, q, model.prior())
            test_loss += loss.item()  # sync: host-read
            latents.append(q.mean.cpu())  # sync: copy-to-host
            if i == 0:
                n = min(data.size(0), 8)
                comparison = torch.cat([data.view(-1, 784)[:n], torch.sigmoid(recon)[:n]])
                torch.save(comparison.cpu(), f"{RESULTS}/reconstruction_{epoch}.pt")  # sync: copy-to-host note
    z = torch.cat(latents)
    active = (z.var(0) > 1e-2).sum().item()
    test_loss /= len(test_loader.dataset)
    print(f"====> Test set loss: {test_loss:.4f}, active units {active}, even in last batch {n_even}")
    return test_loss


if __name__ == "__main__":
    history = []
    for epoch in range(1, EPOCHS + 1):
        train(epoch)
        history.append(test(epoch))
        with torch.no_grad():
            sample = torch.randn(64, Z_DIM, device=DEVICE)
            sample = torch.sigmoid(model.decode(sample)).cpu()  # sync: copy-to-host note
            print("mean pixel", sample.mean().item())
    print("best", min(history))
