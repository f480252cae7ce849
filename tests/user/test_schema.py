#!/usr/bin/env python3
"""The schema that --json-schema prints: every JSON output of the tests fits it, and version 1 keeps what it promised."""
import copy
import sys
from bench import *
from schema import TYPES, errors, keys

KEPT = BUILD / "json"  # what run.sh has had the other tests keep here (bench.py, cli.h)


def schema():
    return syncl("--json-schema", status=0).json


def wrong(value, root):
    return list(errors(value, root, root))


def line_wrong(value, root):
    return list(errors(value, root["$defs"]["broken_line" if "broken" in value else "finding"], root))


def test_it_is_a_schema_of_the_draft_that_it_names():
    same(schema()["$schema"], "https://json-schema.org/draft/2020-12/schema")
    checker = BUILD / "sarif-venv" / "bin" / "check-jsonschema"
    if not checker.exists():
        print("note: no check-jsonschema here, the schema itself is not checked")
        return
    write("schema.json", syncl("--json-schema").raw)
    done = subprocess.run([checker, "--check-metaschema", "schema.json"], capture_output=True, text=True)
    same(done.returncode, 0, done.stdout + done.stderr)


def test_every_json_output_of_the_tests_fits():
    root, count = schema(), 0
    for path in sorted(KEPT.glob("*.json")):
        text = path.read_text()
        for line in [text] if text.startswith("{\n") else text.splitlines():
            value = json.loads(line)
            bad = wrong(value, root) if "version" in value else line_wrong(value, root)
            same(bad[:5], [], f"{path.name}: {text[:300]}")
            count += 1
    print(f"note: {count} JSON outputs of the tests fit the schema")
    same(count > 100 or "SYNCL_KEEP_JSON" not in os.environ, True, "too few were kept to say so")


def test_corpus_and_cases_fit():
    root = schema()
    for folder in ("corpus", "tests/cases"):
        ran = syncl("--output-format=json", "--min-confidence=possible", "--isolated", "--exit-zero", ROOT / folder, status=0)
        same(wrong(ran.json, root)[:5], [], folder)
        same(len(ran.json["findings"]) > 200, True)


def test_lines_and_statistics_fit():
    root = schema()
    write("train.py", TRAIN + "def f(:\n")
    for line in syncl("--output-format=json-lines", "train.py", status=1).out.splitlines():
        same(line_wrong(json.loads(line), root), [])
    same(wrong(syncl("--output-format=json", "--statistics", "train.py", status=1).json, root), [])


def damaged(report):
    """What no reader of version 1 expects."""
    yield "version", {**report, "version": 2}
    yield "a key less", {key: value for key, value in report.items() if key != "loops"}
    yield "a key more", {**report, "surprise": 1}
    for key, value in (("line", 0), ("level", "fatal"), ("confidence", None), ("waits", "two"), ("why", [{}]), ("code", "host-read")):
        other = copy.deepcopy(report)
        other["findings"][0][key] = value
        yield key, other


def test_what_does_not_fit_is_seen():
    root = schema()
    write("train.py", TRAIN)
    report = syncl("--output-format=json", "train.py", status=1).json
    same(wrong(report, root), [])
    for name, other in damaged(report):
        same(bool(wrong(other, root)), True, name)


def test_version_1_keeps_its_keys():
    """Keys and words may be added; who takes one away, or changes what may stand there, writes version 2."""
    root = schema()
    now = {(at, one) for at, allowed in keys(root, root) for one in allowed.split()}
    promised = (ROOT / "tests" / "user" / "json_version_1.txt").read_text().splitlines()
    kept = {(at, one) for at, _, allowed in (line.partition(": ") for line in promised) for one in allowed.split()}
    same(len(kept) > 100, True)
    same(sorted(kept - now), [])
    same(sorted((at, one) for at, one in now - kept if one in TYPES and at in dict(kept)), [])


main(sys.modules[__name__])
