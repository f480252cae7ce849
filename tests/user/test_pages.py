#!/usr/bin/env python3
"""--help, the manual page, the completions and packaging/manual/syncl.md list the same options, and shells and man can read theirs."""
import sys
from bench import *

OPTION = re.compile(r"(?<![\w-])--([a-z]+(?:-[a-z]+)*)")


def help_options():
    return re.findall(r"^  (?:-.,|   ) --([a-z-]+)", syncl("--help", status=0).out, re.M)


def test_every_list_of_options_is_the_same():
    wanted = sorted(help_options())
    same(len(wanted) > 20, True)
    man = re.findall(r"^\.TP\n\\fB(?:\\-.\\fR, \\fB)?\\-\\-([a-z\\-]+?)\\fR", syncl("--man", status=0).out, re.M)
    same(sorted(name.replace("\\-", "-") for name in man), wanted, "man")
    bash = re.search(r'-W "(--[^"]*)"', syncl("--completions=bash", status=0).out)[1]
    same(sorted(word[2:] for word in bash.split()), wanted, "bash")
    zsh = syncl("--completions=zsh", status=0).out
    same(sorted(set(re.findall(r"^    '(?:\(-. )?--([a-z-]+)", zsh, re.M))), wanted, "zsh")
    same(sorted(re.findall(r"^complete -c syncl -l ([a-z-]+)", syncl("--completions=fish", status=0).out, re.M)), wanted, "fish")
    part = (ROOT / "packaging/manual/syncl.md").read_text().split("<!-- options:")[1].split("<!-- end of options")[0]
    same(sorted(re.findall(r"^- (?:`-.`, )?`--([a-z-]+)", part, re.M)), wanted, "packaging/manual/syncl.md")


def test_the_manual_page_is_the_manual():
    """Every heading and line of code, and nothing of the markup."""
    manual, page = (ROOT / "packaging/manual/syncl.md").read_text(), syncl("--man", status=0).out
    same(re.findall(r"^\.SH (.*)", page, re.M)[2:], [title.upper() for title in re.findall(r"^## (.*)", manual, re.M)])
    shown = page.replace("\\-", "-").replace("\\:", "").replace("\\e", "\\")
    for block in manual.split("```")[1::2]:
        for line in block.split("\n")[1:-1]:
            holds(shown, "\n\\&" + line + "\n")
    prose = re.sub(r"^\.nf\n.*?^\.fi\n", "", shown, flags=re.M | re.S)
    prose = re.sub(r"^\.SS What fails\n.*?^\.SH EXIT", "", prose, flags=re.M | re.S)  # the table of options, as --help has it
    for mark in ("`", "<!--", "\n#", "\n- "):
        lacks(prose, mark)


def test_words_of_choices_are_the_same():
    for name, words in re.findall(r"--([a-z-]+)=[A-Z]+\s+([a-z-]+(?:\|[a-z-]+)+):", syncl("--help").out):
        line = words.replace("|", " ")
        holds(syncl("--completions=bash").out, f'--{name})\n        COMPREPLY=($(compgen -W "{line}"')
        holds(syncl("--completions=zsh").out, f"({line})")
        holds(syncl("--completions=fish").out, f"-a '{line}'")
        holds(syncl("--man").out.replace("\\-", "-").replace("\\:", ""), f"{words}: ")


def shell(name, *args, **more):
    """None: this machine has no such shell."""
    if not shutil.which(name):
        print(f"note: no {name} here, its completions are only compared")
        return None
    path = f"{BUILD}:{os.environ['PATH']}"
    done = subprocess.run([name, *args], capture_output=True, text=True, timeout=60, env=os.environ | {"PATH": path}, **more)
    same((done.returncode, done.stderr), (0, ""))
    return done.stdout.split("\n")


BASH = 'compopt() { :; }; . ./syncl.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _syncl; printf "%s\\n" "${COMPREPLY[@]}"'


def test_bash_completes():
    write("syncl.bash", syncl("--completions=bash").raw)
    write("some file.py", "")

    def completed(*words):
        return [line for line in shell("bash", "--norc", "-c", BASH, "bash", *words) if line]

    same(completed("syncl", "--fail-on", "=", "w"), ["warning"])
    same(completed("syncl", "--fail-on", "="), ["note", "warning", "error"])
    same(completed("syncl", "--output-format", "rd"), ["rdjson"])
    same(completed("syncl", "--min-"), ["--min-confidence"] if "min-cost" not in help_options() else ["--min-confidence", "--min-cost", "--min-gain"])
    same(completed("syncl", "so"), ["some file.py"])
    same(completed("syncl", "-o", "so"), ["some file.py"])
    same(completed("syncl", "--explain", "host-"), ["host-read"])


def test_fish_completes():
    write("syncl.fish", syncl("--completions=fish").raw)
    got = shell("fish", "--no-config", "-c", 'source syncl.fish; complete -C "syncl --fail-on="')
    if got is not None:
        same([line.split("\t")[0] for line in got if line], ["--fail-on=error", "--fail-on=note", "--fail-on=warning"])
        got = shell("fish", "--no-config", "-c", 'source syncl.fish; complete -C "syncl --explain host-r"')
        same([line.split("\t")[0] for line in got if line], ["host-read"])


def test_zsh_completes():
    write("functions/_syncl", syncl("--completions=zsh").raw)
    if shell("zsh", "-n", "functions/_syncl") is None:
        return
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe("zsh", ["zsh", "-f"], os.environ | {"TERM": "dumb", "PS1": "$ "})
    os.write(terminal, b"fpath=($PWD/functions $fpath); autoload -U compinit; compinit -u -D; echo re''ady\n")
    read_until(terminal, b"ready\r\n", b"$ ")  # what is typed before the prompt is no key of the line editor yet
    os.write(terminal, b"syncl --output-format=rd\t")
    read_until(terminal, b"rdjson")
    os.write(terminal, b" --exit-z\t")
    read_until(terminal, b"zero")
    os.write(terminal, b"\x15exit\n")
    os.close(terminal)
    os.waitpid(pid, 0)


def read_until(terminal, *wanted):
    """Reads until all of them have come, one behind the other."""
    said = b""
    while not re.search(b".*".join(map(re.escape, wanted)), said, re.DOTALL):
        if not select.select([terminal], [], [], 20)[0]:
            raise AssertionError(f"no {wanted!r} in {said!r}")
        said += os.read(terminal, 4096)


def test_man_reads_the_page():
    write("syncl.1", syncl("--man").raw)
    for name, *args in (["mandoc", "-Tlint", "-Wwarning", "syncl.1"], ["groff", "-man", "-Tutf8", "-ww", "-z", "syncl.1"]):
        if shutil.which(name):
            done = subprocess.run([name, *args], capture_output=True, text=True, timeout=60)
            said = [line for line in (done.stdout + done.stderr).splitlines() if "missing date" not in line]
            same(said, [], name)


def test_a_build_begins_without_its_folder():
    """As in a fresh clone, where nothing is built yet."""
    fresh = pathlib.Path.cwd() / "build"
    plain = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
    done = subprocess.run(["make", "-s", f"BUILD={fresh}", f"{fresh}/texts.c"], cwd=ROOT, env=plain, capture_output=True, text=True)
    same((done.returncode, done.stderr), (0, ""))
    holds((fresh / "texts.c").read_text(), "const char json_schema[]")


main(sys.modules[__name__])
