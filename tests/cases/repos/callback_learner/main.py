import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from callbacks import DeviceCB, MetricsCB, StopCB, TrainCB
from learner import Learner


class DataLoaders:
    def __init__(self, train, valid):
        self.train, self.valid = train, valid


def main():
    data = TensorDataset(torch.randn(512, 20), torch.randint(0, 5, (512,)))
    dls = DataLoaders(DataLoader(data, 32, shuffle=True), DataLoader(data, 64))
    model = nn.Sequential(nn.Linear(20, 50), nn.ReLU(), nn.Linear(50, 5))
    learn = Learner(model, dls, F.cross_entropy, cbs=[TrainCB(), DeviceCB(), MetricsCB(), StopCB()])
    learn.fit(3)


main()
