/* Traces: what a file that is no whole trace of torch.profiler is told, and that a whole one is read in order, in the
   memory of what is kept. */
#include "trace.h"
#include "steps.h"
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#define LAUNCH(ts, correlation)                                                                            \
    "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":" #ts \
    ",\"dur\":4,\"args\":{\"correlation\":" #correlation "}}"
#define KERNEL(ts, correlation)                                                       \
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":" #ts \
    ",\"dur\":9,\"args\":{\"device\":0,\"stream\":7,\"correlation\":" #correlation "}}"
#define TRACE(events) "{\"schemaVersion\":1,\n\"traceEvents\":[" events "],\"traceName\":\"t\"}"

static Trace *read_bytes(Arena *arena, const char *bytes, size_t length, Text *error) {
    char path[] = "/tmp/syncl-trace-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, bytes, length), length);
    close(descriptor);
    Trace *trace = trace_read(arena, path, error);
    unlink(path);
    return trace;
}

static void assert_refused(const char *bytes, size_t length, const char *reason) {
    Arena arena = {0};
    Text error = {0};
    assert_null(read_bytes(&arena, bytes, length, &error));
    const char *said = text_format(&arena, "%.*s", (int)error.length, error.bytes).bytes;
    if (!strstr(said, reason)) fail_msg("said: %s, not: %s", said, reason);
    assert_null(strchr(said, '\n'));
    arena_free(&arena);
}

static void refused(const char *text, const char *reason) { assert_refused(text, strlen(text), reason); }

static void test_not_a_trace(void **state) {
    (void)state;
    refused("", "is empty");
    refused("   \n", "cut off");
    refused("PK\x03\x04 no JSON at all", "not JSON");
    refused("{\"a\":1}", "no \"traceEvents\"");
    refused("{}}", "a bracket too many");
    refused(TRACE(""), "no CUDA events");
    refused("[]", "not one of torch.profiler");
    Arena arena = {0};
    Text error = {0};
    assert_null(trace_read(&arena, "/nowhere/trace.json", &error));
    assert_non_null(strstr(error.bytes, "No such file"));
    error = (Text){0};
    assert_null(trace_read(&arena, "/tmp", &error));
    assert_non_null(strstr(error.bytes, "folder"));
    arena_free(&arena);
}

static void test_cut_off(void **state) {
    (void)state;
    static const char whole[] = TRACE(LAUNCH(1, 1) "," KERNEL(8, 1));
    Arena arena = {0};
    Text error = {0};
    Trace *trace = read_bytes(&arena, whole, sizeof whole - 1, &error);
    assert_non_null(trace);
    assert_int_equal(trace->calls.count, 1);
    /* Every beginning of it is refused, and says so. */
    for (size_t length = 1; length < sizeof whole - 1; length++) assert_refused(whole, length, "cut off");
    arena_free(&arena);
}

static void test_another_tool(void **state) {
    (void)state;
    refused("{\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"FEE\",\"name\":\"main\",\"pid\":1,\"tid\":1,\"ts\":1,"
            "\"dur\":2}],"
            "\"viztracer_metadata\":{}}",
            "not one of torch.profiler");
    refused("[{\"ph\":\"B\",\"name\":\"a\",\"ts\":1},{\"ph\":\"E\",\"name\":\"a\",\"ts\":2}]",
            "not one of torch.profiler");
}

static void test_half_a_trace(void **state) {
    (void)state;
    refused(
        TRACE(
            "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::add\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":2}"),
        "no CUDA events");
    refused(TRACE(LAUNCH(1, 1)), "no GPU work");
    refused(TRACE(KERNEL(1, 1)), "no CUDA runtime calls");
}

static void test_wrong_types(void **state) {
    (void)state;
    refused(TRACE("{\"ph\":1,\"cat\":[],\"name\":{},\"ts\":\"now\",\"dur\":null,\"args\":7}"),
            "no CUDA events");
    refused(TRACE("{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"ts\":\"now\",\"dur\":3}"), "wrong type");
    refused(TRACE("{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"ts\":-5,\"dur\":3}"), "negative");
    refused(TRACE("{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"ts\":5,\"dur\":-3}"), "negative");
    refused(TRACE("1,2,\"three\",[4],null"), "no CUDA events");
    refused(TRACE("{\"ph\":nothing}"), "at byte");
    refused("{\"traceEvents\":{\"a\":1}}", "no \"traceEvents\"");
    /* One odd event in a hundred good ones is left out; the rest is used. */
    Arena arena = {0};
    Text error = {0}, many = TEXT("{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"ts\":\"x\",\"dur\":3}");
    for (uint32_t i = 0; i < 120; i++)
        many = text_format(&arena, "%.*s,\n" LAUNCH(5, 1) "," KERNEL(9, 1), (int)many.length, many.bytes);
    many = text_format(&arena, TRACE("%.*s"), (int)many.length, many.bytes);
    Trace *trace = read_bytes(&arena, many.bytes, many.length, &error);
    assert_non_null(trace);
    assert_int_equal(trace->broken, 1);
    assert_int_equal(trace->calls.count, 120);
    arena_free(&arena);
}

static void test_order_and_strings(void **state) {
    (void)state;
    /* Out of order; brackets, quotes and escapes in names; events that overlap; keys and lists around the events. */
    static const char text[] =
        "{\"deviceProperties\":[{\"name\":\"a ] } \\\" b\",\"list\":[1,[2]]}],\"displayTimeUnit\":\"ms\","
        "\"traceEvents\":[" LAUNCH(30, 3) "," KERNEL(40, 3) "," LAUNCH(10, 1) "," KERNEL(
            38,
            1) ",{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k<\\\"}]\\\\\",\"pid\":0,\"tid\":7,\"ts\":12,"
               "\"dur\":50,"
               "\"args\":{\"stream\":7,\"device\":0,\"correlation\":2,\"grid\":[1,2,{\"deep\":[]}]}}," LAUNCH(
                   20, 2) "],\"after\":{\"traceEvents\":[{}]}}";
    Arena arena = {0};
    Text error = {0};
    Trace *trace = read_bytes(&arena, text, sizeof text - 1, &error);
    assert_non_null(trace);
    assert_int_equal(trace->calls.count, 3);
    assert_int_equal(trace->works.count, 3);
    for (uint32_t i = 0; i < 3; i++) assert_int_equal(trace_call(trace, i)->correlation, i + 1);
    Text name = names_text(&trace->names, trace_work(trace, 0)->name);
    assert_true(text_equal(name, TEXT("k<\"}]\\")));
    uint32_t count, first = trace_links(trace, 2, &count);
    assert_int_equal(count, 1);
    assert_int_equal(trace_linked(trace, first)->correlation, 2);
    arena_free(&arena);
}

static void test_one_endless_event(void **state) {
    (void)state;
    size_t length = 40u << 20;
    char *text = malloc(length);
    memset(text, 'a', length);
    memcpy(text, "{\"traceEvents\":[{\"name\":\"", 25);
    assert_refused(text, length, "larger than 16 MB");
    memset(text, '[', length); /* deep nesting costs nothing */
    assert_refused(text, length, "larger than 16 MB");
    free(text);
}

/* syncl itself only unpacks. */
static size_t pack(const char *bytes, size_t length, char *room, size_t room_length) {
    char path[] = "/tmp/syncl-pack-XXXXXX", command[64];
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, bytes, length), length);
    close(descriptor);
    snprintf(command, sizeof command, "gzip -9nc %s", path);
    FILE *packed = popen(command, "r");
    assert_non_null(packed);
    size_t count = fread(room, 1, room_length, packed);
    assert_int_equal(pclose(packed), 0);
    unlink(path);
    return count;
}

static void test_gzip(void **state) {
    (void)state;
    static const char whole[] = TRACE(LAUNCH(1, 1) "," KERNEL(8, 1));
    char packed[4096];
    size_t length = pack(whole, sizeof whole - 1, packed, sizeof packed);
    Arena arena = {0};
    Text error = {0};
    Trace *trace = read_bytes(&arena, packed, length, &error);
    assert_non_null(trace);
    assert_int_equal(trace->works.count, 1);
    /* Two members after one another are one file. */
    size_t half = 40, first = pack(whole, half, packed, sizeof packed);
    length = first + pack(whole + half, sizeof whole - 1 - half, packed + first, sizeof packed - first);
    assert_non_null(read_bytes(&arena, packed, length, &error));
    assert_refused(packed, length - 9, "cut off");
    packed[first / 2] ^= 0x55;
    assert_refused(packed, first, "");
    arena_free(&arena);
}

static void test_gzip_bomb(void **state) {
    (void)state;
    /* 300 MB of blanks between two events, in 300 KB. */
    size_t length = 300u << 20, room = 4u << 20;
    char *text = malloc(length), *packed = malloc(room);
    memset(text, ' ', length);
    memcpy(text, "{\"traceEvents\":[", 16);
    size_t count = pack(text, length, packed, room);
    free(text);
    assert_refused(packed, count, "grows more than 250 times");
    free(packed);
}

/* ---- steps ---- */

/* A launch and its kernel for each letter, 10 us apart; a blank is a pause of 200 us. */
static const Steps *steps_given(Arena *arena, const char *letters, uint32_t given, Text *error) {
    Text events = TEXT("");
    uint32_t now_us = 100, correlation = 1;
    for (const char *letter = letters; *letter; letter++, now_us += 10) {
        if (*letter == ' ') now_us += 200;
        if (*letter == ' ') continue;
        events = text_format(
            arena,
            "%.*s%s{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,"
            "\"ts\":%u,\"dur\":4,\"args\":{\"correlation\":%u}},{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"%"
            "c\","
            "\"pid\":0,\"tid\":7,\"ts\":%u,\"dur\":3,\"args\":{\"stream\":7,\"device\":0,\"correlation\":%u}}",
            (int)events.length, events.bytes, events.length ? "," : "", now_us, correlation, *letter,
            now_us + 5, correlation);
        correlation++;
    }
    Text text = text_format(arena, TRACE("%.*s"), (int)events.length, events.bytes);
    const Trace *trace = read_bytes(arena, text.bytes, text.length, error);
    return trace ? steps_find(arena, trace, given, error) : NULL;
}

static const Steps *steps_of(Arena *arena, const char *letters, Text *error) {
    return steps_given(arena, letters, 0, error);
}

static void test_steps_without_marks(void **state) {
    (void)state;
    Arena arena = {0};
    Text error = {0};
    /* Two micro-batches and an optimizer: the step is all of it, and begins behind the pause. */
    const Steps *steps = steps_of(&arena, "abcabcd abcabcd abcabcd abcabcd abcabcd ", &error);
    assert_non_null(steps);
    assert_int_equal(steps->count, 4); /* the fifth has no end */
    for (uint32_t i = 0; i < steps->count; i++)
        assert_true(fabs(steps->starts_us[i + 1] - steps->starts_us[i] - 280) < 1e-6);
    /* Steps of different length: what comes once in each tells. */
    steps = steps_of(&arena, "xabab xab xababab xabababab xab xabab", &error);
    assert_non_null(steps);
    assert_true(steps->count >= 4);
    /* More steps than any name comes seldom in. */
    Text many = TEXT("");
    for (uint32_t i = 0; i < 300; i++) many = text_format(&arena, "%.*sabcabcd ", (int)many.length, many.bytes);
    steps = steps_of(&arena, many.bytes, &error);
    assert_non_null(steps);
    assert_true(steps->count >= 4 && fabs(steps->starts_us[1] - steps->starts_us[0] - 280) < 1e-6);
    /* Nothing recurs. */
    assert_null(steps_of(&arena, "abcdefgh", &error));
    assert_non_null(strstr(error.bytes, "fewer than two whole steps"));
    arena_free(&arena);
}

/* Two turns of an inner loop make a step, and nothing but their number says so. */
static void test_as_many_steps_as_are_given(void **state) {
    (void)state;
    Arena arena = {0};
    Text error = {0};
    const char letters[] = "aab aab aab aab aab aab aab aab ";
    assert_true(steps_of(&arena, letters, &error)->count > 4); /* a turn, as far as is seen */
    const Steps *steps = steps_given(&arena, letters, 4, &error);
    assert_non_null(steps);
    assert_int_equal(steps->count, 3);
    for (uint32_t i = 0; i < steps->count; i++)
        assert_true(fabs(steps->starts_us[i + 1] - steps->starts_us[i] - 480) < 1e-6);
    assert_null(steps_given(&arena, letters, 5, &error));
    assert_non_null(strstr(error.bytes, "nothing that the GPU does comes 5 times"));
    arena_free(&arena);
}

/* ---- size ---- */

#ifdef __SANITIZE_ADDRESS__
enum { MANY = 500000 };
#else
enum { MANY = 10000000 };
#endif

static void *write_many(void *path) {
    FILE *file = fopen(path, "w");
    if (!file) return NULL;
    fputs("{\"schemaVersion\":1,\"traceEvents\":[\n", file);
    for (uint32_t i = 0; i < MANY / 2; i++) {
        fprintf(file,
                "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,"
                "\"ts\":%u.123,"
                "\"dur\":4.5,\"args\":{\"correlation\":%u}},\n",
                i * 10, i + 1);
        fprintf(
            file,
            "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"kernel_%u<float>\",\"pid\":0,\"tid\":7,\"ts\":%u.5,"
            "\"dur\":3,\"args\":{\"device\":0,\"stream\":7,\"correlation\":%u}}%s\n",
            i % 50, i * 10 + 8, i + 1, i + 1 < MANY / 2 ? "," : "]}");
    }
    fclose(file);
    return NULL;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void test_ten_million_events(void **state) {
    (void)state;
    char folder[] = "/tmp/syncl-trace-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/pipe", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    pthread_t writer;
    assert_int_equal(pthread_create(&writer, NULL, write_many, path), 0);
    Arena arena = {0};
    Text error = {0};
    double began = seconds();
    Trace *trace = trace_read(&arena, path, &error);
    double took = seconds() - began;
    pthread_join(writer, NULL);
    unlink(path), rmdir(folder);
    assert_non_null(trace);
    assert_int_equal(trace->kept, MANY);
    size_t events = trace->calls.count * sizeof(TraceCall) + trace->works.count * sizeof(TraceWork);
    double per_second = (double)trace->bytes / took / 1e6;
    printf("note: %d events: %.0f MB of JSON at %.0f MB/s on one core, %.0f MB for %.0f MB of events\n", MANY,
           (double)trace->bytes / 1e6, per_second, (double)arena.reserved / 1e6, (double)events / 1e6);
    assert_true(arena.reserved < 2 * events);
#ifndef __SANITIZE_ADDRESS__
    assert_true(per_second > 50); /* 100 is the promise; machines that test are busy */
#endif
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_not_a_trace),
        cmocka_unit_test(test_cut_off),
        cmocka_unit_test(test_another_tool),
        cmocka_unit_test(test_half_a_trace),
        cmocka_unit_test(test_wrong_types),
        cmocka_unit_test(test_order_and_strings),
        cmocka_unit_test(test_one_endless_event),
        cmocka_unit_test(test_steps_without_marks),
        cmocka_unit_test(test_as_many_steps_as_are_given),
        cmocka_unit_test(test_gzip),
        cmocka_unit_test(test_gzip_bomb),
        cmocka_unit_test(test_ten_million_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
