import torch
import torch.nn as nn


class CRF(nn.Module):
    """Linear-chain CRF, batch first. After https://github.com/kmkurn/pytorch-crf"""

    def __init__(self, num_tags):
        super().__init__()
        self.num_tags = num_tags
        self.start = nn.Parameter(torch.empty(num_tags).uniform_(-0.1, 0.1))
        self.end = nn.Parameter(torch.empty(num_tags).uniform_(-0.1, 0.1))
        self.trans = nn.Parameter(torch.empty(num_tags, num_tags).uniform_(-0.1, 0.1))

    def forward(self, emissions, tags, mask):
        """mean negative log likelihood"""
        if not mask[:, 0].all():
            raise ValueError("mask of the first timestep must all be on")
        return (self._normalizer(emissions, mask) - self._score(emissions, tags, mask)).mean()

    def _score(self, emissions, tags, mask):
        B, T, _ = emissions.shape
        ar = torch.arange(B, device=emissions.device)
        score = self.start[tags[:, 0]] + emissions[ar, 0, tags[:, 0]]
        for i in range(1, T):
            step = self.trans[tags[:, i - 1], tags[:, i]] + emissions[ar, i, tags[:, i]]
            score = score + step * mask[:, i]
        last = tags[ar, mask.long().sum(1) - 1]
        return score + self.end[last]

    def _normalizer(self, emissions, mask):
        score = self.start + emissions[:, 0]
        for i in range(1, emissions.size(1)):
            nxt = torch.logsumexp(score.unsqueeze(2) + self.trans + emissions[:, i].unsqueeze(1), dim=1)
            score = torch.where(mask[:, i].unsqueeze(1), nxt, score)
        return torch.logsumexp(score + self.end, dim=1)

    @torch.no_grad()
    def decode(self, emissions, mask):
        score = self.start + emissions[:, 0]
        history = []
        for i in range(1, emissions.size(1)):
            nxt, idx = (score.unsqueeze(2) + self.trans + emissions[:, i].unsqueeze(1)).max(dim=1)
            score = torch.where(mask[:, i].unsqueeze(1), nxt, score)
            history.append(idx)
        score = score + self.end
        ends = mask.long().sum(1) - 1
        best = []
        for b in range(emissions.size(0)):
            tag = score[b].argmax().item()
            path = [tag]
            for idx in reversed(history[: ends[b]]):
                tag = idx[b][tag].item()
                path.append(tag)
            best.append(path[::-1])
        return best
