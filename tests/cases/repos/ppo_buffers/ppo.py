from typing import Optional, Type, Union

import numpy as np
import torch as th
from torch.nn import functional as F

from common.on_policy import OnPolicyAlgorithm
from common.policies import ActorCriticPolicy


def explained_variance(y_pred: np.ndarray, y_true: np.ndarray) -> float:
    var_y = np.var(y_true)
    return np.nan if var_y == 0 else float(1 - np.var(y_true - y_pred) / var_y)


class PPO(OnPolicyAlgorithm):
    policy_aliases = {"MlpPolicy": ActorCriticPolicy}

    def __init__(self, policy: Union[str, Type[ActorCriticPolicy]], env, learning_rate: float = 3e-4, n_steps: int = 2048, batch_size: int = 64, n_epochs: int = 10,
                 gamma: float = 0.99, gae_lambda: float = 0.95, clip_range: float = 0.2, ent_coef: float = 0.0, vf_coef: float = 0.5, max_grad_norm: float = 0.5,
                 target_kl: Optional[float] = 0.03, device: Union[th.device, str] = "auto"):
        if isinstance(policy, str):
            policy = self.policy_aliases[policy]
        super().__init__(policy, env, learning_rate, n_steps, gamma, gae_lambda, ent_coef, vf_coef, max_grad_norm, device)
        self.batch_size, self.n_epochs, self.clip_range, self.target_kl = batch_size, n_epochs, clip_range, target_kl

    def train(self) -> None:
        self.policy.set_training_mode(True)
        entropy_losses = []
        pg_losses, value_losses = [], []
        clip_fractions = []
        continue_training = True
        for epoch in range(self.n_epochs):
            approx_kl_divs = []
            for rollout_data in self.rollout_buffer.get(self.batch_size):
                actions = rollout_data.actions
                values, log_prob, entropy = self.policy.evaluate_actions(rollout_data.observations, actions)
                values = values.flatten()
                advantages = rollout_data.advantages
                advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
                ratio = th.exp(log_prob - rollout_data.old_log_prob)
                policy_loss_1 = advantages * ratio
                policy_loss_2 = advantages * th.clamp(ratio, 1 - self.clip_range, 1 + self.clip_range)
                policy_loss = -th.min(policy_loss_1, policy_loss_2).mean()
                pg_losses.append(policy_loss.item())  # sync: host-read
                clip_fraction = th.mean((th.abs(ratio - 1) > self.clip_range).float()).item()  # sync: host-read
                clip_fractions.append(clip_fraction)
                value_loss = F.mse_loss(rollout_data.returns, values)
                value_losses.append(value_loss.item())  # sync: host-read
                entropy_loss = -th.mean(entropy)
                entropy_losses.append(entropy_loss.item())  # sync: host-read
                loss = policy_loss + self.ent_coef * entropy_loss + self.vf_coef * value_loss
                with th.no_grad():
                    log_ratio = log_prob - rollout_data.old_log_prob
                    approx_kl_div = th.mean((th.exp(log_ratio) - 1) - log_ratio).cpu().numpy()  # sync: copy-to-host
                    approx_kl_divs.append(approx_kl_div)
                if self.target_kl is not None and approx_kl_div > 1.5 * self.target_kl:
                    continue_training = False
                    break
                self.policy.optimizer.zero_grad()
                loss.backward()
                th.nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
                self.policy.optimizer.step()
            if not continue_training:
                break
        explained_var = explained_variance(self.rollout_buffer.values.flatten(), self.rollout_buffer.returns.flatten())
        self.stats.update(entropy=np.mean(entropy_losses), pg=np.mean(pg_losses), kl=np.mean(approx_kl_divs), ev=explained_var,
                          std=th.exp(self.policy.log_std).mean().item())  # sync: host-read note
