class Registry:
    def __init__(self, name):
        self.name = name
        self._items = {}

    def register(self, key):
        def deco(fn):
            assert key not in self._items, f"{key} already in {self.name}"
            self._items[key] = fn
            return fn
        return deco

    def build(self, key, *args, **kwargs):
        if key not in self._items:
            raise KeyError(f"{key!r} not found in {self.name}, have {sorted(self._items)}")
        return self._items[key](*args, **kwargs)


CONVS = Registry("convs")
POOLS = Registry("pools")
TASKS = Registry("tasks")
