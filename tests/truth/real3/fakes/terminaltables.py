"""A stand-in: a table as lines."""


class AsciiTable:
    def __init__(self, rows):
        self.table = "\n".join(" | ".join(str(cell) for cell in row) for row in rows)
