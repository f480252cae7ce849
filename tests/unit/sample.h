/* A hand-made Analysis: one file, three hazards, sites put where a test wants them. The report is tested on it apart
   from everything that makes analyses. */
#ifndef SYNCL_SAMPLE_H
#define SYNCL_SAMPLE_H
#include "conventions.h"
#include "keep_json.h"
#include "report.h"

typedef struct Sample {
    Arena *arena;
    Program program;
    Rulebook rulebook;
    Findings findings;
    Costs costs;
    Analysis analysis;
    ReportOptions options;
    bool shown[8];
} Sample;

static Text sample_texts[] = {
    {"", 0},
    {"host-read", 9},
    {"SYN101", 6},
    {"`{expr}` reads a value.", 23},
    {"Keep it on the GPU,\nread it later.\n\nMore.", 41},
    {"# host-read (SYN101)\n\nPage.\n", 28},
    {"wait", 4},
    {"print-tensor", 12},
    {"SYN102", 6},
    {"explicit-wait", 13},
    {"SYN201", 6},
};
static const Hazard sample_hazards[] = {
    {0},
    {.name = 1, .code = 2, .message = 3, .why = 4, .instead = 4, .page = 5, .kind = 6},
    {.name = 7, .code = 8, .message = 3, .why = 4, .instead = 4, .page = 5, .kind = 6},
    {.name = 9, .code = 10, .message = 3, .why = 4, .instead = 4, .page = 5, .kind = 6},
};

static inline FileModel *sample_model(Arena *arena, Text bytes) {
    FileModel *model = arena_new(arena, FileModel, 1);
    model->byte_count = bytes.length;
    vec_push(arena, &model->lines, 0);
    for (uint32_t i = 0; i < bytes.length; i++)
        if (bytes.bytes[i] == '\n') vec_push(arena, &model->lines, i + 1);
    return model;
}

static inline FileId sample_file(Sample *sample, const char *path, const char *source) {
    Text bytes = text_of(source);
    SourceFile file = {.path = text_of(path), .bytes = bytes, .reported = true};
    file.model = sample_model(sample->arena, bytes);
    vec_push(sample->arena, &sample->program.files, file);
    return sample->program.files.count - 1;
}

static inline void sample_start(Sample *sample, Arena *arena) {
    *sample = (Sample){.arena = arena};
    vec_push(arena, &sample->program.files, (SourceFile){0});
    vec_push(arena, &sample->findings.sites, (Site){0});
    vec_push(arena, &sample->findings.loops, (HotLoop){0});
    static const ConventionRows no_conventions[NAMED_LIMIT]; /* no name suggests anything */
    sample->rulebook = (Rulebook){.convention_rows = no_conventions,
                                  .hazards = sample_hazards,
                                  .hazard_count = 4,
                                  .texts = sample_texts,
                                  .text_count = sizeof sample_texts / sizeof sample_texts[0]};
    sample->costs = (Costs){arena_new(arena, SiteCost, 64), arena_new(arena, LoopCost, 8)};
    for (int i = 0; i < 8; i++) sample->shown[i] = true;
    sample->options = (ReportOptions){.selection = {sample->shown},
                                      .min_confidence = CONFIDENCE_LIKELY,
                                      .fail_on = LEVEL_WARNING,
                                      .version = "test",
                                      .repository = {TEXT("/repo"), TEXT("/repo"), true}};
    sample->analysis =
        (Analysis){.program = &sample->program, .rulebook = &sample->rulebook, .profile = profile_builtin(), .findings = &sample->findings, .costs = &sample->costs};
}

/* A site at the nth occurrence (from 0) of `expression`; its statement is the line. */
static inline SiteId sample_site(Sample *sample, FileId file, const char *expression, int nth,
                                 double price_us) {
    const SourceFile *source = &sample->program.files.items[file];
    const char *start = source->bytes.bytes, *found = strstr(start, expression);
    while (nth-- > 0) found = strstr(found + 1, expression);
    const char *from = found, *to = found + strlen(expression);
    while (from > start && from[-1] != '\n') from--;
    while (*to && *to != '\n') to++;
    while (*from == ' ' || *from == '\t') from++;
    Site site = {
        .file = file, .hazard = 1, .confidence = CONFIDENCE_CERTAIN, .level = LEVEL_WARNING, .waits = 1};
    site.span = (Span){(uint32_t)(found - start), (uint32_t)(found - start + (long)strlen(expression))};
    site.statement = (Span){(uint32_t)(from - start), (uint32_t)(to - start)};
    site.frequency = (Frequency){.unit = UNIT_STEP, .times = 1, .every = 1, .text = TEXT("every training step")};
    vec_push(sample->arena, &sample->findings.sites, site);
    SiteId id = sample->findings.sites.count - 1;
    SiteCost cost = {
        .per_execution = {price_us, 2 * price_us}, .per_turn = {price_us, 2 * price_us}, .marginal = {price_us, 2 * price_us}, .has_per_turn = true};
    cost.text = TEXT("about so much");
    sample->costs.sites[id] = cost;
    return id;
}

static inline Report *sample_report(Sample *sample) {
    sample->analysis.suppressions = suppress_sites(sample->arena, &sample->program, &sample->rulebook, &sample->findings);
    return report_make(sample->arena, &sample->analysis, &sample->options);
}

static inline Text sample_written(Sample *sample, ReportFormat *format) {
    Output output = {.arena = sample->arena, .columns = 149};
    format(&output, sample_report(sample));
    vec_push(sample->arena, &output.bytes, '\0');
    keep_json(output.bytes.items);
    return (Text){output.bytes.items, output.bytes.count - 1};
}

#endif
