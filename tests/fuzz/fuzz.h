#ifndef SYNCL_FUZZ_H
#define SYNCL_FUZZ_H
/* What the fuzz targets share. A target takes the bytes of one hostile input, feeds them to public entry points as a
   user's file would be, and ends the process when something that is promised does not hold. It keeps nothing: the same
   bytes do the same again. Written for libFuzzer (coverage.c) and for the replay of known cases (tests/unit/test_fuzz.c). */
#include "report.h"
#include "toml_scalar.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yyjson.h>

typedef struct Fuzz {
    char folder[96];        /* of this process; inputs that must be files are written there */
    Arena arena;            /* of what stays for the whole run */
    const char *path;       /* of fuzz_sample, which waits in most ways */
    const Analysis *sample; /* of it */
    ReportOptions options;  /* everything is shown */
} Fuzz;

typedef void FuzzTarget(const Fuzz *fuzz, Text bytes);

static const char fuzz_sample[] = "import torch\n"
                                  "import torch.nn as nn\n"
                                  "device = torch.device(\"cuda\")\n"
                                  "model = nn.Linear(10, 10).to(device)\n"
                                  "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
                                  "total = 0.0\n"
                                  "for step in range(1000):\n"
                                  "    x = torch.randn(32, 10, device=device)\n"
                                  "    loss = model(x).pow(2).mean()\n"
                                  "    optimizer.zero_grad()\n"
                                  "    loss.backward()\n"
                                  "    optimizer.step()\n"
                                  "    total += loss.item()\n"
                                  "    if step % 10 == 0:\n"
                                  "        print(loss, x[x > 0].cpu())\n"
                                  "        torch.cuda.synchronize()\n";

static inline _Noreturn void fuzz_broken(const char *what) {
    fprintf(stderr, "broken: %s\n", what);
    abort();
}

static inline void fuzz_holds(bool good, const char *what) {
    if (!good) fuzz_broken(what);
}

/* The path of a file in the folder with these bytes. */
static inline const char *fuzz_file(const Fuzz *fuzz, Arena *arena, const char *name, Text bytes) {
    const char *path = text_format(arena, "%s/%s", fuzz->folder, name).bytes;
    FILE *file = fopen(path, "wb");
    if (!file) fuzz_broken("the folder cannot be written to");
    fwrite(bytes.bytes, 1, bytes.length, file);
    fclose(file);
    return path;
}

static inline const Analysis *fuzz_analyze(Arena *arena, const char *path, const Rulebook *book) {
    Text error = {0};
    const char *paths[] = {path};
    AnalyzeOptions options = {.paths = paths, .path_count = 1, .rulebook = book, .limits = {.threads = 1}};
    const Analysis *analysis = analyze(arena, &options, &error);
    fuzz_holds(analysis || error.length, "no analysis and no reason");
    return analysis;
}

/* ---- what must hold of every report ---- */

static inline bool fuzz_in_order(Position start, Position end) {
    return start.line >= 1 && start.column >= 1 &&
           (start.line < end.line || (start.line == end.line && start.column <= end.column));
}

/* Gives a number that depends on what was written alone. */
static inline uint64_t fuzz_form(ReportFormat *form, const Report *report, bool is_json) {
    Arena arena = {0};
    Output output = {.arena = &arena};
    form(&output, report);
    Text text = output_guarded(&output);
    fuzz_holds(toml_first_bad(text) == text.length, "a report with control characters or broken UTF-8");
    yyjson_doc *document = is_json ? yyjson_read(text.bytes, text.length, 0) : NULL;
    fuzz_holds(!is_json || document, "a report that is no JSON");
    yyjson_doc_free(document);
    uint64_t hash = text_hash(text);
    arena_free(&arena);
    return hash;
}

static inline void fuzz_report(Arena *arena, const Analysis *analysis, const ReportOptions *options) {
    const Report *report = report_make(arena, analysis, options);
    for (uint32_t i = 0; i < report->findings.count; i++) {
        const Finding *finding = &report->findings.items[i];
        fuzz_holds(fuzz_in_order(finding->start, finding->end), "a finding that ends before it starts");
        fuzz_holds(!finding->site || finding->site->span.end <= finding->file->bytes.length,
                   "a finding beyond its file");
        if (!finding->cost || !finding->cost->has_per_turn) continue;
        CostRange price = finding->cost->per_turn;
        fuzz_holds(isfinite(price.low_us) && isfinite(price.high_us) && price.low_us <= price.high_us,
                   "a price that is no range");
    }
    (void)fuzz_form(report_full, report, false);
    uint64_t hash = fuzz_form(report_json, report, true);
    if (hash % 4) return;
    (void)fuzz_form(report_github, report, false);
    (void)fuzz_form(report_junit, report, false);
    (void)fuzz_form(report_gitlab, report, true);
    (void)fuzz_form(report_rdjson, report, true);
    if (hash % 64 == 0)
        (void)fuzz_form(report_sarif, report, true); /* holds all rule pages, which takes its time */
}

static inline void fuzz_report_file(const Fuzz *fuzz, Arena *arena, const char *path, const Rulebook *book) {
    const Analysis *analysis = fuzz_analyze(arena, path, book);
    ReportOptions options = fuzz->options;
    if (!analysis) return;
    if (book) { /* of rules that are not in the built-in one too */
        bool *shown = arena_new(arena, bool, book->hazard_count);
        memset(shown, true, sizeof *shown * book->hazard_count);
        options.selection.shown = shown;
    }
    fuzz_report(arena, analysis, &options);
}

/* ---- a run ---- */

static inline void fuzz_open(Fuzz *fuzz) {
    const Rulebook *book = rulebook_builtin();
    const char *temporary = getenv("TMPDIR");
    snprintf(fuzz->folder, sizeof fuzz->folder, "%.60s/syncl-fuzz-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(fuzz->folder)) fuzz_broken("no folder for the inputs");
    bool *shown = arena_new(&fuzz->arena, bool, book->hazard_count);
    memset(shown, true, sizeof *shown * book->hazard_count);
    Text folder = text_of(fuzz->folder);
    fuzz->options = (ReportOptions){.selection = {shown},
                                    .min_confidence = CONFIDENCE_POSSIBLE,
                                    .remarks = {true, true},
                                    .version = "0",
                                    .repository = {folder, folder, false}};
    fuzz->path = fuzz_file(fuzz, &fuzz->arena, "train.py", text_of(fuzz_sample));
    fuzz->sample = fuzz_analyze(&fuzz->arena, fuzz->path, NULL);
}

static inline void fuzz_close(Fuzz *fuzz) {
    static const char *const made[] = {
        "train.py",  "input.py", "input.ipynb",   "input.json",  "pyproject.toml", "syncl.toml", ".gitignore",
        "arguments", "bin/git",  "bin/rev-parse", "bin/ls-tree", "bin/cat-file",   "bin"};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
        char path[160];
        snprintf(path, sizeof path, "%s/%s", fuzz->folder, made[i]);
        (void)remove(path);
    }
    (void)rmdir(fuzz->folder);
    arena_free(&fuzz->arena);
}

#endif
