"""Functions that make functions: what they close over comes from the call that made them."""


def make_step(model, optimizer, criterion, log_every=10):
    seen, running = 0, 0.0

    def step(x, y):
        nonlocal seen, running
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        seen += 1
        running = 0.9 * running + 0.1 * loss.item()  # sync: host-read
        if seen % log_every == 0:
            print(seen, running)
        return loss.detach()

    return step


def make_meter():
    total, count = 0, 0

    def add(value):
        nonlocal total, count
        total = total + value
        count += 1

    def mean():
        return float(total / count)  # sync: host-read note

    return add, mean


def make_evaluate(model, device):
    def evaluate(loader):
        hits = []

        def count(x, y):
            return (model(x).argmax(-1) == y).sum()

        for x, y in loader:
            hits.append(count(x.to(device), y.to(device)).item())  # sync: host-read, copy-to-device x2
        return sum(hits)

    return evaluate


def threshold_of(limit):
    return lambda value: bool(value > limit)  # sync: host-read
