"""What the tests in this folder share: each test_* function of a module gets an empty folder as the current one and a
Syncl to run; main() prints its results as a cmocka program does, for tests/run.sh."""
import hashlib, json, os, pathlib, pty, re, select, shutil, subprocess, sys, tempfile, time, traceback

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = (ROOT / os.environ.get("BUILD", "build")).resolve()

TRAIN = """import torch
import torch.nn as nn
device = torch.device("cuda")
model = nn.Linear(10, 10).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total = 0.0
for step in range(1000):
    x = torch.randn(32, 10, device=device)
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total += loss.item()
"""


class Ran:
    def __init__(self, status, out, err):
        self.status, self.raw, self.err = status, out, err.decode(errors="replace")

    @property
    def out(self):
        return self.raw.decode("utf-8")  # whatever syncl writes is UTF-8

    @property
    def json(self):
        return json.loads(self.raw)


def keep_json(*texts):
    """For test_schema.py, which runs last."""
    folder = os.environ.get("SYNCL_KEEP_JSON")
    for text in texts if folder else ():
        if text.startswith((b'{\n  "version": 1', b'{"id":')):
            pathlib.Path(folder, hashlib.sha256(text).hexdigest()[:16] + ".json").write_bytes(text)


def written(args):
    """What a run wrote into the files that its arguments name: -o FILE, --also=json:FILE."""
    names = {re.sub(r"^--[\w-]+=(\w[\w-]*:)?", "", arg) for arg in map(str, args)}
    return [path.read_bytes() for path in map(pathlib.Path, names) if path.suffix == ".json" and path.is_file()]


def syncl(*args, stdin=b"", env=None, status=None, cwd=None):
    """Wide, so that no sentence is broken where a test looks for it; test_lines.py is about widths."""
    full = {k: v for k, v in os.environ.items() if not k.startswith("GITHUB_") and k not in ("NO_COLOR", "CI")} | {"COLUMNS": "400"} | (env or {})
    done = subprocess.run([BUILD / "syncl", *args], input=stdin, capture_output=True, env=full, cwd=cwd, timeout=120)
    ran = Ran(done.returncode, done.stdout, done.stderr)
    keep_json(done.stdout, *written(args))
    if status is not None and ran.status != status:
        raise AssertionError(f"{args}: exit {ran.status}, not {status}\n{ran.err}{ran.raw[:2000]}")
    return ran


def on_terminal(*args, env=None, seconds=60, type_after=None):
    """What syncl writes to a terminal, standard output and error together; type_after = (seconds, bytes typed)."""
    full = {k: v for k, v in os.environ.items() if not k.startswith("GITHUB_") and k not in ("NO_COLOR", "CI")}
    full |= {"TERM": "xterm-256color"} | (env or {})
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(BUILD / "syncl", ["syncl", *args], full)
    said = b""
    if type_after:
        time.sleep(type_after[0])
        os.write(terminal, type_after[1])
    while select.select([terminal], [], [], seconds)[0]:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break  # the other end is closed
        if not piece:
            break
        said += piece
    os.waitpid(pid, 0)
    os.close(terminal)
    return said.decode()


def write(path, text):
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def same(got, wanted, what=""):
    if got != wanted:
        raise AssertionError(f"{what}\n  got    {got!r}\n  wanted {wanted!r}")


def holds(text, part):
    if part not in text:
        raise AssertionError(f"no {part!r} in\n{text[:4000]}")


def lacks(text, part):
    if part in text:
        raise AssertionError(f"{part!r} in\n{text[:4000]}")


def main(module):
    """Runs the tests whose name holds the first argument, where there is one."""
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    passed = failed = 0
    for name, test in sorted(vars(module).items()):
        if not name.startswith("test_") or not callable(test) or wanted not in name:
            continue
        home, folder = os.getcwd(), tempfile.mkdtemp(prefix="syncl-user-")
        os.chdir(folder)
        try:
            test()
            passed += 1
        except Exception:
            failed += 1
            print(f"[  FAILED  ] {name}")
            traceback.print_exc(limit=4, file=sys.stdout)
        finally:
            os.chdir(home)
            shutil.rmtree(folder, ignore_errors=True)
    print(f"[  PASSED  ] {passed} test(s).")
    if failed:
        print(f"[  FAILED  ] {failed} test(s), listed above")
    sys.exit(1 if failed else 0)
