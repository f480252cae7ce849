from typing import NamedTuple

import torch
from torch.utils.data import Dataset


class TSP(object):
    NAME = 'tsp'

    @staticmethod
    def get_costs(dataset, pi):
        # Check that tours are valid, i.e. contain 0 to n -1
        assert (
            torch.arange(pi.size(1), out=pi.data.new()).view(1, -1).expand_as(pi) ==
            pi.data.sort(1)[0]
        ).all(), "Invalid tour"

        # Gather dataset in order of tour
        d = dataset.gather(1, pi.unsqueeze(-1).expand_as(dataset))

        # Length is distance (L2-norm of difference) from each next location from its prev and of last from first
        return (d[:, 1:] - d[:, :-1]).norm(p=2, dim=2).sum(1) + (d[:, 0] - d[:, -1]).norm(p=2, dim=1), None

    @staticmethod
    def make_dataset(*args, **kwargs):
        return TSPDataset(*args, **kwargs)

    @staticmethod
    def make_state(*args, **kwargs):
        return StateTSP.initialize(*args, **kwargs)


class TSPDataset(Dataset):
    def __init__(self, size=50, num_samples=1000000):
        super(TSPDataset, self).__init__()
        # Sample points randomly in [0, 1] square
        self.data = [torch.FloatTensor(size, 2).uniform_(0, 1) for i in range(num_samples)]
        self.size = len(self.data)

    def __len__(self):
        return self.size

    def __getitem__(self, idx):
        return self.data[idx]


class StateTSP(NamedTuple):
    # Fixed input
    loc: torch.Tensor
    # State
    ids: torch.Tensor
    first_a: torch.Tensor
    prev_a: torch.Tensor
    visited_: torch.Tensor
    lengths: torch.Tensor
    cur_coord: torch.Tensor
    i: torch.Tensor

    @property
    def visited(self):
        return self.visited_

    @staticmethod
    def initialize(loc):
        batch_size, n_loc, _ = loc.size()
        prev_a = torch.zeros(batch_size, 1, dtype=torch.long, device=loc.device)
        return StateTSP(
            loc=loc,
            ids=torch.arange(batch_size, dtype=torch.int64, device=loc.device)[:, None],
            first_a=prev_a,
            prev_a=prev_a,
            visited_=torch.zeros(batch_size, 1, n_loc, dtype=torch.uint8, device=loc.device),
            lengths=torch.zeros(batch_size, 1, device=loc.device),
            cur_coord=None,
            i=torch.zeros(1, dtype=torch.int64, device=loc.device)  # Vector with length num_steps
        )

    def update(self, selected):
        # Update the state
        prev_a = selected[:, None]  # Add dimension for step
        cur_coord = self.loc[self.ids, prev_a]
        lengths = self.lengths
        if self.cur_coord is not None:  # Don't add length for first action (selection of start node)
            lengths = self.lengths + (cur_coord - self.cur_coord).norm(p=2, dim=-1)  # (batch_dim, 1)
        # Update should only be called with just 1 parallel step, in which case we can check this way
        first_a = prev_a if self.i.item() == 0 else self.first_a
        visited_ = self.visited_.scatter(-1, prev_a[:, :, None], 1)
        return self._replace(first_a=first_a, prev_a=prev_a, visited_=visited_,
                             lengths=lengths, cur_coord=cur_coord, i=self.i + 1)

    def all_finished(self):
        # Exactly n steps
        return self.i.item() >= self.loc.size(-2)

    def get_mask(self):
        return self.visited > 0
