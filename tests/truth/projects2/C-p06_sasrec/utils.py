import copy
import os
import random
from collections import defaultdict
from multiprocessing import Process, Queue

import numpy as np


def random_neq(l, r, s):
    t = np.random.randint(l, r)
    while t in s:
        t = np.random.randint(l, r)
    return t


def sample_function(user_train, usernum, itemnum, batch_size, maxlen, result_queue, SEED):
    def sample(uid):
        while len(user_train[uid]) <= 1:
            uid = np.random.randint(1, usernum + 1)

        seq = np.zeros([maxlen], dtype=np.int32)
        pos = np.zeros([maxlen], dtype=np.int32)
        neg = np.zeros([maxlen], dtype=np.int32)
        nxt = user_train[uid][-1]
        idx = maxlen - 1

        ts = set(user_train[uid])
        for i in reversed(user_train[uid][:-1]):
            seq[idx] = i
            pos[idx] = nxt
            if nxt != 0:
                neg[idx] = random_neq(1, itemnum + 1, ts)
            nxt = i
            idx -= 1
            if idx == -1:
                break
        return (uid, seq, pos, neg)

    np.random.seed(SEED)
    uids = np.arange(1, usernum + 1, dtype=np.int32)
    counter = 0
    while True:
        if counter % usernum == 0:
            np.random.shuffle(uids)
        one_batch = []
        for i in range(batch_size):
            one_batch.append(sample(uids[counter % usernum]))
            counter += 1
        result_queue.put(list(zip(*one_batch)))


class WarpSampler(object):
    def __init__(self, User, usernum, itemnum, batch_size=64, maxlen=10, n_workers=1):
        self.result_queue = Queue(maxsize=n_workers * 10)
        self.processors = []
        for i in range(n_workers):
            self.processors.append(
                Process(target=sample_function, args=(User, usernum, itemnum, batch_size, maxlen,
                                                      self.result_queue, np.random.randint(2000000000))))
            self.processors[-1].daemon = True
            self.processors[-1].start()

    def next_batch(self):
        return self.result_queue.get()

    def close(self):
        for p in self.processors:
            p.terminate()
            p.join()


def generate_data(fname, n_users=600, n_items=500, n_groups=20, seed=0):
    """markov-ish fake log: users drift between item groups"""
    rng = random.Random(seed)
    per = n_items // n_groups
    with open(fname, 'w') as f:
        for u in range(1, n_users + 1):
            g = rng.randrange(n_groups)
            last = rng.randrange(per)
            for _ in range(rng.randint(4, 45)):
                r = rng.random()
                if r < 0.55:
                    last = (last + 1) % per
                elif r < 0.85:
                    last = rng.randrange(per)
                else:
                    g = (g + rng.choice([1, 1, 2])) % n_groups
                    last = rng.randrange(per)
                f.write('%d %d\n' % (u, g * per + last + 1))


# train/val/test data partition
def data_partition(fname):
    usernum = 0
    itemnum = 0
    User = defaultdict(list)
    user_train = {}
    user_valid = {}
    user_test = {}
    # assume user/item index starting from 1
    f = open(fname, 'r')
    for line in f:
        u, i = line.rstrip().split(' ')
        u = int(u)
        i = int(i)
        usernum = max(u, usernum)
        itemnum = max(i, itemnum)
        User[u].append(i)
    for user in User:
        nfeedback = len(User[user])
        if nfeedback < 3:
            user_train[user] = User[user]
            user_valid[user] = []
            user_test[user] = []
        else:
            user_train[user] = User[user][:-2]
            user_valid[user] = [User[user][-2]]
            user_test[user] = [User[user][-1]]
    return [user_train, user_valid, user_test, usernum, itemnum]


def _make_case(train, history_tail, target, itemnum, maxlen, rated):
    seq = np.zeros([maxlen], dtype=np.int32)
    idx = maxlen - 1
    for i in history_tail:
        seq[idx] = i
        idx -= 1
    for i in reversed(train):
        seq[idx] = i
        idx -= 1
        if idx == -1:
            break
    item_idx = [target]
    for _ in range(100):
        t = np.random.randint(1, itemnum + 1)
        while t in rated:
            t = np.random.randint(1, itemnum + 1)
        item_idx.append(t)
    return seq, item_idx


# evaluate on test set
def evaluate(model, dataset, args, k=10):
    [train, valid, test, usernum, itemnum] = copy.deepcopy(dataset)
    NDCG = 0.0
    HT = 0.0
    MRR = 0.0
    valid_user = 0.0
    if usernum > args.eval_users:
        users = random.sample(range(1, usernum + 1), args.eval_users)
    else:
        users = range(1, usernum + 1)
    for u in users:
        if len(train[u]) < 1 or len(test[u]) < 1:
            continue
        rated = set(train[u])
        rated.add(0)
        seq, item_idx = _make_case(train[u], [valid[u][0]], test[u][0], itemnum, args.maxlen, rated)
        predictions = -model.predict(*[np.array(l) for l in [[u], [seq], item_idx]])
        predictions = predictions[0]
        rank = predictions.argsort().argsort()[0].item()
        valid_user += 1
        MRR += 1 / (rank + 1)
        if rank < k:
            NDCG += 1 / np.log2(rank + 2)
            HT += 1
        if valid_user % 100 == 0:
            print('.', end="", flush=True)
    return NDCG / valid_user, HT / valid_user, MRR / valid_user


# evaluate on val set, in batches
def evaluate_valid(model, dataset, args, k=10, batch=64):
    train, valid, _, usernum, itemnum = dataset
    users = [u for u in range(1, usernum + 1) if len(train[u]) > 0 and len(valid[u]) > 0]
    ndcg, ht, n = 0.0, 0.0, 0
    for s in range(0, len(users), batch):
        seqs, cands = [], []
        for u in users[s:s + batch]:
            seq, item_idx = _make_case(train[u], [], valid[u][0], itemnum, args.maxlen, set(train[u]) | {0})
            seqs.append(seq)
            cands.append(item_idx)
        scores = model.predict_batch(np.stack(seqs), np.array(cands)).cpu().numpy()
        rank = (scores[:, 1:] > scores[:, :1]).sum(1)
        ndcg += (1 / np.log2(rank + 2))[rank < k].sum()
        ht += (rank < k).sum()
        n += len(rank)
    return ndcg / n, ht / n
