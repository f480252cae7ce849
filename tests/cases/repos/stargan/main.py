import argparse

from munch import Munch
from torch.backends import cudnn

from data_loader import get_train_loader
from solver import Solver


def main(args):
    cudnn.benchmark = True
    solver = Solver(args)
    loaders = Munch(src=get_train_loader(args.train_img_dir, args.batch_size),
                    ref=get_train_loader(args.train_img_dir, args.batch_size))
    solver.train(loaders)


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--img_size', type=int, default=256)
    parser.add_argument('--latent_dim', type=int, default=16)
    parser.add_argument('--lambda_ds', type=float, default=1)
    parser.add_argument('--batch_size', type=int, default=8)
    parser.add_argument('--print_every', type=int, default=10)
    main(parser.parse_args())
