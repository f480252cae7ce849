#!/usr/bin/env python3
"""Differential test: the variables that the model gives every function are those that CPython's own symtable gives it,
over corpus/ and a sample of the standard library of this python3. Prints its result as a test program does."""
import collections, os, re, subprocess, sys, symtable, sysconfig

COMPREHENSIONS = {"listcomp", "setcomp", "dictcomp", "genexpr"}
HEAD = re.compile(r"F\d+ (?:async )?(?:generator )?(module|def|lambda|class body) (.*?)(?: in F\d+)?(?: of C\d+)?  # ")


def sample():
    library = sysconfig.get_paths()["stdlib"]
    files = []
    for top, keep in (("corpus", 1), (library, 9)):
        found = []
        for folder, folders, names in os.walk(top):
            folders[:] = sorted(f for f in folders if f not in ("test", "tests", "site-packages", "lib2to3", "__pycache__"))
            found += [os.path.join(folder, n) for n in sorted(names) if n.endswith(".py")]
        files += found[::keep]
    return files


def ours(paths, syncl):
    """For each file: how often each (kind or name, variables) stands among its functions."""
    text = subprocess.run([syncl, "--dump=model", *paths], capture_output=True, text=True, errors="replace").stdout
    files, functions, name = {}, None, None
    for line in text.split("\n") + ["== end (module end)"]:
        head = HEAD.match(line)
        if (head or line.startswith("== ")) and name is not None:
            functions[name, frozenset(variables)] += 1
            name = None
        if line.startswith("== "):
            functions = files.setdefault(line[3:line.rindex(" (module ")], collections.Counter())
        elif head:
            name, variables = {"module": "top", "lambda": "lambda"}.get(head[1], head[2]), set()
        elif line.startswith("  locals ") and name is not None:
            words = (re.fullmatch(r"(\w+)\$\d+", word) for word in line.split()[1:]) # no paths, nothing declared elsewhere
            variables |= {word[1] for word in words if word}
    return files


def declared_global(table):
    names = set()
    for child in table.get_children():
        names |= {s.get_name() for s in child.get_symbols() if s.is_declared_global()} | declared_global(child)
    return names


def theirs(table, outer_class=None, functions=None):
    functions = collections.Counter() if functions is None else functions
    name = table.get_name()
    inner_class = name if table.get_type() == "class" else outer_class
    if name not in COMPREHENSIONS:
        names = set()
        for symbol in table.get_symbols():
            local = symbol.is_local() and symbol.get_name() != ".0"
            if table.get_type() == "module":
                local = symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace() or symbol.is_annotated()
            prefix = "_" + (inner_class or "").lstrip("_")
            if local: # private names of classes are written as in the source
                mangled = inner_class and symbol.get_name().startswith(prefix + "__")
                names.add(symbol.get_name()[len(prefix):] if mangled else symbol.get_name())
        if table.get_type() == "module":
            names |= declared_global(table)
        functions[name, frozenset(names)] += 1
    for child in table.get_children():
        theirs(child, inner_class, functions)
    return functions


def main():
    paths, differ, count = sample(), 0, 0
    models = ours(paths, os.path.join(os.environ.get("BUILD", "build"), "syncl"))
    for path in paths:
        try:
            a, b = models[path], theirs(symtable.symtable(open(path, "rb").read(), path, "exec"))
        except (SyntaxError, ValueError):
            continue
        count += 1
        if a != b:
            differ += 1
            print(f"{path}\n  only in the model: {sorted(map(str, a - b))}\n  only in symtable: {sorted(map(str, b - a))}")
    print(f"note: scopes of {count} files compared with CPython's symtable, {differ} differ")
    print(f"[  {'FAILED' if differ else 'PASSED'}  ] 1 test(s).")
    sys.exit(1 if differ else 0)


main()
