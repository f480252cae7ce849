import math
from collections import Counter


def ngrams(s, n):
    return Counter(tuple(s[i:i + n]) for i in range(len(s) - n + 1))


def corpus_bleu(hyps, refs, N=4):
    match, total = [0] * N, [0] * N
    hl = rl = 0
    for h, r in zip(hyps, refs):
        hl += len(h)
        rl += len(r)
        for n in range(1, N + 1):
            hn, rn = ngrams(h, n), ngrams(r, n)
            match[n - 1] += sum(min(c, rn[g]) for g, c in hn.items())
            total[n - 1] += max(len(h) - n + 1, 0)
    if min(match) == 0:
        return 0.0
    logp = sum(math.log(m / t) for m, t in zip(match, total)) / N
    bp = 1.0 if hl > rl else math.exp(1 - rl / max(hl, 1))
    return 100 * bp * math.exp(logp)


def merge_suffixes(words):
    out = []
    for w in words:
        if w.startswith('@@') and out:
            out[-1] += w[2:]
        else:
            out.append(w)
    return out
