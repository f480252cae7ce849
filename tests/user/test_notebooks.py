#!/usr/bin/env python3
"""Notebooks: cells as one program, positions in every format, and files that are no notebooks."""
import sys
from bench import *


def notebook(*cells, **more):
    made = []
    for cell in cells:
        kind, source = cell if isinstance(cell, tuple) else ("code", cell)
        made.append({"cell_type": kind, "metadata": {}, "source": source} | ({"outputs": [], "execution_count": None} if kind == "code" else {}))
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5} | more, indent=1)


SETUP, LOOP = TRAIN[: TRAIN.index("for step")], TRAIN[TRAIN.index("for step"):]


def findings(path, *options):
    return syncl("--output-format=json", *options, path).json["findings"]


def places(path):
    return [(f["cell"], f["line"], f["column"], f["end_line"], f["end_column"]) for f in findings(path)]


def test_cells_are_one_program_and_positions_are_in_the_cell():
    # markdown counts as a cell, as ruff and nbformat count; the loop stands in the fourth, its wait on line 7
    write("nb.ipynb", notebook(("markdown", "# héllo"), SETUP, ("raw", "x"), LOOP.splitlines(keepends=True)))
    same(places("nb.ipynb"), [(4, 7, 14, 7, 25)])
    first = findings("nb.ipynb")[0]
    same(first["statement"], {"line": 7, "end_line": 7})
    same({(w["cell"], w["line"]) for w in first["why"]} >= {(4, 1)}, True, first["why"])
    same(first["loop"], "nb.ipynb:cell 4:1:1")
    write("plain.py", SETUP + LOOP)
    same([w["text"] for w in findings("plain.py")[0]["why"]], [w["text"] for w in first["why"]])


def test_environment_set_by_magics():
    cells = ("%env CUDA_LAUNCH_BLOCKING=1", "%env CUDA_LAUNCH_BLOCKING 1\n", "x = 1\n%set_env CUDA_LAUNCH_BLOCKING=1",
             "!CUDA_LAUNCH_BLOCKING=1 python train.py", "!CUDA_VISIBLE_DEVICES=0,1 CUDA_LAUNCH_BLOCKING=1 python train.py",
             "%env CUDA_LAUNCH_BLOCKING=0", "%env CUDA_LAUNCH_BLOCKING", "%env OTHER=1", "!CUDA_LAUNCH_BLOCKING=0 python train.py",
             "%env CUDA_LAUNCH_BLOCKING={mode}", "!echo CUDA_LAUNCH_BLOCKING=1", "%env", "!X=1", "# %env CUDA_LAUNCH_BLOCKING=1",
             "!CUDA_LAUNCH_BLOCKING=1 \\\n  python train.py", "%env PATH=/usr/bin:/bin", "%env CUDA_LAUNCH_BLOCKING=01")
    write("nb.ipynb", notebook("import torch", *cells))
    found = findings("nb.ipynb")
    same(sorted((f["cell"], f["line"], f["column"], f["rule"]) for f in found),
         [(2, 1, 1, "launch-blocking"), (3, 1, 1, "launch-blocking"), (4, 2, 1, "launch-blocking"), (5, 1, 1, "launch-blocking"),
          (6, 1, 1, "launch-blocking")])
    write("nb.ipynb", notebook("import torch", "%env TORCH_NCCL_BLOCKING_WAIT=1", "%env PYTORCH_NO_CUDA_MEMORY_CACHING=1"))
    same(sorted(f["rule"] for f in findings("nb.ipynb")), ["memory-caching-off", "nccl-blocking-wait"])


def test_text_formats_say_the_cell():
    write("nb.ipynb", notebook(SETUP, "\n" + LOOP))
    holds(syncl("--output-format=concise", "nb.ipynb").out, "nb.ipynb:cell 2:8:14: SYN101")
    full = syncl("-v", "nb.ipynb").out
    holds(full, "nb.ipynb:cell 2:8:14: warning[host-read SYN101]")
    holds(full, "\n8 |     total += loss.item()\n")
    holds(full, "(nb.ipynb:cell 2:2)")  # the loop of the ledger


def physical(path, line, column, end_line, end_column):
    lines = open(path, encoding="utf-8").read().split("\n")
    same(line, end_line)
    return lines[line - 1][column - 1 : end_column - 1]


def regions(path):
    sarif = syncl("--output-format=sarif", path).json["runs"][0]["results"][0]
    region = sarif["locations"][0]["physicalLocation"]["region"]
    return [region[k] for k in ("startLine", "startColumn", "endLine", "endColumn")], sarif


def test_machines_get_the_place_in_the_json_file():
    for source in (LOOP.splitlines(keepends=True), LOOP, LOOP.replace("total", "größe").splitlines(keepends=True)):
        write("nb.ipynb", notebook(SETUP.replace("total", "größe") if "größe" in str(source) else SETUP, source))
        place, sarif = regions("nb.ipynb")
        same(physical("nb.ipynb", *place), "loss.item()")
        holds(sarif["message"]["text"], "Cell 2, line 7: ")
        github = syncl("--output-format=github", "nb.ipynb").out
        holds(github, f"line={place[0]},endLine={place[2]},col={place[1]},endColumn={place[3]},")
        holds(github, "::Cell 2, line 7: ")
    # escapes of every width before the wait on the same line
    line = 'd = {"\\u00e9\U0001f600\t": loss.item()}'
    write("nb.ipynb", json.dumps(json.loads(notebook(SETUP, LOOP.replace("total += loss.item()", line)))))
    same(physical("nb.ipynb", *regions("nb.ipynb")[0]), "loss.item()")
    write("nb.ipynb", json.dumps(json.loads(notebook(SETUP, LOOP.replace("total += loss.item()", line))), ensure_ascii=False))
    same(physical("nb.ipynb", *regions("nb.ipynb")[0]), "loss.item()")


def test_half_a_pair_of_surrogates_hides_nothing():
    """Python's json writes and reads them; the wait stands behind each kind on its line, and in an output."""
    for escapes in (r"\ud800", r"\udc00", r"\uDBFF\uDBFF\uDFFF", r"\udfff\ud800", r"\ud800\u0041", r"\ud83d\ude00\udE00", r"\\\\ud800", r"\\\ud800"):
        line = 'd = {"' + "HERE" + '": loss.item()}'
        text = notebook(SETUP, LOOP.replace("total += loss.item()", line)).replace("HERE", escapes)
        text = text.replace('"outputs": []', r'"outputs": [{"output_type": "stream", "name": "stdout", "text": "\ud800"}]')
        json.loads(text)
        write("nb.ipynb", text)
        same(physical("nb.ipynb", *regions("nb.ipynb")[0]), "loss.item()", escapes)
    write("cut.ipynb", '{"cells": "\\ud800')
    holds(syncl("cut.ipynb", status=2).err, "is not a notebook")


MAGICS = """%matplotlib inline
!pip install torch \\
    --quiet
?torch
torch.nn?
files = !ls *.py
a, b = %who
%time loss = model(torch.randn(3, 10, device=device)).sum()
if True:
    !nvidia-smi
    %env X=1
value = (3
  % 2)
text = '''
%not a magic
!nor this
'''
text2 = "a = !ls"
await coroutine()
"""


def test_magics_shell_lines_and_await_are_tolerated():
    model = syncl("--dump=model", write("nb.ipynb", notebook(SETUP, MAGICS))).out
    holds(model, "0 errors, 0 given up")
    write("nb.ipynb", notebook(SETUP, MAGICS, LOOP))
    same(places("nb.ipynb"), [(3, 7, 14, 7, 25)])
    write("nb.ipynb", notebook(SETUP, MAGICS + LOOP))
    same(places("nb.ipynb"), [(2, 7 + MAGICS.count("\n"), 14, 7 + MAGICS.count("\n"), 25)])
    write("nb.ipynb", notebook(SETUP, LOOP.replace("    total +=", "    %time total +=")))
    same(places("nb.ipynb"), [(2, 7, 20, 7, 31)])


def test_cells_of_other_languages_and_broken_cells_are_left_out():
    for head in ("%%bash", "%%writefile x.py", "%%html", "  \n%%javascript"):
        write("nb.ipynb", notebook(SETUP, head + "\n" + LOOP))
        same(places("nb.ipynb"), [], head)
    for head in ("%%time", "%%timeit -n 3", "%%capture out"):
        write("nb.ipynb", notebook(SETUP, head + "\n" + LOOP))
        same(places("nb.ipynb"), [(2, 8, 14, 8, 25)], head)
    for broken in ("x = (1,", "x = '''abc", "x = [\n  'a'"):
        write("nb.ipynb", notebook(SETUP, broken, LOOP))
        same(places("nb.ipynb"), [(3, 7, 14, 7, 25)], broken)


def test_comments_in_cells_allow():
    write("nb.ipynb", notebook(SETUP, LOOP.replace("loss.item()", "loss.item()  # syncl: allow[host-read] a test")))
    same(syncl("--output-format=json", "nb.ipynb", status=0).json["summary"]["suppressed"], 1)
    # the same line of another cell is not meant
    write("nb.ipynb", notebook(SETUP + "# syncl: allow\n", LOOP))
    same(len(findings("nb.ipynb")), 1)


def test_folders_are_walked_for_notebooks_but_not_for_checkpoints():
    write("a/nb.ipynb", notebook(SETUP, LOOP))
    write("a/.ipynb_checkpoints/nb-checkpoint.ipynb", notebook(SETUP, LOOP))
    same(syncl("--output-format=json", "a").json["summary"]["files"], 1)


def test_the_same_id_when_cells_before_change():
    write("nb.ipynb", notebook(SETUP, LOOP))
    before = findings("nb.ipynb")[0]["id"]
    write("nb.ipynb", notebook(("markdown", "new"), SETUP, "print(1)", LOOP))
    same(findings("nb.ipynb")[0]["id"], before)


HOSTILE = {
    "not_json": b"{cells: [",
    "empty": b"",
    "list": b"[]",
    "null": b"null",
    "number": b"1e9",
    "cells_object": b'{"cells": {}}',
    "cells_numbers": b'{"cells": [1, 2]}',
    "cell_without_source": b'{"cells": [{"cell_type": "code"}]}',
    "source_number": b'{"cells": [{"cell_type": "code", "source": 3}]}',
    "source_mixed": b'{"cells": [{"cell_type": "code", "source": ["a", 3]}]}',
    "no_cells": b'{"cells": [], "metadata": {}}',
    "only_markdown": b'{"cells": [{"cell_type": "markdown", "source": "x"}]}',
    "empty_cells": b'{"cells": [{"cell_type": "code", "source": []}, {"cell_type": "code", "source": ""}]}',
    "invalid_utf8": b'{"cells": [{"cell_type": "code", "source": "x = \xff\xfe"}]}',
    "nul": b'{"cells": [{"cell_type": "code", "source": "x = \\u0000"}]}',
    "deep": b'{"cells": ' + b"[" * 100000 + b"]" * 100000 + b"}",
    "of_r": b'{"cells": [{"cell_type": "code", "source": "x"}], "metadata": {"language_info": {"name": "R"}}}',
    "format_3": b'{"worksheets": [{"cells": []}]}',
    "huge": b'{"cells": [], "x": "' + b"a" * (65 << 20) + b'"}',
}


def test_what_is_no_notebook_is_skipped_with_one_reason():
    for name, data in HOSTILE.items():
        write(f"{name}.ipynb", data)
        ran = syncl("--output-format=json", f"{name}.ipynb", status=2)
        same(ran.err.count("\n"), 1, name)
        same([s["file"] for s in ran.json["skipped"]], [f"{name}.ipynb"], name)
    write("ok.py", "x = 1\n")
    ran = syncl("--output-format=json", ".", status=0).json
    same(ran["summary"]["files"], 1)
    same(ran["summary"]["skipped"], len(HOSTILE))


def test_every_prefix_and_cut_of_a_notebook_is_survived():
    whole = notebook(SETUP, MAGICS + LOOP).encode()
    for i in range(0, len(whole), 41):
        write(f"p/{i}.ipynb", whole[:i])
        write(f"s/{i}.ipynb", whole[:i] + whole[i + 7 :])
    cells = MAGICS + LOOP
    for i in range(0, len(cells), 3):
        write(f"c/{i}.ipynb", notebook(SETUP, cells[:i], cells[i:]))
    for folder in "psc":
        assert syncl("--output-format=json", folder).status in (0, 1, 2)


main(sys.modules[__name__])
