"""What a method does that only its name tells is likely: the receiver may be something else."""
import torch
import torch.distributed as dist
from boxes import Scorer
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Judge:
    def judge_all(self, boxes):
        if dist.is_initialized():
            dist.barrier()  # sync: library-wait likely
        return boxes


class Keeper:
    def keep_all(self, boxes):
        dist.barrier()  # sync: library-wait certain
        return boxes


def judged(scorer, boxes):
    return scorer.judge_all(boxes)


def evaluate(loader):
    model = nn.Linear(8, 4).cuda().eval()
    scorer, keeper = Scorer(), Keeper()
    for (x,) in loader:
        boxes = model(x.cuda())  # sync: copy-to-device certain
        judged(scorer, boxes)
        keeper.keep_all(boxes)


dist.init_process_group("nccl")
evaluate(DataLoader(TensorDataset(torch.randn(64, 8)), batch_size=8))
