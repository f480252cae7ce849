import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class FixedCategorical(torch.distributions.Categorical):
    def sample(self):
        return super().sample().unsqueeze(-1)

    def log_probs(self, actions):
        return super().log_prob(actions.squeeze(-1)).view(actions.size(0), -1).sum(-1).unsqueeze(-1)  # sync: distribution-validation

    def mode(self):
        return self.probs.argmax(dim=-1, keepdim=True)


def init(module, weight_init, bias_init, gain=1):
    weight_init(module.weight.data, gain=gain)
    bias_init(module.bias.data)
    return module


class Categorical(nn.Module):
    def __init__(self, num_inputs, num_outputs):
        super().__init__()
        self.linear = init(nn.Linear(num_inputs, num_outputs), nn.init.orthogonal_, lambda x: nn.init.constant_(x, 0), gain=0.01)

    def forward(self, x):
        return FixedCategorical(logits=self.linear(x))  # sync: distribution-validation


class Policy(nn.Module):
    def __init__(self, obs_shape, action_space, recurrent=True, hidden_size=512):
        super().__init__()
        init_ = lambda m: init(m, nn.init.orthogonal_, lambda x: nn.init.constant_(x, 0), nn.init.calculate_gain("relu"))
        self.main = nn.Sequential(
            init_(nn.Conv2d(obs_shape[0], 32, 8, stride=4)), nn.ReLU(),
            init_(nn.Conv2d(32, 64, 4, stride=2)), nn.ReLU(),
            init_(nn.Conv2d(64, 32, 3, stride=1)), nn.ReLU(), nn.Flatten(),
            init_(nn.Linear(32 * 7 * 7, hidden_size)), nn.ReLU(),
        )
        self.gru = nn.GRU(hidden_size, hidden_size)
        self.critic_linear = nn.Linear(hidden_size, 1)
        self.dist = Categorical(hidden_size, action_space.n)
        self.recurrent = recurrent

    def _forward_gru(self, x, hxs, masks):
        if x.size(0) == hxs.size(0):
            x, hxs = self.gru(x.unsqueeze(0), (hxs * masks).unsqueeze(0))
            return x.squeeze(0), hxs.squeeze(0)
        N = hxs.size(0)
        T = int(x.size(0) / N)
        x = x.view(T, N, x.size(1))
        masks = masks.view(T, N)
        has_zeros = (masks[1:] == 0.0).any(dim=-1).nonzero().squeeze().cpu()  # sync: copy-to-host, dynamic-shape
        if has_zeros.dim() == 0:
            has_zeros = [has_zeros.item() + 1]
        else:
            has_zeros = (has_zeros + 1).numpy().tolist()
        has_zeros = [0] + has_zeros + [T]
        hxs = hxs.unsqueeze(0)
        outputs = []
        for i in range(len(has_zeros) - 1):
            start, end = has_zeros[i], has_zeros[i + 1]
            rnn_scores, hxs = self.gru(x[start:end], hxs * masks[start].view(1, -1, 1))
            outputs.append(rnn_scores)
        return torch.cat(outputs, dim=0).view(T * N, -1), hxs.squeeze(0)

    def base(self, inputs, hxs, masks):
        x = self.main(inputs / 255.0)
        if self.recurrent:
            x, hxs = self._forward_gru(x, hxs, masks)
        return self.critic_linear(x), x, hxs

    def act(self, inputs, hxs, masks, deterministic=False):
        value, features, hxs = self.base(inputs, hxs, masks)
        dist = self.dist(features)
        action = dist.mode() if deterministic else dist.sample()
        return value, action, dist.log_probs(action), hxs

    def get_value(self, inputs, hxs, masks):
        return self.base(inputs, hxs, masks)[0]

    def evaluate_actions(self, inputs, hxs, masks, action):
        value, features, hxs = self.base(inputs, hxs, masks)
        dist = self.dist(features)
        return value, dist.log_probs(action), dist.entropy().mean(), hxs
