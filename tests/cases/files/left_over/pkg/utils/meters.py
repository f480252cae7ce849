class Meter:
    def __init__(self):
        self.total = 0.0

    def update(self, value):
        self.total += value
