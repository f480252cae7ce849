from collections import Counter

import numpy as np
import torch
import torch.nn.functional as F


def interleave(x, size):
    s = list(x.shape)
    return x.reshape([-1, size] + s[1:]).transpose(0, 1).reshape([-1] + s[1:])


def de_interleave(x, size):
    s = list(x.shape)
    return x.reshape([size, -1] + s[1:]).transpose(0, 1).reshape([-1] + s[1:])


class AlgorithmBase:
    def __init__(self, args, n_unlabeled):
        self.args = args
        self.n_unlabeled = n_unlabeled

    def ramp(self, step):
        T = max(self.args.rampup, 1)
        return float(np.exp(-5.0 * (1.0 - min(step, T) / T) ** 2))

    def step(self, model, ema, batch_l, batch_u, it):
        raise NotImplementedError


class FixMatch(AlgorithmBase):
    def threshold(self, max_probs, targets_u, idx):
        return max_probs.ge(self.args.threshold).float()

    def step(self, model, ema, batch_l, batch_u, it):
        args = self.args
        inputs_x, targets_x, _ = batch_l
        (inputs_u_w, inputs_u_s), y_u, idx_u = batch_u
        batch_size = inputs_x.shape[0]
        inputs = interleave(torch.cat((inputs_x, inputs_u_w, inputs_u_s)), 2 * args.mu + 1).to(args.device)
        targets_x = targets_x.to(args.device)
        logits = model(inputs)
        logits = de_interleave(logits, 2 * args.mu + 1)
        logits_x = logits[:batch_size]
        logits_u_w, logits_u_s = logits[batch_size:].chunk(2)
        del logits

        Lx = F.cross_entropy(logits_x, targets_x, reduction='mean')
        pseudo_label = torch.softmax(logits_u_w.detach() / args.T, dim=-1)
        max_probs, targets_u = torch.max(pseudo_label, dim=-1)
        mask = self.threshold(max_probs, targets_u, idx_u)
        Lu = (F.cross_entropy(logits_u_s, targets_u, reduction='none') * mask).mean()
        loss = Lx + args.lambda_u * Lu
        hit = (targets_u == y_u.to(args.device)).float()
        pl_acc = (hit * mask).sum() / mask.sum().clamp(min=1)
        return loss, {'loss_x': Lx.item(), 'loss_u': Lu.item(), 'mask': mask.mean().item(), 'pl_acc': pl_acc.item()}


class FlexMatch(FixMatch):
    def __init__(self, args, n_unlabeled):
        super().__init__(args, n_unlabeled)
        self.selected_label = torch.full((n_unlabeled,), -1, dtype=torch.long, device=args.device)
        self.classwise_acc = torch.zeros(args.num_classes, device=args.device)

    def update_classwise(self):
        counter = Counter(self.selected_label.tolist())
        if max(counter.values()) < self.n_unlabeled:      # not all(-1)
            wo_negative = {k: v for k, v in counter.items() if k != -1}
            denom = max(max(wo_negative.values()), counter.get(-1, 0))
            for i in range(self.args.num_classes):
                self.classwise_acc[i] = counter.get(i, 0) / denom

    def threshold(self, max_probs, targets_u, idx):
        self.update_classwise()
        acc = self.classwise_acc[targets_u]
        mask = max_probs.ge(self.args.threshold * (acc / (2. - acc))).float()
        select = max_probs.ge(self.args.threshold)
        idx = idx.to(self.args.device)
        if idx[select].nelement() != 0:
            self.selected_label[idx[select]] = targets_u[select]
        return mask


class MeanTeacher(AlgorithmBase):
    def step(self, model, ema, batch_l, batch_u, it):
        args = self.args
        x, y, _ = batch_l
        (u_w, u_s), _, _ = batch_u
        x, y, u_w, u_s = [t.to(args.device) for t in (x, y, u_w, u_s)]
        logits_x, logits_s = model(torch.cat([x, u_s])).split([len(x), len(u_s)])
        with torch.no_grad():
            teacher = ema.ema(u_w).softmax(-1)
        Lx = F.cross_entropy(logits_x, y)
        Lu = F.mse_loss(logits_s.softmax(-1), teacher)
        w = args.lambda_u * 10 * self.ramp(it)
        return Lx + w * Lu, {'loss_x': Lx.item(), 'loss_u': Lu.item(), 'mask': w,
                             'pl_acc': teacher.max(-1)[0].mean().item()}


ALGORITHMS = {'fixmatch': FixMatch, 'flexmatch': FlexMatch, 'meanteacher': MeanTeacher}
