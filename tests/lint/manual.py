"""Writes the lists of options and of configuration keys into manual/syncl.md, or with --check says whether they are as the
tables are: analyzer/base/options.def and analyzer/config/keys.def. --help and the manual page are made of the same tables."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MANUAL = ROOT / "manual" / "syncl.md"
STRING = r'(?:NULL|"(?:[^"\\]|\\.)*")'


def text(word):
    return "" if word == "NULL" else word[1:-1].replace('\\"', '"')


def option_rows():
    """(title,) of a section, (letter, name, metavar, words, help) of an option."""
    row = rf'^SECTION\(({STRING})\)$|^OPTION\(\w+, \w+, (0|\'.\'), ({STRING}), ({STRING}), ({STRING}), ({STRING})\)$'
    for title, letter, *words in re.findall(row, (ROOT / "analyzer/base/options.def").read_text(), re.M):
        yield (text(title),) if title else (letter.strip("'").replace("0", ""), *map(text, words))


def options():
    for letter_or_title, *row in option_rows():
        if not row:
            yield f"\n### {letter_or_title}\n\n"
            continue
        name, metavar, words, told = row
        short = f"`-{letter_or_title}`, " if letter_or_title else ""
        yield f"- {short}`--{name}{'=' * bool(metavar)}{metavar}`: {words}{': ' * bool(words)}{told}\n"
    yield "\n"


def keys():
    known = {name: (words, told) for _, name, _, words, told in (row for row in option_rows() if len(row) > 1)}
    row = rf'^KEY\(\w+, ({STRING}), ({STRING}), ({STRING})\)$'
    for name, kind, own in (map(text, found) for found in re.findall(row, (ROOT / "analyzer/config/keys.def").read_text(), re.M)):
        words, told = known.get(name, ("", ""))
        yield f"- `{name}`: {words or kind}: {own or told}\n"


def filled(page, name, lines):
    begin = re.search(rf"<!-- {name}: .*-->\n", page).end()
    return page[:begin] + "".join(lines) + page[page.index(f"<!-- end of {name} -->"):]


def main():
    page = MANUAL.read_text()
    wanted = filled(filled(page, "options", options()), "keys", keys())
    if "--check" not in sys.argv:
        MANUAL.write_text(wanted)
    elif page != wanted:
        sys.exit("manual/syncl.md: not as the tables of options and keys are (make manual)")


main()
