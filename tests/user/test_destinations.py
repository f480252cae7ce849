#!/usr/bin/env python3
"""What a run writes is never one of the files that it reads, whatever that one is called."""
import gzip, sys
from bench import *

USES = "import torch\nfrom helper import read\n" + TRAIN
WRITES = (["-o"], ["--sarif"], ["--also", "json:"], ["--write-baseline"])


def written(option, path):
    return [option[0], (option[1] if len(option) > 1 else "") + path]


def refused(path, *args, env=None):
    """Nothing changes, on standard output stands nothing, and one line says why."""
    before = {name: pathlib.Path(name).read_bytes() for name in os.listdir(".") if os.path.isfile(name)}
    ran = syncl(*args, status=2, env=env)
    same((ran.raw, ran.err.count("\n")), (b"", 1), ran.err)
    holds(ran.err, f" {path} would overwrite ")
    same({name: pathlib.Path(name).read_bytes() for name in os.listdir(".") if os.path.isfile(name)}, before, args)


def project():
    write("train.py", USES)
    write("helper.py", "def read(t):\n    return t\n")


def test_a_source_is_not_overwritten_by_a_report():
    project()
    os.symlink("train.py", "link.py")
    os.link("train.py", "twin.txt")
    os.symlink("helper.py", "report.txt")
    for cache in ({}, {"XDG_CACHE_HOME": os.path.abspath("cache")}):
        for option in WRITES:
            for path in ("train.py", "./train.py", os.path.abspath("train.py"), "link.py", "twin.txt", "helper.py", "report.txt"):
                refused(path, *written(option, path), "train.py", env=cache)
            refused("helper.py", *written(option, "helper.py"), ".", env=cache)
    refused("train.py", "train.py", "-o", "new.txt", "--sarif", "train.py")
    same(os.path.exists("new.txt"), False)
    refused("helper.py", "--add-allow", "-o", "helper.py", "train.py")
    refused("helper.py", "--emit-test=train:step", "-o", "helper.py", "train.py")
    refused("train.py", "-o", "train.py", "--stdin-filename=train.py", "-")
    refused("train.py", "--calibrate", "-o", "train.py", "train.py")
    refused("train.py", "--calibrate", "--samples", "train.py", "train.py")
    refused("helper.py", "--output-format=github", "train.py", env={"GITHUB_STEP_SUMMARY": "helper.py"})
    syncl("train.py", "-o", "new.txt", "--sarif", "new.sarif", status=1)
    syncl("train.py", "-o", "new.txt", "--sarif", "new.sarif", status=1)  # its own output, from before
    syncl("train.py", "-o", "/dev/null", "--sarif", "/dev/null", status=1)


def test_no_other_file_that_is_read_is_overwritten():
    project()
    syncl("--write-baseline", "base.json", "train.py", status=0)
    syncl("--baseline", "base.json", "--write-baseline", "base.json", "train.py", status=0)  # renewed: it is not read
    write("profile.json", (ROOT / "calib/profiles/h200.json").read_bytes())
    write("trace.json", gzip.decompress((ROOT / "tests/traces/memory-given-back.json.gz").read_bytes()))
    write("page.pyi", "# module mine\ndef f(): ...\n")
    write("log", "")
    write("args", "train.py\n")
    for option in ("--baseline=base.json", "--profile=profile.json", "--trace=trace.json", "--extend-rules=page.pyi", "--observed=log", "@args"):
        name = option.split("=")[-1].lstrip("@")
        refused(name, option, "-o", name, "train.py")
    write("syncl.toml", 'fail-on = "note"\n')
    for args in (["train.py"], ["--rules"], ["--show-settings"], ["--explain=host-read"]):
        refused("syncl.toml", *args, "-o", "syncl.toml")


def test_a_kept_result_is_not_written_over_a_source_either():
    project()
    env = {"XDG_CACHE_HOME": os.path.abspath("cache")}
    for _ in range(2):
        syncl("-o", "report.txt", "train.py", env=env, status=1)
    os.unlink("report.txt")
    os.symlink("helper.py", "report.txt")
    refused("report.txt", "-o", "report.txt", "train.py", env=env)


main(sys.modules[__name__])
