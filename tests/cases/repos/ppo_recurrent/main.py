import argparse
import os
import time
from collections import deque

import numpy as np
import torch

from algo import RolloutStorage, make_algo
from envs import make_vec_envs
from model import Policy


def get_args():
    parser = argparse.ArgumentParser(description="RL")
    parser.add_argument("--algo", default="ppo")
    parser.add_argument("--lr", type=float, default=7e-4)
    parser.add_argument("--gamma", type=float, default=0.99)
    parser.add_argument("--num-steps", type=int, default=128)
    parser.add_argument("--num-processes", type=int, default=16)
    parser.add_argument("--log-interval", type=int, default=10)
    parser.add_argument("--save-interval", type=int, default=100)
    parser.add_argument("--num-env-steps", type=int, default=10e6)
    parser.add_argument("--env-name", default="PongNoFrameskip-v4")
    parser.add_argument("--no-cuda", action="store_true", default=False)
    args = parser.parse_args()
    args.cuda = not args.no_cuda and torch.cuda.is_available()
    return args


def evaluate(actor_critic, env_name, seed, num_processes, device):
    eval_envs = make_vec_envs(env_name, seed + num_processes, num_processes, device)
    eval_episode_rewards = []
    obs = eval_envs.reset()
    hidden = torch.zeros(num_processes, 512, device=device)
    eval_masks = torch.zeros(num_processes, 1, device=device)
    while len(eval_episode_rewards) < 10:
        with torch.no_grad():
            _, action, _, hidden = actor_critic.act(obs, hidden, eval_masks, deterministic=True)
        obs, _, done, infos = eval_envs.step(action)
        eval_masks = torch.tensor([[0.0] if done_ else [1.0] for done_ in done], dtype=torch.float32, device=device)  # sync: tensor-from-host
        if "episode" in infos:
            eval_episode_rewards.extend(infos["episode"]["r"])
    eval_envs.close()
    return np.mean(eval_episode_rewards)


def main():
    args = get_args()
    torch.manual_seed(1)
    device = torch.device("cuda:0" if args.cuda else "cpu")
    envs = make_vec_envs(args.env_name, 1, args.num_processes, device)
    actor_critic = Policy(envs.single_observation_space.shape, envs.single_action_space)
    actor_critic.to(device)
    agent = make_algo(args.algo, actor_critic, 0.1, 4, 4, 0.5, 0.01, lr=args.lr, max_grad_norm=0.5)
    rollouts = RolloutStorage(args.num_steps, args.num_processes, envs.single_observation_space.shape, envs.single_action_space, 512)
    obs = envs.reset()
    rollouts.obs[0].copy_(obs)
    rollouts.to(device)
    episode_rewards = deque(maxlen=10)
    start = time.time()
    num_updates = int(args.num_env_steps) // args.num_steps // args.num_processes
    for j in range(num_updates):
        for step in range(args.num_steps):
            with torch.no_grad():
                value, action, action_log_prob, hidden = actor_critic.act(rollouts.obs[step], rollouts.hidden[step], rollouts.masks[step])
            obs, reward, done, infos = envs.step(action)
            if "episode" in infos:
                for r in infos["episode"]["r"]:
                    episode_rewards.append(r)
            masks = torch.FloatTensor([[0.0] if done_ else [1.0] for done_ in done])
            rollouts.insert(obs, hidden, action, action_log_prob, value, reward, masks)
        with torch.no_grad():
            next_value = actor_critic.get_value(rollouts.obs[-1], rollouts.hidden[-1], rollouts.masks[-1]).detach()
        rollouts.compute_returns(next_value, args.gamma, 0.95)
        value_loss, action_loss, dist_entropy = agent.update(rollouts)
        rollouts.after_update()
        if j % args.save_interval == 0 or j == num_updates - 1:
            torch.save([actor_critic.state_dict(), None], os.path.join("trained", args.env_name + ".pt"))  # sync: copy-to-host note
        if j % args.log_interval == 0 and len(episode_rewards) > 1:
            total = (j + 1) * args.num_processes * args.num_steps
            print("Updates {}, timesteps {}, FPS {}\n mean/median {:.1f}/{:.1f}".format(
                j, total, int(total / (time.time() - start)), np.mean(episode_rewards), np.median(episode_rewards)))
            print(evaluate(actor_critic, args.env_name, 1, args.num_processes, device))


if __name__ == "__main__":
    main()
