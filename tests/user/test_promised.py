#!/usr/bin/env python3
"""What sets syncl apart, in one small program each: the table of tests/features rests on these."""
import sys
from bench import *


def lines(source, *options):
    write("train.py", source)
    return [(f["line"], f["level"]) for f in syncl("--output-format=json", *options, "train.py").json["findings"]]


def test_the_device_decides_not_the_name():
    on_cpu = TRAIN.replace("total += loss.item()", "total += torch.zeros(3).sum().item()")
    same(lines(on_cpu), [])
    same(lines(TRAIN), [(13, "warning")])
    hidden = TRAIN.replace("total += loss.item()", "total = max(total, loss)\n    if loss > 3:\n        break")
    same(sorted(lines(hidden)), [(13, "warning"), (14, "warning")])  # no name of a waiting method stands there


def test_values_are_followed_into_other_files():
    write("pkg/__init__.py", "")
    write("pkg/meters.py", "def read(t):\n    return t.item()\n")
    write("train.py", "from pkg.meters import read\n" + TRAIN.replace("loss.item()", "read(loss)"))
    found = syncl("--output-format=json", "train.py", "pkg").json["findings"]
    same([(f["file"], f["line"]) for f in found], [("pkg/meters.py", 2)])
    same({w["file"] for w in found[0]["why"]}, {"train.py"})
    write("train.py", "from pkg.meters import read\n" + TRAIN.replace("loss.item()", "read(3)"))
    same(syncl("--output-format=json", "train.py", "pkg").json["findings"], [])


def test_how_often_a_line_runs_decides():
    seldom = TRAIN.replace("    total += loss.item()", "    if step % 100 == 0:\n        total += loss.item()")
    same(lines(seldom), [(14, "note")])
    same(syncl("--output-format=json", "train.py").json["findings"][0]["frequency"]["every"], 100)
    same(lines(TRAIN.replace("    total += loss.item()", "total += loss.item()")), [])  # once in a run


def test_a_price_follows_the_profile_and_the_clock():
    write("train.py", TRAIN)
    price = lambda *options: syncl("--output-format=json", *options, "train.py").json["findings"][0]["cost"]
    wide, narrow = price(), price("--step-time=55ms", "--gpu-busy=60%")
    same(0 < wide["low_us"] < wide["high_us"], True)
    same((narrow["low_us"], narrow["high_us"]) != (wide["low_us"], wide["high_us"]), True)
    profile = json.loads((ROOT / "calib/profiles/h200.json").read_text())
    write("same.json", json.dumps(profile))
    times_eight(profile, "item_us")
    write("slow.json", json.dumps(profile))
    same(price("--profile=slow.json")["high_us"] > price("--profile=same.json")["high_us"] > 0, True)


def times_eight(profile, key):
    """Every number below that key, wherever it stands."""
    for name, value in profile.items():
        if isinstance(value, dict):
            times_eight(value, key)
        if name == key:
            profile[name] = {k: v * 8 if isinstance(v, (int, float)) and not isinstance(v, bool) else v for k, v in value.items()}


def test_advice_and_reasons_come_with_each_finding():
    write("train.py", TRAIN)
    found = syncl("--output-format=json", "train.py").json["findings"][0]
    same(all(found[key] for key in ("why", "suggestion", "message")), True)
    same([w["role"] for w in found["why"]].count("gpu") > 0 and [w["role"] for w in found["why"]].count("hot") > 0, True)


def test_sarif_has_the_chain_and_lasting_names():
    write("train.py", TRAIN)
    result = lambda: syncl("--output-format=sarif", "train.py").json["runs"][0]["results"][0]
    before = result()
    same(len(before["codeFlows"][0]["threadFlows"][0]["locations"]) > 1, True)
    write("train.py", "# a line\n\n" + TRAIN)
    same(result()["partialFingerprints"], before["partialFingerprints"])


def test_github_gets_the_dearest_and_the_whole_table():
    write("train.py", TRAIN + "".join(f"    v{i} = loss.item()\n" for i in range(14)))
    out = syncl("--output-format=github", "train.py", env={"GITHUB_STEP_SUMMARY": "summary"}).out
    same(out.count("::warning file="), 10)
    same(open("summary").read().count("| train.py&#58;") + open("summary").read().count("| train&#46;py&#58;"), 15)


def test_no_python_and_no_torch_is_needed():
    write("train.py", TRAIN)
    done = subprocess.run([BUILD / "syncl", "train.py"], env={"PATH": "/nowhere"}, capture_output=True)
    same((done.returncode, done.stderr), (1, b""))


main(sys.modules[__name__])
