import numpy as np


def backward_transfer(results):
    n = len(results)
    return float(np.mean([results[-1][i] - results[i][i] for i in range(n - 1)]))


def forgetting(results):
    n = len(results)
    res = [list(r) + [0.0] * (n - len(r)) for r in results]
    best = np.max(np.array(res)[:-1], axis=0)
    return float(np.mean([best[i] - res[-1][i] for i in range(n - 1)]))
