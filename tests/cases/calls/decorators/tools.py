import functools
import time

REGISTRY = {}


def register(name):
    def wrap(fn):
        REGISTRY[name] = fn
        return fn

    return wrap


def log_calls(fn):
    @functools.wraps(fn)
    def inner(*args, **kwargs):
        start = time.time()
        result = fn(*args, **kwargs)
        print(fn.__name__, time.time() - start, result.item())  # sync: host-read, timer-unsynced
        return result

    return inner


def cached(fn):
    return functools.lru_cache(maxsize=None)(fn)
