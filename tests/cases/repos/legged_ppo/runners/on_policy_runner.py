from __future__ import annotations

import os
import statistics
import time
from collections import deque

import torch
from torch.utils.tensorboard import SummaryWriter

from algorithm import PPO, ActorCritic, EmpiricalNormalization


class OnPolicyRunner:
    def __init__(self, env, train_cfg: dict, log_dir: str | None = None, device="cpu"):
        self.cfg = train_cfg
        self.alg_cfg = train_cfg["algorithm"]
        self.policy_cfg = train_cfg["policy"]
        self.device = device
        self.env = env
        obs, extras = self.env.get_observations()
        num_obs = obs.shape[1]
        policy_class = eval(self.policy_cfg.pop("class_name"))
        policy: ActorCritic = policy_class(num_obs, self.env.num_actions, **self.policy_cfg).to(self.device)
        alg_class = eval(self.alg_cfg.pop("class_name"))
        self.alg: PPO = alg_class(policy, device=self.device, **self.alg_cfg)
        self.num_steps_per_env = self.cfg["num_steps_per_env"]
        self.save_interval = self.cfg["save_interval"]
        self.empirical_normalization = self.cfg["empirical_normalization"]
        if self.empirical_normalization:
            self.obs_normalizer = EmpiricalNormalization(shape=[num_obs], until=1.0e8).to(self.device)
        else:
            self.obs_normalizer = torch.nn.Identity().to(self.device)
        self.alg.init_storage(self.env.num_envs, self.num_steps_per_env, [num_obs], [self.env.num_actions])
        self.log_dir = log_dir
        self.writer = None
        self.tot_timesteps = 0
        self.tot_time = 0
        self.current_learning_iteration = 0

    def learn(self, num_learning_iterations: int, init_at_random_ep_len: bool = False):
        if self.log_dir is not None and self.writer is None:
            self.writer = SummaryWriter(log_dir=self.log_dir, flush_secs=10)
        if init_at_random_ep_len:
            self.env.episode_length_buf = torch.randint_like(self.env.episode_length_buf, high=int(self.env.max_episode_length))
        obs, extras = self.env.get_observations()
        obs = obs.to(self.device)
        self.alg.policy.train()
        ep_infos = []
        rewbuffer = deque(maxlen=100)
        lenbuffer = deque(maxlen=100)
        cur_reward_sum = torch.zeros(self.env.num_envs, dtype=torch.float, device=self.device)
        cur_episode_length = torch.zeros(self.env.num_envs, dtype=torch.float, device=self.device)
        start_iter = self.current_learning_iteration
        tot_iter = start_iter + num_learning_iterations
        for it in range(start_iter, tot_iter):
            start = time.time()
            with torch.inference_mode():
                for _ in range(self.num_steps_per_env):
                    actions = self.alg.act(obs)
                    obs, rewards, dones, infos = self.env.step(actions.to(self.env.device))
                    obs, rewards, dones = (obs.to(self.device), rewards.to(self.device), dones.to(self.device))
                    obs = self.obs_normalizer(obs)
                    self.alg.process_env_step(rewards, dones, infos)
                    if self.log_dir is not None:
                        if "episode" in infos:
                            ep_infos.append(infos["episode"])
                        cur_reward_sum += rewards
                        cur_episode_length += 1
                        new_ids = (dones > 0).nonzero(as_tuple=False)  # sync: dynamic-shape
                        rewbuffer.extend(cur_reward_sum[new_ids][:, 0].cpu().numpy().tolist())  # sync: copy-to-host
                        lenbuffer.extend(cur_episode_length[new_ids][:, 0].cpu().numpy().tolist())  # sync: copy-to-host
                        cur_reward_sum[new_ids] = 0  # sync: index-from-host
                        cur_episode_length[new_ids] = 0  # sync: index-from-host
                stop = time.time()
                collection_time = stop - start
                start = stop
                self.alg.compute_returns(obs)
            loss_dict = self.alg.update()
            stop = time.time()
            learn_time = stop - start
            self.current_learning_iteration = it
            if self.log_dir is not None:
                self.log(locals())
                if it % self.save_interval == 0:
                    self.save(os.path.join(self.log_dir, f"model_{it}.pt"))
            ep_infos.clear()

    def log(self, locs: dict, width: int = 80, pad: int = 35):
        iteration_time = locs["collection_time"] + locs["learn_time"]
        self.tot_time += iteration_time
        ep_string = ""
        if locs["ep_infos"]:
            for key in locs["ep_infos"][0]:
                infotensor = torch.tensor([], device=self.device)
                for ep_info in locs["ep_infos"]:
                    if key not in ep_info:
                        continue
                    if not isinstance(ep_info[key], torch.Tensor):
                        ep_info[key] = torch.Tensor([ep_info[key]])
                    if len(ep_info[key].shape) == 0:
                        ep_info[key] = ep_info[key].unsqueeze(0)
                    infotensor = torch.cat((infotensor, ep_info[key].to(self.device)))  # missed: copy-to-device
                value = torch.mean(infotensor)
                self.writer.add_scalar("Episode/" + key, value, locs["it"])  # sync: copy-to-host note
                ep_string += f"""{f'Mean episode {key}:':>{pad}} {value:.4f}\n"""  # sync: host-read note
        mean_std = self.alg.policy.action_std.mean()
        fps = int(self.num_steps_per_env * self.env.num_envs / iteration_time)
        for key, value in locs["loss_dict"].items():
            self.writer.add_scalar(f"Loss/{key}", value, locs["it"])
        self.writer.add_scalar("Policy/mean_noise_std", mean_std.item(), locs["it"])  # sync: host-read note
        self.writer.add_scalar("Perf/total_fps", fps, locs["it"])
        if len(locs["rewbuffer"]) > 0:
            self.writer.add_scalar("Train/mean_reward", statistics.mean(locs["rewbuffer"]), locs["it"])
        log_string = (
            f"""{'Computation:':>{pad}} {fps:.0f} steps/s\n"""
            f"""{'Mean action noise std:':>{pad}} {mean_std.item():.2f}\n"""  # sync: host-read note
        )
        print(log_string + ep_string)

    def save(self, path: str, infos=None):
        torch.save({  # sync: copy-to-host note
            "model_state_dict": self.alg.policy.state_dict(),
            "optimizer_state_dict": self.alg.optimizer.state_dict(),
            "iter": self.current_learning_iteration,
            "infos": infos,
        }, path)

    def load(self, path):
        loaded = torch.load(path, weights_only=False)
        self.alg.policy.load_state_dict(loaded["model_state_dict"])
        return loaded["infos"]
