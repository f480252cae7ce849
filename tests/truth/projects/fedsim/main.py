import copy
import csv
import os
import time

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

from client import LocalUpdate
from nets import CNNMnist
from options import args_parser
from sampling import dirichlet_split, iid
from server import FedAvg, cosine_between_updates, test_img, update_control


class FakeMNIST(Dataset):
    def __init__(self, n, train=True):
        g = torch.Generator().manual_seed(0 if train else 1)
        protos = torch.rand(10, 1, 28, 28, generator=torch.Generator().manual_seed(99))
        self.targets = torch.randint(0, 10, (n,), generator=g)
        self.data = protos[self.targets] + 0.4 * torch.randn(n, 1, 28, 28, generator=g)

    def __len__(self):
        return len(self.targets)

    def __getitem__(self, i):
        return (self.data[i] - 0.5) / 0.5, int(self.targets[i])


if __name__ == '__main__':
    args = args_parser()
    args.device = torch.device('cuda:{}'.format(args.gpu) if torch.cuda.is_available() and args.gpu != -1 else 'cpu')
    if not torch.cuda.is_available():
        args.gpu = -1
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)

    dataset_train, dataset_test = FakeMNIST(800), FakeMNIST(200, train=False)
    test_loader = DataLoader(dataset_test, batch_size=args.bs)
    if args.dirichlet > 0:
        dict_users = dirichlet_split(dataset_train.targets.numpy(), args.num_users, args.dirichlet, args.num_classes)
    else:
        dict_users = iid(dataset_train, args.num_users)
    print('samples per client:', [len(v) for v in dict_users.values()])

    net_glob = CNNMnist(args).to(args.device)
    w_glob = net_glob.state_dict()
    clients = [LocalUpdate(args, i, dataset_train, dict_users[i]) for i in range(args.num_users)]
    c_global = [torch.zeros_like(p) for p in net_glob.parameters()]

    os.makedirs('./out/fed', exist_ok=True)
    log = open('./out/fed/{}_{}.csv'.format(args.alg, args.num_users), 'w')
    writer = csv.writer(log)
    writer.writerow(['round', 'train_loss', 'test_loss', 'test_acc', 'client_acc', 'drift', 'cos', 'time'])
    loss_train, best_acc = [], 0
    for rnd in range(args.rounds):
        t0 = time.time()
        w_locals, loss_locals, sizes, deltas, drifts, accs = [], [], [], [], [], []
        m = max(int(args.frac * args.num_users), 1)
        idxs_users = np.random.choice(range(args.num_users), m, replace=False)
        for idx in idxs_users:
            local = clients[idx]
            net = copy.deepcopy(net_glob)
            w, loss, c_delta, drift = local.train(net, c_global)
            w_locals.append(w)
            loss_locals.append(loss)
            sizes.append(local.n_train)
            deltas.append(c_delta)
            drifts.append(drift)
            accs.append(local.validate(net))
        cos = cosine_between_updates(w_locals, net_glob.state_dict())
        w_glob = FedAvg(w_locals, sizes)
        if args.alg == 'scaffold':
            c_global = update_control(c_global, deltas, args.num_users)
        net_glob.load_state_dict(w_glob)

        loss_avg = sum(loss_locals) / len(loss_locals)
        loss_train.append(loss_avg)
        acc_test, loss_test, per_class = test_img(net_glob, test_loader, args)
        print('Round {:3d}, Average loss {:.3f}, test loss {:.3f}, acc {:.2f}, local acc {:.2f}, cos {:.3f}'.format(
            rnd, loss_avg, loss_test, acc_test, np.mean(accs) * 100, cos))
        print('   worst class: {} ({:.2f})'.format(per_class.argmin(), per_class.min()))
        writer.writerow([rnd, loss_avg, loss_test, acc_test, np.mean(accs), np.mean(drifts), cos, time.time() - t0])
        log.flush()
        if acc_test > best_acc:
            best_acc = acc_test
            torch.save({k: v.cpu() for k, v in w_glob.items()}, './out/fed/best.pt')

    # personalisation gap
    final = [c.validate(net_glob) for c in clients]
    print('global model on the clients: mean {:.3f} std {:.3f} min {:.3f}'.format(np.mean(final), np.std(final), min(final)))
    log.close()
