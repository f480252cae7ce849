#ifndef SYNCL_OPTIONS_H
#define SYNCL_OPTIONS_H
/* The command line: takes argv, gives Options that point into it. Fails with one clear line that names the nearest
   valid spelling. Rule names are only collected here: `selection` knows which there are. */
#include "output.h"

typedef VEC(const char *) Strings;

typedef enum Command {
    COMMAND_ANALYZE,
    COMMAND_HELP,
    COMMAND_VERSION,
    COMMAND_RULES,
    COMMAND_MAN,
    COMMAND_CALIBRATE, /* the rest of the command line belongs to syncl-calibrate: argv[rest ...] */
} Command;

/* The order of the words in options.def. */
typedef enum Format { FORMAT_FULL, FORMAT_CONCISE, FORMAT_JSON, FORMAT_GITHUB, FORMAT_SARIF, FORMAT_JSON_LINES, FORMAT_GITLAB, FORMAT_JUNIT, FORMAT_RDJSON } Format;
typedef enum Color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } Color;

typedef struct Options {
    int command; /* Command */
    int rest;
    Strings paths;
    int fail_on;        /* Level */
    int min_confidence; /* 0 possible, 1 likely, 2 certain */
    int format, color;
    bool exit_zero, quiet, statistics;
    Strings select, ignore;
    const char *output, *sarif, *profile, *explain, *dump, *stdin_filename, *completions; /* NULL = not given */
    double step_time_us, gpu_busy, ops_per_step;   /* 0 = not given */
} Options;

bool options_parse(Arena *arena, int argc, char **argv, Options *options, Text *error);
void options_help(Output *output);
void options_completions(Output *output, const char *shell); /* bash, zsh or fish */
void options_man(Output *output, const char *version);       /* roff */

/* The candidate nearest to a misspelt word, or NULL when none is near. */
typedef struct Nearest {
    const char *word;
    uint32_t distance;
} Nearest;
void nearest_try(Nearest *nearest, const char *wrong, const char *candidate);
const char *nearest_word(const Nearest *nearest);

#endif
