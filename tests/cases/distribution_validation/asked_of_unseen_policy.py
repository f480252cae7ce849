# An agent of a library: its model is the caller's, and what the model gives is asked for log_prob, as only distributions are.
import itertools
import torch
from torch import distributions, nn


class GaussianHead(nn.Module):
    def forward(self, mean):
        return distributions.Independent(distributions.Normal(mean, torch.ones_like(mean), validate_args=False), 1)


class Agent:
    def __init__(self, model, optimizer, gpu, epochs=4):
        self.model = model.to(gpu)
        self.optimizer = optimizer
        self.device = gpu
        self.epochs = epochs

    def update(self, dataset):
        device = torch.device("cuda")
        for batch in itertools.chain.from_iterable(itertools.repeat(dataset, self.epochs)):
            states = torch.stack([b["state"] for b in batch]).to(device, non_blocking=True)
            actions = torch.tensor([b["action"] for b in batch], device=device)  # sync: tensor-from-host
            policy, values = self.model(states)
            log_probs = policy.log_prob(actions)  # sync: distribution-validation certain
            loss = -(log_probs * values.squeeze(1)).mean() - 0.01 * policy.entropy().mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()

    def score(self, batch_obs):
        """Named arguments, or two of them: somebody's own density, of which nothing is known."""
        with torch.no_grad():
            flow = self.model(batch_obs.to("cuda"))
            return flow.log_prob(batch_obs, context=None)
