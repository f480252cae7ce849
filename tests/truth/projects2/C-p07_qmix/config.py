import copy
from types import SimpleNamespace as SN

DEFAULT = {
    "use_cuda": True,
    "seed": 12,
    # env
    "env_args": {"n_agents": 3, "size": 7, "n_landmarks": 3, "episode_limit": 20, "sight": 3},
    "batch_size_run": 8,
    "t_max": 1100,
    "test_interval": 400,
    "test_nepisode": 8,
    "log_interval": 160,
    "save_model_interval": 800,
    # replay
    "buffer_size": 128,
    "batch_size": 16,
    "train_per_episode": 6,
    # agent
    "rnn_hidden_dim": 64,
    "obs_last_action": True,
    "obs_agent_id": True,
    "epsilon_start": 1.0, "epsilon_finish": 0.05, "epsilon_anneal_time": 800,
    # learner
    "mixer": "qmix",
    "mixing_embed_dim": 32,
    "hypernet_embed": 64,
    "gamma": 0.99,
    "lr": 5e-4,
    "optim_alpha": 0.99,
    "optim_eps": 1e-5,
    "grad_norm_clip": 10,
    "double_q": True,
    "target_update_interval": 30,
    "td_lambda": 0.6,
}


def recursive_update(d, u):
    for k, v in u.items():
        if isinstance(v, dict):
            d[k] = recursive_update(d.get(k, {}), v)
        else:
            d[k] = v
    return d


def get_config(overrides=None):
    cfg = recursive_update(copy.deepcopy(DEFAULT), overrides or {})
    return SN(**cfg)
