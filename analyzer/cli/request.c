/* Checks a request before anything is read. */
#include "request.h"
#include <math.h>
#include "baseline.h"
#include "calibration.h"
#include "extend.h"
#include "mending.h"
#include "file.h"
#include "path.h"
#include "team.h"
#include "wishes.h"
#include <math.h>
#include <unistd.h>

enum { USUAL_TOP = 5 }; /* groups of the plan that are shown */

static bool leave_out(void *settings, Text absolute, bool is_folder) {
    return settings_leave_out(settings, absolute, is_folder);
}

static bool leave_out_named(void *settings, Text absolute) {
    return settings_leave_out_named(settings, absolute);
}

enum { STEPS_GIVEN_LIMIT = 100000 };

static Confidence least_confidence(const Options *options) {
    return (Confidence)(options->min_confidence + CONFIDENCE_POSSIBLE);
}

uint32_t request_threads(const Options *options) {
    return options->threads < TEAM_LIMIT ? (uint32_t)options->threads : TEAM_LIMIT;
}

/* JSON lists every loop, and comparing and measuring look at each, so then all loops are priced. */
static CostOptions cost_options(const Run *run) {
    const Options *options = &run->options;
    bool all_loops = options->format == FORMAT_JSON || options->format == FORMAT_HTML || options->also.count ||
                     options->compare || options->trace.count || options->dump || options->fail_over_us > 0 ||
                     mending_wanted(options);
    return (CostOptions){.step_time_us = options->step_time_us,
                         .gpu_busy = options->gpu_busy,
                         .min_gain = options->min_gain,
                         .ops_per_step = options->ops_per_step,
                         .cache = run->cache.folder ? &run->cache : NULL,
                         .threads = request_threads(options),
                         .least = least_confidence(options),
                         .shown_only = !all_loops};
}

/* With --emit-test only named files are read whole: a test written into the project earlier would be analysed
   with it. */
static bool whole_projects(const Options *options) { return !options->no_project && !options->emit_test; }

static AnalyzeOptions analyze_options(const Run *run) {
    const Options *options = &run->options;
    return (AnalyzeOptions){.paths = options->paths.items,
                            .path_count = options->paths.count,
                            .limits = {.threads = request_threads(options),
                                       .stdin_name = options->stdin_filename,
                                       .filter = {leave_out, leave_out_named, run->settings},
                                       .search_paths = options->search_path.items,
                                       .whole_projects = whole_projects(options),
                                       .search_path_count = options->search_path.count,
                                       .inputs = run->inputs,
                                       .cache = run->cache.folder ? &run->cache : NULL},
                            .cost = cost_options(run),
                            .progress = !options->quiet && isatty(STDERR_FILENO) == 1,
                            .traces = options->trace.items,
                            .trace_count = options->trace.count,
                            .trace_steps = (uint32_t)fmin(options->trace_steps, STEPS_GIVEN_LIMIT),
                            .dump = options->dump};
}

/* Rejects options that cannot be combined. */
static bool makes_sense(Run *run) {
    if (run->options.compare && run->options.trace.count) {
        run->error = TEXT("--compare does not go with --trace: a trace is of one of the two trees");
        return false;
    }
    if (mending_wanted(&run->options) && run->options.add_allow) {
        run->error = TEXT("--fix and --diff do not go with --add-allow: one after the other");
        return false;
    }
    if (run->options.trace_steps > 0 && (!run->options.trace.count || run->options.trace_steps < 3)) {
        run->error = TEXT("--trace-steps is how many steps each --trace holds, three at least");
        return false;
    }
    return destinations_leave_named(run->arena, &run->destinations, &run->options, &run->argfiles, &run->error);
}

/* Number of groups; 0 where no report has a plan. */
static uint32_t wants_plan(const Options *options) {
    static const bool planned[FORMAT_HTML + 1] = {
        [FORMAT_PLAN] = true,     [FORMAT_FULL] = true, [FORMAT_JSON] = true,
        [FORMAT_MARKDOWN] = true, [FORMAT_HTML] = true, [FORMAT_GITHUB] = true};
    bool quiet = options->quiet && (options->format == FORMAT_PLAN || options->format == FORMAT_FULL);
    bool wanted = (planned[options->format] && !quiet) || options->also.count;
    double top = options->top > 0 ? fmin(options->top, 1e6) : USUAL_TOP;
    return wanted && !options->statistics ? (uint32_t)top : 0;
}

static bool wants_page(const Options *options) {
    bool wanted = options->format == FORMAT_HTML;
    for (uint32_t i = 0; i < options->also.count; i++)
        wanted |= text_starts(text_of(options->also.items[i]), TEXT("html:"));
    return wanted;
}

/* Whether a requested format contains fixes. */
static bool wants_fixes(const Options *options) {
    static const bool fixes[FORMAT_HTML + 1] = {[FORMAT_JSON] = true,
                                                [FORMAT_JSON_LINES] = true,
                                                [FORMAT_SARIF] = true,
                                                [FORMAT_RDJSON] = true,
                                                [FORMAT_MARKDOWN] = true};
    return (fixes[options->format] || options->also.count) && !options->statistics;
}

ReportOptions request_report(Run *run) {
    return (ReportOptions){.min_confidence = least_confidence(&run->options),
                           .fail_on = (Level)run->options.fail_on,
                           .quiet = run->options.quiet,
                           .known = run->known,
                           .top = wants_plan(&run->options),
                           .drawn = wants_page(&run->options),
                           .fixes = wants_fixes(&run->options),
                           .min_cost_us = run->options.min_cost_us,
                           .fail_over_us = run->options.fail_over_us,
                           .fail_on_broken = run->options.fail_on_broken,
                           .fail_on_too = run->options.from[options_row("fail-on")].length > 0,
                           .fail_confidence = (Confidence)(run->options.fail_confidence + CONFIDENCE_POSSIBLE),
                           .cost = cost_options(run),
                           .remarks = {run->options.report_unused, run->options.require_reason},
                           .version = run->version,
                           .repository = run->repository};
}

static bool read_baseline(Run *run) {
    KnownList *known = arena_new(run->arena, KnownList, 1);
    if (!run->options.baseline || run->options.write_baseline) return true;
    run->known = known;
    inputs_file(run->inputs, text_of(run->options.baseline));
    return baseline_read(run->arena, run->options.baseline, known, &run->error);
}

/* Concatenates the logs. */
bool request_observed(Run *run, Text *log) {
    Output all = {.arena = run->arena};
    Text bytes, why;
    for (uint32_t i = 0; i < run->options.observed.count; i++) {
        const char *path = run->options.observed.items[i];
        inputs_file(run->inputs, text_of(path));
        if (!file_read(run->arena, text_of(path), &bytes, &why)) {
            run->error = text_format(run->arena, "%s: %.*s", path, SHOWN(why));
            return false;
        }
        output_bytes(&all, bytes);
        output_text(&all, "\n");
    }
    *log = (Text){all.bytes.items, all.bytes.count};
    return true;
}

/* The profile that prices the run; measures first if asked to. */
const Profile *request_profile(Run *run, const char *invoked) {
    const Options *options = &run->options;
    bool given = text_equal(options->from[options_row("profile")], TEXT("command line"));
    const char *named = given ? options->profile : NULL, *made = NULL;
    Strings notes = {0};
    if (options->command == COMMAND_CALIBRATE &&
        !calibration_ready(run->arena, options, invoked, &made, &run->error))
        return NULL;
    const Profile *profile = calibration_profile(run->arena, run->inputs, named ? named : made,
                                                 given ? NULL : options->profile, &notes, &run->error);
    for (uint32_t i = 0; i < notes.count; i++) run_note(run, text_of(notes.items[i]));
    return profile;
}

const Rulebook *request_rulebook(Run *run, const Rulebook *book) {
    const Options *options = &run->options;
    return extend_rulebook(run->arena, book, options->extend_rules.items, options->extend_rules.count,
                           options->torch_version, run->inputs, &run->error);
}

static bool read_shapes(Run *run, SizeOptions *sizes) {
    const Strings *told = &run->options.shape;
    GivenShape *given = arena_new(run->arena, GivenShape, told->count + 1u);
    for (uint32_t i = 0; i < told->count; i++)
        if (!given_shape_read(run->arena, told->items[i], &given[i], &run->error)) return false;
    *sizes = (SizeOptions){.given = given, .given_count = (uint32_t)told->count};
    return true;
}

/* Loads the settings and reports what is wrong with them before anything is read. */
bool request_prepare(Run *run, const Rulebook **rulebook, AnalyzeOptions *how) {
    run->repository = repository_find(run->arena, run->inputs);
    run->settings = settings_load(run->arena, &run->options, &run->repository, run->inputs, &run->error);
    if (!run->settings) return false;
    if (!makes_sense(run)) return false;
    const Rulebook *book = *rulebook = request_rulebook(run, *rulebook);
    if (!book) return false;
    *how = analyze_options(run);
    if (!read_shapes(run, &how->sizes)) return false;
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
