#!/usr/bin/env python3
"""Metamorphic test: changes of a program that mean nothing change nothing that is reported of it: no finding, level,
frequency, price or count of operations, and with --reasons no reason. Each way below rewrites every Python file of a unit (a file or project of
corpus/, tests/cases, tests/truth) and says where each character went; the JSON of both is compared, places mapped.

metamorphic.py [--all] [--only WAY] [--unit PART] [--part=K/N] [--keep FOLDER]; without --all a share that fits into `make test`.
Prints its result as a test program does. A pair is a unit and a way that rewrote something in it."""
import argparse, ast, bisect, builtins, collections, concurrent.futures, glob, io, json, os, random, re, resource, shutil, subprocess, sys, tempfile, tokenize, zlib

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
SYNCL = os.path.abspath(os.path.join(os.environ.get("BUILD", os.path.join(ROOT, "build")), "syncl"))
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
BODIES = ("body", "orelse", "finalbody")
SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return, ast.Assert, ast.Delete, ast.Pass, ast.Raise, ast.Break, ast.Continue)
SHARE = 24  # of so many units one is tried in `make test`, of those two ways in three
# Tried in `make test` too: they showed what the others did not.
ALWAYS = ("asked_of_another.py", "ddpm.py", "projects/unet", "projects/azero", "projects/ddpseg", "interval_helpers.py", "hook_of_subclasses.py",
          "lightning_classifier.py", "serve_one_by_one.py", "pair_losses", "called_by_constructors.py")
KNOWN = os.path.join(HERE, "metamorphic.tsv")  # pairs that differ, and why


# ---- sources ----

class Source:
    """A file: its text with LF line ends, tree, tokens; places are offsets in code points."""
    def __init__(self, text):
        self.text = text
        self.tree = ast.parse(text)
        self.lines = text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
        self.strings = self.find_strings()

    def find_strings(self):
        """[(start, end)] of string tokens; an f-string is one, however the tokenizer takes it apart."""
        spans, opened = [], []
        for token in self.tokens:
            name = tokenize.tok_name[token.type]
            if name == "FSTRING_START":
                opened.append(self.at(*token.start))
            elif name == "FSTRING_END":
                start = opened.pop()
                if not opened:
                    spans.append((start, self.at(*token.end)))
            elif name == "STRING" and not opened:
                spans.append((self.at(*token.start), self.at(*token.end)))
        return spans

    def at(self, line, column):
        return self.starts[line - 1] + column

    def start(self, node):
        """Of an AST node, whose columns are in bytes of UTF-8."""
        return self.at(node.lineno, self.points(node.lineno, node.col_offset))

    def end(self, node):
        return self.at(node.end_lineno, self.points(node.end_lineno, node.end_col_offset))

    def points(self, line, column):
        text = self.lines[line - 1]
        return column if text.isascii() else len(text.encode()[:column].decode())

    def next_line(self, node):
        """Where the line behind a statement begins."""
        return self.starts[node.end_lineno]

    def bodies(self):
        """Each list of statements, with the node that holds it."""
        for node in ast.walk(self.tree):
            for field in BODIES:
                body = getattr(node, field, None)
                if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                    yield node, body

    def alone(self, body):
        """Whether each statement of it begins a line, so that lines can be put between."""
        return all(not self.lines[s.lineno - 1][:self.points(s.lineno, s.col_offset)].strip() for s in body) and all(
            a.end_lineno < first_line(b) for a, b in zip(body, body[1:]))

    def indent(self, body):
        first = body[0]
        line = first_line(first)
        return re.match(r"[ \t]*", self.lines[line - 1])[0]

    def in_string(self, at):
        return any(start < at < end for start, end in self.strings)

    def ends_plainly(self, statement):
        """Nothing but a comment stands behind it on its line."""
        line = self.lines[statement.end_lineno - 1]
        rest = line[self.points(statement.end_lineno, statement.end_col_offset):].strip()
        return not rest or rest.startswith("#")


def first_line(statement):
    decorators = getattr(statement, "decorator_list", [])
    return min([statement.lineno] + [d.lineno for d in decorators])


def is_docstring(statement):
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) and isinstance(statement.value.value, str)


def is_future(statement):
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


class Made:
    """A rewritten file: where each character of the old one went."""
    def __init__(self, source, pieces):
        """pieces: old (start, end) copied, (start, end, text) put in its place, or text."""
        self.first, self.last = {}, {}
        out, length = [], 0
        for piece in pieces:
            if isinstance(piece, str):
                text, old = piece, None
            else:
                text = source.text[piece[0]:piece[1]] if len(piece) == 2 else piece[2]
                for i in range(piece[0], piece[1]):
                    self.first[i] = self.last[i] = length + i - piece[0]
                    if len(piece) == 3:
                        self.first[i], self.last[i] = length, length + max(len(text) - 1, 0)
            out.append(text)
            length += len(text)
        self.text = "".join(out)
        self.source = source
        lines = self.text.split("\n")
        self.starts = [0]
        for line in lines:
            self.starts.append(self.starts[-1] + len(line) + 1)

    def where(self, offset):
        line = bisect.bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def place(self, line, column, ends=False):
        """Where the character at a place went; of an end, the character before it."""
        old = self.source.at(line, column - 1)
        if ends:
            new = self.last.get(old - 1)
            return self.where(new + 1) if new is not None else None
        if old in self.first:
            return self.where(self.first[old])
        return self.where(len(self.text)) if old >= len(self.source.text) else None

    def line(self, line):
        text = self.source.lines[line - 1]
        blanks = len(text) - len(text.lstrip())
        found = self.place(line, 1 + (blanks if blanks < len(text) else 0))
        return found and found[0]

    def said(self, line):
        """Where something of a line is: `12`, or `<12-14>` where the line was broken."""
        found = self.line(line)
        last = self.place(line, max(len(self.source.lines[line - 1]), 1))
        return f"<{found}-{last[0]}>" if found and last and last[0] > found else str(found)


def edited(source, edits):
    """edits: (start, end, text), none over another; inserted texts of one place stay in the order given."""
    pieces, at = [], 0
    for start, end, text in sorted(edits, key=lambda e: (e[0], e[1])):
        assert start >= at, (at, start, end, text)
        if start > at:
            pieces.append((at, start))
        pieces.append((start, end, text) if end > start else text)
        at = end
    pieces.append((at, len(source.text)))
    return Made(source, pieces)


# ---- ways ----

WAYS = {}


def way(*arguments, same_tree=False, same_text=True):
    """Registers a way for each of its arguments. same_tree: Python's AST stays the same; same_text: and every expression's text."""
    def register(function):
        for argument in arguments or (None,):
            name = function.__name__ + ("" if argument is None else f"_{argument}")
            call = function if argument is None else (lambda source, chance, a=argument: function(source, chance, a))
            WAYS[name] = (call, same_tree, same_text)
        return function
    return register


def first_place(source, body):
    """The statement of a body behind which something may stand: the last docstring or __future__ import; None = before all."""
    last = None
    for i, statement in enumerate(body):
        if (i == 0 and is_docstring(statement)) or is_future(statement):
            last = statement
        else:
            break
    return last


def insert_first(source, node, body, lines):
    """An edit that puts lines in front of a body's statements, behind its docstring; None = there is no room."""
    if not source.alone(body):
        return None
    after = first_place(source, body)
    indent = source.indent(body)
    text = "".join(indent + line + "\n" for line in lines)
    if after is not None:
        return (source.next_line(after),) * 2 + (text,) if source.ends_plainly(after) else None
    line = first_line(body[0])
    if isinstance(node, ast.Module):
        head = 0  # comments about the coding, and a shebang, stay where they are
        while head < line - 1 and (source.lines[head].startswith("#") or not source.lines[head].strip()):
            head += 1
        at = source.starts[line - 1] if "syncl:" not in "".join(source.lines[:line]) else None
        return at is not None and (at, at, text) or None
    head = header_end(source, node, body)
    if head is None or head >= line:
        return None
    at = source.starts[head]
    return at, at, text


def header_end(source, node, body):
    """The line on which the header of a function ends, where its body begins further down."""
    start = source.start(body[0])
    colon = None
    for token in source.tokens:
        at = source.at(*token.start)
        if at >= start:
            break
        if token.type == tokenize.NEWLINE:
            colon = token.start[0]
    return colon


def every_function(source):
    return ((node, node.body) for node in ast.walk(source.tree) if isinstance(node, FUNCTIONS))


@way(1, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128, 140)
def dead_locals(source, chance, count):
    """So many variables that nobody reads, first in every function."""
    edits = [insert_first(source, node, body, [f"zq{i} = {i}" for i in range(count)]) for node, body in every_function(source)]
    return edited(source, [e for e in edits if e])


@way(1, 16, 140)
def dead_globals(source, chance, count):
    edits = [insert_first(source, source.tree, source.tree.body, [f"zq{i} = {i}" for i in range(count)])] if source.tree.body else []
    return edited(source, [e for e in edits if e])


def between(source, chance, text, share):
    """Lines between statements of functions and the module, and of blocks in them: not of classes, whose lines are fields."""
    edits, number = [], 0
    for node, body in source.bodies():
        if isinstance(node, ast.ClassDef) or not source.alone(body):
            continue
        for before, statement in zip(body, body[1:]):
            if is_future(statement) or not source.ends_plainly(before) or chance.random() >= share:
                continue
            number += 1
            at = source.next_line(before)
            edits.append((at, at, source.indent(body) + text(number) + "\n"))
    return edited(source, edits)


@way()
def dead_locals_between(source, chance):
    return between(source, chance, lambda i: f"zq{i} = {i}", 0.5)


@way()
def pass_between(source, chance):
    return between(source, chance, lambda i: "pass", 0.5)


@way(same_tree=True)
def comments_between(source, chance):
    return between(source, chance, lambda i: "# Nothing of note.", 0.5)


@way(same_tree=True)
def blank_lines(source, chance):
    return between(source, chance, lambda i: "", 0.5)


@way(same_tree=True)
def comments_behind(source, chance):
    """A comment at the end of lines that have none."""
    edits, commented = [], {t.start[0] for t in source.tokens if t.type == tokenize.COMMENT}
    for token in source.tokens:
        if token.type == tokenize.NEWLINE and token.start[0] not in commented and chance.random() < 0.5:
            at = source.at(*token.start)
            edits.append((at, at, "  # as it is"))
    return edited(source, edits)


@way()
def docstrings(source, chance):
    edits = []
    for node, body in list(every_function(source)) + [(source.tree, source.tree.body)]:
        if body and not is_docstring(body[0]):
            edits.append(insert_first(source, node, body, ['"""What it does."""']))
    return edited(source, [e for e in edits if e])


def indent_lines(source, first, last):
    """Edits that indent these lines by four more, but those that begin inside a string or behind a backslash."""
    edits = []
    for line in range(first, last + 1):
        at = source.starts[line - 1]
        if source.lines[line - 1].strip() and not source.in_string(at):
            edits.append((at, at, "    "))
    return edits


def nest(source, chance, header, wanted, share):
    """Statements one level deeper, below a header that changes nothing."""
    edits, taken = [], []
    for node, body in source.bodies():
        if isinstance(node, ast.ClassDef) or not source.alone(body) or is_under_syncl(source, body):
            continue
        for statement in body:
            first, last = first_line(statement), statement.end_lineno
            if not wanted(node, statement) or not source.ends_plainly(statement) or chance.random() >= share:
                continue
            if any(first <= b and a <= last for a, b in taken):
                continue
            taken.append((first, last))
            indent = source.indent(body)
            at = source.starts[first - 1]
            for i, line in enumerate(indent_lines(source, first, last)):
                edits.append((line[0], line[1], (indent + header + "\n" if i == 0 else "") + line[2]))
    return edited(source, edits)


def is_under_syncl(source, body):
    return any("syncl:" in line for line in source.lines[max(first_line(body[0]) - 2, 0):body[-1].end_lineno])


@way(same_text=True)
def if_true(source, chance):
    return nest(source, chance, "if True:", lambda node, s: isinstance(s, SIMPLE) and not is_docstring(s), 0.3)


@way(same_text=True)
def if_true_around_blocks(source, chance):
    kinds = (ast.For, ast.While, ast.If, ast.With, ast.Try)
    return nest(source, chance, "if True:", lambda node, s: isinstance(s, kinds) and not (
        isinstance(node, ast.If) and s in node.orelse), 0.3)


@way(same_text=True)
def if_true_around_bodies(source, chance):
    """The whole of a function's body, but for its docstring."""
    edits, taken = [], []
    for node, body in every_function(source):
        rest = body[1:] if is_docstring(body[0]) else body
        if not rest or not source.alone(body) or is_under_syncl(source, body) or not source.ends_plainly(rest[-1]):
            continue
        first, last = first_line(rest[0]), rest[-1].end_lineno
        if any(first <= b and a <= last for a, b in taken) or header_end(source, node, body) >= first:
            continue
        taken.append((first, last))
        for i, line in enumerate(indent_lines(source, first, last)):
            edits.append((line[0], line[1], (source.indent(body) + "if True:\n" if i == 0 else "") + line[2]))
    return edited(source, edits)


@way(same_text=True)
def made_by_a_function(source, chance):
    """def f(): ... of a function that the file calls is what another function makes and gives back."""
    edits = []
    for statement in source.tree.body:
        if not isinstance(statement, ast.FunctionDef) or not source.ends_plainly(statement) or is_under_syncl(source, [statement]):
            continue
        calls = sum(isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == statement.name for n in ast.walk(source.tree))
        if chance.random() >= 0.5 or not calls or any(isinstance(n, (ast.Global, ast.Nonlocal)) for n in ast.walk(statement)):
            continue
        first, last = first_line(statement), statement.end_lineno
        name = statement.name
        for i, line in enumerate(indent_lines(source, first, last)):
            edits.append((line[0], line[1], (f"def zq_{name}():\n" if i == 0 else "") + line[2]))
        at = source.next_line(statement)
        edits.append((at, at, f"    return {name}\n\n\n{name} = zq_{name}()\n"))
    return edited(source, edits)


@way(same_tree=True)
def joined_by_semicolons(source, chance):
    edits = []
    for node, body in source.bodies():
        if not source.alone(body) or is_under_syncl(source, body):
            continue
        for a, b in zip(body, body[1:]):
            gap = source.text[source.end(a):source.start(b)]
            if isinstance(a, SIMPLE) and isinstance(b, SIMPLE) and not gap.strip() and chance.random() < 0.5 and not (
                    is_docstring(a) and a is body[0]):
                edits.append((source.end(a), source.start(b), "; "))
    return edited(source, edits)


@way(same_tree=True)
def broken_by_backslashes(source, chance):
    """A blank between two words of a statement becomes a backslash and a new line."""
    edits, depth, previous = [], 0, None
    for token in source.tokens:
        name = tokenize.tok_name[token.type]
        start = source.at(*token.start)
        if previous is not None and depth == 0 and not source.in_string(start) and previous.end[0] == token.start[0]:
            at = source.at(*previous.end)
            words = previous.type in (tokenize.NAME, tokenize.OP, tokenize.NUMBER) and token.type in (
                tokenize.NAME, tokenize.OP, tokenize.NUMBER, tokenize.STRING)
            if words and start - at == 1 and source.text[at] == " " and chance.random() < 0.2:
                edits.append((at, start, " \\\n        "))
        if name == "OP":
            depth += (token.string in "([{") - (token.string in ")]}")
        previous = token
    return edited(source, edits)


@way(same_tree=True)
def tabs(source, chance):
    """Indentation by tabs: each line's blanks in front, where all of them are fours."""
    edits, heads = [], set()
    for token in source.tokens:
        if token.type in (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT, tokenize.ENDMARKER):
            continue
        line = token.start[0]
        blanks = re.match(r" *", source.lines[line - 1])[0]
        if line in heads or source.lines[line - 1][:token.start[1]].strip():
            heads.add(line)
            continue
        heads.add(line)
        if blanks and not source.in_string(source.starts[line - 1]):
            if token.start[1] != len(blanks):
                return None
            edits.append((source.starts[line - 1], source.starts[line - 1] + len(blanks), "\t" * (len(blanks) // 4) + " " * (len(blanks) % 4)))
    indents = {t.end[1] % 4 for t in source.tokens if t.type == tokenize.INDENT}
    return edited(source, edits) if indents == {0} else None


@way("CRLF", "CR", same_tree=True)
def ends(source, chance, which):
    made = edited(source, [])
    made.ends = {"CRLF": "\r\n", "CR": "\r"}[which]
    return made if "\r" not in source.text else None


@way(same_tree=True, same_text=False)
def parentheses(source, chance):
    """Around what is assigned, returned, asked and given."""
    edits = []
    wanted, strings = [], source.strings
    for node in ast.walk(source.tree):
        if isinstance(node, (ast.Assign, ast.Return, ast.AugAssign)) and node.value is not None:
            wanted.append(node.value)
        elif isinstance(node, (ast.If, ast.While)):
            wanted.append(node.test)
        elif isinstance(node, ast.Call):
            wanted += [a for a in node.args if not (isinstance(a, ast.GeneratorExp) and len(node.args) + len(node.keywords) == 1)]
    for node in wanted:
        if isinstance(node, (ast.Starred, ast.Yield, ast.YieldFrom, ast.Constant, ast.JoinedStr)) or chance.random() >= 0.3:
            continue
        start, end = source.start(node), source.end(node)
        if isinstance(node, ast.Tuple) and source.text[start] != "(":
            continue
        if any(a < end and start < b and not (start <= a and b <= end) for a, b in strings):
            continue
        edits += [(start, start, "(", -end), (end, end, ")", start)]
    # At one place, what closes comes first; of what opens, the longest; of what closes, the shortest.
    edits.sort(key=lambda e: (e[0], 0 if e[2] == ")" else 1, -e[3] if e[2] == ")" else e[3]))
    pieces, at = [], 0
    for start, end, text, _ in edits:
        if start > at:
            pieces.append((at, start))
        pieces.append(text)
        at = max(at, start)
    pieces.append((at, len(source.text)))
    return Made(source, pieces)


def bound_names(source):
    """Names that the file binds somewhere, and Python's own. What reads another cannot be imported as it is."""
    bound = set(dir(builtins))
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
        elif isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).split(".")[0])
        elif type(node).__name__ in ("TypeVar", "ParamSpec", "TypeVarTuple"):
            bound.add(node.name)
    return bound


@way(same_text=False)
def annotations_in_quotes(source, chance):
    """Not of a name that nothing binds: the file cannot be imported until that stands in quotes."""
    edits, bound = [], bound_names(source)
    if any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in ast.walk(source.tree)):
        bound |= {node.id for node in ast.walk(source.tree) if isinstance(node, ast.Name)}
    for node in ast.walk(source.tree):
        notes = []
        if isinstance(node, FUNCTIONS):
            arguments = node.args
            every = arguments.posonlyargs + arguments.args + arguments.kwonlyargs + [a for a in (arguments.vararg, arguments.kwarg) if a]
            notes = [a.annotation for a in every] + [node.returns]
        for note in notes:
            if note is None or isinstance(note, ast.Constant) or not {n.id for n in ast.walk(note) if isinstance(n, ast.Name)} <= bound:
                continue
            start, end = source.start(note), source.end(note)
            text = source.text[start:end]
            if not re.search(r"[\"'\n\\]", text):
                edits.append((start, end, f'"{text}"'))
    return edited(source, edits)


def imports_of(source):
    """Import statements of the module's own level that stand alone on their lines."""
    for statement in source.tree.body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)) and not is_future(statement) and source.alone([statement]) and source.ends_plainly(statement):
            yield statement


def as_name(alias):
    return alias.name + (f" as {alias.asname}" if alias.asname else "")


@way(same_text=True)
def imports_apart(source, chance):
    """One name a statement, in parentheses."""
    edits = []
    for statement in imports_of(source):
        if any(alias.name == "*" for alias in statement.names):
            continue
        if isinstance(statement, ast.Import):
            lines = [f"import {as_name(alias)}" for alias in statement.names]
        else:
            module = "." * statement.level + (statement.module or "")
            lines = [f"from {module} import ({as_name(alias)})" for alias in statement.names]
        edits.append((source.start(statement), source.end(statement), "\n".join(lines)))
    return edited(source, edits)


@way(same_text=True)
def imports_by_module(source, chance):
    """from a.b import c as d: d = a.b.c, with a.b imported under a name of its own."""
    edits = []
    for number, statement in enumerate(imports_of(source)):
        if not isinstance(statement, ast.ImportFrom) or statement.level or statement.module.split(".")[0] != "torch":
            continue
        lines = [f"import {statement.module} as zq_{number}"]
        lines += [f"{alias.asname or alias.name} = zq_{number}.{alias.name}" for alias in statement.names]
        if any(alias.name == "*" for alias in statement.names):
            continue
        edits.append((source.start(statement), source.end(statement), "\n".join(lines)))
    return edited(source, edits)


@way(same_text=True)
def imports_from_above(source, chance):
    """import a.b as c: from a import b as c; import a as a."""
    edits = []
    for statement in imports_of(source):
        if not isinstance(statement, ast.Import):
            continue
        lines = []
        for alias in statement.names:
            above, dot, last = alias.name.rpartition(".")
            if dot and alias.asname:
                lines.append(f"from {above} import {last} as {alias.asname}")
            elif not dot and not alias.asname:
                lines.append(f"import {alias.name} as {alias.name}")
            else:
                lines.append(f"import {as_name(alias)}")
        edits.append((source.start(statement), source.end(statement), "\n".join(lines)))
    return edited(source, edits)


@way(same_text=True)
def imports_if_true(source, chance):
    edits = []
    for statement in imports_of(source):
        if isinstance(statement, ast.ImportFrom) and any(alias.name == "*" for alias in statement.names):
            continue
        if "\n" in source.text[source.start(statement):source.end(statement)]:
            continue
        edits.append((source.start(statement), source.start(statement), "if True:\n    "))
    return edited(source, edits)


def reordered(source, groups):
    """groups: lists of statements that change places among themselves."""
    pieces, at = [], 0
    for old, new in sorted(groups, key=lambda g: source.starts[first_line(g[0][0]) - 1]):
        spans = {id(s): (source.starts[first_line(s) - 1], source.next_line(s)) for s in old}
        for place, statement in zip(old, new):
            start, end = spans[id(place)]
            pieces.append((at, start))
            pieces.append(spans[id(statement)])
            at = end
    pieces.append((at, len(source.text)))
    return Made(source, [p for p in pieces if p[1] > p[0]])


def names_read_at_once(statement):
    """What making a function reads: decorators, defaults, annotations."""
    arguments = statement.args
    every = arguments.posonlyargs + arguments.args + arguments.kwonlyargs + [a for a in (arguments.vararg, arguments.kwarg) if a]
    nodes = statement.decorator_list + arguments.defaults + [d for d in arguments.kw_defaults if d] + [
        a.annotation for a in every if a.annotation] + ([statement.returns] if statement.returns else [])
    return {n.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name)}


def order_of_functions(source, chance, holders, how):
    groups = []
    for body in holders:
        if not source.alone(body):
            continue
        run = []
        for statement in body + [None]:
            if isinstance(statement, FUNCTIONS) and source.ends_plainly(statement) and source.text[source.next_line(statement) - 1:source.next_line(statement)] == "\n":
                if not any("syncl:" in line for line in source.lines[max(first_line(statement) - 2, 0):statement.end_lineno]):
                    run.append(statement)
                    continue
            names = [s.name for s in run]
            if len(run) > 1 and len(set(names)) == len(names) and not any(names_read_at_once(s) & set(names) for s in run):
                new = run[::-1] if how == "reversed" else chance.sample(run, len(run))
                groups.append((run, new))
            run = []
    return reordered(source, groups)


@way("reversed", "shuffled", same_text=True)
def functions(source, chance, how):
    return order_of_functions(source, chance, [source.tree.body], how)


@way("reversed", "shuffled", same_text=True)
def methods(source, chance, how):
    return order_of_functions(source, chance, [n.body for n in ast.walk(source.tree) if isinstance(n, ast.ClassDef)], how)


def words_that_mean():
    """Whatever stands in a text of the analyser, in a rule page or a stub: a name that holds none of these says nothing."""
    words = set()
    for path in glob.glob(os.path.join(ROOT, "analyzer", "*", "*.c")) + glob.glob(os.path.join(ROOT, "analyzer", "*", "*.h")):
        with open(path, encoding="utf-8") as file:
            words |= {w.lower() for text in re.findall(r'"((?:[^"\\\n]|\\.)*)"', file.read()) for w in re.findall(r"[A-Za-z]{2,}", text)}
    for path in glob.glob(os.path.join(ROOT, "rules", "**", "*.*"), recursive=True):
        with open(path, encoding="utf-8") as file:
            words |= {w.lower() for w in re.findall(r"[A-Za-z]{2,}", file.read())}
    return words


def is_plain(name, words):
    parts = re.findall(r"[a-z]+|[A-Z]+[a-z]*", name)
    return bool(parts) and all(part.lower() not in words for part in parts) and len(name) > 3


class Variables(ast.NodeVisitor):
    """Names of variables that a file binds in functions and nowhere else."""
    def __init__(self, tree):
        self.bound, self.other = set(), set()
        self.depth = 0
        self.visit(tree)

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Store):
            (self.bound if self.depth else self.other).add(node.id)

    def function(self, node):
        (self.other).add(node.name)
        arguments = node.args
        for a in arguments.posonlyargs + arguments.args + arguments.kwonlyargs + [a for a in (arguments.vararg, arguments.kwarg) if a]:
            self.other.add(a.arg)
        self.depth += 1
        self.generic_visit(node)
        self.depth -= 1

    visit_FunctionDef = visit_AsyncFunctionDef = function

    def visit_Lambda(self, node):
        self.other |= {a.arg for a in node.args.args}
        self.generic_visit(node)

    def visit_ClassDef(self, node):
        self.other.add(node.name)
        depth, self.depth = self.depth, 0
        self.generic_visit(node)
        self.depth = depth

    def visit_Global(self, node):
        self.other |= set(node.names)

    visit_Nonlocal = visit_Global

    def visit_alias(self, node):
        self.other.add((node.asname or node.name).split(".")[0])

    def visit_ExceptHandler(self, node):
        self.other |= {node.name} if node.name else set()
        self.generic_visit(node)


def renamed(source, new_name):
    """Local variables under other names, where no text mentions them."""
    texts = " ".join(source.text[a:b] for a, b in source.strings) + " ".join(t.string for t in source.tokens if t.type == tokenize.COMMENT)
    mentioned = set(re.findall(r"\w+", texts))
    variables = Variables(source.tree)
    every = {n.id for n in ast.walk(source.tree) if isinstance(n, ast.Name)} | variables.other
    chosen = {}
    for name in sorted(variables.bound - variables.other - mentioned):
        new = new_name(name)
        if new and new not in every and new not in chosen.values():
            chosen[name] = new
    if not chosen or "locals()" in source.text or "vars()" in source.text:
        return None
    places = {source.start(n): n.id for n in ast.walk(source.tree) if isinstance(n, ast.Name) and n.id in chosen}
    return edited(source, [(at, at + len(name), chosen[name]) for at, name in places.items() if source.text.startswith(name, at)])


@way(same_text=False)
def loaders_renamed(source, chance):
    """train_loader and test_loader are both loaders."""
    swaps = {"train": "valid", "val": "test", "test": "train", "valid": "train", "eval": "test"}
    def new(name):
        head, _, last = name.rpartition("_")
        return f"{swaps[head]}_{last}" if last in ("loader", "dataloader", "iter") and head in swaps else None
    return renamed(source, new)


PLAIN = []


@way(same_text=False)
def plain_names(source, chance):
    """A variable whose name says nothing, under another that says nothing."""
    if not PLAIN:
        PLAIN.append(words_that_mean())
    count = iter(range(10**6))
    return renamed(source, lambda name: f"{name}_zqx" if is_plain(name, PLAIN[0]) else None)


# ---- what is compared ----

def report(folder, paths):
    ran = subprocess.run([SYNCL, "--threads=1", "--no-cache", "--isolated", "--exit-zero", "--min-confidence=possible",
                          "--output-format=json", *paths], cwd=folder, capture_output=True, timeout=300)
    if ran.returncode:
        raise RuntimeError(f"exit {ran.returncode}: {ran.stderr.decode(errors='replace')[:500]}")
    return json.loads(ran.stdout)


class Mapped:
    """A report with places of the old program as they are in the new one; texts without what they quote, where it changed."""
    def __init__(self, made, same_text, reasons):
        self.made, self.same_text, self.reasons = made, same_text, reasons

    def text(self, text):
        if not isinstance(text, str):
            return text
        return text if self.same_text else re.sub(r"`[^`]*`|\bin \w+\(\)", "`...`", text)

    def place(self, file, line, column, ends=False):
        if file not in self.made or line is None:
            return (line, column)
        return self.made[file].place(line, column, ends) or ("gone", line, column)

    def line(self, file, line):
        return self.made[file].line(line) if file in self.made and line else line

    def said(self, file, line):
        return self.made[file].said(line) if file in self.made and line else str(line)

    def lines_in(self, file, text):
        """A text that names lines of the file, `line 12`, and of others, `a/b.py:12`."""
        text = re.sub(r"\bline (\d+)", lambda m: f"line {self.said(file, int(m[1]))}", text)
        return re.sub(r"([\w./-]+\.py):(\d+)", lambda m: f"{m[1]}:{self.said(m[1], int(m[2]))}", text)

    def loop_id(self, loop):
        if not loop:
            return loop
        file, line, column = loop.rsplit(":", 2)
        return (file,) + tuple(self.place(file, int(line), int(column)))

    def finding(self, f):
        file = f["file"]
        key = (file,) + tuple(self.place(file, f["line"], f["column"])) + tuple(self.place(file, f["end_line"], f["end_column"], True)) + (f["rule"],)
        said = {k: f[k] for k in ("level", "kind", "need", "confidence", "api", "waits", "cost", "observed")}
        said["frequency"] = {k: self.text(v) for k, v in f["frequency"].items()}
        said |= {"message": self.text(f["message"]), "suggestion": self.text(self.lines_in(file, f["suggestion"]))}
        said["loop"] = self.loop_id(f["loop"])
        said["also_in"] = sorted(map(str, map(self.loop_id, f["also_in"])))
        if self.reasons:
            said["why"] = [(w["file"], self.line(w["file"], w["line"]), w["role"], self.text(w["text"])) for w in f["why"]]
        return key, said

    def whole(self, report):
        findings = collections.defaultdict(list)
        for f in report["findings"]:
            key, said = self.finding(f)
            findings[key].append(said)
        loops = {str(self.loop_id(l["id"])): {k: self.text(v) for k, v in l.items() if k not in ("id", "file", "line")} for l in report["loops"]}
        return {"findings": {str(k): v for k, v in findings.items()}, "loops": loops, "summary": report["summary"]}


def alike(old, new):
    """The same, or a text that names a line within each `<12-14>` of the other."""
    parts = re.split(r"<(\d+)-(\d+)>", old) if isinstance(old, str) and isinstance(new, str) else [""]
    if len(parts) == 1:
        return old == new
    found = re.fullmatch(r"(\d+)".join(map(re.escape, parts[::3])), new)
    spans = zip(parts[1::3], parts[2::3])
    return bool(found) and all(int(a) <= int(n) <= int(b) for (a, b), n in zip(spans, found.groups()))


def differences(a, b):
    """What differs, as lines."""
    out = []
    for part in ("findings", "loops"):
        for key in sorted(a[part].keys() | b[part].keys()):
            old, new = a[part].get(key), b[part].get(key)
            if old == new:
                continue
            if old is None or new is None:
                out.append(f"{part} {key}: {'is new' if old is None else 'is gone'}")
                continue
            olds, news = (old, new) if isinstance(old, list) else ([old], [new])
            for x, y in zip(olds, news):
                for field in x:
                    if not alike(x[field], y[field]):
                        out.append(f"{part} {key}: {field}: {json.dumps(x[field])[:600]} -> {json.dumps(y[field])[:600]}")
    for field in a["summary"]:
        if a["summary"][field] != b["summary"][field]:
            out.append(f"summary: {field}: {a['summary'][field]} -> {b['summary'][field]}")
    return out


# ---- units and pairs ----

class Unit:
    def __init__(self, path):
        self.path = os.path.relpath(path, ROOT)
        self.files = {}
        paths = [path] if os.path.isfile(path) else sorted(glob.glob(os.path.join(path, "**", "*.py"), recursive=True))
        self.base = os.path.dirname(path) if os.path.isfile(path) else path
        for file in paths:
            with open(file, "rb") as opened:
                self.files[os.path.relpath(file, self.base)] = opened.read()
        self.other = [] if os.path.isfile(path) else [p for p in glob.glob(os.path.join(path, "**", "*"), recursive=True)
                                                      if os.path.isfile(p) and not p.endswith(".py")]

    def sources(self):
        out = {}
        for name, data in self.files.items():
            try:
                text = data.decode("utf-8")
                if "\r" in text or text.startswith("\ufeff") or "\f" in text:
                    continue
                out[name] = Source(text)
            except (UnicodeDecodeError, SyntaxError, tokenize.TokenError, ValueError, IndexError):
                continue
        return out

    def write(self, folder, made):
        for name, data in self.files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if name in made:
                data = made[name].text.replace("\n", getattr(made[name], "ends", "\n")).encode()
            with open(path, "wb") as file:
                file.write(data)
        for path in self.other:
            into = os.path.join(folder, os.path.relpath(path, self.base))
            os.makedirs(os.path.dirname(into), exist_ok=True)
            shutil.copyfile(path, into)

    def report(self, made, folder):
        self.write(folder, made)
        return report(folder, sorted(self.files) if len(self.files) == 1 else ["."])


def units(parts):
    paths = sorted(glob.glob(os.path.join(ROOT, "corpus", "scripts", "*.py")) + glob.glob(os.path.join(ROOT, "corpus", "seeds", "*.py")))
    for project in sorted(glob.glob(os.path.join(HERE, "truth", "projects*", "*"))):
        if os.path.isdir(project):
            paths.append(project)
    for entry in sorted(glob.glob(os.path.join(HERE, "cases", "*", "*"))):
        if entry.endswith(".py") or os.path.isdir(entry):
            paths.append(entry)
    return [path for path in paths if all(part in path for part in parts)]


def rewritten(source, name, seed):
    call, same_tree, _ = WAYS[name]
    made = call(source, random.Random(seed))
    if made is None or (made.text == source.text and not hasattr(made, "ends")):
        return None
    tree = ast.parse(made.text)
    if same_tree and ast.dump(tree) != ast.dump(source.tree):
        raise RuntimeError(f"{name} changed the meaning")
    return made


def try_unit(path, ways, keep, reasons):
    """[(way, differences)] of one unit."""
    unit, out = Unit(path), []
    sources = unit.sources()
    if not sources:
        return unit.path, out
    with tempfile.TemporaryDirectory(prefix="syncl-meta-") as folder:
        base = unit.report({}, folder)
    for name in ways:
        made = {}
        for file, source in sources.items():
            done = rewritten(source, name, zlib.crc32(f"{unit.path} {file} {name}".encode()))
            if done is not None:
                made[file] = done
        if not made:
            continue
        mapped = Mapped(made, WAYS[name][2], reasons)
        with tempfile.TemporaryDirectory(prefix="syncl-meta-") as folder:
            try:
                new = Mapped({}, WAYS[name][2], reasons).whole(unit.report(made, folder))
                found = differences(mapped.whole(base), new)
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                found = [str(error)]
            if found and keep:
                shutil.copytree(folder, os.path.join(keep, name, unit.path), dirs_exist_ok=True)
        out.append((name, found))
    return unit.path, out


def share_of(paths):
    """What `make test` tries: (path, ways), the same on each machine."""
    for path in paths:
        name = os.path.relpath(path, ROOT)
        if zlib.crc32(name.encode()) % SHARE == 0 or name.endswith(ALWAYS):
            yield path, [w for w in WAYS if zlib.crc32(f"{name} {w}".encode()) % 3]


def known_pairs():
    with open(KNOWN, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]
    return {(unit, name): why for unit, name, why in rows}


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--all", action="store_true")
    options.add_argument("--only", action="append", default=[])
    options.add_argument("--unit", action="append", default=[])
    options.add_argument("--part", default="0/1", help="of N parts of the programs the one behind K others")
    options.add_argument("--keep")
    options.add_argument("--reasons", action="store_true")
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    options = options.parse_args()
    paths = units(options.unit)
    tries = [(p, list(WAYS)) for p in paths] if options.all or options.unit else list(share_of(paths))
    part, parts = map(int, options.part.split("/"))
    tries = [(p, [w for w in ways if not options.only or any(o in w for o in options.only)]) for p, ways in tries[part::parts]]
    known, pairs, bad, again, by_way = known_pairs(), 0, 0, 0, collections.Counter()
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for unit, results in pool.map(try_unit, *zip(*tries), [options.keep] * len(tries), [options.reasons] * len(tries)):
            for name, found in results:
                pairs += 1
                if (unit, name) in known:
                    again += 1
                    if not found:
                        bad += 1
                        print(f"[  FAILED  ] {unit} {name}: is the same now; take it out of tests/metamorphic.tsv")
                elif found:
                    bad += 1
                    by_way[name] += 1
                    print(f"[  FAILED  ] {unit} {name}: {len(found)} differences", *found[:6], sep="\n    ", flush=True)
    for name, count in by_way.most_common():
        print(f"{count:5} {name}")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"note: {pairs} pairs of a program and one that means the same, {len(tries)} programs, {len(WAYS)} ways, "
          f"{(used.ru_utime + used.ru_stime) / 3600:.4f} CPU-hours: {bad} differ, {again} are known to")
    print(f"[  PASSED  ] {pairs - bad} test(s).")
    if bad:
        print(f"[  FAILED  ] {bad} test(s), listed above")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
