import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class SplitBatchNorm1d(nn.BatchNorm1d):
    """BN over sub-batches, imitates multi-GPU BN on one GPU (as in the MoCo CIFAR notebook)."""

    def __init__(self, num_features, num_splits=4, **kw):
        super().__init__(num_features, **kw)
        self.num_splits = num_splits

    def forward(self, x):
        n, c, l = x.shape
        s = self.num_splits
        if self.training and n % s == 0:
            rm = self.running_mean.repeat(s)
            rv = self.running_var.repeat(s)
            out = F.batch_norm(
                x.reshape(-1, c * s, l), rm, rv, self.weight.repeat(s), self.bias.repeat(s),
                True, self.momentum, self.eps,
            ).view(n, c, l)
            with torch.no_grad():
                self.running_mean.copy_(rm.view(s, c).mean(0))
                self.running_var.copy_(rv.view(s, c).mean(0))
            return out
        return super().forward(x)


class ResBlock1d(nn.Module):
    def __init__(self, cin, cout, stride=1, k=5):
        super().__init__()
        self.conv1 = nn.Conv1d(cin, cout, k, stride, k // 2, bias=False)
        self.bn1 = SplitBatchNorm1d(cout)
        self.conv2 = nn.Conv1d(cout, cout, k, 1, k // 2, bias=False)
        self.bn2 = SplitBatchNorm1d(cout)
        self.down = None
        if stride != 1 or cin != cout:
            self.down = nn.Sequential(nn.Conv1d(cin, cout, 1, stride, bias=False), SplitBatchNorm1d(cout))

    def forward(self, x):
        idt = x if self.down is None else self.down(x)
        x = F.relu(self.bn1(self.conv1(x)))
        return F.relu(self.bn2(self.conv2(x)) + idt)


class Encoder(nn.Module):
    def __init__(self, in_ch=6, width=32, proj_dim=64):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv1d(in_ch, width, 7, padding=3, bias=False), SplitBatchNorm1d(width), nn.ReLU())
        self.layers = nn.Sequential(
            ResBlock1d(width, width),
            ResBlock1d(width, width * 2, 2),
            ResBlock1d(width * 2, width * 4, 2),
        )
        self.feat_dim = width * 4
        self.proj = nn.Sequential(nn.Linear(self.feat_dim, self.feat_dim), nn.ReLU(), nn.Linear(self.feat_dim, proj_dim))

    def features(self, x):
        return self.layers(self.stem(x)).mean(-1)

    def forward(self, x):
        return self.proj(self.features(x))


class MoCo(nn.Module):
    def __init__(self, encoder, dim=64, K=512, m=0.99, T=0.1):
        super().__init__()
        self.K, self.m, self.T = K, m, T
        self.encoder_q = encoder
        self.encoder_k = copy.deepcopy(encoder)
        for p in self.encoder_k.parameters():
            p.requires_grad = False
        self.register_buffer("queue", F.normalize(torch.randn(dim, K), dim=0))
        self.register_buffer("queue_ptr", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def _momentum_update_key_encoder(self):
        for pq, pk in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            pk.data = pk.data * self.m + pq.data * (1.0 - self.m)

    @torch.no_grad()
    def _dequeue_and_enqueue(self, keys):
        bs = keys.shape[0]
        ptr = int(self.queue_ptr)
        assert self.K % bs == 0
        self.queue[:, ptr:ptr + bs] = keys.T
        self.queue_ptr[0] = (ptr + bs) % self.K

    def contrastive_loss(self, im_q, im_k):
        q = F.normalize(self.encoder_q(im_q).float(), dim=1)
        with torch.no_grad():
            idx = torch.randperm(im_k.size(0), device=im_k.device)
            k = F.normalize(self.encoder_k(im_k[idx]).float(), dim=1)
            k = k[torch.argsort(idx)]
        l_pos = torch.einsum("nc,nc->n", q, k).unsqueeze(-1)
        l_neg = torch.einsum("nc,ck->nk", q, self.queue.clone().detach())
        logits = torch.cat([l_pos, l_neg], dim=1) / self.T
        labels = torch.zeros(logits.shape[0], dtype=torch.long, device=logits.device)
        acc = (logits.argmax(1) == 0).float().mean()
        return F.cross_entropy(logits, labels), k, acc

    def forward(self, im1, im2, symmetric=True):
        self._momentum_update_key_encoder()
        loss, k, acc = self.contrastive_loss(im1, im2)
        if symmetric:
            loss21, k1, acc21 = self.contrastive_loss(im2, im1)
            loss = 0.5 * (loss + loss21)
            acc = 0.5 * (acc + acc21)
            k = torch.cat([k, k1], dim=0)
        self._dequeue_and_enqueue(k)
        return loss, acc
