/* Comments that allow: what is said of them, and --add-allow, which writes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cli.h"

static const char hot[] = "import torch\n"
                          "x = torch.ones(3, device=\"cuda\", requires_grad=True)\n"
                          "for i in range(100):\n"
                          "    (x * x).sum().backward()\n";

static char *source_of(const char *lines) {
    static char source[4000];
    snprintf(source, sizeof source, "%s%s", hot, lines);
    return source;
}

static void unused_comments_are_reported(void **state) {
    write_text("a.py", source_of("    print(x.sum().item())  # syncl: allow[host-read] a log\n"
                                 "    y = 1  # syncl: allow[host-read] gone\n"));
    expect(state, 0, "1 allowed in the source", "a.py");
    expect(state, 1, "a.py:6:14: warning[unused-allow SYN901] `syncl: allow[host-read] gone` allows nothing",
           "-v|--report-unused|a.py");
    expect(state, 1, "a.py:6:14: warning unused-allow `syncl: allow[host-read] gone` allows nothing\n",
           "--report-unused|a.py");
    expect(state, 0, "No waits", "--report-unused|--ignore=SYN901|a.py");
    write_text("a.py", source_of("    y = x.sum().item()  # syncl: allow[host-read, print-tensor] a log\n"));
    expect(state, 1, "a.py:5:51: warning[unused-allow SYN901] `print-tensor` allows nothing",
           "-v|--report-unused|a.py");
    write_text("a.py", source_of("    y = x.sum().item()  # noqa: E501, SYN101, SYN102\n"));
    expect(state, 1, "`SYN102` allows nothing", "--report-unused|a.py");
    write_text("a.py", "# syncl: skip-file\nimport torch\n");
    expect(state, 1, "`syncl: skip-file` allows nothing", "--report-unused|a.py");
    static const char *const formats[] = {"concise", "json",   "json-lines", "github",
                                          "sarif",   "gitlab", "junit",      "rdjson"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        char line[100];
        snprintf(line, sizeof line, "--report-unused|--output-format=%s|a.py", formats[i]);
        expect(state, 1, "allows nothing", line);
    }
    write_text("syncl.toml", "report-unused = true\n");
    expect(state, 1, "unused-allow", "a.py");
}

static void a_reason_can_be_required(void **state) {
    write_text("a.py", source_of("    y = x.sum().item()  # syncl: allow[host-read]\n"));
    expect(state, 0, "1 allowed", "a.py");
    expect(state, 1,
           "a.py:5:27: warning[allow-without-reason SYN902] `syncl: allow[host-read]` gives no reason",
           "-v|--require-reason|a.py");
    write_text("syncl.toml", "require-reason = true\n");
    expect(state, 1, "allow-without-reason", "a.py");
    write_text("a.py", source_of("    y = x.sum().item()  # syncl: allow[host-read] a log\n"));
    expect(state, 0, "1 allowed", "a.py");
    write_text("a.py", source_of("    y = x.sum().item()  # noqa: SYN101\n"));
    expect(state, 0, "1 allowed", "a.py");
}

static void assert_file(const char *path, const char *text) {
    char *now = read_file(path);
    if (strcmp(now, text) != 0) fail_msg("%s is:\n%s", path, now);
    free(now);
}

static void comments_are_written(void **state) {
    write_text("a.py", source_of("    y = x.sum().item()\n"
                                 "    z = (x.sum().item(),\n"
                                 "         2)   # two\n"));
    assert_int_equal(chmod("a.py", 0640), 0);
    expect(state, 0, "2 comments added in 1 file.", "--add-allow|--allow-reason=for now|a.py");
    char wanted[4000];
    snprintf(wanted, sizeof wanted, "%s",
             source_of("    y = x.sum().item()  # syncl: allow[host-read] for now\n"
                       "    z = (x.sum().item(),\n"
                       "         2)   # two  # syncl: allow[host-read] for now\n"));
    assert_file("a.py", wanted);
    struct stat info;
    assert_int_equal(stat("a.py", &info), 0);
    assert_int_equal(info.st_mode & 07777, 0640);
    expect(state, 0, "2 allowed in the source", "--require-reason|a.py");
    expect(state, 0, "0 comments added in 0 files.", "--add-allow|a.py");
    assert_file("a.py", wanted);
}

static void bytes_and_line_ends_are_kept(void **state) {
    char source[4000], wanted[4000];
    static const char before[] =
        "\xEF\xBB\xBF# \xC3\xA9 is UTF-8\r\nimport torch\r\nx = torch.ones(3, device=\"cuda\")\r\n"
        "for i in range(9):\r\n    (x * x).sum().backward()\r\n    print(1, x.sum().item())";
    snprintf(source, sizeof source, "%s  \r\n    pass", before);
    snprintf(wanted, sizeof wanted, "%s  # syncl: allow[host-read]  \r\n    pass", before);
    write_text("a.py", source);
    expect(state, 0, "1 comment added in 1 file.", "--add-allow|a.py");
    assert_file("a.py", wanted);
}

static void a_carriage_return_alone_ends_a_line_and_is_kept(void **state) {
    char source[4000], wanted[4000];
    static const char before[] =
        "import torch\rx = torch.ones(3, device=\"cuda\")\r"
        "for i in range(9):\r    (x * x).sum().backward() # a\r    print(1, x.sum().item())";
    snprintf(source, sizeof source, "%s\r    pass\r\n", before);
    snprintf(wanted, sizeof wanted, "%s  # syncl: allow[host-read]\r    pass\r\n", before);
    write_text("a.py", source);
    expect(state, 0, "1 comment added in 1 file.", "--add-allow|a.py");
    assert_file("a.py", wanted);
}

static void places_without_room_are_left(void **state) {
    const char *source = source_of("    y = x.sum().item(); s = '''\n'''\n");
    write_text("a.py", source);
    char kept[4000];
    snprintf(kept, sizeof kept, "%s", source);
    expect(state, 0, "0 comments added in 0 files; 1 findings stand where none can be added.",
           "--add-allow|a.py");
    assert_file("a.py", kept);
    expect(state, 2, "one line", "--add-allow|--allow-reason=a\nb|a.py");
    assert_file("a.py", kept);
}

static void a_file_that_cannot_be_written_is_kept(void **state) {
    char source[4000];
    snprintf(source, sizeof source, "%s", source_of("    y = x.sum().item()\n"));
    write_text("a.py", source);
    assert_int_equal(chmod("a.py", 0444), 0);
    assert_int_equal(chmod(".", 0555), 0);
    assert_int_equal(chmod("..", 0755), 0);
    Ran ran = run_program(the(state)->program, STDOUT_FILE_AS_NOBODY, "--add-allow|a.py");
    assert_int_equal(ran.status, 2);
    assert_non_null(strstr(ran.err, "cannot write a.py"));
    assert_file("a.py", source);
    forget(ran);
}

int main(void) {
#define APART(test) cmocka_unit_test_setup_teardown(test, enter, leave)
    const struct CMUnitTest tests[] = {
        APART(unused_comments_are_reported),
        APART(a_reason_can_be_required),
        APART(comments_are_written),
        APART(bytes_and_line_ends_are_kept),
        APART(a_carriage_return_alone_ends_a_line_and_is_kept),
        APART(places_without_room_are_left),
        APART(a_file_that_cannot_be_written_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
