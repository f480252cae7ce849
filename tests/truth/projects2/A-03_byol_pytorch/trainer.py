import os
import tempfile

import torch
import torch.nn.functional as F
import torchvision
from torch.utils.data.dataloader import DataLoader
from tqdm import tqdm

from knn import knn_accuracy


class BYOLTrainer:
    def __init__(self, online_network, target_network, predictor, optimizer, device, **params):
        self.online_network = online_network
        self.target_network = target_network
        self.optimizer = optimizer
        self.device = device
        self.predictor = predictor
        self.max_epochs = params['max_epochs']
        self.log_dir = tempfile.mkdtemp(prefix='byol_')
        self.m = params['m']
        self.batch_size = params['batch_size']
        self.num_workers = params['num_workers']
        self.checkpoint_interval = params['checkpoint_interval']
        self.history = {'loss': [], 'knn': []}

    @torch.no_grad()
    def _update_target_network_parameters(self):
        """
        Momentum update of the key encoder
        """
        for param_q, param_k in zip(self.online_network.parameters(), self.target_network.parameters()):
            param_k.data = param_k.data * self.m + param_q.data * (1. - self.m)

    @staticmethod
    def regression_loss(x, y):
        x = F.normalize(x, dim=1)
        y = F.normalize(y, dim=1)
        return 2 - 2 * (x * y).sum(dim=-1)

    def initializes_target_network(self):
        # init momentum network as encoder net
        for param_q, param_k in zip(self.online_network.parameters(), self.target_network.parameters()):
            param_k.data.copy_(param_q.data)  # initialize
            param_k.requires_grad = False  # not update by gradient

    def train(self, train_dataset, bank_dataset=None, val_dataset=None, num_classes=None):
        train_loader = DataLoader(train_dataset, batch_size=self.batch_size,
                                  num_workers=self.num_workers, drop_last=True, shuffle=True)
        bank_loader = DataLoader(bank_dataset, batch_size=128)
        val_loader = DataLoader(val_dataset, batch_size=128)

        niter = 0
        self.initializes_target_network()
        running = None
        best = 0.

        for epoch_counter in range(self.max_epochs):
            self.online_network.train()
            self.predictor.train()
            self.target_network.train()
            bar = tqdm(train_loader, desc='epoch %d' % epoch_counter, mininterval=2)
            for (batch_view_1, batch_view_2), _ in bar:
                batch_view_1 = batch_view_1.to(self.device)
                batch_view_2 = batch_view_2.to(self.device)

                if niter == 0:
                    grid = torchvision.utils.make_grid(batch_view_1[:32])
                    torchvision.utils.save_image(grid, os.path.join(self.log_dir, 'views_1.png'))
                    grid = torchvision.utils.make_grid(batch_view_2[:32])
                    torchvision.utils.save_image(grid, os.path.join(self.log_dir, 'views_2.png'))

                loss = self.update(batch_view_1, batch_view_2)

                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()

                self._update_target_network_parameters()  # update the key encoder
                running = loss.item() if running is None else 0.9 * running + 0.1 * loss.item()
                self.history['loss'].append(loss.item())
                bar.set_postfix(loss=running)
                niter += 1
                if niter % self.checkpoint_interval == 0:
                    self.save_model(os.path.join(self.log_dir, 'model.pth'))

            acc = knn_accuracy(self.online_network, bank_loader, val_loader, num_classes, self.device)
            self.history['knn'].append(acc)
            if acc > best:
                best = acc
                self.save_model(os.path.join(self.log_dir, 'model_best.pth'))
            print("End of epoch {}, loss {:.4f}, knn top1 {:.2f} (best {:.2f})".format(epoch_counter, running, acc, best))

        # save checkpoints
        self.save_model(os.path.join(self.log_dir, 'model.pth'))

    def update(self, batch_view_1, batch_view_2):
        # compute query feature
        predictions_from_view_1 = self.predictor(self.online_network(batch_view_1))
        predictions_from_view_2 = self.predictor(self.online_network(batch_view_2))

        # compute key features
        with torch.no_grad():
            targets_to_view_2 = self.target_network(batch_view_1)
            targets_to_view_1 = self.target_network(batch_view_2)

        loss = self.regression_loss(predictions_from_view_1, targets_to_view_1)
        loss += self.regression_loss(predictions_from_view_2, targets_to_view_2)
        return loss.mean()

    def save_model(self, PATH):
        torch.save({
            'online_network_state_dict': self.online_network.state_dict(),
            'target_network_state_dict': self.target_network.state_dict(),
            'optimizer_state_dict': self.optimizer.state_dict(),
        }, PATH)
