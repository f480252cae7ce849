#!/usr/bin/env python3
"""Projects that mean harm, or have grown odd: a run ends, says what it left out, and finds what there is to find."""
import socket, sys, threading
from bench import *

FOUND = ":13:14: SYN101"


def concise(*args, status=1, stdin=b""):
    return syncl("--output-format=concise", *args, status=status, stdin=stdin)


def test_many_thousand_files_and_one_that_waits():
    count = int(os.environ.get("FILES", "10000"))  # 100,000 in make fuzz
    for i in range(count):
        if i % 1000 == 0:
            os.makedirs(f"many/d{i}")
        open(f"many/d{i - i % 1000}/f{i}.py", "w").close()
    write("many/train.py", TRAIN)
    ran = concise("many")
    holds(ran.out, "many/train.py" + FOUND)
    holds(ran.out, f"{count + 1} files")


def test_a_name_may_be_any_bytes():
    for name in (b"new\nline.py", b"\xff\xfe.py", b"\x1b[31m.py", b"-o.py", b" .py", b"%s%n.py", b"\xe2\x80\xae.py", b"a" * 250 + b".py"):
        with open(name, "wb") as file:
            file.write(TRAIN.encode())
    for form in ("full", "concise", "json", "json-lines", "github", "sarif", "gitlab", "junit", "rdjson"):
        text = syncl(f"--output-format={form}", ".", status=1).out  # as UTF-8
        lacks(text, "\x1b")
        lacks(text, "\u202e")
        lacks(text, "new\nline")
    same(len(syncl("--output-format=json", ".", status=1).json["findings"]), 8)


def test_folders_deeper_than_a_path_may_be_long():
    top = os.open(".", os.O_RDONLY)
    for _ in range(600):
        os.mkdir("folder")
        os.chdir("folder")
    write("deep.py", TRAIN)
    os.fchdir(top)
    write("train.py", TRAIN)
    ran = concise(".")
    holds(ran.out, "train.py" + FOUND)
    holds(ran.out + ran.err, "skipped")


def test_links_that_lead_back_are_walked_once():
    os.makedirs("a/b")
    os.symlink("..", "a/b/up")
    os.symlink(os.getcwd(), "a/all")
    os.symlink("two", "one")
    os.symlink("one", "two")
    write("a/b/train.py", TRAIN)
    same(concise(".").out.count(FOUND), 1)


def test_a_gigabyte_is_not_read():
    write("train.py", TRAIN)
    with open("big.py", "wb") as file:
        file.truncate(1 << 30)
    began = time.monotonic()
    ran = concise(".")
    holds(ran.out, "train.py" + FOUND)
    holds(ran.out, "1 skipped")
    same(time.monotonic() - began < 20, True)


def test_a_gigabyte_in_place_of_any_file_is_refused():
    write("train.py", TRAIN)
    for name in ("big.toml", "big.json", "big.md"):
        with open(name, "wb") as file:
            file.truncate(1 << 30)
    for option in ("--config=big.toml", "--profile=big.json", "--baseline=big.json", "--observed=big.json", "--extend-rules=big.md", "@big.json"):
        holds(syncl(option, "train.py", status=2).err, "is larger than ")
    with open("big.json", "rb") as endless:
        done = subprocess.run([BUILD / "syncl", "-"], stdin=endless, capture_output=True, timeout=60)
    same((done.returncode, done.stderr), (2, b"syncl: nothing was analysed: -: is larger than 8 MiB\n"))


def test_a_line_of_megabytes():
    """What stands on it is found, and a thousand findings on it cost as much as on lines of their own: were it the square, hours."""
    for name, line in {"list": "y = [" + "1, " * 500000 + "]\n", "text": "y = '" + "a" * (4 << 20) + "'\n", "name": "a" * (4 << 20) + " = 1\n",
                       "comment": "#" + "x" * (4 << 20) + "\n", "allows": "y = 1  # noqa: " + "SYN101, " * 200000 + "\n"}.items():
        write(f"{name}.py", line + TRAIN)
        holds(concise(f"{name}.py").out, f"{name}.py:14:14: SYN101")
    read = "loss.item()"
    for name, text in {"line": f"total += {read}; " * 30000, "call": f"print({f'{read}, ' * 10000})"}.items():
        write(f"{name}.py", TRAIN.replace(f"total += {read}", text))
        began = time.monotonic()
        same(concise(f"{name}.py").out.count(".py:13:"), text.count(read), name)
        same(syncl("-v", "--color=never", f"{name}.py", status=1).out.count(" = help: "), text.count(read), name)
        same(len(json.loads(pathlib.Path(f"{name}.json").read_text())["findings"]) if syncl(f"--write-baseline={name}.json", f"{name}.py", status=0) else 0, text.count(read), name)
        same(time.monotonic() - began < 180, True, name)


def test_devices_and_pipes_in_place_of_our_files():
    write("train.py", TRAIN)
    os.mkfifo("pipe")
    for option in ("--config=", "--baseline=", "--observed=", "--profile=", "@"):
        holds(syncl(option + "/dev/zero", "train.py", status=2).err, "is not a regular file")
    for option in ("--config=", "--baseline=", "--observed="):
        holds(syncl(option + "pipe", "train.py", status=2).err, "is not a regular file")
    words = [[BUILD / "syncl", option + "pipe", "train.py"] for option in ("--profile=", "@", "--trace=")]
    for run in [subprocess.Popen(w, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for w in words]:  # each waits for seconds
        said = run.communicate(timeout=60)[1].decode()
        holds(said, "is a pipe that nobody writes to")
        same((run.returncode, said.count("\n")), (2, 1))
    holds(syncl("/dev/zero", status=2).err, "is a device")


def test_a_pipe_in_place_of_any_file_of_the_cache():
    """Or a folder, a socket, a device's link: a run neither waits for it nor says anything else."""
    os.mkdir("in")  # beside the cache: a project that changes while it is read is not kept
    write("in/pyproject.toml", "")
    write("in/train.py", TRAIN)
    env = {"XDG_CACHE_HOME": os.path.abspath("kept")}
    want = syncl("--output-format=json", "in/train.py", env=env, status=1).raw
    files = [os.path.join(folder, name) for folder, _, names in os.walk("kept") for name in names]
    same([any(part in path for path in files) for part in ("results/", "findings/", "syncl-cache-size", "CACHEDIR.TAG", ".gitignore")], [True] * 5, files)
    for put in (os.mkfifo, os.mkdir, lambda path: socket.socket(socket.AF_UNIX).bind(os.path.basename(path)), lambda path: os.symlink("/dev/zero", path)):
        for path in files + ["kept/syncl/results", "kept/syncl"]:
            subprocess.run(["rm", "-rf", "kept"], check=True)
            syncl("in/train.py", env=env, status=1)
            subprocess.run(["rm", "-rf", path], check=True)
            home = os.open(".", os.O_RDONLY)
            os.chdir(os.path.dirname(path))  # a socket's path may have 108 bytes
            put(os.path.abspath(os.path.basename(path)))
            os.fchdir(home)
            os.close(home)
            for words in (["--output-format=json", "in/train.py"], ["--output-format=json", "--threads=1", "in/train.py"]):
                same(syncl(*words, env=env, status=1).raw, want, path)
            syncl("--clean-cache", env=env, status=0)


def test_a_pipe_that_is_written_to_is_read_to_its_end():
    """As the shells' `@<(...)` makes them; whoever writes may take his time."""
    write("train.py", TRAIN)
    profile = (ROOT / "calib/profiles/h200.json").read_text()
    for words in ("@<(sleep 0.3; echo --output-format=concise; sleep 0.1; echo train.py)", f"--profile=<(sleep 0.2; cat p.json) --output-format=concise train.py"):
        write("p.json", profile)
        done = subprocess.run(["bash", "-c", f'"{BUILD}/syncl" {words}'], capture_output=True, timeout=60)
        same((done.returncode, b"train.py:13:14: SYN101" in done.stdout), (1, True), done.stderr)


def test_a_project_that_changes_while_it_is_read():
    """Whatever is met, a run ends by 0, 1 or 2, and what holds still is found."""
    os.mkdir("p")
    write("p/still.py", TRAIN)
    over = threading.Event()

    def stir():
        turn = 0
        while not over.is_set():
            turn += 1
            for i in range(40):
                path = pathlib.Path(f"p/f{i}.py")
                if (turn + i) % 3:
                    write(path, TRAIN[: (turn * 97 + i * 31) % len(TRAIN)] if turn % 2 else TRAIN * 20)
                else:
                    path.unlink(missing_ok=True)
                folder = pathlib.Path(f"p/d{i % 5}")
                try:
                    folder.rmdir() if turn % 2 else folder.mkdir()
                    os.rename("p/moves" if turn % 2 else "p/d0", "p/d0" if turn % 2 else "p/moves")
                except OSError:
                    pass  # it is the other way round already

    thread = threading.Thread(target=stir)
    thread.start()
    try:
        for _ in range(30):
            ran = concise("p")
            holds(ran.out, "p/still.py" + FOUND)
    finally:
        over.set()
        thread.join()


def test_no_folder_left_to_stand_in():
    os.mkdir("gone")
    words = ["sh", "-c", 'cd gone && rmdir ../gone && exec "$0" "$@"', BUILD / "syncl", "--output-format=concise", "-"]
    done = subprocess.run(words, input=TRAIN.encode(), capture_output=True, timeout=60)
    same(done.returncode in (1, 2), True, done.stderr)


def test_nesting_of_every_kind_hides_nothing_behind_it():
    deep = 20000
    forms = {
        "blocks": "".join(" " * i + "if x:\n" for i in range(600)) + " " * 600 + "pass\n",
        "functions": "".join(" " * i + f"def f{i}():\n" for i in range(600)) + " " * 600 + "pass\n",
        "lists": "x = " + "[" * deep + "]" * deep + "\n",
        "calls": "x = " + "f(" * deep + ")" * deep + "\n",
        "lambdas": "x = " + "lambda: " * deep + "0\n",
        "attributes": "x = a" + ".b" * deep + "\n",
        "sums": "x = 1" + " + 1" * deep + "\n",
        "nots": "x = " + "not " * deep + "1\n",
        "strings": "x = " + "f'{" * 200 + "1" + "}'" * 200 + "\n",
        "elifs": "if x:\n    pass\n" + "elif x:\n    pass\n" * deep,
        "chain": "import torch\nx0 = torch.ones(3, device='cuda')\n" + "".join(f"x{i + 1} = x{i}\n" for i in range(deep)),
        "callers": "".join(f"def f{i}(x):\n    return f{i + 1}(x)\n" for i in range(5000)) + "def f5000(x):\n    return x\n"
        "import torch\nf0(torch.ones(3, device='cuda'))\n",
    }
    for name, text in forms.items():
        write(f"{name}.py", text + TRAIN)
        holds(concise(f"{name}.py").out, f":{text.count(chr(10)) + 13}:14: SYN101")


def test_nesting_in_files_of_ours_is_refused():
    write("train.py", TRAIN)
    deep = 100000
    for text in ("a = " + "[" * deep + "]" * deep, "a." * deep + "b = 1", "[" + "a." * deep + "b]\nc = 1", "a = " + "{b = " * 40000 + "1" + "}" * 40000):
        write("deep.toml", text)
        holds(syncl("--config=deep.toml", "train.py", status=2).err, "nested too deeply")
    for i in range(50):
        write(f"c{i}.toml", f'extend = "c{i + 1}.toml"\n')
    holds(syncl("--config=c0.toml", "train.py", status=2).err, "goes on for too long")
    write("deep.json", "[" * deep + "]" * deep)
    for option in ("--profile=deep.json", "--baseline=deep.json", "--trace=deep.json"):
        same(syncl(option, "train.py", status=2).err.count("\n"), 1, option)
    write("deep.ipynb", '{"cells": ' + "[" * deep + "]" * deep + "}")
    holds(syncl("deep.ipynb", status=2).err, "is not a notebook")


def test_patterns_that_could_go_on_for_ever():
    write(".gitignore", "*a" * 200 + "b\n" + "**/" * 200 + "z.py\n" + "[a-z]*" * 100 + "q\n")
    write("d/" + "a" * 200 + "/" + "a" * 240 + ".py", TRAIN)
    began = time.monotonic()
    holds(concise("--exclude=" + "*a" * 100 + "b", "--extend-exclude=" + "**/" * 100 + "z", ".").out, FOUND)
    same(time.monotonic() - began < 20, True)


def test_a_gitignore_that_is_too_large():
    write(".git/HEAD", "ref: refs/heads/main\n")
    write("d/.gitignore", "train.py\n" + "#\n" * (33 << 20))
    write("d/train.py", TRAIN)
    write("e/.gitignore/folder", "")
    said = concise(".")
    holds(said.out, FOUND)
    same(said.err.count(".gitignore"), 1)
    holds(said.err, "d/.gitignore: is larger than 64 MiB; nothing is left out for it")


main(sys.modules[__name__])
