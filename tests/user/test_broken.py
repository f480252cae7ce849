#!/usr/bin/env python3
"""A file that is read in part only is named with its line, in every format, and can fail a run."""
import html
import sys
import xml.etree.ElementTree as xml
from bench import *

BROKEN = "import math\n\ndef f(:\n    return math.pi\n"
CONFLICT = TRAIN + '<<<<<<< HEAD\nprint("here")\n=======\nprint("there")\n>>>>>>> other\n'
FORMATS = ("plan", "full", "concise", "json", "json-lines", "github", "sarif", "gitlab", "junit", "rdjson", "markdown", "html")


def places(*args, status=0):
    ran = syncl("--output-format=json", *args, status=status).json
    same(len(ran["broken"]), ran["summary"]["broken"])
    return [(b["file"], b["cell"], b["line"]) for b in ran["broken"]]


def test_a_syntax_error_is_no_silence():
    write("bad.py", BROKEN)
    same(places("bad.py"), [("bad.py", None, 3)])
    out = syncl("bad.py", status=0).out
    holds(out, "read in part bad.py:3:")
    holds(out, "No waits found in 1 file, 1 read in part.")
    holds(syncl("-q", "bad.py", status=0).out, "read in part bad.py:3:")
    write("good.py", "x = 1\n")
    same(places("good.py"), [])
    lacks(syncl("good.py", status=0).out, "in part")


def test_a_merge_conflict_is_said_and_findings_stay():
    write("train.py", CONFLICT)
    ran = syncl("--output-format=json", "train.py", status=1).json
    same([f["line"] for f in ran["findings"]], [13])
    same([(b["line"], b["column"]) for b in ran["broken"]], [(14, 1)])
    holds(ran["broken"][0]["reason"], "merge conflict")
    write("text.py", "s = '''\n<<<<<<< HEAD\n=======\n'''\n")  # in a string it is none
    same(places("text.py"), [])


def test_every_format_has_an_entry():
    write("bad.py", BROKEN)
    said = {form: syncl("--output-format=" + form, "bad.py", status=0).out for form in FORMATS}
    said |= {form + "!": syncl("--output-format=" + form, "--fail-on-broken", "bad.py", status=1).out for form in FORMATS}
    for form, text in said.items():
        holds(html.unescape(text), "syntax error: what stands around it may be left out")
    holds(said["concise"], "bad.py:3:")
    holds(said["github"], "::warning file=bad.py,line=3,")
    holds(said["github!"], "::error file=bad.py,line=3,")
    holds(json.loads(said["json-lines"])["broken"]["file"], "bad.py")
    for level, form in (("warning", "sarif"), ("error", "sarif!")):
        notes = json.loads(said[form])["runs"][0]["invocations"][0]["toolExecutionNotifications"]
        same([n["locations"][0]["physicalLocation"]["region"]["startLine"] for n in notes if n["level"] == level], [3])
    for severity, form in (("major", "gitlab"), ("blocker", "gitlab!")):
        same([(e["severity"], e["location"]["positions"]["begin"]["line"]) for e in json.loads(said[form])], [(severity, 3)])
    for severity, form in (("WARNING", "rdjson"), ("ERROR", "rdjson!")):
        same([(d["severity"], d["location"]["range"]["start"]["line"]) for d in json.loads(said[form])["diagnostics"]], [(severity, 3)])
    for tag, form in (("skipped", "junit"), ("error", "junit!")):
        suite = xml.fromstring(said[form])[0]
        same((suite.get("tests"), suite.get("errors"), suite.get("skipped"), [e.tag for e in suite.iter() if e.get("message")]),
             ("1", str(int(tag == "error")), str(int(tag == "skipped")), [tag]))
    same(syncl("--statistics", "--output-format=json", "bad.py", status=0).json["broken"], 1)
    write("summary.md", "")
    syncl("--output-format=github", "bad.py", env={"GITHUB_STEP_SUMMARY": "summary.md"}, status=0)
    holds(open("summary.md").read(), "bad.py&#58;3&#58;")


def test_ten_annotations_and_the_rest_in_the_log():
    for i in range(25):
        write(f"bad{i:02}.py", BROKEN)
    lines = syncl("--output-format=github", ".", status=0).out.splitlines()
    same(sum(line.startswith("::warning file=bad") for line in lines), 10)
    same(sum(line.startswith("bad") for line in lines), 15)
    holds(syncl(".", status=0).out, "read in part 5 more")


def test_a_run_can_fail_on_it():
    write("bad.py", BROKEN)
    syncl("--fail-on-broken", "bad.py", status=1)
    same(syncl("--fail-on-broken", "--output-format=json", "bad.py", status=1).json["summary"]["failed"], True)
    syncl("--fail-on-broken", "--exit-zero", "bad.py", status=0)
    syncl("--fail-on-broken", "--fail-over=1ms", "bad.py", status=1)
    write("good.py", "x = 1\n")
    syncl("--fail-on-broken", "good.py", status=0)
    write("syncl.toml", "fail-on-broken = true\n")
    syncl("bad.py", status=1)
    write("syncl.toml", "fail-on-broken = 1\n")
    holds(syncl("bad.py", status=2).err, "'fail-on-broken' takes true or false")


def test_what_is_imported_counts_and_what_is_to_be_passed_over_does_not():
    write("train.py", "from helper import f\nf()\n")
    write("helper.py", BROKEN)
    same(places("train.py"), [("helper.py", None, 3)])
    write("helper.py", BROKEN + "# syncl: skip-file\n")
    same(places("."), [])


def test_a_notebook_says_its_cell():
    cell = lambda source: {"cell_type": "code", "metadata": {}, "source": source}
    write("nb.ipynb", json.dumps({"cells": [cell("x = 1"), cell("y = 2\nfor 3 in y: pass")], "nbformat": 4}))
    same(places("nb.ipynb"), [("nb.ipynb", 2, 2)])
    holds(syncl("nb.ipynb", status=0).out, "nb.ipynb:cell 2:2:")
    holds(syncl("--output-format=rdjson", "nb.ipynb", status=0).out, "Cell 2, line 2: ")


def test_what_is_nested_too_deeply_is_said():
    write("deep.py", "x = 1\ny = " + "-" * 600 + "x\n")
    ran = syncl("--output-format=json", "deep.py", status=0).json
    same([(b["line"], b["reason"]) for b in ran["broken"]], [(2, "nested too deeply: what is deeper is left out")])


def test_what_writes_no_report_says_it_too():
    write("train.py", CONFLICT)
    for words in (["--write-baseline=b.json"], ["--emit-test=f"], ["--add-allow"]):
        holds(syncl(*words, "train.py").err, "train.py:14:1: a merge conflict's markers")


def test_a_kept_result_says_it_too():
    write("bad.py", BROKEN)
    env = {"XDG_CACHE_HOME": os.path.abspath("cache")}
    first = syncl("--fail-on-broken", "bad.py", env=env, status=1).raw
    same(syncl("--fail-on-broken", "bad.py", env=env, status=1).raw, first)
    for other in (BROKEN.replace("f(:", "f():"), "\n" + BROKEN):  # models of the files are kept as well
        write("bad.py", other)
        same(syncl("--output-format=json", "bad.py", env=env).json["broken"], syncl("--no-cache", "--output-format=json", "bad.py").json["broken"])


main(sys.modules[__name__])
