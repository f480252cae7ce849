/* What fails: baselines, totals, and what is too cheap or too unsure to count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cli.h"

static const char two[] = "import torch\n"
                          "x = torch.ones(3, device=\"cuda\", requires_grad=True)\n"
                          "def step(x):\n"
                          "    a = x.sum().item()\n"
                          "    b = x.max().item()\n"
                          "    return a + b\n"
                          "for i in range(100):\n"
                          "    (x * x).sum().backward()\n"
                          "    step(x)\n";

/* ---- baselines ---- */

/* The source with one text in place of another. */
static void write_changed(const char *path, const char *from, const char *to) {
    char source[2000];
    const char *found = strstr(two, from);
    assert_non_null(found);
    snprintf(source, sizeof source, "%.*s%s%s", (int)(found - two), two, to, found + strlen(from));
    write_text(path, source);
}

static void a_baseline_takes_in_what_is_there(void **state) {
    write_text("a.py", two);
    expect(state, 1, "2 warnings", "a.py");
    expect(state, 0, "2 findings written to base.json.", "--write-baseline=base.json|a.py");
    expect(state, 0, "2 known from before", "--baseline=base.json|a.py");
    write_text("syncl.toml", "baseline = \"base.json\"\n");
    expect(state, 0, "2 known from before", "a.py");
    expect(state, 0, "2 findings written", "--write-baseline=base.json|a.py");
    expect(state, 1, "2 warnings", "--isolated|a.py");
}

static void a_baseline_knows_the_errors_that_it_wrote(void **state) {
    write_text("a.py", "import torch\n"
                       "x = torch.ones(3, device=\"cuda\")\n"
                       "for i in range(100):  # syncl: sync-free\n"
                       "    print(x.sum().item())\n");
    expect(state, 1, "1 error", "a.py");
    expect(state, 0, "1 finding written to base.json.", "--write-baseline=base.json|a.py");
    expect(state, 0, "1 known from before", "--baseline=base.json|a.py");
}

static void it_survives_unrelated_edits(void **state) {
    write_text("a.py", two);
    expect(state, 0, NULL, "--write-baseline=base.json|a.py");
    static const char *const edits[][2] = {
        {"import torch\n", "import torch\n\n# a comment\nimport math\n"}, /* moved lines */
        {"a = x.sum().item()", "a = x.sum( ).item()   # more"},           /* layout */
        {"a = x.sum().item()", "a = 1 + x.sum().item()"},                 /* the statement around it */
        {"def step(x):\n", "def step(x, y=None):\n"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        write_changed("a.py", edits[i][0], edits[i][1]);
        expect(state, 0, "2 known from before", "--baseline=base.json|a.py");
    }
    assert_int_equal(rename("a.py", "b.py"), 0); /* moved with its function */
    write_text("b.py", two);
    expect(state, 0, "2 known from before", "--baseline=base.json|b.py");
}

static void what_is_new_fails(void **state) {
    write_text("a.py", two);
    expect(state, 0, NULL, "--write-baseline=base.json|a.py");
    write_changed("a.py", "    return a + b\n", "    c = x.min().item()\n    return a + b + c\n");
    expect(state, 1, "a.py:6:9", "-v|--baseline=base.json|a.py");
    expect(state, 1, "1 warning and 0 notes in 1 file; not shown: 2 known from before",
           "--baseline=base.json|a.py");
    write_changed("a.py", "    return a + b\n",
                  "    a = x.sum().item()\n    return a + b\n"); /* the same again */
    expect(state, 1, "1 warning and 0 notes", "--baseline=base.json|a.py");
    write_text("a.py", two);
    write_text("copy.py", two); /* a copy is new, the original is not */
    expect(state, 1, "2 warnings and 0 notes in 2 files; not shown: 2 known", "--baseline=base.json|.");
    expect(state, 1, "copy.py:4:9", "-v|--baseline=base.json|.");
}

static void broken_baselines_are_refused(void **state) {
    static const char *const broken[] = {"",
                                         "[]",
                                         "{}",
                                         "{\"syncl_baseline\": 1}",
                                         "{\"syncl_baseline\": 2, \"findings\": []}",
                                         "{\"syncl_baseline\": 1, \"findings\": [{\"id\": 1}]}",
                                         "{\"syncl_baseline\": 1, \"findings\": [\"\\u0000::error::\"]}",
                                         "{\"syncl_baseline\": 1, \"findings\": []} x"};
    write_text("a.py", two);
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        write_text("base.json", broken[i]);
        expect(state, 2, "base.json is not a baseline that --write-baseline wrote",
               "--baseline=base.json|a.py");
    }
    expect(state, 2, "cannot read the baseline none.json: No such file", "--baseline=none.json|a.py");
    expect(state, 2, "cannot write no/base.json", "--write-baseline=no/base.json|a.py");
    write_text("base.json", "{\"syncl_baseline\": 1, \"findings\": []}");
    expect(state, 1, "2 warnings", "--baseline=base.json|a.py");
}

/* ---- gates ---- */

static void totals_are_gates(void **state) {
    write_text("a.py", two);
    expect(state, 1, "a.py:7: the waits of the training step", "--fail-over=1us|a.py");
    expect(state, 0, "2 warnings", "--fail-over=1s|a.py");
    expect(state, 1, "2 warnings", "--fail-over=1s|--fail-on=warning|a.py");
    expect(state, 0, "more than --fail-over 1 us", "--fail-over=1us|--exit-zero|a.py");
    write_text("syncl.toml", "fail-over = \"1us\"\n");
    expect(state, 1, "more than --fail-over 1 us", "--output-format=json|a.py");
    expect(state, 0, "No waits", "--ignore=SYN1|a.py"); /* what is not shown is not counted */
    expect(state, 0, NULL, "--write-baseline=base.json|a.py");
    expect(state, 0, "known from before", "--baseline=base.json|a.py");
}

static void an_allowed_wait_is_not_in_the_total(void **state) {
    write_changed("a.py", "    a = x.sum().item()\n", "    a = x.sum().item()  # syncl: allow[host-read] ok\n");
    expect(state, 1, "more than --fail-over", "--fail-over=1us|a.py");
    write_text("a.py", "# syncl: skip-file\n");
    FILE *file = fopen("a.py", "a");
    assert_non_null(file);
    fputs(two, file);
    fclose(file);
    expect(state, 0, "2 allowed", "--fail-over=1us|a.py");
}

static void what_has_no_price_fails_apart_from_totals(void **state) {
    write_text("a.py", "import time\nimport torch\nx = torch.ones(3, 3, device=\"cuda\", requires_grad=True)\n"
                       "for i in range(100):\n    start = time.time()\n    (x @ x).sum().backward()\n"
                       "    print(time.time() - start)\n");
    expect(state, 1, "timer-", "--fail-over=1s|a.py");
    expect(state, 1, "timer-", "--min-cost=1s|a.py");
    write_text("a.py", two);
    expect(state, 0, "2 warnings", "--fail-over=1s|a.py");
}

static void cheap_and_unsure_findings_can_be_left_out(void **state) {
    write_text("a.py", two);
    expect(state, 0, "2 cheaper than --min-cost", "--min-cost=10s|a.py");
    expect(state, 1, "2 warnings", "--min-cost=1us|a.py");
    write_text("m.py", "import torch\nimport torch.nn as nn\n"
                       "class M(nn.Module):\n    def forward(self, x):\n        return x * x.max().item()\n");
    expect(state, 1, "likely", "m.py");
    expect(state, 0, "1 warning", "--fail-confidence=certain|m.py");
    expect(state, 1, "2 warnings", "--fail-confidence=certain|a.py");
}

int main(void) {
#define APART(test) cmocka_unit_test_setup_teardown(test, enter, leave)
    const struct CMUnitTest tests[] = {
        APART(a_baseline_takes_in_what_is_there),
        APART(a_baseline_knows_the_errors_that_it_wrote),
        APART(it_survives_unrelated_edits),
        APART(what_is_new_fails),
        APART(broken_baselines_are_refused),
        APART(totals_are_gates),
        APART(an_allowed_wait_is_not_in_the_total),
        APART(what_has_no_price_fails_apart_from_totals),
        APART(cheap_and_unsure_findings_can_be_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
