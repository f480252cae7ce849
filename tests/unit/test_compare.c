/* --compare: what another revision had, what grew and why; and that a hostile repository can start nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cli.h"

static const char step[] = "import torch\n"
                           "import torch.nn as nn\n"
                           "from tools import norm\n"
                           "device = torch.device(\"cuda\")\n"
                           "model = nn.Linear(10, 10).to(device)\n"
                           "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
                           "total = 0.0\n"
                           "for step in range(1000):\n"
                           "    x = torch.randn(32, 10, device=device)\n"
                           "    loss = model(x).pow(2).mean()\n"
                           "    optimizer.zero_grad()\n"
                           "    loss.backward()\n"
                           "    optimizer.step()\n";
static const char tools[] = "def norm(x):\n    n = x.norm().item()\n    return n\n";

static void shell(const char *command) {
    if (system(command) != 0) fail_msg("%s", command);
}

static void commit(void) {
    shell("git -c init.defaultBranch=main init -q . && git add -A && "
          "git -c user.name=a -c user.email=b -c commit.gpgsign=false commit -q -m x");
}

static void write_step(const char *more) {
    char source[3000];
    snprintf(source, sizeof source, "%s%s", step, more);
    write_text("train.py", source);
}

static void write_project(const char *more) {
    write_step(more);
    write_text("tools.py", tools);
    commit();
}

static void what_was_there_does_not_fail(void **state) {
    write_project("    total += loss.item()\n");
    expect(state, 1, "1 warning", ".");
    expect(state, 0, "Compared with HEAD: 0 new, 1 as before, 0 gone; no loop's waits cost more or less",
           "--compare=HEAD|.");
    write_step("    # moved\n    total += loss.item()\n");
    expect(state, 0, "0 new, 1 as before, 0 gone", "--compare=HEAD|train.py");
    write_step("");
    expect(state, 0, "0 new, 0 as before, 1 gone", "--compare=HEAD|.");
    expect(state, 0, "-", "--compare=HEAD|.");
}

static void new_findings_fail_with_their_price(void **state) {
    write_project("");
    write_step("    total += loss.item()\n");
    expect(state, 1, "Compared with HEAD: 1 new, 0 as before, 0 gone", "--compare=HEAD|--max-growth=1s|.");
    Ran ran = run(state, "--compare=HEAD|--max-growth=10us|.");
    assert_int_equal(ran.status, 1);
    assert_non_null(strstr(ran.out, "us/step (+"));
    assert_non_null(strstr(ran.out, "%), too much: training step of `for step in range(1000)` (train.py:8)"));
    assert_non_null(strstr(ran.out, "us  train.py:14:14 host-read `loss.item()`: new\n"));
    forget(ran);
    expect(state, 1, "\"too_much\": true", "--compare=HEAD|--max-growth=10us|--output-format=json|.");
    expect(state, 1, "too much: training step", "--compare=HEAD|--max-growth=10us|--output-format=sarif|.");
    expect(state, 0, "1 new", "--compare=HEAD|--exit-zero|.");
    write_text("other.py", step); /* a file that was not there */
    expect(state, 0, "No waits", "--compare=HEAD|other.py");
}

static void growth_alone_fails(void **state) {
    write_project("    if step % 100 == 0:\n        total += loss.item()\n");
    write_step("    if step % 1 == 0 or True:\n        total += loss.item()\n");
    expect(state, 1, "too much", "--compare=HEAD|--max-growth=10us|--fail-over=10s|.");
    expect(state, 0, "an old line that runs more often", "--compare=HEAD|--max-growth=1s|--fail-over=10s|.");
    expect(state, 1, "1 warning", "--compare=HEAD|--max-growth=1s|."); /* a note then, a warning now */
    write_text("syncl.toml", "max-growth = \"1us\"\nfail-over = \"10s\"\n");
    expect(state, 1, "too much", "--compare=HEAD|.");
}

static void a_new_caller_makes_an_old_line_hot(void **state) {
    write_project("");
    write_step("    norm(x)\n");
    expect(state, 1,
           "tools.py:2:9 host-read `x.norm().item()`: an old line that became hot: called by `norm(x)` "
           "(train.py:14)",
           "--compare=HEAD|.");
}

static void paths_and_settings_are_those_of_today(void **state) {
    assert_int_equal(mkdir("sub", 0700), 0);
    write_text("sub/train.py", step);
    write_project("    total += loss.item()\n");
    write_text("syncl.toml", "extend-exclude = [\"train.py\"]\n");
    expect(state, 0, "0 new, 0 as before, 0 gone", "--compare=HEAD|.");
    write_text("syncl.toml", "baseline = \"base.json\"\n");
    expect(state, 0, "1 finding written", "--write-baseline=base.json|.");
    write_step("    total += loss.item()\n    norm(x)\n");
    expect(state, 1, "1 warning and 0 notes in 3 files; not shown: 1 known from before", "--compare=HEAD|.");
    assert_int_equal(chdir("sub"), 0);
    Ran ran =
        run_program(the(state)->program, STDOUT_FILE, "--isolated|--compare=HEAD|../train.py|../tools.py");
    assert_int_equal(chdir(".."), 0);
    free(ran.out);
    free(ran.err);
    ran = (Ran){ran.status, read_file("out"), read_file("err")}; /* from sub, ../out is here */
    assert_int_equal(ran.status, 1);
    assert_non_null(strstr(ran.out, "1 new, 1 as before, 0 gone"));
    forget(ran);
}

static void wrong_revisions_are_errors(void **state) {
    write_text("train.py", step);
    expect(state, 2, "needs a git repository", "--compare=HEAD|train.py");
    write_project("");
    static const char *const wrong[] = {"nothing",       "--output=../pwned", "--help",   "-h",
                                        "HEAD:train.py", "HEAD\n::error::",   "\x1b[31m", " "};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char line[100];
        snprintf(line, sizeof line, "--compare=%s|train.py", wrong[i]);
        Ran ran = run(state, line);
        if (ran.status != 2 || !is_one_line(ran.err)) fail_msg("%s: %d %s", wrong[i], ran.status, ran.err);
        assert_null(strchr(ran.err, '\x1b'));
        forget(ran);
    }
    assert_int_not_equal(access("../pwned", F_OK), 0);
    expect(state, 2, "outside of the repository", "--compare=HEAD|/etc");
    expect(state, 2, "does not go with --trace", "--compare=HEAD|--trace=x.json|train.py");
}

/* ---- a repository that means harm ---- */

/* Everything that a repository's own files can make git start, each leaving its name in ../started. */
static void set_traps(void) {
    char config[6000] = "", script[300], here[400];
    static const char *const programs[] = {
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "core.sshCommand",
        "core.gitProxy",
        "core.askPass",
        "diff.external",
        "gpg.program",
        "sequence.editor",
        "credential.helper",
        "pager.ls-tree",
        "pager.cat-file",
        "pager.rev-parse",
        "filter.x.smudge",
        "filter.x.clean",
        "filter.x.process",
        "diff.x.textconv",
        "diff.x.command",
        "merge.x.driver",
        "interactive.diffFilter",
        "uploadpack.packObjectsHook",
        "core.alternateRefsCommand",
    };
    assert_non_null(getcwd(here, 300));
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        snprintf(script, sizeof script, "git config %s '%.200s/trap %s'", programs[i], here, programs[i]);
        shell(script);
    }
    snprintf(config, sizeof config, "#!/bin/sh\necho \"$0 $*\" >>'%.300s/../started'\nexec cat\n", here);
    write_text("trap", config);
    write_text(".gitattributes", "*.py filter=x diff=x merge=x\n");
    shell(
        "chmod +x trap && mkdir -p .git/hooks traps && "
        "for h in post-checkout post-index-change reference-transaction pre-auto-gc fsmonitor-watchman "
        "post-update; do "
        "cp trap .git/hooks/$h; cp trap traps/$h; done && git config core.hooksPath traps && "
        "git config alias.ls-tree '!./trap alias' && git config alias.cat-file '!./trap alias' && "
        "git config extensions.partialClone evil && git config remote.evil.promisor true && "
        "git config core.repositoryFormatVersion 1 && "
        "git config protocol.ext.allow always && git config remote.evil.url 'ext::./trap ext' && cp trap git");
}

static void nothing_of_the_repository_is_started(void **state) {
    write_project("    total += loss.item()\n");
    set_traps();
    assert_int_equal(setenv("GIT_EXTERNAL_DIFF", "./trap", 1), 0);
    assert_int_equal(setenv("GIT_SSH_COMMAND", "./trap", 1), 0);
    const char *path = getenv("PATH");
    char *kept = strdup(path ? path : ""), hostile[4000];
    snprintf(hostile, sizeof hostile, ".:%.3900s", kept);
    assert_int_equal(setenv("PATH", hostile, 1), 0);
    expect(state, 0, "0 new, 1 as before, 0 gone", "--compare=HEAD|.");
    /* an object that is missing would be fetched from the promisor */
    shell("PATH=${PATH#.:}; rm -f $(git -c core.fsmonitor= rev-parse HEAD:tools.py | sed "
          "'s|^..|.git/objects/&/|'); rm -f ../started");
    expect(state, 2, "git", "--compare=HEAD|.");
    assert_int_equal(setenv("PATH", kept, 1), 0);
    assert_int_equal(unsetenv("GIT_EXTERNAL_DIFF") | unsetenv("GIT_SSH_COMMAND"), 0);
    free(kept);
    char *started = read_file("../started");
    if (started) fail_msg("started: %s", started);
}

/* The traps do spring when git is used as anybody would: else the test above could not fail. */
static void the_traps_work(void **state) {
    (void)state;
    write_project("");
    set_traps();
    shell("git status >/dev/null 2>&1; git diff HEAD >/dev/null 2>&1; true");
    char *started = read_file("../started");
    assert_non_null(started);
    free(started);
}

/* What git is told, by a git of our own that writes it down. */
static void git_is_told_to_start_nothing(void **state) {
    write_project("    total += loss.item()\n");
    char real[400], path[4000], script[900];
    shell("mkdir ../bin; command -v git >../real");
    char *found = read_file("../real");
    snprintf(real, sizeof real, "%.*s", (int)strcspn(found, "\n"), found);
    free(found);
    snprintf(script, sizeof script, "#!/bin/sh\necho \"$*\" >>'%s/told'\nenv >>'%s/told'\nexec '%s' \"$@\"\n",
             the(state)->folder, the(state)->folder, real);
    write_text("../bin/git", script);
    shell("chmod +x ../bin/git");
    char *kept = strdup(getenv("PATH"));
    snprintf(path, sizeof path, "%s/bin:%.3800s", the(state)->folder, kept);
    assert_int_equal(setenv("PATH", path, 1) | setenv("GIT_EXTERNAL_DIFF", "evil", 1), 0);
    expect(state, 0, "1 as before", "--compare=HEAD|.");
    assert_int_equal(setenv("PATH", kept, 1) | unsetenv("GIT_EXTERNAL_DIFF"), 0);
    free(kept);
    char *told = read_file("../told");
    static const char *const wanted[] = {"rev-parse --verify --quiet --end-of-options HEAD^{tree}",
                                         "ls-tree -r -z --full-tree --end-of-options ",
                                         "-c core.fsmonitor=false",
                                         "-c core.hooksPath=/dev/null",
                                         "-c diff.external=false",
                                         "-c protocol.allow=never",
                                         "--no-replace-objects",
                                         "--no-pager",
                                         "\nGIT_ALLOW_PROTOCOL=\n",
                                         "\nGIT_NO_LAZY_FETCH=1\n"};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        if (!strstr(told, wanted[i])) fail_msg("git is not told: %s", wanted[i]);
    assert_null(strstr(told, "GIT_EXTERNAL_DIFF"));
    free(told);
}

/* Trees made by hand: parts that lead out, links, and names that no file should have. */
static void trees_cannot_lead_out(void **state) {
    write_project("    total += loss.item()\n");
    shell(
        "blob=$(git hash-object -w train.py); sub=$(printf '100644 blob %s\\tpwned.py\\n' $blob | git mktree); "
        "raw() { printf '%s %s\\0' \"$1\" \"$2\"; printf '%s' \"$3\" | sed 's/../\\\\x&/g' | xargs -0 printf "
        "'%b'; }; "
        "{ raw 40000 .. $sub; raw 120000 link.py $blob; raw 100644 train.py $blob; } "
        ">../tree; "
        "git hash-object -t tree --literally -w ../tree >../name; ln -s / there");
    char *name = read_file("../name"), line[200];
    assert_non_null(name);
    snprintf(line, sizeof line, "--compare=%.40s|.", name);
    assert_int_equal(mkdir("../tmp", 0700), 0);
    assert_int_equal(setenv("TMPDIR", "../tmp", 1), 0);
    expect(state, 0, "0 new, 1 as before, 0 gone", line);
    assert_int_equal(unsetenv("TMPDIR"), 0);
    assert_int_equal(rmdir("../tmp"), 0); /* where `..` would have led to */
    free(name);
}

static void nothing_is_left_behind(void **state) {
    write_project("");
    assert_int_equal(mkdir("../tmp", 0700), 0);
    assert_int_equal(setenv("TMPDIR", "../tmp", 1), 0);
    expect(state, 0, "Compared with", "--compare=HEAD|.");
    assert_int_equal(rmdir("../tmp"), 0); /* it is empty */
    expect(state, 2, "cannot write the other revision's files", "--compare=HEAD|.");
    assert_int_equal(unsetenv("TMPDIR"), 0);
}

int main(void) {
#define APART(test) cmocka_unit_test_setup_teardown(test, enter, leave)
    const struct CMUnitTest tests[] = {
        APART(what_was_there_does_not_fail),
        APART(new_findings_fail_with_their_price),
        APART(growth_alone_fails),
        APART(a_new_caller_makes_an_old_line_hot),
        APART(paths_and_settings_are_those_of_today),
        APART(wrong_revisions_are_errors),
        APART(nothing_of_the_repository_is_started),
        APART(the_traps_work),
        APART(git_is_told_to_start_nothing),
        APART(trees_cannot_lead_out),
        APART(nothing_is_left_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
