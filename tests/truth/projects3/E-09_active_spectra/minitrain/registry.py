class Registry(dict):
    """name -> object, filled with a decorator"""

    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def register(self, name=None):
        def deco(obj):
            self[name or obj.__name__] = obj
            return obj
        return deco

    def build(self, name, *args, **kwargs):
        if name not in self:
            raise KeyError(f"unknown {self.kind} '{name}', have {sorted(self)}")
        return self[name](*args, **kwargs)
