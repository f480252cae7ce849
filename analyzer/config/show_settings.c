/* Prints --show-settings. */
#include "path.h"
#include "settings_inner.h"

static void write_value(Output *output, const char *key, Text value, Text from) {
    uint32_t start = output->bytes.count;
    output_format(output, "%s = ", key);
    output_clean(output, value);
    uint32_t width = output->bytes.count - start;
    output_repeat(output, ' ', width < 40 ? 40 - width : 1);
    output_text(output, " # ");
    output_clean(output, from);
    output_text(output, "\n");
}

static void write_words(Settings *self, Output *output, const char *key, const Wordings *words) {
    if (!words->count) return;
    Options options = {0};
    for (uint32_t i = 0; i < words->count; i++) vec_push(self->arena, &options.select, words->items[i].text);
    Text from = words->items[0].where.length ? words->items[0].where : TEXT("command line");
    write_value(output, key, options_value(self->arena, &options, options_row("select")), from);
}

static void show_run(Settings *self, const Options *options, Output *output) {
#define KEY(scope, name, type, help) {name, TEXT(#scope)},
    static const struct {
        const char *name;
        Text scope;
    } keys[] = {
#include "keys.def"
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (!text_equal(keys[i].scope, TEXT("OPTION"))) continue;
        int row = options_row(keys[i].name);
        Text value = options_value(self->arena, options, row);
        Text from = options->from[row];
        if (value.length) write_value(output, keys[i].name, value, from.length ? from : TEXT("default"));
    }
}

static void show_layers(Settings *self, const RuleWishes *wishes, Output *output) {
    for (uint32_t i = wishes->count; i-- > 0;) {
        const RuleLayer *layer = wishes->layers[i];
        write_words(self, output, "select", &layer->select);
        write_words(self, output, "ignore", &layer->ignore);
        write_words(self, output, "extend-select", &layer->extend_select);
        if (layer->has_select) break; /* it replaces all weaker layers */
    }
    write_words(self, output, "per-file-ignores", &wishes->ignored_here);
}

void settings_show(Settings *self, const Options *options, Text absolute, Output *output) {
    const Config *nearest =
        settings_nearest(self, settings_is_folder(self, absolute) ? absolute : path_folder(absolute));
    RuleWishes wishes = settings_rules(self, absolute);
    output_text(output, "# of the run, from ");
    output_clean(output, self->of_run ? self->of_run->path : TEXT("no configuration file"));
    output_text(output, "\n");
    show_run(self, options, output);
    output_text(output, "\n# of ");
    output_clean(output, absolute);
    output_text(output, ", from ");
    output_clean(output, nearest ? nearest->path : TEXT("no configuration file"));
    output_text(output, "\n");
    show_layers(self, &wishes, output);
    write_value(output, "respect-gitignore",
                settings_respect_gitignore(self, absolute) ? TEXT("true") : TEXT("false"),
                TEXT("for this path"));
    write_words(self, output, "exclude", &self->exclude);
    write_words(self, output, "extend-exclude", &self->extend_exclude);
    for (const Config *config = nearest; config; config = config->base) {
        write_words(self, output, "exclude", &config->exclude);
        write_words(self, output, "extend-exclude", &config->extend_exclude);
    }
}
