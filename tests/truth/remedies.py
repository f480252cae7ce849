"""The examples of the remedies on the rule pages: what stands before, what it becomes, and what must stay as it is.

A block is a body of a training loop after rules/prelude.py. `python before` is followed by its `python after`; `unsafe` behind
the word: with --unsafe-fixes; `alone`: the body stands in no loop. `python left` is not changed by either."""
import collections
import textwrap

from pages import pages, read

Example = collections.namedtuple("Example", "page line unsafe alone before after")  # after None: left


def fences(page):
    """(line, info, body) of the blocks under `## Remedies`."""
    within, info, start, lines = False, None, 0, []
    for number, line in enumerate(read(page).split("\n"), 1):
        if info is None and line.startswith("## "):
            within = line.strip() == "## Remedies"
        elif info is None and line.startswith("```"):
            info, start, lines = line[3:].strip(), number + 1, []
        elif info is not None and line.startswith("```"):
            if within:
                yield start, info, "\n".join(lines) + "\n"
            info = None
        elif info is not None:
            lines.append(line)


def examples():
    for page in pages():
        before = None
        for line, info, body in fences(page):
            words = info.split()
            if words[1:2] == ["before"]:
                before = (line, "unsafe" in words, "alone" in words, body)
            elif words[1:2] == ["after"]:
                yield Example(page, *before, body)
                before = None
            elif words[1:2] == ["left"]:
                yield Example(page, line, True, "alone" in words, body, None)
        assert before is None, f"{page}: a before without its after"


def body_of(example, body):
    return body if example.alone else "for step in range(steps):\n" + textwrap.indent(body, "    ")


def program(example, body):
    """What the analyser reads, and what is run."""
    return read("rules/prelude.py") + body_of(example, body)
