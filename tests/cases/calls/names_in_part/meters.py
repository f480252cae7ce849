class Meter:
    def __init__(self):
        self.val = 0.0
        self.n = 0

    def update(self, val):
        self.val = val
        self.n += 1

    def __str__(self):
        return "{val:.3f} ({n})".format(**vars(self))
