# -*- coding: utf-8 -*-
"""Waits from every kind of frame, and what sys._getframe says of each: one JSON list of stacks, innermost first, on
standard output. A wait is the first thing on the line that its frame is on."""
import json
import sys
import threading

from gpu import wait, wait_all

expected = []


def note():
    frame, stack = sys._getframe(2), []
    while frame is not None:
        stack.append((frame.f_code.co_filename, frame.f_code.co_name, frame.f_lineno))
        frame = frame.f_back
    expected.append(stack)
    return 0


def sync(stream):
    note()
    return wait(stream)


def plain():
    sync(0)


def several_lines():
    value = max(
        1,
        sync(
            0
        ),
    )

    return value


def après(größe=1):
    for _ in range(größe):
        sync(0)


def generator():
    for _ in range(2):
        yield sync(0)


class Model:
    attribute = sync(0)

    def forward(self):
        return self()

    def __call__(self):
        try:
            raise ValueError
        except ValueError:
            sync(0)
        finally:
            sync(0)

    @property
    def loss(self):
        with threading.Lock():
            sync(0)


def deep(n):
    return deep(n - 1) if n else sync(0)


def decorated(function):
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


@decorated
def wrapped():
    sync(0)


def long_function():
    text = "def big():\n    x = 0\n" + "".join("    x += %d\n\n" % i for i in range(700)) + "    sync(0)\n" + "    x = 1\n" * 300 + "    sync(0)\n"
    scope = {"sync": sync}
    exec(compile(text, "made-\N{CJK UNIFIED IDEOGRAPH-4E00}-\U0001f600.py", "exec"), scope)
    scope["big"]()


def far_apart():
    text = "def far(sync):\n    sync(0)" + "\n" * 70000 + "    sync(0)\n"
    scope = {}
    exec(compile(text, "far.py", "exec"), scope)
    scope["far"](sync)


plain()
several_lines()
après(2)
list(generator())
[sync(0) for _ in range(2)]
(lambda: sync(0))()
Model().forward()
Model().loss
sorted([2, 1], key=lambda x: sync(0))
deep(50)
wrapped()
long_function()
far_apart()
thread = threading.Thread(target=plain)
thread.start()
thread.join()
wait_all()  # the last: nothing is noted
print(json.dumps(expected))
