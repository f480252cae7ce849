#!/usr/bin/env python3
"""Python programs by grammar: every production of the pinned grammar (grammar.py), and between them the idioms of
idioms.txt and statements of the fixtures, so that inference has tensors, loops, modules and imports to follow. Most is legal for the grammar and much of that for no
Python: `return` in a class, `nonlocal` at module level, stars everywhere. The same seed and number are the same project
(as long as the fixtures stay the same, and the Python that says what is legal).

  tests/fuzz/generate.py SEED NUMBER FOLDER     writes that project there"""
import ast, functools, pathlib, random, re, sys, warnings
from collections import Counter, defaultdict, namedtuple

import grammar

HERE = pathlib.Path(__file__).resolve().parent
PARSER = HERE.parents[1] / "build/pins/tree-sitter-python/src/parser.c"
DEEPEST, LARGEST, IDIOMS, BORROWED = 18, 1500, 0.45, 0.1  # nesting, pieces of a file, shares of idioms and of fixtures' statements
LARGE, PARTS = 50, 40  # every so many projects one is as large as so many, so that threads share its inference
WANTED, WANTED_MORE = 12, 40  # productions that a project should have, in turns, and how much likelier they are in it
NUMBERS = ["0", "1", "2", "10", "0x1F", "1_000", "10j", "99999999999999999999"]
STRINGS = ["", "", "f", "f", "r", "b", "rb", "fr", "u", "F", "t"]
CONTENTS = ["cuda", "loss", "%s", " ", "é🙂", "cpu:0", "{{", "#", "step {"]


class Idioms:
    def __init__(self, path):
        self.templates, self.weights, self.groups = defaultdict(list), defaultdict(lambda: 1.0), {}
        for title, body in re.findall(r"^@ (\w+)\n(.*?)(?=^@ |\Z)", re.sub(r"^##.*\n", "", path.read_text(), flags=re.M), re.M | re.S):
            if title == "names":
                self.groups = {words[0]: words[1:] for words in map(str.split, body.split("\n")) if words}
            elif title in ("weights", "wild"):
                self.weights.update((name, float(weight)) for name, weight in map(str.split, body.strip().split("\n")))
                self.wild = set(body.split()[::2])
            elif title in ("primary_expression", "expression", "_simple_statements", "comments"):
                self.templates[title] = [line for line in body.split("\n") if line]
            else:
                self.templates[title] = [block for block in re.split(r"\n\n+(?=\S)", body.strip("\n"))]
        flat = lambda text: all(word in self.groups or word == "any" for word in re.findall(r"<(\w+)>", text))
        self.flat = {title: list(filter(flat, self.templates[title])) for title in ("primary_expression", "_simple_statements")}
        self.everything = [name for group, names in self.groups.items() if group not in ("key",) for name in names]


Production = namedtuple("Production", "left number right flat tame")
Language = namedtuple("Language", "rights names flat tame")  # flat: the least nesting under a symbol; tame: without the wild


@functools.cache
def fixtures():
    """The fixtures of tests/cases as lists of their statements: each a line that is not indented, with what belongs to it."""
    texts = [path.read_text() for path in sorted((HERE.parent / "cases").rglob("*.py"))]
    return [re.findall(r"^(?:[^\s#].*\n)(?:(?:[ \t)\]}].*|el.*:|except.*|finally:|)\n)*", text, re.M) for text in texts if len(text) < 4000]


@functools.cache
def language():
    productions, names = grammar.read(PARSER)
    for left, rights in productions.items():
        rights[:] = [tuple(told_apart(left, right, place) for place in right) for right in rights]
        for symbol in {symbol for right in rights for place in right for symbol in place if symbol.startswith("soft")}:
            names[symbol] = "soft"
    flat, tame = heights(productions, names, 0), heights(productions, names, 40)
    deepest = lambda height, right: max([min(height[s] for s in place) for place in right] or [0])
    rights = {left: [Production(left, i, right, deepest(flat, right), deepest(tame, right)) for i, right in enumerate(all_rights)]
              for left, all_rights in productions.items()}
    spelled = {symbol: text.replace('\\"', '"').replace("\\\\", "\\") for symbol, text in names.items()}
    return Language(rights, spelled, flat, tame)


def told_apart(left, right, place):
    """A suite without a statement, and a keyword as a name, are symbols of their own here: only the grammar takes them."""
    if len(right) == 1 or "sym__simple_statements" in place:
        place = {{"sym__newline": "empty_newline", "sym__dedent": "empty_dedent"}.get(s, s) for s in place}
    if left in ("sym_primary_expression", "sym_pattern", "sym__named_expression_lhs", "sym_keyword_argument") or left.endswith("_splat_pattern"):
        place = {s.replace("anon_sym", "soft") if s[9:] in ("async", "await", "exec", "match", "print", "type") else s for s in place}
    return frozenset(place)


def heights(productions, names, wild_cost):
    """How deep the flattest tree of each symbol is."""
    wild = Idioms(HERE / "idioms.txt").wild
    ends = {s for rights in productions.values() for right in rights for place in right for s in place} - set(productions)
    cost = lambda symbol: wild_cost if names.get(symbol, symbol) in wild else 0
    height = defaultdict(lambda: 999, {symbol: cost(symbol) for symbol in ends})
    height["sym__statement"] = 999  # the name of all statements, which are listed beside it
    for _ in range(40):
        for left, rights in productions.items():
            height[left] = min(height[left], 1 + cost(left) + min(max([min(height[s] for s in place) for place in right] or [0]) for right in rights))
    return height


class Program:
    """One file as it is written: pieces of text, with the indentation of the lines that they begin."""

    def __init__(self, chance, idioms, uses, is_tame, fixture, wanted):
        self.chance, self.idioms, self.uses, self.is_tame = chance, idioms, uses, is_tame
        self.rights, self.names, self.flat, self.tame = language()
        self.out, self.indent, self.quotes, self.loose = [], 0, [], chance.random() < 0.3
        self.unit = chance.choice(["    ", "    ", "    ", "  ", "\t"])
        self.most = 0  # pieces; beyond them only what is flattest
        self.wanted, self.likelier = wanted, {one for production in wanted for one in (production[:2], production.left)}
        self.fixture, self.bound = fixture, []  # what statements are taken from, what they bind

    # ---- text ----

    def put(self, text):
        if not self.out or self.out[-1].endswith("\n"):
            self.out.append(self.unit * self.indent + text)
            return
        last = self.out[-1][-1:]
        apart = (last.isalnum() or last in "_\"'") and (text[:1].isalnum() or text[:1] in "_\"'")
        apart = apart or (last in "+-*/%@&|^<>=!:~." and text[:1] in "+-*/%@&|^<>=!:~.")
        if apart or (self.loose and last.strip()) or (text[:1].isalpha() and last in ",)]}"):
            self.out.append(" ")
        self.out.append(text)

    def raw(self, text):
        self.out.append(text)

    def line_end(self):
        if self.chance.random() < 0.04:
            self.raw("  " + self.chance.choice(self.idioms.templates["comments"]))
        self.raw("\n")

    # ---- symbols ----

    def plain(self, symbol):
        return self.names.get(symbol, symbol)

    def weight(self, symbol):
        name = self.plain(symbol)
        if self.is_tame and name in self.idioms.wild:
            return 0
        return self.idioms.weights[name] * (WANTED_MORE if symbol in self.likelier else 1)

    @functools.cache
    def rarity(self, production):
        rarest = min([max(map(self.weight, place)) for place in production.right] or [1])
        return rarest * (WANTED_MORE if production[:2] in self.likelier else 1)

    def lucky(self, weight):
        return weight >= 1 or self.chance.random() < weight  # of what is seldom wanted

    def choice(self, some, flat, tame, weight, depth):
        """One of those that fit in the depth that is left, the rare ones seldom; else the flattest."""
        fitting = [one for one in some if flat(one) < depth] if len(self.out) < self.most else []
        fitting = [one for one in fitting if self.lucky(weight(one))]
        if not fitting:
            lowest = min(map(tame, some))
            return self.chance.choice([one for one in some if tame(one) == lowest])
        return self.chance.choices(fitting, list(map(weight, fitting)))[0]

    def pick(self, symbols, depth):
        """One of a place's symbols."""
        some = sorted(s for s in symbols if s != "sym__statement")
        if len(some) == 1:
            return some[0]
        return self.choice(some, self.flat.__getitem__, self.tame.__getitem__, self.weight, depth)

    def choose(self, productions, depth):
        """One that nobody needed yet is likelier."""
        weight = lambda p: self.rarity(p) * 2 / (1 + self.uses[p[:2]]) ** 0.5
        return self.choice(productions, lambda p: p.flat, lambda p: p.tame, weight, depth)

    def make(self, symbol, depth):
        name = self.plain(symbol)
        if symbol not in self.rights:
            return self.terminal(symbol, name)
        templates = (self.idioms.templates if depth > 2 and len(self.out) < self.most else self.idioms.flat).get(name)
        if templates and self.chance.random() < IDIOMS:
            return self.template(self.chance.choice(templates), depth - 2, name)
        if "_repeat" in symbol:
            return self.repeat(symbol, depth)
        self.production(self.choose(self.rights[symbol], depth), depth)

    def repeat(self, symbol, depth):
        """The table's repetitions are pairs of themselves; here one after the other."""
        single = [p for p in self.rights[symbol] if not all(symbol in place for place in p.right)]
        pairs = [p for p in self.rights[symbol] if p not in single]
        many = 1 + (self.chance.randrange(1, 6) if depth > 3 and self.chance.random() < 0.5 else 0)
        for p in pairs:
            self.uses[p[:2]] += many > 1 or not single
        for _ in range(many if single else many + 1):
            if single:
                self.production(self.choose(single, depth), depth)
            else:
                self.make(self.pick(pairs[0].right[0] - {symbol}, depth - 1), depth - 1)

    def production(self, production, depth):
        self.uses[production[:2]] += 1
        for place in production.right:
            self.make(self.pick(place, depth - 1), depth - 1)

    # ---- terminals ----

    def terminal(self, symbol, name):
        words = self.chance.choice
        if symbol.endswith("_newline"):
            self.line_end()
        elif symbol == "sym__indent":
            self.indent += 1
            self.line_end()
        elif symbol.endswith("_dedent"):
            self.indent -= 1
        elif symbol == "sym_string_start":
            self.quotes.append(words(['"', "'", '"', "'", '"""', "'''"]))
            self.put(words(STRINGS) + self.quotes[-1])
        elif symbol == "sym_string_end":
            self.raw(self.quotes.pop())
        elif symbol in SPELLED:
            (self.raw if self.quotes else self.put)(words(SPELLED[symbol]))
        elif symbol == "sym_identifier":
            self.put(self.name())
        elif symbol == "anon_sym_LBRACE" and self.quotes:
            self.raw("{")
        elif symbol.startswith("soft"):
            self.put(symbol[5:])
        elif symbol.startswith("anon_sym") or symbol in ("sym_true", "sym_false", "sym_none"):
            self.put({"true": "True", "false": "False", "none": "None"}.get(name, name))
        else:
            raise KeyError(f"{symbol}: no text is known for it")

    # ---- templates ----

    def template(self, text, depth, name):
        outer, lines = self.indent, text.split("\n")
        for i, line in enumerate(lines):
            body = line.lstrip(" ")
            self.indent = outer + (len(line) - len(body)) // 4
            if not body:
                continue
            if body == "<block>":
                self.statements(depth - 1)
                continue
            for place, piece in enumerate(re.split(r"(<\w+>)", body)):
                self.piece(piece, depth, self.put if place == 0 else self.raw)
            if i + 1 < len(lines) or name not in ("primary_expression", "expression"):
                self.line_end()
        self.indent = outer

    def piece(self, piece, depth, write):
        word = piece[1:-1]
        if not re.fullmatch(r"<\w+>", piece):
            write(piece) if piece else None
        elif word == "key":
            self.raw(self.chance.choice(self.idioms.groups[word]))
        elif word == "any":
            self.put(self.name())
        elif word in self.idioms.groups:
            self.put(self.chance.choice(self.idioms.groups[word]))
        else:
            self.make("sym_" + word, depth)

    def borrow(self, statements):
        """Statements of a fixture, some names in them others."""
        for text in statements:
            self.bound += re.findall(r"^(?:def |class |)(\w+)(?= =|\(|:)", text, re.M)
            other = lambda word: self.name() if self.chance.random() < 0.05 else word.group()
            for line in re.sub(r"\b[a-z_]\w*\b(?!['\"])", other, text).split("\n"):
                if line.strip():
                    self.raw(self.unit * self.indent + line + "\n")

    def name(self):
        return self.chance.choice(self.bound if self.bound and self.chance.random() < 0.4 else self.idioms.everything)

    def statement(self, depth):
        if self.fixture and len(self.out) < self.most and self.chance.random() < BORROWED:
            return self.borrow([self.chance.choice(self.fixture)])
        self.make(self.pick(self.rights["aux_sym_module_repeat1"][0].right[0] - {"aux_sym_module_repeat1"}, depth), depth)

    def statements(self, depth):
        for _ in range(self.chance.randrange(1, 4)):
            self.statement(depth)

    # ---- a file ----

    def tried(self, make, most):
        """Of so many pieces. Tame programs have no statement that the Python at hand does not parse."""
        start, indent = len(self.out), self.indent
        self.most = start + most
        make()
        if self.is_tame and not parses("".join(self.out[start:])):
            del self.out[start:], self.quotes[:]
            self.indent = indent

    def wanted_statements(self):
        self.make("sym_module", 2)
        simple = self.rights["sym__simple_statements"][0].right[0]
        for production in self.wanted:
            if production.left in simple:
                self.production(production, DEEPEST)
                self.line_end()

    def whole(self):
        chance, templates = self.chance, self.idioms.templates
        if chance.random() < 0.85:
            self.tried(lambda: self.template(chance.choice(templates["prelude"]), DEEPEST, "prelude"), 200)
        if not self.is_tame:
            self.tried(self.wanted_statements, 200)
        if self.fixture and chance.random() < 0.5:
            self.tried(lambda: self.borrow(self.fixture), 200)
        for _ in range(chance.choice([2, 8, 30])):
            if len(self.out) < LARGEST:
                self.tried(lambda: self.statement(DEEPEST), chance.choice([10, 40, 100, 300]))
        if chance.random() < 0.7:
            self.tried(lambda: self.template(chance.choice(templates["end"]), DEEPEST, "end"), 200)
        return "".join(self.out)


def parses(text):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


SPELLED = {
    "sym_integer": NUMBERS, "sym_float": ["0.5", "1e-3", "1_0.0_1e+5", ".5j"], "sym_ellipsis": ["..."],
    "sym__string_content": CONTENTS, "sym_escape_sequence": ["\\n", "\\x41", "\\N{DASH}", "\\\n", "\\'"],
    "sym__not_escape_sequence": ["\\"], "sym_escape_interpolation": ["{{", "}}"], "sym_type_conversion": ["!r", "!s", "!a"],
    "aux_sym_format_specifier_token1": [".3f", ">10", "%Y"], "anon_sym_BSLASH": ["\\"],
}


def spoiled(chance, text):
    """A few pieces of a line gone, doubled or moved, as while somebody types."""
    pieces = re.split(r"(\W)", text)
    for _ in range(chance.randrange(1, 5)):
        at, other, kind = chance.randrange(len(pieces)), chance.randrange(len(pieces)), chance.randrange(4)
        if kind == 0:
            pieces[at] = ""
        elif kind == 1:
            pieces[at] *= 2
        elif kind == 2:
            pieces[at], pieces[other] = pieces[other], pieces[at]
        else:
            pieces.insert(at, pieces[other])
    return "".join(pieces)


def ended(chance, text):
    """As other editors would have written it."""
    kind = chance.randrange(14)
    if kind == 0:
        return text.replace("\n", "\r\n")
    if kind == 1:
        return "\ufeff" + text
    if kind == 2:
        return text.rstrip("\n")
    if kind == 3:
        return text.replace("\n", "\r\n", text.count("\n") // 2)
    if kind == 4:
        return "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n\f" + text
    if kind == 5:
        return re.sub(r" (?=[=+(])", " \\\n ", text, count=3)
    if kind == 6:
        return text.replace("\n", "\r")
    return text


def project(seed, number, uses=None, with_fixtures=True):
    """{path: text}: one to five files that may import one another."""
    chance, idioms = random.Random(f"{seed}:{number}"), Idioms(HERE / "idioms.txt")
    mine, files = Counter(), {}
    paths = ["train.py", "m0.py", "m1.py", "m2.py" if chance.random() < 0.5 else "m2/__init__.py", "m3/m0.py"]
    every = [production for rights in language().rights.values() for production in rights]
    wanted = [every[(number * WANTED + i) % len(every)] for i in range(WANTED)]
    parts = PARTS if number % LARGE == LARGE - 1 else 1
    for path in paths[: 5 if parts > 1 else chance.choice([1, 1, 2, 3, 5])]:
        is_tame = parts > 1 or chance.random() < 0.5
        fixture = lambda: chance.choice(fixtures()) if with_fixtures else []
        text = "\n".join(Program(chance, idioms, mine, is_tame, fixture(), wanted).whole() for _ in range(parts))
        files[path] = ended(chance, spoiled(chance, text) if not is_tame and chance.random() < 0.25 else text)
    if uses is not None:
        uses.update(mine)
    return files


def write(files, folder):
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())


if __name__ == "__main__":
    write(project(sys.argv[1], int(sys.argv[2])), pathlib.Path(sys.argv[3]))
