#!/usr/bin/env python3
"""--diff and --fix: what is changed, what is said of it, and a file that is the old or the new one whatever happens."""
import signal, sys
from bench import *

FAULTY = BUILD / "syncl-faulty"
HEAD = "import torch\ndev = torch.device('cuda')\nx = torch.ones(9, 9, device=dev)\ny = torch.ones(9, 9, device=dev)\nw = torch.ones(9, 9, device=dev, requires_grad=True)\n"
LOOP = "for i in range(100):\n    (w * x).sum().backward()\n"
WAIT = "    v = x[:, [0, 1, 2]]  # columns\n"
DONE = "    v = x[:, :3].clone()  # columns\n"
WORK = "    (w * x).sum().backward()\n"
DRAWN = WORK + "    r = torch.randn(9).to(dev)\n"
SOURCE, FIXED = HEAD + LOOP + WAIT, HEAD + LOOP + DONE


def run(*arguments, status=0):
    return syncl("--no-cache", "--isolated", *arguments, status=status)


def text(path="a.py"):
    return pathlib.Path(path).read_bytes().decode()


def test_diff_prints_and_changes_nothing():
    write("a.py", SOURCE)
    ran = run("--diff", "a.py", status=1)
    same(ran.out, "--- a.py\n+++ a.py\n@@ -5,4 +5,4 @@\n w = torch.ones(9, 9, device=dev, requires_grad=True)\n for i in range(100):\n"
         f"     (w * x).sum().backward()\n-{WAIT}+{DONE}")
    holds(ran.err, "would mend 1 finding in 1 file\n")
    same(text(), SOURCE)
    same((run("--diff", "--exit-zero", "a.py").out != "", run("--diff", "--color=always", "a.py", status=1).out.count("\x1b[32m+")), (True, 1))
    write("a.py", FIXED)
    same(run("--diff", "a.py").out, "")


def test_a_diff_is_taken_by_patch():
    write("a.py", SOURCE + "\n" * 20 + "def f():\n" + "    pass\n" * 9 + LOOP + "    x[[1, 2]] = 0\n" + "    z = 1\n" * 3)
    pathlib.Path("d").write_text(run("--diff", "a.py", status=1).out)
    if not shutil.which("patch"):
        return print("note: no patch here, the diff is not applied")
    subprocess.run(["patch", "-p0", "-s", "-i", "d"], check=True)
    patched = text()
    subprocess.run(["patch", "-p0", "-s", "-R", "-i", "d"], check=True)
    run("--fix-only", "a.py")
    same(text(), patched)


def test_fix_reports_what_is_left():
    write("a.py", SOURCE + DRAWN)
    ran = run("--fix", "--output-format=concise", "a.py", status=1)
    same(text(), FIXED + DRAWN)
    same((ran.out.count("SYN109"), ran.out.count("SYN107")), (0, 1))
    holds(ran.err, "mended 1 finding in 1 file; 1 more with --unsafe-fixes\n")
    holds(run("--fix", "--unsafe-fixes", "--output-format=concise", "a.py").out, "No waits found")
    same(text(), FIXED + WORK + "    r = torch.randn(9, device=dev)\n")


def test_fix_only_says_no_more_and_exits_zero():
    write("a.py", SOURCE + DRAWN)
    same((run("--fix-only", "a.py").out, text()), ("", FIXED + DRAWN))


def test_rules_may_be_left_out():
    write("a.py", SOURCE + WORK + "    u = torch.zeros(3).to(dev)\n")
    run("--fix-only", "--unfixable=SYN109", "a.py")
    same(text(), SOURCE + WORK + "    u = torch.zeros(3, device=dev)\n")
    run("--fix-only", "--fixable=copy-to-device", "a.py")
    same(text(), SOURCE + WORK + "    u = torch.zeros(3, device=dev)\n")
    write("syncl.toml", 'unfixable = ["index-from-host"]\n')
    syncl("--no-cache", "--fix-only", "a.py", status=0)
    same(text(), SOURCE + WORK + "    u = torch.zeros(3, device=dev)\n")
    holds(run("--fix-only", "--fixable=SYN999", "a.py", status=2).err, "no rule is called 'SYN999'")


def test_what_is_allowed_or_not_selected_stays():
    write("a.py", HEAD + LOOP + "    v = x[:, [0, 1, 2]]  # syncl: allow[index-from-host] no\n")
    same(run("--diff", "a.py").out, "")
    write("a.py", SOURCE)
    same((run("--diff", "--ignore=SYN109", "a.py").out, run("--diff", "--select=SYN101", "a.py").out), ("", ""))


def test_what_reads_no_better_is_made_only_where_it_gains_for_sure():
    number = "    r = torch.tensor(0.5, device=dev)\n"
    write("a.py", HEAD + "def train(model, batches):\n  for batch in batches:\n    model(batch.to(dev)).sum().backward()\n" + number)
    holds(run("--diff", "a.py").err, "1 more would gain nothing (--all-fixes)")
    write("a.py", HEAD + LOOP + number)
    holds(run("--diff", "a.py", status=1).out, "+    r = torch.full((), 0.5, device=dev)")


BESIDE = "    if x.sum() > 3:\n        pass\n"


def test_a_fix_beside_a_wait_that_stays_is_not_made():
    sent = "    r = torch.zeros(9).to(dev)\n"
    for source in (HEAD + LOOP + sent + BESIDE, HEAD + LOOP + BESIDE + sent, HEAD + LOOP + BESIDE + sent + BESIDE):
        write("a.py", source)
        ran = run("--diff", "a.py")
        same((ran.out, "would mend 0 findings in 0 files; 1 more would gain nothing (--all-fixes)" in ran.err), ("", True), ran.err)
        found = {f["rule"]: f["fix"] for f in run("--output-format=json", "a.py", status=1).json["findings"]}
        same(found["copy-to-device"]["gains"], False)
        same("fixes" in run("--output-format=sarif", "a.py", status=1).out, False)
        same("suggestions" in run("--output-format=rdjson", "a.py", status=1).out, False)
        same("suggestion" in run("--output-format=markdown", "a.py", status=1).out, False)
        run("--fix-only", "--all-fixes", "a.py")
        same(text(), source.replace("9).to(dev)", "9, device=dev)"))


def test_with_work_between_or_nothing_that_stays_each_is_made():
    write("a.py", SOURCE + 3 * WORK + BESIDE + WORK)
    run("--fix-only", "a.py")
    same(text(), FIXED + 3 * WORK + BESIDE + WORK)
    write("a.py", SOURCE + WAIT + WAIT)
    same(run("--diff", "a.py", status=1).out.count("\n-"), 3)
    run("--fix-only", "a.py")
    same(text(), FIXED + DONE + DONE)
    write("a.py", SOURCE + WAIT + "    v = x[:, [i, 0, 2]]\n")
    same(run("--diff", "a.py").out, "")


def test_what_runs_seldom_gains_nothing():
    write("a.py", HEAD + LOOP + "    if i % 1000 == 0:\n    " + WAIT)
    same(run("--diff", "a.py").out, "")
    holds(run("--diff", "--all-fixes", "a.py", status=1).err, "would mend 1 finding in 1 file\n")


def test_what_nothing_is_queued_around_gains_nothing():
    """A reset that nobody in sight calls; beside work of its own it is made."""
    write("a.py", """import torch

class Metric:
    def __init__(self, device):
        self.device = device

    def reset(self):
        self.total = torch.tensor(0.0, device=torch.device("cuda"))

    def update(self, x: torch.cuda.FloatTensor):
        y = x @ x.cuda()
        self.total = torch.tensor(0.0, device=torch.device("cuda")) + (y * y).sum()
""")
    options = ["--no-cache", "--isolated", "--min-confidence=possible", "--output-format=json", "--exit-zero", "a.py"]
    found = syncl(*options, status=0).json["findings"]
    same({f["line"]: f["fix"]["gains"] for f in found if f["fix"]}, {8: False, 12: True})


def test_what_shares_an_edit_is_mended_together():
    """The labels' copy gains nothing beside the read of the images; as the loader pins anyway, it does not wait either."""
    write("a.py", """import torch
from torch.utils.data import DataLoader, TensorDataset
device = torch.device("cuda")
loader = DataLoader(TensorDataset(torch.randn(4096, 3, 224, 224), torch.zeros(4096).long()), batch_size=128)
model = torch.nn.Sequential(torch.nn.Conv2d(3, 64, 7), torch.nn.Flatten(), torch.nn.LazyLinear(10)).to(device)
for images, target in loader:
    images = images.to(device)
    target = target.to(device)
    if images.mean() > 3:
        continue
    torch.nn.functional.cross_entropy(model(images), target).backward()
""")
    out = run("--diff", "a.py", status=1).out
    holds(out, "+    images = images.to(device, non_blocking=True)\n+    target = target.to(device, non_blocking=True)\n")
    same(out.count("pin_memory"), 1)


SUMS = """total, hits = 0.0, 0
for i in range(100):
    loss = (w * x).sum()
    loss.backward()
    total += loss.item()
    hits += (x > y).sum().item()
hits /= 900
print(f"{total / 100:.3f} {hits:.3f}", hits)
"""
ADDED = SUMS.replace("loss.item()", "loss.detach().double()").replace("sum().item()", "sum().long()").replace("hits /= 900", "hits = int(hits) / 900").replace("{total ", "{float(total) ")


def test_a_script_s_own_sums_are_added_up_on_the_gpu():
    write("a.py", HEAD + SUMS)
    run("--fix-only", "--all-fixes", "a.py")
    same(text(), HEAD + ADDED)
    # what a function, or a file that imports the module, may read as a number stays one
    shown = HEAD + "def show():\n    print(total, hits)\n" + SUMS
    write("a.py", shown)
    run("--fix-only", "--all-fixes", "a.py")
    same(text(), shown)
    write("a.py", HEAD + SUMS)
    write("b.py", "import a\nprint(a.total, a.hits)\n")
    run("--fix-only", "--all-fixes", ".")
    same(text(), HEAD + SUMS)
    pathlib.Path("b.py").unlink()


def test_a_count_is_read_whole_where_no_quotient_reaches():
    def after(body):
        write("a.py", HEAD + "def f(some):\n" + "".join(f"    {line}\n" for line in body.splitlines()) + "f(True)\n")
        run("--fix-only", "--all-fixes", "a.py")
        return "int(hits)" in text()
    loop = "for i in range(100):\n    (w * x).sum().backward()\n    hits += (x > y).sum().item()\n"
    same([after("hits = 0\n" + loop + end) for end in ("hits /= 900\nreturn 100 * hits", "if some:\n    hits /= 900\nreturn hits")], [True, False])
    carried = "".join(f"    {line}\n" for line in (loop + "hits /= 900").splitlines())
    same(after("hits = 0\nfor epoch in range(3):\n" + carried + "return hits"), False)


def test_a_group_of_the_plan():
    write("a.py", SOURCE + "    x[[3, 4]] = 0\n" + "    u = torch.zeros(3).to(dev)\n")
    groups = [g["findings"] for g in run("--output-format=json", "a.py", status=1).json["plan"]["groups"]]
    changed = [run("--diff", f"--group={i + 1}", "a.py", status=1).out.count("\n-    ") for i in range(len(groups))]
    same(sum(changed), 3)
    same(run("--diff", "--group=99", "a.py").out, "")


def test_an_argument_takes_a_line_where_the_others_do():
    down = "    r = torch.full(\n        (9, 9),\n        0.5,\n    ).to(dev)\n"
    beside = "    r = torch.full((9, 9),\n                   0.5).to(dev)\n"
    write("a.py", HEAD + LOOP + down + beside)
    run("--fix-only", "a.py")
    same(text()[len(HEAD + LOOP):], down.replace("0.5,", "0.5,\n        device=dev,").replace(").to(dev)", ")") + beside.replace("0.5).to(dev)", "0.5, device=dev)"))


def test_the_lines_of_a_statement_move_together_unless_a_text_would_change():
    body = "    print('of',\n          i, x.mean())\n" + '    print("""mean\n    of""", x.mean())\n'
    write("a.py", HEAD + LOOP + body)
    run("--fix-only", "--unsafe-fixes", "a.py")
    head = "    if i % 100 == 0:\n"
    same(text()[len(HEAD + LOOP):], head + "        print('of',\n              i, x.mean())\n" + head + '        print("""mean\n    of""", x.mean())\n')


def test_line_ends_coding_and_mark_stay():
    for start, end, coding in (("", "\r\n", "utf-8"), ("", "\r", "utf-8"), ("\ufeff", "\n", "utf-8"), ("# coding: latin-1\n# \u00e9\n", "\r\n", "latin-1")):
        source = (start + SOURCE + "    t = torch.tensor([0.5, 2.5], device=dev)\n").replace("\n", end)
        fixed = (start + HEAD + "constant = torch.tensor([0.5, 2.5], device=dev)\n" + LOOP + DONE + "    t = constant.clone()\n").replace("\n", end)
        pathlib.Path("a.py").write_bytes(source.encode(coding))
        run("--fix-only", "a.py")
        same(pathlib.Path("a.py").read_bytes(), fixed.encode(coding), (end, coding))


def test_broken_files_are_left():
    write("a.py", SOURCE + "<<<<<<< HEAD\n")
    run("--fix-only", "a.py")
    same(text(), SOURCE + "<<<<<<< HEAD\n")


def test_standard_input_goes_to_standard_output():
    syncs = lambda *arguments, source=SOURCE, status=0: syncl("--no-cache", "--isolated", *arguments, stdin=source.encode(), status=status)
    same((syncs("--fix", "-").out, syncs("--fix-only", "-").out), (FIXED, FIXED))
    same(syncs("--fix", "-", source=SOURCE + DRAWN, status=1).out, FIXED + DRAWN)
    same(syncs("--fix", "-", source=FIXED).out, FIXED)
    same(syncs("--fix-only", "-", source="<<<<<<<\n").out, "<<<<<<<\n")
    same(syncs("--fix", "-", source=SOURCE.replace("\n", "\r\n")).out, FIXED.replace("\n", "\r\n"))
    write("a.py", "1\n")
    holds(syncs("--diff", "--stdin-filename=a.py", "-", status=1).out, f"--- a.py\n+++ a.py\n@@ -5,4 +5,4 @@")
    same((syncs("--fix", "--stdin-filename=a.py", "-").out, text()), (FIXED, "1\n"))


def notebook(first, second, lines, **how):
    cell = lambda source: {"cell_type": "code", "metadata": {"\u00e9": [1, 2]}, "source": source.splitlines(True) if lines else source,
                           "outputs": [{"output_type": "stream", "name": "stdout", "text": ["x[:, [0, 1, 2]]"]}], "execution_count": 3}
    return json.dumps({"cells": [{"cell_type": "markdown", "metadata": {}, "source": "x[[0, 1]]"}, cell(first), cell(second)],
                       "metadata": {"kernelspec": {"language": "python"}}, "nbformat": 4, "nbformat_minor": 5}, **how)


def test_notebooks_keep_all_but_what_is_mended():
    first, constant = "%matplotlib inline\n" + HEAD.rstrip("\n"), "    t = torch.tensor([0.5, 2.5], device=dev)"
    second, fixed = '!ls "\t\\"\n' + LOOP + WAIT + constant, '!ls "\t\\"\nconstant = torch.tensor([0.5, 2.5], device=dev)\n' + LOOP + DONE + "    t = constant.clone()"
    for lines in True, False:
        for how in {"indent": 1}, {"ensure_ascii": False, "indent": 1}, {}:
            write("n.ipynb", notebook(first, second, lines, **how))
            run("--fix-only", "n.ipynb")
            same(text("n.ipynb"), notebook(first, fixed, lines, **how), (lines, how))
            run("--fix-only", "n.ipynb")
            same(text("n.ipynb"), notebook(first, fixed, lines, **how), (lines, how))
    write("n.ipynb", notebook(first, second, True, indent=1))
    told = run("--diff", "n.ipynb", status=1).out
    same(told.startswith('--- n.ipynb:cell 3\n+++ n.ipynb:cell 3\n@@ -1,5 +1,6 @@\n !ls "'), True, told)
    same(syncl("--no-cache", "--isolated", "--fix", "--stdin-filename=n.ipynb", "-", stdin=notebook(first, second, True).encode(), status=0).out, notebook(first, fixed, True))


def test_what_would_leave_its_cell_is_left():
    first = HEAD + "def f():\n    pass"
    second = "def g(n):\n    values = []\n    for i in range(n):\n        (w * x).sum().backward()\n        values.append(x.sum().item())"
    write("n.ipynb", notebook(first, second + "\ng(3)", True))
    run("--fix-only", "--unsafe-fixes", "n.ipynb")
    same(text("n.ipynb").count("torch.stack(values)"), 1)
    write("n.ipynb", notebook(first, second, True))
    run("--fix-only", "--unsafe-fixes", "n.ipynb")
    same(text("n.ipynb"), notebook(first, second, True))


def test_a_second_run_changes_nothing():
    write("a.py", SOURCE + "    x[[4, 6]] = y[[1, 3]] + 1.0\n    x[0, 0] = 5.0\n    x[:, [0, 1]] = x[:, 1:3]\n    u = x[[0, 2, 3]]\n")
    run("--fix-only", "--all-fixes", "a.py")
    once = text()
    run("--fix-only", "--all-fixes", "a.py")
    same((text(), once.count("clone()")), (once, 2))


def test_every_format_has_the_fix():
    write("a.py", SOURCE + DRAWN)
    found = run("--output-format=json", "a.py", status=1).json["findings"]
    fixes = {f["rule"]: f["fix"] for f in found}
    same(fixes["index-from-host"], {"applicability": "safe", "gains": True, "remedy": "slice_copied", "title": "Take a slice instead of a list of indices.", "doubt": None,
                                    "edits": [{"file": "a.py", "cell": None, "start": {"line": 8, "column": 9}, "end": {"line": 8, "column": 24}, "text": "x[:, :3].clone()"}]})
    same((fixes["copy-to-device"]["applicability"], "random" in fixes["copy-to-device"]["doubt"]), ("unsafe", True))
    results = {r["ruleId"]: r for r in run("--output-format=sarif", "a.py", status=1).json["runs"][0]["results"]}
    change = results["SYN109"]["fixes"][0]["artifactChanges"][0]
    same((change["artifactLocation"]["uri"], change["replacements"]),
         ("a.py", [{"deletedRegion": {"startLine": 8, "startColumn": 9, "endLine": 8, "endColumn": 24}, "insertedContent": {"text": "x[:, :3].clone()"}}]))
    told = {d["code"]["value"]: d for d in run("--output-format=rdjson", "a.py", status=1).json["diagnostics"]}
    same((told["SYN109"]["suggestions"][0]["text"], "suggestions" in told["SYN107"]), ("x[:, :3].clone()", False))


def test_markdown_suggests_whole_lines():
    write("a.py", SOURCE + WORK + "    r = torch.zeros(9).to(dev); s = '```'\n" + DRAWN)
    out = run("--output-format=markdown", "a.py", status=1).out
    holds(out, "<summary>Safe fixes of 2 findings, as `syncl --fix` makes them</summary>")
    holds(out, f"a.py&#58;8\n\n```suggestion\n{DONE}```\n")
    holds(out, "a.py&#58;10\n\n````suggestion\n    r = torch.zeros(9, device=dev); s = '```'\n````\n")
    same("randn(9, device" in out, False)


def test_the_cache_keeps_fixes():
    write("a.py", SOURCE)
    once, again = (syncl("--cache-dir=c", "--isolated", "--min-confidence=certain", "--output-format=json", f"--threads={n}", "a.py", status=1).json for n in (1, 2))
    write("b.py", "import a\n")
    third = syncl("--cache-dir=c", "--isolated", "--output-format=json", "a.py", status=1).json
    same([[f["fix"] for f in r["findings"]] for r in (once, again, third)], [[once["findings"][0]["fix"]]] * 3)
    same(once["findings"][0]["fix"]["applicability"], "safe")


# ---- the file is the old or the new one ----

def test_owner_and_mode_stay_and_read_only_is_said():
    write("a.py", SOURCE)
    write("z.py", SOURCE)
    os.chmod("a.py", 0o751)
    os.chmod("z.py", 0o444)
    holds(run("--fix", "a.py", "z.py", status=2).err, "cannot write z.py: it is read-only")
    same((text(), text("z.py")), (SOURCE, SOURCE))
    run("--fix-only", "a.py")
    same((text(), os.stat("a.py").st_mode & 0o7777), (FIXED, 0o751))


def faulty(faults):
    return subprocess.run([FAULTY, "--no-cache", "--isolated", "--fix-only", "a.py"], capture_output=True, env=dict(os.environ, FAULTS=faults), timeout=60)


def test_ended_at_any_call_or_without_room_it_is_the_old_or_the_new_one():
    if not FAULTY.exists():
        return print("note: no syncl-faulty here, no run is ended")
    for kind in ("term", "write", "memory"):
        for n in range(1, 14) if kind != "memory" else range(1, 3000, 400):
            write("a.py", SOURCE)
            done = faulty(f"{kind}={n}")
            same((text() in (SOURCE, FIXED), os.listdir(".")), (True, ["a.py"]), (kind, n, done))
            same(text() == FIXED or done.returncode != 0, True, (kind, n, done))


def test_killed_at_any_write_each_file_is_the_old_or_the_new_one():
    if not FAULTY.exists():
        return print("note: no syncl-faulty here, no run is killed")
    seen = set()
    for n in range(1, 30):
        write("a.py", SOURCE), write("b.py", SOURCE)
        ran = subprocess.Popen([FAULTY, "--no-cache", "--isolated", "--fix-only", "a.py", "b.py"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ, FAULTS=f"stop={n}"))
        state = os.waitid(os.P_PID, ran.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        ran.kill()
        ran.communicate(timeout=60)
        now = tuple({SOURCE: "old", FIXED: "new"}.get(text(name), "torn") for name in ("a.py", "b.py"))
        same("torn" in now, False, (n, now))
        seen.add(now)
        if state.si_code == os.CLD_EXITED:
            break
        [path.unlink() for path in pathlib.Path(".").iterdir() if path.name not in ("a.py", "b.py")]  # what a killed run could not take away
    same(seen, {("old", "old"), ("new", "old"), ("new", "new")})


def test_without_room_for_the_second_file_the_run_says_so():
    if not FAULTY.exists():
        return print("note: no syncl-faulty here, nothing is without room")
    for n in range(1, 30):
        write("a.py", SOURCE), write("b.py", SOURCE)
        done = subprocess.run([FAULTY, "--no-cache", "--isolated", "--fix-only", "a.py", "b.py"], capture_output=True, env=dict(os.environ, FAULTS=f"write={n}"), timeout=60)
        now = [text(name) for name in ("a.py", "b.py")]
        same((all(one in (SOURCE, FIXED) for one in now), sorted(os.listdir("."))), (True, ["a.py", "b.py"]), (n, done))
        same(now == [FIXED, FIXED] or (done.returncode, b"cannot write" in done.stderr) == (2, True), True, (n, now, done))


def test_a_file_that_changes_meanwhile_is_not_written():
    if not FAULTY.exists():
        return print("note: no syncl-faulty here, nothing is changed meanwhile")
    for n in range(1, 6):
        write("a.py", SOURCE)
        ran = subprocess.Popen([FAULTY, "--no-cache", "--isolated", "--fix-only", "a.py"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ, FAULTS=f"stop={n}"))
        os.waitid(os.P_PID, ran.pid, os.WSTOPPED)
        write("a.py", SOURCE + "# mine\n")
        os.kill(ran.pid, signal.SIGCONT)
        said = ran.communicate(timeout=60)[1].decode()
        same((ran.returncode, text(), os.listdir(".")), (2, SOURCE + "# mine\n", ["a.py"]), (n, said))
        holds(said, "changed")


main(sys.modules[__name__])
