#!/usr/bin/env python3
"""Every test that tests/README.md names is there: `file test` in a row of its table."""
import pathlib, re, sys

TESTS = pathlib.Path(__file__).resolve().parents[1]


def missing():
    for file, name in re.findall(r"`(test_\w+\.(?:c|py)) (\w+)`", (TESTS / "README.md").read_text()):
        path = TESTS / ("unit" if file.endswith(".c") else "user") / file
        if not path.exists() or not re.search(rf"^(?:def|static void) {name}\(", path.read_text(), re.M):
            yield f"tests/README.md: there is no {name} in {file}"


wrong = list(missing())
print("\n".join(wrong)) if wrong else None
sys.exit(bool(wrong))
