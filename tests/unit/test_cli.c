/* build/syncl as a user runs it: exit status, what it says, what it leaves behind. Each test has an empty folder of
   its own as the current one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cli.h"

/* ---- the interface ---- */

static void answers_questions(void **state) {
    expect(state, 0, "--min-confidence", "--help");
    expect(state, 0, "syncl 0", "--version");
    expect(state, 0, "SYN101  host-read", "--rules");
    expect(state, 0, "## Why it waits", "--explain|host-read");
    expect(state, 0, "## Why it waits", "--explain=SYN101");
    expect(state, 0, "torch.nn: GaussianNLLLoss(), CTCLoss()", "--explain=library-wait");
    expect(state, 0, "    total += loss.detach()", "--explain=host-read");
    expect(state, 2, "'host-read'", "--explain|host-raed");
}

static void refuses_what_it_does_not_know(void **state) {
    write_text("a.py", clean);
    expect(state, 2, "no path", "");
    expect(state, 2, "--fail-on", "--fail-ob=note|a.py");
    expect(state, 2, "no rule", "--select=nothing-like-it|a.py");
    expect(state, 2, "'host-read'", "--ignore=host-reed|a.py");
    expect(state, 2, "55ms", "--step-time=55|a.py");
    expect(state, 2, "missing.json", "--profile=missing.json|a.py");
    write_text("broken.json", "{\"format\":");
    expect(state, 2, "broken.json", "--profile=broken.json|a.py");
}

static void exit_status_follows_the_findings(void **state) {
    write_text("train.py", train);
    write_text("clean.py", clean);
    expect(state, 0, "No waits found in 1 file", "clean.py");
    expect(state, 1, "train.py:13:14: warning[host-read SYN101]", "-v|train.py");
    expect(state, 1, "train.py:13:14: SYN101 host-read", "--output-format=concise|train.py");
    expect(state, 1, "not your GPU", "--output-format=concise|train.py");
    expect(state, 0, "1 warning", "--exit-zero|train.py");
    expect(state, 0, "not selected", "--ignore=SYN1|train.py");
    expect(state, 1, "in 2 files", ".");
}

static void comments_in_the_source_allow(void **state) {
    char source[2000];
    snprintf(source, sizeof source, "%.*s  # syncl: allow[host-read] once a minute\n", (int)strlen(train) - 1,
             train);
    write_text("allowed.py", source);
    expect(state, 0, "1 allowed in the source", "allowed.py");
    snprintf(source, sizeof source, "# syncl: skip-file\n%s", train);
    write_text("skipped.py", source);
    expect(state, 0, "1 allowed in the source", "skipped.py");
    snprintf(source, sizeof source, "%.*s  # noqa: SYN999\n", (int)strlen(train) - 1, train);
    write_text("other.py", source);
    expect(state, 1, "1 warning", "other.py");
}

static void formats_agree(void **state) {
    write_text("train.py", train);
    Ran json = run(state, "--output-format=json|train.py"),
        again = run(state, "--output-format=json|train.py|train.py");
    assert_int_equal(json.status, 1);
    assert_string_equal(json.out, again.out);
    yyjson_doc *document = yyjson_read(json.out, strlen(json.out), 0);
    assert_non_null(document);
    yyjson_val *root = yyjson_doc_get_root(document);
    assert_int_equal(yyjson_get_uint(yyjson_ptr_get(root, "/findings/0/line")), 13);
    assert_int_equal(yyjson_get_uint(yyjson_ptr_get(root, "/findings/0/column")), 14);
    assert_int_equal(yyjson_get_uint(yyjson_ptr_get(root, "/findings/0/end_column")), 25);
    assert_string_equal(yyjson_get_str(yyjson_ptr_get(root, "/findings/0/code")), "SYN101");
    assert_int_equal(yyjson_get_uint(yyjson_ptr_get(root, "/summary/warnings")), 1);
    yyjson_doc_free(document);
    forget(json);
    forget(again);
}

static void the_order_of_paths_does_not_matter(void **state) {
    write_text("a.py", train);
    write_text("b.py", train);
    Ran one = run(state, "a.py|b.py"), other = run(state, "b.py|a.py|b.py");
    assert_string_equal(one.out, other.out);
    forget(one);
    forget(other);
}

static void colour_is_for_terminals(void **state) {
    write_text("train.py", train);
    Ran plain = run(state, "train.py"), coloured = run(state, "--color=always|train.py");
    assert_null(strchr(plain.out, '\x1b'));
    assert_non_null(strchr(coloured.out, '\x1b'));
    forget(plain);
    forget(coloured);
}

static void copy_program(void **state) {
    char command[5000];
    snprintf(command, sizeof command, "cp '%s' syncl", the(state)->program);
    assert_int_equal(system(command), 0);
}

/* A copy of syncl with a calibrator beside it that we wrote. */
static void install_calibrator(void **state, const char *script) {
    copy_program(state);
    write_text("syncl-calibrate", script);
    assert_int_equal(chmod("syncl-calibrate", 0755), 0);
}

static void calibrate_is_another_program(void **state) {
    copy_program(state);
    Ran none = run_program("./syncl", STDOUT_FILE, "--calibrate");
    assert_int_equal(none.status, 2);
    assert_non_null(strstr(none.err, "the calibrator is not installed"));
    forget(none);
    install_calibrator(state, "#!/bin/sh\necho calibrating \"$@\"\nexit 7\n");
    Ran ran = run_program("./syncl", STDOUT_FILE, "--calibrate|--device|1|--even-if-busy|-o|mine.json");
    assert_int_equal(ran.status, 7);
    assert_string_equal(ran.out, "calibrating --device 1 -o mine.json --even-if-busy\n");
    forget(ran);
    expect(state, 2, "go with --calibrate", "--device=1|x.py");
}

static void expect_calibrated(int status, const char *out, const char *err, const char *line) {
    Ran ran = run_program("./syncl", STDOUT_FILE, line);
    if (ran.status != status || !strstr(ran.out, out) || !strstr(ran.err, err))
        fail_msg("%s: exit %d\n%s%.2000s", line, ran.status, ran.err, ran.out);
    forget(ran);
}

/* The calibrator answers 3 where there is no GPU; its words stay out of the report. */
static void calibrates_and_then_checks(void **state) {
    write_text("train.py", train);
    install_calibrator(state, "#!/bin/sh\necho no GPU, says \"$@\"\nexit 3\n");
    expect_calibrated(1, "\n", "no GPU, says --if-present\n", "--calibrate|--output-format=concise|train.py");
    expect_calibrated(1, "built-in reference profile", "no GPU", "train.py|--calibrate");
    install_calibrator(state, "#!/bin/sh\necho busy >&2\nexit 2\n");
    expect_calibrated(2, "", "busy\n", "--calibrate|train.py");
    char script[5000];
    snprintf(script, sizeof script, "#!/bin/sh\ncp '%.4000s/calib/profiles/h200.json' mine.json\n",
             the(state)->home);
    write_text("syncl-calibrate", script);
    expect_calibrated(1, "profile \"NVIDIA H200\"", "", "--calibrate|-o|mine.json|train.py");
}

/* Profiles saved for other machines: one is used, and said to be of another machine; of several none is. */
static void saved_profiles_are_chosen(void **state) {
    char command[9000];
    const char *home = the(state)->home;
    write_text("train.py", train);
    snprintf(
        command, sizeof command,
        "mkdir -p data/syncl/profiles && cp '%.4000s/calib/profiles/h200.json' data/syncl/profiles/one.json",
        home);
    assert_int_equal(system(command), 0);
    setenv("XDG_DATA_HOME", "data", 1);
    expect(state, 1, "the only profile saved here, of another machine", "train.py");
    expect(state, 0, "data/syncl/profiles/one.json\n    another machine: NVIDIA H200", "--profiles");
    assert_int_equal(system("cp data/syncl/profiles/one.json data/syncl/profiles/two.json"), 0);
    expect(state, 2, "2 profiles are saved and none is of this machine's GPU", "train.py");
    expect(state, 1, "NVIDIA H200", "--profile=data/syncl/profiles/two.json|train.py");
    write_text("data/syncl/profiles/two.json", "{\"format\": 1, \"quantities\": {}}");
    expect(state, 1, "has format 1", "train.py");
    expect(state, 0, "two.json\n    unusable", "--profiles");
    unsetenv("XDG_DATA_HOME");
}

static void profiles_that_ship(void **state) {
    write_text("train.py", train);
    expect(state, 1, "the profile \"h100\" (NVIDIA H100 (SXM, 80 GB)", "--profile=h100|train.py");
    expect(state, 1, "the profile \"h200\" (NVIDIA H200, measured", "--profile=h200|train.py");
    expect(state, 2, "'h300': No such file or directory; those that ship are h200, h100",
           "--profile=h300|train.py");
    expect(state, 2, "'./h100': No such file or directory\n", "--profile=./h100|train.py");
    expect(state, 0, "h100\n    ships with syncl: NVIDIA H100", "--profiles");
    write_text("syncl.toml", "profile = \"h100\"\n");
    expect(state, 1, "the profile \"h100\"", "train.py");
    assert_int_equal(remove("syncl.toml"), 0);
}

/* Waits for another accelerator are found; that they are not priced is said, and no gate by price passes. */
static void other_accelerators_are_not_priced(void **state) {
    static const char mps[] = "import torch\nx = torch.randn(64, 64, device='mps')\nfor step in range(100):\n"
                              "    x = x @ x\n    print(x.sum().item())\n";
    write_text("apple.py", mps);
    expect(state, 1, "not calibrated for mps", "--output-format=concise|apple.py");
    expect(state, 1, "apple.py:5:11", "--min-cost=1s|--output-format=concise|apple.py");
    expect(state, 1, "Waits are found, but not priced: not calibrated for mps", "apple.py");
    expect(state, 2, "nothing is calibrated for mps", "--fail-over=1ms|apple.py");
    Ran json = run(state, "--output-format=json|apple.py");
    yyjson_doc *document = yyjson_read(json.out, strlen(json.out), 0);
    yyjson_val *root = yyjson_doc_get_root(document);
    assert_true(yyjson_is_null(yyjson_ptr_get(root, "/findings/0/cost/low_us")));
    assert_true(yyjson_is_null(yyjson_ptr_get(root, "/findings/0/cost/per_execution/high_us")));
    assert_true(yyjson_is_null(yyjson_ptr_get(root, "/findings/0/cost/blocked_us")));
    assert_true(yyjson_is_null(yyjson_ptr_get(root, "/loops/0/all/low_us")));
    yyjson_doc_free(document);
    forget(json);
    write_text("named.py",
               "import torch\nmps = 3\nx = torch.randn(64).to(torch.accelerator.current_accelerator())\n"
               "for step in range(100):\n    print(x.sum().item(), mps)\n");
    expect(state, 1, "13 to 55 us a turn of the loop", "-v|named.py");
}

/* ---- where it writes ---- */

static int entries_like(const char *pattern) {
    char command[300];
    snprintf(command, sizeof command, "test -z \"$(ls -A | grep -e '%s')\"", pattern);
    return system(command);
}

static void a_file_is_written_whole_or_not_at_all(void **state) {
    write_text("train.py", train);
    Ran shown = run(state, "train.py");
    expect(state, 1, NULL, "-o|report.txt|train.py");
    char *written = read_file("report.txt");
    assert_non_null(written);
    assert_string_equal(written, shown.out);
    expect(state, 2, "cannot write no/such/folder.txt", "-o|no/such/folder.txt|train.py");
    expect(state, 2, "cannot write .", "-o|.|train.py");
    expect(state, 1, NULL, "-o|/dev/null|train.py");
    assert_int_equal(entries_like("tmp"), 0);
    struct stat status;
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
    free(written);
    forget(shown);
}

static void a_link_stays_a_link(void **state) {
    write_text("clean.py", clean);
    write_text("real.txt", "old");
    assert_int_equal(symlink("real.txt", "link.txt"), 0);
    expect(state, 0, NULL, "-o|link.txt|clean.py");
    struct stat status;
    assert_int_equal(lstat("link.txt", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    char *written = read_file("real.txt");
    assert_non_null(strstr(written, "No waits found"));
    free(written);
}

static void an_output_that_fails_is_an_error(void **state) {
    write_text("train.py", train);
    static const Stdout ways[] = {STDOUT_CLOSED, STDOUT_FULL, STDOUT_BROKEN_PIPE};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        Ran ran = run_program(the(state)->program, ways[i], "train.py");
        assert_int_equal(ran.status, 2);
        assert_true(is_one_line(ran.err));
        assert_non_null(strstr(ran.err, "cannot write to standard output"));
        forget(ran);
    }
}

/* ---- odd input ---- */

static void a_missing_file_cannot_run(void **state) {
    write_text("clean.py", clean);
    expect(state, 2, "missing.py", "missing.py");
    expect(state, 2, "missing.py", "clean.py|missing.py");
    expect(state, 2, "a path is empty", "clean.py||clean.py");
}

static void a_gate_that_checks_nothing_does_not_pass(void **state) {
    assert_int_equal(mkdir("empty", 0700), 0);
    write_text("empty/readme.txt", "no Python");
    expect(state, 2, "nothing was analysed: empty", "empty");
    write_file("binary.py", "\0\1\2\0\377\0", 6);
    expect(state, 2, "nothing was analysed: binary.py", "binary.py");
    write_text("clean.py", clean);
    expect(state, 0, "1 skipped", "clean.py|binary.py");
}

static void odd_text_is_read_as_far_as_it_goes(void **state) {
    write_text("empty.py", "");
    write_text("bom.py", "\xEF\xBB\xBFx = 1\r\ny = 2\r\n");
    write_text("latin.py", "x = '\xE9\xFF'\n");
    write_text("two.py", "print 'hello'\nexec 'x'\n");
    write_text("open.py", "def f(:\n    x = [1, (2\n\nfor in:\n");
    write_text("mixed.py", "if x:\n\ty = 1\n        z = 2\n");
    static const char *const names[] = {"empty.py", "bom.py", "latin.py", "two.py", "open.py", "mixed.py"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) expect(state, 0, "1 file", names[i]);
}

static void fill(const char *path, const char *before, char letter, size_t count, const char *after) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(before, file);
    for (size_t i = 0; i < count; i++) fputc(letter, file);
    fputs(after, file);
    assert_int_equal(fclose(file), 0);
}

static void deep_and_large_files_end(void **state) {
    fill("deep.py", "x = ", '(', 100000, "\n");
    expect(state, 0, NULL, "deep.py");
    fill("minus.py", "x = ", '-', 100000, "1\n");
    expect(state, 0, NULL, "minus.py");
    fill("large.py", "x = '", 'a', 50u << 20, "'\n");
    expect(state, 2, "large.py", "large.py");
    fill("long_line.py", "x = '", 'a', 4u << 20, "'\n");
    expect(state, 0, NULL, "long_line.py");
}

/* A register of twenty places that shifts once a call settles after twenty evaluations, more than are made. */
static void what_never_settles_is_counted(void **state) {
    static char text[8192];
    int at = snprintf(text, sizeof text, "import torch\n\nclass Shift:\n    def step(self, x):\n");
    for (int i = 150; i > 0; i--)
        at += snprintf(text + at, sizeof text - (size_t)at, "        self.a%d = self.a%d\n", i, i - 1);
    snprintf(
        text + at, sizeof text - (size_t)at,
        "        self.a0 = x\n\ns = Shift()\nfor i in range(9):\n    s.step(torch.ones(2, device='cuda'))\n");
    write_text("shift.py", text);
    expect(state, 0, "2 calls not followed to the end", "shift.py"); /* of a tensor, and of no value yet */
    expect(state, 0, "\"given_up\": 2", "--output-format=json|shift.py");
    write_text("clean.py", clean);
    expect(state, 0, "\"given_up\": 0", "--output-format=json|clean.py");
}

/* Of what is imported, a method too large for the room that neighbours have: what it gives is unknown, and not None. */
static void what_is_left_unread_is_counted(void **state) {
    fill("helper.py", "class Helper:\n    def big(self):\n        return [", '1', 1u << 20, "]\n");
    write_text("main.py", "import torch\nfrom helper import Helper\nx = Helper()\ny = x.big()\n");
    expect(state, 0, "y is unknown", "--no-project|--dump=facts|main.py");
    expect(state, 0, "x is instance", "--no-project|--dump=facts|main.py");
    expect(state, 0, "1 imported definition left unread", "--no-project|main.py");
    expect(state, 0, "\"unread\": 1", "--no-project|--output-format=json|main.py");
    expect(state, 0, "\"neighbours\": 1", "--no-project|--output-format=json|main.py");
    expect(state, 0, "\"unread\": 0", "--output-format=json|.");
    expect(state, 0, "\"neighbours\": 0", "--output-format=json|.");
}

static void special_files_are_not_read(void **state) {
    assert_int_equal(mkdir("folder", 0700), 0);
    write_text("folder/clean.py", clean);
    assert_int_equal(mkfifo("folder/fifo.py", 0600), 0);
    assert_int_equal(symlink("../folder", "folder/loop"), 0);
    assert_int_equal(symlink("self.py", "folder/self.py"), 0);
    expect(state, 0, "1 file", "folder");
    Ran ran = run(state, "folder/fifo.py");
    assert_int_equal(ran.status, 2);
    forget(ran);
    expect(state, 2, "self.py", "folder/self.py");
}

/* Root may read everything, so the child is nobody then. */
static void unreadable_files_are_counted(void **state) {
    write_text("clean.py", clean);
    write_text("closed.py", clean);
    assert_int_equal(chmod("closed.py", 0), 0);
    copy_program(state);
    assert_int_equal(chmod("..", 0755), 0);
    assert_int_equal(chmod(".", 0755), 0);
    Ran ran = run_program("./syncl", STDOUT_FILE_AS_NOBODY, "clean.py|closed.py");
    assert_int_equal(ran.status, 0);
    assert_non_null(strstr(ran.out, "skipped closed.py: "));
    forget(ran);
}

/* ---- injection ---- */

static void assert_harmless(const char *text) {
    bool line_start = true;
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        if (line_start) assert_memory_not_equal(at, "::", 2);
        assert_true(strncmp((const char *)at, "##[", 3) != 0);
        assert_true((*at >= 0x20 && *at != 0x7F) || *at == '\n');
        assert_true(strncmp((const char *)at, "\xE2\x80\xAE", 3) != 0);
        line_start = *at == '\n' || (line_start && *at == ' ');
    }
}

static const char hostile_name[] = "x\n::error::pwn\n  ::warning::a##[error]b\x1b[31m\xE2\x80\xAE.py";

static void write_hostile(void) {
    char source[2000];
    snprintf(source, sizeof source,
             "%s    print('##[error]', \"::error::\", loss.item(), '\x1b[31m \x07 \xE2\x80\xAE \xff')\n"
             "    s = ('\'\'\n::error::x\n##[group]\'\'\', loss.item()\n)\n",
             train);
    write_text(hostile_name, source);
}

/* Commands are its purpose: only its own may stand there. */
static void only_its_own_commands_come_out(void **state) {
    write_hostile();
    assert_int_equal(setenv("GITHUB_ACTIONS", "true", 1), 0);
    assert_int_equal(setenv("GITHUB_STEP_SUMMARY", "summary.md", 1), 0);
    Ran ran = run(state, "--output-format=github|.");
    assert_int_equal(ran.status, 1);
    for (char *line = ran.out; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        char *blanks = line + strspn(line, " ");
        bool own = strncmp(line, "::warning file=", 15) == 0 || strncmp(line, "::notice file=", 14) == 0;
        assert_true(own || strncmp(blanks, "::", 2) != 0);
        if (own) line += 2;
    }
    assert_null(strstr(ran.out, "##["));
    assert_null(strchr(ran.out, '\x1b'));
    char *summary = read_file("summary.md");
    assert_non_null(strstr(summary, "### syncl"));
    assert_harmless(summary);
    free(summary);
    forget(ran);
    assert_int_equal(unsetenv("GITHUB_STEP_SUMMARY"), 0);
}

static void a_second_report_may_be_written(void **state) {
    write_text("train.py", train);
    expect(state, 1, "1 warning", "--sarif|report.sarif|train.py");
    char *sarif = read_file("report.sarif");
    assert_non_null(strstr(sarif, "\"startColumn\": 14"));
    free(sarif);
    expect(state, 2, "cannot write no/where", "--sarif|no/where|train.py");
    expect(state, 1, NULL, "--also=json:a.json|--also=junit:b:c.xml|-o|c.txt|--sarif=d.sarif|train.py");
    static const char *const written[][2] = {{"a.json", "\"findings\""},
                                             {"b:c.xml", "<testsuite"},
                                             {"c.txt", "1 warning"},
                                             {"d.sarif", "\"2.1.0\""}};
    for (size_t i = 0; i < 4; i++) {
        char *text = read_file(written[i][0]);
        assert_non_null(text);
        assert_non_null(strstr(text, written[i][1]));
        free(text);
    }
    expect(state, 2, "output-format takes plan|full|", "--also=xml:a.xml|train.py");
    expect(state, 2, "FORMAT:FILE", "--also=json|train.py");
    expect(state, 2, "cannot write no/where", "--also=json:no/where|train.py");
}

static void sources_and_names_drive_nothing(void **state) {
    write_hostile();
    assert_int_equal(setenv("GITHUB_ACTIONS", "true", 1), 0);
    static const char *const formats[] = {"full", "concise", "json", "sarif"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        char line[100];
        snprintf(line, sizeof line, "--output-format=%s|.", formats[i]);
        Ran ran = run(state, line);
        assert_int_equal(ran.status, 1);
        assert_harmless(ran.out);
        assert_harmless(ran.err);
        forget(ran);
    }
    static const char *const errors[] = {"::error::missing\n::error::", "--\n::error::x",
                                         "--select=\n::error::##[x", "-\x1b[31m", "--dump=##[error]|."};
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        Ran ran = run(state, errors[i]);
        assert_int_equal(ran.status, 2);
        assert_true(is_one_line(ran.err));
        assert_harmless(ran.err);
        forget(ran);
    }
}

int main(void) {
#define APART(test) cmocka_unit_test_setup_teardown(test, enter, leave)
    const struct CMUnitTest tests[] = {
        APART(answers_questions),
        APART(refuses_what_it_does_not_know),
        APART(exit_status_follows_the_findings),
        APART(comments_in_the_source_allow),
        APART(formats_agree),
        APART(the_order_of_paths_does_not_matter),
        APART(colour_is_for_terminals),
        APART(calibrate_is_another_program),
        APART(calibrates_and_then_checks),
        APART(saved_profiles_are_chosen),
        APART(profiles_that_ship),
        APART(other_accelerators_are_not_priced),
        APART(a_file_is_written_whole_or_not_at_all),
        APART(a_link_stays_a_link),
        APART(an_output_that_fails_is_an_error),
        APART(a_missing_file_cannot_run),
        APART(a_gate_that_checks_nothing_does_not_pass),
        APART(odd_text_is_read_as_far_as_it_goes),
        APART(deep_and_large_files_end),
        APART(what_never_settles_is_counted),
        APART(what_is_left_unread_is_counted),
        APART(special_files_are_not_read),
        APART(unreadable_files_are_counted),
        APART(sources_and_names_drive_nothing),
        APART(only_its_own_commands_come_out),
        APART(a_second_report_may_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
