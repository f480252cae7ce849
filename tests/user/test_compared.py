#!/usr/bin/env python3
"""--compare says what a loop's growth is made of, and the numbers make up the sum."""
import sys
from bench import *

BEFORE = TRAIN + "    print(x.sum().item())\n    y = x[x > 0]\n"
AFTER = TRAIN.replace("total += loss.item()", "total += loss.item() + float(loss)") + "    y = x[x > 0]\n    z = x.nonzero()\n"


def commit():
    for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=b", "commit", "-qm", "first"]):
        subprocess.run(["git", *words], check=True)


def grown(*options):
    loop, = syncl("--compare=HEAD", "--exit-zero", "--output-format=json", *options, ".", status=0).json["compare"]["loops"]
    return loop


def test_causes_and_the_rest_make_up_the_growth():
    write("train.py", BEFORE)
    commit()
    write("train.py", AFTER)
    loop = grown()
    same(abs(sum(cause["growth_us"] for cause in loop["causes"]) + loop["rest_us"] - loop["growth_us"]) < 1, True, loop)  # each is printed with three digits
    texts = [cause["text"] for cause in loop["causes"]]
    same(("new" in texts, "gone" in texts), (True, True))
    text = syncl("--compare=HEAD", "--exit-zero", ".", status=0).out
    holds(text, "host-read `x.sum().item()`: gone\n")
    same("in what waits cost together" in text, abs(loop["rest_us"]) >= 0.5)


def test_what_shrank_is_named():
    write("train.py", BEFORE)
    commit()
    write("train.py", BEFORE.replace("    print(x.sum().item())", "    if step % 100 == 0:\n        print(x.sum().item())"))
    loop = grown()
    same(loop["growth_us"] < 0, True, loop)
    holds([cause["text"] for cause in loop["causes"]], "costs less than before")


def test_what_more_than_ten_causes_cost_is_said():
    write("train.py", TRAIN)
    commit()
    write("train.py", TRAIN + "".join(f"    print(x[{i}].sum().item())\n" for i in range(14)))
    text = syncl("--compare=HEAD", "--exit-zero", "--output-format=concise", ".", status=0).out
    same(bool(re.search(r"^    [+-][\d.]+ us  and \d more$", text, re.M)), True, text)


main(sys.modules[__name__])
