#ifndef SYNCL_CONFIG_H
#define SYNCL_CONFIG_H
/* One configuration file: the keys of syncl.toml, or of [tool.syncl] in a pyproject.toml (keys.def lists them). Takes
   its path, gives a Config in the arena, what it extends included. Fails with one line: file, line, key, and the
   nearest valid key. */
#include "options.h"
#include "inputs.h"
#include "toml.h"

/* A word and where it was written: "pyproject.toml:5". */
typedef struct Wording {
    const char *text;
    Text where;
} Wording;
typedef VEC(Wording) Wordings;

/* One place's wishes about rules. A later layer's select replaces everything before it. */
typedef struct RuleLayer {
    Wordings select, ignore, extend_select;
    bool has_select;
} RuleLayer;

typedef struct PerFile {
    Text pattern;
    Wordings rules;
} PerFile;

typedef struct Setting { /* a key that sets an option of the run */
    int row;
    Text where;
    Strings values;
} Setting;

typedef struct Config Config;
struct Config {
    Text path;          /* as shown */
    Text folder;        /* absolute; its patterns and paths are relative to it */
    const Config *base; /* what it extends; NULL = nothing */
    RuleLayer rules;
    VEC(PerFile) per_file;
    Wordings exclude, extend_exclude;
    bool has_per_file, has_exclude;
    int8_t respect_gitignore; /* -1 no, 1 yes, 0 not said */
    uint32_t cost_model;      /* 0 = not said */
    Text cost_model_where;
    VEC(Setting) settings;
};

typedef enum ConfigFound { CONFIG_ABSENT, CONFIG_READ, CONFIG_BROKEN } ConfigFound;

/* The configuration in a folder: syncl.toml, else a pyproject.toml with [tool.syncl]. */
ConfigFound config_in_folder(Arena *result, Inputs *inputs, Text current, Text folder, const Config **config, Text *error);
const Config *config_read(Arena *result, Inputs *inputs, Text current, Text path, Text *error); /* NULL: *error says why */
/* KEY=VALUE of the command line; a value that is no TOML is taken as a string. */
const Config *config_pair(Arena *result, Text current, const char *pair, Text *error);

#endif
