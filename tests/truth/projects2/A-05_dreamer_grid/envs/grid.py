import numpy as np


class GridGoal:
    """8x8 room with a wall, agent (blue) must reach goal (green). Images 16x16x3 uint8."""

    MOVES = [(0, 1), (0, -1), (1, 0), (-1, 0), (0, 0)]

    def __init__(self, size=8, time_limit=32, seed=0):
        self._size = size
        self._limit = time_limit
        self._rng = np.random.RandomState(seed)
        self.num_actions = len(self.MOVES)
        self.image_shape = (size * 2, size * 2, 3)

    def _free(self):
        while True:
            p = self._rng.randint(0, self._size, size=2)
            if not self._walls[p[0], p[1]]:
                return p

    def reset(self):
        self._t = 0
        self._walls = np.zeros((self._size, self._size), dtype=bool)
        col = self._rng.randint(2, self._size - 2)
        self._walls[:, col] = True
        self._walls[self._rng.randint(self._size), col] = False
        self._pos, self._goal = self._free(), self._free()
        return self._obs(0.0, is_first=True)

    def step(self, action):
        assert action.shape == (self.num_actions,)
        dy, dx = self.MOVES[int(np.argmax(action))]
        new = np.clip(self._pos + np.array([dy, dx]), 0, self._size - 1)
        if not self._walls[new[0], new[1]]:
            self._pos = new
        self._t += 1
        reached = bool((self._pos == self._goal).all())
        reward = 1.0 if reached else -0.01
        done = reached or self._t >= self._limit
        return self._obs(reward, is_last=done, is_terminal=reached), reward, done

    def _obs(self, reward, is_first=False, is_last=False, is_terminal=False):
        img = np.zeros((self._size, self._size, 3), dtype=np.uint8)
        img[self._walls] = (120, 120, 120)
        img[self._goal[0], self._goal[1]] = (0, 255, 0)
        img[self._pos[0], self._pos[1]] = (0, 0, 255)
        img = img.repeat(2, axis=0).repeat(2, axis=1)
        return {"image": img, "reward": np.float32(reward), "is_first": is_first,
                "is_last": is_last, "is_terminal": is_terminal}
