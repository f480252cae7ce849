"""A stand-in: as much of it as reads a table of results."""
import csv


class Frame:
    def __init__(self, rows):
        self.rows = rows

    def to_dict(self, as_series=True):
        return {name: [row[name] for row in self.rows] for name in (self.rows[0] if self.rows else {})}


def read_csv(path: bytes, **options):
    return Frame(list(csv.DictReader(path.decode().splitlines())))
