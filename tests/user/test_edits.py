#!/usr/bin/env python3
"""What is written into users' sources: Python before and after, the same program, and a file that stays what it was in
every other way."""
import ast, io, itertools, signal, sys, tokenize
from bench import *

FAULTY = BUILD / "syncl-faulty"
HEAD = "import torch\nx = torch.ones(3, device='cuda', requires_grad=True)\n"
LOOP = "for i in range(100):\n    (x * x).sum().backward()\n"
WAIT = "x.sum().item()"

# The wait is in the place of W. What no comment can stand behind is among them.
PLACES = [
    "    y = W", "    y = W  ", "    y = W  # why", "    y = W  # why \\", "    W; z = 1", "    y = W; s = '''\n'''",
    "    W; \\\n    z = 1", "    y = W + \\\n        1", "    y = (W,\n        2)", "    y = (W,  # a\n        2)  # b",
    "    y = [W\n    ]", "    if W: pass", "    if W:\n        pass", "    if W: \\\n        pass", "    while W > 9: break", "    assert W, \\\n        'no'",
    "    y = f'{W}'", "    y = f'''{W}'''", "    y = f'''{\n    W\n    }'''", "    y = f'''\n    {W}\n    {\n    1}'''", "    y = f'''a\n{W}b'''; z = f'''{\n1}'''",
    "    y = rf'''{W}\\\n'''", "    y = 'a' \\\n        f'{W}'", "    y = ('a'\n         f'{W}'\n         'b')", "    print(W, '#', \"# no\")", "    y = '#' + str(W)",
    "    y = W \\\n\n", "    y = {'a': W,\n         'b': '''\n'''}", "    @(lambda f: f)\n    def g(): return W\n    g()", "    y = lambda: W\n    y()",
    "    try: W\n    except ValueError: pass", "    with torch.no_grad(): y = W", "    y = W if True else \\\n        2", "    print(f'{W:>{3}}')", "    print(f'{W!r:10}')",
    "    y = W\f", "    y = (W) ;", "    z = '\\\n'; y = W", "    z = '\\\n'; y = W; w = '\\\n'", "    y = W  # type: ignore", "    del y; y = W" , "    y = W #: é",
    "    y = 'ü' + str(W)", "    return_ = W;pass;", "    y = W,\\\n", "    print(W, end='''\n    # in a string\n    ''')", "    y = W; z = \"\"\"\\\n\"\"\"  # end",
]
ENDS = ["\n", "\r\n", "\r"]
CODINGS = ["", "# coding: utf-8\n", "# -*- coding: latin-1 -*-\n", "#!/usr/bin/env python3\n# vim: set fileencoding=cp1252 :\n", "\ufeff", "\ufeff# coding: utf-8\n",
           "# coding: ascii\n", "# coding: shift_jis\n", "# coding: utf-7\n"]
REASONS = ["", "later", "später", "coding: utf-16", "日本", "a\\"]


def encoded(text):
    coding, _ = tokenize.detect_encoding(io.BytesIO(text.encode()).readline)
    return text.encode(coding.replace("-sig", ""))


def placements(reason):
    """Sources that Python takes: every place, and for some of them every line end and coding."""
    for i, place in enumerate(PLACES):
        for end, coding in itertools.product(ENDS, CODINGS):
            if end != "\n" and coding and (i + len(coding)) % 4:
                continue
            for last in ("\n", ""):
                text = coding + HEAD + LOOP + place.replace("W", WAIT) + last
                try:
                    data = encoded(text.replace("\n", end))
                    ast.parse(data)
                except (SyntaxError, UnicodeEncodeError, ValueError):
                    continue
                yield data


def lines(data):
    """The tokenizer of the library knows no line end but \\n."""
    return io.BytesIO(data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")).readline


def comments(data):
    return [t.string for t in tokenize.tokenize(lines(data)) if t.type == tokenize.COMMENT]


def test_whatever_is_written_is_the_same_program_to_python():
    """As ast.parse of the Python at hand has it; one that knows f-strings of 3.8 to 3.11 refuses comments in their braces."""
    compared = written = 0
    for reason in REASONS:
        folder = f"r{REASONS.index(reason)}"
        sources = {f"{folder}/p{i}.py": data for i, data in enumerate(placements(reason))}
        for path, data in sources.items():
            write(path, data)
        ran = syncl("--add-allow", "--min-confidence=possible", *([f"--allow-reason={reason}"] if reason else []), folder, status=0)
        for path, before in sources.items():
            after = pathlib.Path(path).read_bytes()
            compared += 1
            if after == before:
                continue
            written += 1
            try:
                same(ast.dump(ast.parse(after)), ast.dump(ast.parse(before)))
            except SyntaxError as error:
                raise AssertionError(f"{error}\n{before!r}\n{after!r}")
            added = [c for c in comments(after) if "syncl: allow[" in c]
            same(bool(added) and all(c.rstrip().endswith(reason) for c in added), True, (before, after))
            stripped = after
            for c in set(added):
                text = c[c.index("# syncl:"):].rstrip()
                coding, _ = tokenize.detect_encoding(lines(after))
                stripped = stripped.replace(b"  " + text.encode(coding.replace("-sig", "")), b"")
            same(stripped, before)
        holds(ran.out, "comment")
    print(f"note: {written} of {compared} generated placements were written to, each parsed by Python {sys.version.split()[0]}")
    same((compared > 2000, written > 1000), (True, True), (compared, written))


def left(source, reason=None):
    write("a.py", source)
    before = pathlib.Path("a.py").read_bytes()
    ran = syncl("--add-allow", *([f"--allow-reason={reason}"] if reason else []), "a.py", status=0)
    holds(ran.out, "0 comments added in 0 files; 1 findings stand where none can be added.")
    same(pathlib.Path("a.py").read_bytes(), before)


def added(source, reason=None):
    write("a.py", source)
    holds(syncl("--add-allow", *([f"--allow-reason={reason}"] if reason else []), "a.py", status=0).out, "1 comment added in 1 file.")
    return pathlib.Path("a.py").read_bytes()


def test_behind_a_backslash_nothing_is_written():
    left(HEAD + LOOP + f"    {WAIT}; \\\n    z = 1\n")
    added(HEAD + LOOP + f"    y = {WAIT} + \\\n    1\n")


def test_inside_the_braces_of_an_f_string_nothing_is_written():
    left(HEAD + LOOP + f"    print(f'''{{\n    {WAIT}\n    }}'''); s = f'''{{\n1}}'''\n".replace("print(f'''{\n    x", "y = f'''{\n    x").replace("}''')", "}'''"))
    left(HEAD + LOOP + f"    y = {WAIT}; s = f'''{{\n1}}'''\n")


def test_a_reason_that_the_coding_cannot_hold_is_not_written():
    latin = ("# coding: latin-1\n# é\n" + HEAD + LOOP + f"    y = {WAIT}\n").encode("latin-1")
    left(latin, "später")
    holds(added(latin, "later").decode("latin-1"), "# é\n")
    left("# coding: shift_jis\n" + HEAD + LOOP + f"    y = {WAIT}\n", "later")
    holds(added(HEAD + LOOP + f"    y = {WAIT}\n", "später").decode(), "allow[host-read] später")


def test_a_file_that_is_no_python_is_left():
    left(HEAD + LOOP + f"    y = {WAIT}\n<<<<<<< HEAD\n=======\n>>>>>>> b\n")
    left((HEAD + LOOP + f"    y = {WAIT}\n# \xff\n").encode("latin-1"))  # no UTF-8, and no coding is named


SOURCE = HEAD + LOOP + f"    y = {WAIT}\n"


def allow(path="a.py", status=0, program=None, env=None):
    done = subprocess.run([program or BUILD / "syncl", "--no-cache", "--add-allow", path], capture_output=True, env=dict(os.environ, **(env or {})), timeout=60)
    same(done.returncode, status, done.stderr)
    return done.stderr.decode()


def test_owner_mode_and_attributes_stay():
    write("a.py", SOURCE)
    os.chmod("a.py", 0o6751)
    if os.geteuid() == 0:
        os.chown("a.py", 12345, 54321)
        os.chmod("a.py", 0o6751)
    try:
        os.setxattr("a.py", "user.note", b"kept")
        attributes = True
    except (OSError, AttributeError):
        attributes = False
        print("note: no attributes here, they are not checked")
    before = os.stat("a.py")
    allow()
    after = os.stat("a.py")
    same((after.st_mode, after.st_uid, after.st_gid), (before.st_mode, before.st_uid, before.st_gid))
    same(attributes and os.getxattr("a.py", "user.note"), attributes and b"kept")
    holds(pathlib.Path("a.py").read_text(), "syncl: allow")


def refused(why, path="a.py", other=None):
    names = sorted(os.listdir("."))
    holds(allow(path, status=2), f"cannot write {path}: {why}")
    same((pathlib.Path(other or path).read_text(), sorted(os.listdir("."))), (SOURCE, names))


def test_a_file_that_is_read_only_is_not_written():
    write("a.py", SOURCE)
    for mode in (0o444, 0o400, 0o555):
        os.chmod("a.py", mode)
        refused("it is read-only")


def test_hard_links_are_neither_split_nor_followed():
    write("a.py", SOURCE)
    os.link("a.py", "b.py")
    refused("it has several names (hard links)", "a.py")
    same(os.stat("a.py").st_ino, os.stat("b.py").st_ino)


def test_no_link_leads_out_of_the_project():
    write("out/a.py", SOURCE)
    write("in/b.py", "x = 1\n")
    os.mkdir("in/.git")
    os.symlink("../out/a.py", "in/link.py")
    os.symlink("../out", "in/folder")
    os.chdir("in")
    refused("it is a link that leads out of the project", "link.py", "../out/a.py")
    refused("it is a link that leads out of the project", "folder/a.py", "../out/a.py")
    write("real/a.py", SOURCE)
    os.symlink("real/a.py", "inside.py")
    allow("inside.py")
    same(os.path.islink("inside.py"), True)
    holds(pathlib.Path("real/a.py").read_text(), "syncl: allow")
    os.chdir("..")
    write("else/where.py", SOURCE)
    os.chdir("in")
    allow("../else/where.py")  # named as it is
    holds(pathlib.Path("../else/where.py").read_text(), "syncl: allow")


def test_where_one_file_may_not_be_written_none_is():
    write("a.py", SOURCE)
    write("z.py", SOURCE)
    os.chmod("z.py", 0o444)
    holds(allow(".", status=2), "cannot write z.py: it is read-only")
    same(pathlib.Path("a.py").read_text(), SOURCE)


def test_a_run_that_is_ended_leaves_no_temporary_file():
    if not FAULTY.exists():
        return print("note: no syncl-faulty here, no run is ended")
    for n in range(1, 12):
        write("a.py", SOURCE)
        done = subprocess.run([FAULTY, "--no-cache", "--add-allow", "a.py"], capture_output=True, env=dict(os.environ, FAULTS=f"term={n}"), timeout=60)
        text = pathlib.Path("a.py").read_text()
        same((os.listdir("."), text == SOURCE or "syncl: allow" in text, done.returncode in (0, -signal.SIGTERM)), (["a.py"], True, True), (n, done))
        if n < 5:
            same(done.returncode, -signal.SIGTERM, "the signal does not come where it should")


def test_a_file_that_changes_meanwhile_is_not_written():
    if not FAULTY.exists():
        return print("note: no syncl-faulty here, nothing is changed meanwhile")
    for n in range(1, 6):  # opened, owned, filled, settled, closed
        write("a.py", SOURCE)
        run = subprocess.Popen([FAULTY, "--no-cache", "--add-allow", "a.py"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ, FAULTS=f"stop={n}"))
        os.waitid(os.P_PID, run.pid, os.WSTOPPED)
        write("a.py", SOURCE + "# mine\n")
        os.kill(run.pid, signal.SIGCONT)
        said = run.communicate(timeout=60)[1].decode()
        same((run.returncode, pathlib.Path("a.py").read_text(), os.listdir(".")), (2, SOURCE + "# mine\n", ["a.py"]), (n, said))
        holds(said, "changed")


main(sys.modules[__name__])
