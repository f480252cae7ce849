#ifndef SYNCL_CONFIG_H
#define SYNCL_CONFIG_H
/* Reads one configuration file: the keys of syncl.toml, or of [tool.syncl] in a pyproject.toml (keys.def lists
   them). Takes its path; gives a Config in the arena, with the files that it extends. Fails with one line:
   file, line, key, and the nearest valid key. */
#include "options.h"
#include "inputs.h"
#include "toml.h"

/* A word of a configuration and where it was written: "pyproject.toml:5". */
typedef struct Wording {
    const char *text;
    Text where;
} Wording;
typedef VEC(Wording) Wordings;

/* What one place says about rules. A `select` replaces those of all weaker layers. */
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
    Text path;          /* as shown to the user */
    Text folder;        /* absolute; the file's patterns and paths are relative to it */
    const Config *base; /* the file that it extends; NULL = none */
    RuleLayer rules;
    VEC(PerFile) per_file;
    Wordings exclude, extend_exclude;
    bool has_per_file, has_exclude;
    int8_t respect_gitignore; /* -1 no, 1 yes, 0 not given */
    uint32_t cost_model;      /* 0 = not given */
    Text cost_model_where;
    VEC(Setting) settings;
};

typedef enum ConfigFound { CONFIG_ABSENT, CONFIG_READ, CONFIG_BROKEN } ConfigFound;

/* The configuration of a folder: its syncl.toml, else its pyproject.toml if that has [tool.syncl]. */
ConfigFound config_in_folder(Arena *result, Inputs *inputs, Text current, Text folder, const Config **config, Text *error);
const Config *config_read(Arena *result, Inputs *inputs, Text current, Text path, Text *error); /* NULL: *error says why */
/* From a KEY=VALUE of the command line; a value that is no TOML is taken as a string. */
const Config *config_pair(Arena *result, Text current, const char *pair, Text *error);

#endif
