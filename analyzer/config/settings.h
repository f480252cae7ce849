#ifndef SYNCL_SETTINGS_H
#define SYNCL_SETTINGS_H
/* The configuration of a run. Takes the command line, finds configuration files, and fills in what the command
   line left open: first from --config KEY=VALUE, then from the file nearest to the common folder of all named
   paths, then from the files that it extends. Choices of rules and files come from the file nearest to each
   source. Fails with one clear line. */
#include "config.h"
#include "ignore.h"

typedef struct Settings Settings;

/* `inputs`: records what is asked, as long as the settings are used; NULL = no record. */
Settings *settings_load(Arena *result, Options *options, const Repository *repository, Inputs *inputs, Text *error);

/* What a walk of folders leaves out: `exclude` and .gitignore. `_named`: for a file given on the command line,
   which is excluded only with --force-exclude. */
bool settings_leave_out(Settings *self, Text absolute, bool is_folder);
bool settings_leave_out_named(Settings *self, Text absolute);
/* See ignores_unread. */
Text settings_unread(const Settings *self, uint32_t nth);
/* The error line of a broken configuration file that was met after loading; NULL = none. */
const Text *settings_broken(const Settings *self);

/* What the source's own configurations say about rules, weakest first, and its per-file-ignores. */
enum { LAYERS_LIMIT = 64 };
typedef struct RuleWishes {
    const RuleLayer *layers[LAYERS_LIMIT];
    uint32_t count;
    Wordings ignored_here;
} RuleWishes;
RuleWishes settings_rules(Settings *self, Text absolute);

/* False, with the line in *error, where `cost-model` pins another number than this program's. */
bool settings_cost_model(const Settings *self, uint32_t ours, Text *error);

/* Prints --show-settings: TOML, with the origin of each value. */
void settings_show(Settings *self, const Options *options, Text absolute, Output *output);

#endif
