#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sample.h"

static Arena arena;

static int forget(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

/* Comments as lower finds them: from a '#' to the end of its line. These sources hold no '#' in strings. */
static void find_comments(FileModel *model, Text bytes) {
    vec_push(&arena, &model->comments, (Comment){0});
    for (uint32_t at = 0; at < bytes.length; at++) {
        if (bytes.bytes[at] != '#') continue;
        Comment comment = {{at, at}};
        while (comment.span.end < bytes.length && bytes.bytes[comment.span.end] != '\n') comment.span.end++;
        vec_push(&arena, &model->comments, comment);
        at = comment.span.end;
    }
}

/* The suppressions of a file with one host-read site at `loss.item()`, whose statement goes on to `last`. */
static Suppressions *suppress(const char *source, const char *last) {
    Sample *sample = arena_new(&arena, Sample, 1);
    sample_start(sample, &arena);
    FileId file = sample_file(sample, "a.py", source);
    FileModel *model = sample_model(&arena, text_of(source));
    find_comments(model, text_of(source));
    sample->program.files.items[file].model = model;
    SiteId id = sample_site(sample, file, "loss.item()", 0, 1);
    if (last)
        sample->findings.sites.items[id].statement.end =
            (uint32_t)(strstr(source, last) - source) + (uint32_t)strlen(last);
    return suppress_sites(&arena, &sample->program, &sample->rulebook, &sample->findings);
}

static bool allows(const char *source) { return suppress(source, NULL)->allowed[1]; }

static void allow_names_rules(void **state) {
    (void)state;
    assert_true(allows("a = loss.item()  # syncl: allow[host-read] only a log\n"));
    assert_true(allows("a = loss.item()  # syncl: allow[SYN101]\n"));
    assert_true(allows("a = loss.item()  # syncl: allow[print-tensor, SYN1]\n"));
    assert_true(allows("a = loss.item()  #syncl:allow\n"));
    assert_true(allows("a = loss.item()  # type: ignore # syncl: allow[host-read]\n"));
    assert_false(allows("a = loss.item()  # syncl: allow[print-tensor]\n"));
    assert_false(allows("a = loss.item()  # syncl: allow[]\n"));
    assert_false(allows("a = loss.item()  # syncl: allow[host-read\n"));
    assert_false(allows("a = loss.item()  # syncl: allow[host]\n"));
    assert_false(allows("a = loss.item()  # please syncl: allow[host-read]\n"));
    assert_false(allows("# syncl: allow[host-read]\na = loss.item()\n"));
    assert_false(allows("a = loss.item()\n# syncl: allow[host-read]\n"));
}

static void noqa_needs_our_code(void **state) {
    (void)state;
    assert_true(allows("a = loss.item()  # noqa: SYN101\n"));
    assert_true(allows("a = loss.item()  # NOQA: E501,SYN101 because it is short\n"));
    assert_true(allows("a = loss.item()  # noqa:SYN1\n"));
    assert_false(allows("a = loss.item()  # noqa\n"));
    assert_false(allows("a = loss.item()  # noqa: E501\n"));
    assert_false(allows("a = loss.item()  # noqa: see SYN101\n"));
    assert_false(allows("a = loss.item()  # noqa: SYN102\n"));
}

static void any_line_of_the_statement_will_do(void **state) {
    (void)state;
    static const char source[] = "a = f(1,\n  loss.item(),\n  2)  # syncl: allow[host-read] reason\nb = 2\n";
    assert_true(suppress(source, "2)")->allowed[1]);
    assert_false(suppress(source, "loss.item(),")->allowed[1]);
}

static void a_file_may_be_skipped(void **state) {
    (void)state;
    assert_true(allows("a = loss.item()\n\n# syncl: skip-file\n"));
    assert_false(allows("a = loss.item()\n\n# skip-file\n"));
}

static void reasons_and_use_are_kept(void **state) {
    (void)state;
    Suppressions *found =
        suppress("a = loss.item()  # syncl: allow[host-read] only a log\nb = 1  # noqa: SYN102\n", NULL);
    assert_int_equal(found->allowances.count, 2);
    assert_true(text_equal(found->allowances.items[0].reason, TEXT("only a log")));
    assert_int_equal(found->allowances.items[0].used, 1);
    assert_int_equal(found->allowances.items[1].used, 0);
    assert_int_equal(found->allowances.items[1].line, 2);
    assert_int_equal(found->unused, 1);
}

int main(void) {
#define FORGETTING(test) cmocka_unit_test_teardown(test, forget)
    const struct CMUnitTest tests[] = {
        FORGETTING(allow_names_rules),
        FORGETTING(noqa_needs_our_code),
        FORGETTING(any_line_of_the_statement_will_do),
        FORGETTING(a_file_may_be_skipped),
        FORGETTING(reasons_and_use_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
