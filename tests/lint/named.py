#!/usr/bin/env python3
"""Every test that tests/README.md names is there: `file test` in a row of its table; and analyzer/README.md has a row for each
room, and no more than 30 words; and what a page of ours links to is there, the heading too."""
import pathlib, re, sys

TESTS = pathlib.Path(__file__).resolve().parents[1]


def missing():
    for file, name in re.findall(r"`(test_\w+\.(?:c|py)) (\w+)`", (TESTS / "README.md").read_text()):
        path = TESTS / ("unit" if file.endswith(".c") else "user") / file
        if not path.exists() or not re.search(rf"^(?:def|static void) {name}\(", path.read_text(), re.M):
            yield f"tests/README.md: there is no {name} in {file}"


def rooms():
    folder = TESTS.parent / "analyzer"
    table, words = (folder / "README.md").read_text().split("## Which room")[1].split("## Words")
    named, there = set(re.findall(r"^\| (\w+)/ ", table, re.M)), {path.name for path in folder.iterdir() if path.is_dir()}
    yield from (f"analyzer/README.md: no row for {name}/" for name in sorted(there - named))
    yield from (f"analyzer/README.md: there is no {name}/" for name in sorted(named - there))
    if words.count("\n| ") - 2 > 30:
        yield "analyzer/README.md: more than 30 words to learn"


def anchors(page):
    """The headings of a page as GitHub names them."""
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in re.findall(r"^#+ (.*)", page.read_text(), re.M)}


def links():
    root = TESTS.parent
    for page in [*root.glob("*.md"), *(root / "manual").glob("*.md"), *root.glob("[a-z]*/README.md"), *TESTS.glob("*/*.md")]:
        for target, heading in re.findall(r"\]\(([\w./-]*)(?:#([\w-]+))?\)", re.sub(r"```.*?```", "", page.read_text(), flags=re.S)):
            there = (page.parent / target).resolve() if target else page
            if not there.exists():
                yield f"{page.relative_to(root)}: there is no {target}"
            elif heading and heading not in anchors(there):
                yield f"{page.relative_to(root)}: {target} has no heading {heading}"


wrong = [*missing(), *rooms(), *links()]
print("\n".join(wrong)) if wrong else None
sys.exit(bool(wrong))
