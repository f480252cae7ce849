/* Configuration files as a user meets them, and the patterns that they are made of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cli.h"
#include "options.h"
#include "pattern.h"

/* ---- patterns ---- */

static bool globs(const char *pattern, const char *path, bool across) {
    return pattern_match(text_of(pattern), text_of(path), across);
}

static void patterns_match_paths(void **state) {
    (void)state;
    static const struct {
        const char *pattern, *path;
        bool matches;
    } rows[] = {
        {"a.py", "a.py", true},
        {"*.py", "a.py", true},
        {"*.py", "b/a.py", false},
        {"**/*.py", "a.py", true},
        {"**/*.py", "b/c/a.py", true},
        {"b/**", "b/c/a.py", true},
        {"b/**", "b", false},
        {"b/**/a.py", "b/a.py", true},
        {"b/**/a.py", "b/c/d/a.py", true},
        {"b/**/a.py", "c/a.py", false},
        {"?.py", "a.py", true},
        {"?.py", "ab.py", false},
        {"[a-c].py", "b.py", true},
        {"[!a-c].py", "b.py", false},
        {"[]].py", "].py", true},
        {"a[", "a[", true},
        {"\\*.py", "*.py", true},
        {"\\*.py", "a.py", false},
        {"a**b", "axxb", true},
        {"a**b", "a/b", false},
        {"**", "a/b/c", true},
        {"**/foo", "foo", true},
        {"**/foo", "a/foo", true},
        {"**/foo", "a/foob", false},
        {"a/*/c", "a/b/c", true},
        {"a/*/c", "a/c", false},
        {"", "a", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (globs(rows[i].pattern, rows[i].path, false) != rows[i].matches)
            fail_msg("'%s' and '%s'", rows[i].pattern, rows[i].path);
    assert_true(globs("tests/*", "tests/unit/a.py", true));
    assert_false(globs("tests/*", "test/unit/a.py", true));
}

static void no_pattern_takes_long(void **state) {
    (void)state;
    char pattern[400], path[4000];
    memset(path, 'a', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    for (size_t i = 0; i + 5 < sizeof pattern; i += 2) memcpy(pattern + i, "*a", 3);
    strcat(pattern, "b");
    assert_false(globs(pattern, path, false));
}

/* ---- files ---- */

static void write_in(const char *folder, const char *name, const char *text) {
    char path[300];
    (void)mkdir(folder, 0700);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    write_text(path, text);
}

/* What is left of a message where the configuration is this file. */
static void expect_config(void **state, const char *config, int status, const char *says, const char *line) {
    write_text("pyproject.toml", config);
    expect(state, status, says, line);
}

static void keys_set_options(void **state) {
    write_text("train.py", train);
    expect_config(state, "[tool.syncl]\nignore = [\"host-read\"]\n", 0, "1 not selected", "train.py");
    expect_config(state, "[tool.syncl]\nselect = [\"print-tensor\"]\n", 0, "1 not selected", "train.py");
    expect_config(state, "[tool.syncl]\nselect = [\"print-tensor\"]\n", 1, "1 warning",
                  "--select=SYN1|train.py");
    expect_config(state, "[tool.syncl]\nselect = [\"print-tensor\"]\n", 1, "1 warning",
                  "--extend-select=SYN1|train.py");
    expect_config(state, "[tool.syncl]\nselect = [\"SYN1\"]\n", 0, "1 not selected", "--ignore=SYN1|train.py");
    expect_config(state, "[tool.syncl]\noutput-format = \"json\"\n", 1, "\"version\": 1", "train.py");
    expect_config(state, "[tool.syncl]\noutput-format = \"json\"\n", 1, "[host-read SYN101]",
                  "--output-format=full|train.py");
    expect_config(state, "[tool.syncl]\nstep-time = \"2ms\"\n", 1, "takes 2 ms", "train.py");
    expect_config(state, "[tool.syncl]\nstep-time = \"2ms\"\n", 1, "takes 1 ms", "--step-time=1ms|train.py");
    expect_config(state, "[tool.syncl]\nstep-time = \"2ms\"\n", 1, "takes 1.5 ms",
                  "--config=step-time='1.5ms'|train.py");
    expect_config(state, "[tool.syncl]\nstep-time = \"2ms\"\n", 1, "(assumed)", "--isolated|train.py");
    expect_config(state, "[tool.syncl]\nstep-time = \"4ms\"\ngpu-busy = 0.5\n", 1, "takes 4 ms", "train.py");
    expect_config(state, "[tool.other]\nstep-time = 3\n", 1, "1 warning", "train.py");
    expect_config(state, "[tool.syncl]\ncost-model = 7\n", 1, "1 warning", "train.py");
}

static void mistakes_name_file_line_and_key(void **state) {
    static const struct {
        const char *config, *says;
    } rows[] = {
        {"[tool.syncl]\n\nselct = []\n",
         "pyproject.toml:3: unknown key 'selct' in [tool.syncl]; the nearest is 'select'"},
        {"[tool.syncl]\nzzzzzzz = 1\n", "pyproject.toml:2: unknown key 'zzzzzzz'"},
        {"[tool.syncl]\nselect = [\n  \"SYN1\",\n  \"host-raed\"]\n",
         "pyproject.toml:4: no rule is called 'host-raed'; the nearest is 'host-read'"},
        {"[tool.syncl]\nselect = \"SYN1\"\n",
         "pyproject.toml:2: 'select' takes an array of strings, not a string"},
        {"[tool.syncl]\nselect = [1]\n", "not a whole number"},
        {"[tool.syncl]\nstep-time = \"55\"\n", "pyproject.toml:2: step-time takes a time with its unit"},
        {"[tool.syncl]\nstep-time = 55\n", "'step-time' takes a string, not a whole number"},
        {"[tool.syncl]\nfail-on = \"never\"\n", "fail-on takes note|warning|error"},
        {"[tool.syncl]\nforce-exclude = 1\n", "'force-exclude' takes true or false"},
        {"[tool.syncl]\ncost-model = 999\n", "pyproject.toml:2: cost-model = 999 is pinned"},
        {"[tool.syncl]\nprofile = \"none.json\"\n", "none.json"},
        {"[tool.syncl]\nselect = []\nselect = []\n", "pyproject.toml:3: 'select' is already defined on line 2"},
        {"[tool.syncl\n", "pyproject.toml:1: this is not TOML"},
        {"[tool]\nsyncl = 1\n", "pyproject.toml:2: 'syncl' is not a table"},
        {"[tool.syncl]\nper-file-ignores = []\n", "takes a table of arrays"},
        {"[tool.syncl]\nextend = \"other.toml\"\n",
         "pyproject.toml:2: 'extend' names other.toml, which is not there"},
        {"[tool.syncl]\nextend = \"pyproject.toml\"\n", "pyproject.toml:2: 'extend' leads back"},
    };
    write_text("train.py", train);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_config(state, rows[i].config, 2, rows[i].says, "train.py");
    expect_config(state, "", 2, "--config: unknown key 'selct'; the nearest is 'select'",
                  "--config=selct=[]|train.py");
    expect_config(state, "", 2, "cannot read none.toml", "--config=none.toml|train.py");
    expect_config(state, "", 2, "neither a file nor KEY=VALUE", "--config==|train.py");
}

static void the_nearest_file_wins(void **state) {
    write_in("a", "train.py", train);
    write_in("b", "train.py", train);
    write_in("b", "syncl.toml", "ignore = [\"host-read\"]\n");
    write_text("pyproject.toml", "[tool.syncl]\nstep-time = \"2ms\"\n");
    expect(state, 1, "1 warning", "a");
    expect(state, 1, "takes 2 ms", "a");
    expect(state, 0, "1 not selected", "b");
    expect(state, 1, "1 warning and 0 notes in 2 files; not shown: 1 not selected", ".");
    write_in("b", "pyproject.toml", "[tool.syncl]\nselct = 1\n"); /* syncl.toml goes before it */
    expect(state, 0, "1 not selected", "b/train.py");
    write_in("b", "syncl.toml", "selct = 1\n");
    expect(state, 2, "b/syncl.toml:1: unknown key 'selct'; the nearest is 'select'", ".");
    expect(state, 1, "2 warnings", "--config=pyproject.toml|.");
    expect(state, 1, "2 warnings", "--isolated|.");
}

static void files_extend_others(void **state) {
    write_text("train.py", train);
    write_in("base", "syncl.toml", "step-time = \"2ms\"\nignore = [\"SYN1\"]\nextend-exclude = [\"gen\"]\n");
    write_text("syncl.toml", "extend = \"base/syncl.toml\"\n");
    expect(state, 0, "1 not selected", "train.py");
    write_text("syncl.toml", "extend = \"base/syncl.toml\"\nselect = [\"SYN1\"]\n");
    expect(state, 1, "takes 2 ms", "train.py");
    write_text("syncl.toml", "extend = \"base/syncl.toml\"\nselect = [\"SYN1\"]\nstep-time = \"1ms\"\n");
    expect(state, 1, "takes 1 ms", "train.py");
    write_in("base", "syncl.toml", "extend = \"../syncl.toml\"\n");
    expect(state, 2, "base/syncl.toml:1: 'extend' leads back", "train.py");
    write_in("base", "syncl.toml", "step-time = \"x\"\n");
    expect(state, 2, "base/syncl.toml:1: step-time", "train.py");
    write_in("base", "pyproject.toml", "[tool.other]\n");
    write_text("syncl.toml", "extend = \"base/pyproject.toml\"\n");
    expect(state, 2, "syncl.toml:1: 'extend' names a file without [tool.syncl]", "train.py");
}

static void rules_may_be_ignored_per_file(void **state) {
    write_in("tests", "train.py", train);
    write_in("tests/deep", "train.py", train);
    write_text("train.py", train);
    write_text("syncl.toml", "[per-file-ignores]\n\"tests/*\" = [\"host-read\"]\n");
    expect(state, 1, "1 warning and 0 notes in 3 files; not shown: 2 not selected", ".");
    write_text("syncl.toml", "[per-file-ignores]\n\"!tests/**\" = [\"ALL\"]\n");
    expect(state, 1, "2 warnings and 0 notes in 3 files; not shown: 1 not selected", ".");
    write_text("syncl.toml", "[per-file-ignores]\n\"train.py\" = [\"SYN1\"]\n");
    expect(state, 0, "3 not selected", ".");
    write_text("syncl.toml", "[per-file-ignores]\n\"x.py\" = [\"SYNX\"]\n\"train.py\" = [\"SYNX\"]\n");
    expect(state, 2, "syncl.toml:3: no rule is called 'SYNX'", ".");
}

static void folders_are_left_out(void **state) {
    write_in("gen", "train.py", train);
    write_in("gen/deep", "train.py", train);
    write_in("build", "train.py", train);
    write_text("train.py", train);
    expect(state, 1, "in 3 files", ".");
    expect(state, 1, "in 1 file.", "--extend-exclude=gen|.");
    expect(state, 1, "in 4 files", "--exclude=nothing|.");
    expect(state, 1, "in 2 files", "--exclude=gen/deep/*,build|.");
    write_text("syncl.toml", "extend-exclude = [\"gen/deep\"]\n");
    expect(state, 1, "in 2 files", ".");
    expect(state, 1, "in 1 file.", "gen/deep/train.py");
    expect(state, 0, NULL, "--force-exclude|gen/deep/train.py");
    expect(state, 1, "in 1 file.", "--force-exclude|gen/deep/train.py|train.py");
    write_text("syncl.toml", "exclude = [\"gen\"]\nforce-exclude = true\n");
    expect(state, 1, "in 2 files", ".");
    expect(state, 0, NULL, "gen/deep/train.py");
    write_in(".git", "HEAD", "");
    expect(state, 1, "in 2 files", ".");
}

static void gitignore_is_respected(void **state) {
    write_in(".git", "HEAD", "ref: refs/heads/main\n");
    write_in(".git/info", "exclude", "secret.py\n");
    write_in("out", "train.py", train);
    write_in("out/keep", "train.py", train);
    write_in("sub", "a.py", train);
    write_in("sub", "b.py", train);
    write_in("sub", "secret.py", train);
    write_in("sub/out", "train.py", train);
    write_text("train.py", train);
    write_text(".gitignore", "# comment\n/out/\n*.tmp\n");
    expect(state, 1, "in 4 files", ".");
    write_in("sub", ".gitignore", "*.py\n!b.py\n");
    expect(state, 1, "in 2 files", ".");
    expect(state, 1, "in 1 file.", "sub");
    expect(state, 1, "in 1 file.", "sub/a.py");
    expect(state, 1, "in 7 files", "--no-respect-gitignore|.");
    write_text("syncl.toml", "respect-gitignore = false\n");
    expect(state, 1, "in 7 files", ".");
}

static void imports_are_found_on_the_search_path(void **state) {
    write_text("main.py", "import torch\nfrom stepper import step\nfor i in range(100):\n"
                          "    step(torch.ones(3, device=\"cuda\"))\n");
    write_in("lib", "stepper.py", "def step(x):\n    print(x.sum().item())\n    (x * x).backward()\n");
    expect(state, 0, "== main.py", "--dump=model|main.py");
    Ran ran = run(state, "--dump=model|main.py");
    assert_null(strstr(ran.out, "lib/stepper.py"));
    forget(ran);
    write_text("syncl.toml", "search-path = [\"lib\"]\n");
    expect(state, 0, "== lib/stepper.py", "--dump=model|main.py");
    expect(state, 0, "== lib/stepper.py", "--isolated|--search-path=lib|--dump=model|main.py");
}

static void settings_can_be_shown(void **state) {
    write_in("base", "syncl.toml", "min-confidence = \"certain\"\n");
    write_text("syncl.toml", "extend = \"base/syncl.toml\"\nstep-time = \"55ms\"\nselect = [\"SYN1\"]\n");
    expect(state, 0, "step-time = \"55000us\"                    # syncl.toml:2\n", "--show-settings");
    expect(state, 0, "min-confidence = \"certain\"               # base/syncl.toml:1\n",
           "--show-settings|x.py");
    expect(state, 0, "fail-on = \"note\"                         # command line\n",
           "--fail-on=note|--show-settings");
    expect(state, 0, "output-format = \"plan\"                   # default\n", "--show-settings");
    expect(state, 0, "select = [\"SYN1\"]                        # syncl.toml:3\n", "--show-settings");
    expect(state, 0, "select = [\"SYN102\"]                      # --config\n",
           "--config=select=['SYN102']|--show-settings");
    expect(state, 2, "unknown key", "--config=a=1|--show-settings");
}

static void the_manual_names_every_key(void **state) {
    char path[4200];
    snprintf(path, sizeof path, "%.4000s/packaging/manual/syncl.md", the(state)->home);
    char *text = read_file(path), key[100];
    assert_non_null(text);
#define KEY(scope, name, type, help)             \
    snprintf(key, sizeof key, "- `%s`: ", name); \
    if (!strstr(text, key)) fail_msg("packaging/manual/syncl.md does not name %s", name);
#include "keys.def"
    free(text);
}

static void every_key_of_the_run_is_an_option(void **state) {
    (void)state;
#define KEY(scope, name, type, help) \
    if (strcmp(#scope, "OPTION") == 0 && options_row(name) < 0) fail_msg("no option --%s", name);
#include "keys.def"
}

int main(void) {
#define APART(test) cmocka_unit_test_setup_teardown(test, enter, leave)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_match_paths),
        cmocka_unit_test(no_pattern_takes_long),
        APART(keys_set_options),
        APART(mistakes_name_file_line_and_key),
        APART(the_nearest_file_wins),
        APART(files_extend_others),
        APART(rules_may_be_ignored_per_file),
        APART(folders_are_left_out),
        APART(gitignore_is_respected),
        APART(imports_are_found_on_the_search_path),
        APART(settings_can_be_shown),
        APART(the_manual_names_every_key),
        cmocka_unit_test(every_key_of_the_run_is_an_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
