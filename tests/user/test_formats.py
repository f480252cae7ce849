#!/usr/bin/env python3
"""Forms of the report, standard input, @FILE, --statistics, and what a terminal gets. Every format shows the same
findings, and nothing that stands in a file or its name can drive what reads the report."""
import sys, unicodedata
import xml.etree.ElementTree as xml
from bench import *

NOTE = TRAIN + "    if step % 100 == 0:\n        print(loss)\n"
FORMATS = ["plan", "full", "concise", "json", "github", "sarif", "json-lines", "gitlab", "junit", "rdjson", "markdown", "html"]


def test_help_lists_just_these_formats():
    holds(syncl("--help").out.replace("\n" + " " * 28, ""), "|".join(["plan", "full", "concise"]))
    ran = syncl("--output-format=none", "x", status=2)
    holds(ran.err, "|".join(FORMATS))


def test_json_lines_are_the_findings_of_json():
    write("train.py", NOTE)
    lines = syncl("--output-format=json-lines", "train.py", status=1).out.splitlines()
    same([json.loads(line) for line in lines], syncl("--output-format=json", "train.py").json["findings"])
    same(len(lines), 2)
    write("clean.py", "x = 1\n")
    same(syncl("--output-format=json-lines", "clean.py", status=0).out, "")


def test_json_says_why_a_finding_is_only_possible():
    write("perhaps.py", "import torch\ndef start(values):\n    return torch.tensor(values, device='cuda')\n")
    findings = syncl("--output-format=json", "--min-confidence=possible", "perhaps.py", status=None).json["findings"]
    same([(f["rule"], f["confidence"], f.get("doubts")) for f in findings if f["confidence"] == "possible"],
         [("tensor-from-host", "possible", ["page", "caller"])])
    documented = syncl("--json-schema").json["$defs"]["finding"]["properties"]["doubts"]
    for word in documented["items"]["enum"]:
        holds(documented["description"], f" {word}: ")


def test_json_counts_a_place_that_nothing_is_known_of_once():
    write("unknown.py", "import torch\nfrom elsewhere import model\nfor epoch in range(3):\n    with open('x') as f:\n"
          "        torch.save(model.state_dict(), f)\n")
    same(syncl("--output-format=json", "unknown.py").json["summary"]["unknown_receivers"], 1)


def test_gitlab_is_what_code_quality_reads():
    write("sub/train.py", NOTE)
    subprocess.run(["git", "init", "-q", "."], check=True)
    os.chdir("sub")
    report = syncl("--output-format=gitlab", "train.py", status=1).json
    plain = syncl("--output-format=json", "train.py").json["findings"]
    same([r["fingerprint"] for r in report], [f["id"] for f in plain])
    same(report[0]["location"], {"path": "sub/train.py", "positions": {"begin": {"line": 13, "column": 14}, "end": {"line": 13, "column": 25}}})
    same({r["severity"] for r in report} <= {"info", "minor", "major", "critical", "blocker"}, True)
    same([r["check_name"] for r in report], [f["code"] for f in plain])
    same(all(r["description"] for r in report), True)
    os.chdir("..")


def test_rdjson_columns_count_bytes():
    write("train.py", NOTE.replace("    total += loss", '    é = "漢"; total += loss'))
    got = syncl("--output-format=rdjson", "train.py").json
    place = got["diagnostics"][0]["location"]
    line = open("train.py", "rb").read().split(b"\n")[place["range"]["start"]["line"] - 1]
    same(line[place["range"]["start"]["column"] - 1 : place["range"]["end"]["column"] - 1], b"loss.item()")
    same([d["severity"] for d in got["diagnostics"]], ["WARNING", "INFO"])
    same(got["diagnostics"][0]["code"], {"value": "SYN101"})
    same(got["source"], {"name": "syncl"})


def suites(*options):
    return {s.get("name"): s for s in xml.fromstring(syncl("--output-format=junit", *options).raw)}


def test_junit_fails_what_the_exit_status_fails():
    write("a/train.py", NOTE)
    write("a/clean.py", "x = 1\n")
    write("a/binary.py", b"\0\0")
    got = suites("a")
    same(sorted(got), ["a/binary.py", "a/clean.py", "a/train.py"])
    same((got["a/train.py"].get("tests"), got["a/train.py"].get("failures")), ("2", "1"))
    same([[kid.tag for kid in case] for case in got["a/train.py"]], [["failure"], ["system-out"]])
    holds(got["a/train.py"][0][0].text, "a/train.py:13:14: ")
    same((got["a/clean.py"].get("tests"), len(got["a/clean.py"][0])), ("1", 0))
    holds(got["a/binary.py"][0][0].get("message"), "NUL")
    same(suites("--fail-on=note", "a")["a/train.py"].get("failures"), "2")


def test_statistics_count_instead_of_showing():
    write("train.py", NOTE + "    total += loss.item()\n")
    text = syncl("--statistics", "train.py", status=1).out
    holds(text, "       2      0  SYN101 host-read: ")
    holds(text, "       0      1  SYN1")
    lacks(text, "train.py:")
    counts = syncl("--statistics", "--output-format=json", "train.py", status=1).json["statistics"]
    findings = syncl("--output-format=json", "train.py").json["findings"]
    same({(c["code"], c["warnings"] + c["notes"]) for c in counts}, {(f["code"], sum(g["code"] == f["code"] for g in findings)) for f in findings})
    same(counts[0]["dearest"], findings[0]["id"])
    syncl("--statistics", "--output-format=sarif", "train.py", status=2)


# ---- standard input and argument files ----


def test_standard_input_has_a_place_in_the_project():
    write("pkg/__init__.py", "")
    write("pkg/helper.py", "def read(t):\n    return t.item()\n")
    source = TRAIN.replace("import torch\n", "import torch\nfrom pkg.helper import read\n", 1).replace("loss.item()", "read(loss)")
    write("train.py", "old = 1\n")
    found = syncl("--output-format=json", "--stdin-filename=train.py", "-", "pkg/helper.py", stdin=source.encode(), status=1).json["findings"]
    same([(f["file"], f["line"]) for f in found], [("pkg/helper.py", 2)])
    same({w["file"] for w in found[0]["why"]} >= {"train.py"}, True)  # from what was sent, not from the file there
    plain = syncl("--output-format=concise", "-", stdin=TRAIN.encode(), status=1).out
    holds(plain, "-:13:14: SYN101")
    same(syncl("--output-format=concise", "--stdin-filename=new/x.py", stdin=TRAIN.encode(), status=1).out.split(":")[0], "new/x.py")
    nb = json.dumps({"cells": [{"cell_type": "code", "source": TRAIN}], "nbformat": 4})
    holds(syncl("--output-format=concise", "--stdin-filename=x.ipynb", "-", stdin=nb.encode(), status=1).out, "x.ipynb:cell 1:13:14")
    same(syncl("-", "-", "--output-format=json", stdin=TRAIN.encode(), status=1).json["summary"]["warnings"], 1)
    holds(syncl("-", stdin=b"\0", status=2).err, "NUL")
    holds(syncl("-", stdin=b"#" * (9 << 20), status=2).err, "larger than 8 MiB")


def test_arguments_from_a_file():
    write("a b.py", TRAIN)
    write("c.py", TRAIN)
    write("args", "--output-format=json\r\n\na b.py\n")
    same(syncl("@args", "c.py", status=1).json["summary"]["warnings"], 2)
    write("args", "--no-such\n")
    holds(syncl("@args", status=2).err, "--no-such")
    same(syncl("@missing", status=2).err, "syncl: cannot read @missing: No such file or directory\n")
    write("@odd.py", TRAIN)
    syncl("--", "@odd.py", status=1)
    syncl("./@odd.py", status=1)


# ---- terminals ----


def test_colours_and_links_are_for_terminals():
    write("a b/träin.py", TRAIN)
    path = "a b/träin.py"
    seen = on_terminal("-v", path)
    link = "\x1b]8;;file://" + os.getcwd() + "/a%20b/tr%C3%A4in.py\x1b\\"
    holds(seen, link)
    holds(seen, "\x1b[1;33mwarning")
    same(seen.count("\x1b]8;;file:"), seen.count("\x1b]8;;\x1b\\"))
    for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        lacks(on_terminal(path, env=env), "\x1b")
    lacks(on_terminal("--color=never", path), "\x1b")
    lacks(on_terminal(path, env={"TERM": "linux"}), "\x1b]8")
    holds(on_terminal(path, env={"NO_COLOR": ""}), "\x1b[")  # no-color.org: only when it is not empty
    always = syncl("-v", "--color=always", path).out
    holds(always, "\x1b[1;33m")
    lacks(always, "\x1b]8")
    lacks(syncl(path).out, "\x1b")
    for form in set(FORMATS) - {"plan", "full", "concise"}:
        lacks(on_terminal("--output-format=" + form, path), "\x1b")


def test_a_long_run_says_what_it_is_at_on_a_terminal_only():
    write("train.py", TRAIN)
    args = ("--output-format=concise", "-", "train.py")  # long, as nobody types anything for a while
    seen = on_terminal(*args, type_after=(1.6, b"x = 1\n\x04\x04"))
    holds(seen, "\r\x1b[Ksyncl: reading files, 1 s")
    lacks(seen.split("\r\x1b[K")[-1], "reading")  # it is gone when the report comes
    holds(seen.split("\r\x1b[K")[-1], "train.py")
    lacks(on_terminal("train.py"), "reading")
    lacks(on_terminal("-q", *args, type_after=(1.6, b"x = 1\n\x04\x04")), "reading")
    same(syncl("train.py").err, "")


# ---- hostile text ----

NASTY = [
    "\n::error::injected",
    "##[error]injected",
    "\x1b]8;;http://evil\x1b\\",
    "\x1b[31mred",
    "]]><!--",
    "\"'&<>`|",
    "\u202eevil\u2066",
    "\x9b31m",
    "\r::warning::x",
    "%0A::error::y",
    "\ufffe\uffff",
    "\ufdd0\ufdef\U0001fffe\U0002ffff\U0010ffff",
    "\u0600\u06dd\u070f\u0890\u08e2\u2065\U000110bd\U00013430\U0001bca0\U0001d173\U000e0001",
]
RAW = [n.encode() for n in NASTY] + [b"\xff\xfe\xc3", b"\xed\xa0\x80", b"\x80::error::"]


def hostile_sources():
    os.mkdir("h")
    for i, nasty in enumerate(RAW):
        text = TRAIN.encode().replace(b"    total += loss.item()\n", b"    total += {'k" + nasty.replace(b"\n", b"\\\n").replace(b"\r", b"\\\r").replace(b"'", b'"') + b"': loss}.get('k', loss).item()\n    a = loss.item()\n")
        name = b"h/f%d_" % i + nasty.replace(b"/", b"_") + b".py"
        with open(name, "wb") as file:
            file.write(text)
        cell = TRAIN.replace("loss.item()", "loss.item()  # " + nasty.decode(errors="replace").replace("\n", " ").replace("\r", " "))
        with open(name[:-3] + b".ipynb", "wb") as file:
            file.write(json.dumps({"cells": [{"cell_type": "code", "source": cell}], "nbformat": 4}).encode())
    with open(b"h/skip\n::error::##[error]\x1b[31m\xff]]>.py", "wb") as file:
        file.write(b"\0")


def is_noncharacter(code):
    return code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF


def check_harmless(form, raw, commands):
    text = raw.decode("utf-8")
    bad = [c for c in text if c not in "\n\u200b" and (unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") or is_noncharacter(ord(c)))]
    same(bad, [], form)
    lacks(text, "##[")
    for line in text.splitlines():
        if line.lstrip().startswith("::"):
            same(commands and line.startswith(("::warning file=", "::notice file=")), True, form + ": " + line)


def test_hostile_text_drives_nothing_in_any_format():
    hostile_sources()
    for form in FORMATS:
        ran = syncl("--output-format=" + form, "h", env={"GITHUB_ACTIONS": "true"}, status=1)
        check_harmless(form, ran.raw, form == "github")
        check_harmless(form, ran.err.encode(), False)
        if form == "junit":
            same(len(xml.fromstring(ran.raw)), 2 * len(RAW) + 1)
        elif form == "json-lines":
            same(len([json.loads(line) for line in ran.out.splitlines()]) >= len(RAW), True)
        elif form not in ("plan", "full", "concise", "github", "markdown", "html"):
            json.loads(ran.raw)
    check_harmless("statistics", syncl("--statistics", "h", env={"GITHUB_ACTIONS": "true"}).raw, False)
    check_harmless("stdin", syncl("--stdin-filename=a\n::error::\x1b##[x.py", "--output-format=concise", stdin=TRAIN.encode(), env={"GITHUB_ACTIONS": "1"}).raw, False)
    write("args", "--\x1b[31m##[error]\n")
    check_harmless("@args", syncl("@args", env={"GITHUB_ACTIONS": "1"}, status=2).err.encode(), False)
    check_harmless("@name", syncl("@\n::error::\x1b##[x", env={"GITHUB_ACTIONS": "1"}, status=2).err.encode(), False)


def test_links_of_a_terminal_are_ours_only():
    hostile_sources()
    seen = on_terminal("--output-format=concise", "h")
    for part in seen.split("\x1b]8;;")[1:]:
        target = part[: part.index("\x1b\\")]
        same(target == "" or target.startswith("file:///") and target.isascii() and target.isprintable(), True, target)
    rest = re.sub(r"\x1b\]8;;[!-~]*\x1b\\|\x1b\[[0-9;]*m|\r\n", "", seen)
    same([c for c in rest if unicodedata.category(c) == "Cc" and c != "\n"], [])


main(sys.modules[__name__])
