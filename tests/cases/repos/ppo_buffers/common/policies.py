from typing import Any, Dict, Optional, Tuple, Type, Union

import numpy as np
import torch as th
from gymnasium import spaces
from torch import nn
from torch.distributions import Normal


def obs_as_tensor(obs: Union[np.ndarray, Dict[str, np.ndarray]], device: th.device):
    if isinstance(obs, np.ndarray):
        return th.as_tensor(obs, device=device)  # sync: tensor-from-host
    elif isinstance(obs, dict):
        return {key: th.as_tensor(_obs, device=device) for (key, _obs) in obs.items()}
    else:
        raise Exception(f"Unrecognized type of observation {type(obs)}")


class DiagGaussianDistribution:
    def __init__(self, action_dim: int):
        self.action_dim = action_dim
        self.distribution: Optional[Normal] = None

    def proba_distribution_net(self, latent_dim: int, log_std_init: float = 0.0):
        mean_actions = nn.Linear(latent_dim, self.action_dim)
        log_std = nn.Parameter(th.ones(self.action_dim) * log_std_init, requires_grad=True)
        return mean_actions, log_std

    def proba_distribution(self, mean_actions: th.Tensor, log_std: th.Tensor) -> "DiagGaussianDistribution":
        action_std = th.ones_like(mean_actions) * log_std.exp()
        self.distribution = Normal(mean_actions, action_std)  # sync: distribution-validation
        return self

    def log_prob(self, actions: th.Tensor) -> th.Tensor:
        return self.distribution.log_prob(actions).sum(dim=1)  # sync: distribution-validation

    def entropy(self) -> Optional[th.Tensor]:
        return self.distribution.entropy().sum(dim=1)

    def get_actions(self, deterministic: bool = False) -> th.Tensor:
        if deterministic:
            return self.distribution.mean
        return self.distribution.rsample()


class ActorCriticPolicy(nn.Module):
    def __init__(self, observation_space: spaces.Space, action_space: spaces.Space, lr: float, optimizer_class: Type[th.optim.Optimizer] = th.optim.Adam):
        super().__init__()
        n = observation_space.shape[0]
        self.policy_net = nn.Sequential(nn.Linear(n, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh())
        self.value_net = nn.Sequential(nn.Linear(n, 64), nn.Tanh(), nn.Linear(64, 1))
        self.action_dist = DiagGaussianDistribution(action_space.shape[0])
        self.action_net, self.log_std = self.action_dist.proba_distribution_net(64)
        self.optimizer = optimizer_class(self.parameters(), lr=lr, eps=1e-5)

    @property
    def device(self) -> th.device:
        for param in self.parameters():
            return param.device
        return th.device("cpu")

    def set_training_mode(self, mode: bool) -> None:
        self.train(mode)

    def _get_action_dist(self, obs: th.Tensor) -> DiagGaussianDistribution:
        return self.action_dist.proba_distribution(self.action_net(self.policy_net(obs)), self.log_std)

    def forward(self, obs: th.Tensor, deterministic: bool = False) -> Tuple[th.Tensor, th.Tensor, th.Tensor]:
        values = self.value_net(obs)
        distribution = self._get_action_dist(obs)
        actions = distribution.get_actions(deterministic=deterministic)
        return actions, values, distribution.log_prob(actions)

    def evaluate_actions(self, obs: th.Tensor, actions: th.Tensor):
        distribution = self._get_action_dist(obs)
        return self.value_net(obs), distribution.log_prob(actions), distribution.entropy()

    def predict_values(self, obs: th.Tensor) -> th.Tensor:
        return self.value_net(obs)

    def predict(self, observation: np.ndarray, deterministic: bool = False) -> np.ndarray:
        self.set_training_mode(False)
        obs_tensor = obs_as_tensor(observation, self.device)
        with th.no_grad():
            actions = self._get_action_dist(obs_tensor).get_actions(deterministic)
        return actions.cpu().numpy()  # sync: copy-to-host
