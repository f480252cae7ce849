/* Recordings of syncl record (record_format.h): what is read of one that is known (tests/record/forge.py), and that one which
   is cut off or forged is read as far as it goes, by the whole way to the report. */
#include "analyze.h"
#include "file.h"
#include "record_read.h"
#include "../fuzz/target_recording.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

static const char known[] = "tests/fuzz/corpus/recording/000";

static Recorded *read_known(Arena *arena) {
    Text error = {0};
    Recorded *recorded = record_read(arena, known, &error);
    if (!recorded) fail_msg("%s", error.bytes);
    return recorded;
}

static void what_a_recording_says(void **state) {
    (void)state;
    Arena arena = {0};
    const Recorded *recorded = read_known(&arena);
    assert_true(record_is(known) && !record_is("tests/record/forge.py"));
    assert_true(recorded->ended && !recorded->cut && recorded->process == 4711 &&
                recorded->trouble.length == 0);
    assert_int_equal(recorded->bursts.count, 1);
    assert_int_equal(recorded->clean.count, 1);
    const Trace *burst = recorded->bursts.items[0];
    assert_int_equal(burst->calls.count, 10 * 8);
    assert_int_equal(burst->works.count, 10 * 6);
    assert_int_equal(burst->threads, 2);
    const TraceCall *wait = trace_call(burst, 7); /* the step's last */
    assert_int_equal(wait->kind, CALL_WAIT_DEVICE);
    TraceStack stack = burst->stacks->stacks.items[wait->stack];
    assert_int_equal(stack.count, 2);
    assert_int_equal(burst->stacks->frames.items[stack.first].line, 1162);
    assert_int_equal(burst->stacks->frames.items[stack.first + 1].line, 16);
    arena_free(&arena);
}

static void what_a_clean_step_takes(void **state) {
    (void)state;
    Arena arena = {0};
    Text error = {0};
    Recorded *recorded = read_known(&arena);
    const Trace *burst = recorded->bursts.items[0];
    const Steps *steps = steps_find(&arena, burst, 0, &error);
    assert_non_null(steps);
    assert_true(fabs(record_steps(recorded, burst, steps).clean_us - 2000) < 0.01);
    assert_true(fabs(record_steps(recorded, burst, steps).works_us - 2040) < 0.01);
    assert_true(record_steps(recorded, burst, steps).off_us < 0.01);
    recorded->clean.count = 0;
    assert_true(record_steps(recorded, burst, steps).clean_us <= 0);
    arena_free(&arena);
}

static void feed_changed(const Fuzz *fuzz, Text bytes, uint64_t *random, uint32_t length, uint32_t changes) {
    Arena arena = {0};
    char *changed = arena_copy(&arena, bytes.bytes, length);
    for (uint32_t i = 0; i < changes; i++) {
        *random = *random * 6364136223846793005u + 1442695040888963407u;
        changed[(*random >> 33) % length] = (char)(*random >> 24);
    }
    fuzz_recording(fuzz, (Text){changed, length});
    arena_free(&arena);
}

static void one_that_is_cut_off_or_forged_is_survived(void **state) {
    (void)state;
    Arena arena = {0};
    Text bytes, error;
    Fuzz fuzz = {0};
    uint64_t random = 1;
    fuzz_open(&fuzz);
    assert_true(file_read(&arena, text_of(known), &bytes, &error));
    for (uint32_t length = 1; length < bytes.length; length += 409)
        feed_changed(&fuzz, bytes, &random, length, 0);
    for (uint32_t i = 0; i < 120; i++) feed_changed(&fuzz, bytes, &random, bytes.length, 1 + i % 30);
    fuzz_close(&fuzz);
    arena_free(&arena);
}

/* A chunk that is not whole, or not what was written, ends what is read; what stands before it counts. */
static void what_stands_before_a_broken_chunk_counts(void **state) {
    (void)state;
    Arena arena = {0};
    Text bytes, error = {0};
    char path[] = "/tmp/syncl-record-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0 && file_read(&arena, text_of(known), &bytes, &error));
    char *broken = arena_copy(&arena, bytes.bytes, bytes.length);
    broken[bytes.length - 30] ^= 1; /* of the last chunk */
    assert_int_equal(write(file, broken, bytes.length), (ssize_t)bytes.length);
    const Recorded *recorded = record_read(&arena, path, &error);
    assert_true(recorded && recorded->cut && !recorded->ended);
    assert_int_equal(recorded->clean.count, 1);
    close(file);
    unlink(path);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_recording_says),
        cmocka_unit_test(what_a_clean_step_takes),
        cmocka_unit_test(one_that_is_cut_off_or_forged_is_survived),
        cmocka_unit_test(what_stands_before_a_broken_chunk_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
