"""A stand-in for the package of this name."""


def merge(base, head):
    return {**base, **head}
