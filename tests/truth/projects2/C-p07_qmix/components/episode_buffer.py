import numpy as np
import torch as th


class EpisodeBatch:
    def __init__(self, scheme, batch_size, max_seq_length, data=None, device="cpu"):
        self.scheme = scheme
        self.batch_size = batch_size
        self.max_seq_length = max_seq_length
        self.device = device
        if data is not None:
            self.data = data
        else:
            self.data = {}
            for k, (shape, dtype) in scheme.items():
                self.data[k] = th.zeros((batch_size, max_seq_length, *shape), dtype=dtype, device=device)

    def update(self, data, bs=slice(None), ts=slice(None)):
        for k, v in data.items():
            if k not in self.data:
                raise KeyError("{} not found in the batch".format(k))
            dtype = self.scheme[k][1]
            if not isinstance(v, th.Tensor):
                v = th.tensor(np.array(v), dtype=dtype, device=self.device)
            self.data[k][bs, ts] = v.to(dtype).to(self.device).view_as(self.data[k][bs, ts])

    def __getitem__(self, item):
        if isinstance(item, str):
            return self.data[item]
        bs, ts = item if isinstance(item, tuple) else (item, slice(None))
        new = {k: v[bs][:, ts] for k, v in self.data.items()}
        first = next(iter(new.values()))
        return EpisodeBatch(self.scheme, first.shape[0], first.shape[1], new, self.device)

    def max_t_filled(self):
        return th.sum(self.data["filled"], 1).max(0)[0]

    def to(self, device):
        for k, v in self.data.items():
            self.data[k] = v.to(device)
        self.device = device


class ReplayBuffer(EpisodeBatch):
    def __init__(self, scheme, buffer_size, max_seq_length, device="cpu"):
        super().__init__(scheme, buffer_size, max_seq_length, device=device)
        self.buffer_size = buffer_size
        self.buffer_index = 0
        self.episodes_in_buffer = 0

    def insert_episode_batch(self, ep_batch):
        if self.buffer_index + ep_batch.batch_size <= self.buffer_size:
            self.update(ep_batch.data, slice(self.buffer_index, self.buffer_index + ep_batch.batch_size),
                        slice(0, ep_batch.max_seq_length))
            self.buffer_index += ep_batch.batch_size
            self.episodes_in_buffer = max(self.episodes_in_buffer, self.buffer_index)
            self.buffer_index = self.buffer_index % self.buffer_size
        else:
            left = self.buffer_size - self.buffer_index
            self.insert_episode_batch(ep_batch[0:left, :])
            self.insert_episode_batch(ep_batch[left:, :])

    def can_sample(self, batch_size):
        return self.episodes_in_buffer >= batch_size

    def sample(self, batch_size):
        assert self.can_sample(batch_size)
        ep_ids = np.random.choice(self.episodes_in_buffer, batch_size, replace=False)
        return self[th.as_tensor(ep_ids, device=self.device), :]

    def __repr__(self):
        return "ReplayBuffer. {}/{} episodes.".format(self.episodes_in_buffer, self.buffer_size)
