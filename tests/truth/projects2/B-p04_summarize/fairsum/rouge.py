from collections import Counter


def _f1(match, a, b):
    if match == 0:
        return 0.
    p, r = match / a, match / b
    return 2 * p * r / (p + r)


def rouge_n(hyp, ref, n):
    h = Counter(tuple(hyp[i:i + n]) for i in range(len(hyp) - n + 1))
    r = Counter(tuple(ref[i:i + n]) for i in range(len(ref) - n + 1))
    return _f1(sum((h & r).values()), max(1, sum(h.values())), max(1, sum(r.values())))


def rouge_l(hyp, ref):
    prev = [0] * (len(ref) + 1)
    for x in hyp:
        cur = [0]
        for j, y in enumerate(ref):
            cur.append(prev[j] + 1 if x == y else max(cur[j], prev[j + 1]))
        prev = cur
    return _f1(prev[-1], max(1, len(hyp)), max(1, len(ref)))
