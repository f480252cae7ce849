#!/usr/bin/env python3
"""All fuzzers beside one another on a machine of many cores: --jobs processes for --seconds. Each takes the next piece
of the kind that has had least CPU time for its weight: a libFuzzer target, generated programs or changed statements, for
a minute. The metamorphic test is done first, in parts, where it is not left out. After every piece the rows for
LEDGER.tsv are written to --out: executions, CPU-hours, how often something broke. What broke comes in a .tar.gz beside it.

  tests/fuzz/many.py --jobs=16 --seconds=580 --out=FOLDER [--seed=1] [--only=metamorphic --only=trace]
  tests/fuzz/many.py --pack=FILE      what another machine needs, of this build (make fuzz-pack)"""
import argparse, os, pathlib, re, signal, subprocess, sys, tarfile, tempfile, threading, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FUZZ = ROOT / "build/fuzz"
FOUND = FUZZ / "found"
PIECE, PARTS, GRACE = 60, 64, 8  # seconds of a piece, parts of the metamorphic test, seconds to end in
TARGETS = "python notebook comments config ignore arguments profile baseline observed page stub git trace cache project recording".split()
WEIGHTS = {"programs": 6, "statements": 3, "python": 1, "project": 1, "cache": 1, "trace": 1}  # else a half
NAMES = {"programs": "programs by grammar (runs)", "statements": "changed statements (files)", "metamorphic": "metamorphic (pairs)"}
COUNTED = {"programs": r" (\d+) runs, ([\d.]+) CPU-hours.* (\d+) broke", "statements": r"mutate: (\d+) files.* ([\d.]+) CPU-hours.* (\d+) broke",
           "metamorphic": r"note: (\d+) pairs .* ([\d.]+) CPU-hours: (\d+) differ"}


class Kind:
    def __init__(self, name):
        self.name, self.weight, self.taken, self.charged = name, WEIGHTS.get(name, 0.5), 0, 0.0
        self.executions, self.hours, self.broke, self.lost = 0, 0.0, 0, 0

    def words(self, given, number, seconds):
        here, seconds = ROOT / "tests/fuzz", f"--seconds={seconds}"
        if self.name == "programs":
            return [here / "programs.py", seconds, f"--seed={given.seed + number}", f"--program={given.program}", f"--watched={FUZZ / 'syncl'}"]
        if self.name == "statements":
            return [here / "mutate.py", seconds, f"--seed={given.seed + number}", f"--program={FUZZ / 'syncl'}", "corpus", "tests/cases"]
        if self.name == "metamorphic":
            return [ROOT / "tests/metamorphic.py", "--all", "--jobs=1", f"--part={number}/{PARTS}"]
        return [here / "coverage.py", seconds, "--seeded", self.name]

    def add(self, said):
        found = re.search(COUNTED.get(self.name, rf"^{self.name}\t(\d+)\t([\d.]+)\t(\d+)"), said, re.M)
        if not found:
            self.lost += 1
            return
        self.executions, self.hours, self.broke = self.executions + int(found[1]), self.hours + float(found[2]), self.broke + int(found[3])


class Many:
    def __init__(self, given):
        self.given, self.lock, self.end = given, threading.Lock(), time.monotonic() + given.seconds - GRACE
        self.kinds = [Kind(name) for name in given.only or ["metamorphic", "programs", "statements", *TARGETS]]
        self.environment = os.environ | {"BUILD": str(pathlib.Path(given.program).resolve().parent)} | sanitizers_say()

    def next(self):
        """A kind, the number of its piece and the seconds for it; None where the time is over."""
        with self.lock:
            left = int(self.end - time.monotonic())
            kinds = [k for k in self.kinds if k.name != "metamorphic" or k.taken < PARTS]
            if left < 3 or not kinds:
                return None
            kind = min(kinds, key=lambda k: (k.name != "metamorphic", k.charged / k.weight))
            number, seconds = kind.taken, min(PIECE, left)
            kind.taken, kind.charged = number + 1, kind.charged + seconds
            return kind, number, seconds

    def work(self):
        while (piece := self.next()) is not None:
            kind, number, seconds = piece
            words = list(map(str, kind.words(self.given, number, seconds)))
            child = subprocess.Popen([sys.executable, *words], cwd=ROOT, env=self.environment, stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT, errors="replace", start_new_session=True)
            try:
                said, _ = child.communicate(timeout=self.end + GRACE / 2 - time.monotonic())
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                said, _ = child.communicate()
                said += "\nmany: ended before it was done\n"
            with self.lock:
                kind.add(said)
                self.write(kind.name, number, child.returncode, said)

    def write(self, name, number, status, said):
        out = self.given.out
        with open(out / "fuzz-log.txt", "a") as log:
            log.write(f"== {name} {number}, exit {status}\n{said[-4000:] if status else said[-300:]}\n")
        rows = [f"{NAMES.get(k.name, k.name)}\t{k.executions}\t{k.hours:.4f}\t{k.broke}\t{k.taken}\t{k.lost}" for k in self.kinds]
        total = f"all\t{sum(k.executions for k in self.kinds)}\t{sum(k.hours for k in self.kinds):.4f}\t{sum(k.broke for k in self.kinds)}\t\t"
        (out / "fuzz-ledger.tsv").write_text("\n".join(["target\texecutions\tcpu_hours\tbroke\tpieces\tpieces_without_count", *rows, total]) + "\n")

    def run(self):
        self.given.out.mkdir(parents=True, exist_ok=True)
        workers = [threading.Thread(target=self.work) for _ in range(self.given.jobs)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        if FOUND.is_dir() and any(p.is_file() for p in FOUND.rglob("*")):
            with tarfile.open(self.given.out / "fuzz-found.tar.gz", "w:gz") as archive:
                archive.add(FOUND, "found")
        print((self.given.out / "fuzz-ledger.tsv").read_text(), end="")
        return any(k.broke for k in self.kinds)


def sanitizers_say():
    """Where a process may not be traced the leak sanitizer fails every run: there, and only there, it stays out."""
    with tempfile.TemporaryDirectory() as folder:
        tried = subprocess.run([FUZZ / "coverage", "-runs=2", folder], env=os.environ | {"FUZZ_TARGET": "ignore"}, capture_output=True, errors="replace")
        if tried.returncode == 0:
            return {}
        print(f"many: without the leak sanitizer: {tried.stderr[-500:]}", flush=True)
        return {"ASAN_OPTIONS": "detect_leaks=0"}


def pack(given):
    """Programs without their symbols, the seeds, and what generate.py reads of the grammar."""
    subprocess.run([sys.executable, ROOT / "tests/fuzz/coverage.py", f"--seeds={FUZZ / 'seeds'}"], check=True)
    given.pack.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(given.pack, "w:gz") as archive, tempfile.TemporaryDirectory() as folder:
        for program, name in ((given.program, "plain/syncl"), (FUZZ / "syncl", "syncl"), (FUZZ / "coverage", "coverage")):
            subprocess.run(["strip", "-o", f"{folder}/x", program], check=True)
            archive.add(f"{folder}/x", f"build/fuzz/{name}")
        archive.add(FUZZ / "seeds", "build/fuzz/seeds")
        archive.add(ROOT / "build/pins/tree-sitter-python/src/parser.c", "build/pins/tree-sitter-python/src/parser.c")
    print(f"{given.pack}: {given.pack.stat().st_size / 2**20:.1f} MiB")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    arguments.add_argument("--seconds", type=float, default=60)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--only", action="append")
    arguments.add_argument("--program", type=pathlib.Path, default=ROOT / "build/syncl")
    arguments.add_argument("--out", type=pathlib.Path, default=FUZZ / "many")
    arguments.add_argument("--pack", type=pathlib.Path)
    given = arguments.parse_args()
    if given.pack:
        return pack(given)
    sys.exit(Many(given).run())


main()
