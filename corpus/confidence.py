#!/usr/bin/env python3
"""Fits the weights of analyzer/belief/confidence.def to findings that were judged by readers or measured on a GPU.

usage: confidence.py SYNCL FOLDER [--write] [--keep DIR]

FOLDER holds the packages of corpus/manifest, corpus/count/further-packages.txt and corpus/count/first-ten-*.tsv unpacked, each in a
folder of its name below FOLDER/judged, and those of tests/truth/real*/versions.txt below FOLDER/real, real2 and real3 (a package that
is missing gives no rows). Each is given to `syncl --dump=evidence`, whole; DIR keeps what that prints. Rows, each with its bits and
whether it is right, are
    judged findings (corpus/count/findings-*.tsv; of several verdicts the last): does it wait, in code that runs more than once;
    the first ten findings of a package (first-ten-*.tsv): is it real at the told frequency; two readers who differ are half a row
    each; a false one that is told with another frequency now, or with an option then untold, is no row;
    measured ones (on a line that ran twice or more): did the host wait there, or below.
What is not told is a row too: the measured lines sample it.

The score of a finding is the constant plus the weights of the groups that one of its bits belongs to: a logistic regression, each
weight with the sign of its row (`AGAINST` <= 0 <= `FOR`), a little ridge. Rows alike in package, rule, bits and verdict share
the weight of the square root of their number. Rows of packages drawn at random from the whole index (findings-22 to -25) and the first
ten count most (SHARE): those of known packages were mended by until nine of ten were right, so that what is wrong elsewhere is hardly
among them. Printed are the rates of each level by what eight folds (whole packages) say of rows that they were not fitted to, what
today's build says of the same rows, and what a bound would give. --write puts weights and counts into the table.
"""
import argparse, collections, concurrent.futures, gzip, hashlib, pathlib, re, subprocess, sys
import numpy

HERE = pathlib.Path(__file__).resolve().parent
TRUTH = HERE.parent / "tests" / "truth"
TABLE = HERE.parent / "analyzer" / "belief" / "confidence.def"
sys.path.insert(0, str(TRUTH))
import check_real

RANDOM, FOLDS, RIDGE = (22, 23, 24, 25), 8, 0.3
MEASURED, FIRST = 0, -1  # in the place of a table's number
SHARE = {"random": 1, "first": 1, "known": 0.3, "measured": 0.05}
LEVELS = ("none", "possible", "likely", "certain", "once")
UNITS = (("training step", "step"), ("evaluation", "evaluation"), ("turn of", "iteration"), ("call", "call"), ("epoch", "epoch"), ("batch", "batch"))
WEIGHT = re.compile(r'^(FOR|AGAINST)\((\w+), (-?[\d.]+), (\d+), (\d+), (".*")\)$', re.M)
BIT = re.compile(r"^EVIDENCE\((\w+), (\w+),", re.M)
MOST = re.compile(r"^EVIDENCE\((\w+), \w+, (LIKELY|POSSIBLE),", re.M)
CONSTANT = re.compile(r"^CONSTANT\((-?[\d.]+)\)$", re.M)


def flat(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def evidence(syncl, folder, name, kept):
    """(file, line, column, last line, rule) -> (bits, level, unit) of the surest way to each wait of a package; not of what is no
    finding by how often it runs."""
    path = kept / f"{flat(str(folder.name))}-{flat(name)}.txt"
    if not path.exists():
        where, what = (folder / name, ".") if folder.name == "judged" else (folder, name)
        words = [syncl, "--isolated", "--no-cache", "--exit-zero", "--threads=1", "--dump=evidence", what]
        path.write_bytes(subprocess.run(words, cwd=where, check=True, capture_output=True).stdout)
    found = {}
    for line in path.read_text(errors="replace").splitlines():
        way = re.match(r"(.*):(\d+):(\d+) (\d+) (\S+) (\S+) (\S+) (\S+) score \S+(.*)", line)
        if not way:
            continue
        file, first, column, last, rule, _, unit, level, bits = way.groups()
        key = (str(pathlib.PurePath(file)), int(first), int(column), int(last), rule)
        now, old = (frozenset(bits.split()), LEVELS.index(level), unit), found.get(key)
        if level != "once" and (not old or (now[1], -len(now[0])) > (old[1], -len(old[0]))):
            found[key] = now
    return found


def table_rows(table):
    head, *rows = (line.split("\t") for line in table.read_text().splitlines())
    return [dict(zip(head, row)) for row in rows]


def judged():
    """(package, path, line, column, rule) -> (table, verdict); the last verdict stays."""
    verdicts = {}
    for table in sorted(HERE.glob("count/findings-*.tsv"), key=lambda path: int(re.search(r"-(\d+)", path.name)[1])):
        for row in table_rows(table):
            place = (row["file"].split("/src/")[-1], int(row["line"]), int(row["column"]), row["rule"])
            verdicts[row["package"], *place] = (int(re.search(r"-(\d+)", table.name)[1]), row["verdict"])
    for (package, *place), (table, verdict) in verdicts.items():
        if verdict != "unsure":
            yield flat(re.sub(r"-\d+(\.\d+)*$", "", package)), place, table, verdict == "true", 1.0, None


def first_ten():
    """The same of the first ten, with each verdict's share of the readers, and the frequency that was told."""
    for row in (row for table in sorted(HERE.glob("count/first-ten-*.tsv")) for row in table_rows(table)):
        line, _, column = row["line"].partition(":")
        verdicts = [row[key] for key in ("reader", "reader_1", "reader_2") if row.get(key) in ("true", "false")]
        for verdict in sorted(set(verdicts)):
            place = [row["file"], int(line), int(column or 0), row["rule"]]
            yield flat(row["package"]), place, FIRST, verdict == "true", verdicts.count(verdict) / len(verdicts), row["frequency"]


SHARED = {"open-clip": "open-clip-torch", "open-clip-train": "open-clip-torch", "lightning-fabric": "pytorch-lightning"}


def said_of(report, path, line, column, rule):
    parts = [part for part in path.split("/") if part not in ("", ".")]
    here = [(key, said) for key, said in report.items() if key[1] == line and key[4] == rule
            and any(f"/{key[0]}".endswith("/" + "/".join(parts[cut:])) if not cut else key[0] == "/".join(parts[cut:]) for cut in range(4))]
    return min(here, key=lambda one: abs(one[0][2] - column) if column else -one[1][1])[1] if here else None


def is_told_so(unit, frequency):
    """Is the frequency of this judged finding still told?"""
    then = next((name for words, name in UNITS if words in frequency), "")
    now, _, option = unit.partition("+")
    return now.replace("batch", "step") == then.replace("batch", "step") and (not option or "only with" in frequency)


def judged_rows(syncl, folder, kept, pool):
    names = {flat(path.name): path.name for path in folder.iterdir() if path.is_dir()}
    wanted = collections.defaultdict(list)
    for name, *verdict in (*judged(), *first_ten()):
        name = names.get(name) or names.get(SHARED.get(name, ""))
        if name:
            wanted[name].append(verdict)
    reports = pool.map(lambda name: evidence(syncl, folder, name, kept), wanted)
    for name, report in zip(wanted, reports):
        for place, table, right, share, frequency in wanted[name]:
            said = said_of(report, *place)
            if said and (right or not frequency or is_told_so(said[2], frequency)):
                yield flat(name), place[3], *said[:2], right, table, share


def measured_rows(syncl, folder, kept, pool):
    waits, ran, digests, below = check_real.read_log(TRUTH / folder.name / "waits.tsv.gz")
    packages = collections.defaultdict(set)
    for name in digests:
        if (folder / name).exists() and hashlib.sha256((folder / name).read_bytes()).hexdigest()[:16] == digests[name]:
            packages[name.split("/")[0]].add(name)
    for package, report in zip(packages, pool.map(lambda name: evidence(syncl, folder, name, kept), packages)):
        for (file, first, _, last, rule), said in report.items():
            lines = set(range(first, last + 1))
            if file in packages[package] and lines & ran[file]:
                waited = any(first <= wait[1] and wait[0] <= last for wait in waits[file])
                yield flat(package), rule, *said[:2], waited or bool(below[file] & lines), MEASURED, 1.0


class Data:
    """Rows as arrays: packages, levels of today, right or wrong, table, which weights apply, how much it counts in the fit and in rates."""
    def __init__(self, rows, groups, group_of, most_of):
        self.packages = numpy.array([row[0] for row in rows])
        self.today = numpy.array([row[3] for row in rows])
        self.right = numpy.array([row[4] for row in rows], float)
        self.table = numpy.array([row[5] for row in rows])
        self.share = numpy.array([row[6] for row in rows])
        alike = collections.Counter((row[0], row[1], row[2], row[4]) for row in rows)
        among = numpy.array([alike[row[0], row[1], row[2], row[4]] ** -0.5 for row in rows])
        self.populations = {"random": numpy.isin(self.table, RANDOM), "first": self.table == FIRST, "measured": self.table == MEASURED}
        self.populations["known"] = ~sum(self.populations.values()).astype(bool)
        self.counts = self.share * among * sum(SHARE[name] * here for name, here in self.populations.items())
        self.most = numpy.array([min([most_of[bit] for bit in row[2] if bit in most_of], default=3) for row in rows])
        self.holds = numpy.zeros((len(rows), len(groups) + 1))
        self.holds[:, -1] = 1
        for at, row in enumerate(rows):
            for bit in row[2]:
                if group_of.get(bit) in groups:
                    self.holds[at, groups.index(group_of[bit])] = 1

    def counted(self, rows):
        """How many of these are right, and wrong."""
        return (self.share * self.right)[rows].sum(), (self.share * (1 - self.right))[rows].sum()


def fitted(data, keep, signs):
    """One weight after the other is moved to where the loss is least, within its sign, until none moves."""
    holds, right, counts = data.holds[keep], data.right[keep], data.counts[keep]
    weights, score = numpy.zeros(holds.shape[1]), numpy.zeros(len(right))
    for _ in range(200):
        moved = 0.0
        for at in range(len(weights)):
            column, ridge = holds[:, at], RIDGE if at < len(signs) else 0.0
            chance = 1 / (1 + numpy.exp(-score))
            slope = (counts * (chance - right) * column).sum() + ridge * weights[at]
            bend = (counts * chance * (1 - chance) * column).sum() + ridge + 1e-9
            best = weights[at] - slope / bend
            if at < len(signs):
                best = max(best, 0) if signs[at] > 0 else min(best, 0)
            score += (best - weights[at]) * column
            moved, weights[at] = max(moved, abs(best - weights[at])), best
        if moved < 1e-4:
            break
    return weights


def held_out(data, signs):
    """The score of each row by a fit to other packages."""
    names = sorted(set(data.packages))
    numpy.random.RandomState(1).shuffle(names)
    fold_of = {name: at % FOLDS for at, name in enumerate(names)}
    folds = numpy.array([fold_of[name] for name in data.packages])
    score = numpy.zeros(len(folds))
    for fold in range(FOLDS):
        score[folds == fold] = data.holds[folds == fold] @ fitted(data, folds != fold, signs)
    return score


def percent(yes, no):
    return f"{yes:g} {no:g} {100 * yes / max(1, yes + no):.1f} %"


def rates(data, score, least):
    """Of each population: right and wrong of each level, by the fit and today."""
    level = numpy.minimum(sum((score >= bound).astype(int) for bound in least), data.most)
    print("rows", "of", *(f"{name}: right, wrong, share" for name in reversed(LEVELS[:4])), sep="\t")
    for name, rows in data.populations.items():
        for who, levels in (("the fit, held out", level), ("this build", data.today)):
            print(name, who, *(percent(*data.counted(rows & (levels == at))) for at in (3, 2, 1, 0)), sep="\t")


def curve(data, score):
    """Of rows drawn at random and of the first ten: what is right at or above a bound, and in the next step below it."""
    rows = data.populations["random"] | data.populations["first"]
    print("bound", "at or above: right, wrong, share", "of all right ones", "up to 0.2 above", sep="\t")
    for bound in numpy.arange(4, -0.8, -0.2):
        above, near = data.counted(rows & (score >= bound)), data.counted(rows & (score >= bound) & (score < bound + 0.2))
        print(f"{bound:.1f}", percent(*above), f"{100 * above[0] / data.counted(rows)[0]:.0f} %", percent(*near), sep="\t")


def written(text, groups, weights, data):
    def row(match):
        at = groups.index(match[2])
        yes, no = data.counted((data.holds[:, at] > 0) & (data.table != MEASURED))
        return f"{match[1]}({match[2]}, {weights[at]:.2f}, {yes:.0f}, {no:.0f}, {match[6]})"
    return CONSTANT.sub(f"CONSTANT({weights[-1]:.2f})", WEIGHT.sub(row, text))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("syncl")
    options.add_argument("folder", type=pathlib.Path)
    options.add_argument("--write", action="store_true")
    options.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("~/.cache/syncl-corpus/evidence").expanduser())
    chosen = options.parse_args()
    chosen.keep.mkdir(parents=True, exist_ok=True)
    syncl, folder = str(pathlib.Path(chosen.syncl).resolve()), chosen.folder.resolve()
    text = TABLE.read_text()
    groups, group_of = [row[2] for row in WEIGHT.finditer(text)], dict(BIT.findall(text))
    signs = [1 if row[1] == "FOR" else -1 for row in WEIGHT.finditer(text)]
    least = [float(bound) for bound in re.findall(r"^LEVEL\(\w+, (-?[\d.]+)\)$", text, re.M)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        rows = list(judged_rows(syncl, folder / "judged", chosen.keep, pool))
        for name in ("real", "real2", "real3"):
            rows += measured_rows(syncl, folder / name, chosen.keep, pool)
    most_of = {bit: LEVELS.index(most.lower()) for bit, most in MOST.findall(text)}
    data = Data(rows, groups, group_of, most_of)
    for name, here in data.populations.items():
        print(f"{int(here.sum())} rows {name}, of {len(set(data.packages[here]))} packages")
    score = held_out(data, signs)
    rates(data, score, least)
    curve(data, score)
    weights = fitted(data, numpy.ones(len(rows), bool), signs)
    for name, weight in zip([*groups, "constant"], weights):
        print(f"{weight:+.2f}\t{name}")
    if chosen.write:
        TABLE.write_text(written(text, groups, weights, data))


if __name__ == "__main__":
    main()
