#!/usr/bin/env python3
"""Knowledge is data: no rule's name, and no name of a package that rules/ knows, stands as a literal in the analyzer's C.

A package's name is the first part of a module of rules/api or of a pattern of rules/conventions.pyi that is no module of
Python's own. A literal names it as a whole, or as the beginning of a dotted path. The one word that says whether a file
is about PyTorch at all is asked for by who reads files, before there are any rules.
"""
import pathlib, re, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
STRING = re.compile(r'"((?:\\.|[^"\\\n])*)"')


def names(root=ROOT):
    """The rules, and the packages."""
    rules = {page.stem for page in (root / "rules").glob("*.md") if page.stem.islower()}
    modules = set()
    for stub in (root / "rules").rglob("*.pyi"):
        modules |= set(re.findall(r"^# module (\w+)", stub.read_text(), re.M))
        modules |= set(re.findall(r'^\w+: "(\w+)\.[\w.*]*"', stub.read_text(), re.M))
    return rules, modules - set(sys.stdlib_module_names) - {"builtins"}


def wrong(text, rules, packages):
    """The literals of a C file that should be data."""
    for literal in STRING.findall(COMMENT.sub(" ", re.sub(r"^#include.*$", "", text, flags=re.M))):
        dotted = re.fullmatch(r"([A-Za-z_]\w*)(\.[\w.*]*)?", literal)
        if literal in rules or (dotted and dotted.group(1) in packages):
            yield literal


if __name__ == "__main__":
    rules, packages = names()
    found = [f"{path.relative_to(ROOT)}: \"{literal}\" is knowledge: it belongs into rules/ (rules/FORMAT.md)"
             for path in sorted((ROOT / "analyzer").rglob("*.c"))
             for literal in wrong(path.read_text(), rules, packages - ({"torch"} if path.parent.name == "source" else set()))]
    print("\n".join(found)) if found else None
    sys.exit(bool(found))
