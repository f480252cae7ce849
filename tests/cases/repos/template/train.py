import json

import torch
import model.loss as module_loss
import model.metric as module_metric
import model.model as module_arch
from parse_config import ConfigParser
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
from trainer import Trainer
from utils import prepare_device


def main(config):
    logger = config.get_logger('train')
    trsfm = transforms.Compose([transforms.ToTensor()])
    data_loader = DataLoader(datasets.MNIST('data/', train=True, transform=trsfm), batch_size=128, num_workers=2)
    valid_data_loader = DataLoader(datasets.MNIST('data/', train=False, transform=trsfm), batch_size=512)
    model = config.init_obj('arch', module_arch)
    logger.info(model)
    device, device_ids = prepare_device(config['n_gpu'])
    model = model.to(device)
    if len(device_ids) > 1:
        model = torch.nn.DataParallel(model, device_ids=device_ids)
    criterion = getattr(module_loss, config['loss'])
    metrics = [getattr(module_metric, met) for met in config['metrics']]
    trainable_params = filter(lambda p: p.requires_grad, model.parameters())
    optimizer = config.init_obj('optimizer', torch.optim, trainable_params)
    lr_scheduler = config.init_obj('lr_scheduler', torch.optim.lr_scheduler, optimizer)
    trainer = Trainer(model, criterion, metrics, optimizer, config=config, device=device, data_loader=data_loader,
                      valid_data_loader=valid_data_loader, lr_scheduler=lr_scheduler)
    trainer.train()


if __name__ == '__main__':
    main(ConfigParser(json.load(open('config.json'))))
