#ifndef SYNCL_OPTIONS_H
#define SYNCL_OPTIONS_H
/* The command line: takes argv; gives Options that point into it. Fails with one clear line that names the
   nearest valid spelling. Rule names are only collected here; `selection` checks them. */
#include "output.h"

typedef enum Command {
    COMMAND_ANALYZE,
    COMMAND_HELP,
    COMMAND_VERSION,
    COMMAND_RULES,
    COMMAND_MAN,
    COMMAND_SHOW_SETTINGS,
    COMMAND_CALIBRATE,
    COMMAND_PROFILES,
    COMMAND_TRACE_HELP,
    COMMAND_OBSERVED_HELP,
    COMMAND_CLEAN_CACHE,
    COMMAND_JSON_SCHEMA,
} Command;

/* In the order of the words in options.def. */
typedef enum Format {
    FORMAT_PLAN, FORMAT_FULL, FORMAT_CONCISE, FORMAT_JSON, FORMAT_GITHUB, FORMAT_SARIF, FORMAT_JSON_LINES,
    FORMAT_GITLAB, FORMAT_JUNIT, FORMAT_RDJSON, FORMAT_MARKDOWN, FORMAT_HTML
} Format;
typedef enum Color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } Color;

enum { OPTION_LIMIT = 96 }; /* most rows of options.def */

typedef struct Options {
    int command; /* Command */
    Strings paths;
    int fail_on;        /* Level */
    int min_confidence; /* 0 possible, 1 likely, 2 certain */
    int format, color;
    bool exit_zero, fail_on_broken, quiet, verbose, statistics;
    Strings select, ignore;
    const char *output, *sarif, *profile, *explain, *dump, *stdin_filename, *completions,
        *torch_version; /* NULL = not given */
    const char *device, *with_torch, *samples, *saved_to; /* the calibrator's; saved_to: its -o */
    bool even_if_busy;                                    /* the calibrator's too */
    double step_time_us, gpu_busy, min_gain, ops_per_step, trace_steps;   /* 0 = not given */
    double top;                                    /* 0 = the usual number of groups */
    double threads;                                /* 0 = as many as team_cores says */
    Strings exclude, extend_exclude, extend_select, config, search_path, also, extend_rules, trace, shape;
    const char *baseline, *write_baseline, *write_prices, *compare;
    double max_growth_us, min_cost_us, fail_over_us;
    int fail_confidence;
    Strings observed;
    const char *emit_test;
    bool report_unused, require_reason, add_allow;
    bool diff, fix, unsafe_fixes, all_fixes, fix_only;
    Strings fixable, unfixable;
    double group; /* group of the plan to mend; 0 = all findings */
    const char *allow_reason;
    bool isolated, force_exclude, no_respect_gitignore, no_cache, no_project;
    const char *cache_dir; /* NULL = the usual folder */
    Strings deciding;      /* the words of the command line that the output depends on: all but --threads */
    Text from[OPTION_LIMIT]; /* by row: who set it, "command line" or "pyproject.toml:5"; empty = the default */
} Options;

/* What a configuration file needs of the table. Rows by name; -1 = none. An option that is set already keeps
   its value: so the command line is read first, then the nearest file. Rows named extend-* collect the values
   of all files. */
int options_row(const char *name);
typedef struct OptionShape {
    const char *name;
    bool is_flag, is_list, is_path, is_number; /* is_number: may also be written as a bare number */
    bool or_name; /* a path where a word without a dot and a slash is a name instead */
} OptionShape;
OptionShape options_shape(int row);
bool options_set(Arena *arena, Options *options, int row, const char *const *values, uint32_t count, Text from,
                 Text *error);
Text options_value(Arena *arena, const Options *options, int row); /* in TOML syntax; empty = not set */

bool options_parse(Arena *arena, int argc, char **argv, Options *options, Text *error);
void options_help(Output *output);
void options_completions(Output *output, const char *shell); /* bash, zsh or fish */

/* The candidate nearest to a misspelt word; NULL when none is near. */
typedef struct Nearest {
    const char *word;
    uint32_t distance;
} Nearest;
void nearest_try(Nearest *nearest, const char *wrong, const char *candidate);
const char *nearest_word(const Nearest *nearest);

#endif
