/* How often contexts are evaluated: what cannot change anything is not evaluated again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "infer.h"
#include "project.h"

static const Inference *infer_case(Arena *arena, const char *path) {
    ProjectError error = {0};
    const Program *program = project_load(arena, &path, 1, NULL, &error);
    assert_non_null(program);
    return infer_program(arena, program, rulebook_builtin());
}

/* Of all contexts of the functions of that name. */
static uint32_t evaluations_of(const Inference *inference, const char *name) {
    uint32_t count = 0;
    for (ContextId id = 1; id < inference->contexts.count; id++) {
        const Context *context = inference->contexts.items[id];
        const FileModel *model = inference->program->files.items[context->file].model;
        if (text_is(model_name(model, model->funcs.items[context->func].name), name))
            count += context->evaluations;
    }
    return count;
}

static void test_own_list(void **state) {
    (void)state;
    Arena arena = {0};
    const Inference *inference = infer_case(&arena, "tests/cases/fixpoint/appended.py");
    assert_int_equal(evaluations_of(inference, "gather"), 2);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_own_list)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
