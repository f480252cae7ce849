/* Abstract values: what joins and what counts as readings of one value. */
#include "value.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static Alt gpu(uint8_t belief) {
    Alt alt = alt_tensor(DEVICE_CUDA, belief, 0);
    alt.dtype = DTYPE_FLOAT;
    return alt;
}

/* From two paths: the weaker belief stays. Two readings of one value: the surer counts. */
static void test_weaker_and_surer(void **state) {
    (void)state;
    Arena arena = {0};
    Values values;
    values_init(&values, &arena, &arena, 0);
    const Value *likely = value_of(&values, gpu(BELIEVED)), *possible = value_of(&values, gpu(GUESSED));
    const Value *joined = value_join(&values, likely, possible),
                *either = value_either(&values, likely, possible);
    assert_int_equal(joined->count, 1);
    assert_int_equal(joined->alts[0].belief, GUESSED);
    assert_int_equal(either->count, 1);
    assert_int_equal(either->alts[0].belief, BELIEVED);
    assert_ptr_equal(value_either(&values, possible, likely), either);
    arena_free(&arena);
}

/* What a value rests on is no part of its identity, but a fixpoint goes on until it is united. */
static void test_beliefs_are_provenance(void **state) {
    (void)state;
    Arena arena = {0};
    Values values;
    values_init(&values, &arena, &arena, 0);
    const Value *shown = value_of(&values, gpu(0)), *likely = value_of(&values, gpu(BELIEVED));
    assert_true(value_same(shown, likely));
    assert_false(value_settled(shown, likely));
    assert_ptr_equal(value_join(&values, shown, likely), likely);
    assert_ptr_equal(value_believed(&values, shown, BELIEVED), likely);
    assert_ptr_equal(value_either(&values, shown, likely), shown);
    arena_free(&arena);
}

/* A CPU tensor is no surer for being read twice: that it is not on the GPU is what finds copies. */
static void test_cpu_stays_weak(void **state) {
    (void)state;
    Arena arena = {0};
    Values values;
    values_init(&values, &arena, &arena, 0);
    const Value *likely = value_of(&values, alt_tensor(DEVICE_CPU, BELIEVED, 0)),
                *possible = value_of(&values, alt_tensor(DEVICE_CPU, GUESSED, 0));
    const Value *either = value_either(&values, likely, possible);
    assert_int_equal(either->alts[0].belief, GUESSED);
    arena_free(&arena);
}

static const Value *made_at(Values *values, uint32_t class_id, ObjectId place) {
    return value_of(values, (Alt){.kind = KIND_INSTANCE, .id = class_id, .object = place});
}

/* A few instances of a class are told apart; one of many, or one of which the place is not known, may be any. */
static void test_places_of_instances(void **state) {
    (void)state;
    Arena arena = {0};
    Values values;
    values_init(&values, &arena, &arena, 0);
    const Value *value = made_at(&values, 1, 11);
    for (ObjectId place = 12; place < 14; place++)
        value = value_join(&values, value, made_at(&values, 1, place));
    assert_int_equal(value->count, 3);
    assert_ptr_equal(value_join(&values, value, made_at(&values, 1, 14)), made_at(&values, 1, 0));
    assert_ptr_equal(value_join(&values, value, made_at(&values, 1, 0)), made_at(&values, 1, 0));
    const Value *other = value_join(&values, value, made_at(&values, 2, 21));
    assert_int_equal(other->count, 4);
    arena_free(&arena);
}

/* Of more alternatives than are kept, places are lost first: the rest stays what it was. */
static void test_places_go_first(void **state) {
    (void)state;
    Arena arena = {0};
    Values values;
    values_init(&values, &arena, &arena, 0);
    const Value *value = value_kind(&values, KIND_NONE);
    for (uint32_t class_id = 1; class_id < 4; class_id++)
        for (ObjectId place = 1; place < 3; place++)
            value = value_join(&values, value, made_at(&values, class_id, class_id * 10 + place));
    assert_int_equal(value->count, 4);
    assert_true(value_has(value, KIND_NONE));
    assert_false(value_has(value, KIND_UNKNOWN));
    for (uint32_t i = 0; i < value->count; i++) assert_int_equal(value->alts[i].object, 0);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weaker_and_surer), cmocka_unit_test(test_beliefs_are_provenance),
        cmocka_unit_test(test_cpu_stays_weak), cmocka_unit_test(test_places_of_instances),
        cmocka_unit_test(test_places_go_first)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
