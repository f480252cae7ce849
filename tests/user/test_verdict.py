#!/usr/bin/env python3
"""Whether mending a loop's waits is worth it, or what would tell; --min-gain."""
import re
import sys
from bench import *

LONG = TRAIN.replace("total += loss.item()", "print(step, loss)")
RARE = TRAIN.replace("    total += loss.item()", "    if step % 50 == 0:\n        total += loss.item()")
FIFTH = RARE.replace("50", "5")
FED = TRAIN.replace("for step in range(1000):", "from torch.utils.data import DataLoader\nfor step, x in enumerate(DataLoader(data, batch_size=8)):")


def verdict(text, *told):
    pathlib.Path("train.py").write_text(text)
    loop = syncl("--isolated", "--exit-zero", "--output-format=json", *told, "train.py").json["loops"][0]
    return loop["verdict"], loop["deciding"], loop["verdict_text"]


def test_a_gain_that_is_sure():
    kind, deciding, text = verdict(LONG, "--step-time=2ms", "--gpu-busy=20%")
    same([kind, deciding], ["gain", None])
    assert text.startswith("gain: ") and text.endswith(" % of a training step"), text


def test_a_verdict_may_be_most_likely():
    """Both ends of a range are where everything is at its worst at once: right beside one, the other side is likely."""
    kind, deciding, text = verdict(TRAIN)
    same([kind, deciding], ["gain", None])
    low = re.match(r"gain, most likely: (0\.\d) to [0-9.]+ % of a training step$", text)
    assert low and 0.5 < float(low[1]) < 1, text
    write("syncl.toml", 'min-gain = "5%"\n')
    same(len(syncl("--exit-zero", "--output-format=json", "train.py").json["findings"]), 1)


def test_no_gain():
    kind, deciding, text = verdict(RARE, "--step-time=100ms", "--gpu-busy=20%")
    same([kind, deciding], ["none", None])
    assert text.startswith("no gain: at most "), text
    same(verdict(TRAIN.replace("loss.item()", "1"))[2], "no gain: no wait that could be mended")


def test_what_is_allowed_is_no_gain():
    """A wait that a comment keeps is not mended: what it costs decides nothing."""
    kept = LONG.replace("print(step, loss)", "print(step, loss)  # syncl: allow for the log")
    same(verdict(kept, "--step-time=2ms", "--gpu-busy=20%")[::2], ("none", "no gain: no wait that could be mended"))
    both = LONG.replace("print(step, loss)", "seen.append(loss.item())\n    print(step, loss)  # syncl: allow for the log")
    same(verdict(both, "--step-time=100ms", "--gpu-busy=20%")[0], "none")
    loop = syncl("--isolated", "--exit-zero", "--output-format=json", "train.py").json["loops"][0]
    same((loop["avoidable"]["low_us"] < 50, loop["all"]["low_us"] > 200), (True, True), loop)


def test_what_would_tell():
    kind, deciding, text = verdict(FIFTH)
    same(kind, "unknown")
    assert deciding.endswith("(--step-time, --gpu-busy)") and text.endswith(deciding), text
    assert "loading" in verdict(FED)[1]
    assert verdict(TRAIN, "--step-time=2ms")[1].endswith("(--gpu-busy)")
    verdict(FED.replace("total += loss.item()", "print(step, loss)"))
    out = " ".join(syncl("--isolated", "--exit-zero", "--min-gain=10%", "train.py").out.split())
    assert "whether that is worth it depends on how long the loop's own loading" in out, out
    assert "cannot tell: mending gains" in syncl("--isolated", "--exit-zero", "--min-gain=10%", "-v", "train.py").out


def test_min_gain_leaves_out_what_surely_gains_less():
    pathlib.Path("train.py").write_text(LONG)
    told = ("--isolated", "--step-time=2ms", "--gpu-busy=20%")
    syncl(*told, "--min-gain=1%", "train.py", status=1)
    ran = syncl(*told, "--min-gain=90%", "train.py", status=0)
    assert "1 cheaper than --min-cost, or without the gain of --min-gain" in ran.out, ran.out
    pathlib.Path("syncl.toml").write_text('min-gain = "90%"\n')
    syncl(*told[1:], "train.py", status=0)
    assert "--min-gain" in syncl("--min-gain=much", "train.py", status=2).err


main(sys.modules[__name__])
