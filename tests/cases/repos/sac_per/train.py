#!/usr/bin/env python3
import gymnasium as gym
import numpy as np
import torch

import utils
from agent import DiagGaussianActor, DoubleQCritic, SACAgent
from logger import Logger
from replay_buffer import PrioritizedReplay


class Workspace(object):
    def __init__(self, cfg):
        self.cfg = cfg
        self.logger = Logger(cfg["log_dir"], cfg["log_frequency"])
        self.device = torch.device(cfg["device"])
        self.env = gym.make(cfg["env"])
        obs_dim = self.env.observation_space.shape[0]
        action_dim = self.env.action_space.shape[0]
        critic = DoubleQCritic(obs_dim, action_dim, 256, 2)
        target = DoubleQCritic(obs_dim, action_dim, 256, 2)
        actor = DiagGaussianActor(obs_dim, action_dim, 256, 2, [-5, 2])
        self.agent = SACAgent(obs_dim, action_dim, [-1.0, 1.0], self.device, critic, target, actor, 0.99, 0.1, 3e-4, 0.005)
        self.replay_buffer = PrioritizedReplay((obs_dim,), (action_dim,), int(1e6), self.device)
        self.step = 0

    def evaluate(self):
        average_episode_reward = 0
        for episode in range(10):
            obs, _ = self.env.reset()
            done = False
            while not done:
                with utils.eval_mode(self.agent):
                    action = self.agent.act(obs, sample=False)
                obs, reward, terminated, truncated, _ = self.env.step(action)
                done = terminated or truncated
                average_episode_reward += reward
        self.logger.log("eval/episode_reward", average_episode_reward / 10, self.step)
        self.logger.dump(self.step)

    def run(self):
        episode, episode_reward, done = 0, 0, True
        while self.step < self.cfg["num_train_steps"]:
            if done:
                if self.step > 0 and self.step % self.cfg["eval_frequency"] == 0:
                    self.evaluate()
                self.logger.log("train/episode_reward", episode_reward, self.step)
                obs, _ = self.env.reset()
                done = False
                episode_reward = 0
                episode += 1
            if self.step < self.cfg["num_seed_steps"]:
                action = self.env.action_space.sample()
            else:
                with utils.eval_mode(self.agent):
                    action = self.agent.act(obs, sample=True)
            if self.step >= self.cfg["num_seed_steps"]:
                self.agent.update(self.replay_buffer, self.logger, self.step)
            next_obs, reward, terminated, truncated, _ = self.env.step(action)
            done = terminated or truncated
            episode_reward += reward
            self.replay_buffer.add(obs, action, reward, next_obs, terminated)
            obs = next_obs
            self.step += 1
        torch.save(self.agent.actor.state_dict(), "actor.pt")


def main():
    cfg = dict(env="HalfCheetah-v4", device="cuda", log_dir="runs", log_frequency=10000, num_train_steps=int(1e6),
               num_seed_steps=5000, eval_frequency=10000)
    Workspace(cfg).run()


if __name__ == "__main__":
    main()
