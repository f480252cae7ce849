/* arena.h and text.h: memory by region, byte spans and interned names. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <time.h>
#include "supply.h"
#include "text.h"

static void gives_zeroed_aligned_memory(void **state) {
    (void)state;
    Arena arena = {0};
    for (size_t bytes = 0; bytes < 5000; bytes += 37) {
        unsigned char *memory = arena_alloc(&arena, bytes);
        assert_int_equal((uintptr_t)memory % 16, 0);
        for (size_t i = 0; i < bytes; i++) assert_int_equal(memory[i], 0);
        memset(memory, 0xAB, bytes);
    }
    arena_free(&arena);
}

static void keeps_one_block_over_a_reset_and_zeroes_again(void **state) {
    (void)state;
    Arena arena = {0};
    memset(arena_alloc(&arena, 1000000), 0xFF, 1000000);
    arena_alloc(&arena, 3000000);
    arena_reset(&arena);
    assert_true(arena.reserved >= 3000000);
    size_t kept = arena.reserved;
    unsigned char *memory = arena_alloc(&arena, 1000);
    assert_int_equal(memory[0] | memory[999], 0);
    assert_int_equal(arena.reserved, kept);
    arena_free(&arena);
    arena_reset(&arena);
    assert_null(arena.head);
}

enum { MIB = 1024 * 1024, PATIENCE_MS = 20000 };

/* Its newest block, once it holds as many as it may. */
static void *when_full(Supply *supply) {
    void *block = NULL;
    for (int waited = 0; !block && waited < PATIENCE_MS; waited++) {
        pthread_mutex_lock(&supply->lock);
        block = supply->count == SUPPLY_AHEAD ? supply->ready[SUPPLY_AHEAD - 1] : NULL;
        pthread_mutex_unlock(&supply->lock);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return block;
}

static void takes_what_is_made_ready_once_it_is_large(void **state) {
    (void)state;
    Supply supply;
    supply_open(&supply);
    Arena arena = {.supply = &supply};
    while (arena.reserved < 60 * MIB) arena_alloc(&arena, MIB);
    assert_false(supply.running);
    while (!supply.running && arena.reserved < 200 * MIB) arena_alloc(&arena, MIB);
    assert_true(supply.running);
    const ArenaBlock *before = arena.head;
    const void *next = when_full(&supply);
    assert_non_null(next);
    while (arena.head == before) memset(arena_alloc(&arena, MIB), 0xFF, MIB);
    assert_ptr_equal(arena.head, next);
    arena_free(&arena);
    assert_ptr_equal(arena.supply, &supply);
    supply_close(&supply);
}

static void grows_the_newest_in_place_and_moves_others(void **state) {
    (void)state;
    Arena arena = {0};
    char *first = arena_alloc(&arena, 16);
    first[0] = 'a';
    assert_ptr_equal(arena_grow(&arena, first, 16, 64), first);
    assert_int_equal(first[40], 0);
    arena_alloc(&arena, 1);
    char *moved = arena_grow(&arena, first, 64, 128);
    assert_ptr_not_equal(moved, first);
    assert_int_equal(moved[0], 'a');
    assert_int_equal(moved[127], 0);
    arena_free(&arena);
}

static void a_large_array_that_is_alone_grows_in_its_block(void **state) {
    (void)state;
    Arena arena = {0};
    size_t bytes = 16 * MIB;
    char *array = arena_raw(&arena, bytes);
    array[0] = 'a', array[bytes - 1] = 'z';
    for (size_t more = bytes; more < 64 * MIB; more += 8 * MIB) {
        array = arena_extend(&arena, array, more, more + 8 * MIB);
        assert_int_equal(array[0] + array[bytes - 1], 'a' + 'z');
        memset(array + more, 'b', 8 * MIB);
    }
    assert_true(arena.reserved < 64 * MIB + 4 * MIB); /* no copy is left behind */
    char *small = arena_alloc(&arena, 8 * MIB);       /* now it is not the newest */
    char *moved = arena_extend(&arena, array, 64 * MIB, 72 * MIB);
    assert_ptr_not_equal(moved, array);
    assert_int_equal(moved[0] + moved[bytes - 1] + small[0], 'a' + 'z');
    arena_free(&arena);
}

static void vectors_hold_what_was_pushed(void **state) {
    (void)state;
    Arena arena = {0};
    VEC(uint32_t) numbers = {0};
    for (uint32_t i = 0; i < 100000; i++) {
        vec_push(&arena, &numbers, i * 3);
        if (i % 1000 == 0) arena_alloc(&arena, 5); /* so that growing must move it */
    }
    for (uint32_t i = 0; i < 100000; i++) assert_int_equal(numbers.items[i], i * 3);
    arena_free(&arena);
}

typedef struct Chain {
    Arena arena;
    VEC(uint32_t) links;
} Chain;

static uint32_t pushed_below(Chain *chain, uint32_t more) {
    if (more) vec_push(&chain->arena, &chain->links, pushed_below(chain, more - 1));
    return more;
}

static void a_value_that_pushes_is_pushed_behind_what_it_pushed(void **state) {
    (void)state;
    Chain chain = {0};
    pushed_below(&chain, 1000);
    assert_int_equal(chain.links.count, 1000);
    for (uint32_t i = 0; i < 1000; i++) assert_int_equal(chain.links.items[i], i);
    arena_free(&chain.arena);
}

static void texts_compare_by_bytes(void **state) {
    (void)state;
    assert_true(text_equal(TEXT("abc"), text_of("abc")));
    assert_false(text_equal(TEXT("abc"), TEXT("abd")));
    assert_true(text_equal((Text){NULL, 0}, TEXT("")));
    assert_true(text_compare(TEXT("ab"), TEXT("abc")) < 0);
    assert_true(text_compare(TEXT("b"), TEXT("abc")) > 0);
    assert_true(text_compare(TEXT("\xff"), TEXT("a")) > 0);
    assert_true(text_starts(TEXT("train.py"), TEXT("train")));
    assert_true(text_ends(TEXT("train.py"), TEXT(".py")));
    assert_false(text_ends(TEXT("y"), TEXT(".py")));
    assert_true(text_equal(text_slice(TEXT("train.py"), 5, 8), TEXT(".py")));
}

static void formats_into_the_arena(void **state) {
    (void)state;
    Arena arena = {0};
    Text text = text_format(&arena, "%s:%d", "a.py", 12);
    assert_true(text_equal(text, TEXT("a.py:12")));
    assert_int_equal(text.bytes[text.length], 0);
    arena_free(&arena);
}

static void names_are_one_id_each(void **state) {
    (void)state;
    Arena arena = {0};
    Names names = {.arena = &arena};
    assert_int_equal(names_find(&names, TEXT("x")), 0);
    Sym ids[3000];
    for (int i = 0; i < 3000; i++) ids[i] = names_intern(&names, text_format(&arena, "name%d", i));
    for (int i = 0; i < 3000; i++) {
        Text text = text_format(&arena, "name%d", i);
        assert_int_equal(names_intern(&names, text), ids[i]);
        assert_int_equal(names_find(&names, text), ids[i]);
        assert_true(text_equal(names_text(&names, ids[i]), text));
    }
    assert_int_equal(ids[0], 1);
    assert_int_equal(ids[2999], 3000);
    assert_int_equal(names_text(&names, 0).length, 0);
    assert_int_equal(names_find(&names, TEXT("absent")), 0);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_zeroed_aligned_memory),
        cmocka_unit_test(takes_what_is_made_ready_once_it_is_large),
        cmocka_unit_test(keeps_one_block_over_a_reset_and_zeroes_again),
        cmocka_unit_test(grows_the_newest_in_place_and_moves_others),
        cmocka_unit_test(a_large_array_that_is_alone_grows_in_its_block),
        cmocka_unit_test(vectors_hold_what_was_pushed),
        cmocka_unit_test(a_value_that_pushes_is_pushed_behind_what_it_pushed),
        cmocka_unit_test(texts_compare_by_bytes),
        cmocka_unit_test(formats_into_the_arena),
        cmocka_unit_test(names_are_one_id_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
