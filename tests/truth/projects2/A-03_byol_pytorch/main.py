import os

import numpy as np
import torch
from torchvision import transforms

from config import config
from data.blobs import PolygonDataset
from data.transforms import MultiViewDataInjector, get_simclr_data_transforms
from models.mlp_head import MLPHead
from models.resnet_base_network import ResNet18
from optim.lars import LARS
from trainer import BYOLTrainer

print(torch.__version__)
torch.manual_seed(0)
np.random.seed(0)


def split_params(modules):
    decay, no_decay = [], []
    for m in modules:
        for name, p in m.named_parameters():
            (no_decay if p.ndim == 1 else decay).append(p)
    return decay, no_decay


def main():
    device = 'cuda' if torch.cuda.is_available() else 'cpu'
    print(f"Training with: {device}")

    data_transform = get_simclr_data_transforms(**config['data_transforms'])
    d = config['data']
    train_dataset = PolygonDataset(d['n_train'], d['num_classes'], seed=0,
                                   transform=MultiViewDataInjector([data_transform, data_transform]))
    plain = transforms.Compose([transforms.CenterCrop(config['data_transforms']['input_shape'][0]), transforms.ToTensor()])
    bank_dataset = PolygonDataset(d['n_train'] // 2, d['num_classes'], seed=0, transform=plain)
    val_dataset = PolygonDataset(d['n_val'], d['num_classes'], seed=1, transform=plain)

    # online network
    online_network = ResNet18(**config['network']).to(device)

    # predictor network
    predictor = MLPHead(in_channels=online_network.projetion.net[-1].out_features,
                        **config['network']['projection_head']).to(device)

    # target encoder
    target_network = ResNet18(**config['network']).to(device)

    decay, no_decay = split_params([online_network, predictor])
    groups = [{'params': decay}]
    if config['optimizer']['exclude_bias_and_bn']:
        groups.append({'params': no_decay, 'weight_decay': 0., 'lars_exclude': True, 'lr': 0.02})
    steps = config['trainer']['max_epochs'] * (d['n_train'] // config['trainer']['batch_size'])
    optimizer = LARS(groups, max_epoch=steps, **config['optimizer']['params'])

    trainer = BYOLTrainer(online_network=online_network,
                          target_network=target_network,
                          optimizer=optimizer,
                          predictor=predictor,
                          device=device,
                          **config['trainer'])

    trainer.train(train_dataset, bank_dataset, val_dataset, d['num_classes'])
    print(trainer.history['knn'])


if __name__ == '__main__':
    main()
