#ifndef SYNCL_SETTINGS_INNER_H
#define SYNCL_SETTINGS_INNER_H
/* Shared by settings.c and show_settings.c. */
#include "settings.h"

enum { PAIRS_LIMIT = 16 };

typedef struct Found { /* of a folder */
    const Config *config;
    bool asked;
} Found;

struct Settings {
    Arena *arena;
    Inputs *inputs;
    Text current;
    const Options *options;
    const Config *pairs[PAIRS_LIMIT]; /* --config KEY=VALUE */
    uint32_t pair_count;
    const Config *only;   /* --config FILE: for all sources; NULL = none */
    const Config *of_run; /* the configuration of the run as a whole; NULL = none */
    RuleLayer command_line;
    Wordings exclude, extend_exclude; /* of the command line */
    Ignores *ignores;
    Names folders;
    VEC(Found) by_folder; /* by id - 1 */
    Text error;
    bool is_broken;
};

/* the configuration in the folder or the nearest one above it; NULL = none */
const Config *settings_nearest(Settings *self, Text folder);
bool settings_respect_gitignore(Settings *self, Text absolute);
bool settings_is_folder(const Settings *self, Text path);

#endif
