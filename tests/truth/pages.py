"""The examples of the rule pages: what they are, what they take from the prelude, and what their lines promise.

A block is known by a digest of its code and of the prelude's statements that it needs, comments left out: a mark or a
remark may change without a new run, a statement may not. Its lines are counted without blank ones and comments.
"""
import ast
import collections
import glob
import hashlib
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SECTIONS = ("Reported", "Quiet", "Instead")
Block = collections.namedtuple("Block", "page kind line section lines not_run")  # lines: as written, without the fence
Row = collections.namedtuple("Row", "page section block line then reads runtime to_host to_device behind_us idle_us "
                                    "torch gpu statement")


def read(path):
    with open(os.path.join(ROOT, path)) as file:
        return file.read()


def pages():
    paths = sorted(glob.glob(os.path.join(ROOT, "rules", "*.md")))
    return [os.path.relpath(p, ROOT) for p in paths if os.path.basename(p) not in ("FORMAT.md", "README.md")]


def blocks(page):
    """Every example of a page, in order. `<!-- not run: why -->` above a block exempts it from the GPU. A page that is
    no wait (Kind: timing, async) has examples that must run; how long their lines take says nothing."""
    section, reason, fence, start, lines = "", "", "", 0, []
    text = read(page)
    kind = (re.findall(r"^Kind: (\w+)$", text.split("\n## ")[0], re.M) or ["wait"])[0]
    for number, line in enumerate(text.split("\n"), 1):
        if not fence and line.startswith("## "):
            section, reason = line[3:].strip(), ""
        elif not fence and line.startswith("<!-- not run:"):
            reason = line[len("<!-- not run:"):].split("-->")[0].strip()
        elif not fence and line.startswith("```"):
            fence, start, lines = line.strip(), number + 1, []
        elif fence and line.startswith("```"):
            if fence == "```python" and section in SECTIONS:
                yield Block(page, kind, start, section, lines, reason)
            fence, reason = "", ""
        elif fence:
            lines.append(line)


def code_of(line):
    """A line without its comment: a # outside of quotes."""
    quote = ""
    for at, char in enumerate(line):
        if quote:
            quote = "" if char == quote and line[at - 1] != "\\" else quote
        elif char in "\"'":
            quote = char
        elif char == "#":
            return line[:at].rstrip()
    return line.rstrip()


def code_lines(lines):
    """(index in lines, code) of every line that holds code; the n-th is line n of the rows."""
    return [(i, code_of(line)) for i, line in enumerate(lines) if code_of(line).strip()]


def names_in(tree):
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def bound_by(statement):
    names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        names |= {(alias.asname or alias.name).split(".")[0] for alias in statement.names}
    return names


def root_of(node):
    while isinstance(node, (ast.Attribute, ast.Call, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return {node.id} if isinstance(node, ast.Name) else set()


def touched_by(statement):
    """Names of things that a statement without a target changes: a logger it sets up, a model whose gradients it makes."""
    if not isinstance(statement, ast.Expr):
        return set()
    called = {node.func.id for node in ast.walk(statement) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    return called | root_of(statement.value)


def needed(tree, prelude):
    """The text of the prelude's statements that the names of a block lead to, with those that touch them."""
    statements, wanted, kept, size = ast.parse(prelude).body, names_in(tree), set(), -1
    imported = {name for s in statements if isinstance(s, (ast.Import, ast.ImportFrom)) for name in bound_by(s)}
    while size != len(kept):  # what touches a name may want names that stand above it
        size = len(kept)
        for at in range(len(statements) - 1, -1, -1):
            if (bound_by(statements[at]) | (touched_by(statements[at]) - imported)) & wanted:
                wanted |= names_in(statements[at])
                kept.add(at)
    lines = prelude.split("\n")
    return "\n".join(code_of(lines[n - 1]) for at in sorted(kept)
                     for n in range(statements[at].lineno, statements[at].end_lineno + 1))


def digest(block, prelude):
    text = "\n".join(code for _, code in code_lines(block.lines))
    return hashlib.sha256((needed(ast.parse(text), prelude) + "\n--\n" + text).encode()).hexdigest()[:12]


# How prove_pages.py shows what a page that is no wait says: by its `Finds:` word, else by its name.
WAYS = {"reading_unfenced": "clock", "start_unfenced": "clock", "no_warmup": "clock", "fence_for_timer": "waits",
        "stale_read": "value", "stream_unordered": "value", "fence_for_stream": "value", "stream_freed": "freed",
        "wait_in_capture": "capture", "wait_in_compiled": "compiled", "pageable-async": "copy", "pin-per-step": "pinned",
        "anomaly-mode": "anomaly", "launch-blocking": "switch", "memory-caching-off": "switch",
        "nccl-blocking-wait": "switch", "profiled_loop": "profiler"}
SHOWN = ("clock", "value", "freed", "copy", "pinned", "switch", "anomaly", "capture", "compiled")  # by prove_pages.py
NOT_TIMED = ("switch", "anomaly", "capture", "compiled", "profiler")  # what these leave behind would slow down others


def rule_of(block):
    return os.path.basename(block.page)[:-3]


def way(block):
    """How the block's claim is shown; '' where it is a wait, or about comments."""
    found = re.search(r"^Finds: (\w+)$", read(block.page).split("\n## ")[0], re.M)
    return WAYS.get(found[1] if found else rule_of(block), "") if block.kind != "wait" else ""


def is_shown(block):
    """Whether prove_pages.py runs it: also what is a process of its own there, and not run in the harness's."""
    return way(block) in SHOWN and (not block.not_run or way(block) in ("capture", "compiled"))


def numbered(block):
    """n -> (index in the block's lines, statement, marked by this page's rule)."""
    out = {}
    for n, (index, code) in enumerate(code_lines(block.lines), 1):
        mark = re.search(r"# sync:([^#]*)", block.lines[index])
        rules = {part.split()[0] for part in mark[1].split(",") if part.split()} if mark else set()
        out[n] = (index, code.strip(), rule_of(block) in rules)
    return out


def hastes():
    """The rules whose findings are wrong without waiting: pages of another kind, but those of synchronisations."""
    heads = {os.path.basename(p)[:-3]: read(p).split("\n## ")[0] for p in pages()}
    return {rule for rule, head in heads.items() if re.search(r"^Kind: (timing|async)$", head, re.M)
            and not re.search(r"^Finds: fence_", head, re.M)}


def promise(section, line, hasty=frozenset()):
    """What a line says of itself: 'waits', 'quiet', or 'once' (advice that may wait, outside of the loop)."""
    if re.search(r"# once\b", line):
        return "once"
    marked = re.search(r"# (sync|missed|backward):(.*)", line)
    rules = [part.split()[0] for part in marked[2].split(",") if part.split()] if marked else []
    return "waits" if any(rule not in hasty for rule in rules) else "quiet"


def statement_lines(block):
    """The line numbers (of the rows) on which a statement starts that can wait: not def, class, import or try."""
    numbers = {index + 1: n for n, (index, _) in enumerate(code_lines(block.lines), 1)}
    silent = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Try, ast.Global,
              ast.Nonlocal, ast.Pass, ast.Break, ast.Continue)
    tree = ast.parse("\n".join(block.lines))
    return sorted({numbers[node.lineno] for node in ast.walk(tree)
                   if isinstance(node, ast.stmt) and not isinstance(node, silent)})


def write_rows(path, rows):
    with open(path, "w") as file:
        print(*Row._fields, sep="\t", file=file)
        for row in rows:
            print(*row, sep="\t", file=file)


def read_rows(path):
    lines = read(path).rstrip("\n").split("\n")
    return [Row(*line.split("\t")) for line in lines[1:]]
