#!/usr/bin/env python3
"""The packages as users get them: the source archive built without a network, the wheel in a fresh environment, the hook
under the real pre-commit. Slow, and needs the package index for pip and pre-commit: `make test-packages` runs it."""
import sys, venv

sys.path.insert(0, str(__import__("pathlib").Path(__file__).resolve().parents[1] / "user"))
from bench import *

OFFLINE = {"PIP_NO_INDEX": "1", "PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def sh(command, status=0, **env):
    """A command line; what it said, standard output and error together."""
    full = {k: v for k, v in os.environ.items() if not k.startswith(("GITHUB_", "SYNCL_", "MAKE"))} | {"PIP_ROOT_USER_ACTION": "ignore"} | env
    done = subprocess.run(command, shell=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=full, timeout=600)
    if done.returncode != status:
        raise AssertionError(f"{command}: exit {done.returncode}\n{done.stdout[-4000:]}")
    return done.stdout


def without_network(command):
    """In a network namespace with nothing in it, where this machine allows that; pip knows of no index either way."""
    return f"unshare -rn {command}" if subprocess.run(["unshare", "-rn", "true"], capture_output=True).returncode == 0 else command


def package(kind):
    """Built anew from the tree by make; the path."""
    name = sh(f"make -s -C {ROOT} {kind}").split()[-1]
    return BUILD / "wheels" / name


def test_the_source_archive_builds_without_a_network():
    archive = package("dist")
    sh(f"tar xzf {archive}")
    folder = archive.name[: -len(".tar.gz")]
    sh(without_network(f"make -s -C {folder} build/syncl"), **OFFLINE)
    write("train.py", TRAIN)
    holds(sh(f"{folder}/build/syncl train.py", status=1), "1 warning")
    # and is whole: an archive made of the archive is the same
    sh(f"cd {folder} && make -s dist", **OFFLINE)
    same((pathlib.Path(folder) / "build/wheels" / archive.name).read_bytes() == archive.read_bytes(), True)
    # pip makes a wheel of it, with nothing to fetch
    venv.create("env", with_pip=True)
    sh(without_network(f"env/bin/pip install --no-cache-dir {archive}"), **OFFLINE)
    holds(sh("env/bin/syncl train.py", status=1), "1 warning")
    # an archive whose sources are not the pinned ones is refused
    write("broken/x", "")
    sh(f"tar xzf {archive} -C broken")
    for pin in pathlib.Path("broken").rglob("yyjson-*.tar.gz"):
        pin.write_bytes(pin.read_bytes() + b"x")
    holds(sh(f"make -s -C broken/{folder} build/syncl", status=2, **OFFLINE), "is not the pinned archive")


def test_the_wheel_in_a_fresh_environment():
    wheel = package("wheel")
    same(package("wheel").read_bytes(), wheel.read_bytes())
    venv.create("env", with_pip=True)
    holds(sh(f"env/bin/pip install {wheel}", **OFFLINE), "Successfully installed syncl")
    write("train.py", TRAIN)
    holds(sh("env/bin/syncl train.py", status=1), "train.py:13:14: warning[host-read SYN101]")
    for page in ("man/man1/syncl.1", "bash-completion/completions/syncl", "zsh/site-functions/_syncl", "fish/vendor_completions.d/syncl.fish"):
        same(os.path.exists(f"env/share/{page}"), True, page)
    info = next(pathlib.Path("env").rglob("syncl-*.dist-info"))
    holds((info / "METADATA").read_text(), "License-Expression: MIT\n")
    holds((info / "METADATA").read_text(), (ROOT / "README.md").read_text())
    if (BUILD / "syncl-calibrate").exists():
        lacks(sh("env/bin/syncl --calibrate --help || true"), "not installed")
    sh("env/bin/pip uninstall -y syncl", **OFFLINE)
    same([p for p in pathlib.Path("env").rglob("*syncl*")], [])


def test_the_hook_under_pre_commit():
    venv.create("env", with_pip=True)
    sh("env/bin/pip install -q pre-commit")
    os.mkdir("hooks")
    sh(f"git -C {ROOT} ls-files -z -c -o --exclude-standard | (cd {ROOT} && xargs -0 tar cf - --ignore-failed-read) | tar xf - -C hooks")
    git = "git -c user.name=x -c user.email=x@x -c init.defaultBranch=main"
    sh(f"cd hooks && git init -q && git add -A && {git} commit -qm hooks && git tag v0")
    config = f"repos:\n- repo: {os.getcwd()}/hooks\n  rev: v0\n  hooks:\n  - id: syncl\n"
    write("work/.pre-commit-config.yaml", config)
    write("work/train.py", TRAIN)
    write("work/nb.ipynb", json.dumps({"cells": [{"cell_type": "code", "source": TRAIN}], "nbformat": 4}))
    write("work/notes.txt", "loss.item()\n")
    run = {"PRE_COMMIT_HOME": os.getcwd() + "/home", "PATH": os.getcwd() + "/env/bin:" + os.environ["PATH"]}
    said = sh("cd work && git init -q && git add -A && pre-commit run", status=1, **run)
    holds(said, "- exit code: 1")
    holds(said, "train.py:13:14: warning[host-read SYN101]")
    holds(said, "nb.ipynb:cell 1:13:14: warning[host-read SYN101]")
    sh("cd work && pre-commit install", **run)
    holds(sh(f"cd work && {git} commit -qm x", status=1, **run), "SYN101")
    for path in ("work/train.py", "work/nb.ipynb"):
        write(path, pathlib.Path(path).read_text().replace("loss.item()", "loss.item()  # syncl: allow[host-read] a test"))
    holds(sh(f"cd work && git add -A && {git} commit -m x", **run), "Passed")


# ---- the way of a new user ----


def test_the_way_of_a_new_user_from_a_bare_folder():
    """Each command of the README, as it stands there."""
    readme = (ROOT / "README.md").read_text()
    block = readme[readme.index("## From nothing to a gate") :].split("```sh\n")[1].split("```")[0]
    commands = [line.split("  #")[0].strip() for line in block.splitlines()]
    same([command.split()[0] for command in commands], ["pip"] + ["syncl"] * 5 + ["pre-commit"])
    venv.create("env", with_pip=True)
    sh("env/bin/pip install -q pre-commit")
    write("project/train.py", TRAIN)
    path = {"PATH": os.getcwd() + "/env/bin:" + os.environ["PATH"]}
    began = time.monotonic()
    sh(f"cd {ROOT} && {commands[0]}", **path)
    os.chdir("project")
    holds(sh(commands[1], status=1, **path), "train.py:13:14: warning[host-read SYN101]")
    same(time.monotonic() - began < 60, True, "the first result within a minute")
    holds(sh(commands[2], **path), "## Instead")
    sh(commands[3], **path)
    sh(commands[4], **path)
    write("new.py", TRAIN)
    holds(sh(commands[4], status=1, **path), "new.py:13:14")
    os.remove("new.py")
    sh(commands[5], **path)
    holds(pathlib.Path("train.py").read_text(), "# syncl: allow[host-read] for the log")
    sh("syncl .", **path)
    sh("git init -q", **path)
    hook = readme[readme.index("## Hook and action") :].split("```yaml\n")[1].split("```")[0]
    holds(hook, "- id: syncl")
    write(".pre-commit-config.yaml", hook.replace("URL OF THIS REPOSITORY", str(ROOT)))
    sh(commands[6], **path)
    sh("pre-commit validate-config", **path)
    os.chdir("..")


# ---- the action ----

EXPRESSION = re.compile(r"\$\{\{ (.*?) \}\}")


def action(inputs, **env):
    """Runs the steps of action.yml as a runner would: its shell, its files, inputs put in where expressions stand.
    Gives (whether it passed, what it said, the summary, the outputs)."""
    import yaml

    text = yaml.safe_load((ROOT / "action.yml").read_text())
    same(set(inputs) - set(text["inputs"]), set())
    values = {f"inputs.{name}": inputs.get(name, what["default"]) for name, what in text["inputs"].items()}
    files = {name: os.path.abspath(f"../{name}") for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
    said, passed = "", True
    for step in text["runs"]["steps"]:
        same(EXPRESSION.findall(step["run"]), [], "an input in a script would be read by the shell")
        own = {name: EXPRESSION.sub(lambda found: values[found[1]], value) for name, value in step.get("env", {}).items()}
        write("../step.sh", step["run"])
        full = os.environ | {"GITHUB_ACTIONS": "true", "GITHUB_ACTION_PATH": str(ROOT)} | files | own | env
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "../step.sh"], env=full, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
        said, passed = said + done.stdout, done.returncode == 0
        if not passed:
            break
    read = lambda name: pathlib.Path(files[name]).read_text() if os.path.exists(files[name]) else ""
    return passed, said, read("GITHUB_STEP_SUMMARY"), read("GITHUB_OUTPUT")


def test_the_action_as_a_runner_runs_it():
    sh(f"{sys.executable} -m pip install -q --target {os.getcwd()}/yaml pyyaml")
    sys.path.insert(0, os.getcwd() + "/yaml")
    os.mkdir("work")
    os.chdir("work")
    write("train.py", TRAIN)
    write("a b/clean.py", "x = 1\n")
    passed, said, summary, outputs = action({"sarif": "out/../waits.sarif"} if os.mkdir("out") is None else {})
    same(passed, False)
    holds(said, "::warning file=train.py,line=13,endLine=13,col=14,endColumn=25,title=host-read SYN101::")
    holds(summary, "### syncl")
    same(outputs, "sarif=out/../waits.sarif\n")
    same(json.load(open("waits.sarif"))["version"], "2.1.0")
    same(action({"paths": "a b\n  a b/clean.py  \n"})[0], True)
    same(action({"args": "--exit-zero\n--quiet"})[0], True)
    passed, said, *_ = action({"paths": "$(touch hacked)\n--output-format=json\n`touch hacked`", "args": "--select=;touch hacked"})
    same((passed, os.path.exists("hacked")), (False, False))
    holds(action({"profile": "no.json"})[1], "no.json")
    holds(action({"fail-on": "nothing"})[1], "--fail-on takes")
    if "--fail-over" in syncl("--help").out:
        same(action({"fail-over": "1s", "args": "--select=SYN2"})[0], True)
    if "--compare" in syncl("--help").out:
        git = "git -c user.name=x -c user.email=x@x"
        sh(f"git init -q && git add train.py && {git} commit -qm x && git tag old")
        same(action({"compare": "old"})[0], True)
        write("train.py", TRAIN + "    total += loss.sum().item()\n")
        same(action({"compare": "old", "max-growth": "1ms"})[0], False)
    os.chdir("..")


main(sys.modules[__name__])
