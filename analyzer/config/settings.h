#ifndef SYNCL_SETTINGS_H
#define SYNCL_SETTINGS_H
/* The configuration of a run. Takes the command line, looks for configuration files, and fills in what the command line
   left open: --config KEY=VALUE first, then the file nearest to what all named paths have in common, then what that
   extends. Which rules and which files is asked of the file nearest to each source. Fails with one clear line. */
#include "config.h"
#include "ignore.h"

typedef struct Settings Settings;

/* `inputs`: writes down what is asked, until the settings are not used any more; NULL = nobody does. */
Settings *settings_load(Arena *result, Options *options, const Repository *repository, Inputs *inputs, Text *error);

Text settings_current(const Settings *self); /* the working folder */

/* What a walk of folders leaves out: `exclude` and .gitignore. `named`: as given on the command line, which only
   counts with --force-exclude. */
bool settings_leave_out(Settings *self, Text absolute, bool is_folder);
bool settings_leave_out_named(Settings *self, Text absolute);
/* See ignores_unread. */
Text settings_unread(const Settings *self, uint32_t nth);
/* A configuration file that was met later on is broken: the line to say, else NULL. */
const Text *settings_broken(const Settings *self);

/* What the sources' own configurations wish about rules, weakest first, and its per-file-ignores for that source. */
enum { LAYERS_LIMIT = 64 };
typedef struct RuleWishes {
    const RuleLayer *layers[LAYERS_LIMIT];
    uint32_t count;
    Wordings ignored_here;
} RuleWishes;
RuleWishes settings_rules(Settings *self, Text absolute);

/* False, with the line to say, where `cost-model` pins another number than this program's. */
bool settings_cost_model(const Settings *self, uint32_t ours, Text *error);

/* --show-settings: TOML, with where each value comes from. */
void settings_show(Settings *self, const Options *options, Text absolute, Output *output);

#endif
