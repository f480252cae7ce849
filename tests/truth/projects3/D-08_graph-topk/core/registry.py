class Registry:
    def __init__(self, name):
        self.name = name
        self._items = {}

    def register(self, obj):
        key = obj.__name__
        if key in self._items:
            raise KeyError(f"{key} already in {self.name}")
        self._items[key] = obj
        return obj

    def build(self, cfg, **extra):
        cfg = dict(cfg)
        kind = cfg.pop("type")
        if kind not in self._items:
            raise KeyError(f"{kind} not in {self.name}: {sorted(self._items)}")
        return self._items[kind](**cfg, **extra)


MODELS = Registry("models")
DATASETS = Registry("datasets")
HOOKS = Registry("hooks")
