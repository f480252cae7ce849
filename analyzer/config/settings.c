#include "settings_inner.h"
#include "pattern.h"
#include "path.h"
#include "usual.h"
#include <sys/stat.h>

/* ---- files ---- */

static Found *found_of(Settings *self, Text folder) {
    Sym id = names_intern(&self->folders, folder);
    while (self->by_folder.count < id) vec_push(self->arena, &self->by_folder, (Found){0});
    return &self->by_folder.items[id - 1];
}

const Config *settings_nearest(Settings *self, Text folder) {
    if (self->options->isolated) return NULL;
    if (self->only) return self->only;
    Found *found = found_of(self, folder);
    if (found->asked) return found->config;
    const Config *config = NULL;
    ConfigFound how = config_in_folder(self->arena, self->inputs, self->current, folder, &config, &self->error);
    if (how == CONFIG_BROKEN) self->is_broken = true;
    if (how == CONFIG_ABSENT && folder.length > 1) config = settings_nearest(self, path_folder(folder));
    *found_of(self, folder) = (Found){config, true};
    return config;
}

bool settings_is_folder(const Settings *self, Text path) {
    return inputs_kind(self->inputs, self->arena, path) == S_IFDIR;
}

/* The deepest folder that contains all named paths. */
static Text common_folder(const Settings *self) {
    Text common = {0};
    for (uint32_t i = 0; i < self->options->paths.count; i++) {
        const char *given = self->options->paths.items[i], *piped = self->options->stdin_filename;
        if (strcmp(given, "-") == 0 && piped) given = piped;
        Text path = path_absolute(self->arena, self->current, text_of(given));
        if (!settings_is_folder(self, path)) path = path_folder(path);
        if (!common.length) common = path;
        while (!path_is_below(path, common)) common = path_folder(common);
    }
    return common.length ? common : self->current;
}

/* ---- the run ---- */

static bool apply(const Settings *self, Options *options, const Config *config, Text *error) {
    for (uint32_t i = 0; i < config->settings.count; i++) {
        const Setting *setting = &config->settings.items[i];
        if (!options_set(self->arena, options, setting->row, setting->values.items, setting->values.count,
                         setting->where, error))
            return false;
    }
    return true;
}

static bool read_config_options(Settings *self, Text *error) {
    const Strings *given = &self->options->config;
    for (uint32_t i = 0; i < given->count; i++) {
        const char *word = given->items[i];
        bool is_file = !strchr(word, '=') || inputs_kind(self->inputs, self->arena, text_of(word));
        const Config *config = is_file
                                   ? config_read(self->arena, self->inputs, self->current, text_of(word), error)
                                   : config_pair(self->arena, self->current, word, error);
        if (!config) return false;
        if (is_file)
            self->only = config;
        else if (self->pair_count < PAIRS_LIMIT)
            self->pairs[self->pair_count++] = config;
    }
    return true;
}

static Wordings command_words(Arena *arena, const Strings *strings, const char *option) {
    Wordings words = {0};
    for (uint32_t i = 0; i < strings->count; i++)
        vec_push(arena, &words, ((Wording){strings->items[i], text_of(option)}));
    return words;
}

static void take_command_line(Settings *self) {
    const Options *options = self->options;
    Arena *arena = self->arena;
    self->command_line = (RuleLayer){.select = command_words(arena, &options->select, ""),
                                     .ignore = command_words(arena, &options->ignore, ""),
                                     .extend_select = command_words(arena, &options->extend_select, ""),
                                     .has_select = options->select.count > 0};
    self->exclude = command_words(arena, &options->exclude, "");
    self->extend_exclude = command_words(arena, &options->extend_exclude, "");
}

Settings *settings_load(Arena *result, Options *options, const Repository *repository, Inputs *inputs,
                        Text *error) {
    Settings *self = arena_new(result, Settings, 1);
    *self = (Settings){.arena = result, .inputs = inputs, .current = repository->current, .options = options};
    self->folders.arena = result;
    self->ignores = ignores_new(result, repository, inputs);
    take_command_line(self);
    if (!read_config_options(self, error)) return NULL;
    self->of_run = settings_nearest(self, common_folder(self));
    if (self->is_broken) return *error = self->error, NULL;
    for (uint32_t i = self->pair_count; i-- > 0;) /* the last one given wins */
        if (!apply(self, options, self->pairs[i], error)) return NULL;
    for (const Config *config = self->of_run; config; config = config->base)
        if (!apply(self, options, config, error)) return NULL;
    return self;
}

const Text *settings_broken(const Settings *self) { return self->is_broken ? &self->error : NULL; }

static const Config *pins_cost_model(const Settings *self) {
    for (uint32_t i = self->pair_count; i-- > 0;)
        if (self->pairs[i]->cost_model) return self->pairs[i];
    const Config *config = self->of_run;
    while (config && !config->cost_model) config = config->base;
    return config;
}

bool settings_cost_model(const Settings *self, uint32_t ours, Text *error) {
    const Config *config = pins_cost_model(self);
    if (!config || config->cost_model == ours) return true;
    *error = text_format(
        self->arena,
        "%.*s: cost-model = %u is pinned, and this syncl prices by cost model %u: compare the totals, "
        "then move the pin, or install the syncl that it was pinned for",
        SHOWN(config->cost_model_where), config->cost_model, ours);
    return false;
}

/* ---- patterns ---- */

/* As in ruff: a pattern is matched against the last component and against the path relative to the
   configuration's folder; a folder that matches excludes everything below it. */
static bool matches(Text pattern, Text folder, Text absolute) {
    while (pattern.length > 1 && pattern.bytes[pattern.length - 1] == '/') pattern.length--;
    while (text_starts(pattern, TEXT("./"))) pattern = text_slice(pattern, 2, pattern.length);
    bool below = path_is_below(absolute, folder), whole = text_starts(pattern, TEXT("/"));
    for (Text path = absolute; path.length > 1 && (!below || path.length > folder.length);
         path = path_folder(path)) {
        if (pattern_match(pattern, path_base(path), true)) return true;
        if (pattern_match(pattern, whole ? path : below ? path_below(path, folder) : path, true)) return true;
        if (!below) break;
    }
    return false;
}

static bool any_matches(const Wordings *patterns, Text folder, Text absolute) {
    for (uint32_t i = 0; i < patterns->count; i++)
        if (matches(text_of(patterns->items[i].text), folder, absolute)) return true;
    return false;
}

/* The nearest `exclude` replaces the others; every `extend-exclude` adds to it. */
static bool is_excluded(Settings *self, Text absolute) {
    const Config *nearest = settings_nearest(self, path_folder(absolute));
    bool told = self->exclude.count > 0;
    bool out = any_matches(&self->exclude, self->current, absolute) ||
               any_matches(&self->extend_exclude, self->current, absolute);
    for (uint32_t i = self->pair_count; i-- > 0; told |= self->pairs[i]->has_exclude) {
        out |= any_matches(&self->pairs[i]->extend_exclude, self->current, absolute);
        out |= !told && any_matches(&self->pairs[i]->exclude, self->current, absolute);
    }
    for (const Config *config = nearest; config; told |= config->has_exclude, config = config->base) {
        out |= any_matches(&config->extend_exclude, config->folder, absolute);
        out |= !told && any_matches(&config->exclude, config->folder, absolute);
    }
    return out || (!told && usual_exclusion(absolute));
}

bool settings_respect_gitignore(Settings *self, Text absolute) {
    if (self->options->no_respect_gitignore) return false;
    for (uint32_t i = self->pair_count; i-- > 0;)
        if (self->pairs[i]->respect_gitignore) return self->pairs[i]->respect_gitignore > 0;
    for (const Config *config = settings_nearest(self, path_folder(absolute)); config; config = config->base)
        if (config->respect_gitignore) return config->respect_gitignore > 0;
    return true;
}

bool settings_leave_out(Settings *self, Text absolute, bool folder) {
    if (is_excluded(self, absolute)) return true;
    return settings_respect_gitignore(self, absolute) && ignores_path(self->ignores, absolute, folder);
}

bool settings_leave_out_named(Settings *self, Text absolute) {
    if (!self->options->force_exclude) return false;
    for (Text path = absolute; path.length > self->current.length; path = path_folder(path))
        if (settings_leave_out(self, path, !text_equal(path, absolute))) return true;
    return false;
}

Text settings_unread(const Settings *self, uint32_t nth) { return ignores_unread(self->ignores, nth); }

/* ---- rules ---- */

static void push(RuleWishes *wishes, const RuleLayer *layer) {
    if (wishes->count < LAYERS_LIMIT) wishes->layers[wishes->count++] = layer;
}

static void push_file(RuleWishes *wishes, const Config *config) {
    if (config->base) push_file(wishes, config->base);
    push(wishes, &config->rules);
}

/* `!pattern` matches every other file. */
static bool per_file_matches(Text pattern, Text folder, Text absolute) {
    bool inverted = text_starts(pattern, TEXT("!"));
    return matches(text_slice(pattern, inverted, pattern.length), folder, absolute) != inverted;
}

static void ignore_here(Settings *self, RuleWishes *wishes, const Config *config, Text absolute) {
    for (uint32_t i = 0; i < config->per_file.count; i++) {
        const PerFile *entry = &config->per_file.items[i];
        if (!per_file_matches(entry->pattern, config->folder, absolute)) continue;
        for (uint32_t k = 0; k < entry->rules.count; k++)
            vec_push(self->arena, &wishes->ignored_here, entry->rules.items[k]);
    }
}

RuleWishes settings_rules(Settings *self, Text absolute) {
    RuleWishes wishes = {0};
    bool is_folder = settings_is_folder(self, absolute);
    const Config *nearest = settings_nearest(self, is_folder ? absolute : path_folder(absolute));
    const Config *per_file = nearest;
    if (nearest) push_file(&wishes, nearest);
    for (uint32_t i = 0; i < self->pair_count; i++) {
        push(&wishes, &self->pairs[i]->rules);
        if (self->pairs[i]->has_per_file) per_file = self->pairs[i];
    }
    push(&wishes, &self->command_line);
    while (per_file && !per_file->has_per_file) per_file = per_file->base;
    if (per_file) ignore_here(self, &wishes, per_file, absolute);
    return wishes;
}
