#!/usr/bin/env python3
"""rename.py FOLDER FILE...: writes every Python file to FOLDER with all names that the file itself binds made opaque:
variables, parameters, functions, classes, and the attributes, fields and methods of its own classes. Lines stay where
they are. What a library could mean stays: imports, builtins, dunder names, `self`, `cls`, keyword names of calls that
are not calls of the file's own functions, attribute names that rules/api or Python's own types know, names of options
of argparse, names that stand in strings. Prints, for each file: OLD NEW COUNT (how many different names changed)."""
import ast, builtins, collections, glob, io, keyword, os, re, sys, tokenize

HERE = os.path.dirname(os.path.abspath(__file__))
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
KEPT = {"self", "cls", "_"} | set(dir(builtins)) | set(keyword.softkwlist)


def library_names():
    names = {"training", "callback_metrics", "logger"}
    for page in sorted(glob.glob(os.path.join(HERE, "..", "rules", "api", "*.pyi"))):
        with open(page, encoding="utf-8") as file:
            names |= set(re.findall(r"^\s*(?:async )?(?:def +|class +)?(\w+) *[(:=]", file.read(), re.M))
    for kind in (str, bytes, int, float, complex, list, dict, set, tuple, type, io.TextIOWrapper, collections.deque,
                 collections.OrderedDict, collections.Counter, BaseException, type(library_names), property):
        names |= set(dir(kind))
    return names


class Bound(ast.NodeVisitor):
    """What the file binds, and what must stay. `names` and `attributes` are two name spaces."""
    def __init__(self, tree):
        self.names, self.attributes, self.kept, self.kept_attributes = set(), set(), set(KEPT), set()
        self.parameters, self.defs, self.classes, self.methods = set(), {}, {}, {}
        self.in_class = {}  # (line, column) of a name bound or read in a class body -> it is an attribute
        self.scopes, self.keywords = [tree], {}
        self.imports = set()
        self.visit(tree)
        self.calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call)]
        self.resolve()

    def bind(self, name, line, column):
        if isinstance(self.scopes[-1], ast.ClassDef):
            self.attributes.add(name)
            self.in_class[line, column] = name
        else:
            self.names.add(name)

    def visit_Import(self, node):
        for alias in node.names:
            name = (alias.asname or alias.name).split(".")[0]
            self.imports.add(name)
            self.kept |= {name} | set(alias.name.split("."))

    visit_ImportFrom = visit_Import

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load):
            if isinstance(self.scopes[-1], ast.ClassDef) and node.id in self.class_names(self.scopes[-1]):
                self.kept.add(node.id)
                self.kept_attributes.add(node.id)
        else:
            self.bind(node.id, node.lineno, node.col_offset)

    @staticmethod
    def class_names(node):
        return {n.id for s in node.body if isinstance(s, (ast.Assign, ast.AnnAssign)) for n in ast.walk(s)
                if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}

    def visit_Attribute(self, node):
        if isinstance(node.value, ast.Name):
            if node.value.id in self.imports: self.kept_attributes.add(node.attr)
            if isinstance(node.ctx, ast.Store) and node.value.id == "self": self.attributes.add(node.attr)
        self.generic_visit(node)

    def visit_Constant(self, node):
        if isinstance(node.value, str) and re.fullmatch(r"-*[\w-]+", node.value):
            self.kept_attributes.add(node.value.lstrip("-").replace("-", "_"))

    def visit_ExceptHandler(self, node):
        if node.name: self.kept.add(node.name)
        self.generic_visit(node)

    def visit_function(self, node):
        outer = self.scopes[-1]
        method = isinstance(outer, ast.ClassDef)
        for part in getattr(node, "decorator_list", []): self.visit(part)
        a = node.args
        for part in [*a.defaults, *filter(None, a.kw_defaults)]: self.visit(part)
        plain = [*a.posonlyargs, *a.args, *a.kwonlyargs]
        names = {p.arg for p in plain}
        if not isinstance(node, ast.Lambda):
            (self.methods if method else self.defs).setdefault(node.name, set()).update(names)
            self.attributes.add(node.name) if method else self.names.add(node.name)
            if method: self.in_class["def", node.lineno, node.name] = node.name
        if method and outer.bases:  # an override: the library may give its optional arguments by name
            optional = a.args[len(a.args) - len(a.defaults):] + a.kwonlyargs
            if node.name != "__init__": self.kept |= {p.arg for p in optional}
        self.parameters |= names
        self.names |= names | {p.arg for p in (a.vararg, a.kwarg) if p}
        for part in [*plain, a.vararg, a.kwarg]:
            if part is not None and part.annotation: self.annotation(part.annotation)
        if getattr(node, "returns", None): self.annotation(node.returns)
        self.scopes.append(node)
        for part in node.body if isinstance(node.body, list) else [node.body]: self.visit(part)
        self.scopes.pop()

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = visit_function

    def annotation(self, node):
        for part in ast.walk(node):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                self.kept |= set(re.findall(r"\w+", part.value))
        self.visit(node)

    def visit_ClassDef(self, node):
        self.bind(node.name, node.lineno, -1)
        self.classes[node.name] = node
        for part in [*node.decorator_list, *node.bases, *node.keywords]: self.visit(part)
        self.scopes.append(node)
        for part in node.body: self.visit(part)
        self.scopes.pop()

    def visit_comprehension_scope(self, node):
        self.scopes.append(node)
        self.generic_visit(node)
        self.scopes.pop()

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_comprehension_scope

    def visit_MatchAs(self, node):
        self.kept.add(node.name)
        self.generic_visit(node)

    def fields(self, name):
        """Of a class of this file: the parameters of its __init__ or the fields of a dataclass; whether it is the latter."""
        node = self.classes[name]
        for part in node.body:
            if isinstance(part, FUNCTIONS[:2]) and part.name == "__init__":
                return {p.arg for p in part.args.args + part.args.kwonlyargs}, False
        if node.decorator_list: return self.class_names(node), True
        for base in node.bases:
            if isinstance(base, ast.Name) and base.id in self.classes: return self.fields(base.id)
        return set(), False

    def resolve(self):
        """Decides every keyword of a call: the name of an own parameter, of an own field, or not ours."""
        for call in self.calls:
            f, own, field = call.func, set(), False
            root = f
            while isinstance(root, ast.Attribute): root = root.value
            known = isinstance(root, ast.Name) and root.id in self.imports | set(dir(builtins))
            if isinstance(f, ast.Name) and f.id in self.defs: own, known = self.defs[f.id], True
            elif isinstance(f, ast.Name) and f.id in self.classes: (own, field), known = self.fields(f.id), True
            elif isinstance(f, ast.Attribute) and f.attr in self.methods: own = self.methods[f.attr]
            for word in call.keywords:
                if word.arg is None:
                    self.kept |= own
                    self.kept_attributes |= own if field else set()
                elif word.arg in own: self.keywords[word.lineno, word.col_offset] = "field" if field else "name"
                elif not known and word.arg in self.parameters: self.kept.add(word.arg)


class Renamer:
    def __init__(self, source, library):
        tree = ast.parse(source)
        self.lines = source.split("\n")
        self.bound = bound = Bound(tree)
        dunder = re.compile(r"__\w+__")
        names = sorted(n for n in bound.names - bound.kept if not dunder.fullmatch(n))
        attributes = sorted(n for n in bound.attributes - bound.kept_attributes - library - KEPT if not dunder.fullmatch(n))
        self.names = {n: f"zq{i}w" for i, n in enumerate(names)}
        self.attributes = {n: f"zk{i}w" for i, n in enumerate(attributes)}

    def word(self, token, before, line_column):
        name = token.string
        if before == ".": return self.attributes.get(name, name)
        if before == "!": return name
        if before in ("def", "class") and ("def", token.start[0], name) in self.bound.in_class or \
           line_column in self.bound.in_class:
            return self.attributes.get(name, name)
        if line_column in self.word_ends:
            kind = self.bound.keywords.get(line_column)
            return {"name": self.names, "field": self.attributes}.get(kind, {}).get(name, name)
        return self.names.get(name, name)

    def nested(self, text):
        """An expression inside an f-string of a Python before 3.12: `.name` is an attribute, `name=` stays."""
        def one(match):
            dot, name, equals = match[1], match[2], match[3]
            if equals: return match[0]
            return dot + (self.attributes if dot else self.names).get(name, name)
        return re.sub(r"(\.?)(?<![\w'\"])\b([A-Za-z_]\w*)\b(?!['\"])(\s*=(?![=}]))?", one, text)

    def string(self, text):
        if "f" not in re.match(r"\w*", text)[0].lower(): return text
        out, depth, i = [], 0, 0
        while i < len(text):
            if text[i] == "{" and text[i:i + 2] == "{{" and not depth:
                out.append("{{"); i += 2
                continue
            if text[i] == "{":
                end = self.end_of_expression(text, i + 1)
                out.append("{" + self.nested(text[i + 1:end])); depth += 1; i = end
                if text[i] == "!": out.append(text[i:i + 2]); i += 2
                continue
            if text[i] == "}" and depth: depth -= 1
            out.append(text[i]); i += 1
        return "".join(out)

    @staticmethod
    def end_of_expression(text, i):
        level, quote = 0, None
        while i < len(text):
            c = text[i]
            if quote: quote = None if c == quote else quote
            elif c in "'\"": quote = c
            elif c in "([{": level += 1
            elif level and c in ")]}": level -= 1
            elif not level and (c in ":}" or c == "!" and text[i + 1] != "="): return i
            i += 1
        raise ValueError("an f-string that does not end")

    def column(self, line, characters): return len(self.lines[line - 1][:characters].encode())

    def run(self, source):
        tree = ast.parse(source)
        self.word_ends = {(w.lineno, w.col_offset) for n in ast.walk(tree) if isinstance(n, (ast.Call, ast.ClassDef))
                          for w in n.keywords if w.arg}
        out, before = [], ""
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            (start_row, start_column), text = token.start, token.string
            if token.type == tokenize.NAME:
                text = self.word(token, before, (start_row, self.column(start_row, start_column)))
            elif token.type == tokenize.STRING: text = self.string(text)
            if text != token.string: out.append((token.start, token.end, text))
            if token.type not in (tokenize.NL, tokenize.COMMENT): before = token.string
        lines = source.splitlines(keepends=True)
        for (r, c), (r2, c2), text in reversed(out):
            whole = lines[r - 1][:c] + text + lines[r2 - 1][c2:]
            if r == r2: lines[r - 1] = whole
            else: lines[r - 1:r2] = whole.splitlines(keepends=True)
        return "".join(lines)


def main():
    folder, library = sys.argv[1], library_names()
    for i, path in enumerate(sys.argv[2:]):
        source = open(path, encoding="utf-8", newline="").read()
        renamer = Renamer(source, library)
        text = renamer.run(source)
        same = [[type(n).__name__ for n in ast.walk(ast.parse(s))] for s in (source, text)]
        if same[0] != same[1] or text.count("\n") != source.count("\n"): sys.exit(f"{path}: renaming broke it")
        target = os.path.join(folder, f"zf{i}.py")
        with open(target, "w", encoding="utf-8", newline="") as file: file.write(text)
        print(path, target, len(renamer.names) + len(renamer.attributes))


main()
