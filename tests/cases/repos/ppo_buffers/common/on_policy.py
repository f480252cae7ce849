import sys
import time
from abc import abstractmethod
from collections import deque
from typing import Any, Dict, Optional, Type, Union

import numpy as np
import torch as th

from common.buffers import RolloutBuffer, get_device
from common.policies import ActorCriticPolicy, obs_as_tensor


class OnPolicyAlgorithm:
    def __init__(self, policy: Type[ActorCriticPolicy], env, learning_rate: float, n_steps: int, gamma: float, gae_lambda: float, ent_coef: float, vf_coef: float,
                 max_grad_norm: float, device: Union[th.device, str] = "auto", _init_setup_model: bool = True):
        self.policy_class = policy
        self.device = get_device(device)
        self.env = env
        self.learning_rate = learning_rate
        self.n_steps, self.gamma, self.gae_lambda = n_steps, gamma, gae_lambda
        self.ent_coef, self.vf_coef, self.max_grad_norm = ent_coef, vf_coef, max_grad_norm
        self.num_timesteps = 0
        self._last_obs = None
        self._last_episode_starts = None
        self.ep_info_buffer = deque(maxlen=100)
        self.stats: Dict[str, float] = {}
        if _init_setup_model:
            self._setup_model()

    def _setup_model(self) -> None:
        self.rollout_buffer = RolloutBuffer(self.n_steps, self.env.observation_space, self.env.action_space, device=self.device, gamma=self.gamma,
                                            gae_lambda=self.gae_lambda, n_envs=self.env.num_envs)
        self.policy = self.policy_class(self.env.observation_space, self.env.action_space, self.learning_rate)
        self.policy = self.policy.to(self.device)

    def collect_rollouts(self, env, rollout_buffer: RolloutBuffer, n_rollout_steps: int) -> bool:
        self.policy.set_training_mode(False)
        n_steps = 0
        rollout_buffer.reset()
        while n_steps < n_rollout_steps:
            with th.no_grad():
                obs_tensor = obs_as_tensor(self._last_obs, self.device)
                actions, values, log_probs = self.policy(obs_tensor)
            actions = actions.cpu().numpy()  # sync: copy-to-host
            clipped_actions = np.clip(actions, env.action_space.low, env.action_space.high)
            new_obs, rewards, dones, infos = env.step(clipped_actions)
            self.num_timesteps += env.num_envs
            n_steps += 1
            for idx, done in enumerate(dones):
                if done and infos[idx].get("terminal_observation") is not None and infos[idx].get("TimeLimit.truncated", False):
                    terminal_obs = obs_as_tensor(infos[idx]["terminal_observation"], self.device)
                    with th.no_grad():
                        terminal_value = self.policy.predict_values(terminal_obs)[0]
                    rewards[idx] += self.gamma * terminal_value  # missed: host-read
            rollout_buffer.add(self._last_obs, actions, rewards, self._last_episode_starts, values, log_probs)
            self._last_obs = new_obs
            self._last_episode_starts = dones
        with th.no_grad():
            values = self.policy.predict_values(obs_as_tensor(new_obs, self.device))
        rollout_buffer.compute_returns_and_advantage(last_values=values, dones=dones)
        return True

    @abstractmethod
    def train(self) -> None:
        raise NotImplementedError

    def dump_logs(self, iteration: int) -> None:
        fps = int(self.num_timesteps / max(time.time() - self.start_time, sys.float_info.epsilon))
        print(iteration, fps, self.stats)

    def learn(self, total_timesteps: int, log_interval: int = 1):
        iteration = 0
        self._last_obs = self.env.reset()
        self._last_episode_starts = np.ones((self.env.num_envs,), dtype=bool)
        self.start_time = time.time()
        while self.num_timesteps < total_timesteps:
            if not self.collect_rollouts(self.env, self.rollout_buffer, self.n_steps):
                break
            iteration += 1
            if log_interval is not None and iteration % log_interval == 0:
                self.dump_logs(iteration)
            self.train()
        return self

    def save(self, path: str) -> None:
        th.save({"policy": self.policy.state_dict(), "optimizer": self.policy.optimizer.state_dict()}, path)
