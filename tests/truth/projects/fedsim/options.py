import argparse


def args_parser():
    p = argparse.ArgumentParser()
    p.add_argument('--rounds', type=int, default=4, help="rounds of training")
    p.add_argument('--num_users', type=int, default=8)
    p.add_argument('--frac', type=float, default=0.5, help="fraction of clients per round")
    p.add_argument('--local_ep', type=int, default=2)
    p.add_argument('--local_bs', type=int, default=16)
    p.add_argument('--bs', type=int, default=64, help="test batch size")
    p.add_argument('--lr', type=float, default=0.05)
    p.add_argument('--momentum', type=float, default=0.5)
    p.add_argument('--alg', default='scaffold', choices=['fedavg', 'fedprox', 'scaffold'])
    p.add_argument('--mu', type=float, default=0.01, help="fedprox")
    p.add_argument('--dirichlet', type=float, default=0.5)
    p.add_argument('--num_classes', type=int, default=10)
    p.add_argument('--gpu', type=int, default=0, help="GPU ID, -1 for CPU")
    p.add_argument('--verbose', action='store_true')
    p.add_argument('--seed', type=int, default=1)
    return p.parse_args()
