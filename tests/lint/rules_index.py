"""Writes rules/README.md from the pages, or with --check says whether it is as the pages are."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "truth"))
import pages  # noqa: E402

GROUPS = {"1": ("Waits", "The CPU stops until the GPU has caught up."),
          "2": ("Timing", "A clock beside GPU work that is not where it seems."),
          "3": ("Asynchrony", "Copies and streams that do not wait where they should, or for nothing."),
          "4": ("Switches", "Left on, they slow the whole run down."),
          "5": ("Graphs", "A wait where none may be."),
          "9": ("Comments", "About syncl's own comments.")}
HEAD = """# The rules

Each page says when a line waits, why, what to write instead, and where the fact comes from. Its examples are tests, and
are run on a GPU behind a held queue: [tests/truth](../tests/truth/README.md). `syncl --explain NAME` prints a page.

This index is written by `make index`.
"""
TAIL = """
Also here: [FORMAT.md](FORMAT.md), how a page is written; [prelude.py](prelude.py), the names that the examples use;
[torch-waits-h200.tsv](torch-waits-h200.tsv) and [measured-h200.tsv](measured-h200.tsv), what single statements did on an
NVIDIA H200 (torch 2.11.0), which the pages cite; [api/](api), what the libraries' other functions return and launch.
"""
MOST_EXAMPLES, LONGEST = 4, 48


def first_paragraph(page):
    for part in pages.read(page).split("\n\n")[1:]:
        lines = [line for line in part.split("\n") if not re.match(r"(Kind|Finds|Does|Trace|Operators|Kernels|Mend): ", line)]
        if lines:
            return " ".join(lines)
    return ""


def sentence(page):
    """The message of a finding, said of anything."""
    text = first_paragraph(page).split(": ")[0].rstrip(".")
    text = re.sub(r"^`\{expr\}` ", "", text).replace("`{expr}`", "it")
    return text[0].upper() + text[1:] + "."


def examples(page):
    """The first short marked line of each reported block, then the second of each, as far as there is room."""
    columns, name = [], os.path.basename(page)[:-3]
    for block in pages.blocks(page):
        if block.section == "Reported":
            marked = [pages.code_of(line).strip() for line in block.lines if f"# sync: {name}" in line]
            columns.append([re.sub(r"^\w+ = ", "", code) for code in marked if len(code) <= LONGEST and "|" not in code])
    rows = [column[i] for i in range(8) for column in columns if i < len(column)]
    return list(dict.fromkeys(rows))[:MOST_EXAMPLES]


def parts(name):
    """Links to the further pages of a rule."""
    found = [re.match(rf"rules/{name}\.(\w+)\.md$", page) for page in pages.pages()]
    return ", ".join(f"[{part[1]}]({name}.{part[1]}.md)" for part in found if part)


def index():
    rows = {}
    for page in pages.pages():
        title = re.match(r"# (\S+) \((\w+)\)", pages.read(page))
        if not title:
            continue
        name, code = title.groups()
        shown = ", ".join(f"`{example}`" for example in examples(page))
        link = f"[{name}]({name}.md)" + (f": {parts(name)}" if parts(name) else "")
        rows.setdefault(code[3], []).append((code, f"| {code} | {link} | {sentence(page)} | {shown} |"))
    text = HEAD
    for group in sorted(rows):
        title, words = GROUPS[group]
        text += f"\n## {title}\n\n{words}\n\n| code | rule | what it says | for example |\n|---|---|---|---|\n"
        text += "".join(row + "\n" for _, row in sorted(rows[group]))
    return text + TAIL


def main():
    path = os.path.join(pages.ROOT, "rules", "README.md")
    if "--check" in sys.argv:
        if pages.read("rules/README.md") != index():
            print("rules/README.md: not as the pages are (make index)")
            sys.exit(1)
        return
    with open(path, "w") as file:
        file.write(index())


main()
