/* Profiles: the built-in one is sane; a good file is read; every kind of damage is named and refused. */
#include "profile.h"
#include <setjmp.h>
#include <stdarg.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

/* A whole profile as JSON, every row with median 2, p10 1 and p90 3, less the rows of a kind. */
static Text whole(Arena *arena, const char *head, bool with_torch) {
    Text json = text_format(arena,
                            "{%s,\"quantities\":{\"python_us\":"
                            "{\"unit\":\"us\",\"median\":7,\"p10\":7,\"p90\":7,\"samples\":70}",
                            head);
#define ROW(name, unit)                                                                                      \
    json =                                                                                                   \
        text_format(arena, "%.*s,\n\"%s\":{\"unit\":\"%s\",\"median\":2,\"p10\":1,\"p90\":3,\"samples\":9}", \
                    (int)json.length, json.bytes, #name, unit);
#define QUANTITY(name, unit, median, p10, p90, meaning) ROW(name, unit)
#define TORCH_QUANTITY(name, unit, median, p10, p90, meaning) \
    if (with_torch && strcmp(#name, "python_us") != 0) { ROW(name, unit) }
#define ASSUMED_QUANTITY(name, unit, median, p10, p90, meaning)
#include "../../calib/profile.def"
#undef QUANTITY
#undef ROW
    return text_format(arena, "%.*s}}", (int)json.length, json.bytes);
}

static const char good_head[] =
    "\"format\":2,\"name\":\"mine\",\"device\":\"NVIDIA T4\",\"measured\":\"today\"";

/* Reads the text as a file; the error is left in *error, the path is replaced by P in it. */
static const Profile *read_text(Arena *arena, Text json, Text *error) {
    char path[] = "/tmp/syncl-profile-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, json.bytes, json.length), json.length);
    close(descriptor);
    const Profile *profile = profile_read(arena, path, error);
    unlink(path);
    return profile;
}

static void assert_refused(Arena *arena, Text json, const char *reason) {
    Text error = {0};
    assert_null(read_text(arena, json, &error));
    const char *said = text_format(arena, "%.*s", (int)error.length, error.bytes).bytes;
    if (!strstr(said, reason)) fail_msg("said: %s, not: %s", said, reason);
    assert_null(strchr(said, '\n'));
}

static Text replaced(Arena *arena, Text text, const char *old, const char *new) {
    char *copy = arena_copy(arena, text.bytes, text.length + 1);
    copy[text.length] = 0;
    char *at = strstr(copy, old);
    assert_non_null(at);
    *at = 0;
    return text_format(arena, "%s%s%s", copy, new, at + strlen(old));
}

static void test_builtin(void **state) {
    (void)state;
    const Profile *profile = profile_builtin();
    assert_true(profile->built_in);
#define QUANTITY(name, unit, low_median, low, high, meaning)                                             \
    assert_true(profile->name.p10 <= profile->name.median && profile->name.median <= profile->name.p90); \
    assert_true(profile->name.p10 > 0);
#include "../../calib/profile.def"
#undef QUANTITY
}

static void test_names(void **state) {
    (void)state;
    const Profile *profile = profile_builtin();
    assert_ptr_equal(profile_quantity(profile, TEXT("print_scalar")), &profile->print_scalar_us);
    assert_ptr_equal(profile_quantity(profile, TEXT("print_scalar_us")), &profile->print_scalar_us);
    assert_ptr_equal(profile_quantity(profile, TEXT("queue_launches")), &profile->queue_launches);
    assert_ptr_equal(profile_quantity(profile, TEXT("backward_first")), &profile->backward_first);
    assert_ptr_equal(profile_quantity(profile, TEXT("backward_first_us")), &profile->backward_first_us);
    assert_null(profile_quantity(profile, TEXT("print")));
    assert_null(profile_quantity(profile, TEXT("")));
}

static void test_good_file(void **state) {
    (void)state;
    Arena arena = {0};
    Text error = {0};
    const Profile *profile = read_text(&arena, whole(&arena, good_head, true), &error);
    assert_non_null(profile);
    assert_false(profile->built_in);
    assert_true(profile->torch_measured);
    assert_true(text_equal(profile->name, TEXT("mine")));
    assert_true(profile->launch_us.median == 2 && profile->launch_us.p90 == 3 &&
                profile->launch_us.samples == 9);
    assert_true(profile->python_us.median == 7);
    assert_true(profile->queue_launches.median == 1024); /* an assumption: the built-in one stands */
    assert_true(text_equal(profile->text, TEXT("NVIDIA T4, measured today")));
    arena_free(&arena);
}

/* A machine was measured to take twice as long for each operation, and always alike. */
static void test_another_host(void **state) {
    (void)state;
    Arena arena = {0};
    Text error = {0}, json = whole(&arena, good_head, true);
    const Profile *here = profile_builtin();
    double launch = 2 * here->launch_us.median, back = 2 * here->backward_launch_us.median;
    const char *row = "%s_us\":{\"unit\":\"us\",\"median\":%.1f,\"p10\":%.1f,\"p90\":%.1f,";
    for (int i = 0; i < 2; i++) {
        const char *name = i ? "\"backward_launch" : "\"launch";
        double us = i ? back : launch;
        json = replaced(
            &arena, json,
            text_format(&arena, "%s_us\":{\"unit\":\"us\",\"median\":2,\"p10\":1,\"p90\":3,", name).bytes,
            text_format(&arena, row, name, us, us, us).bytes);
    }
    const Profile *profile = read_text(&arena, json, &error);
    assert_non_null(profile);
    assert_true(profile->launch_us.p10 < launch && profile->launch_us.p10 > 2 * here->launch_us.p10);
    assert_true(profile->launch_us.p90 > launch && profile->launch_us.p90 < 2 * here->launch_us.p90);
    assert_true(fabs(profile->forward_first_us.median - 2 * here->forward_first_us.median) < 1e-6);
    assert_true(fabs(profile->optimizer_tensor_us.p90 - 2 * here->optimizer_tensor_us.p90) < 1e-6);
    assert_true(fabs(profile->loader_us.p90 - here->loader_us.p90) < 1e-6); /* code of the user's */
    profile = read_text(&arena, whole(&arena, good_head, false), &error);
    assert_true(fabs(profile->forward_first_us.median - here->forward_first_us.median) < 1e-6);
    arena_free(&arena);
}

static void test_without_torch(void **state) {
    (void)state;
    Arena arena = {0};
    Text error = {0};
    const Profile *profile = read_text(&arena, whole(&arena, good_head, false), &error);
    assert_non_null(profile);
    assert_true(!profile->torch_measured && profile->torch_partly); /* one row stands in every head */
    assert_true(profile->launch_us.median == profile_builtin()->launch_us.median);
    assert_true(profile->enqueue_us.median == 2);
    assert_non_null(strstr(profile->text.bytes, "--with-torch"));
    arena_free(&arena);
}

static void test_damage(void **state) {
    (void)state;
    Arena arena = {0};
    Text good = whole(&arena, good_head, true);
    assert_refused(&arena, TEXT(""), "damaged");
    assert_refused(&arena, TEXT("{\"format\":1"), "damaged");
    assert_refused(&arena, TEXT("[]"), "not a syncl profile");
    assert_refused(&arena, TEXT("{\"a\":1}"), "not a syncl profile");
    assert_refused(&arena, TEXT("{\"format\":\"1\",\"quantities\":{}}"), "not a syncl profile");
    assert_refused(&arena, replaced(&arena, good, "\"format\":2", "\"format\":0"),
                   "format 0, this syncl reads format 2");
    assert_refused(&arena, replaced(&arena, good, "\"format\":2", "\"format\":3"), "format 3");
    assert_refused(&arena, replaced(&arena, good, "enqueue_us", "enqueue"), "unknown quantity enqueue");
    assert_refused(&arena, replaced(&arena, good, "launch_latency_us", "enqueue_us"),
                   "two rows for enqueue_us");
    assert_refused(&arena,
                   replaced(&arena, good, "enqueue_us\":{\"unit\":\"us\"", "enqueue_us\":{\"unit\":\"ms\""),
                   "wrong unit for enqueue_us");
    assert_refused(&arena, replaced(&arena, good, "\"median\":2", "\"median\":9"),
                   "out of order in enqueue_us");
    assert_refused(&arena, replaced(&arena, good, "\"median\":2", "\"median\":\"2\""),
                   "out of range in enqueue_us");
    assert_refused(&arena, replaced(&arena, good, "\"p10\":1", "\"p10\":-1"), "out of range in enqueue_us");
    assert_refused(&arena, replaced(&arena, good, "\"name\":\"mine\"", "\"name\":\"\\u001b[2J\""),
                   "odd characters in name");
    assert_refused(&arena, replaced(&arena, good, "\"device\"", "\"gpu\""), "no text for device");
    assert_refused(&arena, whole(&arena, "\"format\":2", true), "no text for name");
    assert_refused(&arena,
                   replaced(&arena, good,
                            ",\n\"gemm_512_us\":{\"unit\":\"us\",\"median\":2,\"p10\":1,\"p90\":3,"
                            "\"samples\":9}",
                            ""),
                   "no row for gemm_512_us");
    arena_free(&arena);
}

/* Every prefix of a good file is refused, not read in part. */
static void test_truncated(void **state) {
    (void)state;
    Arena arena = {0};
    Text good = whole(&arena, good_head, true), error;
    for (uint32_t length = 0; length < good.length; length += 37) {
        Arena scratch = {0};
        assert_null(read_text(&scratch, text_slice(good, 0, length), &error));
        arena_free(&scratch);
    }
    arena_free(&arena);
}

static void test_missing_file(void **state) {
    (void)state;
    Arena arena = {0};
    Text error;
    assert_null(profile_read(&arena, "/nonexistent/p.syncl", &error));
    assert_true(text_starts(error, TEXT("cannot read profile '/nonexistent/p.syncl': No such file")));
    assert_null(profile_read(&arena, "/tmp", &error));
    assert_true(text_starts(error, TEXT("cannot read profile '/tmp': ")));
    arena_free(&arena);
}

/* The measured profile that is shipped as the source of reference numbers; tests run in the repository's root. */
static void test_shipped(void **state) {
    (void)state;
    Arena arena = {0};
    Text error = {0};
    const Profile *profile = profile_read(&arena, "calib/profiles/h200.json", &error);
    if (!profile) fail_msg("%.*s", (int)error.length, error.bytes);
    assert_true(text_equal(profile->device, TEXT("NVIDIA H200")) && profile->enqueue_us.samples == 210 &&
                profile->torch_measured && profile->print_matrix_us.p10 > 0);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_builtin),       cmocka_unit_test(test_names),
        cmocka_unit_test(test_good_file),     cmocka_unit_test(test_another_host),
        cmocka_unit_test(test_without_torch), cmocka_unit_test(test_damage),
        cmocka_unit_test(test_truncated),     cmocka_unit_test(test_missing_file),
        cmocka_unit_test(test_shipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
