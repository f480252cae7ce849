/* Projects: the input is up to four files, a line of `#---` between them, which may import one another. One thread and
   three must report the same. */
#include "fuzz.h"

enum { FUZZ_FILES = 4 };
static const char *const fuzz_names[FUZZ_FILES] = {"m3.py", "m0.py", "m1.py", "m2.py"};

/* Puts the files into the arena's paths; gives how many. */
static uint32_t fuzz_split(const Fuzz *fuzz, Arena *arena, Text bytes, const char **paths) {
    const Text line = TEXT("\n#---\n");
    uint32_t count = 0, start = 0, end = 0;
    for (; count < FUZZ_FILES && start <= bytes.length; start = end + line.length) {
        for (end = start; end < bytes.length && !text_starts(text_slice(bytes, end, bytes.length), line);)
            end++;
        paths[count] = fuzz_file(fuzz, arena, fuzz_names[count], text_slice(bytes, start, end));
        count++;
    }
    return count;
}

static uint64_t fuzz_of_threads(Arena *arena, const char *const *paths, uint32_t count,
                                const ReportOptions *options, uint32_t threads) {
    Text error = {0};
    AnalyzeOptions run = {.paths = paths, .path_count = count, .limits = {.threads = threads}};
    const Analysis *analysis = analyze(arena, &run, &error);
    fuzz_holds(analysis, "no analysis of sources");
    fuzz_report(arena, analysis, options);
    return fuzz_form(report_json, report_make(arena, analysis, options), true);
}

static void fuzz_project(const Fuzz *fuzz, Text bytes) {
    Arena arena = {0};
    const char *paths[FUZZ_FILES];
    uint32_t count = fuzz_split(fuzz, &arena, bytes, paths);
    uint64_t one = fuzz_of_threads(&arena, paths, count, &fuzz->options, 1);
    fuzz_holds(one == fuzz_of_threads(&arena, paths, count, &fuzz->options, 3), "one thread and three differ");
    for (uint32_t i = 0; i < count; i++) (void)remove(paths[i]);
    arena_free(&arena);
}
