#!/usr/bin/env python3
"""--shape and `# syncl: shape=`: sizes that the code does not say."""
import sys
from bench import *

FED = """import torch
import torch.nn as nn
from elsewhere import batches

device = torch.device("cuda")
model = nn.Sequential(nn.Conv2d(3, 64, 3, padding=1), nn.ReLU(), nn.Conv2d(64, 64, 3, padding=1)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)


def one(pictures):
    return model(pictures).mean()


for images in batches():
    images = images.to(device)
    loss = one(images)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
"""


def loop(*told):
    ran = syncl("--exit-zero", "--output-format=json", *told, "train.py", status=0)
    return next(one for one in ran.json["loops"] if one["unit"] == "step")


def width(range_us):
    return range_us["high_us"] / max(range_us["low_us"], 1)


def test_a_shape_tells_how_long_the_gpu_takes():
    write("train.py", FED)
    unknown, small, large = loop(), loop("--shape=images=8x3x32x32"), loop("--shape=images=64x3x224x224")
    same((width(unknown["gpu"]) > 30, width(large["gpu"]) < 8), (True, True), (unknown["gpu"], large["gpu"]))
    same(small["gpu"]["high_us"] < large["gpu"]["low_us"], True, (small["gpu"], large["gpu"]))
    holds(syncl("--dump=facts", "--shape=images=64x3x224x224", "train.py").out, "model(pictures) is cuda float (64, 64, 224, 224)")


def test_of_a_parameter_as_of_a_variable_and_of_several():
    write("train.py", FED)
    same(loop("--shape=pictures=64x3x224x224")["gpu"], loop("--shape=images=64x3x224x224")["gpu"])
    same(loop("--shape", "labels=64,images=64x3x224x224")["gpu"], loop("--shape=images=64x3x224x224")["gpu"])
    same(loop("--shape=others=64x3x224x224")["gpu"], loop()["gpu"])


def test_what_the_code_says_stands():
    write("train.py", FED.replace("batches()", "[torch.randn(8, 3, 32, 32) for _ in range(10)]"))
    same(loop("--shape=images=64x3x224x224")["gpu"], loop()["gpu"])


def test_a_shape_that_cannot_be_leads_to_nothing_worse():
    write("train.py", FED)
    for odd in ("images=64", "images=64x5x224x224", "images=1x3x1x1", "images=1x1x1x1x1x1x1x1", "images=1000000000000x3x1000000000000x1000000000000"):
        gpu = loop("--shape=" + odd)["gpu"]
        same(0 <= gpu["low_us"] <= gpu["high_us"], True, (odd, gpu))


def test_layers_that_no_gpu_holds_have_no_work():
    for odd in ("nn.Linear(2**62, 2**62)", "nn.Conv2d(64, 10**18, 3)", "nn.GRU(64, 10**18)", "nn.LSTM(16, 8, num_layers=10**9)",
                "nn.TransformerEncoder(nn.TransformerEncoderLayer(64, 1), 10**9)", "nn.Linear(-4, 0)"):
        write("train.py", FED.replace("nn.ReLU()", odd))
        turn = loop("--shape=images=64x3x32x32")["turn"]
        same(0 < turn["low_us"] <= turn["high_us"] < 1e6, True, (odd, turn))


def test_no_shape_is_said():
    write("train.py", FED)
    for wrong in ("images", "images=", "=64", "images=64x", "images=0x3", "images=-1x3", "images=64x3x224x224x1x1x1x1x1", "images=6 4", "9=64", "images=99999999999999"):
        ran = syncl("--shape=" + wrong, "train.py", status=2)
        holds(ran.err, f"--shape takes a variable and its sizes, like images=64x3x224x224, not '{wrong}'")


def test_a_configuration_tells_it_too_and_the_cache_knows():
    write("train.py", FED)
    told = loop("--shape=images=64x3x224x224")["gpu"]
    before = loop()["gpu"]
    write("syncl.toml", 'shape = ["images=64x3x224x224"]\n')
    same(loop()["gpu"], told)
    write("syncl.toml", "")
    same(loop()["gpu"], before)


def test_a_comment_tells_it_as_the_option_does():
    write("train.py", FED)
    told = loop("--shape=images=64x3x224x224")["gpu"]
    for place, comment in (("for images in batches():", "  # syncl: shape=(64, 3, 224, 224)"), ("images = images.to(device)", "  # syncl: shape=[64, 3, 224, 224]"),
                           ("def one(pictures):", "  # syncl: hot  # syncl: shape=(64,3,224,224) as the loader has them")):
        write("train.py", FED.replace(place, place + comment))
        same(loop()["gpu"], told, place)
    write("train.py", FED.replace("for images in", "# syncl: shape=(64, 3, 224, 224)\nfor images in"))
    same(loop()["gpu"], told)
    same(loop("--shape=images=8x3x32x32")["gpu"], told, "the nearer word stands")


def test_what_the_code_says_stands_before_a_comment():
    write("train.py", FED.replace("batches()", "[torch.randn(8, 3, 32, 32) for _ in range(10)]"))
    known = loop()["gpu"]
    write("train.py", FED.replace("batches():", "[torch.randn(8, 3, 32, 32) for _ in range(10)]:  # syncl: shape=(64, 3, 224, 224)"))
    same(loop()["gpu"], known)


def test_a_comment_that_cannot_be_leads_to_nothing_worse():
    for odd in ("(64,)", "(64, 5, 224, 224)", "(1, 3, 1, 1)", "(1, 1, 1, 1, 1, 1, 1, 1)", "(1000000000000, 3, 1000000000000, 1000000000000)"):
        write("train.py", FED.replace("batches():", "batches():  # syncl: shape=" + odd))
        gpu = loop()["gpu"]
        same(0 <= gpu["low_us"] <= gpu["high_us"], True, (odd, gpu))


def test_a_comment_that_says_no_shape_is_told_once():
    for odd in ("()", "(0, 3)", "(-1, 3)", "(64, 3", "64", "(64 3)", "(64, n)", "(64, 3), (8,)", "(1, 1, 1, 1, 1, 1, 1, 1, 1)", "(99999999999999,)", "(,)", "(6,,4)", "\x1b[2J"):
        write("train.py", FED.replace("batches():", f"batches():  # syncl: shape={odd}  # noqa: E501"))
        found = [one for one in syncl("--exit-zero", "--output-format=json", "train.py", status=0).json["findings"] if one["rule"] == "unknown-comment"]
        same(len(found), 1, (odd, found))
        holds(found[0]["message"], "shape=(64, 3), sizes from 1 to 10^12 of what the line binds")
    write("train.py", FED.replace("loss.backward()", "loss.backward()  # syncl: shape=(8,)"))
    holds(syncl("train.py", status=1).out, "`syncl: shape=(8,)` says nothing to syncl")


def test_what_would_tell_names_the_option():
    write("train.py", FED.replace("print(loss.item())", "if step % 50 == 0:\n        print(loss.item())").replace("for images in batches():", "for step, images in enumerate(batches()):"))
    deciding = loop()["deciding"]
    same(deciding is None or "shape" not in deciding or "# syncl: shape=(SIZES)" in deciding, True, deciding)


main(sys.modules[__name__])
