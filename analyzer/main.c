/* The program: reads the command line and the environment, runs the analysis, writes the report. Exit status 0 when
   nothing stands at the failing level, 1 when something does, 2 when it could not run. */
#include "add_allow.h"
#include "analyze.h"
#include "argfile.h"
#include "baseline.h"
#include "build_id.h"
#include "calibration.h"
#include "compare.h"
#include "cost_text.h"
#include "destinations.h"
#include "emit_test.h"
#include "explain.h"
#include "extend.h"
#include "file.h"
#include "glyph.h"
#include "kept_result.h"
#include "options.h"
#include "pages.h"
#include "path.h"
#include "place.h"
#include "report.h"
#include "settings.h"
#include "supply.h"
#include "syntax.h"
#include "wishes.h"
#include "team.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { GROWTH_US = 100 }; /* --max-growth, where it is not given */
enum { EXIT_QUIET = 0, EXIT_FOUND = 1, EXIT_CANNOT = 2 };

typedef struct Run {
    Arena *arena;
    Options options;
    Repository repository;
    Settings *settings;
    Strings argfiles;
    Destinations destinations;
    const KnownList *known;
    Output output;
    Text error;
    Cache cache;     /* its folder is NULL: none for this run */
    Inputs *inputs;  /* what is asked of the file system; NULL: nobody has to know */
    KeptResult kept; /* what was handed out */
} Run;

/* ---- saying ---- */

static Text line_of(Arena *arena, Text words) {
    Output line = {.arena = arena, .workflow = getenv("GITHUB_ACTIONS") != NULL};
    output_text(&line, "syncl: ");
    output_clean(&line, words);
    output_text(&line, "\n");
    return output_guarded(&line);
}

static int say(Arena *arena, Text words, int status) {
    (void)output_to_descriptor(line_of(arena, words), STDERR_FILENO);
    return status;
}

static bool to_standard_output(Run *run, Text bytes) {
    if (output_to_descriptor(bytes, STDOUT_FILENO)) return true;
    run->error = text_format(run->arena, "cannot write to standard output: %s", strerror(errno));
    return false;
}

/* Everything that a run writes leaves it here, so that a run that finds it in the cache writes the same. */
static bool hand_out(Run *run, Handed handed) {
    vec_push(run->arena, &run->kept.handed, handed);
    switch (handed.to) {
    case HAND_STDOUT: return to_standard_output(run, handed.bytes);
    case HAND_FILE: return output_to_file(handed.bytes, handed.path, &run->error, run->arena);
    case HAND_SUMMARY:
        return output_append(handed.bytes, getenv("GITHUB_STEP_SUMMARY"), &run->error, run->arena);
    default: (void)output_to_descriptor(handed.bytes, STDERR_FILENO); return true;
    }
}

static void note(Run *run, Text words) {
    (void)hand_out(run, (Handed){HAND_STDERR, NULL, line_of(run->arena, words)});
}

static bool has_summary(void) {
    const char *summary = getenv("GITHUB_STEP_SUMMARY");
    return summary && *summary;
}

static bool wants_color(const Options *options) {
    if (options->color != COLOR_AUTO) return options->color == COLOR_ALWAYS;
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    bool refused = (no_color && *no_color) || (terminal && strcmp(terminal, "dumb") == 0);
    return !refused && !options->output && isatty(STDOUT_FILENO) == 1;
}

/* Only where a person looks: --color=always may go through a pager that shows links as rubbish. */
static bool wants_links(const Options *options) {
    const char *terminal = getenv("TERM");
    bool knows = terminal && strcmp(terminal, "linux") != 0;
    return knows && options->color != COLOR_NEVER && !options->output && isatty(STDOUT_FILENO) == 1 &&
           wants_color(options);
}

/* A report where a source stood would be the end of the source. */
static bool overwrites_nothing(Run *run, const Inputs *read) {
    return destinations_leave_read(run->arena, &run->destinations, read, &run->error);
}

static int deliver(Run *run, int status) {
    if (!overwrites_nothing(run, run->inputs)) return say(run->arena, run->error, EXIT_CANNOT);
    const char *path = run->options.output;
    Handed report = {path ? HAND_FILE : HAND_STDOUT, path, output_guarded(&run->output)};
    return hand_out(run, report) ? status : say(run->arena, run->error, EXIT_CANNOT);
}

/* ---- commands ---- */

static int list_profiles(Run *run) {
    calibration_list(&run->output);
    return deliver(run, EXIT_QUIET);
}

static int explain(Run *run, const Rulebook *book) {
    HazardId hazard = selection_rule(run->arena, book, run->options.explain, &run->error);
    if (!hazard) return say(run->arena, run->error, EXIT_CANNOT);
    explain_rule(&run->output, book, hazard);
    return deliver(run, EXIT_QUIET);
}

static ReportFormat *writer_of(int format) {
    static ReportFormat *const formats[] = {
        [FORMAT_FULL] = report_full,
        [FORMAT_CONCISE] = report_concise,
        [FORMAT_JSON] = report_json,
        [FORMAT_GITHUB] = report_github,
        [FORMAT_SARIF] = report_sarif,
        [FORMAT_GITLAB] = report_gitlab,
        [FORMAT_JUNIT] = report_junit,
        [FORMAT_RDJSON] = report_rdjson,
        [FORMAT_JSON_LINES] = report_json_lines,
    };
    return formats[format];
}

static void write_report(Run *run, const Report *report) {
    ReportFormat *counts = run->options.format == FORMAT_JSON ? report_statistics_json : report_statistics;
    (run->options.statistics ? counts : writer_of(run->options.format))(&run->output, report);
}

/* Which loops are over --fail-over: on stderr, whatever form the report has. */
static void say_totals(Run *run, const Report *report) {
    const Findings *findings = report->analysis->findings;
    for (HotLoopId id = 1; report->totals && id < findings->loops.count; id++) {
        const HotLoop *loop = &findings->loops.items[id];
        const SourceFile *file = &report->analysis->program->files.items[loop->file];
        Text place = place_text(run->arena, file, loop->head.start);
        Text total = cost_text_us(run->arena, report_middle(report->totals[id].all));
        Text limit = cost_text_us(run->arena, run->options.fail_over_us);
        if (!report_over(report, id)) continue;
        Text words = text_format(
            run->arena, "%.*s:%.*s: the waits of the %.*s cost about %.*s together, more than --fail-over %.*s",
            (int)file->path.length, file->path.bytes, (int)place.length, place.bytes, (int)loop->name.length,
            loop->name.bytes, (int)total.length, total.bytes, (int)limit.length, limit.bytes);
        note(run, words);
    }
}

/* A gate that checks nothing must not look like one that passes. */
static int judge(Run *run, const Report *report) {
    uint32_t count = report->analysis->program->skipped.count;
    Text accelerator = report->analysis->findings->accelerator;
    if (accelerator.length && run->options.fail_over_us > 0)
        return say(run->arena,
                   text_format(run->arena, "--fail-over judges prices, and nothing is calibrated for %.*s",
                               (int)accelerator.length, accelerator.bytes),
                   EXIT_CANNOT);
    say_totals(run, report);
    bool grown = report->comparison && report->comparison->fails;
    if (report->files > 0) return (report->fails || grown) && !run->options.exit_zero ? EXIT_FOUND : EXIT_QUIET;
    if (count == 0 && run->options.force_exclude) return EXIT_QUIET; /* a hook's files may all be excluded */
    if (count == 0) return say(run->arena, TEXT("nothing was analysed: no Python files"), EXIT_CANNOT);
    const Skipped *first = &report->analysis->program->skipped.items[0];
    const char *more = count > 1 ? text_format(run->arena, " (and %u more)", count - 1).bytes : "";
    Text words = text_format(run->arena, "nothing was analysed: %.*s: %.*s%s", (int)first->path.length,
                             first->path.bytes, (int)first->reason.length, first->reason.bytes, more);
    return say(run->arena, words, EXIT_CANNOT);
}

static bool leave_out(void *settings, Text absolute, bool is_folder) {
    return settings_leave_out(settings, absolute, is_folder);
}

static bool leave_out_named(void *settings, Text absolute) {
    return settings_leave_out_named(settings, absolute);
}

static Confidence least_confidence(const Options *options) {
    return (Confidence)(options->min_confidence + CONFIDENCE_POSSIBLE);
}

static uint32_t threads_of(const Options *options) {
    return options->threads < TEAM_LIMIT ? (uint32_t)options->threads : TEAM_LIMIT;
}

/* JSON lists every loop, and what compares or measures looks at each. */
static CostOptions cost_options(const Options *options) {
    bool all_loops = options->format == FORMAT_JSON || options->also.count || options->compare ||
                     options->trace.count || options->dump || options->fail_over_us > 0;
    return (CostOptions){.step_time_us = options->step_time_us,
                         .gpu_busy = options->gpu_busy,
                         .ops_per_step = options->ops_per_step,
                         .threads = threads_of(options),
                         .least = least_confidence(options),
                         .shown_only = !all_loops};
}

static AnalyzeOptions analyze_options(const Run *run) {
    const Options *options = &run->options;
    return (AnalyzeOptions){.paths = options->paths.items,
                            .path_count = options->paths.count,
                            .limits = {.threads = threads_of(options),
                                       .stdin_name = options->stdin_filename,
                                       .filter = {leave_out, leave_out_named, run->settings},
                                       .search_paths = options->search_path.items,
                                       .search_path_count = options->search_path.count,
                                       .inputs = run->inputs,
                                       .cache = run->cache.folder ? &run->cache : NULL},
                            .cost = cost_options(options),
                            .progress = !options->quiet && isatty(STDERR_FILENO) == 1,
                            .traces = options->trace.items,
                            .trace_count = options->trace.count,
                            .dump = options->dump};
}

/* What cannot be asked for at once. */
static bool makes_sense(Run *run) {
    if (run->options.compare && run->options.trace.count) {
        run->error = TEXT("--compare does not go with --trace: a trace is of one of the two trees");
        return false;
    }
    return destinations_leave_named(run->arena, &run->destinations, &run->options, &run->argfiles, &run->error);
}

static bool write_also(Run *run, const Report *report, const Destination *also) {
    Output output = {.arena = run->arena, .workflow = run->output.workflow};
    writer_of(also->format)(&output, report);
    return hand_out(run, (Handed){HAND_FILE, also->path, output_guarded(&output)});
}

/* The reports that are written beside the one asked for. */
static bool write_beside(Run *run, const Report *report) {
    const char *sarif = run->options.sarif;
    Output code_scanning = {.arena = run->arena}, step = {.arena = run->arena};
    if (sarif) {
        report_sarif(&code_scanning, report);
        if (!hand_out(run, (Handed){HAND_FILE, sarif, output_guarded(&code_scanning)})) return false;
    }
    for (uint32_t i = 0; i < run->destinations.count; i++)
        if (run->destinations.items[i].also && !write_also(run, report, &run->destinations.items[i]))
            return false;
    if (run->options.format != FORMAT_GITHUB || !has_summary()) return true;
    report_github_summary(&step, report);
    return hand_out(run, (Handed){HAND_SUMMARY, NULL, output_guarded(&step)});
}

static ReportOptions report_options(Run *run) {
    return (ReportOptions){.min_confidence = least_confidence(&run->options),
                           .fail_on = (Level)run->options.fail_on,
                           .quiet = run->options.quiet,
                           .known = run->known,
                           .min_cost_us = run->options.min_cost_us,
                           .fail_over_us = run->options.fail_over_us,
                           .fail_on_too = run->options.from[options_row("fail-on")].length > 0,
                           .fail_confidence = (Confidence)(run->options.fail_confidence + CONFIDENCE_POSSIBLE),
                           .cost = cost_options(&run->options),
                           .remarks = {run->options.report_unused, run->options.require_reason},
                           .version = SYNCL_VERSION,
                           .repository = run->repository};
}

static bool read_baseline(Run *run) {
    KnownList *known = arena_new(run->arena, KnownList, 1);
    if (!run->options.baseline || run->options.write_baseline) return true;
    run->known = known;
    inputs_file(run->inputs, text_of(run->options.baseline));
    return baseline_read(run->arena, run->options.baseline, known, &run->error);
}

/* The logs one after the other, as if it were one. */
static bool read_observed(Run *run, Text *log) {
    Output all = {.arena = run->arena};
    Text bytes, why;
    for (uint32_t i = 0; i < run->options.observed.count; i++) {
        const char *path = run->options.observed.items[i];
        inputs_file(run->inputs, text_of(path));
        if (!file_read(run->arena, text_of(path), &bytes, &why)) {
            run->error = text_format(run->arena, "%s: %.*s", path, (int)why.length, why.bytes);
            return false;
        }
        output_bytes(&all, bytes);
        output_text(&all, "\n");
    }
    *log = (Text){all.bytes.items, all.bytes.count};
    return true;
}

static int write_test(Run *run, const Report *report) {
    if (!emit_test(&run->output, report, run->options.emit_test, &run->error))
        return say(run->arena, run->error, EXIT_CANNOT);
    return deliver(run, EXIT_QUIET);
}

static int write_baseline(Run *run, const Report *report) {
    Output baseline = {.arena = run->arena};
    const char *path = run->options.write_baseline;
    baseline_write(&baseline, report);
    if (!output_to_file(output_guarded(&baseline), path, &run->error, run->arena))
        return say(run->arena, run->error, EXIT_CANNOT);
    output_format(&run->output, "%u finding%s written to ", report->findings.count,
                  report->findings.count == 1 ? "" : "s");
    output_clean(&run->output, text_of(path));
    output_text(&run->output, ".\n");
    return deliver(run, EXIT_QUIET);
}

static int allow_all(Run *run, const Report *report) {
    Added added = {0};
    if (!add_allow(run->arena, report, run->options.allow_reason, &added, &run->error))
        return say(run->arena, run->error, EXIT_CANNOT);
    output_format(&run->output, "%u comment%s added in %u file%s", added.comments,
                  added.comments == 1 ? "" : "s", added.files, added.files == 1 ? "" : "s");
    if (added.left) output_format(&run->output, "; %u findings stand where none can be added", added.left);
    output_text(&run->output, ".\n");
    return deliver(run, EXIT_QUIET);
}

/* What the formats for machines cannot say. */
static void say_comparison(Run *run, const Report *report) {
    int format = run->options.format;
    Output lines = {.arena = run->arena, .workflow = true};
    if (format == FORMAT_FULL || format == FORMAT_CONCISE || format == FORMAT_GITHUB) return;
    report_comparison(&lines, report);
    (void)output_to_descriptor(output_guarded(&lines), STDERR_FILENO);
}

static int report(Run *run, const Analysis *analysis, const ReportOptions *wanted, const Report *before) {
    Report *made = report_make(run->arena, analysis, wanted);
    double limit_us = run->options.max_growth_us > 0 ? run->options.max_growth_us : GROWTH_US;
    if (before) made->comparison = compare_reports(run->arena, before, made, run->options.compare, limit_us);
    if (!overwrites_nothing(run, run->inputs)) return say(run->arena, run->error, EXIT_CANNOT);
    if (run->options.add_allow) return allow_all(run, made);
    if (run->options.write_baseline) return write_baseline(run, made);
    if (run->options.emit_test) return write_test(run, made);
    write_report(run, made);
    int delivered = deliver(run, EXIT_QUIET);
    if (delivered) return delivered;
    say_comparison(run, made);
    return write_beside(run, made) ? judge(run, made) : say(run->arena, run->error, EXIT_CANNOT);
}

static bool look_back(Run *run, const Rulebook *book, const AnalyzeOptions *how, ReportOptions *wanted,
                      const Report **before) {
    CompareTask task = {run->options.compare, *how, *wanted, run->settings, book};
    *before = compare_before(run->arena, &task, &run->error);
    if (*before) wanted->known = compare_known(run->arena, *before, run->known);
    return *before != NULL;
}

/* The profile that prices the run; measured first where that is asked for. */
static const Profile *profile_for(Run *run, const char *invoked) {
    const Options *options = &run->options;
    bool given = text_equal(options->from[options_row("profile")], TEXT("command line"));
    const char *named = given ? options->profile : NULL, *made = NULL;
    Strings notes = {0};
    if (options->command == COMMAND_CALIBRATE &&
        !calibration_ready(run->arena, options, invoked, &made, &run->error))
        return NULL;
    const Profile *profile = calibration_profile(run->arena, run->inputs, named ? named : made,
                                                 given ? NULL : options->profile, &notes, &run->error);
    for (uint32_t i = 0; i < notes.count; i++) note(run, text_of(notes.items[i]));
    return profile;
}

static const Rulebook *extended(Run *run, const Rulebook *book) {
    const Options *options = &run->options;
    return extend_rulebook(run->arena, book, options->extend_rules.items, options->extend_rules.count,
                           options->torch_version, run->inputs, &run->error);
}

/* The settings, and what is wrong with them, before anything is read. */
static bool prepare(Run *run, const Rulebook **rulebook, AnalyzeOptions *how) {
    run->repository = repository_find(run->arena, run->inputs);
    run->settings = settings_load(run->arena, &run->options, &run->repository, run->inputs, &run->error);
    if (!run->settings) return false;
    if (!makes_sense(run)) return false;
    const Rulebook *book = *rulebook = extended(run, *rulebook);
    if (!book) return false;
    *how = analyze_options(run);
    how->rulebook = book;
    Text first = run->options.paths.count ? text_of(run->options.paths.items[0]) : TEXT(".");
    RuleWishes wishes =
        settings_rules(run->settings, path_absolute(run->arena, run->repository.current, first));
    Selection unused;
    if (!selection_make(run->arena, book, wishes.layers, wishes.count, &wishes.ignored_here, &unused,
                        &run->error))
        return false;
    return settings_cost_model(run->settings, COST_MODEL, &run->error) && read_baseline(run);
}

static int check_afresh(Run *run, const Rulebook *book, const char *invoked) {
    AnalyzeOptions how;
    if (!prepare(run, &book, &how)) return say(run->arena, run->error, EXIT_CANNOT);
    how.profile = profile_for(run, invoked);
    if (!how.profile) return run->error.length ? say(run->arena, run->error, EXIT_CANNOT) : EXIT_CANNOT;
    const Analysis *analysis = analyze(run->arena, &how, &run->error);
    for (uint32_t i = 0; settings_unread(run->settings, i).length; i++)
        note(run, settings_unread(run->settings, i));
    if (!analysis) return say(run->arena, run->error, EXIT_CANNOT);
    ReportOptions wanted = report_options(run);
    wanted.by_file = wishes_by_file(run->arena, analysis->program, book, run->settings, run->repository.current,
                                    &run->error);
    if (settings_broken(run->settings)) return say(run->arena, *settings_broken(run->settings), EXIT_CANNOT);
    if (!read_observed(run, &wanted.observed)) return say(run->arena, run->error, EXIT_CANNOT);
    if (!wanted.by_file) return say(run->arena, run->error, EXIT_CANNOT);
    if (run->options.dump) return EXIT_QUIET;
    const Report *before = NULL;
    if (run->options.compare && !look_back(run, book, &how, &wanted, &before))
        return say(run->arena, run->error, EXIT_CANNOT);
    return report(run, analysis, &wanted, before);
}

/* With a core to spare, memory is made ready on it. */
static int check_supplied(Run *run, const Rulebook *book, const char *invoked) {
    Supply supply;
    bool spare = threads_of(&run->options) != 1 && team_cores("") > 1;
    supply_open(&supply);
    run->arena->supply = spare ? &supply : NULL;
    int status = check_afresh(run, book, invoked);
    run->arena->supply = NULL;
    supply_close(&supply);
    return status;
}

static void note_inputs(Run *run, bool names_only) {
    run->inputs = arena_new(run->arena, Inputs, 1);
    *run->inputs = (Inputs){.arena = run->arena, .asked = {.arena = run->arena}, .names_only = names_only};
}

/* A trace, a calibration and a dump are about today's run. */
static Cache cache_of(const Run *run) {
    const Options *options = &run->options;
    Cache cache = cache_at(run->arena, options->cache_dir, build_id);
    if (options->no_cache || options->trace.count || options->dump || options->command == COMMAND_CALIBRATE)
        cache.folder = NULL;
    return cache;
}

/* What depends on nothing but the request and the file system; kept_result.h says which runs do not. */
static bool is_repeatable(const Options *options) {
    for (uint32_t i = 0; i < options->paths.count; i++)
        if (strcmp(options->paths.items[i], "-") == 0) return false;
    return !options->compare && !options->add_allow && !options->write_baseline && !options->emit_test;
}

static bool request_of(const Run *run, Digest *request) {
    const Options *options = &run->options;
    Surroundings surroundings = {.words = options->deciding.items,
                                 .word_count = options->deciding.count,
                                 .paths = options->paths.items,
                                 .path_count = options->paths.count,
                                 .color = run->output.color,
                                 .links = run->output.links,
                                 .workflow = run->output.workflow,
                                 .summary = has_summary(),
                                 .profiles = profile_folder(run->arena)};
    return is_repeatable(options) && kept_request(run->arena, &surroundings, request);
}

static int hand_out_again(Run *run, const KeptResult *kept) {
    if (!overwrites_nothing(run, kept->inputs)) return say(run->arena, run->error, EXIT_CANNOT);
    for (uint32_t i = 0; i < kept->handed.count; i++)
        if (!hand_out(run, kept->handed.items[i])) return say(run->arena, run->error, EXIT_CANNOT);
    return kept->status;
}

static int check(Run *run, const Rulebook *book, const char *invoked) {
    Digest request;
    KeptResult kept;
    run->cache = cache_of(run);
    if (!run->cache.folder || !request_of(run, &request)) return check_supplied(run, book, invoked);
    if (kept_result_find(&run->cache, run->arena, request, &kept)) return hand_out_again(run, &kept);
    note_inputs(run, false);
    run->kept.status = check_supplied(run, book, invoked);
    if (run->kept.status == EXIT_QUIET || run->kept.status == EXIT_FOUND)
        cache_trim(&run->cache, kept_result_keep(&run->cache, run->arena, request, run->inputs, &run->kept));
    return run->kept.status;
}

static int clean_cache(Run *run) {
    Cache cache = cache_of(run);
    uint32_t count = cache_clear(&cache);
    output_format(&run->output, "%u block%s removed from ", count, count == 1 ? "" : "s");
    output_clean(&run->output, cache.folder ? text_of(cache.folder) : TEXT("no folder"));
    output_text(&run->output, "\n");
    return deliver(run, EXIT_QUIET);
}

static int show_settings(Run *run, const Rulebook *book) {
    AnalyzeOptions how;
    if (!prepare(run, &book, &how)) return say(run->arena, run->error, EXIT_CANNOT);
    Text path = run->options.paths.count ? text_of(run->options.paths.items[0]) : TEXT(".");
    settings_show(run->settings, &run->options, path_absolute(run->arena, run->repository.current, path),
                  &run->output);
    return deliver(run, EXIT_QUIET);
}

/* For --rules and --explain: the configuration's pages too; a broken one is no reason not to explain a rule. */
static const Rulebook *book_to_read(Run *run) {
    Text broken = {0};
    run->repository = repository_find(run->arena, run->inputs);
    (void)settings_load(run->arena, &run->options, &run->repository, run->inputs, &broken);
    return extended(run, rulebook_builtin());
}

static int tell_rules(Run *run) {
    const Rulebook *book = book_to_read(run);
    if (!book) return say(run->arena, run->error, EXIT_CANNOT);
    if (run->options.command != COMMAND_RULES) return explain(run, book);
    explain_rules(&run->output, book);
    return deliver(run, EXIT_QUIET);
}

static int run_command(Run *run, char **argv) {
    const Rulebook *book = rulebook_builtin();
    if (run->destinations.count) note_inputs(run, true);
    if (pages_write(&run->output, &run->options, SYNCL_VERSION)) return deliver(run, EXIT_QUIET);
    switch (run->options.command) {
    case COMMAND_CALIBRATE:
        if (run->options.paths.count) return check(run, book, argv[0]);
        calibration_become(run->arena, &run->options, argv[0], &run->error);
        return say(run->arena, run->error, EXIT_CANNOT);
    case COMMAND_PROFILES: return list_profiles(run);
    case COMMAND_SHOW_SETTINGS: return show_settings(run, book);
    case COMMAND_CLEAN_CACHE: return clean_cache(run);
    case COMMAND_RULES: return tell_rules(run);
    default: break;
    }
    return run->options.explain ? tell_rules(run) : check(run, book, argv[0]);
}

/* With a standard descriptor closed, the next file opened would take its number, and be written to in its place. */
static void hold_standard_descriptors(void) {
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0) (void)open("/dev/null", O_RDONLY);
}

int main(int argc, char **argv) {
    Arena arena = {0};
    Run run = {.arena = &arena};
    hold_standard_descriptors();
    (void)signal(SIGPIPE, SIG_IGN); /* a closed pipe is a failed write, and said so */
    (void)signal(SIGXFSZ, SIG_IGN); /* and so is a file at its limit */
    syntax_memory();
    bool understood = argfile_expand(&arena, &argc, &argv, &run.argfiles, &run.error) &&
                      options_parse(&arena, argc, argv, &run.options, &run.error) &&
                      destinations_of(&arena, &run.options, &run.destinations, &run.error);
    run.output = (Output){.arena = &arena,
                          .color = wants_color(&run.options),
                          .links = wants_links(&run.options),
                          .folder = repository_find(&arena, NULL).current,
                          .workflow = getenv("GITHUB_ACTIONS") != NULL};
    int status = understood ? run_command(&run, argv) : say(&arena, run.error, EXIT_CANNOT);
    arena_free(&arena);
    return status;
}
