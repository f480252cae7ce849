/* Models of earlier runs: packed and unpacked they are the same, forged ones break nothing, and build/syncl uses them. */
#include "cached.h"
#include "file.h"
#include "kept_model.h"
#include "lower.h"
#include "model_check.h"
#include "model_valid.h"
#include <glob.h>

/* ---- as bytes ---- */

static Text bytes_of(Arena *arena, const char *path) {
    Text bytes, why;
    if (!file_read(arena, text_of(path), &bytes, &why)) fail_msg("%s: cannot be read", path);
    return bytes;
}

static FileModel lowered(Arena *arena, Text bytes) {
    Arena scratch = {0};
    SyntaxParser *parser = syntax_open();
    FileModel model;
    lower_file(arena, &scratch, parser, bytes, &model);
    syntax_close(parser);
    arena_free(&scratch);
    return model;
}

/* Records without the padding in them, which nobody sets. */
#define SAME(vec, from)                                                         \
    do {                                                                        \
        assert_int_equal(a->vec.count, b->vec.count);                           \
        size_t size = sizeof *a->vec.items - (from);                            \
        for (uint32_t i = 0; i < a->vec.count; i++)                             \
            assert_memory_equal((const char *)&a->vec.items[i] + (from),        \
                                (const char *)&b->vec.items[i] + (from), size); \
    } while (0)

static void assert_same_flags(const FileModel *a, const FileModel *b) {
    for (uint32_t i = 0; i < a->stmts.count; i++)
        assert_memory_equal(&a->stmts.items[i], &b->stmts.items[i], 2);
    for (uint32_t i = 0; i < a->funcs.count; i++)
        assert_memory_equal(&a->funcs.items[i], &b->funcs.items[i], 3);
    for (uint32_t i = 0; i < a->params.count; i++)
        assert_memory_equal(&a->params.items[i], &b->params.items[i], offsetof(Param, star) + 3);
    for (uint32_t i = 0; i < a->imports.count; i++)
        assert_memory_equal(&a->imports.items[i], &b->imports.items[i], offsetof(Import, dots) + 2);
    for (uint32_t i = 0; i < a->names.count; i++) assert_true(text_equal(a->names.items[i], b->names.items[i]));
}

static void assert_same_model(const FileModel *a, const FileModel *b) {
    SAME(exprs, 0);
    SAME(stmts, offsetof(Stmt, span));
    SAME(funcs, offsetof(Func, name));
    SAME(classes, 0);
    SAME(locals, 0);
    SAME(loops, 0);
    SAME(imports, offsetof(Import, span));
    SAME(comments, 0);
    SAME(links, 0);
    SAME(lines, 0);
    assert_int_equal(a->params.count, b->params.count);
    assert_int_equal(a->names.count, b->names.count);
    assert_same_flags(a, b);
    assert_int_equal(a->byte_count, b->byte_count);
    assert_memory_equal(&a->exported, &b->exported, sizeof a->exported);
    assert_int_equal(a->has_all, b->has_all);
    assert_int_equal(a->has_torch, b->has_torch);
    assert_int_equal(a->error_count, b->error_count);
    assert_int_equal(a->given_up, b->given_up);
    assert_int_equal(a->broken_at, b->broken_at);
}

static void round_trip(const char *path) {
    Arena arena = {0}, scratch = {0};
    Text bytes = bytes_of(&arena, path);
    FileModel model = lowered(&arena, bytes), again;
    Text packed = model_pack(&arena, &model);
    if (!model_valid(&scratch, &model)) fail_msg("%s: its own model is not believed", path);
    if (!model_unpack(&arena, &scratch, packed, bytes.length, &again)) fail_msg("%s: not unpacked", path);
    memset((char *)packed.bytes, 255, packed.length); /* the block goes, the model stays */
    assert_same_model(&model, &again);
    arena_free(&arena);
    arena_free(&scratch);
}

static void models_come_back_as_they_were(void **state) {
    char pattern[5000];
    glob_t found = {0};
    snprintf(pattern, sizeof pattern, "%s/corpus/scripts/*.py", the(state)->home);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (int depth = 1; depth <= 3; depth++) {
        snprintf(pattern, sizeof pattern, "%s/tests/cases/%s*.py", the(state)->home, &"*/*/*/"[6 - 2 * depth]);
        (void)glob(pattern, GLOB_APPEND, NULL, &found);
    }
    assert_true(found.gl_pathc > 300);
    for (size_t i = 0; i < found.gl_pathc; i++) round_trip(found.gl_pathv[i]);
    globfree(&found);
}

/* Bytes that no run of ours wrote: refused, or a model that keeps every promise. */
static void forged_models_are_refused_or_sound(void **state) {
    char path[5000];
    snprintf(path, sizeof path, "%s/corpus/scripts/vae.py", the(state)->home);
    Arena arena = {0}, scratch = {0}, result = {0};
    Text bytes = bytes_of(&arena, path);
    FileModel model = lowered(&arena, bytes), odd;
    Text packed = model_pack(&arena, &model);
    uint32_t random = 1, believed = 0;
    for (uint32_t turn = 0; turn < 20000; turn++) {
        char *forged = arena_copy(&result, packed.bytes, packed.length);
        for (uint32_t i = 0; i <= turn % 3; i++) {
            random = random * 1664525u + 1013904223u;
            forged[(random >> 8) % packed.length] = (char)(random >> (turn % 2 ? 3 : 1));
        }
        uint32_t length = turn % 5 ? packed.length : (random >> 4) % packed.length;
        if (model_unpack(&result, &scratch, (Text){forged, length}, bytes.length, &odd)) {
            believed++;
            if (model_broken(&odd)) fail_msg("turn %u: believed, though %s", turn, model_broken(&odd));
        }
        arena_reset(&result), arena_reset(&scratch);
    }
    assert_true(believed < 15000);
    arena_free(&arena), arena_free(&scratch), arena_free(&result);
}

/* ---- through the program ---- */

/* The build that wrote $S: beside it. */
static Cache cache_of_program(Arena *arena) {
    char path[5000], id[80] = "";
    snprintf(path, sizeof path, "%.*s/build_id.c", (int)(strlen(getenv("S")) - strlen("/syncl")), getenv("S"));
    char *text = read_file(path);
    assert_non_null(text);
    assert_int_equal(sscanf(strchr(text, '"') + 1, "build_id.h\"\nconst char build_id[] = \"%64[0-9a-f]", id),
                     1);
    free(text);
    return cache_at(arena, "../cache/syncl", text_format(arena, "%s", id).bytes);
}

static void write_large(const char *read) {
    char text[4000] = "";
    for (int i = 0; i < 40; i++) strcat(text, "# a line that makes the file long enough to be kept\n");
    snprintf(text + strlen(text), 1000, "%s", train);
    memcpy(strstr(text, "loss.item()"), read, strlen(read));
    write_text("train.py", text);
}

/* A model of other bytes in its place shows in the report: nothing was parsed. */
static void kept_models_are_used(void **state) {
    Arena arena = {0}, scratch = {0};
    Cache cache = cache_of_program(&arena);
    write_large("list(loss) ");
    FileModel other = lowered(&arena, bytes_of(&arena, "train.py"));
    write_large("loss.item()");
    Text bytes = bytes_of(&arena, "train.py");
    expect(state, 1, "loss.item()", "-v|train.py");
    assert_true(*block_of("models"));
    shell("rm -r ../cache/syncl/results ../cache/syncl/findings");
    expect(state, 1, "loss.item()", "-v|train.py");
    assert_true(kept_model_keep(&cache, &scratch, bytes, (Gaps){0}, &other) > 0);
    shell("rm -r ../cache/syncl/results ../cache/syncl/findings");
    expect(state, 0, "No waits found", "train.py");
    forget(same_as_cold(state, "--dump=sites|train.py", "a dump is of today"));
    shell("rm -r ../cache/syncl/results; echo >>train.py");
    forget(same_as_cold(state, "train.py", "other bytes"));
    arena_free(&arena), arena_free(&scratch);
}

static void damaged_models_are_misses(void **state) {
    write_large("loss.item()");
    Ran cold = run(state, "--no-cache|train.py");
    forget(run(state, "train.py"));
    char path[700];
    snprintf(path, sizeof path, "%s", block_of("models"));
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    for (off_t at = 0; at < info.st_size; at += info.st_size / 17) {
        char command[1000];
        snprintf(command, sizeof command,
                 "rm -r ../cache/syncl/results ../cache/syncl/findings; printf '\\377' | dd of=%s bs=1 "
                 "seek=%ld conv=notrunc 2>../e",
                 path, (long)at);
        shell(command);
        Ran flipped = run(state, "train.py");
        snprintf(command, sizeof command,
                 "rm -r ../cache/syncl/results ../cache/syncl/findings; truncate -s %ld %s", (long)at, path);
        shell(command);
        Ran cut = run(state, "train.py");
        if (!same(flipped, cold) || !same(cut, cold))
            fail_msg("a model that is odd at %ld was believed", (long)at);
        forget(flipped), forget(cut);
    }
    forget(cold);
}

/* A tree with packages in it: cold, with models only, warm. */
static void a_whole_tree_is_the_same(void **state) {
    char line[5000];
    snprintf(line, sizeof line,
             "cp -r '%.4000s/corpus/scripts' '%.100s/work/tree' && cp -r tree again && mv again tree",
             the(state)->home, the(state)->folder);
    shell(line);
    static const char *const formats[] = {"--output-format=json|--min-confidence=possible|tree", "tree"};
    for (int i = 0; i < 2; i++) {
        forget(same_as_cold(state, formats[i], "filling"));
        forget(same_as_cold(state, formats[i], "warm"));
        shell("rm -r ../cache/syncl/results ../cache/syncl/findings");
        forget(same_as_cold(state, formats[i], "models only"));
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter_cached, leave_cached)

int main(void) {
    name_program();
    const struct CMUnitTest tests[] = {
        TEST(models_come_back_as_they_were), TEST(forged_models_are_refused_or_sound),
        TEST(kept_models_are_used),          TEST(damaged_models_are_misses),
        TEST(a_whole_tree_is_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
