/* Blocks of the cache whose checksum is right, whoever wrote them: findings (the first byte is F), a result (it is even) or a
   model. */
#include "../unit/model_check.h"
#include "fuzz.h"
#include "kept_findings.h"
#include "kept_model.h"
#include "kept_result.h"

static void fuzz_kept_result(const Cache *cache, Arena *arena, Text block) {
    Digest key = {1, 2};
    KeptResult kept;
    fuzz_holds(cache_write(cache, BLOCK_RESULT, key, block) > 0, "a block cannot be written");
    if (kept_result_find(cache, arena, key, &kept))
        fuzz_holds(kept.status == 0 || kept.status == 1, "a run that failed was kept");
}

/* A file that is read from its block in the cache instead of being parsed: the block says what the file says. */
static void fuzz_kept_model(const Fuzz *fuzz, const Cache *cache, Arena *arena, Text block) {
    char *bytes = arena_alloc(arena, 4 * sizeof fuzz_sample);
    Text source = {bytes, 4 * (sizeof fuzz_sample - 1)};
    FileModel model;
    for (size_t i = 0; i < 4; i++)
        memcpy(bytes + i * (sizeof fuzz_sample - 1), fuzz_sample, sizeof fuzz_sample - 1);
    fuzz_holds(cache_write(cache, BLOCK_MODEL, digest_of(source), block) > 0, "a block cannot be written");
    if (!kept_model_find(cache, arena, arena, source, (Gaps){0}, &model)) return;
    const char *broken = model_broken(&model);
    if (broken) fuzz_broken(broken);
    const char *paths[] = {fuzz_file(fuzz, arena, "input.py", source)};
    AnalyzeOptions options = {.paths = paths, .path_count = 1, .limits = {.threads = 1, .cache = cache}};
    Text error = {0};
    const Analysis *analysis = analyze(arena, &options, &error);
    fuzz_holds(analysis || error.length, "no analysis and no reason");
    if (analysis) fuzz_report(arena, analysis, &fuzz->options);
}

/* What was found in a file is read from a block: whatever it says is priced and reported. */
static void fuzz_kept_findings(const Fuzz *fuzz, const Cache *cache, Arena *arena, Text block) {
    Text source = {fuzz_sample, sizeof fuzz_sample - 1}, error = {0};
    const char *paths[] = {fuzz_file(fuzz, arena, "input.py", source)};
    ProjectError project_error = {0};
    const Program *program = project_load(arena, paths, 1, &(ProjectLimits){.threads = 1}, &project_error);
    fuzz_holds(program, "the sample cannot be loaded");
    Parts parts = program_parts(arena, program);
    fuzz_holds(parts.items.count == 1, "the sample is no part");
    FindingsAsked asked = {.whole = program, .part = &parts.items.items[0], .book = rulebook_builtin()};
    Digest key = kept_findings_key(arena, &asked);
    fuzz_holds(cache_write(cache, BLOCK_FINDINGS, key, block) > 0, "a block cannot be written");
    AnalyzeOptions options = {.paths = paths, .path_count = 1, .limits = {.threads = 1, .cache = cache}};
    const Analysis *analysis = analyze(arena, &options, &error);
    fuzz_holds(analysis || error.length, "no analysis and no reason");
    if (analysis) fuzz_report(arena, analysis, &fuzz->options);
}

static void fuzz_cache(const Fuzz *fuzz, Text bytes) {
    Arena arena = {0};
    Cache cache = cache_at(&arena, fuzz->folder, "fuzz");
    Text block = text_slice(bytes, bytes.length > 0, bytes.length);
    if (bytes.length && bytes.bytes[0] == 'F')
        fuzz_kept_findings(fuzz, &cache, &arena, block);
    else if (bytes.length && bytes.bytes[0] & 1)
        fuzz_kept_model(fuzz, &cache, &arena, block);
    else
        fuzz_kept_result(&cache, &arena, block);
    (void)cache_clear(&cache);
    arena_free(&arena);
}
