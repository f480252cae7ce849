import torch
from torch.utils.data.sampler import BatchSampler, SubsetRandomSampler


def _flatten(T, N, x):
    return x.view(T * N, *x.size()[2:])


class RolloutStorage(object):
    def __init__(self, num_steps, num_processes, obs_shape, action_space, hidden_size):
        self.obs = torch.zeros(num_steps + 1, num_processes, *obs_shape)
        self.hidden = torch.zeros(num_steps + 1, num_processes, hidden_size)
        self.rewards = torch.zeros(num_steps, num_processes, 1)
        self.value_preds = torch.zeros(num_steps + 1, num_processes, 1)
        self.returns = torch.zeros(num_steps + 1, num_processes, 1)
        self.log_probs = torch.zeros(num_steps, num_processes, 1)
        action_shape = 1 if action_space.__class__.__name__ == "Discrete" else action_space.shape[0]
        self.actions = torch.zeros(num_steps, num_processes, action_shape)
        if action_space.__class__.__name__ == "Discrete":
            self.actions = self.actions.long()
        self.masks = torch.ones(num_steps + 1, num_processes, 1)
        self.num_steps = num_steps
        self.step = 0

    def to(self, device):
        self.obs = self.obs.to(device)
        self.hidden = self.hidden.to(device)
        self.rewards = self.rewards.to(device)
        self.value_preds = self.value_preds.to(device)
        self.returns = self.returns.to(device)
        self.log_probs = self.log_probs.to(device)
        self.actions = self.actions.to(device)
        self.masks = self.masks.to(device)

    def insert(self, obs, hidden, actions, log_probs, value_preds, rewards, masks):
        self.obs[self.step + 1].copy_(obs)
        self.hidden[self.step + 1].copy_(hidden)
        self.actions[self.step].copy_(actions)
        self.log_probs[self.step].copy_(log_probs)
        self.value_preds[self.step].copy_(value_preds)
        self.rewards[self.step].copy_(rewards)  # sync: copy-to-device
        self.masks[self.step + 1].copy_(masks)  # sync: copy-to-device
        self.step = (self.step + 1) % self.num_steps

    def after_update(self):
        self.obs[0].copy_(self.obs[-1])
        self.hidden[0].copy_(self.hidden[-1])
        self.masks[0].copy_(self.masks[-1])

    def compute_returns(self, next_value, gamma, lam):
        self.value_preds[-1] = next_value
        gae = 0
        for step in reversed(range(self.rewards.size(0))):
            delta = self.rewards[step] + gamma * self.value_preds[step + 1] * self.masks[step + 1] - self.value_preds[step]
            gae = delta + gamma * lam * self.masks[step + 1] * gae
            self.returns[step] = gae + self.value_preds[step]

    def feed_forward_generator(self, advantages, num_mini_batch):
        num_steps, num_processes = self.rewards.size()[0:2]
        batch_size = num_processes * num_steps
        mini_batch_size = batch_size // num_mini_batch
        sampler = BatchSampler(SubsetRandomSampler(range(batch_size)), mini_batch_size, drop_last=True)
        for indices in sampler:
            yield (
                self.obs[:-1].view(-1, *self.obs.size()[2:])[indices],  # sync: index-from-host
                self.hidden[:-1].view(-1, self.hidden.size(-1))[indices],  # sync: index-from-host
                self.actions.view(-1, self.actions.size(-1))[indices],  # sync: index-from-host
                self.value_preds[:-1].view(-1, 1)[indices],  # sync: index-from-host
                self.returns[:-1].view(-1, 1)[indices],  # sync: index-from-host
                self.masks[:-1].view(-1, 1)[indices],  # sync: index-from-host
                self.log_probs.view(-1, 1)[indices],  # sync: index-from-host
                advantages.view(-1, 1)[indices],  # sync: index-from-host
            )
