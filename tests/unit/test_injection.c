/* Text of other people in every place it can come from, in every format: it stays text. Nothing starts a workflow
   command or a terminal escape, turns the line around, ends an element or a string, or is no UTF-8. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cli.h"
#include "toml_scalar.h"

/* No slash, so that it can be a name; no line end but its own. */
#define EVIL                                                                                             \
    "x\r\n::error::a\n  ::warning file=b::c##[error]d\x1b[31m\x1b]8;;e\x07\x9b\xC2\x9Bm\x08\xE2\x80\xAE" \
    "\xE2\x81\xA6]]>-->\"'`${f}%0A&<g>\\\xff\xC0\xAF"

static const char *const formats[] = {"full",  "concise", "json",  "json-lines", "github",
                                      "sarif", "gitlab",  "junit", "rdjson"};
enum { FORMATS = sizeof formats / sizeof formats[0] };

/* ---- what must not come out ---- */

static bool is_own_command(const char *line) {
    return strncmp(line, "::warning file=", 15) == 0 || strncmp(line, "::notice file=", 14) == 0;
}

static void assert_harmless(const char *where, const char *text, bool commands) {
    Text all = text_of(text);
    bool line_start = true;
    if (toml_first_bad(all) < all.length)
        fail_msg("%s: control or no UTF-8 at %u: %.60s", where, toml_first_bad(all),
                 text + toml_first_bad(all));
    for (const char *at = text; *at; at++) {
        bool own = commands && (at == text || at[-1] == '\n') && is_own_command(at);
        if (line_start && !own && strncmp(at, "::", 2) == 0) fail_msg("%s: a command: %.60s", where, at);
        if (strncmp(at, "##[", 3) == 0) fail_msg("%s: an old command: %.60s", where, at);
        if (strncmp(at, "\xC2\x9B", 2) == 0 || strncmp(at, "\xE2\x80\xAE", 3) == 0 ||
            strncmp(at, "\xE2\x81\xA6", 3) == 0)
            fail_msg("%s: turns the line around: %.60s", where, at);
        line_start = *at == '\n' || (line_start && (*at == ' ' || *at == '\t'));
    }
}

static void assert_json(const char *where, const char *text) {
    yyjson_doc *document = yyjson_read(text, strlen(text), 0);
    if (!document) fail_msg("%s: no JSON: %.200s", where, text);
    yyjson_doc_free(document);
}

static void assert_well_formed(const char *format, char *text) {
    if (strcmp(format, "json") == 0 || strcmp(format, "sarif") == 0 || strcmp(format, "gitlab") == 0 ||
        strcmp(format, "rdjson") == 0)
        assert_json(format, text);
    for (char *line = text, *end; strcmp(format, "json-lines") == 0 && *line; line = end + 1) {
        end = strchr(line, '\n');
        assert_non_null(end);
        *end = '\0';
        assert_json(format, line);
    }
    if (strcmp(format, "junit") != 0) return;
    write_text("../report.xml", text);
    assert_int_equal(system("python3 -c 'import xml.dom.minidom as m; m.parse(\"../report.xml\")'"), 0);
}

/* Every format of one run, on a runner and off it; `status` of all. */
static void try_formats(void **state, int status, const char *line) {
    for (int i = 0; i < 2 * FORMATS; i++) {
        const char *format = formats[i / 2];
        bool runner = i % 2 || strcmp(format, "github") == 0;
        char full[1900], where[2000];
        snprintf(full, sizeof full, "--output-format=%s|%s", format, line);
        snprintf(where, sizeof where, "%s%s", runner ? "(runner) " : "", full);
        assert_int_equal(runner ? setenv("GITHUB_ACTIONS", "true", 1) : unsetenv("GITHUB_ACTIONS"), 0);
        Ran ran = run(state, full);
        if (ran.status != status) fail_msg("%s: %d\n%s", where, ran.status, ran.err);
        if (status == 2 && !is_one_line(ran.err)) fail_msg("%s: not one line: %s", where, ran.err);
        if (runner) assert_harmless(where, ran.out, strcmp(format, "github") == 0);
        if (runner) assert_harmless(where, ran.err, false);
        if (strchr(ran.out, '\x1b') || strchr(ran.err, '\x1b')) fail_msg("%s: an escape", where);
        if (status != 2) assert_well_formed(format, ran.out);
        forget(ran);
    }
    assert_int_equal(unsetenv("GITHUB_ACTIONS"), 0);
}

static void try_text_of(void **state, int status, const char *line, bool commands) {
    assert_int_equal(setenv("GITHUB_ACTIONS", "true", 1), 0);
    Ran ran = run(state, line);
    assert_int_equal(ran.status, status);
    assert_harmless(line, ran.out, commands);
    assert_harmless(line, ran.err, false);
    forget(ran);
    assert_int_equal(unsetenv("GITHUB_ACTIONS"), 0);
}

static void try_text(void **state, int status, const char *line) { try_text_of(state, status, line, false); }

/* ---- sources ---- */

static const char source[] =
    "import torch\nx = torch.ones(3, device=\"cuda\", requires_grad=True)\n"
    "for i in range(100): # "
    "\x1b[31m ##[error] \xE2\x80\xAE \xff ]]>"
    "\n"
    "    (x * x).sum().backward()\n"
    "    print(x.sum().item(), '##[error] ::error:: \x1b[31m \x9b \xC2\x9B \xE2\x80\xAE \xff ]]> --> \"')\n"
    "    s = ('''\n::error::x\n##[group]]]>&<a>\n''', x.max().item(),\r\n      2)\n"
    "    t = x.min().item()  # syncl: allow[print-tensor] ::error:: ##[x] \x1b[31m \xE2\x80\xAE \xff ]]>\n";

static void names_and_sources(void **state) {
    write_text(EVIL ".py", source);
    try_formats(state, 1, ".");
    try_formats(state, 1, "--report-unused|--require-reason|.");
    try_text(state, 1, "--statistics|.");
    try_formats(state, 2, EVIL);
}

static void packages_and_reasons(void **state) {
    assert_int_equal(mkdir(EVIL, 0700), 0);
    write_text(EVIL "/__init__.py", "");
    write_text(EVIL "/a.py", source);
    try_formats(state, 1, EVIL);
    try_formats(state, 1, "--fail-over=1us|.");
    write_text(EVIL "/b.py", "\xff\xfe\0");
    write_file(EVIL "/c.py", "a\0b", 3);
    try_formats(state, 1, ".");
}

static void notebooks(void **state) {
    write_text(EVIL ".ipynb", "{\"nbformat\": 4, \"nbformat_minor\": 5, \"metadata\": {}, \"cells\": "
                              "[{\"cell_type\": \"code\", \"metadata\": {},"
                              "\"outputs\": [], \"execution_count\": null, \"source\": [\"import torch\\n\", "
                              "\"x = torch.ones(3, device='cuda', requires_grad=True)\\n\","
                              "\"for i in range(9):\\n\", \"    (x * x).sum().backward()\\n\","
                              "\"    print(x.sum().item(), '::error:: ##[error] \\u001b[31m \\u202e \\u009b "
                              "]]>')\\n\", \"::error::x\"]}]}");
    try_formats(state, 1, ".");
}

static void standard_input(void **state) {
    write_text("../piped.py", source);
    for (int i = 0; i < FORMATS; i++) {
        char line[600];
        snprintf(line, sizeof line, "--output-format=%s|--stdin-filename=%s.py|-", formats[i], EVIL);
        assert_non_null(freopen("../piped.py", "r", stdin));
        try_text_of(state, 1, line, strcmp(formats[i], "github") == 0);
    }
}

/* ---- configuration ---- */

static void expect_harmless_error(void **state, const char *line) { try_formats(state, 2, line); }

static void configuration(void **state) {
    static const char *const mistakes[] = {
        "\"\\n::error::\\u001b[31m##[x]\\u202e\" = 1\n",
        "select = [\"\\n::error::\\u001b[31m##[x]\\u202e\"]\n",
        "step-time = \"\\n::error::\\u001b[31m##[x]\\u202e\"\n",
        "profile = \"\\n::error::\\u001b[31m##[x]\\u202e\"\n",
        "baseline = \"\\n::error::\\u001b[31m##[x]\\u202e\"\n",
        "extend = \"\\n::error::\\u001b[31m##[x]\\u202e\"\n",
        "a = \"\x1b[31m\"\n",
        "a = \"\xff\"\n",
        "::error::\n",
    };
    write_text("a.py", source);
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        write_text("syncl.toml", mistakes[i]);
        expect_harmless_error(state, "a.py");
    }
    write_text("syncl.toml", "[per-file-ignores]\n\"\\n::error::\\u001b##[\\u202e\" = [\"SYN1\"]\n");
    try_formats(state, 1, "a.py");
    write_text("syncl.toml", "extend-exclude = [\"\\n::error::\\u001b##[\\u202e\"]\nsearch-path = "
                             "[\"\\n::error::\\u001b##[\\u202e\"]\n");
    try_formats(state, 1, "a.py");
    try_text(state, 0, "--show-settings|" EVIL);
    expect_harmless_error(state, "--config=" EVIL "=1|a.py");
    expect_harmless_error(state, "--select=" EVIL "|a.py");
    expect_harmless_error(state, "@" EVIL);
}

static void folders_with_configuration(void **state) {
    assert_int_equal(mkdir(EVIL, 0700), 0);
    write_text(EVIL "/a.py", source);
    write_text(EVIL "/syncl.toml", "nothing = 1\n");
    expect_harmless_error(state, EVIL "/a.py");
    write_text(EVIL "/syncl.toml", "step-time = \"55ms\"\n");
    try_text(state, 0, "--show-settings|" EVIL "/a.py");
}

/* ---- baselines and revisions ---- */

static void baselines(void **state) {
    write_text(EVIL ".py", source);
    expect(state, 0, NULL, "--write-baseline=../base.json|.");
    char *baseline = read_file("../base.json");
    assert_harmless("baseline", baseline, false);
    assert_json("baseline", baseline);
    free(baseline);
    try_formats(state, 0, "--baseline=../base.json|.");
    static const char *const broken[] = {"::error::\n##[error]\x1b[31m",
                                         "{\"syncl_baseline\": \"\\n::error::\"}",
                                         "{\"syncl_baseline\": 1, \"findings\": [{\"id\": \"\\n::error::\"}]}"};
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        write_text("../base.json", broken[i]);
        expect_harmless_error(state, "--baseline=../base.json|.");
    }
    expect_harmless_error(state, "--baseline=" EVIL "|.");
    try_text(state, 0, "--write-baseline=../" EVIL "|.");
    expect_harmless_error(state, "--add-allow|--allow-reason=" EVIL "|.");
}

static void revisions(void **state) {
    write_text("a.py", "def f(x):\n    return x.max().item()\n");
    write_text(EVIL ".py", "import torch\n");
    assert_int_equal(system("git init -q . && git add -A && git -c user.name=a -c user.email=b commit -q -m x"),
                     0);
    write_text(EVIL ".py", source);
    assert_int_equal(setenv("GITHUB_STEP_SUMMARY", "../summary.md", 1), 0);
    try_formats(state, 1, "--compare=HEAD|.");
    assert_int_equal(unsetenv("GITHUB_STEP_SUMMARY"), 0);
    char *summary = read_file("../summary.md");
    assert_non_null(strstr(summary, "Compared with HEAD"));
    assert_harmless("summary", summary, false);
    free(summary);
    expect_harmless_error(state, "--compare=" EVIL "|.");
}

/* ---- what is written beside ---- */

static void dumps(void **state) {
    static const char *const stages[] = {"model", "calls", "facts", "sites", "events"};
    write_text(EVIL ".py", source);
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        char line[100];
        snprintf(line, sizeof line, "--dump=%s|.", stages[i]);
        assert_int_equal(setenv("GITHUB_ACTIONS", "true", 1), 0);
        Ran ran = run(state, line);
        assert_int_equal(ran.status, 0);
        assert_harmless(line, ran.out, false);
        forget(ran);
    }
    assert_int_equal(unsetenv("GITHUB_ACTIONS"), 0);
}

int main(void) {
#define APART(test) cmocka_unit_test_setup_teardown(test, enter, leave)
    const struct CMUnitTest tests[] = {
        APART(names_and_sources),
        APART(packages_and_reasons),
        APART(notebooks),
        APART(standard_input),
        APART(configuration),
        APART(folders_with_configuration),
        APART(baselines),
        APART(revisions),
        APART(dumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
