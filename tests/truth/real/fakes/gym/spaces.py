import numpy as np


class Space:
    def __init__(self, shape=None, dtype=None):
        self.shape, self.dtype = shape, dtype

    def seed(self, seed=None):
        return [seed]


class Box(Space):
    def __init__(self, low, high, shape=None, dtype=np.float32):
        super().__init__(shape or np.shape(low), np.dtype(dtype))
        self.low, self.high = np.broadcast_to(np.asarray(low, dtype), self.shape), np.broadcast_to(np.asarray(high, dtype), self.shape)

    def sample(self):
        return np.random.uniform(self.low, self.high).astype(self.dtype)


class Discrete(Space):
    def __init__(self, n):
        super().__init__((), np.dtype(np.int64))
        self.n = n

    def sample(self):
        return np.random.randint(self.n)


class MultiBinary(Space):
    pass


class MultiDiscrete(Space):
    pass


class Dict(Space):
    pass


class Tuple(Space):
    pass
