from __future__ import annotations

import torch
import torch.nn as nn
import torch.optim as optim
from torch.distributions import Normal

from storage import RolloutStorage


def resolve_nn_activation(name: str) -> torch.nn.Module:
    table = {"elu": torch.nn.ELU(), "relu": torch.nn.ReLU(), "tanh": torch.nn.Tanh()}
    return table[name.lower()]


class ActorCritic(nn.Module):
    def __init__(self, num_obs, num_actions, hidden=[256, 256], activation="elu", init_noise_std=1.0, noise_std_type="scalar"):
        super().__init__()
        act = resolve_nn_activation(activation)
        layers = [nn.Linear(num_obs, hidden[0]), act]
        for i in range(len(hidden)):
            if i == len(hidden) - 1:
                layers.append(nn.Linear(hidden[i], num_actions))
            else:
                layers += [nn.Linear(hidden[i], hidden[i + 1]), act]
        self.actor = nn.Sequential(*layers)
        self.critic = nn.Sequential(nn.Linear(num_obs, 256), act, nn.Linear(256, 1))
        self.noise_std_type = noise_std_type
        if noise_std_type == "scalar":
            self.std = nn.Parameter(init_noise_std * torch.ones(num_actions))
        else:
            self.log_std = nn.Parameter(torch.log(init_noise_std * torch.ones(num_actions)))
        self.distribution = None
        Normal.set_default_validate_args(False)

    def forward(self):
        raise NotImplementedError

    def reset(self, dones=None):
        pass

    @property
    def action_mean(self):
        return self.distribution.mean

    @property
    def action_std(self):
        return self.distribution.stddev

    @property
    def entropy(self):
        return self.distribution.entropy().sum(dim=-1)

    def update_distribution(self, observations):
        mean = self.actor(observations)
        std = self.std.expand_as(mean) if self.noise_std_type == "scalar" else torch.exp(self.log_std).expand_as(mean)
        self.distribution = Normal(mean, std)

    def act(self, observations, **kwargs):
        self.update_distribution(observations)
        return self.distribution.sample()  # sync: library-wait

    def get_actions_log_prob(self, actions):
        return self.distribution.log_prob(actions).sum(dim=-1)

    def act_inference(self, observations):
        return self.actor(observations)

    def evaluate(self, observations, **kwargs):
        return self.critic(observations)


class EmpiricalNormalization(nn.Module):
    def __init__(self, shape, eps=1e-2, until=None):
        super().__init__()
        self.eps = eps
        self.until = until
        self.register_buffer("_mean", torch.zeros(shape).unsqueeze(0))
        self.register_buffer("_var", torch.ones(shape).unsqueeze(0))
        self.register_buffer("_std", torch.ones(shape).unsqueeze(0))
        self.register_buffer("count", torch.tensor(0, dtype=torch.long))

    def forward(self, x):
        if self.training:
            self.update(x)
        return (x - self._mean) / (self._std + self.eps)

    @torch.jit.unused
    def update(self, x):
        if self.until is not None and self.count >= self.until:  # sync: tensor-truth
            return
        count_x = x.shape[0]
        self.count += count_x
        rate = count_x / self.count
        var_x = torch.var(x, dim=0, unbiased=False, keepdim=True)
        mean_x = torch.mean(x, dim=0, keepdim=True)
        delta_mean = mean_x - self._mean
        self._mean += rate * delta_mean
        self._var += rate * (var_x - self._var + delta_mean * (mean_x - self._mean))
        self._std = torch.sqrt(self._var)


class PPO:
    def __init__(self, policy, num_learning_epochs=5, num_mini_batches=4, clip_param=0.2, gamma=0.99, lam=0.95, value_loss_coef=1.0,
                 entropy_coef=0.01, learning_rate=1e-3, max_grad_norm=1.0, schedule="adaptive", desired_kl=0.01, device="cpu"):
        self.device = device
        self.policy = policy.to(self.device)
        self.desired_kl = desired_kl
        self.schedule = schedule
        self.learning_rate = learning_rate
        self.optimizer = optim.Adam(self.policy.parameters(), lr=learning_rate)
        self.transition = RolloutStorage.Transition()
        self.storage = None
        self.num_learning_epochs, self.num_mini_batches = num_learning_epochs, num_mini_batches
        self.clip_param, self.gamma, self.lam = clip_param, gamma, lam
        self.value_loss_coef, self.entropy_coef, self.max_grad_norm = value_loss_coef, entropy_coef, max_grad_norm

    def init_storage(self, num_envs, num_steps, obs_shape, actions_shape):
        self.storage = RolloutStorage(num_envs, num_steps, obs_shape, actions_shape, self.device)

    def act(self, obs):
        self.transition.actions = self.policy.act(obs).detach()
        self.transition.values = self.policy.evaluate(obs).detach()
        self.transition.actions_log_prob = self.policy.get_actions_log_prob(self.transition.actions).detach()
        self.transition.action_mean = self.policy.action_mean.detach()
        self.transition.action_sigma = self.policy.action_std.detach()
        self.transition.observations = obs
        return self.transition.actions

    def process_env_step(self, rewards, dones, infos):
        self.transition.rewards = rewards.clone()
        self.transition.dones = dones
        if "time_outs" in infos:
            self.transition.rewards += self.gamma * torch.squeeze(
                self.transition.values * infos["time_outs"].unsqueeze(1).to(self.device), 1  # spurious: copy-to-device
            )
        self.storage.add_transitions(self.transition)
        self.transition.clear()
        self.policy.reset(dones)

    def compute_returns(self, last_obs):
        last_values = self.policy.evaluate(last_obs).detach()
        self.storage.compute_returns(last_values, self.gamma, self.lam)

    def update(self):
        mean_value_loss = 0
        mean_surrogate_loss = 0
        mean_entropy = 0
        generator = self.storage.mini_batch_generator(self.num_mini_batches, self.num_learning_epochs)
        for obs, actions, target_values, advantages, returns, old_log_prob, old_mu, old_sigma in generator:
            self.policy.act(obs)
            log_prob = self.policy.get_actions_log_prob(actions)
            value = self.policy.evaluate(obs)
            mu = self.policy.action_mean
            sigma = self.policy.action_std
            entropy = self.policy.entropy
            if self.desired_kl is not None and self.schedule == "adaptive":
                with torch.inference_mode():
                    kl = torch.sum(
                        torch.log(sigma / old_sigma + 1.0e-5)
                        + (torch.square(old_sigma) + torch.square(old_mu - mu)) / (2.0 * torch.square(sigma)) - 0.5, axis=-1)
                    kl_mean = torch.mean(kl)
                    if kl_mean > self.desired_kl * 2.0:  # sync: tensor-truth
                        self.learning_rate = max(1e-5, self.learning_rate / 1.5)
                    elif kl_mean < self.desired_kl / 2.0 and kl_mean > 0.0:  # sync: tensor-truth x2
                        self.learning_rate = min(1e-2, self.learning_rate * 1.5)
                    for param_group in self.optimizer.param_groups:
                        param_group["lr"] = self.learning_rate
            ratio = torch.exp(log_prob - torch.squeeze(old_log_prob))
            surrogate = -torch.squeeze(advantages) * ratio
            clipped = -torch.squeeze(advantages) * torch.clamp(ratio, 1.0 - self.clip_param, 1.0 + self.clip_param)
            surrogate_loss = torch.max(surrogate, clipped).mean()
            value_loss = (returns - value).pow(2).mean()
            loss = surrogate_loss + self.value_loss_coef * value_loss - self.entropy_coef * entropy.mean()
            self.optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
            self.optimizer.step()
            mean_value_loss += value_loss.item()  # sync: host-read
            mean_surrogate_loss += surrogate_loss.item()  # sync: host-read
            mean_entropy += entropy.mean().item()  # sync: host-read
        n = self.num_learning_epochs * self.num_mini_batches
        self.storage.clear()
        return {"value_function": mean_value_loss / n, "surrogate": mean_surrogate_loss / n, "entropy": mean_entropy / n}
