/* The order of the worklist decides nothing: taken up in other orders, every program gives the same bytes. test_shuffled [all |
   PATH...]: without arguments a share of the programs, and few orders. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include "dump_events.h"
#include "dump_facts.h"
#include "infer.h"
#include "part.h"
#include "project.h"
#include "sites.h"

enum { SHARE = 6, ORDERS = 2, ORDERS_OF_ALL = 12 };

/* Every finding, with its frequency, level and evidence, and every turn of a loop; freed by the caller. */
static char *told(const char *path, uint32_t shuffle) {
    Arena arena = {0};
    ProjectError error = {0};
    const Program *whole = project_load(&arena, &path, 1, NULL, &error);
    assert_non_null(whole);
    InferOptions options = {
        .names = infer_gpu_names(whole, rulebook_builtin()), .threads = 1, .shuffle = shuffle};
    Program *program = program_linked(&arena, whole);
    const Inference *inference = infer_program(&arena, program, rulebook_builtin(), &options);
    const Findings *findings = sites_find(&arena, inference, 1, CONFIDENCE_NONE, NULL);
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    dump_sites(out, program, rulebook_builtin(), findings);
    dump_events(out, program, findings);
    fclose(out);
    arena_free(&arena);
    return text;
}

/* How many of the orders give something else. */
static uint32_t try_path(const char *path, uint32_t orders) {
    char *plain = told(path, 0);
    uint32_t other = 0;
    for (uint32_t order = 1; order <= orders; order++) {
        char *shuffled = told(path, order);
        other += strcmp(plain, shuffled) != 0;
        free(shuffled);
    }
    free(plain);
    if (other) print_error("%s: %u of %u orders give something else\n", path, other, orders);
    return other;
}

static const char *const PLACES[] = {"corpus/scripts/*.py", "corpus/seeds/*.py", "tests/cases/*/*",
                                     "tests/truth/projects/*", "tests/truth/projects2/*"};

static uint32_t try_places(uint32_t share, uint32_t orders, uint32_t *tried) {
    uint32_t other = 0;
    for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++) {
        glob_t found = {0};
        assert_int_equal(glob(PLACES[i], GLOB_MARK, NULL, &found), 0);
        for (size_t k = 0; k < found.gl_pathc; k++) {
            const char *path = found.gl_pathv[k];
            size_t length = strlen(path);
            bool program = path[length - 1] == '/' || strcmp(path + length - 3, ".py") == 0;
            if (!program || k % share) continue;
            other += try_path(path, orders) != 0;
            ++*tried;
        }
        globfree(&found);
    }
    return other;
}

static void test_share(void **state) {
    (void)state;
    uint32_t tried = 0;
    assert_int_equal(try_places(SHARE, ORDERS, &tried), 0);
    assert_true(tried > 50);
}

int main(int count, char **arguments) {
    uint32_t tried = 0, other = 0;
    if (count == 1) {
        const struct CMUnitTest tests[] = {cmocka_unit_test(test_share)};
        return cmocka_run_group_tests(tests, NULL, NULL);
    }
    if (strcmp(arguments[1], "all") == 0)
        other = try_places(1, ORDERS_OF_ALL, &tried);
    else
        for (int i = 1; i < count; i++, tried++) other += try_path(arguments[i], ORDERS_OF_ALL) != 0;
    printf("note: %u programs in %d orders of the worklist: %u give something else\n", tried, ORDERS_OF_ALL,
           other);
    return other != 0;
}
