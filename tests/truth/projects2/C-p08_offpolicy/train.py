"""Off-policy continuous control. python train.py --algo {sac,td3,ddpg}"""
import argparse
import collections
import csv
import os
import random
import tempfile
import time
from dataclasses import dataclass, fields

import numpy as np
import torch

from offpolicy import AGENTS
from offpolicy.buffer import PrioritizedReplay
from offpolicy.envs import VecPendulum
from offpolicy.normalizer import ReturnScaler


@dataclass
class Args:
    algo: str = "all"
    seed: int = 3
    num_envs: int = 8
    total_steps: int = 240
    start_steps: int = 40
    updates_per_step: int = 2
    batch_size: int = 128
    buffer_size: int = 20000
    hidden: int = 128
    gamma: float = 0.98
    tau: float = 0.01
    actor_lr: float = 1e-3
    critic_lr: float = 1e-3
    policy_delay: int = 2
    policy_noise: float = 0.2
    expl_noise: float = 0.15
    max_grad_norm: float = 10.0
    eval_every: int = 120
    eval_envs: int = 10
    log_every: int = 40
    logdir: str = ""


def parse():
    p = argparse.ArgumentParser()
    for f in fields(Args):
        p.add_argument("--" + f.name.replace("_", "-"), type=f.type, default=f.default)
    return Args(**vars(p.parse_args()))


class Logger:
    def __init__(self, path):
        self.f = open(path, "w", newline="")
        self.writer = None
        self.acc = collections.defaultdict(lambda: collections.deque(maxlen=100))

    def add(self, d):
        for k, v in d.items():
            self.acc[k].append(v)

    def dump(self, step, **extra):
        row = {"step": step, **extra, **{k: float(np.mean(v)) for k, v in self.acc.items()}}
        if self.writer is None:
            self.writer = csv.DictWriter(self.f, fieldnames=list(row), extrasaction="ignore", restval="")
            self.writer.writeheader()
        self.writer.writerow(row)
        self.f.flush()
        print("  ".join(f"{k}={v:.4g}" if isinstance(v, float) else f"{k}={v}" for k, v in row.items()))


def evaluate(agent, args):
    env = VecPendulum(args.eval_envs, max_steps=100, seed=args.seed + 999)
    obs = env.reset()
    env.t[:] = 0
    rets = []
    while len(rets) < args.eval_envs:
        obs, _, _, _, info = env.step(agent.act(obs, deterministic=True))
        rets += info["episode_returns"]
    return float(np.mean(rets))


def train(algo, args, device, logdir):
    env = VecPendulum(args.num_envs, seed=args.seed)
    agent = AGENTS[algo](env.obs_dim, env.act_dim, args, device)
    buf = PrioritizedReplay(env.obs_dim, env.act_dim, args.buffer_size, device)
    scaler = ReturnScaler(args.num_envs, args.gamma)
    logger = Logger(os.path.join(logdir, f"{algo}.csv"))
    obs = env.reset()
    best = -1e9
    t0 = time.time()
    for step in range(1, args.total_steps + 1):
        if step <= args.start_steps:
            act = np.random.uniform(-1, 1, (args.num_envs, env.act_dim)).astype(np.float32)
        else:
            act = agent.act(obs)
        next_obs, rew, term, trunc, info = env.step(act)
        agent.norm.update(torch.from_numpy(obs).to(device))
        srew = scaler(rew, term | trunc)
        real_next = np.where(trunc[:, None], info["final_obs"], next_obs)
        buf.add(obs, act, srew, real_next, term)
        obs = next_obs
        for r in info["episode_returns"]:
            logger.add({"ep_return": r})

        if step > args.start_steps:
            buf.anneal_beta(step / args.total_steps)
            for _ in range(args.updates_per_step):
                batch = buf.sample(args.batch_size)
                stats, td = agent.update(batch)
                buf.update_priorities(batch["idx"], td)
                logger.add(stats)
            if step % args.log_every == 0:
                logger.dump(step, sps=step * args.num_envs / (time.time() - t0), buf=len(buf), beta=buf.beta)
        if step % args.eval_every == 0:
            score = evaluate(agent, args)
            print(f"[{algo}] step {step} eval return {score:.1f} (best {best:.1f})")
            if score > best:
                best = score
                torch.save(agent.state_dict(), os.path.join(logdir, f"{algo}_best.pt"))
    agent.load_state_dict(torch.load(os.path.join(logdir, f"{algo}_best.pt"), map_location=device))
    return evaluate(agent, args)


if __name__ == "__main__":
    args = parse()
    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)
    torch.backends.cudnn.deterministic = True
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    logdir = args.logdir or tempfile.mkdtemp(prefix="offpolicy_")
    algos = list(AGENTS) if args.algo == "all" else [args.algo]
    results = {a: train(a, args, device, logdir) for a in algos}
    for a, r in results.items():
        print(f"{a:6s} final {r:.1f}")
