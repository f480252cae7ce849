#!/usr/bin/env python3
"""The table of features, README.md beside this file, is true: each row that is ticked for syncl has a test, which passes, and fails as
soon as the feature is stubbed out. Works on a copy of the tree below build/; a stub is one edit of one source.

    python3 tests/features/check.py            all rows, some minutes
    python3 tests/features/check.py WORD...    the rows that hold a word
    python3 tests/features/check.py --table    only that its rows, and those of the README, are these rows (`make test` does this)"""
import os, pathlib, re, shutil, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPY = ROOT / "build/stubbed"
USER = "python3 tests/user/test_{}.py {}"

# (row of the table, file, what stands there, what stubs it out, test)
FEATURES = [
    ("knows which values are on the GPU, without matching names", "analyzer/infer/apply_match.c",
     "case COND_cuda: return tensor_fact(alt, alt->device, DEVICE_CUDA);", "case COND_cuda: return TRI_YES;", USER.format("promised", "device")),
    ("follows values through calls into other files", "analyzer/source/program.c",
     "    const SourceFile *file = &program->files.items[importer];\n    for (uint32_t i = 0; i < file->root_count; i++) {",
     "    const SourceFile *file = &program->files.items[importer];\n    for (uint32_t i = 0; i < 0 * file->root_count; i++) {", USER.format("promised", "other_files")),
    ("knows how often a line runs: each step, every 100, once", "analyzer/flow/sites.c",
     "site.level = each_turn && ", "site.level = (each_turn || true) && ", USER.format("promised", "how_often")),
    ("prices each wait from a measured GPU", "analyzer/cost/profile.c", "    *number = yyjson_get_num(value);", "    *number = value ? 3 : 0;", USER.format("promised", "price")),
    ("says why, as a chain of reasons", "analyzer/report/report_json.c",
     "for (uint32_t i = 0; i < site->reason_count; i++)\n        json_append(array, reason_value", "for (uint32_t i = 0; i < 0 * site->reason_count; i++)\n        json_append(array, reason_value",
     USER.format("promised", "advice")),
    ("compares with the debug mode's warnings of a real run", "analyzer/report/observed.c",
     "    Seen seen = sum.warnings ? SEEN_CONFIRMED : SEEN_NOT;", "    Seen seen = SEEN_NOT;", USER.format("observed", "each_finding")),
    ("writes a test that fails on a wait", "analyzer/report/emit_test.c",
     'torch.cuda.set_sync_debug_mode(\\"error\\")', 'torch.cuda.set_sync_debug_mode(\\"default\\")', USER.format("observed", "written_test")),
    ("notebooks, reported by cell", "analyzer/source/notebook_blank.c",
     "    else if (c == '%' || c == '!' || c == '?' || is_help(self, at))", "    else if (false && (c == '%' || is_help(self, at)))", USER.format("notebooks", "magics")),
    ("notebooks: SARIF and annotations at the place in the file", "analyzer/source/place.c",
     "    uint32_t at = notebook ? notebook_raw(notebook, offset) : offset;", "    uint32_t at = notebook ? 0 : offset;", USER.format("notebooks", "machines")),
    ("GitHub annotations, dearest first, all in the step's summary", "analyzer/report/report_github.c",
     "SHOWN = 10,", "SHOWN = 1000,", USER.format("promised", "github")),
    ("SARIF with code flows", "analyzer/report/report_sarif.c",
     'json_add(json, object, "codeFlows"', 'if (false) json_add(json, object, "codeFlows"', USER.format("promised", "sarif")),
    ("SARIF with fingerprints that survive moved lines", "analyzer/report/fingerprint.c",
     "    return fold(\n        hash,", "    hash += site->span.start;\n    return fold(\n        hash,", USER.format("promised", "sarif")),
    ("GitLab report", "analyzer/report/report_gitlab.c", '"check_name"', '"name"', USER.format("formats", "gitlab")),
    ("JUnit report", "analyzer/report/report_junit.c", "write_xml(output, report_sentence", "output_bytes(output, report_sentence", USER.format("formats", "hostile_text")),
    ("reviewdog report, columns in bytes", "analyzer/report/report_rdjson.c", "place_bytes(finding->file, span.start)", "place_physical(finding->file, span.start)", USER.format("formats", "rdjson")),
    ("text of the sources drives no terminal and no workflow", "analyzer/base/output.c",
     '        bool old_command = text_starts(rest, TEXT("##["));', '        bool old_command = false && text_starts(rest, TEXT("##["));', USER.format("formats", "hostile_text")),
    ("configuration in pyproject.toml", "analyzer/config/config.c", '"syncl.toml", "pyproject.toml"', '"syncl.toml", "syncl.toml"', "build/tests/test_config"),
    (".gitignore is respected", "analyzer/config/ignore.c", "if (verdict != UNTOLD) return verdict == IGNORED;", "if (verdict != UNTOLD) return false;", "build/tests/test_config"),
    ("comments that allow, with a reason that can be required", "analyzer/report/remarks.c", "if (wishes.", "if (false && wishes.", "build/tests/test_allow"),
    ("baseline: only new findings fail", "analyzer/report/report.c", "    if (!report->options->known) return;", "    if (report->options->known || !report->options->known) return;", "build/tests/test_gates"),
    ("gate on the total cost of a step", "analyzer/report/report.c", "report->fails |= report_over(report, id);", "report->fails |= false;", "build/tests/test_gates"),
    ("compares two revisions, with the cause", "analyzer/cli/written.c", "bool grown = report->comparison && report->comparison->fails;", "bool grown = false;", "build/tests/test_compare"),
    ("standard input with its place in the project", "analyzer/source/project_find.c", "self->limits.stdin_name ? self->limits.stdin_name : ", "", USER.format("formats", "standard_input")),
    ("arguments from a file", "analyzer/cli/argfile.c", "word[0] == '@' &&", "word[0] == '\\1' &&", USER.format("formats", "arguments")),
    ("counts by rule", "analyzer/report/report_statistics.c", "            row->notes++;", "            row->warnings++;", USER.format("formats", "statistics")),
    ("answers from a cache where nothing changed", "analyzer/cache/kept_result.c",
     "    if (!cache_read(cache, result, BLOCK_RESULT, request, &bytes)) return false;", "    if (!cache_read(cache, result, BLOCK_RESULT, request, &bytes) || cache) return false;", "build/tests/test_cache"),
    ("shell completions", "analyzer/cli/options_pages.c", "if (rows[i].metavar) write_bash_case(", "if (false) write_bash_case(", USER.format("pages", "bash")),
    ("manual page", "analyzer/cli/manual.c", "            write_option(output, &rows[i]);", "            write_option(output, &rows[1]);", USER.format("pages", "every_list")),
    ("links in terminals", "analyzer/base/output.c", "    if (!output->links) return;", "    if (output->links || path) return;", USER.format("formats", "colours")),
    ("fixes the code", "analyzer/fix/fix.c", "site->fix = fix_of(self, site);", "site->fix = NULL, (void)fix_of;", USER.format("fix", "fix_reports")),
    ("runs without Python and PyTorch", "analyzer/cli/main.c", "    hold_standard_descriptors();\n", '    hold_standard_descriptors();\n    if (!getenv("HOME")) return 2;\n', USER.format("promised", "no_python")),
]


def rows_of(readme):
    text = readme.read_text()
    return text[text.index("| feature |") :].strip().split("\n\n")[0].split("\n")[2:]


def ticked(rows):
    """The first cells of the rows that are ticked for syncl."""
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    return [row[0] for row in cells if row[1] != "-"]


def check_table():
    rows = rows_of(ROOT / "tests/features/README.md")
    ours, theirs = [name for name, *_ in FEATURES], ticked(rows)
    for name in sorted(set(ours) ^ set(theirs)):
        print(f"{'only in tests/features/README.md' if name in theirs else 'not in tests/features/README.md'}: {name}")
    strangers = [row for row in rows_of(ROOT / "README.md") if row not in rows]
    print("\n".join(f"only in README.md: {row}" for row in strangers), end="\n" * bool(strangers))
    return ours == theirs and not strangers


def make():
    return subprocess.run(["make", "-s", "build/syncl"], cwd=COPY, capture_output=True, text=True)


def passes(test):
    done = subprocess.run(test.split(), cwd=ROOT, env=os.environ | {"BUILD": str(COPY / "build")}, capture_output=True, timeout=300)
    return done.returncode == 0


def copy_tree():
    """With times kept, so that make compiles only what a stub touches."""
    shutil.rmtree(COPY, ignore_errors=True)
    (COPY / "build").mkdir(parents=True)
    for name in ("analyzer", "grammars", "rules", "manual", "calib", "Makefile", "pyproject.toml"):
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, COPY / name)
    for name in ("analyzer", "pins", "rulec", "rulebook_data.c", "rulebook_data.o", "libsyncl.a", "libpins.a", "syncl"):
        source = ROOT / "build" / name
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, COPY / "build" / name)


def check(name, file, old, new, test):
    path = COPY / file
    text = path.read_text()
    if old not in text:
        return "what it stubs is not there any more"
    if not passes(test):
        return "its test fails with the feature there"
    try:
        path.write_text(text.replace(old, new, 1))
        made = make()
        if made.returncode:
            return f"the stub does not build: {made.stderr[-400:]}"
        return "its test passes without the feature" if passes(test) else None
    finally:
        path.write_text(text)
        if make().returncode:
            raise SystemExit("the tree does not build again")


def main(words):
    if words == ["--table"]:
        good = check_table()
        print(f"[  {'PASSED' if good else 'FAILED'}  ] 1 test(s).")
        return 0 if good else 1
    copy_tree()
    wanted = [feature for feature in FEATURES if not words or any(word in feature[0] for word in words)]
    wrong = 0
    for feature in wanted:
        why = check(*feature)
        wrong += why is not None
        print(f"{'WRONG' if why else 'ok   '} {feature[0]}{': ' + why if why else ''}", flush=True)
    print(f"{len(wanted) - wrong} features have a test that fails without them, {wrong} have not")
    return 1 if wrong else 0


sys.exit(main(sys.argv[1:]))
