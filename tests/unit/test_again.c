/* Evaluations again and later turns of loops take over what has not changed; what they find is marked in the fixture. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "infer.h"
#include "project.h"

static void test_kept(void **state) {
    (void)state;
    const char *path = "tests/cases/fixpoint/again.py";
    Arena arena = {0};
    ProjectError error = {0};
    const Program *program = project_load(&arena, &path, 1, NULL, &error);
    assert_non_null(program);
    const Inference *inference = infer_program(&arena, program, rulebook_builtin());
    assert_true(inference->kept >= 4);
    uint32_t again = 0;
    for (ContextId id = 1; id < inference->contexts.count; id++)
        again += inference->contexts.items[id]->evaluations > 1;
    assert_true(again > 0);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
