#!/usr/bin/env python3
"""`syncl record` as a user runs it, on a GPU that is not one and a PyTorch that is not one (tests/record): the prices of what
ran, and the command's own output, status and signals."""
import signal
import sys
from bench import *

sys.path.insert(0, str(ROOT / "tests" / "truth"))
from trace_changes import LOOPS, loop_source  # noqa: E402
from trace_loops import difference, hodges_lehmann  # noqa: E402

TRACES = ROOT / "tests" / "traces"
RECORD, GPU = ROOT / "tests" / "record", BUILD / "record"
ENV = {"FAKE_GPU": str(GPU), "PYTHONPATH": f"{RECORD}:{RECORD / 'site-packages'}", "PYTHONDONTWRITEBYTECODE": "1"}
LOOP = """import sys
import time
import torch
import torch.nn as nn
device = torch.device("cuda")
model = nn.Linear(10, 10).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def read(loss):
    return loss.item()


def main(seconds):
    total, start = 0.0, time.time()
    while time.time() - start < seconds:
        x = torch.randn(32, 10, device=device)
        loss = model(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += read(loss)
        if seconds > 1000:
            print(loss)
    print("total", total > 0)


main(float(sys.argv[1]))
"""


def record(*words, status=0, env=None):
    return syncl("record", *map(str, words), env=ENV | (env or {}), status=status)


def record_in_peace(*words):
    """Where others hold the machine up, the report asks for another recording."""
    for _ in range(4):
        ran = record(*words)
        if "record again on a quiet machine" not in ran.err:
            break
    return ran


def test_what_ran_is_priced_by_its_line():
    write("train.py", LOOP)
    ran = record_in_peace("--output-format=full", "--", sys.executable, "train.py", 5)
    assert ran.out == "total True\n", ran.out
    assert ran.err.startswith("train.py:") or "\ntrain.py:" in ran.err  # not by its whole path
    for part in ("train.py:11:12: warning[host-read SYN101]", " the recording;", "without one alone, less by:",
                 "syncl record: the recording is in syncl-recording", "--write-prices=FILE keeps it"):
        holds(ran.err, part)
    said = syncl("--output-format=json", "--exit-zero", "--trace", "syncl-recording", "train.py", status=0).json
    (read,) = [f for f in said["findings"] if f["line"] == 11]
    assert read["cost"]["basis"] == "recorded" and read["traced"] == "inside a library", read
    assert said["trace"]["trusted"] and said["trace"]["measured_us"] > 1000, said["trace"]
    assert abs(said["trace"]["unprofiled_us"] / said["trace"]["measured_us"] - 1) < 0.1, said["trace"]
    printed = [f for f in said["findings"] if "print" in f["rule"]]
    assert all(f["cost"]["basis"] == "static" for f in printed)  # it never ran


def test_lines_are_found_again_when_the_source_has_changed():
    write("train.py", LOOP)
    record_in_peace("--", sys.executable, "train.py", 5)
    words = ["--output-format=json", "--exit-zero", "--trace", "syncl-recording", "train.py"]

    def prices(text):
        """{line: (how it was found, price)} of what was recorded"""
        write("train.py", text)
        said = syncl(*words, status=0).json
        return {f["line"]: (f["traced"], f["cost"]["high_us"]) for f in said["findings"] if f["traced"] != "not seen"}

    was = prices(LOOP)
    assert list(was) == [11], was
    price, item = was[11], "    return loss.item()"
    assert prices("# one\n# two\n" + LOOP) == {13: price}
    other = f"def other(loss):\n{item}\n\n\n"
    assert prices(LOOP.replace("def read(loss):\n", other + "def read(loss):\n    # more\n")) == {16: price}
    moved = LOOP.replace("    total, start", "    if seconds < 0:\n        return\n    total, start").replace("import time\n", "import time\n\n")
    assert prices(moved) == {12: price}
    assert prices(LOOP.replace("        if seconds > 1000:\n            print(loss)\n", "")) == {11: price}
    assert prices(LOOP.replace(item, item + "  # read #2").replace("device)\n", "device)  # mine\n")) == {11: price}
    assert not prices(LOOP.replace(item, "    return float(loss.sum().item())"))  # another line stands there


def test_waits_of_the_allocator_go_to_the_line_that_gives_memory_back():
    write("train.py", LOOP.replace("        total += read(loss)\n", "        torch.cuda.empty_cache()\n"))
    record_in_peace("--", sys.executable, "train.py", 5)
    said = syncl("--output-format=json", "--exit-zero", "--trace", "syncl-recording", "train.py", status=0).json
    (found,) = [f for f in said["findings"] if f["rule"] == "explicit-sync"]
    assert found["cost"]["basis"] == "recorded" and found["cost"]["blocked_us"] > 500, found


def test_the_command_ends_as_it_would():
    write("ends.py", "import os, sys\nprint('out'), print('err', file=sys.stderr)\n" "sys.stdout.flush()\n" "eval(sys.argv[1])\n")
    for ending, status in (("sys.exit(7)", 7), ("os._exit(3)", 3), ("os.kill(os.getpid(), 9)", -9), ("os.kill(os.getpid(), 15)", -15)):
        ran = record("--", sys.executable, "ends.py", ending, status=status)
        assert ran.out == "out\n" and ran.err.startswith("err\n")
        holds(ran.err, "no process of the command started CUDA")
    assert "No such file" in record("--", "/nowhere/python", status=127).err
    write("text.txt", "no program")
    assert "Permission denied" in record("--", "./text.txt", status=126).err


def test_signals_reach_the_command():
    write("waits.py", "import signal, sys, time\n"
          "signal.signal(signal.SIGTERM, lambda *_: (print('told'), sys.stdout.flush(), sys.exit(5)))\n"
          "print('ready'), sys.stdout.flush()\ntime.sleep(30)\n")
    process = subprocess.Popen([BUILD / "syncl", "record", "--", sys.executable, "waits.py"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env=os.environ | ENV)
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(signal.SIGTERM)
    out, _ = process.communicate(timeout=20)
    assert out == b"told\n" and process.returncode == 5


def test_stop_ends_the_command_when_enough_was_seen():
    write("train.py", LOOP)
    began = time.time()
    ran = record("--stop", "-o", "here", "--output-format=full", "--", sys.executable, "train.py", 60)
    assert time.time() - began < 45 and "KeyboardInterrupt" in ran.err
    holds(ran.err, "Recording here/rank0-")
    assert os.listdir("here") and not os.path.exists("syncl-recording")
    write("run.sh", f"{sys.executable} train.py 60\necho after\n")  # the shell waits for what it runs
    began = time.time()
    ran = record("--stop", "--", "bash", "run.sh")
    assert time.time() - began < 45 and "KeyboardInterrupt" in ran.err and "after" not in ran.out


def test_a_helper_that_is_over_does_not_keep_the_command_from_stopping():
    write("train.py", "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'import gpu; gpu.wait(0)'])\n" + LOOP)
    began = time.time()
    ran = record("--stop", "--", sys.executable, "train.py", 60)
    assert time.time() - began < 45 and "KeyboardInterrupt" in ran.err, ran.err
    assert len([name for name in os.listdir("syncl-recording") if name.endswith(".syncl")]) == 2
    lacks(ran.err, "the run ended before a step was seen")


def test_a_launcher_that_only_looks_for_a_gpu_does_not_either():
    write("launch.py", "import gpu, subprocess, sys\nsubprocess.run([sys.executable, 'train.py', '60'])\n")
    write("train.py", LOOP)
    began = time.time()
    ran = record("--stop", "--", sys.executable, "launch.py")
    assert time.time() - began < 45 and "KeyboardInterrupt" in ran.err, ran.err
    assert len([name for name in os.listdir("syncl-recording") if name.endswith(".syncl")]) == 2


def test_every_trouble_is_one_line_and_the_status_the_commands():
    write("train.py", LOOP)
    for env, why in (({"FAKE_CUPTI": "taken"}, "another profiler is attached"), ({"FAKE_CUPTI": "rights"}, "profiling is not allowed here"),
                     ({"FAKE_CUPTI": "silent"}, "the run ended before a step was seen"),
                     ({"CUDA_INJECTION64_PATH": "/opt/other.so"}, "names another tool")):
        ran = record("--", sys.executable, "train.py", 0.3, env=env)
        assert ran.out == "total True\n" and sum(why in line for line in ran.err.splitlines()) == 1, ran.err
    ran = record("--", sys.executable, "train.py", 0.1)
    assert ran.out == "total True\n"
    holds(ran.err, "the run ended before a step was seen, so nothing is priced")


def test_mistakes_of_the_command_line():
    for words, why in ((["--"], "no command given"), (["--steps", "x", "--", "true"], "--steps takes a number"),
                       (["--skip=0", "--", "true"], "--skip takes auto or a number"), (["python", "x.py"], "a `--` goes before the command"),
                       (["-o", "--", "true"], "-o needs a folder")):
        ran = syncl("record", *words, status=2)
        assert why in ran.err and ran.err.count("\n") == 1, ran.err
    write("file", "")
    holds(syncl("record", "-o", "file", "--", "true", status=2).err, "syncl record: file")


def test_a_folder_of_that_name_is_still_read():
    write("record/train.py", LOOP)
    holds(syncl("-v", "record", status=1).out, "record/train.py:11:12")


def test_a_recording_of_a_gpu_says_what_was_measured():
    loop = LOOPS["prefetch_wide"]
    write("prefetch_class.py", loop_source(loop))
    said = syncl("--output-format=json", "--exit-zero", "--trace", TRACES / "recorded-prefetcher.syncl.gz", "prefetch_class.py", status=0).json
    trace = said["trace"]
    assert trace["trusted"] and abs(trace["unprofiled_us"] / trace["measured_us"] - 1) < 0.03, trace
    rows = [line.split("\t") for line in (TRACES / "recorded-prefetcher.tsv").read_text().splitlines()]
    rounds = [dict(zip(rows[0][1:], map(float, row[1:]))) for row in rows[1:]]
    assert len(rounds) >= 20
    for which, price in (("-sync", next(f["cost"]["high_us"] + f["cost"]["low_us"] for f in said["findings"] if f["line"] == 46) / 2),
                         ("-all", trace["saving_all_us"])):
        saved, half = hodges_lehmann([difference(row, which) for row in rounds])
        assert 0.8 * (saved - half) <= price <= 1.25 * (saved + half), (which, price, saved, half)
    assert not trace["others"], trace["others"]


RECORDED = ROOT / "tests" / "truth" / "recorded" / "h200"


def of_h200(name, path):
    loop = LOOPS[name]
    write(path, loop_source(loop))
    return syncl("--output-format=json", "--exit-zero", "--trace", RECORDED / name, path, status=0).json["trace"]


def test_steps_of_cuda_graphs_are_what_they_were_without_being_recorded():
    trace = of_h200("graphed", "graphed.py")
    assert trace["trusted"] and abs(trace["replayed_us"] / trace["step_us"] - 1) < 0.005, trace
    assert abs(trace["unprofiled_us"] / trace["measured_us"] - 1) < 0.02 and trace["step_us"] > 1.2 * trace["measured_us"], trace


def test_a_left_over_process_on_the_gpu_is_why_a_recording_is_not_believed():
    trace = of_h200("actor_critic", "actor_critic.py")
    assert not trace["trusted"] and re.match("another program had the GPU for [0-9]{4} of 4[0-9]{3} us of each step", trace["distrust"]), trace
    assert abs(trace["replayed_us"] / trace["step_us"] - 1) < 0.02, trace


def forged(script, *more):
    """A recording of `script` that was never made (tests/record/forge.py), read by syncl."""
    subprocess.run([sys.executable, RECORD / "forge.py", "forged.syncl", os.path.abspath(script), *more], check=True)
    return syncl("--output-format=json", "--exit-zero", "--trace", "forged.syncl", script, status=0).json


def test_a_recording_is_of_the_sources_that_its_stacks_name():
    lines = ["import torch", "x = torch.randn(9, device='cuda')", *["#"] * 8, "for i in range(100):", "    y = x * 2", "    y.sum().item()",
             "    y = y + 1", "    y = y + 1", "    torch.cuda.synchronize()", *["    y = y + 1"] * 300]
    write("train.py", "\n".join(lines) + "\n")  # far more is counted than runs
    assert forged("train.py")["trace"]["trusted"]
    subprocess.run([sys.executable, RECORD / "forge.py", "forged.syncl", "/elsewhere/other.py"], check=True)
    said = syncl("--output-format=json", "--exit-zero", "--trace", "forged.syncl", "train.py", status=0).json
    assert not said["trace"]["trusted"] and "another script" in said["trace"]["distrust"], said["trace"]


def test_what_recording_slowed_by_more_than_3_percent_is_not_believed():
    lines = ["import torch", "x = torch.randn(9, device='cuda')", *["#"] * 8, "for i in range(100):", "    y = x * 2", "    y.sum().item()",
             "    y = y + 1", "    y = y + 1", "    torch.cuda.synchronize()"]
    write("train.py", "\n".join(lines) + "\n")
    said = forged("train.py")["trace"]
    assert said["trusted"] and said["measured_us"] == 2000, said
    said = forged("train.py", "1.15")["trace"]
    assert not said["trusted"] and re.search(r"2000 were measured \(\+1\d %\)", said["distrust"]) and "--steps 100" in said["distrust"], said


def test_a_host_that_detail_slows_is_told_by_its_clean_steps():
    lines = ["import torch", "x = torch.randn(9, device='cuda')", *["#"] * 8, "for i in range(100):", "    y = x * 2", "    y.sum().item()",
             "    y = y + 1", "    y = y + 1", "    torch.cuda.synchronize()"]
    write("train.py", "\n".join(lines) + "\n")
    plain, slowed = (forged("train.py", "1", "0", more)["trace"] for more in ("0", "500"))
    assert slowed["trusted"] and slowed["step_us"] == 2500 and slowed["replayed_us"] == 2500, slowed
    for key in ("unprofiled_us", "saving_all_us", "host_us"):
        assert abs(slowed[key] / plain[key] - 1) < 0.08, (key, plain, slowed)


def test_a_gpu_that_another_program_uses_is_said_to_be_shared():
    lines = ["import torch", "x = torch.randn(9, device='cuda')", *["#"] * 8, "for i in range(100):", "    y = x * 2", "    y.sum().item()",
             "    y = y + 1", "    y = y + 1", "    torch.cuda.synchronize()"]
    write("train.py", "\n".join(lines) + "\n")
    alone, some, much = (forged("train.py", "1", "0", "0", others)["trace"] for others in ("0", "150", "900"))
    assert some["trusted"] and some["replayed_us"] == some["step_us"] == 2150 and abs(some["unprofiled_us"] - 2000) < 40, some
    holds(some["recordings"][0]["remark"], "another program had the GPU for 15")
    width, wider = (said["saving_all_range"]["high_us"] - said["saving_all_range"]["low_us"] for said in (alone, some))
    assert wider >= width, (alone, some)
    assert not much["trusted"] and re.search(r"another program had the GPU for 9\d\d of 29\d\d us of each step", much["distrust"]), much


def test_a_price_carries_the_spread_of_the_steps_and_the_report_what_recording_took():
    lines = ["import torch", "x = torch.randn(9, device='cuda')", *["#"] * 8, "for i in range(100):", "    y = x * 2", "    y.sum().item()",
             "    y = y + 1", "    y = y + 1", "    torch.cuda.synchronize()"]
    write("train.py", "\n".join(lines) + "\n")
    even, uneven = (forged("train.py", "1", spread)["trace"] for spread in ("0", "0.1"))
    assert even["trusted"] and uneven["trusted"] and abs(uneven["measured_us"] / 2000 - 1) < 0.03, (even, uneven)
    assert even["works_told_us"] == 2040, even
    holds(syncl("--output-format=full", "--exit-zero", "--trace", "forged.syncl", "train.py", status=0).out, "recording the GPU's work alone")
    width, wider = (said["saving_all_range"]["high_us"] / said["saving_all_us"] - 1 for said in (even, uneven))
    assert wider > 1.2 * width > 0, (even["saving_all_range"], uneven["saving_all_range"])


def test_steps_that_wander_leave_open_what_they_wander():
    lines = ["import torch", "x = torch.randn(9, device='cuda')", *["#"] * 8, "for i in range(100):", "    y = x * 2", "    y.sum().item()",
             "    y = y + 1", "    y = y + 1", "    torch.cuda.synchronize()"]
    write("train.py", "\n".join(lines) + "\n")
    even, uneven = (forged("train.py", "1.1", spread)["trace"] for spread in ("0", "0.3"))
    assert not even["trusted"] and uneven["trusted"], (even, uneven)
    told, open_ = uneven["saving_all_us"], uneven["saving_all_range"]
    assert open_["high_us"] - open_["low_us"] > told, uneven


TWO_LOOPS = """import torch
model = torch.nn.Linear(9, 9).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def choose(x):
    return x.argmax().item()


for iteration in range(1000):
    for step in range(60):
        choose(model(torch.randn(9, device="cuda")))
    for epoch in range(20):
        loss = model(torch.randn(9, device="cuda")).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        choose(loss)
"""


def test_a_rollout_and_the_update_behind_it_have_a_ledger_each():
    write("train.py", TWO_LOOPS)
    subprocess.run([sys.executable, RECORD / "forge.py", "--two-loops", "forged.syncl", os.path.abspath("train.py")], check=True)
    said = syncl("--output-format=json", "--exit-zero", "--trace", "forged.syncl", "train.py", status=0).json
    ledgers = {trace["loop"]: trace for trace in (said["trace"], *said["trace"]["loops"])}
    (rollout,), (update,) = ([t for loop, t in ledgers.items() if word in loop] for word in ("turn of the loop of `for step", "training step of `for epoch"))
    assert rollout["trusted"] and update["trusted"], ledgers
    assert (rollout["measured_us"], update["measured_us"]) == (500, 2000), ledgers
    (read,) = [f for f in said["findings"] if f["line"] == 7]  # in both loops
    assert read["traced"] == "measured" and " more per turn of the loop of `for step in range(60)`" in read["cost"]["text"], read["cost"]


def test_prices_that_are_kept_price_where_there_is_no_gpu():
    write("src/train.py", TWO_LOOPS)
    subprocess.run([sys.executable, RECORD / "forge.py", "--two-loops", "forged.syncl", os.path.abspath("src/train.py")], check=True)
    words = ["--output-format=json", "--exit-zero"]
    recorded = syncl(*words, "--trace", "forged.syncl", "--write-prices", "prices.json", "src/train.py", status=0).json
    assert os.path.getsize("prices.json") < 8000 and os.getcwd() not in open("prices.json").read()
    write("src/train.py", "# a line more\n" + TWO_LOOPS)
    kept = syncl(*words, "--trace", "prices.json", "src/train.py", status=0).json
    assert kept["trace"]["trusted"] and len(kept["trace"]["loops"]) == 1
    for key in ("measured_us", "unprofiled_us", "saving_all_us"):
        assert abs(kept["trace"][key] / recorded["trace"][key] - 1) < 0.01, key
    (before,), (after,) = ([f for f in said["findings"] if f["line"] == line] for said, line in ((recorded, 7), (kept, 8)))
    assert after["cost"]["basis"] == "recorded" and abs(after["cost"]["high_us"] / before["cost"]["high_us"] - 1) < 0.01, after
    write("src/train.py", "# a line more\n" + TWO_LOOPS.replace("choose(loss)", "choose(loss); print(loss)"))
    more = syncl(*words, "--trace", "prices.json", "src/train.py", status=0).json
    (new,) = [f for f in more["findings"] if f["rule"] == "print-tensor"]
    assert new["cost"]["basis"] == "recorded" and new["traced"] == "added" and new["cost"]["high_us"] < 2000, new
    steps = [{t["loop"]: t["unprofiled_us"] for t in (said["trace"], *said["trace"]["loops"])} for said in (kept, more)]
    assert sum(steps[1].values()) > sum(steps[0].values()), steps
    assert syncl("--trace=prices.json", "--fail-over=10us", "src/train.py").status == 1
    assert syncl("--trace=prices.json", "--fail-over=100ms", "src/train.py").status == 0


def test_a_line_that_was_there_and_never_ran_is_not_new():
    lines = ["import torch", "x = torch.randn(9, device='cuda')", *["#"] * 8, "for i in range(100):", "    y = x * 2", "    y.sum().item()",
             "    y = y + 1", "    y = y + 1", "    torch.cuda.synchronize()", "    if i > x.numel() * 1000:", "        y.max().item()"]
    options = ["import argparse", "parser = argparse.ArgumentParser()", "parser.add_argument('--norms', action='store_true')", "args = parser.parse_args()"]
    lines[2:6] = options
    write("train.py", "\n".join(lines) + "\n")
    forged("train.py")
    syncl("--exit-zero", "--trace=forged.syncl", "--write-prices=prices.json", "train.py", status=0)
    write("train.py", "\n".join([*lines, "    y.min().item()", "    if args.norms:", "        y.norm().item()"]) + "\n")
    said = syncl("--output-format=json", "--exit-zero", "--trace=prices.json", "train.py", status=0).json
    traced = {f["line"]: (f["traced"], f["cost"]["basis"]) for f in said["findings"]}
    assert traced[18] == ("not seen", "static") and traced[19] == ("added", "recorded"), traced
    assert traced[21] == ("not seen", "static"), traced  # an option that is off by default
    full = syncl("--output-format=full", "--exit-zero", "--trace=prices.json", "train.py", status=0).out
    holds(full, "`y.min().item()`, added since")
    holds(full, "replayed in the recording, which is from before it was there")


def without(source, before, after):
    """(the script without a wait, the wait's line)"""
    lines = source.split("\n")
    (at,) = [at for at, line in enumerate(lines) if line.split("  # ")[0].strip() == before]
    indent = len(lines[at]) - len(lines[at].lstrip())
    return "\n".join([*lines[:at], " " * indent + after, *lines[at + 1:]]), at + 1


def price_of(said, line):
    """The middle of it, and how it was found."""
    (one,) = [f for f in said["findings"] if f["line"] == line]
    return (one["cost"]["low_us"] + one["cost"]["high_us"]) / 2, one["traced"], one["cost"]["basis"]


# Real recordings; each wait is taken out of the script and of what is kept of its recording, and put in again.
PUT_AGAIN = [("prefetch_wide", "recorded-prefetcher.syncl.gz", ("sync", "loss")), ("mlp_wide", "mask-reads-and-print.json.gz", ("backward", "forward")),
             ("mlp_loader", "copies-from-pageable-memory.json.gz", ("loss",)), ("prefetch_events", "events-of-a-prefetcher.json.gz", ("copied", "loss"))]


def test_a_wait_that_is_added_later_costs_what_it_did_when_it_was_recorded():
    words = ["--output-format=json", "--exit-zero", "--isolated"]
    for name, trace, changes in PUT_AGAIN:
        source, script = loop_source(LOOPS[name]), os.path.basename(LOOPS[name]["path"])
        write(script, source)
        recorded = syncl(*words, "--trace", TRACES / trace, "--write-prices=all.json", script, status=0).json
        for change, before, after in LOOPS[name]["changes"]:
            if change not in changes:
                continue
            less, line = without(source, before, after)
            was, _, _ = price_of(recorded, line)
            write(script, less)
            gone = syncl(*words, "--trace=all.json", "--write-prices=less.json", script, status=0).json
            assert gone["trace"]["unprofiled_us"] <= recorded["trace"]["unprofiled_us"], (name, change)
            write(script, source)
            put = syncl(*words, "--trace=less.json", script, status=0).json
            price, traced, basis = price_of(put, line)
            assert (traced, basis) == ("added", "recorded"), (name, change, traced, basis)
            assert abs(price - was) < 25 or 0.75 < price / was < 1.3, (name, change, price, was)
            assert abs(put["trace"]["unprofiled_us"] / recorded["trace"]["unprofiled_us"] - 1) < 0.02, (name, change)
        assert os.path.getsize("all.json") < 12000


def test_what_is_kept_of_a_step_is_read_or_refused():
    write("train.py", TWO_LOOPS + "    print(loss)\n")
    subprocess.run([sys.executable, RECORD / "forge.py", "--two-loops", "forged.syncl", os.path.abspath("train.py")], check=True)
    syncl("--exit-zero", "--trace=forged.syncl", "--write-prices=prices.json", "train.py", status=0)
    whole = json.load(open("prices.json"))
    for item in ("L 0 0 0 0 1 5 30", "L 0 0 0 0 1 5 30 0 0", "L 9 0 0 0 1 5 30 0", "L 0 99 0 0 1 5 30 0", "L 0 0 0 77 1 5 30 0", "X 0 0 0 0 1 5 30 0",
                 "L 0 0 0 0 -1 5 30 0", "L 0 0 0 0 nan 5 30 0", "E 0 0 0 0 1 5 30 0", "", "L" + " 0" * 200, 7, None):
        whole["loops"][0]["turn"]["items"][1] = item
        write("prices.json", json.dumps(whole))
        assert "is cut off or broken" in syncl("--trace=prices.json", "train.py", status=2).err, item
    for item in ("E 7 15 1024 0 1e9 1e9 1e9 1e9", "F 0 0 7 0 0 0 0 0", "L 0 0 0 0 1e9 0 0 0", "R 0 0 1000 0 0.001 0 0 0"):
        whole["loops"][0]["turn"]["items"][1] = item
        write("prices.json", json.dumps(whole))
        assert syncl("--trace=prices.json", "train.py").status in (0, 1), item
    whole["loops"][0]["turn"]["items"] *= 1000
    write("prices.json", json.dumps(whole))
    syncl("--trace=prices.json", "train.py", status=2)


def test_mistakes_with_prices_that_are_kept():
    write("train.py", TWO_LOOPS)
    subprocess.run([sys.executable, RECORD / "forge.py", "--two-loops", "forged.syncl", os.path.abspath("train.py")], check=True)
    assert "no --trace that prices a loop" in syncl("--write-prices=prices.json", "train.py", status=2).err
    assert not os.path.exists("prices.json")
    syncl("--exit-zero", "--trace=forged.syncl", "--write-prices=prices.json", "train.py", status=0)
    assert "go alone" in syncl("--trace=prices.json", "--trace=forged.syncl", "train.py", status=2).err
    whole = open("prices.json").read()
    write("other.py", "import torch\nfor i in range(9):\n    torch.cuda.synchronize()\n")
    assert "no prices of a loop of these sources" in syncl("--trace=prices.json", "other.py", status=2).err
    for text in (whole[:len(whole) // 2], whole.replace('"syncl_prices": 1', '"syncl_prices": 2'), whole.replace('"loops"', '"pools"')):
        write("prices.json", text)
        ran = syncl("--trace=prices.json", "train.py", status=2)
        assert ran.err.count("\n") == 1 and "prices.json: " in ran.err, ran.err


def test_recordings_that_are_none():
    write("train.py", LOOP)
    for data, why in ((b"SYNCLREC", "is no recording"), (b"SYNCLREC" + b"\7" * 16, "is a recording of another syncl"),
                      (b"SYNCLREC" + b"\1\0\0\0" + b"\0" * 12, "the run ended before a step was seen")):
        with open("x.syncl", "wb") as file:
            file.write(data)
        ran = syncl("--trace", "x.syncl", "train.py", status=2)
        assert why in ran.err or len(data) < 24, ran.err


main(sys.modules[__name__])
