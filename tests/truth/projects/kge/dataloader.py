import numpy as np
import torch
from torch.utils.data import Dataset


class TrainDataset(Dataset):
    def __init__(self, triples, nentity, nrelation, negative_sample_size, mode):
        self.triples = triples
        self.triple_set = set(triples)
        self.nentity = nentity
        self.nrelation = nrelation
        self.negative_sample_size = negative_sample_size
        self.mode = mode
        self.count = self.count_frequency(triples)
        self.true_head, self.true_tail = self.get_true_head_and_tail(self.triples)

    def __len__(self):
        return len(self.triples)

    def __getitem__(self, idx):
        head, relation, tail = self.triples[idx]
        subsampling_weight = self.count[(head, relation)] + self.count[(tail, -relation - 1)]
        subsampling_weight = torch.sqrt(1 / torch.Tensor([subsampling_weight]))

        negative_sample_list = []
        negative_sample_size = 0
        while negative_sample_size < self.negative_sample_size:
            negative_sample = np.random.randint(self.nentity, size=self.negative_sample_size * 2)
            true = self.true_head[(relation, tail)] if self.mode == 'head-batch' else self.true_tail[(head, relation)]
            mask = np.isin(negative_sample, true, assume_unique=True, invert=True)
            negative_sample = negative_sample[mask]
            negative_sample_list.append(negative_sample)
            negative_sample_size += negative_sample.size
        negative_sample = np.concatenate(negative_sample_list)[:self.negative_sample_size]
        return (torch.LongTensor((head, relation, tail)), torch.from_numpy(negative_sample), subsampling_weight,
                self.mode)

    @staticmethod
    def collate_fn(data):
        positive_sample = torch.stack([_[0] for _ in data], dim=0)
        negative_sample = torch.stack([_[1] for _ in data], dim=0)
        subsample_weight = torch.cat([_[2] for _ in data], dim=0)
        return positive_sample, negative_sample, subsample_weight, data[0][3]

    @staticmethod
    def count_frequency(triples, start=4):
        count = {}
        for head, relation, tail in triples:
            count[(head, relation)] = count.get((head, relation), start) + 1
            count[(tail, -relation - 1)] = count.get((tail, -relation - 1), start) + 1
        return count

    @staticmethod
    def get_true_head_and_tail(triples):
        true_head, true_tail = {}, {}
        for head, relation, tail in triples:
            true_tail.setdefault((head, relation), set()).add(tail)
            true_head.setdefault((relation, tail), set()).add(head)
        return ({k: np.array(list(v)) for k, v in true_head.items()},
                {k: np.array(list(v)) for k, v in true_tail.items()})


class TestDataset(Dataset):
    def __init__(self, triples, all_true_triples, nentity, nrelation, mode):
        self.triple_set = set(all_true_triples)
        self.triples = triples
        self.nentity = nentity
        self.mode = mode

    def __len__(self):
        return len(self.triples)

    def __getitem__(self, idx):
        head, relation, tail = self.triples[idx]
        if self.mode == 'head-batch':
            tmp = [(0, rand_head) if (rand_head, relation, tail) not in self.triple_set else (-1, head)
                   for rand_head in range(self.nentity)]
            tmp[head] = (0, head)
        else:
            tmp = [(0, rand_tail) if (head, relation, rand_tail) not in self.triple_set else (-1, tail)
                   for rand_tail in range(self.nentity)]
            tmp[tail] = (0, tail)
        tmp = torch.LongTensor(tmp)
        # tiny tilt so that ties do not duplicate the positive
        filter_bias = tmp[:, 0].float() * 1000
        negative_sample = torch.arange(self.nentity)
        return torch.LongTensor((head, relation, tail)), negative_sample, filter_bias, self.mode

    @staticmethod
    def collate_fn(data):
        return (torch.stack([_[0] for _ in data], dim=0), torch.stack([_[1] for _ in data], dim=0),
                torch.stack([_[2] for _ in data], dim=0), data[0][3])


class BidirectionalOneShotIterator(object):
    def __init__(self, dataloader_head, dataloader_tail):
        self.iterator_head = self.one_shot_iterator(dataloader_head)
        self.iterator_tail = self.one_shot_iterator(dataloader_tail)
        self.step = 0

    def __next__(self):
        self.step += 1
        return next(self.iterator_head if self.step % 2 == 0 else self.iterator_tail)

    @staticmethod
    def one_shot_iterator(dataloader):
        """Transform a PyTorch Dataloader into python iterator"""
        while True:
            for data in dataloader:
                yield data
