/* Analyses paths. A run is cached only if it depends on nothing but its request and the file system. */
#include "check.h"
#include "add_allow.h"
#include "build_id.h"
#include "compare.h"
#include "profile_saved.h"
#include "emit_test.h"
#include "mending.h"
#include "path.h"
#include "request.h"
#include "supply.h"
#include "team.h"
#include "wishes.h"
#include "written.h"

static bool look_back(Run *run, const Rulebook *book, const AnalyzeOptions *how, ReportOptions *wanted,
                      const Report **before) {
    CompareTask task = {run->options.compare, *how, *wanted, run->settings, book};
    *before = compare_before(run->arena, &task, &run->error);
    if (*before) wanted->known = compare_known(run->arena, *before, run->known);
    return *before != NULL;
}

static int mend(Run *run, const AnalyzeOptions *how, ReportOptions *wanted, const Analysis *analysis,
                const Report *before) {
    Mended mended;
    if (!mending_run(run, how, wanted, analysis, &mended)) return run_say(run->arena, run->error, EXIT_CANNOT);
    if (run->options.diff)
        return run_deliver(run, mended.findings && !run->options.exit_zero ? EXIT_FOUND : EXIT_QUIET);
    if (run->options.fix_only) return mended.piped ? run_deliver(run, EXIT_QUIET) : EXIT_QUIET;
    wanted->by_file = wishes_by_file(run->arena, mended.analysis->program, how->rulebook, run->settings,
                                     run->repository.current, &run->error);
    if (!wanted->by_file) return run_say(run->arena, run->error, EXIT_CANNOT);
    if (!mended.piped) return report_written(run, mended.analysis, wanted, before);
    bool fails = report_make(run->arena, mended.analysis, wanted)->fails;
    return run_deliver(run, fails && !run->options.exit_zero ? EXIT_FOUND : EXIT_QUIET);
}

static int check_afresh(Run *run, const Rulebook *book, const char *invoked) {
    AnalyzeOptions how;
    if (!request_prepare(run, &book, &how)) return run_say(run->arena, run->error, EXIT_CANNOT);
    how.profile = request_profile(run, invoked);
    if (!how.profile) return run->error.length ? run_say(run->arena, run->error, EXIT_CANNOT) : EXIT_CANNOT;
    const Analysis *analysis = analyze(run->arena, &how, &run->error);
    for (uint32_t i = 0; settings_unread(run->settings, i).length; i++)
        run_note(run, settings_unread(run->settings, i));
    if (!analysis) return run_say(run->arena, run->error, EXIT_CANNOT);
    ReportOptions wanted = request_report(run);
    wanted.by_file = wishes_by_file(run->arena, analysis->program, book, run->settings, run->repository.current,
                                    &run->error);
    if (settings_broken(run->settings))
        return run_say(run->arena, *settings_broken(run->settings), EXIT_CANNOT);
    if (!request_observed(run, &wanted.observed)) return run_say(run->arena, run->error, EXIT_CANNOT);
    if (!wanted.by_file) return run_say(run->arena, run->error, EXIT_CANNOT);
    if (run->options.dump) return EXIT_QUIET;
    const Report *before = NULL;
    if (run->options.compare && !look_back(run, book, &how, &wanted, &before))
        return run_say(run->arena, run->error, EXIT_CANNOT);
    if (mending_wanted(&run->options)) return mend(run, &how, &wanted, analysis, before);
    return report_written(run, analysis, &wanted, before);
}

/* Where a second core is free, memory is made ready on it. */
static int check_supplied(Run *run, const Rulebook *book, const char *invoked) {
    Supply supply;
    bool spare = request_threads(&run->options) != 1 && team_cores("") > 1;
    supply_open(&supply);
    run->arena->supply = spare ? &supply : NULL;
    int status = check_afresh(run, book, invoked);
    run->arena->supply = NULL;
    supply_close(&supply);
    return status;
}

void check_inputs(Run *run, bool names_only) {
    run->inputs = arena_new(run->arena, Inputs, 1);
    *run->inputs = (Inputs){.arena = run->arena, .asked = {.arena = run->arena}, .names_only = names_only};
}

/* Off for a trace, a calibration and a dump, which are about this run. */
Cache check_cache(const Run *run) {
    const Options *options = &run->options;
    Cache cache = cache_at(run->arena, options->cache_dir, build_id);
    if (options->no_cache || options->trace.count || options->dump || options->command == COMMAND_CALIBRATE)
        cache.folder = NULL;
    return cache;
}

/* Whether the output depends on nothing but the request and the file system; kept_result.h lists the
   exceptions. */
static bool is_repeatable(const Options *options) {
    for (uint32_t i = 0; i < options->paths.count; i++)
        if (strcmp(options->paths.items[i], "-") == 0) return false;
    return !options->compare && !options->add_allow && !options->write_baseline && !options->emit_test &&
           !mending_wanted(options);
}

static bool request_of(const Run *run, Digest *request) {
    const Options *options = &run->options;
    Surroundings surroundings = {.words = options->deciding.items,
                                 .word_count = options->deciding.count,
                                 .paths = options->paths.items,
                                 .path_count = options->paths.count,
                                 .color = run->output.color,
                                 .links = run->output.links,
                                 .columns = run->output.columns,
                                 .workflow = run->output.workflow,
                                 .summary = run_has_summary(),
                                 .profiles = profile_folder(run->arena)};
    return is_repeatable(options) && kept_request(run->arena, &surroundings, request);
}

static int print_kept_result(Run *run, const KeptResult *kept) {
    if (!run_overwrites_nothing(run, kept->inputs)) return run_say(run->arena, run->error, EXIT_CANNOT);
    for (uint32_t i = 0; i < kept->handed.count; i++)
        if (!run_hand_out(run, kept->handed.items[i])) return run_say(run->arena, run->error, EXIT_CANNOT);
    return kept->status;
}

int check_paths(Run *run, const Rulebook *book, const char *invoked) {
    Digest request;
    KeptResult kept;
    run->cache = check_cache(run);
    if (!run->cache.folder || !request_of(run, &request)) return check_supplied(run, book, invoked);
    if (kept_result_find(&run->cache, run->arena, request, &kept)) return print_kept_result(run, &kept);
    check_inputs(run, false);
    run->kept.status = check_supplied(run, book, invoked);
    if (run->kept.status == EXIT_QUIET || run->kept.status == EXIT_FOUND)
        cache_trim(&run->cache, kept_result_keep(&run->cache, run->arena, request, run->inputs, &run->kept));
    return run->kept.status;
}
