#!/usr/bin/env python3
"""--observed puts what a run's debug mode said beside the findings; --emit-test writes a test that runs under it."""
import sys
from bench import *

WARN = "called a synchronizing CUDA operation"
SCRIPT = """import torch
device = torch.device("cuda")
model = torch.nn.Linear(10, 10).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total = 0.0
for step in range(1000):
    x = torch.randn(32, 10, device=device)
    out = model(x)
    loss = out[out > 0].pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch.cuda.synchronize()
    total += (
        loss.item()
    )
    if total > 1e9:
        print(loss)
"""


def observed(log, *options, path="train.py", status=1):
    write("log", log)
    return syncl("--output-format=json", "--observed=log", *options, path, status=status).json


def by_line(report):
    return {f["line"]: f["observed"]["status"] for f in report["findings"]}


def python_warning(path, line, text="x"):
    """As CPython prints it for torch 2: the source line follows."""
    return f"{path}:{line}: UserWarning: {WARN} (Triggered internally at /pytorch/c10/cuda/CUDAFunctions.cpp:323.)\n  {text}\n"


def test_each_finding_is_marked():
    write("train.py", SCRIPT)
    plain = syncl("--output-format=json", "train.py").json
    same([f["observed"] for f in plain["findings"]], [None] * 4)
    lacks(plain, "observed")
    log = "epoch 1\n" + python_warning("train.py", 15) * 3 + "done\n"
    got = observed(log)
    same(by_line(got), {9: "not-observed", 13: "not-observable", 15: "confirmed", 18: "not-observed"})
    same({f["line"]: f["observed"]["warnings"] for f in got["findings"]}[15], 3)
    same(got["observed"], {"warnings": 3, "warnings_here": 3, "lines_covered": 0, "without_finding": []})
    ran = "SF:train.py\n" + "".join(f"DA:{n},{int(n < 18)}\n" for n in range(1, 19)) + "end_of_record\n"
    # which lines ran: what did not run could not be seen, and what ran was not
    same(by_line(observed(log + ran)), {9: "not-seen", 13: "not-observable", 15: "confirmed", 18: "not-executed"})
    write("cov", ran)
    same(by_line(observed(log, "--observed=cov"))[18], "not-executed")
    same(by_line(observed(log, "--observed=log,cov"))[18], "not-executed")
    same(by_line(observed(log + ran.replace("train.py", "other.py")))[18], "not-observed")


def test_every_way_to_log_a_line():
    write("src/train.py", SCRIPT)
    here = os.getcwd()
    for place in (f"{here}/src/train.py", "/home/other/checkout/src/train.py", "src/train.py", "train.py", "./src/train.py"):
        for form in ("{p}:15: UserWarning: {w} (Triggered internally at ../c10/cuda/CUDAFunctions.cpp:147.)", "{p}:15: {w}",
                     "[rank3]: {p}:15: UserWarning: {w}", "WARNING:py.warnings:{p}:15: UserWarning: {w}", "0 | {p}:15: {w}",
                     "2026-01-01 10:00:00,000 WARNING {p}:15: UserWarning: {w}\r"):
            line = form.format(p=place, w=WARN)
            same(by_line(observed(line, path="src"))[15], "confirmed", line)
    for line in (f"other.py:15: {WARN}", f"/x/site-packages/src/train.py:15: {WARN}", f"src/train.py: {WARN}", f"src/train.py:0: {WARN}",
                 f"/home/x/lib/train.py:15: {WARN}", f"{WARN} src/train.py:15: ", "src/train.py:15: UserWarning: something else"):
        same(by_line(observed(line, path="src"))[15], "not-observed", line)
    # two files that a name fits alike: neither
    write("a/train.py", SCRIPT)
    both = observed(f"train.py:15: {WARN}", path=".")
    same({f["observed"]["status"] for f in both["findings"] if f["line"] == 15}, {"not-observed"})
    same(both["observed"]["without_finding"][0]["analysed"], False)


def test_a_log_of_something_else_is_said():
    """In every format, on standard error: no status of a finding rests on it."""
    write("train.py", SCRIPT)
    cases = {"": "nothing in the logs is a warning of torch.cuda.set_sync_debug_mode", "epoch 1 loss 0.3\n": "so nothing was observed",
             "SF:train.py\nDA:15,1\nend_of_record\n": "no warning is in the logs, only which lines ran",
             python_warning("/home/b/other.py", 3) * 2: "none of the 2 warnings in the logs names a file that was analysed"}
    for log, words in cases.items():
        write("log", log)
        for form in ("full", "concise", "json", "github", "sarif"):
            ran = syncl("--output-format=" + form, "--observed=log", "train.py", status=1)
            holds(ran.err, words)
            same(ran.err.count("\n"), 1)
    write("log", python_warning("train.py", 15) + python_warning("/home/b/other.py", 3))
    ran = syncl("--observed=log", "train.py", status=1)
    same(ran.err, "")
    holds(ran.out, "Of 2 warnings in the logs 1 is of these files.")
    got = observed(open("log").read())["observed"]
    same((got["warnings"], got["warnings_here"]), (2, 1))


def test_waits_without_a_finding_are_listed():
    write("train.py", SCRIPT.replace("loss.item()", "loss.item()  # syncl: allow[host-read] a test"))
    log = "".join([python_warning("train.py", 3), python_warning("train.py", 11) * 5, python_warning("train.py", 15) * 2, python_warning("/x/torch/_tensor.py", 7)])
    got = observed(log)["observed"]
    same([(w["file"], w["line"], w["warnings"], w["analysed"], w["in_backward"], w["hidden"]) for w in got["without_finding"]],
         [("train.py", 11, 5, True, True, False), ("train.py", 15, 2, True, False, True), ("/x/torch/_tensor.py", 7, 1, False, False, False), ("train.py", 3, 1, True, False, False)])
    same([w["once"] for w in got["without_finding"]], [False, False, True, True])
    text = syncl("-v", "--observed=log", "train.py").out
    holds(text, "Observed waits without a finding here (what runs once is none), of 9 warnings:\n  train.py:11, 5 times: the backward pass")
    holds(text, "train.py:15, 2 times: a finding that is not shown\n")
    lacks(text, "train.py:3, ")
    holds(text, "; not observed: no warning names it")
    holds(syncl("--observed=log", "--output-format=concise", "train.py").out, "[warning, not-observable]")


def test_what_runs_once_does_not_lead_the_list():
    """`model.to(device)` warns for every parameter, once a run."""
    write("train.py", SCRIPT.replace("for step", "torch.randn(9)[torch.randn(9) > 0]\nfor step").replace("        print(loss)", "        pass"))
    got = observed(python_warning("train.py", 3) * 200 + python_warning("train.py", 6) + python_warning("train.py", 8) * 9)["observed"]["without_finding"]
    same([(w["line"], w["once"]) for w in got], [(8, False), (3, True), (6, True)])
    # a log in which Python showed each line's first warning alone says nothing of how often
    got = observed(python_warning("train.py", 8) + python_warning("train.py", 9))["observed"]["without_finding"]
    same([(w["line"], w["once"]) for w in got], [(8, False), (9, False)])
    # other coverage than Python's counts runs
    ran = "SF:train.py\nDA:8,1\nDA:9,1000\nend_of_record\n"
    got = observed(python_warning("train.py", 8) * 9 + python_warning("train.py", 9) * 9 + ran)["observed"]["without_finding"]
    same([(w["line"], w["once"]) for w in got], [(9, False), (8, True)])


def test_reads_of_a_statement_share_its_warnings():
    write("train.py", SCRIPT.replace("        loss.item()", "        loss.item() + out.sum().item() + float(loss)"))
    got = observed(python_warning("train.py", 15) * 31)["findings"]
    counts = [f["observed"]["warnings"] for f in got if f["line"] == 15]
    same((len(counts), sum(counts), max(counts) - min(counts)), (3, 31, 1))


def test_help_says_how_to_log_a_run():
    out = syncl("observed-help", status=0).out
    for part in ("warnings.showwarning", 'set_sync_debug_mode("warn")', "coverage run --source=. train.py", "coverage lcov -o run.info", "syncl --observed=run.log,run.info train.py"):
        holds(out, part)
    code = "\n".join(line[4:] for line in out.splitlines() if line.startswith("    ") and not re.match(" +(coverage|syncl) ", line))
    compile(code, "observed-help", "exec")


def test_logs_of_anybody():
    write("train.py", SCRIPT)
    nasty = f"\x1b[31m##[error]\n::error::x:15: {WARN}\n\xff\xfe\u202e:15: {WARN}\n:15: {WARN}\n{'a' * 70000}:1: {WARN}\nSF:\nDA:1,1\nDA:,\nSF:train.py\nDA:99999999999999,1\nDA:5\n"
    for data in (nasty.encode("latin1", "replace"), b"", b"\0" * 1000, (f"train.py:15: {WARN}").encode()):
        write("log", data)
        ran = syncl("--observed=log", "train.py", env={"GITHUB_ACTIONS": "1"}, status=1)
        lacks(ran.out, "\x1b")
        lacks(ran.out, "##[")
        same([line for line in ran.out.splitlines() if line.lstrip().startswith("::")], [])
    same(syncl("--observed=none", "train.py", status=2).err, "syncl: none: No such file or directory\n")


def example(page, line):
    """The block of a rule page that holds the line, as a loop's body; and where the line stands then."""
    lines = (ROOT / page).read_text().split("\n")
    first = max(i for i in range(line) if lines[i].startswith("```python"))
    last = next(i for i in range(line, len(lines)) if lines[i].startswith("```"))
    head = (ROOT / "rules/prelude.py").read_text() + "\nfor step in range(steps):\n"
    return head + "".join(f"    {text}\n" for text in lines[first + 1 : last]), head.count("\n") + line - first - 1


def test_not_observable_is_what_an_h200_waited_for_without_a_warning():
    table, checked, silent, wrong = (ROOT / "rules/executed-h200.tsv").read_text().splitlines(), 0, 0, []
    for page, line, how, warnings, behind, text in (row.split("\t", 5) for row in table if row.count("\t") >= 5):
        rule = re.search(r"# sync: ([\w-]+)$", text)
        if how != "ok" or not rule or int(behind) < 3000:
            continue
        line = min((abs(n - int(line)), n) for n, said in [(10**6, text)] + list(enumerate((ROOT / "rules" / page).read_text().split("\n"), 1)) if said.strip() == text.strip())[1]
        if line == 10**6:
            continue  # the page says it otherwise by now
        source, at = example(f"rules/{page}", line)
        write("example.py", source)
        found = [f for f in observed("", "--min-confidence=possible", "--select=ALL", path="example.py", status=None)["findings"] if f["line"] == at and f["rule"] == rule[1]]
        if len({f["observed"]["status"] for f in found}) > 1:
            continue  # two calls, one of which warns
        checked += len(found)
        silent += len(found) * (warnings == "0")
        wrong += [(page, line, text, f["observed"]["status"]) for f in found if f["kind"] == "wait" and (f["observed"]["status"] == "not-observable") != (warnings == "0")]
    same(wrong, [])
    same(checked > 60 and silent > 4, True, (checked, silent))


# ---- the test that is written ----

TRAINER = """import torch
model = torch.nn.Linear(4, 4).cuda()
def step(batch, scale, *rest, clip=1.0, strict):
    loss = model(batch).sum()
    for k in range(3):
        if loss > scale:
            return loss.item()
    return loss
class Trainer:
    def fit(self, batch):
        for b in batch:
            yield b.item()
    async def poll(self):
        torch.cuda.synchronize()
    @staticmethod
    def quiet(a): return a
    @classmethod
    def of(cls, b): return b
    def step2(self):
        def inner(): pass
"""
FAKE_TORCH = """
mode = "default"
class Value:
    def item(self):
        if mode == "error": raise RuntimeError("called a synchronizing CUDA operation")
        return 1.0
    def sum(self): return self
    def __gt__(self, other): return self.item() > other
class cuda:
    class Event:
        def synchronize(self): pass
    def is_available(): return True
    def synchronize(): pass
    def set_sync_debug_mode(new):
        global mode
        mode = new
class nn:
    def Linear(a, b):
        class Model:
            def cuda(self): return self
            def __call__(self, x): return x
        return Model()
"""
FAKE_PYTEST = """
import importlib
importorskip = importlib.import_module
class mark:
    def skipif(condition, reason): return condition
fixture = lambda function: function
"""
CALL = """
import sys, asyncio; sys.path[:0] = ["fakes", "src"]
import torch, test_it
class monkeypatch:
    setattr = staticmethod(setattr)
Value = torch.Value
for argument in %r:
    try: getattr(test_it, argument)()
    except NotImplementedError as error: print(error)
try:
    test_it.test_%s_does_not_wait(monkeypatch, %s)
    print("quiet")
except (RuntimeError, AssertionError) as error: print(error)
print(torch.mode)
"""


def emitted(function, test, fixtures, arguments):
    write("src/trainer.py", TRAINER)
    write("fakes/torch.py", FAKE_TORCH)
    write("fakes/pytest.py", FAKE_PYTEST)
    same(syncl("--emit-test", function, "-o", "test_it.py", "src", status=0).out, "")
    done = subprocess.run([sys.executable, "-c", CALL % (fixtures, test, arguments)], capture_output=True, text=True)
    same(done.stderr, "")
    return done.stdout.splitlines(), open("test_it.py").read()


def test_the_written_test_fails_on_a_wait_and_only_then():
    said, text = emitted("step", "step", ["batch", "scale", "strict"], "Value(), 5, strict=1")
    same(said[0], "return what step() is called with as batch, on the GPU")
    same(said[3:], ["called a synchronizing CUDA operation", "default"])
    holds(text, "    step(batch, scale, strict=strict)\n")
    holds(text, "# Written by syncl --emit-test. Run it with pytest where a GPU is; PYTHONPATH=src\n")
    holds(text, "What syncl finds in it today:\n#   src/trainer.py:6:12: loss > scale\n#   src/trainer.py:7:20: loss.item()\n")
    same(emitted("Trainer.fit", "fit", ["instance"], "None, [Value()]")[0], ["return what Trainer.fit() is called on, on the GPU", "called a synchronizing CUDA operation", "default"])
    same(emitted("fit", "fit", [], "None, []")[0], ["quiet", "default"])
    same(emitted("poll", "poll", [], "None")[0], ["the CPU waits for the GPU here", "default"])
    same(emitted("quiet", "quiet", ["a"], "3")[0], ["return what Trainer.quiet() is called with as a, on the GPU", "quiet", "default"])
    same(emitted("Trainer.of", "of", ["b"], "3")[0], ["return what Trainer.of() is called with as b, on the GPU", "quiet", "default"])


def test_what_cannot_be_written_is_said():
    write("src/trainer.py", TRAINER)
    write("src/more.py", "def step(a): pass\n")
    write("src/no-module.py", "def only(a): pass\n")
    same(syncl("--emit-test=stpe", "src/trainer.py", status=2).err, "syncl: no function stpe that can be imported; the nearest is step\n")
    same(syncl("--emit-test=inner", "src/trainer.py", status=2).err.startswith("syncl: no function inner"), True)
    same(syncl("--emit-test=step", "src", status=2).err, "syncl: several functions are called step: step at src/more.py:1, step at src/trainer.py:3\n")
    same(syncl("--emit-test=only", "src", status=2).err, "syncl: src/no-module.py cannot be imported by a test\n")


def test_a_written_test_holds_no_words_of_the_source_but_in_comments():
    nasty = 'x["""\\nimport os; os.abort()"""]'
    write("train.py", f"import torch\nx = torch.zeros(9, device='cuda')\ndef step():\n    for i in range(9):\n        y = {{'k\\x1b\"\"\" \x1b\u202e': x}}.get('\"\"\"', x).sum().item()\n")
    text = syncl("--emit-test=step", "train.py", status=0).out
    compile(text, "test", "exec")
    for line in text.splitlines():
        same("get(" in line and not line.startswith("#"), False, line)
    same([c for c in text if ord(c) < 32 and c != "\n" or c == "\u202e"], [])


main(sys.modules[__name__])
