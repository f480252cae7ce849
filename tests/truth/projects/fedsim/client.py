import copy

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class DatasetSplit(Dataset):
    def __init__(self, dataset, idxs):
        self.dataset = dataset
        self.idxs = list(idxs)

    def __len__(self):
        return len(self.idxs)

    def __getitem__(self, item):
        image, label = self.dataset[self.idxs[item]]
        return image, label


class LocalUpdate(object):
    def __init__(self, args, cid, dataset, idxs):
        self.args = args
        self.cid = cid
        self.loss_func = nn.CrossEntropyLoss()
        idxs = list(idxs)
        n_val = max(1, len(idxs) // 5)
        self.ldr_val = DataLoader(DatasetSplit(dataset, idxs[:n_val]), batch_size=args.bs)
        self.ldr_train = DataLoader(DatasetSplit(dataset, idxs[n_val:]), batch_size=args.local_bs, shuffle=True)
        self.n_train = len(idxs) - n_val
        self.c_local = None

    def train(self, net, c_global=None):
        args = self.args
        net.train()
        global_params = [p.detach().clone() for p in net.parameters()]
        if args.alg == 'scaffold' and self.c_local is None:
            self.c_local = [torch.zeros_like(p) for p in global_params]
        optimizer = torch.optim.SGD(net.parameters(), lr=args.lr,
                                    momentum=0 if args.alg == 'scaffold' else args.momentum)
        epoch_loss, steps = [], 0
        for it in range(args.local_ep):
            batch_loss = []
            for batch_idx, (images, labels) in enumerate(self.ldr_train):
                if len(images) < 2:
                    continue
                images, labels = images.to(args.device), labels.to(args.device)
                net.zero_grad()
                log_probs = net(images)
                loss = self.loss_func(log_probs, labels)
                if args.alg == 'fedprox':
                    prox = 0.0
                    for w, w_t in zip(net.parameters(), global_params):
                        prox += (w - w_t).norm(2)
                    loss = loss + args.mu / 2 * prox
                loss.backward()
                if args.alg == 'scaffold':
                    for p, c, ci in zip(net.parameters(), c_global, self.c_local):
                        p.grad.data += c - ci
                optimizer.step()
                steps += 1
                if args.verbose and batch_idx % 2 == 0:
                    print('Client {} epoch {} [{}/{}]\tLoss: {:.6f}'.format(
                        self.cid, it, batch_idx * len(images), self.n_train, loss.item()))
                batch_loss.append(loss.item())
            epoch_loss.append(sum(batch_loss) / len(batch_loss))

        c_delta = None
        if args.alg == 'scaffold':
            c_delta = []
            for i, (w_g, w_l) in enumerate(zip(global_params, net.parameters())):
                c_new = self.c_local[i] - c_global[i] + (w_g - w_l.detach()) / (steps * args.lr)
                c_delta.append(c_new - self.c_local[i])
                self.c_local[i] = c_new
        drift = sum((a - b).norm().item() ** 2 for a, b in zip(net.parameters(), global_params)) ** 0.5
        return copy.deepcopy(net.state_dict()), sum(epoch_loss) / len(epoch_loss), c_delta, drift

    @torch.no_grad()
    def validate(self, net):
        net.eval()
        correct, total = 0, 0
        for images, labels in self.ldr_val:
            out = net(images.to(self.args.device))
            correct += (out.argmax(1).cpu() == labels).sum().item()
            total += len(labels)
        return correct / total
