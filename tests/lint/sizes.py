#!/usr/bin/env python3
"""tests/ stays below 10 MB; tests/traces/README.md has a row for each recording that lies there; README.md can be read in a
minute: at most 200 lines of at most 200 characters; and placeholders stand in one section of it alone."""
import pathlib, re, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST = 10_000_000
PLACEHOLDERS = ("OWNER/REPOSITORY", "URL OF THIS REPOSITORY", "v0.1.0")
DOCUMENTS = ("CONTRIBUTING.md", "packaging/manual/syncl.md", "action.yml", "pyproject.toml", "analyzer/README.md")


def readme():
    text = (ROOT / "README.md").read_text()
    lines = text.splitlines()
    if len(lines) > 200:
        yield f"README.md: {len(lines)} lines, at most 200 may be"
    yield from (f"README.md:{number}: longer than 200 characters" for number, line in enumerate(lines, 1) if len(line) > 200)
    section = text.split("\n## Hook and action\n")[1].split("\n## ")[0]
    for words in PLACEHOLDERS:
        yield from (f"{file}: `{words}` is a placeholder of README.md's alone" for file in DOCUMENTS if words in (ROOT / file).read_text())
        if text.count(words) != section.count(words) or f"`{words}`" not in section:
            yield f"README.md: `{words}` is not named as a placeholder, or stands outside of its section"


def tracked():
    """As git has them; in a source archive, which has no git, as they lie there."""
    ran = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "tests"], capture_output=True)
    names = ran.stdout.decode().split("\0") if ran.returncode == 0 else []
    files = [ROOT / name for name in names if name] or list((ROOT / "tests").rglob("*"))
    return [file for file in files if file.is_file()]


def complaints():
    size = sum(file.stat().st_size for file in tracked())
    if size > MOST:
        yield f"tests/: {size / 1e6:.1f} MB, at most {MOST / 1e6:.0f} may be"
    yield from readme()
    folder = ROOT / "tests" / "traces"
    there = {path.name for path in folder.iterdir()} - {"README.md"}
    named = set(re.findall(r"[\w.-]+", " ".join(re.findall(r"^\| ([\w., -]+) \|", (folder / "README.md").read_text(), re.M)))) - {"recording"}
    yield from (f"tests/traces/README.md: no row for {name}" for name in sorted(there - named))
    yield from (f"tests/traces/README.md: there is no {name}" for name in sorted(named - there))


wrong = list(complaints())
print("\n".join(wrong)) if wrong else None
sys.exit(bool(wrong))
