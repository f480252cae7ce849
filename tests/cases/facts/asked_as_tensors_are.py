# options: --min-confidence possible
"""Functions of a library that nobody in sight calls, their parameters without annotation: what is asked for what only tensors
have is one, and on the GPU as what is annotated is. What arrays, lists, configurations or modules have as well, says nothing."""
import torch


class Memory:
    def __init__(self, x, size=10):
        self.scale = x.new_ones(1)
        self.steps, self.size = [], size

    def direction(self, grad):
        d = grad.neg()
        for s, rho in self.steps:
            alpha = rho * s.dot(d)
            d.add_(s, alpha=-alpha)
        return d


def backtrack(fun, x, d, f, grad, lr=1.0, tol=1e-10):
    slope = grad.neg().dot(d)
    if slope > -tol:  # sync: tensor-truth likely
        return x, f
    for turn in range(20):
        moved = x.clone().add_(d, alpha=lr)
        value = fun(moved)
        if value <= f + 1e-4 * lr * slope:  # sync: tensor-truth likely
            return moved, value
        lr *= 0.5
    return x, f


def project(x, low, high):
    inside = (x > low) & (x < high)
    x_new = x.clone()
    x_new[inside] = 0.0
    kept = x[inside]  # sync: dynamic-shape likely
    start = x.new_tensor([0.0, 1.0])  # sync: tensor-from-host likely
    return x_new, kept, start, x.norm().item()  # sync: host-read likely


def project_at_home(x, low):
    x = x.cpu()  # sync: copy-to-host likely
    return x.clone()[x > low], x.norm().item()


def rows_of(table, wanted):
    """An array or a frame: both have a copy, a minimum and rows."""
    rows = table.copy()
    if rows.min() > wanted:
        return rows[rows > wanted]
    return rows.reshape(-1).dot(rows.flatten())


def resized(config, scale):
    settings = config.copy()
    if settings.width > scale:
        settings.width = scale
    return settings


class Normalized:
    """A transform, as data sets run them in their workers."""
    def __call__(self, image):
        image = image.clone()
        image[image > 1] = 1.0
        return image if image.max().item() > 0 else image.neg()


def at_peaks(wanted, values):
    """A distribution has `expand` as well."""
    wanted = wanted.expand(values)
    assert wanted.event_dim == 2
    return wanted
