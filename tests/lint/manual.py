"""Writes the lists of options and of configuration keys into packaging/manual/syncl.md, and what build/syncl says of
packaging/manual/train.py and of a recording into
README.md; or with --check says whether they are as they would be written. The tables are analyzer/cli/options.def and
analyzer/config/keys.def, of which --help and the manual page are made too."""
import pathlib
import os
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
STRING = r'(?:NULL|"(?:[^"\\]|\\.)*")'


def text(word):
    return "" if word == "NULL" else word[1:-1].replace('\\"', '"')


def option_rows():
    """(title,) of a section, (letter, name, metavar, words, help) of an option."""
    row = rf'^SECTION\(({STRING})\)$|^OPTION\(\w+, \w+, (0|\'.\'), ({STRING}), ({STRING}), ({STRING}), ({STRING})\)$'
    for title, letter, *words in re.findall(row, (ROOT / "analyzer/cli/options.def").read_text(), re.M):
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


def finding():
    """What it says first, and the dearest finding, by the built-in profile."""
    plain = {"PATH": os.environ["PATH"], "XDG_DATA_HOME": "/nonexistent", "XDG_CACHE_HOME": "/dev/null/none"}
    command = [ROOT / os.environ.get("BUILD", "build") / "syncl", "--isolated", "--exit-zero", "-v", "train.py"]
    said = subprocess.run(command, cwd=ROOT / "packaging/manual", env=plain, capture_output=True, text=True, check=True).stdout
    yield "```\n" + "\n\n".join(said.split("\n\n")[:3]) + "\n```\n"


def recorded():
    """The first ledger of a recording that was kept."""
    plain = {"PATH": os.environ["PATH"], "XDG_DATA_HOME": "/nonexistent", "XDG_CACHE_HOME": "/dev/null/none", "COLUMNS": "200"}
    command = [ROOT / os.environ.get("BUILD", "build") / "syncl", "--isolated", "--exit-zero", "--output-format=full",
               "--trace=../../tests/truth/recorded/ppo_pendulum.json", "ppo_pendulum.py"]
    said = subprocess.run(command, cwd=ROOT / "corpus/scripts", env=plain, capture_output=True, text=True, check=True).stdout
    ledger = said[said.index("\nRecording "):].split("\n\n")[0].strip().split("\n")
    yield "```\n" + "\n".join(ledger[1:]) + "\n```\n"


def pages():
    """(path, as it is, as it should be)"""
    manual, readme = (ROOT / "packaging/manual/syncl.md", ROOT / "README.md")
    page = manual.read_text()
    yield manual, page, filled(filled(page, "options", options()), "keys", keys())
    page = readme.read_text()
    yield readme, page, filled(filled(page, "finding", finding()), "recorded", recorded())


def main():
    stale = [(path, wanted) for path, page, wanted in pages() if page != wanted]
    for path, wanted in stale:
        if "--check" in sys.argv:
            print(f"{path.relative_to(ROOT)}: not as the tables and the program say (make manual)")
        else:
            path.write_text(wanted)
    sys.exit(bool(stale) and "--check" in sys.argv)


main()
