/* Runs the steps in their order. */
#include "analyze.h"
#include "dump_events.h"
#include "dump_evidence.h"
#include "dump_facts.h"
#include "dump_graph.h"
#include "dump_model.h"
#include "dump_trace.h"
#include "follow.h"
#include "output.h"
#include "progress.h"
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct Job {
    Arena *result;
    const AnalyzeOptions *options;
    Text *error;
    Analysis *analysis;
    Progress progress;
} Job;

static void write_stage(FILE *out, const AnalyzeOptions *options, const Analysis *analysis,
                        const Followed *followed) {
    const char *stage = options->dump;
    if (strcmp(stage, "model") == 0) dump_model(out, analysis->program);
    if (strcmp(stage, "graph") == 0) dump_graph(out, analysis->program);
    for (uint32_t i = 0; i < followed->count; i++) {
        if (strcmp(stage, "facts") == 0)
            dump_facts(out, followed->parts[i], options->sizes.given, options->sizes.given_count);
        if (strcmp(stage, "calls") == 0) dump_calls(out, followed->parts[i]);
        if (strcmp(stage, "evidence") == 0) dump_evidence(out, followed->parts[i]);
    }
    if (strcmp(stage, "sites") == 0) dump_sites(out, analysis->program, analysis->rulebook, analysis->findings);
    if (strcmp(stage, "events") == 0) dump_events(out, analysis->program, analysis->findings);
    if (strcmp(stage, "trace") == 0 && analysis->ledger)
        dump_trace(out, analysis->program, analysis->findings, analysis->ledger);
}

/* Dumps contain raw source text: each line is made safe before it is shown. */
static void dump_stage(Arena *arena, const AnalyzeOptions *options, const Analysis *analysis,
                       const Followed *followed) {
    char *bytes = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&bytes, &length);
    if (!memory) return;
    write_stage(memory, options, analysis, followed);
    (void)fclose(memory);
    Output output = {.arena = arena, .workflow = getenv("GITHUB_ACTIONS") != NULL};
    for (size_t start = 0, end; start < length; start = end + 1) {
        for (end = start; end < length && bytes[end] != '\n';) end++;
        output_clean(&output, (Text){bytes + start, (uint32_t)(end - start)});
        output_text(&output, "\n");
    }
    free(bytes);
    (void)output_to_descriptor(output_guarded(&output), STDOUT_FILENO);
}

/* Replaces assumed prices by those of the user's own run. */
static bool read_trace(Job *job, Analysis *analysis) {
    const AnalyzeOptions *options = job->options;
    LedgerInput input = {.program = analysis->program,
                         .book = analysis->rulebook,
                         .findings = analysis->findings,
                         .profile = analysis->profile,
                         .assumed = analysis->costs,
                         .step_time_us = options->cost.step_time_us,
                         .steps = options->trace_steps};
    uint32_t count = options->trace_count;
    const char *const *files = recordings_files(job->result, options->traces, &count, job->error);
    for (uint32_t i = 0; files && i < count; i++) inputs_file(options->limits.inputs, text_of(files[i]));
    if (files) analysis->ledger = recordings_ledger(job->result, &input, files, count, job->error);
    if (!analysis->ledger) return false;
    analysis->costs = traced_costs(job->result, analysis->findings, analysis->costs, analysis->ledger);
    return true;
}

static void run(Job *job) {
    Arena *result = job->result;
    const AnalyzeOptions *options = job->options;
    const Rulebook *book = options->rulebook ? options->rulebook : rulebook_builtin();
    ProjectLimits limits = options->limits;
    ProjectError project_error = {0};
    limits.hooks = rulebook_hooks(result, book, &limits.hook_count);
    const Program *program = project_load(result, options->paths, options->path_count, &limits, &project_error);
    if (!program) {
        *job->error = project_error.message;
        return;
    }
    Analysis *analysis = arena_new(result, Analysis, 1);
    analysis->program = program;
    analysis->rulebook = book;
    analysis->profile = options->profile ? options->profile : profile_builtin();
    uint32_t files = program->files.count - 1;
    progress_tell(&job->progress, "following values through", files);
    Confidence told = options->cost.shown_only ? options->cost.least : CONFIDENCE_NONE;
    /* the cache holds results of the build's own pages only */
    FollowOptions follow = {limits.threads, told, options->sizes,
                            book == rulebook_builtin() ? limits.cache : NULL, options->dump != NULL};
    Followed followed = follow_parts(result, program, book, &follow);
    analysis->findings = followed.findings;
    progress_tell(&job->progress, "pricing the waits of", files);
    analysis->suppressions = suppress_sites(result, program, book, analysis->findings);
    CostOptions cost = options->cost;
    cost.allowed = analysis->suppressions->allowed;
    analysis->costs = cost_findings(result, analysis->findings, analysis->profile, &cost);
    if (options->trace_count && !read_trace(job, analysis)) return;
    if (options->dump) dump_stage(result, options, analysis, &followed);
    job->analysis = analysis;
}

static void *run_on_thread(void *job) {
    Job *self = job;
    run(self);
    progress_tell(&self->progress, NULL, 0);
    return NULL;
}

/* Inference recurses over calls and nesting, both bounded. It runs on a stack of our own that fits the deepest
   recursion, whatever the system's default is; pages take memory only when touched. */
const Analysis *analyze(Arena *result, const AnalyzeOptions *options, Text *error) {
    Job job = {.result = result, .options = options, .error = error};
    progress_open(&job.progress, "reading files");
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, FOLLOW_STACK);
    bool started = pthread_create(&thread, &attributes, run_on_thread, &job) == 0;
    pthread_attr_destroy(&attributes);
    if (started && options->progress) progress_watch(&job.progress);
    if (started)
        pthread_join(thread, NULL);
    else
        *error = TEXT("out of memory: no room for a stack of 1 GiB (ulimit -v)");
    progress_close(&job.progress);
    return job.analysis;
}
