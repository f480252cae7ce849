#include "options.h"
#include <stddef.h>
#include <stdlib.h>

typedef enum Kind {
    KIND_SECTION,
    KIND_FLAG,
    KIND_CHOICE,
    KIND_STRING,
    KIND_WORD,
    KIND_STRINGS,
    KIND_REPEAT,
    KIND_TIME,
    KIND_SHARE,
    KIND_COUNT,
    KIND_COMMAND,
} Kind;

typedef struct Row {
    Kind kind;
    size_t field; /* offset in Options; for KIND_COMMAND the Command */
    char letter;
    const char *name, *metavar, *words, *help;
} Row;

#define FIELD_FLAG(field) offsetof(Options, field)
#define FIELD_CHOICE(field) offsetof(Options, field)
#define FIELD_STRING(field) offsetof(Options, field)
#define FIELD_WORD(field) offsetof(Options, field)
#define FIELD_STRINGS(field) offsetof(Options, field)
#define FIELD_REPEAT(field) offsetof(Options, field)
#define FIELD_TIME(field) offsetof(Options, field)
#define FIELD_SHARE(field) offsetof(Options, field)
#define FIELD_COUNT(field) offsetof(Options, field)
#define FIELD_COMMAND(command) (size_t)(command)

static const Row rows[] = {
#define SECTION(title) {.kind = KIND_SECTION, .help = title},
#define OPTION(kind, field, letter, name, metavar, words, help) \
    {KIND_##kind, FIELD_##kind(field), letter, name, metavar, words, help},
#include "options.def"
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

typedef struct Parse {
    Arena *arena;
    Options *options;
    Text *error;
    char **argv;
    int argc, at; /* at: index of the next argument */
    Text from;
    const char *dashes; /* written before a name in errors */
} Parse;

_Static_assert((int)ROW_COUNT <= (int)OPTION_LIMIT,
               "options.def has more rows than Options can keep the origin of");

static const Row *row_of(const char *name, size_t length) {
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i].name && strlen(rows[i].name) == length && memcmp(rows[i].name, name, length) == 0)
            return &rows[i];
    return NULL;
}

static const Row *row_of_letter(char letter) {
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (letter && rows[i].letter == letter) return &rows[i];
    return NULL;
}

static bool fail(const Parse *parse, Text error) {
    *parse->error = error;
    return false;
}

static bool unknown(const Parse *parse, const char *argument, const char *name, size_t length) {
    char *wrong = arena_alloc(parse->arena, length + 1); /* zeroed, so terminated */
    memcpy(wrong, name, length);
    Nearest nearest = {0};
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i].name) nearest_try(&nearest, wrong, rows[i].name);
    const char *word = nearest_word(&nearest);
    if (!word) return fail(parse, text_format(parse->arena, "unknown option %s; see --help", argument));
    return fail(parse, text_format(parse->arena, "unknown option %s; the nearest is --%s", argument, word));
}

/* ---- values ---- */

static bool set_choice(const Parse *parse, const Row *row, const char *value) {
    int index = 0;
    for (const char *word = row->words; *word; index++) {
        size_t length = strcspn(word, "|");
        if (strlen(value) == length && memcmp(word, value, length) == 0) {
            char *field = (char *)parse->options + row->field;
            if (row->kind == KIND_CHOICE)
                *(int *)(void *)field = index;
            else
                *(const char **)(void *)field = value;
            return true;
        }
        word += length + (word[length] == '|');
    }
    return fail(parse, text_format(parse->arena, "%s%s takes %s, not '%s'", parse->dashes, row->name,
                                   row->words, value));
}

static void split(const Parse *parse, Strings *strings, const char *value) {
    while (*value) {
        size_t length = strcspn(value, ",");
        char *part = arena_alloc(parse->arena, length + 1);
        memcpy(part, value, length);
        if (length > 0) vec_push(parse->arena, strings, part);
        value += length + (value[length] == ',');
    }
}

static void keep(const Parse *parse, Strings *strings, const char *value) {
    vec_push(parse->arena, strings, value);
}

/* A positive number and the text after it; 0 when there is none. Only plain decimals: strtod alone would also
   accept 0x10, 1e9, inf and nan. */
static double number(const char *value, const char **rest) {
    char digits[24] = "", *end = digits;
    size_t length = strspn(value, "0123456789.");
    *rest = value + length + strspn(value + length, " ");
    if (length == 0 || length >= sizeof digits) return 0;
    memcpy(digits, value, length);
    double result = strtod(digits, &end);
    return *end || result > 1e15 ? 0 : result;
}

static double unit_us(const char *unit) {
    static const struct {
        const char *unit;
        double us;
    } units[] = {
        {"us", 1}, {"\xC2\xB5s", 1}, {"\xCE\xBCs", 1}, {"ms", 1e3}, {"s", 1e6},
    };
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(unit, units[i].unit) == 0) return units[i].us;
    return 0;
}

static double time_us(const char *value) {
    const char *rest;
    double time = number(value, &rest);
    return time * unit_us(rest);
}

static double share(const char *value) {
    const char *rest;
    double result = number(value, &rest);
    if (strcmp(rest, "%") == 0)
        result /= 100;
    else if (*rest)
        result = 0;
    return result <= 1 ? result : 0;
}

static double count(const char *value) {
    const char *rest;
    double result = number(value, &rest);
    return *rest ? 0 : result;
}

static bool set_number(const Parse *parse, const Row *row, const char *value) {
    double result = row->kind == KIND_TIME    ? time_us(value)
                    : row->kind == KIND_SHARE ? share(value)
                                              : count(value);
    const char *wanted = row->kind == KIND_TIME    ? "a time with its unit, like 55ms or 800us"
                         : row->kind == KIND_SHARE ? "a share, like 60% or 0.6"
                                                   : "a number above zero";
    if (result <= 0)
        return fail(parse, text_format(parse->arena, "%s%s takes %s, not '%s'", parse->dashes, row->name,
                                       wanted, value));
    *(double *)((char *)parse->options + row->field) = result;
    return true;
}

static bool set_value(const Parse *parse, const Row *row, const char *value) {
    parse->options->from[row - rows] = parse->from;
    char *field = (char *)parse->options + row->field;
    if (row->kind == KIND_CHOICE || row->kind == KIND_WORD) return set_choice(parse, row, value);
    if (row->kind == KIND_STRINGS) return split(parse, (Strings *)(void *)field, value), true;
    if (row->kind == KIND_REPEAT) return keep(parse, (Strings *)(void *)field, value), true;
    if (row->kind != KIND_STRING) return set_number(parse, row, value);
    if (!*value)
        return fail(parse,
                    text_format(parse->arena, "%s%s needs a %s", parse->dashes, row->name, row->metavar));
    *(const char **)(void *)field = value;
    return true;
}

/* ---- arguments ---- */

static bool take(Parse *parse, const Row *row, const char *attached) {
    if (row->kind == KIND_FLAG || row->kind == KIND_COMMAND) {
        if (attached) return fail(parse, text_format(parse->arena, "--%s takes no value", row->name));
        parse->options->from[row - rows] = parse->from;
        if (row->kind == KIND_FLAG)
            *(bool *)((char *)parse->options + row->field) = true;
        else
            parse->options->command = (int)row->field;
        return true;
    }
    if (attached) return set_value(parse, row, attached);
    const char *next = parse->at < parse->argc ? parse->argv[parse->at] : NULL;
    if (!next || (next[0] == '-' && next[1]))
        return fail(parse, text_format(parse->arena, "--%s needs a value: --%s=%s", row->name, row->name,
                                       row->metavar));
    parse->at++;
    return set_value(parse, row, next);
}

static bool take_long(Parse *parse, const char *argument) {
    const char *name = argument + 2;
    size_t length = strcspn(name, "=");
    const Row *row = row_of(name, length);
    if (!row) return unknown(parse, argument, name, length);
    return take(parse, row, name[length] ? name + length + 1 : NULL);
}

/* -q, -qo FILE, -oFILE */
static bool take_letters(Parse *parse, const char *argument) {
    for (const char *letter = argument + 1; *letter; letter++) {
        const Row *row = row_of_letter(*letter);
        if (!row) return unknown(parse, argument, argument + 1, strlen(argument + 1));
        bool has_value = row->kind != KIND_FLAG && row->kind != KIND_COMMAND;
        if (has_value) return take(parse, row, letter[1] ? letter + 1 : NULL);
        if (!take(parse, row, NULL)) return false;
    }
    return true;
}

/* Words that are commands if alone on the command line. */
static bool take_page(Parse *parse, const char *argument) {
    if (strcmp(argument, "trace-help") == 0)
        parse->options->command = COMMAND_TRACE_HELP;
    else if (strcmp(argument, "observed-help") == 0)
        parse->options->command = COMMAND_OBSERVED_HELP;
    else
        return false;
    return true;
}

static bool take_argument(Parse *parse, bool *only_paths) {
    const char *argument = parse->argv[parse->at++];
    if (!*only_paths && strcmp(argument, "--") == 0) return *only_paths = true;
    if (!*only_paths && argument[0] == '-' && argument[1] == '-') return take_long(parse, argument);
    if (!*only_paths && argument[0] == '-' && argument[1]) return take_letters(parse, argument);
    if (!*argument) return fail(parse, TEXT("a path is empty"));
    if (parse->at == 2 && parse->argc == 2 && take_page(parse, argument)) return true;
    vec_push(parse->arena, &parse->options->paths, argument);
    return true;
}

/* With --stdin-filename and no path, standard input is analysed. */
static bool add_stdin(const Parse *parse) {
    vec_push(parse->arena, &parse->options->paths, "-");
    return true;
}

static bool is_complete(const Parse *parse) {
    Options *options = parse->options;
    bool of_calibrator = options->device || options->with_torch || options->samples || options->even_if_busy;
    if (of_calibrator && options->command != COMMAND_CALIBRATE)
        return fail(parse, TEXT("--device, --with-torch, --samples and --even-if-busy go with --calibrate"));
    if (options->command == COMMAND_CALIBRATE) options->saved_to = options->output, options->output = NULL;
    int format = options->format;
    if (options->statistics && format != FORMAT_PLAN && format != FORMAT_FULL && format != FORMAT_CONCISE &&
        format != FORMAT_JSON)
        return fail(parse, TEXT("--statistics goes with --output-format full, concise or json"));
    bool needs_none = options->command != COMMAND_ANALYZE || options->explain || options->completions;
    if (needs_none || options->paths.count > 0) return true;
    if (options->stdin_filename) return add_stdin(parse);
    return fail(parse, TEXT("no path given; try: syncl train.py (see --help)"));
}

bool options_parse(Arena *arena, int argc, char **argv, Options *options, Text *error) {
    *options = (Options){.fail_on = 1, .min_confidence = 1};
    Parse parse = {arena, options, error, argv, argc, 1, TEXT("command line"), "--"};
    bool only_paths = false;
    while (parse.at < argc) {
        int first = parse.at;
        bool silent = !only_paths && strncmp(argv[first], "--threads", strlen("--threads")) == 0;
        if (!take_argument(&parse, &only_paths)) return false;
        for (int i = first; i < parse.at && !silent; i++) vec_push(arena, &options->deciding, argv[i]);
    }
    return is_complete(&parse);
}

/* ---- for configuration files ---- */

int options_row(const char *name) {
    const Row *row = row_of(name, strlen(name));
    return row ? (int)(row - rows) : -1;
}

OptionShape options_shape(int index) {
    const Row *row = &rows[index];
    return (OptionShape){
        .name = row->name,
        .is_flag = row->kind == KIND_FLAG,
        .is_list = row->kind == KIND_STRINGS,
        .is_path =
            row->metavar && (strncmp(row->metavar, "FILE", 4) == 0 || strcmp(row->metavar, "FOLDERS") == 0),
        .or_name = row->metavar && strcmp(row->metavar, "FILE|NAME") == 0,
        .is_number = row->kind == KIND_SHARE || row->kind == KIND_COUNT,
    };
}

bool options_set(Arena *arena, Options *options, int index, const char *const *values, uint32_t count,
                 Text from, Text *error) {
    const Row *row = &rows[index];
    bool adds = strncmp(row->name, "extend-", 7) == 0;
    Parse parse = {.arena = arena, .options = options, .error = error, .from = from, .dashes = ""};
    if (options->from[index].length && !adds) return true;
    options->from[index] = from;
    char *field = (char *)options + row->field;
    for (uint32_t i = 0; i < count; i++) {
        if (row->kind == KIND_FLAG)
            *(bool *)(void *)field = strcmp(values[i], "true") == 0;
        else if (row->kind == KIND_STRINGS)
            vec_push(arena, (Strings *)(void *)field, values[i]);
        else if (!set_value(&parse, row, values[i]))
            return false;
    }
    return true;
}

static Text quoted(Arena *arena, const char *value) {
    Output out = {.arena = arena};
    output_text(&out, "\"");
    for (; *value; value++) {
        unsigned char c = (unsigned char)*value;
        if (c == '"' || c == '\\') output_text(&out, "\\");
        if (c < 0x20 || c == 0x7F)
            output_format(&out, "\\u%04x", c);
        else
            output_bytes(&out, (Text){value, 1});
    }
    output_text(&out, "\"");
    return (Text){out.bytes.items, out.bytes.count};
}

static Text list_value(Arena *arena, const Strings *strings) {
    Output list = {.arena = arena};
    output_text(&list, "[");
    for (uint32_t i = 0; i < strings->count; i++) {
        if (i > 0) output_text(&list, ", ");
        output_bytes(&list, quoted(arena, strings->items[i]));
    }
    output_text(&list, "]");
    return (Text){list.bytes.items, list.bytes.count};
}

static Text word_value(Arena *arena, const char *words, int index) {
    for (; index > 0; index--) words += strcspn(words, "|") + 1;
    return text_format(arena, "\"%.*s\"", (int)strcspn(words, "|"), words);
}

Text options_value(Arena *arena, const Options *options, int index) {
    const Row *row = &rows[index];
    const void *field = (const char *)options + row->field;
    switch (row->kind) {
    case KIND_FLAG: return *(const bool *)field ? TEXT("true") : TEXT("false");
    case KIND_CHOICE: return word_value(arena, row->words, *(const int *)field);
    case KIND_STRINGS:
    case KIND_REPEAT: {
        const Strings *strings = field;
        return strings->count ? list_value(arena, strings) : TEXT("");
    }
    case KIND_STRING:
    case KIND_WORD: {
        const char *value = *(const char *const *)field;
        return value ? quoted(arena, value) : TEXT("");
    }
    default: break;
    }
    double number = *(const double *)field;
    if (number == 0) return TEXT("");
    if (row->kind == KIND_TIME) return text_format(arena, "\"%.10gus\"", number);
    return text_format(arena, "%.10g", number);
}

/* ---- help ---- */

enum { HELP_INDENT = 28, HELP_WIDTH = 96 };

static uint32_t write_names(Output *output, const Row *row) {
    uint32_t start = output->bytes.count;
    if (row->letter)
        output_format(output, "  -%c, --%s", row->letter, row->name);
    else
        output_format(output, "      --%s", row->name);
    if (row->metavar) output_format(output, "=%s", row->metavar);
    return output->bytes.count - start;
}

/* A long list of alternatives may be broken after a bar, where a blank is replaced by the line end. */
static Text words_of(Arena *arena, const char *words) {
    const char *bar = words;
    for (uint32_t width = HELP_WIDTH - HELP_INDENT - 1;
         bar && strlen(words) > width && bar - words < (long)width / 2;)
        bar = strchr(bar + 1, '|');
    if (!bar || bar == words) return text_of(words);
    return text_format(arena, "%.*s| %s", (int)(bar - words), words, bar + 1);
}

static void write_row(Output *output, const Row *row) {
    uint32_t column = write_names(output, row);
    if (column + 2 > HELP_INDENT) {
        output_text(output, "\n");
        column = 0;
    }
    output_repeat(output, ' ', HELP_INDENT - column);
    Text help = text_of(row->help);
    if (row->words)
        help = text_format(output->arena, "%s: %s", words_of(output->arena, row->words).bytes, row->help);
    output_wrapped(output, help, TEXT(""), HELP_INDENT, HELP_WIDTH);
    output_text(output, "\n");
}

void options_help(Output *output) {
    output_text(
        output,
        "syncl finds the lines of PyTorch code where the CPU waits for the GPU, and prices them.\n\n"
        "usage: syncl [OPTIONS] PATH...      files, directories to walk, or - for standard input\n"
        "       syncl @FILE                  reads its arguments from FILE, one a line\n"
        "       syncl --calibrate            measures this machine's GPU, once, for prices that fit it\n"
        "       syncl record -- COMMAND      runs COMMAND on a GPU, and prices the waits that happened\n"
        "       syncl trace-help             how to record a trace for --trace\n"
        "       syncl observed-help          how to log a run for --observed\n");
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (rows[i].kind == KIND_SECTION)
            output_format(output, "\n%s:\n", rows[i].help);
        else
            write_row(output, &rows[i]);
    }
    output_text(output,
                "\nexit status: 0 no finding at the failing level, 1 findings at it, 2 syncl could not run\n");
}
