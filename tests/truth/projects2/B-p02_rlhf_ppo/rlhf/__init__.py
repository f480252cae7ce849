from .config import get_config, DotDict  # noqa
