class Running:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def add(self, value):
        self.total += value.item()  # sync: host-read
        self.count += 1
