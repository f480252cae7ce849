import argparse
import math
import os
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset
from torchvision.utils import make_grid, save_image

try:
    from torch.utils.tensorboard import SummaryWriter
except Exception:
    SummaryWriter = None

parser = argparse.ArgumentParser()

timestamp = time.ctime().replace("  ", " ").replace(" ", "_").replace(":", "_").lower()
parser.add_argument("--batch_size", type=int, default=32)
parser.add_argument("--n_updates", type=int, default=60)
parser.add_argument("--n_hiddens", type=int, default=64)
parser.add_argument("--n_residual_hiddens", type=int, default=16)
parser.add_argument("--n_residual_layers", type=int, default=2)
parser.add_argument("--embedding_dim", type=int, default=32)
parser.add_argument("--n_embeddings", type=int, default=64)
parser.add_argument("--beta", type=float, default=.25)
parser.add_argument("--decay", type=float, default=.99, help="0 = no ema codebook")
parser.add_argument("--learning_rate", type=float, default=3e-4)
parser.add_argument("--log_interval", type=int, default=20)
parser.add_argument("--dataset", type=str, default='BLOCK')
parser.add_argument("-save", action="store_true", default=True)
parser.add_argument("--filename", type=str, default=timestamp)

args = parser.parse_args()

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class ResidualLayer(nn.Module):
    def __init__(self, in_dim, h_dim, res_h_dim):
        super(ResidualLayer, self).__init__()
        self.res_block = nn.Sequential(
            nn.ReLU(),
            nn.Conv2d(in_dim, res_h_dim, kernel_size=3, stride=1, padding=1, bias=False),
            nn.ReLU(),
            nn.Conv2d(res_h_dim, h_dim, kernel_size=1, stride=1, bias=False)
        )

    def forward(self, x):
        x = x + self.res_block(x)
        return x


class ResidualStack(nn.Module):
    def __init__(self, in_dim, h_dim, res_h_dim, n_res_layers):
        super(ResidualStack, self).__init__()
        self.stack = nn.ModuleList([ResidualLayer(in_dim, h_dim, res_h_dim) for _ in range(n_res_layers)])

    def forward(self, x):
        for layer in self.stack:
            x = layer(x)
        return F.relu(x)


class VectorQuantizerEMA(nn.Module):
    """
    Discretization bottleneck part of the VQ-VAE.

    Inputs:
    - n_e : number of embeddings
    - e_dim : dimension of embedding
    - beta : commitment cost used in loss term, beta * ||z_e(x)-sg[e]||^2
    """

    def __init__(self, n_e, e_dim, beta, decay, epsilon=1e-5):
        super(VectorQuantizerEMA, self).__init__()
        self.n_e = n_e
        self.e_dim = e_dim
        self.beta = beta
        self._decay = decay
        self._epsilon = epsilon

        self.embedding = nn.Embedding(self.n_e, self.e_dim)
        self.embedding.weight.data.uniform_(-1.0 / self.n_e, 1.0 / self.n_e)
        if decay > 0:
            self.register_buffer('_ema_cluster_size', torch.zeros(n_e))
            self._ema_w = nn.Parameter(self.embedding.weight.data.clone())

    def forward(self, z):
        # reshape z -> (batch, height, width, channel) and flatten
        z = z.permute(0, 2, 3, 1).contiguous()
        z_flattened = z.view(-1, self.e_dim)
        # distances from z to embeddings e_j (z - e)^2 = z^2 + e^2 - 2 e * z
        d = torch.sum(z_flattened ** 2, dim=1, keepdim=True) + \
            torch.sum(self.embedding.weight ** 2, dim=1) - 2 * \
            torch.matmul(z_flattened, self.embedding.weight.t())

        # find closest encodings
        min_encoding_indices = torch.argmin(d, dim=1).unsqueeze(1)
        min_encodings = torch.zeros(min_encoding_indices.shape[0], self.n_e).to(device)
        min_encodings.scatter_(1, min_encoding_indices, 1)

        # get quantized latent vectors
        z_q = torch.matmul(min_encodings, self.embedding.weight).view(z.shape)

        # Use EMA to update the embedding vectors
        if self.training and self._decay > 0:
            self._ema_cluster_size = self._ema_cluster_size * self._decay + \
                                     (1 - self._decay) * torch.sum(min_encodings, 0)
            # Laplace smoothing of the cluster size
            n = torch.sum(self._ema_cluster_size.data)
            self._ema_cluster_size = (
                (self._ema_cluster_size + self._epsilon)
                / (n + self.n_e * self._epsilon) * n)
            dw = torch.matmul(min_encodings.t(), z_flattened.detach())
            self._ema_w = nn.Parameter(self._ema_w * self._decay + (1 - self._decay) * dw)
            self.embedding.weight = nn.Parameter(self._ema_w / self._ema_cluster_size.unsqueeze(1))

        # compute loss for embedding
        if self._decay > 0:
            loss = self.beta * torch.mean((z_q.detach() - z) ** 2)
        else:
            loss = torch.mean((z_q.detach() - z) ** 2) + self.beta * torch.mean((z_q - z.detach()) ** 2)

        # preserve gradients
        z_q = z + (z_q - z).detach()

        # perplexity
        e_mean = torch.mean(min_encodings, dim=0)
        perplexity = torch.exp(-torch.sum(e_mean * torch.log(e_mean + 1e-10)))

        # reshape back to match original input shape
        z_q = z_q.permute(0, 3, 1, 2).contiguous()
        return loss, z_q, perplexity, min_encodings, min_encoding_indices


class VQVAE(nn.Module):
    def __init__(self, h_dim, res_h_dim, n_res_layers, n_embeddings, embedding_dim, beta, decay):
        super(VQVAE, self).__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(3, h_dim // 2, kernel_size=4, stride=2, padding=1),
            nn.ReLU(),
            nn.Conv2d(h_dim // 2, h_dim, kernel_size=4, stride=2, padding=1),
            nn.ReLU(),
            nn.Conv2d(h_dim, h_dim, kernel_size=3, stride=1, padding=1),
            ResidualStack(h_dim, h_dim, res_h_dim, n_res_layers)
        )
        self.pre_quantization_conv = nn.Conv2d(h_dim, embedding_dim, kernel_size=1, stride=1)
        self.vector_quantization = VectorQuantizerEMA(n_embeddings, embedding_dim, beta, decay)
        self.decoder = nn.Sequential(
            nn.ConvTranspose2d(embedding_dim, h_dim, kernel_size=3, stride=1, padding=1),
            ResidualStack(h_dim, h_dim, res_h_dim, n_res_layers),
            nn.ConvTranspose2d(h_dim, h_dim // 2, kernel_size=4, stride=2, padding=1),
            nn.ReLU(),
            nn.ConvTranspose2d(h_dim // 2, 3, kernel_size=4, stride=2, padding=1)
        )

    def forward(self, x, verbose=False):
        z_e = self.encoder(x)
        z_e = self.pre_quantization_conv(z_e)
        embedding_loss, z_q, perplexity, _, _ = self.vector_quantization(z_e)
        x_hat = self.decoder(z_q)

        if verbose:
            print('original data shape:', x.shape)
            print('encoded data shape:', z_e.shape)
            print('recon data shape:', x_hat.shape)
            assert False

        return embedding_loss, x_hat, perplexity


def load_block(n, seed):
    # colored blocks on a dark background, values in [-1,1]
    rng = np.random.RandomState(seed)
    x = np.zeros((n, 3, 32, 32), dtype=np.float32)
    for i in range(n):
        for _ in range(rng.randint(1, 4)):
            r, c, s = rng.randint(0, 24), rng.randint(0, 24), rng.randint(4, 10)
            x[i, :, r:r + s, c:c + s] = rng.rand(3, 1, 1)
    return torch.from_numpy(x * 2 - 1)


training_data = load_block(512, 0)
validation_data = load_block(96, 1)
x_train_var = np.var(training_data.numpy())
training_loader = DataLoader(TensorDataset(training_data), batch_size=args.batch_size, shuffle=True, pin_memory=True)
validation_loader = DataLoader(TensorDataset(validation_data), batch_size=args.batch_size, shuffle=False)

model = VQVAE(args.n_hiddens, args.n_residual_hiddens, args.n_residual_layers,
              args.n_embeddings, args.embedding_dim, args.beta, args.decay).to(device)

optimizer = optim.Adam(model.parameters(), lr=args.learning_rate, amsgrad=True)

results = {
    'n_updates': 0,
    'recon_errors': [],
    'loss_vals': [],
    'perplexities': [],
}


def save_model_and_results(model, results, hyperparameters, timestamp):
    os.makedirs('./out/results', exist_ok=True)
    torch.save({
        'model': model.state_dict(),
        'results': results,
        'hyperparameters': hyperparameters
    }, './out/results/vqvae_data_' + timestamp + '.pth')


def validate(step, writer=None):
    model.eval()
    total, ppl, n = 0., 0., 0
    with torch.no_grad():
        for x, in validation_loader:
            x = x.to(device)
            embedding_loss, x_hat, perplexity = model(x)
            total += (torch.mean((x_hat - x) ** 2) / x_train_var).item()
            ppl += perplexity.item()
            n += 1
        grid = make_grid(torch.cat([x[:8], x_hat[:8]]).cpu() * 0.5 + 0.5, nrow=8)
        os.makedirs('./out', exist_ok=True)
        save_image(grid, './out/recon_%d.png' % step)
    if writer is not None:
        writer.add_scalar('val/recon', total / n, step)
        writer.add_image('val/recon_grid', grid.clamp(0, 1), step)
    print('  [val] recon: %.4f  nll(bits): %.4f  perplexity: %.2f' % (
        total / n, 0.5 * math.log(2 * math.pi * max(total / n, 1e-8)), ppl / n))
    model.train()


def train():
    writer = SummaryWriter('./out/runs/' + args.filename) if SummaryWriter is not None else None

    data_iter = iter(training_loader)
    for i in range(args.n_updates):
        try:
            (x,) = next(data_iter)
        except StopIteration:
            data_iter = iter(training_loader)
            (x,) = next(data_iter)
        x = x.to(device)
        optimizer.zero_grad()

        embedding_loss, x_hat, perplexity = model(x)
        recon_loss = torch.mean((x_hat - x) ** 2) / x_train_var
        loss = recon_loss + embedding_loss

        loss.backward()
        optimizer.step()

        results["recon_errors"].append(recon_loss.cpu().detach().numpy())
        results["perplexities"].append(perplexity.cpu().detach().numpy())
        results["loss_vals"].append(loss.cpu().detach().numpy())
        results["n_updates"] = i

        if writer is not None:
            writer.add_scalar('train/loss', loss.item(), i)
            writer.add_scalar('train/perplexity', perplexity.item(), i)

        if (i + 1) % args.log_interval == 0:
            # save model and print values
            if args.save:
                hyperparameters = args.__dict__
                save_model_and_results(model, results, hyperparameters, args.filename)

            print('Update #', i + 1, 'Recon Error:',
                  np.mean(results["recon_errors"][-args.log_interval:]),
                  'Loss', np.mean(results["loss_vals"][-args.log_interval:]),
                  'Perplexity:', np.mean(results["perplexities"][-args.log_interval:]))
            validate(i + 1, writer)
    if writer is not None:
        writer.close()


if __name__ == "__main__":
    train()
