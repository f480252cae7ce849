#!/usr/bin/env python3
"""tests/ stays below 10 MB, and tests/traces/README.md has a row for each recording that lies there."""
import pathlib, re, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST = 10_000_000


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
    folder = ROOT / "tests" / "traces"
    there = {path.name for path in folder.iterdir()} - {"README.md"}
    named = set(re.findall(r"[\w.-]+", " ".join(re.findall(r"^\| ([\w., -]+) \|", (folder / "README.md").read_text(), re.M)))) - {"recording"}
    yield from (f"tests/traces/README.md: no row for {name}" for name in sorted(there - named))
    yield from (f"tests/traces/README.md: there is no {name}" for name in sorted(named - there))


wrong = list(complaints())
print("\n".join(wrong)) if wrong else None
sys.exit(bool(wrong))
