# python train.py --steps 20000 --updates-per-step 8   gives a good hover in a few minutes
import argparse
import csv
import os
import random
import time
from collections import defaultdict, deque

import numpy as np
import torch

from agent import TD3
from buffer import ReplayBuffer
from quad2d import Quad2DVec


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--n-envs", type=int, default=16)
    p.add_argument("--steps", type=int, default=700, help="vector env steps")
    p.add_argument("--random-steps", type=int, default=60)
    p.add_argument("--updates-per-step", type=int, default=2)
    p.add_argument("--eval-every", type=int, default=175)
    p.add_argument("--buffer-size", type=int, default=200_000)
    p.add_argument("--batch-size", type=int, default=256)
    p.add_argument("--hidden", type=int, default=256)
    p.add_argument("--gamma", type=float, default=0.98)
    p.add_argument("--tau", type=float, default=0.01)
    p.add_argument("--lr-actor", type=float, default=3e-4)
    p.add_argument("--lr-critic", type=float, default=1e-3)
    p.add_argument("--explore-noise", type=float, default=0.25)
    p.add_argument("--explore-final", type=float, default=0.08)
    p.add_argument("--policy-noise", type=float, default=0.2)
    p.add_argument("--noise-clip", type=float, default=0.5)
    p.add_argument("--policy-delay", type=int, default=2)
    p.add_argument("--action-l2", type=float, default=1e-3)
    p.add_argument("--max-grad-norm", type=float, default=10.0)
    p.add_argument("--logdir", default="logs")
    return p.parse_args()


def evaluate(agent, seed, n=16):
    env = Quad2DVec(n, seed=seed, wind=0.3)
    obs = env.reset()
    finished = np.zeros(n, dtype=bool)
    rets, lens, dists = [], [], []
    returns, lengths = np.zeros(n), np.zeros(n, dtype=int)
    while not finished.all():
        obs, rew, term, trunc, info = env.step(agent.act(obs))
        returns[~finished] += rew[~finished]
        lengths[~finished] += 1
        new = (term | trunc) & ~finished
        for i in np.where(new)[0]:
            rets.append(returns[i])
            lens.append(lengths[i])
            dists.append(np.hypot(*info["final_obs"][i, :2]))
        finished |= new
    return {"return": np.mean(rets), "std": np.std(rets), "length": np.mean(lens), "final_dist": np.mean(dists)}


def main():
    args = get_args()
    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    os.makedirs(args.logdir, exist_ok=True)

    env = Quad2DVec(args.n_envs, seed=args.seed)
    agent = TD3(env.obs_dim, env.act_dim, args, device)
    buf = ReplayBuffer(args.buffer_size, env.obs_dim, env.act_dim, device)
    recent = deque(maxlen=50)
    acc = defaultdict(list)
    best = -np.inf

    log_file = open(os.path.join(args.logdir, "eval.csv"), "w", newline="")
    writer = csv.writer(log_file)
    writer.writerow(["step", "return", "std", "length", "final_dist"])

    obs = env.reset()
    start = time.time()
    for step in range(1, args.steps + 1):
        if step <= args.random_steps:
            act = np.random.uniform(-1, 1, (args.n_envs, env.act_dim))
        else:
            frac = min(1.0, step / (0.8 * args.steps))
            sigma = args.explore_noise + frac * (args.explore_final - args.explore_noise)
            act = agent.act(obs, sigma)
        next_obs, rew, term, trunc, info = env.step(act)
        # time limits are not terminal: only crashes cut the bootstrap
        buf.add(obs, act, rew, info["final_obs"], term)
        agent.norm.update(torch.as_tensor(obs, device=device))
        recent.extend(info["episodes"])
        obs = next_obs

        if step > args.random_steps:
            for _ in range(args.updates_per_step):
                for k, v in agent.update(buf).items():
                    acc[k].append(v)

        if step % 100 == 0:
            msg = " ".join(f"{k} {torch.stack(v).mean().item():.3f}" for k, v in acc.items())
            ep = f"ret {np.mean([e[0] for e in recent]):.1f} len {np.mean([e[1] for e in recent]):.0f}" if recent else ""
            print(f"[{step:5d}] {ep} {msg} fps {step * args.n_envs / (time.time() - start):.0f}")
            acc.clear()

        if step % args.eval_every == 0:
            res = evaluate(agent, seed=args.seed + 1000)
            print("eval  " + "  ".join(f"{k} {v:.2f}" for k, v in res.items()))
            writer.writerow([step] + [f"{v:.4f}" for v in res.values()])
            log_file.flush()
            if res["return"] > best:
                best = res["return"]
                agent.save(os.path.join(args.logdir, "best.pt"))
    log_file.close()
    print(f"best return {best:.2f}, {agent.it} updates, {time.time() - start:.1f}s")


if __name__ == "__main__":
    main()
