import torch
import torch.nn as nn
import torch.nn.functional as F


@torch.no_grad()
def extract(encoder, loader, device):
    encoder.eval()
    feats, labels = [], []
    for x, y in loader:
        feats.append(encoder.features(x.to(device, non_blocking=True)).float())
        labels.append(y.to(device))
    return torch.cat(feats), torch.cat(labels)


def knn_accuracy(train_f, train_y, test_f, test_y, n_cls, k=20, t=0.1):
    bank = F.normalize(train_f, dim=1)
    sim = F.normalize(test_f, dim=1) @ bank.T
    w, idx = sim.topk(k, dim=-1)
    w = (w / t).exp()
    lab = train_y[idx]
    scores = torch.zeros(test_f.size(0), n_cls, device=test_f.device)
    scores.scatter_add_(1, lab, w)
    return (scores.argmax(1) == test_y).float().mean().item() * 100


def linear_probe(train_f, train_y, test_f, test_y, n_cls, epochs=30, lr=0.05):
    mu, sd = train_f.mean(0), train_f.std(0) + 1e-5
    train_f, test_f = (train_f - mu) / sd, (test_f - mu) / sd
    clf = nn.Linear(train_f.size(1), n_cls).to(train_f.device)
    opt = torch.optim.SGD(clf.parameters(), lr=lr, momentum=0.9, weight_decay=1e-4)
    for _ in range(epochs):
        for idx in torch.randperm(len(train_f), device=train_f.device).split(256):
            loss = F.cross_entropy(clf(train_f[idx]), train_y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
    with torch.no_grad():
        pred = clf(test_f).argmax(1)
    conf = torch.zeros(n_cls, n_cls, dtype=torch.long, device=pred.device)
    conf.index_put_((test_y, pred), torch.ones_like(pred), accumulate=True)
    acc = conf.diag().sum().item() / conf.sum().item() * 100
    return acc, conf.cpu()
