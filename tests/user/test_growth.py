#!/usr/bin/env python3
"""Some rows of `make growth`: work stays in proportion to the code."""
import sys
from bench import *

SANITIZED = b"__asan_init" in (BUILD / "syncl").read_bytes()

GROWING = [
    "s if_statement", "s for_statement", "s assert_statement", "s augmented_assignment attribute", "s for_statement async",
    "s function_definition", "hot comments", "one file of functions", "scripts of the corpus",
]


NESTED = ["e boolean_operator, nested in 0", "e not_operator, nested in 0", "e list_comprehension, nested in 0"]


def growth(*words):
    words = [sys.executable, ROOT / "tests/bench/growth.py", *words]
    done = subprocess.run(words, env=os.environ | {"BUILD": str(BUILD)}, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout + done.stderr


def test_every_node_of_the_grammar_is_in_a_construct():
    same(growth("--nodes"), (0, ""))


def test_work_grows_with_the_code():
    """A quarter of the sizes of `make growth`; in seconds, where valgrind is not there, others may have the machine."""
    if SANITIZED:
        return
    counted = shutil.which("valgrind")
    words = ["--count=instructions", "--smaller=4", "--most=1.2"] if counted else ["--count=seconds", "--most=3"]
    for _ in range(1 if counted else 3):
        status, said = growth(*words, "--only", *GROWING)
        if status == 0:
            return
    same(status, 0, said)


def test_what_cpython_does_not_take_grows_no_faster():
    """The bound of tests/truth/RESULTS.md. Which rows these are is asked of the Python at hand: 21 of 3.11, fewer of a later one."""
    if SANITIZED or not shutil.which("valgrind"):
        return
    status, said = growth("--count=instructions", "--smaller=4", "--compiles=no", "--most=1.2", "--exponent=1.1")
    assert status == 0 and int(said.split("\n")[-2].split()[0]) >= 5, said


def test_work_grows_with_what_nests():
    if SANITIZED or not shutil.which("valgrind"):
        return
    status, said = growth("--count=instructions", "--exponent=1.12", "--only", *NESTED)
    same(status, 0, said)


def test_pricing_of_loops_within_one_another_is_bounded():
    """The price of a loop is a replay of it with those inside: 20 loops within one another are 210 in all. Measured: 1.25 from 5 to
    20 deep, and 4.0 times as much a byte at 20 as alone."""
    if SANITIZED or not shutil.which("valgrind"):
        return
    status, said = growth("--count=instructions", "--exponent=1.27", "--most=4.5", "--only", "s training loop, nested in 0")
    same(status, 0, said)


main(sys.modules[__name__])
