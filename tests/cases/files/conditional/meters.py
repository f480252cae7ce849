class Meter:
    def __init__(self):
        self.sum = 0
        self.n = 0

    def update(self, value):
        self.sum = self.sum + value
        self.n += 1

    def mean(self):
        return float(self.sum) / max(self.n, 1)


class OldMeter(Meter):
    def update(self, value):
        self.sum = self.sum + value.item()  # sync: host-read
        self.n += 1


class History:
    def __init__(self):
        self.values = []

    def append(self, value):
        self.values.append(float(value))  # sync: host-read
