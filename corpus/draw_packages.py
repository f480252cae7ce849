#!/usr/bin/env python3
"""Draws packages that no table of corpus/count holds, unpacks them, and prints name, archive, files, findings and digest of each.

usage: draw_packages.py SYNCL SEED NUMBER FOLDER [--files=6] [--findings=10] [--needs=REGEX]... [--but=FOLDER]... < names

The names, one a line, are shuffled with SEED and taken in turn: `pip download` fetches the wheel of each (nothing of it is run), and
FOLDER/NAME gets its files. One stays that has --files files that import torch outside of tests, --findings findings, and for every
--needs a file outside of tests that matches it: --needs='\\.backward\\(' --needs=cuda draws what trains on a GPU. --but leaves out
packages that lie in another draw's FOLDER. Names are compared as the index does, without case, hyphens and dots.
"""
import argparse, hashlib, json, pathlib, random, re, shutil, subprocess, sys, tempfile, zipfile

HERE = pathlib.Path(__file__).resolve().parent
TORCH = re.compile(r"^\s*(import torch|from torch)\b", re.M)
TESTS = re.compile(r"(^|/)(tests?|testing)/|(^|/)(test_[^/]*|conftest)\.py$")
LARGEST = 40_000_000  # bytes of a wheel


def plain(name):
    return re.sub(r"[-_.]+", "", name.strip().lower())


def known(folders):
    names = {plain(line.split("==")[0]) for table in (HERE / "manifest", HERE / "count/further-packages.txt")
             for line in table.read_text().splitlines() if "==" in line}
    for table in HERE.glob("count/*.tsv"):
        names |= {plain(word) for line in table.read_text().splitlines() for word in line.split("\t")[:3]}
    truth = HERE.parent / "tests"
    names |= {plain(path.name.partition(".")[0]) for place in ("truth/*/*", "packages/*") for path in truth.glob(place)}
    return names | {plain(path.name) for folder in folders for path in pathlib.Path(folder).iterdir()}


def fetch(name, folder):
    """The wheel of a package, or None where the index has none: to know the name of a source archive pip would run its setup.py."""
    words = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "-d", folder, name]
    try:
        subprocess.run(words, capture_output=True, timeout=120)
    except subprocess.TimeoutExpired:
        return None
    return next(pathlib.Path(folder).glob("*.whl"), None)


def findings(syncl, folder):
    words = [syncl, "--isolated", "--no-cache", "--output-format=json", str(folder)]
    return len(json.loads(subprocess.run(words, capture_output=True, text=True).stdout)["findings"])


def texts(folder):
    return [path.read_text(errors="replace") for path in sorted(folder.rglob("*.py")) if not TESTS.search(str(path.relative_to(folder)))]


def drawn(given, name):
    """The line to print of a package that stays; None where it does not, with its files gone."""
    folder = pathlib.Path(given.folder) / name.lower()
    with tempfile.TemporaryDirectory() as there:
        wheel = fetch(name, there)
        if not wheel or wheel.stat().st_size > LARGEST:
            return None
        zipfile.ZipFile(wheel).extractall(folder)
        digest, archive = hashlib.sha256(wheel.read_bytes()).hexdigest(), wheel.name
    files = texts(folder)
    torch = sum(1 for text in files if TORCH.search(text))
    fits = torch >= given.files and all(any(re.search(one, text) for text in files) for one in given.needs)
    count = findings(given.syncl, folder) if fits else 0
    if fits and count >= given.findings:
        return f"{name}\t{archive}\t{torch}\t{count}\t{digest}"
    shutil.rmtree(folder)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("syncl")
    parser.add_argument("seed", type=int)
    parser.add_argument("number", type=int)
    parser.add_argument("folder")
    parser.add_argument("--files", type=int, default=6)
    parser.add_argument("--findings", type=int, default=10)
    parser.add_argument("--needs", action="append", default=[])
    parser.add_argument("--but", action="append", default=[])
    given = parser.parse_args()
    pathlib.Path(given.folder).mkdir(parents=True, exist_ok=True)
    seen = known([given.folder, *given.but])
    names = sorted({name.strip() for name in sys.stdin if name.strip() and plain(name) not in seen})
    random.Random(given.seed).shuffle(names)
    left = given.number
    for name in names:
        if not left:
            return
        if line := drawn(given, name):
            print(line, flush=True)
            left -= 1
    if left:
        sys.exit(f"{parser.prog}: the names ended, {left} packages are missing")


main()
