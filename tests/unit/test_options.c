#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sample.h"
#include <stdio.h>

enum { MOST = 12 };

typedef struct Parsed {
    bool good;
    Options options;
    Text error;
} Parsed;

static Arena arena;

static int forget(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

/* Wordings split at '|'. */
static Parsed parse(const char *line) {
    char *words = arena_copy(&arena, line, strlen(line) + 1), **argv = arena_new(&arena, char *, MOST + 1);
    int argc = 1;
    argv[0] = words; /* any name */
    for (char *word = words; word && *line && argc < MOST;) {
        argv[argc++] = word;
        word = strchr(word, '|');
        if (word) *word++ = '\0';
    }
    Parsed parsed = {0};
    parsed.good = options_parse(&arena, argc, argv, &parsed.options, &parsed.error);
    return parsed;
}

static void assert_error(const char *line, const char *part) {
    Parsed parsed = parse(line);
    assert_false(parsed.good);
    char *error = arena_alloc(&arena, parsed.error.length + 1u);
    memcpy(error, parsed.error.bytes, parsed.error.length);
    if (!strstr(error, part)) fail_msg("%s: \"%s\" does not say \"%s\"", line, error, part);
}

static void defaults_are_as_documented(void **state) {
    (void)state;
    Parsed parsed = parse("train.py");
    assert_true(parsed.good);
    assert_int_equal(parsed.options.fail_on, LEVEL_WARNING);
    assert_int_equal(parsed.options.min_confidence + CONFIDENCE_POSSIBLE, CONFIDENCE_LIKELY);
    assert_int_equal(parsed.options.format, FORMAT_PLAN);
    assert_int_equal(parsed.options.paths.count, 1);
    assert_null(parsed.options.output);
}

static void values_may_be_attached_or_follow(void **state) {
    (void)state;
    Parsed parsed =
        parse("--output-format=json|-qo|out.json|--fail-on|note|--select=a,b|--select|c|x.py|--|-y.py");
    assert_true(parsed.good);
    assert_int_equal(parsed.options.format, FORMAT_JSON);
    assert_true(parsed.options.quiet);
    assert_string_equal(parsed.options.output, "out.json");
    assert_int_equal(parsed.options.fail_on, LEVEL_NOTE);
    assert_int_equal(parsed.options.select.count, 3);
    assert_string_equal(parsed.options.select.items[2], "c");
    assert_int_equal(parsed.options.paths.count, 2);
    assert_string_equal(parsed.options.paths.items[1], "-y.py");
    assert_string_equal(parse("-ofile|x.py").options.output, "file");
}

static void numbers_need_their_units(void **state) {
    (void)state;
    assert_true(parse("--step-time=55ms|x").options.step_time_us == 55000);
    assert_true(parse("--step-time=1.5 s|x").options.step_time_us == 1500000);
    assert_true(parse("--step-time=800us|x").options.step_time_us == 800);
    assert_true(parse("--gpu-busy=60%|x").options.gpu_busy == 0.6);
    assert_true(parse("--gpu-busy=0.25|x").options.gpu_busy == 0.25);
    assert_true(parse("--ops-per-step=400|x").options.ops_per_step == 400);
    static const char *const wrong[] = {"--step-time=55|x",    "--step-time=-5ms|x",    "--step-time=0ms|x",
                                        "--step-time=1e9ms|x", "--step-time=ms|x",      "--step-time=inf|x",
                                        "--gpu-busy=60|x",     "--gpu-busy=101%|x",     "--gpu-busy=nan|x",
                                        "--ops-per-step=0|x",  "--ops-per-step=0x10|x", "--step-time=5 min|x"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) assert_error(wrong[i], "takes");
}

static void mistakes_name_the_nearest(void **state) {
    (void)state;
    assert_error("--fail-onn=note|x", "--fail-on");
    assert_error("--output=x", "--output-f");
    assert_error("--colour=never|x", "--color");
    assert_error("--zzzzzzzz", "--help");
    assert_error("-z", "-z");
    assert_error("--output-format=xml|x", "full|concise|json");
    assert_error("--quiet=1|x", "no value");
    assert_error("--select", "needs a value");
    assert_error("--select|--ignore|x", "needs a value");
    assert_error("-q", "no path");
    assert_error("--with-torch=python|x", "go with --calibrate");
}

static void calibrate_takes_paths_and_a_file_of_its_own(void **state) {
    (void)state;
    Parsed parsed = parse("x.py|--calibrate|--device=all|-o|gpu.json");
    assert_true(parsed.good);
    assert_int_equal(parsed.options.command, COMMAND_CALIBRATE);
    assert_int_equal(parsed.options.paths.count, 1);
    assert_string_equal(parsed.options.device, "all");
    assert_string_equal(parsed.options.saved_to, "gpu.json");
    assert_null(parsed.options.output);
}

static Wordings words(const char *one, const char *two) {
    Wordings list = {0};
    if (one) vec_push(&arena, &list, ((Wording){one, {"", 0}}));
    if (two) vec_push(&arena, &list, ((Wording){two, {"", 0}}));
    return list;
}

/* Which of the sample's hazards host-read SYN101, print-tensor SYN102, explicit-wait SYN201 are shown, as digits. */
static int shown_of(const RuleLayer *one, const RuleLayer *two, Wordings here) {
    Sample sample;
    sample_start(&sample, &arena);
    Selection selection;
    Text error;
    const RuleLayer *layers[] = {one, two};
    if (!selection_make(&arena, &sample.rulebook, layers, two ? 2 : 1, &here, &selection, &error)) return -1;
    return selection.shown[1] * 100 + selection.shown[2] * 10 + selection.shown[3];
}

static int shown(Wordings select, Wordings ignore) {
    RuleLayer layer = {.select = select, .ignore = ignore, .has_select = select.count > 0};
    return shown_of(&layer, NULL, (Wordings){0});
}

static void later_layers_win(void **state) {
    (void)state;
    RuleLayer project = {.select = words("SYN1", NULL), .ignore = words("SYN102", NULL), .has_select = true};
    RuleLayer none = {0}, ignores = {.ignore = words("SYN1", NULL)},
              adds = {.extend_select = words("SYN201", NULL)};
    RuleLayer selects = {.select = words("SYN102", NULL), .has_select = true};
    assert_int_equal(shown_of(&project, &none, (Wordings){0}), 100);
    assert_int_equal(shown_of(&project, &ignores, (Wordings){0}), 0);
    assert_int_equal(shown_of(&project, &adds, (Wordings){0}), 101);
    assert_int_equal(shown_of(&project, &selects, (Wordings){0}), 10);
    assert_int_equal(shown_of(&selects, &project, (Wordings){0}), 100);
    assert_int_equal(shown_of(&project, &adds, words("SYN2", NULL)), 100);
    assert_int_equal(shown_of(&project, &adds, words("SYN9", NULL)), -1);
}

static void selection_knows_names_codes_and_beginnings(void **state) {
    (void)state;
    Wordings none = {0};
    assert_int_equal(shown(none, none), 111);
    assert_int_equal(shown(words("host-read", NULL), none), 100);
    assert_int_equal(shown(words("SYN1", NULL), none), 110);
    assert_int_equal(shown(none, words("SYN1", NULL)), 1);
    assert_int_equal(shown(words("SYN101", NULL), words("SYN1", NULL)), 100);
    assert_int_equal(shown(words("SYN1", NULL), words("print-tensor", NULL)), 100);
    assert_int_equal(shown(words("SYN1", NULL), words("SYN1", NULL)), 0);
    assert_int_equal(shown(words("ALL", NULL), words("SYN2", NULL)), 110);
    assert_int_equal(shown(none, words("ALL", NULL)), 0);
    assert_int_equal(shown(words("SYN9", NULL), none), -1);
    assert_int_equal(shown(words("S", NULL), none), -1);
}

static void unknown_rules_name_the_nearest(void **state) {
    (void)state;
    Sample sample;
    sample_start(&sample, &arena);
    Text error = {0};
    assert_int_equal(selection_rule(&arena, &sample.rulebook, "host-raed", &error), 0);
    assert_true(text_ends(error, TEXT("'host-read'")));
    assert_int_equal(selection_rule(&arena, &sample.rulebook, "SYN102", &error), 2);
}

static void help_names_every_option(void **state) {
    (void)state;
    Output output = {.arena = &arena};
    options_help(&output);
    vec_push(&arena, &output.bytes, '\0');
#define OPTION(kind, field, letter, name, metavar, words, help) \
    assert_non_null(strstr(output.bytes.items, "--" name));
#include "options.def"
    for (char *line = output.bytes.items; *line;
         line += strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n'))
        assert_true(strcspn(line, "\n") <= 100);
}

/* What stands between backquotes. */
static void assert_names_options_only(const char *path) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = arena_alloc(&arena, 1 << 20), name[64];
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    for (const char *at = strstr(text, "`--"); at; at = strstr(at + 3, "`--")) {
        size_t length = strspn(at + 3, "abcdefghijklmnopqrstuvwxyz-");
        snprintf(name, sizeof name, "%.*s", (int)length, at + 3);
        if (options_row(name) < 0) fail_msg("%s names --%s, which is no option", path, name);
    }
}

static void documents_name_no_other_option(void **state) {
    (void)state;
    assert_names_options_only("README.md");
    assert_names_options_only("packaging/manual/syncl.md");
}

int main(void) {
#define FORGETTING(test) cmocka_unit_test_teardown(test, forget)
    const struct CMUnitTest tests[] = {
        FORGETTING(defaults_are_as_documented),
        FORGETTING(values_may_be_attached_or_follow),
        FORGETTING(numbers_need_their_units),
        FORGETTING(mistakes_name_the_nearest),
        FORGETTING(calibrate_takes_paths_and_a_file_of_its_own),
        FORGETTING(selection_knows_names_codes_and_beginnings),
        FORGETTING(unknown_rules_name_the_nearest),
        FORGETTING(later_layers_win),
        FORGETTING(help_names_every_option),
        FORGETTING(documents_name_no_other_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
