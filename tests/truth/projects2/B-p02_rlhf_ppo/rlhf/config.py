import copy
import sys


class DotDict(dict):
    def __getattr__(self, k):
        try:
            return self[k]
        except KeyError:
            raise AttributeError(k)

    def __setattr__(self, k, v):
        self[k] = v


def _wrap(d):
    return DotDict({k: _wrap(v) if isinstance(v, dict) else v for k, v in d.items()})


DEFAULT = {
    "seed": 0,
    "device": "cuda",
    "model": {"vocab_size": 64, "n_embd": 128, "n_head": 4, "n_layer": 3, "block_size": 64, "dropout": 0.0},
    "sft": {"steps": 40, "batch_size": 32, "lr": 1e-3},
    "reward": {"steps": 30, "batch_size": 32, "lr": 5e-4},
    "ppo": {
        "iters": 10,
        "batch_size": 32,
        "minibatch_size": 16,
        "epochs": 2,
        "prompt_len": 8,
        "gen_len": 24,
        "lr": 3e-4,
        "clip_eps": 0.2,
        "value_clip": 0.2,
        "vf_coef": 0.5,
        "ent_coef": 0.01,
        "gamma": 1.0,
        "lam": 0.95,
        "target_kl": 4.0,
        "init_kl_coef": 0.1,
        "kl_horizon": 2000,
        "whiten_rewards": True,
        "max_grad_norm": 1.0,
        "temperature": 1.0,
        "top_k": 20,
    },
}


def get_config(argv=None):
    """ppo.lr=1e-4 style overrides from the command line"""
    cfg = copy.deepcopy(DEFAULT)
    for arg in (sys.argv[1:] if argv is None else argv):
        key, value = arg.split("=", 1)
        node = cfg
        *parents, leaf = key.split(".")
        for p in parents:
            node = node[p]
        if leaf not in node:
            raise KeyError(key)
        old = node[leaf]
        node[leaf] = value == "True" if isinstance(old, bool) else type(old)(value)
    return _wrap(cfg)
