def edit_distance(ref, hyp):
    """substitutions, deletions, insertions"""
    d = [[(0, 0, 0, 0)] * (len(hyp) + 1) for _ in range(len(ref) + 1)]
    for i in range(1, len(ref) + 1):
        d[i][0] = (i, 0, i, 0)
    for j in range(1, len(hyp) + 1):
        d[0][j] = (j, 0, 0, j)
    for i in range(1, len(ref) + 1):
        for j in range(1, len(hyp) + 1):
            if ref[i - 1] == hyp[j - 1]:
                d[i][j] = d[i - 1][j - 1]
                continue
            s, de, ins = d[i - 1][j - 1], d[i - 1][j], d[i][j - 1]
            d[i][j] = min((s[0] + 1, s[1] + 1, s[2], s[3]),
                          (de[0] + 1, de[1], de[2] + 1, de[3]),
                          (ins[0] + 1, ins[1], ins[2], ins[3] + 1))
    return d[-1][-1]


class ErrorRate:
    def __init__(self, split=None):
        self.split = split or (lambda s: s.split())
        self.n = self.sub = self.dele = self.ins = 0

    def update(self, ref, hyp):
        r, h = self.split(ref), self.split(hyp)
        _, s, d, i = edit_distance(r, h)
        self.n += len(r)
        self.sub += s
        self.dele += d
        self.ins += i

    def compute(self):
        return 100.0 * (self.sub + self.dele + self.ins) / max(1, self.n)

    def __str__(self):
        return "%.2f%% (S %d D %d I %d N %d)" % (self.compute(), self.sub, self.dele, self.ins, self.n)
