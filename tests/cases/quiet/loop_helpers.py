"""Small helpers of every repository: trees, timers, registries, retries, chunking. `.item`, `.items`, `.all` are theirs."""
import contextlib
import functools
import itertools
import logging
import time
from collections import OrderedDict, defaultdict

log = logging.getLogger(__name__)


class Registry:
    def __init__(self):
        self.entries = OrderedDict()

    def add(self, name):
        def wrap(item):
            if name in self.entries:
                raise KeyError(name)
            self.entries[name] = item
            return item

        return wrap

    def item(self, name):
        return self.entries[name]

    def all(self):
        return list(self.entries.values())

    def any(self, predicate):
        return any(predicate(item) for item in self.entries.values())


class Tree:
    def __init__(self, value, children=()):
        self.value, self.children = value, list(children)

    def numpy(self):
        return [self.value] + [value for child in self.children for value in child.numpy()]

    def cpu(self):
        return Tree(self.value, [child.cpu() for child in self.children])

    def to(self, device):
        for child in self.children:
            child.to(device)
        return self

    def tolist(self):
        return [self.value, [child.tolist() for child in self.children]]

    def nonzero(self):
        return [child for child in self.children if child.value]


class Queue:
    def __init__(self, size):
        self.items, self.size = [], size

    def put(self, item):
        self.items.append(item)
        if len(self.items) > self.size:
            self.items.pop(0)

    def synchronize(self):
        while self.items:
            self.items.pop()

    def wait(self):
        time.sleep(0.01)


@contextlib.contextmanager
def timed(name, sink=log.info):
    start = time.perf_counter()
    yield
    sink("%s took %.3f s", name, time.perf_counter() - start)


def retry(times):
    def wrap(function):
        @functools.wraps(function)
        def inner(*args, **kwargs):
            for attempt in range(times):
                try:
                    return function(*args, **kwargs)
                except OSError as error:
                    log.warning("attempt %d: %s", attempt, error)
            raise RuntimeError(function.__name__)

        return inner

    return wrap


def chunks(items, size):
    iterator = iter(items)
    while chunk := list(itertools.islice(iterator, size)):
        yield chunk


def count(words):
    counts = defaultdict(int)
    for word in words:
        counts[word] += 1
    best = max(counts, key=counts.get)
    return best, counts[best], sorted(counts.items(), key=lambda item: -item[1])


registry = Registry()


@registry.add("double")
def double(x):
    return 2 * x


def main():
    queue, tree = Queue(3), Tree(1, [Tree(2), Tree(0)])
    for chunk in chunks(range(10), 4):
        with timed("chunk"):
            for value in chunk:
                queue.put(registry.item("double")(value))
        if registry.any(callable) and tree.nonzero():
            print(tree.cpu().numpy(), tree.to("cuda").tolist(), registry.all())
    queue.synchronize()


main()
