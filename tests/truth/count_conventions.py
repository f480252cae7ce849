#!/usr/bin/env python3
"""How often do the names of the judged programs fit each row of rules/conventions.pyi?

usage: count_conventions.py [--check] [FOLDER...]   writes `# PLACES in FILES` behind each row

The folders are those whose findings are judged, by a GPU or by hand: tests/truth/{projects,projects2,projects3,real,real2,real3}
and corpus, where none is named. Counted are identifiers, texts of one word, words of the names of functions for `*_word`,
parts of paths below the folder for `*_folder`, `*_file`. A dotted pattern counts where its last name stands, `torch.*` where
`torch` does. What is counted is the name, not what was concluded from it. --check writes nothing and exits 1 where a row has no count.
"""
import collections, io, pathlib, re, sys, tokenize

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROWS = ROOT / "rules/conventions.pyi"
ROW = re.compile(r'^(\w+): "([^"]+)"(?:  #.*)?$')
JUDGED = ["corpus"] + [f"tests/truth/{name}" for name in ("projects", "projects2", "projects3", "real", "real2", "real3")]


def names_of(path, folder):
    """(kind, name) of each place: kind is name, word or path."""
    text = path.read_text(errors="replace")
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        tokens = []
    before = ""
    for token in tokens:
        if token.type == tokenize.NAME:
            yield "name", token.string
            if before == "def":
                yield from (("word", word) for word in token.string.split("_") if word)
        elif token.type == tokenize.STRING and re.fullmatch(r"""(['"])[\w:.]+\1""", token.string):
            yield "name", token.string[1:-1]
        before = token.string
    yield from (("path", part) for part in path.relative_to(folder).parts)
    yield "path", path.stem


def asked(word, pattern):
    """What a row is compared with, and its pattern there."""
    kind = "word" if word.endswith("_word") and word not in ("placing_word", "distributions_word") else \
        "path" if word.endswith(("_folder", "_file")) else "name"
    if kind == "name" and "." in pattern:
        pattern = [part for part in pattern.split(".") if part.strip("*")][-1]
    return kind, re.compile(".*".join(map(re.escape, pattern.split("*"))))


def count(folders):
    places, files = collections.Counter(), collections.defaultdict(set)
    paths = sorted((path, ROOT / folder) for folder in folders for path in (ROOT / folder).rglob("*.py"))
    for number, (path, folder) in enumerate(paths):
        for place in names_of(path, folder):
            places[place] += 1
            files[place].add(number)
    return places, files, len(paths)


def counted(lines, places, files):
    for line in lines:
        row = ROW.match(line)
        if not row:
            yield line
            continue
        kind, pattern = asked(*row.groups())
        fits = [place for place in places if place[0] == kind and pattern.fullmatch(place[1])]
        among = set().union(*(files[place] for place in fits)) if fits else set()
        yield f'{row.group(1)}: "{row.group(2)}"  # {sum(places[place] for place in fits)} in {len(among)}'


if __name__ == "__main__":
    folders = [arg for arg in sys.argv[1:] if arg != "--check"] or JUDGED
    wrong = [folder for folder in folders if not (ROOT / folder).is_dir()]
    if wrong:  # counts of nothing would be written
        sys.exit(f"{__doc__.splitlines()[2]}\nno folder: {' '.join(wrong)}")
    lines = ROWS.read_text().split("\n")
    if "--check" in sys.argv:
        bare = [f"rules/conventions.pyi:{n}: has no count (tests/truth/count_conventions.py)"
                for n, line in enumerate(lines, 1) if ROW.match(line) and "  # " not in line]
        print("\n".join(bare)) if bare else None
        sys.exit(bool(bare))
    places, files, total = count(folders)
    ROWS.write_text("\n".join(counted(lines, places, files)))
    print(f"{sum(bool(ROW.match(line)) for line in lines)} rows, {total} files")
