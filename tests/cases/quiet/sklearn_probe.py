"""A linear probe on features that were saved before: scikit-learn fits, NumPy scores, torch opens the file on the CPU."""
import itertools

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler


def read(path):
    features = torch.load(path, map_location="cpu")
    x = features["x"].float()
    x = torch.nn.functional.normalize(x, dim=-1)
    keep = torch.isfinite(x).all(-1)
    if not keep.all():
        print("dropped", (~keep).sum().item(), "rows")
    return x[keep].numpy(), features["y"][keep].numpy()


def probe(x, y, c):
    scores = []
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(x, y):
        scaler = StandardScaler().fit(x[train])
        model = LogisticRegression(C=c, max_iter=200).fit(scaler.transform(x[train]), y[train])
        predicted = model.predict(scaler.transform(x[test]))
        scores.append(accuracy_score(y[test], predicted))
    return np.mean(scores).item(), np.std(scores).item()


def neighbours(x, y, ks=(1, 5, 20)):
    half = len(x) // 2
    for k in ks:
        model = KNeighborsClassifier(k).fit(x[:half], y[:half])
        print(k, model.score(x[half:], y[half:]).item())


def dimensions(x):
    centred = torch.from_numpy(x - x.mean(0))
    values = torch.linalg.svdvals(centred)
    share = values.pow(2).cumsum(0) / values.pow(2).sum()
    return int((share < 0.9).sum()) + 1, values[:5].tolist()


def main(path="features.pt"):
    x, y = read(path)
    classes, counts = np.unique(y, return_counts=True)
    if counts.min() < 5:
        raise SystemExit("too few rows of " + str(classes[counts.argmin()].item()))
    best = max(((probe(x, y, c), c) for c in (0.01, 0.1, 1.0)), key=lambda pair: pair[0][0])
    print(best, dimensions(x))
    neighbours(x, y)
    for a, b in itertools.combinations(classes.tolist(), 2):
        distance = np.linalg.norm(x[y == a].mean(0) - x[y == b].mean(0))
        if distance < 0.1:
            print(a, b, distance.item())


main()
