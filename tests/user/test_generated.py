#!/usr/bin/env python3
"""A share of `make fuzz-programs`: generated programs break nothing; and whether the generator and its checks do their work."""
import sys
from bench import *

FUZZ = ROOT / "tests/fuzz"
sys.path.insert(0, str(FUZZ))
import generate


def programs(*words, program=BUILD / "syncl", watched=BUILD / "syncl"):
    words = [sys.executable, FUZZ / "programs.py", f"--program={program}", f"--watched={watched}", f"--found={os.getcwd()}/found", *words]
    return subprocess.run(words, capture_output=True, text=True)


def test_generated_programs_break_nothing():
    ran = programs("--seed=make-test", "--count=15", "--no-fixtures")
    same(ran.returncode, 0, ran.stdout + ran.stderr)
    holds(ran.stdout, "15 projects of ")
    print("note:", ran.stdout.strip())


def test_the_productions_are_those_of_the_grammar():
    rights, names, *_ = generate.language()
    spelled = lambda left: {" ".join("|".join(sorted(names.get(s, s) for s in place)) for place in p.right) for p in rights[left]}
    same(spelled("sym_raise_statement") >= {"raise", "raise expression", "raise from expression"}, True, spelled("sym_raise_statement"))
    same(spelled("sym_type_alias_statement"), {"type type = type"})
    same(len(spelled("sym_while_statement")), 4, spelled("sym_while_statement"))


def test_the_same_seed_is_the_same_project_and_another_is_not():
    same(generate.project("s", 3), generate.project("s", 3))
    assert generate.project("s", 3) != generate.project("s", 4)


def test_most_productions_stand_in_few_programs():
    uses = generate.Counter()
    for number in range(40):
        generate.project("productions", number, uses, with_fixtures=False)
    every = [(p.left, p.number) for rights in generate.language().rights.values() for p in rights]
    missing = [p for p in every if not uses[p]]
    assert len(missing) < len(every) // 20, missing


def breaks(when, instead):
    """A program that does something else when its arguments hold `when`."""
    sanitized = "# __asan_init" if b"__asan_init" in (BUILD / "syncl").read_bytes() else ""  # it has the limits of what it starts
    write("broken", f"#!/bin/sh\n{sanitized}\ncase \"$*\" in *{when}*) {instead};; esac\nexec {BUILD / 'syncl'} \"$@\"\n")
    os.chmod("broken", 0o755)
    return pathlib.Path("broken").resolve()


def test_a_difference_a_crash_and_what_does_not_end_are_found():
    for when, instead, said in (
        ("--threads=8", "echo '{}'; exit 0", "1 and 8 threads: not the same"),
        ("--no-cache", "kill -SEGV $$", "exit -11"),
        ("--cache-dir", "while :; do :; done", "exit -"),
        ("--no-cache", "echo '{' ; exit 0", "JSON"),
    ):
        ran = programs("--no-fixtures", "--seed=1", "--count=1", "--cpu-seconds=1", program=breaks(when, instead), watched=breaks(when, instead))
        same(ran.returncode, 1, ran.stdout)
        holds(ran.stdout + ran.stderr, said)


def test_what_is_kept_is_small():
    once = 'for last; do :; done; grep -rq nonlocal . && kill -SEGV $$'
    ran = programs("--no-fixtures", "--seed=small", "--count=6", program=breaks("--threads=1", once), watched=breaks("--threads=1", once))
    same(ran.returncode, 1, ran.stdout)
    for case in pathlib.Path("found").iterdir():
        files = list(case.rglob("*.py"))
        same(sum(path.read_text().count("\n") for path in files) <= 2, True, [path.read_text() for path in files])


main(sys.modules[__name__])
