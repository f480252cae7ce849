/* The memory of trees: pieces stay whole as they grow, what is gone is used again, cleared memory is zero. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>
#include <tree_memory.h>
#include "syntax.h"

extern void *(*ts_current_malloc)(size_t);
extern void *(*ts_current_calloc)(size_t, size_t);
extern void *(*ts_current_realloc)(void *, size_t);
extern void (*ts_current_free)(void *);

static TreeMemory *memory_open(void) {
    syntax_memory();
    TreeMemory *memory = tree_memory_new();
    tree_memory_open(memory);
    return memory;
}

static void memory_end(TreeMemory *memory) {
    tree_memory_close(memory);
    tree_memory_free(memory);
}

static void fill(unsigned char *bytes, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) bytes[i] = (unsigned char)(i * 7);
}

static void assert_filled(const unsigned char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) assert_int_equal(bytes[i], (unsigned char)(i * 7));
}

/* From a few bytes to what is malloc's own, past other pieces. */
static void grows_whole(void **state) {
    (void)state;
    TreeMemory *memory = memory_open();
    unsigned char *bytes = NULL;
    for (size_t size = 1, before = 0; size < 100000; before = size, size += size / 3 + 1) {
        bytes = ts_current_realloc(bytes, size);
        assert_filled(bytes, before);
        fill(bytes, before, size);
        memset(ts_current_malloc(size % 2000), 255, size % 2000);
    }
    memory_end(memory);
}

static void cleared_is_zero(void **state) {
    (void)state;
    TreeMemory *memory = memory_open();
    for (size_t size = 8; size < 5000; size *= 2) {
        void *dirty = ts_current_malloc(size);
        memset(dirty, 255, size);
        ts_current_free(dirty);
        const unsigned char *bytes = ts_current_calloc(size / 8, 8);
        for (size_t i = 0; i < size; i++) assert_int_equal(bytes[i], 0);
    }
    memory_end(memory);
}

/* Far more than is kept, in many rounds: nothing is given back piece by piece, and the leak sanitizer finds all gone. */
static void goes_at_once(void **state) {
    (void)state;
    TreeMemory *memory = memory_open();
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < 20000; i++) fill(ts_current_malloc(i % 3000), 0, i % 3000);
        tree_memory_close(memory);
        tree_memory_open(memory);
    }
    memory_end(memory);
}

static void outlives_while_closed(void **state) {
    (void)state;
    syntax_memory();
    unsigned char *outside = ts_current_malloc(100);
    fill(outside, 0, 100);
    TreeMemory *memory = tree_memory_new();
    tree_memory_open(memory);
    memset(ts_current_malloc(100), 0, 100);
    tree_memory_close(memory);
    assert_filled(outside, 100);
    outside = ts_current_realloc(outside, 3000);
    assert_filled(outside, 100);
    ts_current_free(outside);
    tree_memory_free(memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows_whole),
        cmocka_unit_test(cleared_is_zero),
        cmocka_unit_test(goes_at_once),
        cmocka_unit_test(outlives_while_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
