#!/usr/bin/env python3
"""How cost grows with the code: every construct of constructs.py repeated (own names, the same names), as many in one as there
may be, nested, and with --pairs each put into each place of each other; and whole folders of files. 1, 4 and 16 times as
much; what is counted is what the program does (--count=blocks, see count.c; instructions, with valgrind; or seconds), so that
a busy machine changes nothing. A row: kind, whether CPython here compiles it, sizes, what a unit takes at 1x and at 16x (a
copy; of nests, whose indentation grows, a byte), how many times as much, the exponent from 4x to 16x, KiB of memory a unit at 16x. --most: exit 1 where a unit takes more than so
many times as much; --exponent: where it grows faster from 4x to 16x."""
import argparse, ast, concurrent.futures, itertools, math, os, pathlib, re, subprocess, sys, tempfile
from functools import partial

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import constructs as c

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = (ROOT / os.environ.get("BUILD", "build")).resolve()
WORDS = ["--no-cache", "--isolated", "--exit-zero", "--threads=1", "--output-format=concise", "--no-respect-gitignore"]
VALGRIND = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
HOLE = re.compile(r"\{\{|\}\}|\{([estpyij])\}")
PROLOGUE = """import torch
x = torch.zeros(8, device="cuda")
model = torch.nn.Linear(8, 8).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader([], batch_size=8)
class C: pass
o = C()
def h(a, *b, **c): return a
"""
WRAPS = ["", "def f():\n", "async def f():\n", "for _ in x:\n", "async def f():\n for _ in x:\n", "class K:\n"]
DEPTHS = {"s": (96, 64, 32, 20, 16), "e": (480, 320, 192, 96, 48, 16), "p": (192, 96, 48, 16), "t": (192, 96, 16), "y": (192, 96, 16)}
NEST_COPIES = 8  # of each nest; nesting of 500 is followed


def render(template, number, holes={}):
    """The text of one copy; holes: what stands in the n-th hole, else an atom."""
    count = itertools.count()

    def put(match):
        if match[0] in ("{{", "}}"):
            return match[0][0]
        if match[1] in "ij":
            return str(number + (match[1] == "j"))
        text = holes.get(next(count), c.ATOMS[match[1]].replace("{i}", str(number)))
        line = template[template.rfind("\n", 0, match.start()) + 1 : match.start()]
        return text.replace("\n", "\n" + " " * len(line)) if line.isspace() or match[1] == "s" else text

    return HOLE.sub(put, template)


def holes_of(template):
    return [m[1] for m in HOLE.finditer(template) if m[1] and m[1] not in "ij"]


def accepted(text):
    try:
        compile(text, "generated", "exec", dont_inherit=True)
        return True
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return False


def wrapped(text, wrap):
    if not wrap:
        return PROLOGUE + text + "\n"
    deep = " " * wrap.count("\n")
    return PROLOGUE + wrap + "".join(deep + line + "\n" for line in (text or "pass").split("\n"))


def accepted_nest(text):
    """CPython writes out each `finally` twice, so that compiling a nest of them takes for ever: 20 blocks are its bound."""
    if "finally" not in text:
        return wrap_for(text) is not None
    try:
        ast.parse(wrapped(text, ""))
        return text.count("finally") <= 20
    except (SyntaxError, RecursionError, MemoryError):
        return False


def wrap_for(text):
    """The first surroundings in which CPython compiles it; None = none."""
    return next((w for w in WRAPS if accepted(wrapped(text, w))), None)


CARRIERS = {"s": "{s}", "e": "{e}", "p": "match x:\n    case {p}: pass", "t": "{t} = x", "y": "v{i}: {y} = x"}


class Case:
    """One row: text(n) is the program of n units."""

    def __init__(self, name, text, sizes, sample=2):
        self.name, self.sizes = name, sizes
        self.wrap = wrap_for(text(sample))
        self.accepted = self.wrap is not None
        self.text = lambda n: wrapped(text(n) if n else "", self.wrap or "")
        self.nest = False


def carried(category, number, text):
    return render(CARRIERS[category], number, {0: text})


def repeated(name, category, template, sizes, own=True, inner=None):
    """inner: (hole, template) that is put there."""

    def copy(i):
        i = i if own else 0
        return carried(category, i, render(template, i, {inner[0]: render(inner[1], i)} if inner else {}))

    return Case(name, lambda n: "\n".join(copy(i) for i in range(n)), sizes)


def nest(category, template, hole, deep):
    template = template.replace("    ", " ")
    text = c.ATOMS[category].replace("{i}", "0")
    for level in range(deep):
        text = render(template, level, {hole: text})
    return carried(category, 0, text)


def nested(name, category, template, hole):
    takes = lambda deep: all(accepted_nest(nest(category, template, hole, deep // part)) for part in (16, 4, 1))
    deepest = next(filter(takes, DEPTHS[category]), DEPTHS[category][-2])
    text = lambda n: "\n".join([nest(category, template, hole, n)] * NEST_COPIES)
    case = Case(name, text, (deepest // 16, deepest // 4, deepest), sample=1)
    case.accepted = takes(deepest)
    case.nest = True
    return case


def wide(name, sizes, inner=None):
    before, item, between, after = c.WIDE[name]
    full = lambda i: render(item, i, {k: render(inner, i) for k in range(len(holes_of(item)))} if inner else {})
    text = lambda n: render(before, 0) + render(between, 0).join(full(i) for i in range(n)) + render(after, 0)
    return Case(name, text, sizes, sample=64)  # of some CPython takes 20 at most


def files_case(name, make, sizes):
    case = Case.__new__(Case)
    case.name, case.sizes, case.accepted, case.text, case.nest = name, sizes, True, make, False
    return case


TRAIN = """
def train{i}(model, loader, optimizer):
    total = 0.0
    for step, (x, y) in enumerate(loader):
        x, y = x.to("cuda", non_blocking=True), y.to("cuda")
        loss = torch.nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        if step % 100 == 0:
            print(step, loss, total)
    return total / len(loader)
"""


def scripts_of_the_corpus(n):
    found = sorted((ROOT / "corpus/scripts").glob("*.py"))
    return {f"part{i}/{script.name}": script.read_text() for i in range((n + 7) // 8) for script in found}


def one_file_of_functions(n):
    return {"long.py": PROLOGUE + "".join(TRAIN.format(i=i) for i in range(n))}


def scripts_that_share_functions(n):
    calls = "".join(f"print(m.train{i}(model, loader, optimizer))\n" for i in range(20))
    return {"m.py": "import torch\n" + "".join(TRAIN.format(i=i) for i in range(20))} | {
        f"m{i}.py": "import m\n" + PROLOGUE + calls for i in range(n)}


def names_of_one_module(n):
    return {"m.py": "import torch\n" + "".join(f"a{i} = torch.zeros(1)\n" for i in range(n)),
            "n.py": "".join(f"from m import a{i}\n" for i in range(n)) + "import torch\nwhile True: a0.cuda()\n"}


def star_imports(n):
    return {f"m{i}.py": "import torch\n" + "".join(f"from m{j} import *\n" for j in range(24)) + f"a{i} = torch.zeros(1)\n" for i in range(n)}


def star_chain(n):
    return {f"m{i}.py": f"import torch\nfrom m{i + 1} import *\na{i} = torch.zeros(1)\nprint(a{i + 1})\n" for i in range(n)}


def import_chain(n):
    return {f"m{i}.py": f"import torch\nimport m{i + 1}\ndef f(x):\n    return m{i + 1}.f(x)\nf(torch.zeros(1))\n" for i in range(n)}


def importers(n):
    return {"m.py": "import torch\ndef f(x):\n    return x.item()\n"} | {
        f"m{i}.py": "import torch, m\nwhile True:\n    m.f(torch.zeros(1).cuda())\n" for i in range(n)}


def packages(n):
    return {f"p{i}/__init__.py": "from .m import *\n" for i in range(n)} | {
        f"p{i}/m.py": f"import torch\nfrom p{i + 1} import a{i + 1}\na{i} = torch.zeros(1)\n" for i in range(n)}


FOLDERS = [scripts_of_the_corpus, one_file_of_functions, scripts_that_share_functions, names_of_one_module, star_imports, star_chain, import_chain, importers, packages]


def singles():
    sizes = (256, 1024, 4096)
    for category, kinds in c.CATEGORIES.items():
        for kind, template in kinds.items():
            yield partial(repeated, f"{category} {kind}", category, template, sizes)
            if "{i}" in template:
                yield partial(repeated, f"{category} {kind}, the same names", category, template, sizes, own=False)
            for hole, of in enumerate(holes_of(template)):
                if of == category:
                    yield partial(nested, f"{category} {kind}, nested in {hole}", category, template, hole)
    for name in c.WIDE:
        yield partial(wide, f"{name}", sizes)
    for make in FOLDERS:
        yield partial(files_case, make.__name__.replace("_", " "), make, (24, 96, 384))


def nodes():
    """The named nodes of the grammar that no construct shows."""
    with tempfile.TemporaryDirectory() as name:
        paths = []
        for category, kinds in c.CATEGORIES.items():
            for template in kinds.values():
                paths.append(pathlib.Path(name, f"{len(paths)}.py"))
                paths[-1].write_text(carried(category, 0, render(template, 0)) + "\n")
        return subprocess.run([BUILD / "bench_nodes", *paths], check=True, capture_output=True, text=True).stdout.split()


def pairs():
    sizes = (64, 256, 1024)
    for outer, kinds in c.CATEGORIES.items():
        for kind, template in kinds.items():
            for hole, of in enumerate(holes_of(template)):
                for inner, body in c.CATEGORIES[of].items():
                    yield partial(repeated, f"{outer} {kind} [{hole} {inner}]", outer, template, sizes, inner=(hole, body))
    for name, (_, item, _, _) in c.WIDE.items():
        for inner, body in c.EXPRESSIONS.items() if "{e}" in item else ():
            yield partial(wide_pair, f"{name} [{inner}]", name, body, sizes)


def wide_pair(name, kind, body, sizes):
    case = wide(kind, sizes, body)
    case.name = name
    return case


def seconds(path):
    """The least of three, and the least peak."""
    ran = []
    for _ in range(3):
        child = subprocess.Popen([BUILD / "syncl", *WORDS, path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        used = os.wait4(child.pid, 0)[2]
        ran.append((used.ru_utime + used.ru_stime, used.ru_maxrss))
    return tuple(map(min, zip(*ran)))


def count(path, what):
    """What a run does, and the peak of its memory in KiB."""
    if what == "seconds":
        return seconds(path)
    if what == "instructions":
        ran = subprocess.run([*VALGRIND, BUILD / "syncl", *WORDS, path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        return int(re.search(r"I\s+refs:\s+([\d,]+)", ran.stderr)[1].replace(",", "")), 0
    with tempfile.NamedTemporaryFile() as to:
        words = [BUILD / "count/syncl-counted", *WORDS, path]
        ran = subprocess.run(words, env=os.environ | {"COUNT_TO": to.name}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=600)
        if ran.returncode:
            raise RuntimeError(f"exit status {ran.returncode}: {ran.stderr.decode()[-300:]}")
        return tuple(map(int, to.read().split()))


def cost_of(case, size, what):
    with tempfile.TemporaryDirectory() as name:
        made = case.text(size)
        for path, text in ((made or {"none.py": ""}) if isinstance(made, dict) else {"program.py": made}).items():
            target = pathlib.Path(name, path)
            target.parent.mkdir(exist_ok=True)
            target.write_text(text)
        return count(name, what)


def measure(case, what):
    base, *costs = [cost_of(case, size, what) for size in (0, *case.sizes)]
    units = [len(case.text(n)) - len(case.text(0)) for n in case.sizes] if case.nest else case.sizes
    unit = [max(cost - base[0], 1e-6) / size for (cost, _), size in zip(costs, units)]
    kib = (costs[2][1] - costs[1][1]) / (units[2] - units[1])
    exponent = 1 + math.log(unit[2] / unit[1]) / math.log(units[2] / units[1])
    return unit[0], unit[2], unit[2] / unit[0], exponent, kib


HEAD = "kind\tcompiles\tsizes\tunit_1x\tunit_16x\ttimes\texponent\tkib_a_unit\n"


def row(make, what, smaller):
    case = make()
    case.sizes = [max(size // smaller, 1) for size in case.sizes]
    try:
        first, last, times, exponent, kib = measure(case, what)
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        return math.inf, math.inf, f"{case.name}\t{error}\n"
    sizes = "/".join(map(str, case.sizes))
    yes = "yes" if case.accepted else "no"
    return times, exponent, f"{case.name}\t{yes}\t{sizes}\t{first:.6g}\t{last:.6g}\t{times:.3f}\t{exponent:.3f}\t{kib:.2f}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", action="store_true")
    parser.add_argument("--count", choices=("blocks", "instructions", "seconds"), default="blocks")
    parser.add_argument("--only", nargs="*", help="these kinds alone")
    parser.add_argument("--smaller", type=int, default=1, help="sizes divided by this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--most", type=float, default=math.inf)
    parser.add_argument("--exponent", type=float, default=math.inf)
    parser.add_argument("--show", type=float, default=0, help="rows whose units take so many times as much")
    parser.add_argument("--sample", type=int, default=1, help="one row in so many")
    parser.add_argument("--write", help="the table")
    parser.add_argument("--compiles", choices=("yes", "no"), help="what CPython here takes, or what it does not")
    parser.add_argument("--nodes", action="store_true", help="only say which named nodes of the grammar no construct shows")
    wanted = parser.parse_args()
    if wanted.nodes:
        missing = nodes()
        sys.exit(f"no construct shows {' '.join(missing)}" if missing else 0)
    cases = (make for make in (pairs() if wanted.pairs else singles()) if not wanted.only or make.args[0] in wanted.only)
    cases = (make for make in cases if not wanted.compiles or make().accepted == (wanted.compiles == "yes"))
    cases = itertools.islice(cases, 0, None, wanted.sample)
    rows, worst = [], (0, 0)
    print(HEAD, end="")
    with concurrent.futures.ThreadPoolExecutor(wanted.jobs) as pool:
        for times, exponent, text in pool.map(lambda make: row(make, wanted.count, wanted.smaller), cases):
            rows.append(text)
            worst = max(worst[0], times), max(worst[1], exponent)
            if max(times, exponent) >= wanted.show:
                print(text, end="", flush=True)
    print(f"{len(rows)} rows, a unit takes {worst[0]:.3f} times as much at worst, exponent {worst[1]:.3f}")
    if wanted.write:
        pathlib.Path(wanted.write).write_text(HEAD + "".join(rows))
    sys.exit(worst[0] > wanted.most or worst[1] > wanted.exponent)


main()
