class Movable:
    def __init__(self):
        self.device = "cpu"
        self.cache = {}

    def to(self, device):
        self.device = device
        for key in ("kept", "other"):
            if self.cache.get(key, None) is not None:
                self.cache[key] = self.cache[key].to(device)
        return self
