from .registry import DATASETS, HOOKS, MODELS  # noqa: F401
