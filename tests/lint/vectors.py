#!/usr/bin/env python3
"""A vector's items move when it grows, and C does not say whether the index, what is assigned, or `items` is looked at
first: no index of `items` and nothing assigned to an item calls a function. Texts are made without any vector."""
import glob, re, sys

NO_CODE = re.compile(r"/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'", re.S)
CALL = re.compile(r"\b(?!sizeof\b|text_)[a-z]\w*\s*\(")
BRACKETS = r"\[(?:[^][]|\[[^][]*\])*\]"
INDEX = re.compile(rf"\bitems\s*({BRACKETS})")
OFFSET = re.compile(r"\bitems\s*\+\s*([^;,)]*\(?)")
ASSIGNED = re.compile(rf"\bitems\s*{BRACKETS}(?:\.\w+|->\w+|{BRACKETS})*\s*(?:[-+|&^*/]|<<|>>)?=(?!=)([^;]*)")


def moved(source):
    """The lines of `source` where what calls may move the items."""
    source = NO_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), source)
    places = {found.start() for form in (INDEX, OFFSET, ASSIGNED) for found in form.finditer(source) if CALL.search(found[1])}
    return sorted({source.count("\n", 0, place) + 1 for place in places})


def main():
    failed = False
    for path in sys.argv[1:] or sorted(glob.glob("analyzer/**/*.[ch]", recursive=True) + glob.glob("calib/*.[ch]")):
        with open(path) as file:
            for line in moved(file.read()):
                print(f"{path}:{line}: a call in the index of a vector's items, or in what they are assigned, may move them")
                failed = True
    return failed


if __name__ == "__main__":
    sys.exit(main())
