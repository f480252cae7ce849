import argparse
import copy
from collections import OrderedDict, defaultdict, deque

import higher
import learn2learn as l2l
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.func import functional_call, grad, vmap

from meta import ConvNet, inner_loop


def accuracy(predictions, targets):
    predictions = predictions.argmax(dim=1).view(targets.shape)
    return (predictions == targets).sum().float() / targets.size(0)


def fast_adapt(batch, learner, loss, steps, shots, ways, device):
    data, labels = batch
    data, labels = data.to(device), labels.to(device)  # sync: copy-to-device, copy-to-device
    adaptation_indices = np.zeros(data.size(0), dtype=bool)
    adaptation_indices[np.arange(shots * ways) * 2] = True
    evaluation_indices = torch.from_numpy(~adaptation_indices)
    adaptation_indices = torch.from_numpy(adaptation_indices)
    adaptation_data, adaptation_labels = data[adaptation_indices], labels[adaptation_indices]
    evaluation_data, evaluation_labels = data[evaluation_indices], labels[evaluation_indices]
    for step in range(steps):
        learner.adapt(loss(learner(adaptation_data), adaptation_labels))
    predictions = learner(evaluation_data)
    return loss(predictions, evaluation_labels), accuracy(predictions, evaluation_labels)


def main(ways=5, shots=1, meta_batch_size=32, cuda=True, iterations=60000):
    device = torch.device("cpu")
    if cuda and torch.cuda.device_count():
        device = torch.device("cuda")
    tasksets = l2l.vision.benchmarks.get_tasksets("omniglot", train_ways=ways)
    model = ConvNet(ways)
    model.to(device)
    maml = l2l.algorithms.MAML(model, lr=0.5, first_order=False)
    opt = optim.Adam(maml.parameters(), 0.003)
    loss = nn.CrossEntropyLoss(reduction="mean")
    for iteration in range(iterations):
        opt.zero_grad()
        meta_train_error = 0.0
        meta_train_accuracy = 0.0
        for task in range(meta_batch_size):
            learner = maml.clone()
            batch = tasksets.train.sample()
            evaluation_error, evaluation_accuracy = fast_adapt(batch, learner, loss, 1, shots, ways, device)
            evaluation_error.backward()
            meta_train_error += evaluation_error.item()  # sync: host-read
            meta_train_accuracy += evaluation_accuracy.item()  # sync: host-read
        print("Meta Train Error", meta_train_error / meta_batch_size)
        for p in maml.parameters():
            p.grad.data.mul_(1.0 / meta_batch_size)
        opt.step()


def own(args, loader):
    device = args.device
    net = ConvNet(args.ways).to(device)
    meta_opt = optim.Adam(net.parameters(), lr=1e-3)
    history = deque(maxlen=100)
    best = torch.tensor(float("inf"), device=device)
    for it, (sx, sy, qx, qy) in enumerate(loader):
        sx, sy, qx, qy = map(lambda t: t.to(device), (sx, sy, qx, qy))  # sync: copy-to-device
        losses, accs = [], []
        for b in range(sx.size(0)):
            fast = inner_loop(net, sx[b], sy[b], args.inner_lr, args.inner_steps)
            logits = net.functional_forward(qx[b], fast)
            losses.append(F.cross_entropy(logits, qy[b]))
            accs.append((logits.argmax(-1) == qy[b]).float().mean())
        loss = sum(losses) / len(losses)
        meta_opt.zero_grad()
        loss.backward()
        meta_opt.step()
        history.append(loss.detach())
        if loss < best:  # sync: tensor-truth
            best = loss.detach()
        if max(losses) > 10:  # sync: tensor-truth, tensor-truth
            print("diverging", [f"{l:.2f}" for l in losses])  # sync: host-read
        if it % args.log_every == 0:
            print(f"{it}: {np.mean([a.item() for a in accs]):.3f} {torch.stack(list(history)).mean():.4f}")  # sync: host-read note, host-read note
            worst = sorted(zip(losses, range(len(losses))), key=lambda p: p[0])[-1]  # sync: tensor-truth note
            print("task", worst[1])
        if 0.0 < loss < 1e-4:  # sync: tensor-truth
            break
    return best


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cuda:0" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--ways", type=int, default=5)
    parser.add_argument("--inner-lr", type=float, default=0.4)
    parser.add_argument("--inner-steps", type=int, default=5)
    parser.add_argument("--log-every", type=int, default=10)
    args = parser.parse_args()
    main()
    from tasks import TaskLoader
    own(args, torch.utils.data.DataLoader(TaskLoader(), batch_size=4))
