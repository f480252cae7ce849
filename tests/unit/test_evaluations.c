/* How often contexts are evaluated: what cannot change anything is not evaluated again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "evaluation.h"
#include "infer.h"
#include "part.h"
#include "project.h"

static const Inference *infer_case(Arena *arena, const char *path) {
    ProjectError error = {0};
    const Program *program = project_load(arena, &path, 1, NULL, &error);
    assert_non_null(program);
    InferOptions options = {.names = infer_gpu_names(program, rulebook_builtin()), .threads = 1};
    return infer_program(arena, program_linked(arena, program), rulebook_builtin(), &options);
}

typedef struct Effort {
    uint32_t contexts, evaluations;
} Effort;

/* Of the functions of that name. */
static Effort effort_of(const Inference *inference, const char *name) {
    Effort effort = {0};
    for (ContextId id = 1; id < inference->contexts.count; id++) {
        const Context *context = inference->contexts.items[id];
        const FileModel *model = inference->program->files.items[context->file].model;
        Text called = model_name(model, model->funcs.items[context->func].name);
        if (!text_is(called, name)) continue;
        effort.contexts++;
        effort.evaluations += context->evaluations;
    }
    return effort;
}

static void test_own_list(void **state) {
    (void)state;
    Arena arena = {0};
    const Inference *inference = infer_case(&arena, "tests/cases/fixpoint/appended.py");
    assert_int_equal(effort_of(inference, "gather").evaluations, 2);
    arena_free(&arena);
}

static void test_callee_first(void **state) {
    (void)state;
    Arena arena = {0};
    const Inference *inference = infer_case(&arena, "tests/cases/fixpoint/asked.py");
    assert_int_equal(effort_of(inference, "outer").evaluations, 2);
    arena_free(&arena);
}

static void test_shared_method(void **state) {
    (void)state;
    Arena arena = {0};
    const Inference *inference = infer_case(&arena, "tests/cases/fixpoint/shared_method.py");
    assert_int_equal(effort_of(inference, "add").contexts, 1);
    assert_int_equal(effort_of(inference, "add").evaluations, 1);
    arena_free(&arena);
}

/* Of six statements two see what has grown: the others are taken over. */
static void test_one_statement(void **state) {
    (void)state;
    Arena arena = {0};
    const Inference *inference = infer_case(&arena, "tests/cases/fixpoint/one_statement.py");
    assert_int_equal(effort_of(inference, "report").evaluations, 2);
    assert_int_equal(inference->steps_again, 2);
    assert_int_equal(inference->steps_taken, 4);
    arena_free(&arena);
}

/* Each level of a nest wraps a value: turns that multiplied would be two million. */
static void test_nest_of_loops(void **state) {
    (void)state;
    Arena arena = {0};
    const Inference *inference = infer_case(&arena, "tests/cases/fixpoint/nest.py");
    assert_in_range(inference->turns, 20, 300);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_own_list), cmocka_unit_test(test_callee_first),
                                       cmocka_unit_test(test_shared_method),
                                       cmocka_unit_test(test_one_statement),
                                       cmocka_unit_test(test_nest_of_loops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
