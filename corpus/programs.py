#!/usr/bin/env python3
"""Says of small programs with a truth for each expression what syncl tells, and how much of it is right.

usage: programs.py SYNCL [--rows] [ARCHIVE]

ARCHIVE (default corpus/programs.tar.xz) holds folders of programs in the style of public repositories, each folder by a writer who
knew nothing of syncl, with a truth.tsv: project, file, line, expression, verdict, reason. A verdict is how often the expression waits
(step, eval, loop, epoch, seldom) or why it does not: off (not by default; the reason says which option), dead, once, cpu. Right is a
finding where the expression waits, whatever frequency it is told with; wrong is one where it does not, but for an `off` that is told
with its option. --rows prints what is wrong, missed, or told with another frequency.
"""
import collections, json, pathlib, subprocess, sys, tarfile, tempfile

KINDS = (("training step", "step"), ("evaluation", "eval"), ("epoch", "epoch"), ("turn", "loop"), ("batch", "batch"), ("call", "call"))
WAITS = ("step", "eval", "loop", "epoch", "seldom")


def table(path):
    head, *rows = (line.split("\t") for line in path.read_text().splitlines())
    return [dict(zip(head, row)) for row in rows]


def told(syncl, project):
    ran = subprocess.run([syncl, "--isolated", "--no-cache", "--output-format=json", "."], cwd=project, capture_output=True, text=True)
    found = collections.defaultdict(list)
    for one in json.loads(ran.stdout)["findings"]:
        found[one["file"].removeprefix("./"), one["line"]].append(one)
    return found


def of_row(row, here, alone, source):
    """The finding that a row speaks of: the only row of its line has any; of several, the one that begins or ends with its text."""
    at = source.find(row["expression"])
    if alone or at < 0:
        return here[0] if here else None
    end = at + len(row["expression"])
    fits = [one for one in here if one["end_line"] != one["line"] or
            (one["column"] - 1 < end and one["end_column"] - 1 > at and (abs(one["end_column"] - 1 - end) <= 1 or one["column"] - 1 == at))]
    return fits[0] if fits else None


def frequency(one):
    text = one["frequency"]["text"]
    if text.startswith(("now and", "once in")):
        return "seldom"
    return next((kind for words, kind in KINDS if words in text), "once")


def judged(row, one):
    if row["verdict"] not in WAITS:
        said = one and row["verdict"] == "off" and one["frequency"].get("only")
        return "wrong" if one and not said and frequency(one) != "once" else "silent"
    if not one:
        return "missed"
    kind = frequency(one)
    return "right" if kind == row["verdict"] or (kind == "batch" and row["verdict"] in ("step", "eval")) else "right, another frequency"


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    if not words or len(words) > 2:
        sys.exit(__doc__)
    syncl = str(pathlib.Path(words[0]).resolve())
    archive = words[1] if len(words) > 1 else pathlib.Path(__file__).parent / "programs.tar.xz"
    with tempfile.TemporaryDirectory() as folder:
        tarfile.open(archive).extractall(folder, filter="data")
        for writer in sorted(path for path in pathlib.Path(folder).iterdir() if path.is_dir()):
            counts, wrong = collections.Counter(), collections.Counter()
            projects = collections.defaultdict(list)
            for row in table(writer / "truth.tsv"):
                projects[row["project"]].append(row)
            for project, rows in projects.items():
                found, lines = told(syncl, writer / project), collections.Counter((row["file"], row["line"]) for row in rows)
                for row in rows:
                    source = (writer / project / row["file"]).read_text().split("\n")[int(row["line"]) - 1]
                    one = of_row(row, found[row["file"], int(row["line"])], lines[row["file"], row["line"]] == 1, source)
                    what = judged(row, one)
                    counts[what] += 1
                    wrong[row["verdict"]] += what == "wrong"
                    if "--rows" in sys.argv and what not in ("right", "silent"):
                        said = f'{one["confidence"]}, {one["frequency"]["text"]}' if one else ""
                        print(what, f'{writer.name}/{project}/{row["file"]}:{row["line"]}', row["verdict"], said, row["expression"], row["reason"], sep="\t")
            right = counts["right"] + counts["right, another frequency"]
            print(f'{writer.name}: {right} of {right + counts["wrong"]} told are right ({100 * right / max(1, right + counts["wrong"]):.0f} %)',
                  f'wrong: {", ".join(f"{n} {verdict}" for verdict, n in wrong.most_common() if n)}', f'{counts["missed"]} missed',
                  f'{counts["right, another frequency"]} told with another frequency', f'{counts["silent"]} rightly silent', sep="; ")


main()
