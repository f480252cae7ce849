import numpy as np


def iid(dataset, num_users):
    num_items = int(len(dataset) / num_users)
    dict_users, all_idxs = {}, [i for i in range(len(dataset))]
    for i in range(num_users):
        dict_users[i] = set(np.random.choice(all_idxs, num_items, replace=False))
        all_idxs = list(set(all_idxs) - dict_users[i])
    return dict_users


def dirichlet_split(labels, num_users, alpha, num_classes, min_size=20):
    while True:
        parts = [[] for _ in range(num_users)]
        for k in range(num_classes):
            idx = np.where(labels == k)[0]
            np.random.shuffle(idx)
            cuts = (np.cumsum(np.random.dirichlet([alpha] * num_users)) * len(idx)).astype(int)[:-1]
            for part, chunk in zip(parts, np.split(idx, cuts)):
                part.extend(chunk.tolist())
        if min(len(p) for p in parts) >= min_size:
            return {i: p for i, p in enumerate(parts)}
