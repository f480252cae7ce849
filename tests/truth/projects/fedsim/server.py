import copy

import torch
import torch.nn.functional as F


def FedAvg(w, sizes):
    total = float(sum(sizes))
    w_avg = copy.deepcopy(w[0])
    for k in w_avg.keys():
        if not w_avg[k].is_floating_point():
            w_avg[k] = max((x[k] for x in w), key=lambda t: t.item())
            continue
        w_avg[k] = w_avg[k] * (sizes[0] / total)
        for i in range(1, len(w)):
            w_avg[k] += w[i][k] * (sizes[i] / total)
    return w_avg


def update_control(c_global, deltas, num_users):
    for i in range(len(c_global)):
        c_global[i] += sum(d[i] for d in deltas) / num_users
    return c_global


def cosine_between_updates(w_locals, w_glob):
    flat = []
    for w in w_locals:
        flat.append(torch.cat([(w[k] - w_glob[k]).flatten() for k in w if w[k].is_floating_point()]))
    flat = F.normalize(torch.stack(flat), dim=1)
    sim = flat @ flat.t()
    n = len(w_locals)
    return ((sim.sum() - n) / (n * (n - 1))).item()


def test_img(net_g, loader, args):
    net_g.eval()
    test_loss, correct = 0, 0
    per_class = torch.zeros(args.num_classes, 2)
    with torch.no_grad():
        for idx, (data, target) in enumerate(loader):
            if args.gpu != -1:
                data, target = data.cuda(), target.cuda()
            log_probs = net_g(data)
            # sum up batch loss
            test_loss += F.cross_entropy(log_probs, target, reduction='sum').item()
            # get the index of the max log-probability
            y_pred = log_probs.data.max(1, keepdim=True)[1]
            hits = y_pred.eq(target.data.view_as(y_pred))
            correct += hits.long().cpu().sum()
            for t, h in zip(target.tolist(), hits.flatten().tolist()):
                per_class[t, 0] += h
                per_class[t, 1] += 1
    n = len(loader.dataset)
    return 100.00 * correct.item() / n, test_loss / n, (per_class[:, 0] / per_class[:, 1].clamp(min=1)).numpy()
