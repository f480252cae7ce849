import os
import shutil
import tempfile
import torch


class Saver(object):
    def __init__(self, args):
        self.args = args
        self.experiment_dir = tempfile.mkdtemp(prefix='run_{}_'.format(args.checkname))

    def save_checkpoint(self, state, is_best, filename='checkpoint.pth.tar'):
        """Saves checkpoint to disk"""
        filename = os.path.join(self.experiment_dir, filename)
        torch.save(state, filename)
        if is_best:
            best_pred = state['best_pred']
            with open(os.path.join(self.experiment_dir, 'best_pred.txt'), 'w') as f:
                f.write(str(best_pred))
            shutil.copyfile(filename, os.path.join(self.experiment_dir, 'model_best.pth.tar'))

    def save_experiment_config(self):
        with open(os.path.join(self.experiment_dir, 'parameters.txt'), 'w') as f:
            for key, val in vars(self.args).items():
                f.write(key + ':' + str(val) + '\n')
