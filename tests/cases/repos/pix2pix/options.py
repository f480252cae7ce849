import argparse


class TrainOptions:
    def parse(self):
        parser = argparse.ArgumentParser()
        parser.add_argument('--gpu_ids', type=str, default='0', help='gpu ids: e.g. 0  0,1,2, 0,2. use -1 for CPU')
        parser.add_argument('--model', type=str, default='cycle')
        parser.add_argument('--print_freq', type=int, default=100)
        opt = parser.parse_args()
        opt.isTrain = True
        str_ids = opt.gpu_ids.split(',')
        opt.gpu_ids = []
        for str_id in str_ids:
            id = int(str_id)
            if id >= 0:
                opt.gpu_ids.append(id)
        return opt
