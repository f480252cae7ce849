/* What a project and a command line may say: configuration, .gitignore, `@FILE`. */
#include "argfile.h"
#include "fuzz.h"
#include "settings.h"
#include "toml.h"

/* Paths that patterns are asked about. */
static const char *const fuzz_paths[] = {"a.py", "src/model/train.py", "build/a/b/c/d/e/f.py",
                                         "x y/\xC3\xA9.py", ".git/x"};
enum { FUZZ_PATHS = sizeof fuzz_paths / sizeof fuzz_paths[0] };

static void fuzz_config(const Fuzz *fuzz, Text bytes) {
    Arena arena = {0};
    TomlError broken = {0};
    Text error = {0};
    Options options = {0};
    Output shown = {.arena = &arena};
    const char *name = text_starts(bytes, TEXT("[tool")) ? "pyproject.toml" : "syncl.toml";
    fuzz_holds(toml_read(&arena, bytes, &broken) || broken.message.length, "no TOML and no reason");
    vec_push(&arena, &options.config, fuzz_file(fuzz, &arena, name, bytes));
    Settings *settings = settings_load(&arena, &options, &fuzz->options.repository, NULL, &error);
    fuzz_holds(settings || error.length, "no settings and no reason");
    for (int i = 0; settings && i < FUZZ_PATHS; i++) {
        Text path = text_format(&arena, "%s/%s", fuzz->folder, fuzz_paths[i]);
        RuleWishes wishes = settings_rules(settings, path);
        Selection selection;
        (void)settings_leave_out(settings, path, i % 2);
        (void)settings_leave_out_named(settings, path);
        (void)selection_make(&arena, rulebook_builtin(), wishes.layers, wishes.count, &wishes.ignored_here,
                             &selection, &error);
        settings_show(settings, &options, path, &shown);
    }
    (void)(settings && settings_cost_model(settings, COST_MODEL, &error));
    arena_free(&arena);
}

static void fuzz_ignore(const Fuzz *fuzz, Text bytes) {
    Arena arena = {0};
    Repository repository = {fuzz->options.repository.current, fuzz->options.repository.root, true};
    (void)fuzz_file(fuzz, &arena, ".gitignore", bytes);
    Ignores *ignores = ignores_new(&arena, &repository, NULL);
    for (int i = 0; i < FUZZ_PATHS; i++) {
        Text path = text_format(&arena, "%s/%s", fuzz->folder, fuzz_paths[i]);
        fuzz_holds(ignores_path(ignores, path, false) == ignores_path(ignores, path, false),
                   "the same path, another answer");
    }
    arena_free(&arena);
}

static void fuzz_arguments(const Fuzz *fuzz, Text bytes) {
    Arena arena = {0};
    Options options = {0};
    Text error = {0};
    const char *path = fuzz_file(fuzz, &arena, "arguments", bytes);
    char *word = arena_copy(&arena, text_format(&arena, "@%s", path).bytes, strlen(path) + 2),
         *words[] = {"syncl", word, NULL};
    char **argv = words;
    int argc = 2;
    Strings files = {0};
    bool good = argfile_expand(&arena, &argc, &argv, &files, &error) &&
                options_parse(&arena, argc, argv, &options, &error);
    fuzz_holds(good || error.length, "no options and no reason");
    for (uint32_t i = 0; good && i < options.config.count; i++)
        (void)config_pair(&arena, fuzz->options.repository.current, options.config.items[i], &error);
    static const char *const keys[] = {"fail-on",   "quiet",    "select",   "config",
                                       "step-time", "gpu-busy", "baseline", "dump"};
    for (size_t i = 0; good && i < sizeof keys / sizeof keys[0]; i++)
        (void)options_value(&arena, &options, options_row(keys[i]));
    arena_free(&arena);
}
