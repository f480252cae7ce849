import os
import sys
import tempfile
import time
from collections import defaultdict

import numpy as np
import torch as th

from components.episode_buffer import ReplayBuffer
from config import get_config
from learners.q_learner import QLearner
from modules.agents import BasicMAC
from runner import VecRunner


class Logger:
    def __init__(self):
        self.stats = defaultdict(list)

    def log_stat(self, key, value, t):
        self.stats[key].append((t, value))

    def print_recent_stats(self, episode):
        t = self.stats["return_mean"][-1][0]
        s = "Recent Stats | t_env: {:>8} | Episode: {:>6}\n".format(t, episode)
        for i, (k, v) in enumerate(sorted(self.stats.items())):
            item = "{:.4f}".format(np.mean([x[1] for x in v[-5:]]))
            s += "{:<24}{:>8}".format(k + ":", item)
            s += "\n" if (i + 1) % 4 == 0 else "\t"
        print(s)


def parse_overrides(argv):
    out = {}
    for a in argv:
        if "=" in a:
            k, v = a.lstrip("-").split("=", 1)
            try:
                v = eval(v)
            except Exception:
                pass
            out[k] = v
    return out


def run(args):
    logger = Logger()
    np.random.seed(args.seed)
    th.manual_seed(args.seed)
    args.device = "cuda" if args.use_cuda and th.cuda.is_available() else "cpu"
    runner = VecRunner(args, logger)
    info = runner.env_info
    args.n_agents, args.n_actions, args.state_shape = info["n_agents"], info["n_actions"], info["state_shape"]
    n = args.n_agents
    scheme = {
        "state": ((info["state_shape"],), th.float32),
        "obs": ((n, info["obs_shape"]), th.float32),
        "actions": ((n, 1), th.long),
        "actions_onehot": ((n, args.n_actions), th.float32),
        "avail_actions": ((n, args.n_actions), th.int),
        "reward": ((1,), th.float32),
        "terminated": ((1,), th.uint8),
        "filled": ((1,), th.long),
    }
    buffer = ReplayBuffer(scheme, args.buffer_size, info["episode_limit"] + 1, device="cpu")
    mac = BasicMAC(info["obs_shape"], args)
    learner = QLearner(mac, args, logger)
    if args.device == "cuda":
        learner.cuda()
    runner.setup(scheme, mac)

    episode, last_test_T, last_log_T, model_save_time = 0, -args.test_interval - 1, 0, 0
    start_time = time.time()
    out = tempfile.mkdtemp()
    while runner.t_env <= args.t_max:
        with th.no_grad():
            episode_batch = runner.run(test_mode=False)
        buffer.insert_episode_batch(episode_batch)
        if buffer.can_sample(args.batch_size):
            for _ in range(args.train_per_episode):
                sample = buffer.sample(args.batch_size)
                # Truncate batch to only filled timesteps
                max_ep_t = sample.max_t_filled()
                sample = sample[:, :int(max_ep_t) + 1]
                if sample.device != args.device:
                    sample.to(args.device)
                learner.train(sample, runner.t_env)
        if (runner.t_env - last_test_T) / args.test_interval >= 1.0:
            print("t_env: {} / {}, {:.1f}s passed".format(runner.t_env, args.t_max, time.time() - start_time))
            last_test_T = runner.t_env
            with th.no_grad():
                for _ in range(max(1, args.test_nepisode // runner.batch_size)):
                    runner.run(test_mode=True)
        if runner.t_env - model_save_time >= args.save_model_interval:
            model_save_time = runner.t_env
            path = os.path.join(out, str(runner.t_env))
            os.makedirs(path, exist_ok=True)
            print("Saving models to {}".format(path))
            learner.save_models(path)
        episode += args.batch_size_run
        if (runner.t_env - last_log_T) >= args.log_interval:
            logger.print_recent_stats(episode)
            last_log_T = runner.t_env
    print(buffer, "train steps", learner.train_steps)


if __name__ == "__main__":
    run(get_config(parse_overrides(sys.argv[1:])))
