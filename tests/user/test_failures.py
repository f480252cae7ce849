#!/usr/bin/env python3
"""What the machine may do to a run: no memory, no room on the disk, a reader that goes away. Exit 2 and one line that
says why, or the whole report; nothing half-written."""
import sys
from bench import *

CORPUS = ROOT / "corpus"
STACK = 1 << 20  # KiB of addresses that the analysis takes for its stack


def limited(limit, *args):
    """Under `ulimit LIMIT`, in the shell's units (KiB; 512 or 1,024 bytes a block)."""
    words = ["sh", "-c", f'ulimit {limit}; exec "$@"', "sh", BUILD / "syncl", *args]
    done = subprocess.run(words, capture_output=True, timeout=120)
    return Ran(done.returncode, done.stdout, done.stderr)


def is_said(ran, words):
    same(ran.status, 2, ran.err)
    same(ran.raw, b"")
    same((ran.err.count("\n"), ran.err.startswith("syncl: ")), (1, True), ran.err)
    holds(ran.err, words)


def sanitized():
    return b"__asan_init" in (BUILD / "syncl").read_bytes()


def test_without_memory_nothing_is_reported_or_everything():
    if sanitized():
        return  # a sanitizer reserves terabytes of addresses
    whole = syncl("--no-cache", "--output-format=json", CORPUS, status=1).raw
    is_said(limited("-v 900000", CORPUS), "out of memory: no room for a stack")  # never on a smaller one
    outcomes = set()
    for kib in range(STACK + 12000, STACK + 204000, 6000):
        ran = limited(f"-v {kib}", "--no-cache", "--output-format=json", CORPUS)
        outcomes.add(ran.status)
        if ran.status == 1:
            same(ran.raw, whole, f"at {kib} KiB")
        else:
            is_said(ran, "out of memory")
    same(outcomes, {1, 2})


OUTPUTS = ["--output-file=", "--sarif=", "--also=json:", "--write-baseline="]


def test_a_file_at_its_limit_stays_what_it_was():
    write("train.py", TRAIN)
    for option in OUTPUTS:
        for old in (None, b"as before\n"):
            pathlib.Path("out").unlink(missing_ok=True)
            if old:
                write("out", old)
            ran = limited("-f 0", option + "out", "train.py")
            same(ran.status, 2, ran.err)
            holds(ran.err, "cannot write out: File too large")
            same(pathlib.Path("out").read_bytes() if old else os.path.exists("out"), old or False, option)
            same(sorted(os.listdir()), ["out", "train.py"] if old else ["train.py"], option)


def test_a_full_disk_is_said_for_every_file_that_is_written():
    write("train.py", TRAIN)
    for option in OUTPUTS:
        ran = syncl(option + "/dev/full", "train.py", status=2)
        holds(ran.err, "cannot write /dev/full: No space left on device")


def test_a_comment_that_cannot_be_written_leaves_the_source_alone():
    write("train.py", TRAIN)
    ran = limited("-f 0", "--add-allow", "train.py")
    same(ran.status, 2, ran.err)
    holds(ran.err, "File too large")
    same(pathlib.Path("train.py").read_text(), TRAIN)
    same(os.listdir(), ["train.py"])


def test_a_report_that_failed_does_not_take_the_others_with_it():
    write("train.py", TRAIN)
    ran = syncl("-v", "--also=json:/dev/full", "--sarif=good.sarif", "train.py", status=2)
    holds(ran.out, "train.py:13:14: warning[host-read SYN101]")
    holds(pathlib.Path("good.sarif").read_text(), "SYN101")


def test_a_slow_reader_gets_all_of_it_and_one_that_leaves_is_an_error():
    body = "".join(f"    print(x[{i}].item())\n" for i in range(3000))
    write("many.py", f"import torch\nx = torch.ones(4000, device='cuda')\nfor i in range(99):\n{body}")
    whole = syncl("--output-format=json", "many.py", status=1).raw
    same(len(whole) > 1 << 20, True, "more than a pipe holds")
    words = [BUILD / "syncl", "--output-format=json", "many.py"]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as slow:
        got = b""
        while piece := os.read(slow.stdout.fileno(), 4096):
            got += piece
            time.sleep(0.0002)
    same((slow.returncode, got == whole), (1, True))
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as left:
        os.read(left.stdout.fileno(), 4096)
        left.stdout.close()
        said = left.stderr.read().decode()
    same((left.returncode, said), (2, "syncl: cannot write to standard output: Broken pipe\n"))


def test_a_full_pipe_that_does_not_block_gets_all_of_it():
    """As a Node.js or an event loop leaves it to its children."""
    write("many.py", "import torch\nx = torch.ones(400, device='cuda')\nfor i in range(99):\n" + "    print(x[0].item())\n" * 300)
    whole = syncl("--output-format=json", "many.py", status=1).raw
    same(len(whole) > 1 << 17, True, "more than the pipe holds")
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with subprocess.Popen([BUILD / "syncl", "--output-format=json", "many.py"], stdout=writer) as run:
        os.close(writer)
        time.sleep(0.3)
        got = b""
        while piece := os.read(reader, 4096):
            got += piece
    os.close(reader)
    same((run.returncode, got == whole), (1, True))


def test_closed_descriptors_are_said_and_never_written_into():
    """With one closed, the next file opened would take its number."""
    write("train.py", TRAIN)
    for closed, words in ((">&-", "cannot write to standard output: Bad file descriptor"), (">/dev/full", "cannot write to standard output: No space left")):
        for form in ("full", "json", "sarif"):
            done = subprocess.run(["sh", "-c", f'"$0" --output-format={form} train.py {closed}', BUILD / "syncl"], capture_output=True, timeout=60)
            same((done.returncode, done.stderr.count(b"\n")), (2, 1))
            holds(done.stderr.decode(), words)
    for closed in ("2>&-", "<&- 2>&-", "<&- >&- 2>&-"):
        done = subprocess.run(["sh", "-c", f'"$0" --sarif=out --also=json:other train.py {closed}', BUILD / "syncl"], capture_output=True, timeout=60)
        same((done.returncode, done.stderr), (2 if ">&- 2" in closed else 1, b""), closed)
        if ">&- 2" not in closed:
            same((json.loads(pathlib.Path("out").read_text())["version"], json.loads(pathlib.Path("other").read_text())["version"]), ("2.1.0", 1))
    same(pathlib.Path("train.py").read_text(), TRAIN)


def test_standard_input_in_pieces_is_read_to_its_end():
    with subprocess.Popen([BUILD / "syncl", "--output-format=concise", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as run:
        for start in range(0, len(TRAIN), 7):
            os.write(run.stdin.fileno(), TRAIN[start : start + 7].encode())
            time.sleep(0.001)
        run.stdin.close()
        holds(run.stdout.read().decode(), "13:14: SYN101")
    same(run.returncode, 1)


main(sys.modules[__name__])
