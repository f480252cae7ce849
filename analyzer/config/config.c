#include "config.h"
#include "file.h"
#include "path.h"

enum { EXTENDS_LIMIT = 16 };

typedef enum Scope { SCOPE_FILE, SCOPE_OPTION } Scope;

typedef struct Key {
    const char *name, *type;
    Scope scope;
} Key;

static const Key keys[] = {
#define KEY(scope, name, type, help) {name, type, SCOPE_##scope},
#include "keys.def"
};

enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

typedef struct Reader {
    Arena *result;
    Text current; /* working folder: paths below it are shown relative */
    Text *error;
    Config *config;
    bool is_pair;        /* from the command line: errors have no line */
    const char *section; /* " in [tool.syncl]" */
} Reader;

/* ---- errors ---- */

static Text where(const Reader *self, uint32_t line) {
    Text path = self->config->path;
    if (self->is_pair) return TEXT("--config");
    return text_format(self->result, "%.*s:%u", SHOWN(path), line);
}

static bool fail(const Reader *self, uint32_t line, Text message) {
    Text place = where(self, line);
    *self->error = text_format(self->result, "%.*s: %.*s", SHOWN(place), SHOWN(message));
    return false;
}

static const char *terminated(const Reader *self, Text text) { return path_terminated(self->result, text); }

static bool fail_key(const Reader *self, const TomlPair *pair) {
    const char *wrong = terminated(self, pair->key);
    Nearest nearest = {0};
    for (size_t i = 0; i < KEY_COUNT; i++) nearest_try(&nearest, wrong, keys[i].name);
    const char *word = nearest_word(&nearest);
    return fail(self, pair->line,
                text_format(self->result, "unknown key '%s'%s%s%s%s", wrong, self->section,
                            word ? "; the nearest is '" : "", word ? word : "", word ? "'" : ""));
}

static bool fail_type(const Reader *self, const TomlPair *pair, const char *wanted, const TomlValue *value) {
    return fail(self, value->line,
                text_format(self->result, "'%.*s' takes %s, not %s", SHOWN(pair->key), wanted,
                            toml_kind_name(value->kind)));
}

static bool fail_text(const Reader *self, uint32_t line, Text key, const char *what) {
    return fail(self, line, text_format(self->result, "'%.*s' %s", SHOWN(key), what));
}

/* ---- values ---- */

static bool is_text(const TomlValue *value) {
    return value->kind == TOML_STRING && value->text.length > 0 &&
           memchr(value->text.bytes, 0, value->text.length) == NULL;
}

static bool read_words(const Reader *self, const TomlPair *pair, const TomlValue *value, Wordings *words) {
    if (value->kind != TOML_ARRAY) return fail_type(self, pair, "an array of strings", value);
    for (uint32_t i = 0; i < value->items.count; i++) {
        const TomlValue *item = value->items.items[i];
        if (item->kind != TOML_STRING) return fail_type(self, pair, "an array of strings", item);
        if (!is_text(item)) return fail_text(self, item->line, pair->key, "holds an empty string");
        vec_push(self->result, words, ((Wording){terminated(self, item->text), where(self, item->line)}));
    }
    return true;
}

static bool read_per_file(const Reader *self, const TomlPair *pair) {
    if (pair->value->kind != TOML_TABLE)
        return fail_type(self, pair, "a table of arrays of strings", pair->value);
    for (uint32_t i = 0; i < pair->value->pairs.count; i++) {
        const TomlPair *entry = &pair->value->pairs.items[i];
        PerFile ignores = {.pattern = entry->key};
        if (!read_words(self, entry, entry->value, &ignores.rules)) return false;
        vec_push(self->result, &self->config->per_file, ignores);
    }
    self->config->has_per_file = true;
    return true;
}

/* Paths in a file are relative to it; those below the working folder are shown relative to that. */
static const char *located(const Reader *self, Text path) {
    Text absolute = path_absolute(self->result, self->config->folder, path);
    bool below = path_is_below(absolute, self->current) && absolute.length > self->current.length;
    return terminated(self, below ? path_below(absolute, self->current) : absolute);
}

static bool is_name(Text word) {
    return !memchr(word.bytes, '.', word.length) && !memchr(word.bytes, '/', word.length);
}

static const char *option_word(const Reader *self, OptionShape shape, const TomlValue *value) {
    bool plain = value->kind == TOML_INTEGER || value->kind == TOML_FLOAT;
    if (shape.is_flag) return value->kind == TOML_BOOLEAN ? terminated(self, value->text) : NULL;
    if (shape.is_number && plain) return text_format(self->result, "%.10g", value->number).bytes;
    if (!is_text(value)) return NULL;
    bool path = shape.is_path && !(shape.or_name && is_name(value->text));
    return path ? located(self, value->text) : terminated(self, value->text);
}

static bool read_option(const Reader *self, const TomlPair *pair, const Key *key) {
    Setting setting = {.row = options_row(key->name), .where = where(self, pair->line)};
    OptionShape shape = options_shape(setting.row);
    const TomlValue *value = pair->value;
    if (shape.is_list != (value->kind == TOML_ARRAY)) return fail_type(self, pair, key->type, value);
    uint32_t count = shape.is_list ? value->items.count : 1;
    for (uint32_t i = 0; i < count; i++) {
        const TomlValue *item = shape.is_list ? value->items.items[i] : value;
        const char *word = option_word(self, shape, item);
        if (!word && item->kind == TOML_STRING)
            return fail_text(self, item->line, pair->key, "holds an empty string");
        if (!word) return fail_type(self, pair, key->type, item);
        vec_push(self->result, &setting.values, word);
    }
    vec_push(self->result, &self->config->settings, setting);
    Options unused = {0}; /* rejects a bad value here, where the line is known */
    Text error;
    if (options_set(self->result, &unused, setting.row, setting.values.items, count, setting.where, &error))
        return true;
    return fail(self, value->line, error);
}

/* ---- keys ---- */

static bool read_rules(const Reader *self, const TomlPair *pair, bool *known) {
    Config *config = self->config;
    RuleLayer *rules = &config->rules;
    Wordings *words = text_equal(pair->key, TEXT("select"))           ? &rules->select
                      : text_equal(pair->key, TEXT("ignore"))         ? &rules->ignore
                      : text_equal(pair->key, TEXT("extend-select"))  ? &rules->extend_select
                      : text_equal(pair->key, TEXT("exclude"))        ? &config->exclude
                      : text_equal(pair->key, TEXT("extend-exclude")) ? &config->extend_exclude
                                                                      : NULL;
    *known = words != NULL;
    rules->has_select |= words == &rules->select;
    config->has_exclude |= words == &config->exclude;
    return !words || read_words(self, pair, pair->value, words);
}

static bool read_own(const Reader *self, const TomlPair *pair) {
    const TomlValue *value = pair->value;
    bool known, good = read_rules(self, pair, &known);
    if (!good || known) return good;
    if (text_equal(pair->key, TEXT("per-file-ignores"))) return read_per_file(self, pair);
    if (text_equal(pair->key, TEXT("respect-gitignore"))) {
        if (value->kind != TOML_BOOLEAN) return fail_type(self, pair, "true or false", value);
        self->config->respect_gitignore = value->boolean ? 1 : -1;
    } else if (text_equal(pair->key, TEXT("cost-model"))) {
        if (value->kind != TOML_INTEGER || value->integer < 1 || value->integer > 1000)
            return fail_type(self, pair, "a whole number", value);
        self->config->cost_model = (uint32_t)value->integer;
        self->config->cost_model_where = where(self, pair->line);
    }
    return true; /* `extend` was followed earlier */
}

static bool read_pair(const Reader *self, const TomlPair *pair) {
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (text_equal(pair->key, text_of(keys[i].name)))
            return keys[i].scope == SCOPE_OPTION ? read_option(self, pair, &keys[i]) : read_own(self, pair);
    return fail_key(self, pair);
}

/* ---- files ---- */

typedef struct Chain {
    Text paths[EXTENDS_LIMIT]; /* absolute, the outermost first */
    uint32_t count;
    Inputs *inputs;
} Chain;

static const Config *read_file(Arena *result, Text current, Text absolute, Chain *chain, bool *absent,
                               Text *error);

static bool follow(const Reader *self, const TomlPair *pair, Chain *chain) {
    if (!pair) return true;
    if (!is_text(pair->value)) return fail_type(self, pair, "a string", pair->value);
    Text absolute = path_absolute(self->result, self->config->folder, pair->value->text);
    for (uint32_t i = 0; i < chain->count; i++)
        if (text_equal(chain->paths[i], absolute))
            return fail_text(self, pair->line, pair->key, "leads back to a file that extends this one");
    if (chain->count == EXTENDS_LIMIT) return fail_text(self, pair->line, pair->key, "goes on for too long");
    inputs_file(chain->inputs, absolute);
    if (!file_exists(self->result, absolute))
        return fail(
            self, pair->line,
            text_format(self->result, "'extend' names %.*s, which is not there", SHOWN(pair->value->text)));
    bool absent = false;
    self->config->base = read_file(self->result, self->current, absolute, chain, &absent, self->error);
    return self->config->base ||
           (absent && fail_text(self, pair->line, pair->key, "names a file without [tool.syncl]"));
}

static bool read_table(const Reader *self, const TomlValue *table, Chain *chain) {
    if (!follow(self, toml_find(table, TEXT("extend")), chain)) return false;
    for (uint32_t i = 0; i < table->pairs.count; i++)
        if (!read_pair(self, &table->pairs.items[i])) return false;
    return true;
}

/* The [tool.syncl] table of a pyproject.toml; NULL = it has none. */
static const TomlValue *own_table(const Reader *self, const TomlValue *root, bool *good) {
    const TomlPair *tool = toml_find(root, TEXT("tool"));
    const TomlPair *own = tool ? toml_find(tool->value, TEXT("syncl")) : NULL;
    if (own && own->value->kind != TOML_TABLE) *good = fail_text(self, own->line, own->key, "is not a table");
    return own ? own->value : NULL;
}

static Text shown(Arena *result, Text current, Text absolute) {
    (void)result;
    return path_is_below(absolute, current) ? path_below(absolute, current) : absolute;
}

static const Config *read_file(Arena *result, Text current, Text absolute, Chain *chain, bool *absent,
                               Text *error) {
    Config *config = arena_new(result, Config, 1);
    Reader self = {.result = result, .current = current, .error = error, .config = config, .section = ""};
    Text bytes, why;
    TomlError broken;
    config->path = shown(result, current, absolute);
    config->folder = path_folder(absolute);
    chain->paths[chain->count++] = absolute;
    inputs_file(chain->inputs, absolute);
    if (!file_read(result, absolute, &bytes, &why)) {
        *error = text_format(result, "cannot read %.*s: %.*s", SHOWN(config->path), SHOWN(why));
        return NULL;
    }
    const TomlValue *table = toml_read(result, bytes, &broken);
    if (!table) return fail(&self, broken.line, broken.message), NULL;
    bool good = true;
    if (text_equal(path_base(absolute), TEXT("pyproject.toml"))) {
        self.section = " in [tool.syncl]";
        table = own_table(&self, table, &good);
        *absent = good && !table;
    }
    return good && table && read_table(&self, table, chain) ? config : NULL;
}

const Config *config_read(Arena *result, Inputs *inputs, Text current, Text path, Text *error) {
    Chain chain = {.inputs = inputs};
    bool absent = false;
    const Config *config =
        read_file(result, current, path_absolute(result, current, path), &chain, &absent, error);
    if (absent) *error = text_format(result, "%.*s has no [tool.syncl]", SHOWN(path));
    return config;
}

ConfigFound config_in_folder(Arena *result, Inputs *inputs, Text current, Text folder, const Config **config,
                             Text *error) {
    static const char *const names[] = {"syncl.toml", "pyproject.toml"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        Text path = path_join(result, folder, text_of(names[i]));
        inputs_file(inputs, path);
        if (!file_exists(result, path)) continue;
        Chain chain = {.inputs = inputs};
        bool absent = false;
        *config = read_file(result, current, path, &chain, &absent, error);
        if (*config) return CONFIG_READ;
        if (!absent) return CONFIG_BROKEN;
    }
    return CONFIG_ABSENT;
}

/* ---- the command line ---- */

const Config *config_pair(Arena *result, Text current, const char *pair, Text *error) {
    Config *config = arena_new(result, Config, 1);
    Reader self = {result, current, error, config, true, ""};
    config->path = TEXT("--config");
    config->folder = current;
    TomlError broken;
    const TomlValue *table = toml_read(result, text_of(pair), &broken);
    const char *value = strchr(pair, '=');
    if (!table && value) { /* as in step-time=55ms */
        size_t blanks = strspn(value + 1, " ");
        Text quoted = text_format(result, "%.*s = '%s'", (int)(value - pair), pair, value + 1 + blanks);
        table = toml_read(result, quoted, &broken);
    }
    if (!table || table->pairs.count != 1)
        return fail(&self, 1, text_format(result, "'%s' is neither a file nor KEY=VALUE", pair)), NULL;
    if (toml_find(table, TEXT("extend"))) return fail(&self, 1, TEXT("'extend' only stands in files")), NULL;
    return read_pair(&self, &table->pairs.items[0]) ? config : NULL;
}
