#!/usr/bin/env python3
"""What is named is reported, and its project is analysed: a hook that names the changed files, an editor that sends one, and a
run over everything say the same of a file."""
import sys
from bench import *

HELPER = """import torch


def show(loss: torch.Tensor):
    print(loss.item())
"""
TRAIN_SELDOM = """import torch
from helper import show
device = torch.device("cuda")
model = torch.nn.Linear(10, 10).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(1000):
    loss = model(torch.randn(32, 10, device=device)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        show(loss)
"""
ALL = ("--exit-zero", "--min-confidence=possible", "--output-format=json-lines")


def put(files):
    for name, text in files.items():
        pathlib.Path(name).parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(name).write_text(text)


def told(file, *args, **how):
    """The findings of a file, as they are printed."""
    lines = syncl(*ALL, *args, status=0, **how).out.splitlines()
    return [line for line in lines if json.loads(line).get("file") == file]


def put_project():
    put({"pyproject.toml": "", "helper.py": HELPER, "train.py": TRAIN_SELDOM})


def test_a_note_of_the_project_is_no_warning_of_the_hook():
    put_project()
    whole = told("helper.py", ".")
    assert len(whole) == 1 and '"level":"note"' in whole[0], whole
    assert told("helper.py", "helper.py") == whole
    assert told("helper.py", "-", "--stdin-filename=helper.py", stdin=HELPER.encode()) == whole
    assert syncl("helper.py", status=0).out.count("helper.py") == 1
    assert '"level":"warning"' in told("helper.py", "--no-project", "helper.py")[0]


# Nobody calls `fit`: that it runs, and runs the helper each step, is known only where it is visited itself.
UNCALLED = """import torch
from helper import score


class Runner:
    def __init__(self, model, opt):
        self.model, self.opt = model, opt

    def fit(self, loader):
        for x, y in loader:
            x, y = x.cuda(), y.cuda()
            out = self.model(x)
            torch.nn.functional.mse_loss(out, y).backward()
            self.opt.step()
            score(out, y)
"""


def test_what_nobody_calls_in_a_file_that_is_not_named_is_followed():
    put({"pyproject.toml": "", "helper.py": "def score(out, y):\n    return (out == y).sum().item()\n", "lib.py": UNCALLED})
    whole = told("helper.py", ".", "--no-cache")
    assert len(whole) == 1 and '"level":"warning"' in whole[0], whole
    assert told("helper.py", "helper.py", "--no-cache") == whole


def test_a_baseline_of_the_whole_holds_for_a_file():
    put_project()
    syncl("--write-baseline=known.json", ".", status=0)
    syncl("--baseline=known.json", "--fail-on=note", "helper.py", status=0)


def test_what_is_not_named_is_not_reported():
    put_project()
    ran = syncl("--exit-zero", "--output-format=json", "helper.py", status=0).json
    assert {one["file"] for one in ran["findings"]} == {"helper.py"} and ran["summary"]["files"] == 1
    assert [loop["file"] for loop in ran["loops"]] == ["train.py"], "the loop that prices the finding"
    syncl("--fail-on=note", "train.py", status=0)


def test_a_new_caller_is_seen_and_one_that_went():
    put({"pyproject.toml": "", "helper.py": HELPER})
    env = {"XDG_CACHE_HOME": str(pathlib.Path("../kept").resolve())}
    before = told("helper.py", "helper.py", env=env)
    assert told("helper.py", "helper.py", env=env) == before
    put({"scripts/train.py": TRAIN_SELDOM})
    with_caller = told("helper.py", "helper.py", env=env)
    assert with_caller != before and "scripts/train.py" in with_caller[0], with_caller
    assert told("helper.py", "helper.py", env=env) == with_caller == told("helper.py", ".", "--no-cache")
    pathlib.Path("scripts/train.py").unlink()
    assert told("helper.py", "helper.py", env=env) == before
    shutil.rmtree("../kept")


def test_callers_of_callers_through_a_package():
    put({"pyproject.toml": "", "pkg/__init__.py": "from .helper import show\n", "pkg/helper.py": HELPER,
         "pkg/log.py": "from . import show\n\n\ndef log(value):\n    show(value)\n",
         "run/train.py": TRAIN_SELDOM.replace("from helper import show", "from pkg.log import log as show")})
    whole = told("pkg/helper.py", ".")
    assert "run/train.py" in whole[0], whole
    assert told("pkg/helper.py", "pkg/helper.py") == told("pkg/helper.py", "pkg") == whole


def test_what_lies_beside_lies_so_alone():
    put({"pyproject.toml": "", "program.py": TRAIN_SELDOM.replace("helper", "tests.helper"), "tests/helper.py": HELPER, "legacy/old.py": TRAIN_SELDOM.replace("helper", "tests.helper")})
    for file in ("tests/helper.py", "legacy/old.py", "program.py"):
        whole = told(file, ".")
        assert told(file, file) == whole, file
        assert all(json.loads(line)["standing"] == ("program" if file == "program.py" else "beside") for line in whole), whole


def test_a_project_within_a_project():
    """Names of its modules are not looked up from outside, so that nothing there has a say in it."""
    put({"pyproject.toml": "", "sub/pyproject.toml": "", "sub/helper.py": HELPER, "sub/train.py": TRAIN_SELDOM,
         "train.py": TRAIN_SELDOM.replace("from helper", "from sub.helper").replace("if step % 100 == 0", "if True")})
    whole = told("sub/helper.py", ".")
    assert "sub/train.py" in whole[0] and '"level":"note"' in whole[0], whole
    assert told("sub/helper.py", "sub/helper.py") == whole == told("sub/helper.py", "sub")


def test_a_notebook_calls_too():
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": TRAIN_SELDOM}
    put({"pyproject.toml": "", "helper.py": HELPER, "look.ipynb": json.dumps({"cells": [cell], "nbformat": 4, "nbformat_minor": 5, "metadata": {}})})
    whole = told("helper.py", ".")
    assert "look.ipynb" in whole[0] and told("helper.py", "helper.py") == whole


def test_what_the_project_leaves_out_calls_nothing():
    put({"pyproject.toml": '[tool.syncl]\nextend-exclude = ["old"]\n', "helper.py": HELPER})
    alone = told("helper.py", "helper.py")
    put({"old/train.py": TRAIN_SELDOM})
    assert told("helper.py", "helper.py") == told("helper.py", ".") == alone


def test_files_that_cannot_be_read_change_both_alike():
    put_project()
    pathlib.Path("binary.py").write_bytes(b"\0\0")
    pathlib.Path("gone.py").symlink_to("nowhere.py")
    assert told("helper.py", "helper.py") == told("helper.py", ".")
    assert syncl("helper.py", status=0).out.find("skipped") < 0


def test_around_an_unmarked_folder_the_search_ends():
    put({"helper.py": HELPER, "train.py": TRAIN_SELDOM})
    whole = told("helper.py", ".")
    assert told("helper.py", "helper.py") == whole
    os.mkdir("data")
    for i in range(5001):
        open(f"data/{i}", "w").close()
    assert told("helper.py", "helper.py") == told("helper.py", "--no-project", "helper.py") != whole
    put({"pyproject.toml": ""})
    assert told("helper.py", "helper.py") == whole


def test_an_installed_package_is_its_own_project():
    put({"site-packages/one/__init__.py": "", "site-packages/one/helper.py": HELPER,
         "site-packages/one/train.py": TRAIN_SELDOM.replace("from helper", "from one.helper"),
         "site-packages/two/__init__.py": TRAIN.replace("total += loss.item()", "from one.helper import show; show(loss)")})
    here = told("site-packages/one/helper.py", "site-packages/one/helper.py")
    assert here == told("site-packages/one/helper.py", "site-packages/one") and "two/" not in here[0], here


def test_file_folder_and_tree_agree():
    """A share of what `make metamorphic` does with all of them."""
    projects = sorted((ROOT / "tests/truth/projects").iterdir())[::9] + sorted((ROOT / "tests/truth/projects2").iterdir())[::9]
    ran = subprocess.run([sys.executable, ROOT / "corpus/agree.py", BUILD / "syncl", *projects, "--files=60", "--show"], capture_output=True)
    assert ran.returncode == 0, ran.stdout.decode() + ran.stderr.decode()


main(sys.modules[__name__])
