"""One attribute for the methods of many classes."""


class Comparison:
    def __init__(self, represent):
        self.represent = represent

    def of(self, a, b):
        left, right = self.represent([a, b])
        return left - right


def compare(represent, a, b):
    return Comparison(represent).of(a, b)
