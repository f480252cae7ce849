/* The command line program. */
#include "run.h"
#include "argfile.h"
#include "calibration.h"
#include "check.h"
#include "columns.h"
#include "explain.h"
#include "pages.h"
#include "path.h"
#include "record.h"
#include "request.h"
#include "supply.h"
#include "syntax.h"
#include "wishes.h"
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static int list_profiles(Run *run) {
    calibration_list(&run->output);
    return run_deliver(run, EXIT_QUIET);
}

static int explain(Run *run, const Rulebook *book) {
    HazardId hazard = selection_rule(run->arena, book, run->options.explain, &run->error);
    if (!hazard) return run_say(run->arena, run->error, EXIT_CANNOT);
    explain_rule(&run->output, book, hazard);
    return run_deliver(run, EXIT_QUIET);
}

static int clean_cache(Run *run) {
    Cache cache = check_cache(run);
    uint32_t count = cache_clear(&cache);
    output_format(&run->output, "%u block%s removed from ", count, count == 1 ? "" : "s");
    output_clean(&run->output, cache.folder ? text_of(cache.folder) : TEXT("no folder"));
    output_text(&run->output, "\n");
    return run_deliver(run, EXIT_QUIET);
}

static int show_settings(Run *run, const Rulebook *book) {
    AnalyzeOptions how;
    if (!request_prepare(run, &book, &how)) return run_say(run->arena, run->error, EXIT_CANNOT);
    Text path = run->options.paths.count ? text_of(run->options.paths.items[0]) : TEXT(".");
    settings_show(run->settings, &run->options, path_absolute(run->arena, run->repository.current, path),
                  &run->output);
    return run_deliver(run, EXIT_QUIET);
}

/* For --rules and --explain: includes the configuration's own pages. A broken one does not prevent explaining
   other rules. */
static const Rulebook *book_to_read(Run *run) {
    Text broken = {0};
    run->repository = repository_find(run->arena, run->inputs);
    (void)settings_load(run->arena, &run->options, &run->repository, run->inputs, &broken);
    return request_rulebook(run, rulebook_builtin());
}

static int tell_rules(Run *run) {
    const Rulebook *book = book_to_read(run);
    if (!book) return run_say(run->arena, run->error, EXIT_CANNOT);
    if (run->options.command != COMMAND_RULES) return explain(run, book);
    explain_rules(&run->output, book);
    return run_deliver(run, EXIT_QUIET);
}

static int run_command(Run *run, char **argv) {
    const Rulebook *book = rulebook_builtin();
    if (run->destinations.count) check_inputs(run, true);
    if (pages_write(&run->output, &run->options, run->version)) return run_deliver(run, EXIT_QUIET);
    switch (run->options.command) {
    case COMMAND_CALIBRATE:
        if (run->options.paths.count) return check_paths(run, book, argv[0]);
        calibration_become(run->arena, &run->options, argv[0], &run->error);
        return run_say(run->arena, run->error, EXIT_CANNOT);
    case COMMAND_PROFILES: return list_profiles(run);
    case COMMAND_SHOW_SETTINGS: return show_settings(run, book);
    case COMMAND_CLEAN_CACHE: return clean_cache(run);
    case COMMAND_RULES: return tell_rules(run);
    default: break;
    }
    return run->options.explain ? tell_rules(run) : check_paths(run, book, argv[0]);
}

/* Opens closed standard descriptors: else the next file opened would get such a number, and messages would be
   written to it. */
static void hold_standard_descriptors(void) {
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0) (void)open("/dev/null", O_RDONLY);
}

int main(int argc, char **argv) {
    Arena arena = {0};
    Run run = {.arena = &arena, .version = SYNCL_VERSION};
    if (record_meant(argc, argv)) return record_run(argc, argv);
    hold_standard_descriptors();
    (void)signal(SIGPIPE, SIG_IGN); /* a closed pipe becomes a failed write, which is reported */
    (void)signal(SIGXFSZ, SIG_IGN); /* so does a file at the size limit */
    syntax_memory();
    supply_settle();
    bool understood = argfile_expand(&arena, &argc, &argv, &run.argfiles, &run.error) &&
                      options_parse(&arena, argc, argv, &run.options, &run.error) &&
                      destinations_of(&arena, &run.options, &run.destinations, &run.error);
    run.output = (Output){.arena = &arena,
                          .color = run_wants_color(&run.options),
                          .links = run_wants_links(&run.options),
                          .columns = columns_wanted(run.options.output ? -1 : STDOUT_FILENO),
                          .folder = repository_find(&arena, NULL).current,
                          .workflow = getenv("GITHUB_ACTIONS") != NULL};
    int status = understood ? run_command(&run, argv) : run_say(&arena, run.error, EXIT_CANNOT);
    arena_free(&arena);
    return status;
}
