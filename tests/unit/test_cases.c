/* The fixtures: tests/cases, corpus and the examples of every rule page, analysed as a user would and compared with
   the marks in their lines. Nothing is registered: a new file is a new test.

   # sync: rule[ certain|likely|possible][ note|error][ only|always][ xN][, rule ...]   a finding of that rule starts on
     this line, and says under which condition it waits (only), or says none (always)
   # is: cuda float                    what inference knows of the value of the expression that ends the line
   # missed: rule ...                  a known miss; fails once it is found
   # spurious: rule ...                a known false report; fails once it is gone
   # options: --min-confidence possible      on the first line of a file
   A line without a mark asserts silence. A folder with a file `args` (one path a line, relative to the folder) is one
   case of several files. An example of a page runs after rules/prelude.py, in a loop that uses the GPU each turn;
   what a page advises runs there as it stands.
   With arguments, runs only the cases whose path holds one of them. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "analyze.h"
#include "rulepage.h"

typedef enum MarkKind { MARK_SYNC, MARK_MISSED, MARK_SPURIOUS, MARK_KINDS } MarkKind;

typedef struct Mark {
    MarkKind kind;
    Text path;
    uint32_t line, times, found;
    Text rule;
    bool note, error, only, always;
    Confidence confidence; /* CONFIDENCE_NONE = any */
} Mark;

typedef struct Finding {
    Text path, rule;
    uint32_t line;
    bool note, error, only, marked;
    Confidence confidence;
} Finding;

/* One run of the analyser. An example's file is written for the run, and its lines are told as the page's. */
typedef struct Case {
    Text name;
    VEC(const char *) paths;
    VEC(Text) sources;  /* files whose marks count */
    Text written;       /* the file of an example, else empty */
    Text page, prelude; /* of an example */
    uint32_t page_line, body_line;
    Confidence least;
} Case;

typedef struct Cases {
    Arena arena;
    VEC(Case) items;
    uint32_t marks[MARK_KINDS];
} Cases;

/* ---- files ---- */
static Text read_file(Arena *arena, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return (Text){0};
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *bytes = arena_alloc(arena, (size_t)size + 1);
    size_t count = fread(bytes, 1, (size_t)size, file);
    fclose(file);
    return (Text){bytes, (uint32_t)count};
}

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static const char *joined(Arena *arena, const char *folder, const char *name) {
    return text_format(arena, "%s/%s", folder, name).bytes;
}

typedef struct Paths {
    VEC(const char *) items;
} Paths;

static int compare_strings(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static Paths list_folder(Arena *arena, const char *folder) {
    Paths paths = {0};
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, "__pycache__") != 0)
            vec_push(arena, &paths.items, joined(arena, folder, entry->d_name));
    if (dir) closedir(dir);
    qsort(paths.items.items, paths.items.count, sizeof(char *), compare_strings);
    return paths;
}

static bool has_suffix(const char *path, const char *suffix) {
    return text_ends(text_of(path), text_of(suffix));
}

/* ---- lines and words ---- */
static bool next_line(Text *rest, Text *line) {
    if (!rest->length) return false;
    uint32_t end = 0;
    while (end < rest->length && rest->bytes[end] != '\n') end++;
    *line = text_slice(*rest, 0, end);
    *rest = text_slice(*rest, end < rest->length ? end + 1 : end, rest->length);
    return true;
}

static Text next_word(Text *rest) {
    uint32_t start = 0;
    while (start < rest->length && rest->bytes[start] == ' ') start++;
    uint32_t end = start;
    while (end < rest->length && rest->bytes[end] != ' ' && rest->bytes[end] != ',' && rest->bytes[end] != '#')
        end++;
    Text word = text_slice(*rest, start, end);
    *rest = text_slice(*rest, end, rest->length);
    return word;
}

static bool find(Text text, const char *needle, Text *after) {
    Text wanted = text_of(needle);
    for (uint32_t i = 0; i + wanted.length <= text.length; i++)
        if (memcmp(text.bytes + i, wanted.bytes, wanted.length) == 0) {
            *after = text_slice(text, i + wanted.length, text.length);
            return true;
        }
    return false;
}

static Confidence confidence_named(Text word) {
    static const char *const names[] = {"", "possible", "likely", "certain"};
    for (int i = CONFIDENCE_POSSIBLE; i <= CONFIDENCE_CERTAIN; i++)
        if (text_equal(word, text_of(names[i]))) return (Confidence)i;
    return CONFIDENCE_NONE;
}

/* ---- marks ---- */
typedef struct Marks {
    VEC(Mark) items;
} Marks;

static void read_mark_word(Mark *mark, Text word) {
    Confidence confidence = confidence_named(word);
    if (text_equal(word, TEXT("note")))
        mark->note = true;
    else if (text_equal(word, TEXT("error")))
        mark->error = true;
    else if (text_equal(word, TEXT("only")))
        mark->only = true;
    else if (text_equal(word, TEXT("always")))
        mark->always = true;
    else if (confidence)
        mark->confidence = confidence;
    else if (word.length > 1 && word.bytes[0] == 'x')
        mark->times = (uint32_t)strtoul(word.bytes + 1, NULL, 10);
}

static void read_mark(Arena *arena, Marks *marks, Mark mark, Text rest) {
    for (;;) {
        Mark one = mark;
        one.rule = next_word(&rest);
        one.times = 1;
        for (Text word; (word = next_word(&rest)).length;) read_mark_word(&one, word);
        if (one.rule.length) vec_push(arena, &marks->items, one);
        if (!rest.length || rest.bytes[0] != ',') return;
        rest = text_slice(rest, 1, rest.length);
    }
}

static void read_line_marks(Arena *arena, Marks *marks, Text path, uint32_t number, Text line) {
    static const char *const labels[MARK_KINDS] = {"# sync:", "# missed:", "# spurious:"};
    for (int kind = 0; kind < MARK_KINDS; kind++) {
        Text rest;
        if (find(line, labels[kind], &rest))
            read_mark(arena, marks, (Mark){.kind = (MarkKind)kind, .path = path, .line = number}, rest);
    }
}

/* An example's marks stand on the page; those of every other case in its files. */
static Marks read_marks(Arena *arena, const Case *test) {
    Marks marks = {0};
    for (uint32_t i = 0; i < test->sources.count; i++) {
        Text path = test->sources.items[i], rest = read_file(arena, path.bytes), line;
        for (uint32_t number = 1; next_line(&rest, &line); number++) {
            if (!test->written.length)
                read_line_marks(arena, &marks, path, number, line);
            else if (number >= test->body_line)
                read_line_marks(arena, &marks, test->page, number - test->body_line + test->page_line, line);
        }
    }
    return marks;
}

/* ---- running: the only part that knows analyze.h ---- */
typedef struct FindingList {
    VEC(Finding) items;
} FindingList;

static void place_in_page(const Case *test, Finding *finding) {
    if (!test->written.length) return;
    bool body = finding->line >= test->body_line;
    finding->path = body ? test->page : test->prelude;
    if (body) finding->line = finding->line - test->body_line + test->page_line;
}

static bool run_analyser(Arena *arena, const Case *test, FindingList *list) {
    AnalyzeOptions options = {.paths = test->paths.items, .path_count = test->paths.count};
    Text error = {0};
    const Analysis *analysis = analyze(arena, &options, &error);
    if (!analysis) {
        print_error("%.*s: could not run: %.*s\n", (int)test->name.length, test->name.bytes, (int)error.length,
                    error.bytes);
        return false;
    }
    for (SiteId i = 1; i < analysis->findings->sites.count; i++) {
        const Site *site = &analysis->findings->sites.items[i];
        const SourceFile *file = &analysis->program->files.items[site->file];
        Finding finding = {
            .path = file->path,
            .rule = rulebook_text(analysis->rulebook, analysis->rulebook->hazards[site->hazard].name),
            .line = model_line(file->model, site->span.start),
            .note = site->level == LEVEL_NOTE,
            .error = site->level == LEVEL_ERROR,
            .only = site->frequency.only.length > 0,
            .confidence = site->confidence};
        place_in_page(test, &finding);
        if (finding.confidence >= test->least) vec_push(arena, &list->items, finding);
    }
    return true;
}

/* ---- comparing ---- */
static bool same_place(const Mark *mark, const Finding *finding) {
    return mark->line == finding->line && text_equal(mark->rule, finding->rule) &&
           text_equal(mark->path, finding->path);
}

static bool fits(const Mark *mark, const Finding *finding) {
    return same_place(mark, finding) && mark->found < mark->times &&
           ((mark->note == finding->note && mark->error == finding->error) || mark->kind == MARK_MISSED) &&
           (!mark->confidence || mark->confidence == finding->confidence) &&
           !(finding->only ? mark->always : mark->only);
}

static void match(Marks *marks, FindingList *found) {
    for (uint32_t i = 0; i < found->items.count; i++)
        for (uint32_t j = 0; j < marks->items.count && !found->items.items[i].marked; j++)
            if (fits(&marks->items.items[j], &found->items.items[i])) {
                marks->items.items[j].found++;
                found->items.items[i].marked = true;
            }
}

static const char *confidence_name(Confidence confidence) {
    static const char *const names[] = {"any", "possible", "likely", "certain"};
    return names[confidence];
}

static uint32_t say_mark(const Mark *mark, const char *what) {
    print_error("%.*s:%u: %s %.*s%s%s%s", (int)mark->path.length, mark->path.bytes, mark->line, what,
                (int)mark->rule.length, mark->rule.bytes, mark->note ? " note" : "",
                mark->confidence ? " " : "", mark->confidence ? confidence_name(mark->confidence) : "");
    if (mark->times > 1 || mark->found) print_error(" x%u, got %u", mark->times, mark->found);
    print_error("\n");
    return 1;
}

static uint32_t say_unmarked(const Finding *finding) {
    print_error("%.*s:%u: got %.*s%s (%s), expected nothing\n", (int)finding->path.length, finding->path.bytes,
                finding->line, (int)finding->rule.length, finding->rule.bytes, finding->note ? " note" : "",
                confidence_name(finding->confidence));
    return 1;
}

/* How many lines do not come out as marked. */
static uint32_t compare(const Marks *marks, const FindingList *found) {
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < marks->items.count; i++) {
        const Mark *mark = &marks->items.items[i];
        if (mark->kind == MARK_SYNC && mark->found < mark->times) wrong += say_mark(mark, "expected");
        if (mark->kind == MARK_MISSED && mark->found) wrong += say_mark(mark, "mended, turn this into # sync:");
        if (mark->kind == MARK_SPURIOUS && !mark->found) wrong += say_mark(mark, "gone, remove # spurious:");
    }
    for (uint32_t i = 0; i < found->items.count; i++)
        if (!found->items.items[i].marked) wrong += say_unmarked(&found->items.items[i]);
    return wrong;
}

typedef struct Running {
    Cases *cases;
    const Case *test;
} Running;

static uint32_t count_wrong(const Case *test) {
    Arena arena = {0};
    FindingList found = {0};
    if (!run_analyser(&arena, test, &found)) return 1;
    Marks marks = read_marks(&arena, test);
    match(&marks, &found);
    uint32_t wrong = compare(&marks, &found);
    arena_free(&arena);
    return wrong;
}

static void count_marks(Cases *cases, const Case *test) {
    Arena arena = {0};
    Marks marks = read_marks(&arena, test);
    for (uint32_t i = 0; i < marks.items.count; i++) cases->marks[marks.items.items[i].kind]++;
    arena_free(&arena);
}

enum { LONGEST_RUN_S = 60 };

/* A process a case, so that one crash or endless loop is one failure. */
static void run_case(void **state) {
    const Running *running = *state;
    count_marks(running->cases, running->test);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
        for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
            signal(deadly[i], SIG_DFL); /* not cmocka's */
        alarm(LONGEST_RUN_S);
        uint32_t wrong = count_wrong(running->test);
        fflush(stdout);
        exit(wrong > 99 ? 99 : (int)wrong);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status)) fail_msg("crashed: signal %d", WTERMSIG(status));
    if (WEXITSTATUS(status)) fail_msg("%d lines do not come out as marked", WEXITSTATUS(status));
}

/* ---- finding the cases ---- */
static void read_options(Case *test, Text source) {
    Text line, rest;
    if (!next_line(&source, &line) || !find(line, "# options:", &rest)) return;
    if (find(rest, "--min-confidence ", &rest)) test->least = confidence_named(next_word(&rest));
}

static void add_source(Arena *arena, Case *test, const char *path) {
    read_options(test, read_file(arena, path));
    vec_push(arena, &test->sources, text_of(path));
}

static void add_file(Cases *cases, const char *path) {
    Case test = {.name = text_of(path), .least = CONFIDENCE_LIKELY};
    vec_push(&cases->arena, &test.paths, path);
    add_source(&cases->arena, &test, path);
    vec_push(&cases->arena, &cases->items, test);
}

static void add_sources_below(Arena *arena, Case *test, const char *folder) {
    Paths paths = list_folder(arena, folder);
    for (uint32_t i = 0; i < paths.items.count; i++) {
        const char *path = paths.items.items[i];
        if (is_folder(path))
            add_sources_below(arena, test, path);
        else if (has_suffix(path, ".py"))
            add_source(arena, test, path);
    }
}

static void add_folder_case(Cases *cases, const char *folder, Text args) {
    Arena *arena = &cases->arena;
    Case test = {.name = text_of(folder), .least = CONFIDENCE_LIKELY};
    Text line;
    while (next_line(&args, &line)) {
        const char *path = text_equal(line, TEXT("."))
                               ? folder
                               : text_format(arena, "%s/%.*s", folder, (int)line.length, line.bytes).bytes;
        if (line.length) vec_push(arena, &test.paths, path);
    }
    add_sources_below(arena, &test, folder);
    vec_push(arena, &cases->items, test);
}

static void add_below(Cases *cases, const char *folder) {
    Text args = read_file(&cases->arena, joined(&cases->arena, folder, "args"));
    if (args.length) {
        add_folder_case(cases, folder, args);
        return;
    }
    Paths paths = list_folder(&cases->arena, folder);
    for (uint32_t i = 0; i < paths.items.count; i++) {
        const char *path = paths.items.items[i];
        if (is_folder(path))
            add_below(cases, path);
        else if (has_suffix(path, ".py"))
            add_file(cases, path);
    }
}

/* ---- the examples of the pages ---- */
static uint32_t count_lines(Text text) {
    uint32_t count = 0;
    Text line;
    while (next_line(&text, &line)) count++;
    return count;
}

static const char LOOP[] = "\nfor step in range(steps):\n    model(x)\n";

/* Advice is a script of its own, with its own loop. */
static const char *head_of(const PageExample *example) {
    return example->section == SECTION_INSTEAD ? "\n" : LOOP;
}

static void write_example(const char *path, Text prelude, const PageExample *example) {
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fprintf(out, "%.*s%s", (int)prelude.length, prelude.bytes, head_of(example));
    Text line, body = example->text;
    const char *indent = example->section == SECTION_INSTEAD ? "" : "    ";
    while (next_line(&body, &line))
        fprintf(out, "%s%.*s\n", line.length ? indent : "", (int)line.length, line.bytes);
    assert_int_equal(fclose(out), 0);
}

static void add_example(Cases *cases, const char *folder, const PageExample *example, Text prelude) {
    Arena *arena = &cases->arena;
    Case test = {.least = CONFIDENCE_LIKELY, .page = example->page, .page_line = example->line};
    test.name = text_format(arena, "%.*s:%u", (int)example->page.length, example->page.bytes, example->line);
    test.written = text_format(arena, "%s/%.*s_%u.py", folder, (int)example->rule.length, example->rule.bytes,
                               example->line);
    test.prelude = TEXT("rules/prelude.py");
    test.body_line = count_lines(prelude) + count_lines(text_of(head_of(example))) + 1;
    write_example(test.written.bytes, prelude, example);
    vec_push(arena, &test.paths, test.written.bytes);
    vec_push(arena, &test.sources, test.written);
    vec_push(arena, &cases->items, test);
}

static void add_examples(Cases *cases, const char *folder) {
    Arena *arena = &cases->arena;
    Text prelude = read_file(arena, "rules/prelude.py");
    Paths paths = list_folder(arena, "rules");
    for (uint32_t i = 0; i < paths.items.count; i++) {
        if (!has_suffix(paths.items.items[i], ".md")) continue;
        PageSource source = {text_of(paths.items.items[i]), read_file(arena, paths.items.items[i])};
        PageExamples examples = rulepage_examples(arena, &source, 1);
        for (uint32_t j = 0; j < examples.items.count; j++)
            add_example(cases, folder, &examples.items.items[j], prelude);
    }
}

/* ---- all of it ---- */
static bool is_asked_for(const Case *test, int argc, char **argv) {
    Text rest;
    for (int i = 1; i < argc; i++)
        if (find(test->name, argv[i], &rest)) return true;
    return argc < 2;
}

static int run_all(Cases *cases, int argc, char **argv) {
    struct CMUnitTest *tests = arena_new(&cases->arena, struct CMUnitTest, cases->items.count + 1);
    size_t count = 0;
    for (uint32_t i = 0; i < cases->items.count; i++) {
        const Case *test = &cases->items.items[i];
        if (!is_asked_for(test, argc, argv)) continue;
        Running *running = arena_new(&cases->arena, Running, 1);
        *running = (Running){cases, test};
        const char *name = text_format(&cases->arena, "%.*s", (int)test->name.length, test->name.bytes).bytes;
        tests[count++] = (struct CMUnitTest){.name = name, .test_func = run_case, .initial_state = running};
    }
    return _cmocka_run_group_tests("cases", tests, count, NULL, NULL);
}

static void remove_folder(Arena *arena, const char *folder) {
    Paths paths = list_folder(arena, folder);
    for (uint32_t i = 0; i < paths.items.count; i++) unlink(paths.items.items[i]);
    rmdir(folder);
}

int main(int argc, char **argv) {
    Cases cases = {0};
    char folder[] = "/tmp/syncl-cases-XXXXXX";
    if (!mkdtemp(folder)) return 2;
    add_below(&cases, "tests/cases");
    add_below(&cases, "corpus");
    add_examples(&cases, folder);
    int failed = run_all(&cases, argc, argv);
    printf("note: %u findings marked, %u known misses, %u known false reports\n", cases.marks[MARK_SYNC],
           cases.marks[MARK_MISSED], cases.marks[MARK_SPURIOUS]);
    remove_folder(&cases.arena, folder);
    arena_free(&cases.arena);
    return failed;
}
