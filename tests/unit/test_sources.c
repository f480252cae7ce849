/* Which file of a program a recorded path is (trace/sources). */
#include "sources.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static FileId find_in(const char *const *known, const char *recorded) {
    Arena arena = {0};
    Program program = {0};
    vec_push(&arena, &program.files, (SourceFile){0});
    for (; *known; known++) vec_push(&arena, &program.files, ((SourceFile){.path = text_of(*known)}));
    Sources *sources = sources_new(&arena, &program);
    FileId found = sources_file(sources, text_of(recorded));
    assert_int_equal(found, sources_file(sources, text_of(recorded)));
    arena_free(&arena);
    return found;
}

static void a_path_is_known_by_its_end(void **state) {
    (void)state;
    const char *const known[] = {"src/net.py", "./train.py", "../lib/net.py", "/home/u/run/eval.py", NULL};
    assert_int_equal(find_in(known, "/home/u/project/src/net.py"), 1);
    assert_int_equal(find_in(known, "/home/u/project/train.py"), 2);
    assert_int_equal(find_in(known, "/home/u/lib/net.py"), 3);
    assert_int_equal(find_in(known, "run/eval.py"), 4);
    assert_int_equal(find_in(known, "/home/u/other.py"), 0);
}

static void a_copy_in_another_folder_is_the_file(void **state) {
    (void)state;
    const char *const known[] = {"/work/a/train.py", "/work/a/models/net.py", NULL};
    assert_int_equal(find_in(known, "/tmp/b/train.py"), 1);
    assert_int_equal(find_in(known, "/tmp/b/models/net.py"), 2);
}

static void a_file_of_a_package_is_no_file_of_the_programs_that_is_called_so(void **state) {
    (void)state;
    const char *const known[] = {"data/dataloader.py", "lib/distribution.py", NULL};
    assert_int_equal(find_in(known, "torch/utils/dataloader.py"), 0);
    assert_int_equal(find_in(known, "torch/distributions/distribution.py"), 0);
    assert_int_equal(find_in(known, "/usr/lib/python3/site-packages/torch/distributions/distribution.py"), 0);
    assert_int_equal(find_in(known, "copy/data/dataloader.py"), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_is_known_by_its_end),
        cmocka_unit_test(a_copy_in_another_folder_is_the_file),
        cmocka_unit_test(a_file_of_a_package_is_no_file_of_the_programs_that_is_called_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
