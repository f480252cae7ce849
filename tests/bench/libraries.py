#!/usr/bin/env python3
"""Large code that is no machine learning, with each number made a GPU tensor so that inference has work: folders of
packages, or wheels. Prints lines, CPU seconds for 100,000 lines and the peak of memory of each; exit 1 where one crashes or
takes more than --seconds or --mib. --write: the table.

    python3 tests/bench/libraries.py $(python3 -c 'import sysconfig; print(sysconfig.get_path("stdlib"))') *.whl"""
import argparse, ast, io, os, pathlib, re, subprocess, sys, tempfile, tokenize, warnings, zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = (ROOT / os.environ.get("BUILD", "build")).resolve()
WORDS = ["--no-cache", "--isolated", "--exit-zero", "--output-format=concise", "--no-respect-gitignore", "--min-confidence=possible"]
TENSOR = 'torch.zeros(1, device="cuda")'
LEFT_OUT = {"site-packages", "lib2to3", "__pycache__"}


def parses(text):
    try:
        ast.parse(text)
        return True
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def with_import(text):
    """Behind the docstring and what has to come first."""
    body, line = ast.parse(text).body, 0
    for i, stmt in enumerate(body):
        docstring = i == 0 and isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Constant)
        if not docstring and not (isinstance(stmt, ast.ImportFrom) and stmt.module == "__future__"):
            break
        line = stmt.end_lineno
    lines = text.splitlines(keepends=True)
    return "".join(lines[:line]) + "import torch\n" + "".join(lines[line:])


def with_tensors(text):
    """Each number a tensor; as it is where Python's grammar wants a number (`case 1:`) or the file is none that it reads."""
    lines, numbers = text.splitlines(keepends=True), []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.NUMBER and token.start[0] == token.end[0]:
                numbers.append((token.start, token.end))
    except (tokenize.TokenError, SyntaxError):
        return text
    for (row, start), (_, end) in reversed(numbers):
        line = lines[row - 1]
        if not re.match(r"\s*case\b", line):
            lines[row - 1] = line[:start] + TENSOR + line[end:]
    changed = "".join(lines)
    try:
        return with_import(changed)
    except (SyntaxError, ValueError, RecursionError, MemoryError, IndexError):
        return text


def sources(path):
    """(name, text) of each Python file."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            for name in wheel.namelist():
                if name.endswith(".py"):
                    yield name, wheel.read(name).decode("utf-8", "replace")
        return
    for file in sorted(path.rglob("*.py")):
        name = file.relative_to(path)
        if not LEFT_OUT & set(name.parts):
            yield str(name), file.read_text("utf-8", "replace")


def unpack(path, folder):
    lines = made = files = 0
    for name, text in sources(path):
        changed = with_tensors(text)
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(changed, "utf-8")
        files, made, lines = files + 1, made + (changed is not text), lines + changed.count("\n")
    return files, made, lines


def measure(folder):
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen([BUILD / "syncl", *WORDS, folder], stdout=said, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(child.pid, 0)
        said.seek(0)
        return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, said.read().count(b"\n")


def name_of(path):
    if path.suffix == ".whl":
        return " ".join(path.name.split("-")[:2])
    return path.name


HEAD = "of\tfiles\twith_tensors\tlines\tfindings\tseconds_100k\tmib\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--mib", type=float, default=1024)
    parser.add_argument("--write")
    wanted = parser.parse_args()
    warnings.simplefilter("ignore")
    failed, rows = False, HEAD
    print(HEAD, end="")
    for path in wanted.paths:
        with tempfile.TemporaryDirectory() as name:
            files, made, lines = unpack(path, pathlib.Path(name))
            status, seconds, mib, findings = measure(name)
        each = seconds * 100000 / max(lines, 1)
        row = f"{name_of(path)}\t{files}\t{made}\t{lines}\t{findings}\t{each:.2f}\t{mib:.0f}\n"
        print(row if status == 0 else f"{path}: exit status {status}\n", end="", flush=True)
        failed |= status != 0 or each > wanted.seconds or mib > wanted.mib
        rows += row
    if wanted.write:
        pathlib.Path(wanted.write).write_text(rows)
    sys.exit(failed)


main()
