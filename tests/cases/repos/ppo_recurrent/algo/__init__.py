from .ppo import PPO
from .storage import RolloutStorage

ALGORITHMS = {"ppo": PPO}


def make_algo(name, *args, **kwargs):
    return ALGORITHMS[name](*args, **kwargs)
