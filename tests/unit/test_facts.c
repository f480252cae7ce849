/* What inference believes, asked in the fixtures: `# is: cuda float` at the end of a line names the value of the
   expression that ends there, in the form of infer_value_text, and its shape where the mark has one, or the file lies in a
   folder `shapes`: there a mark without a shape says that none is known. Every file under tests/cases with such a mark is a
   test; nothing is registered. With arguments, runs only the files whose path holds one of them. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include "infer.h"
#include "part.h"
#include "project.h"
#include "size.h"

typedef struct Files {
    Arena arena;
    VEC(const char *) items;
} Files;

/* ---- asking ---- */
static ExprId expr_ending_at(const FileModel *model, uint32_t offset) {
    ExprId best = 0;
    for (ExprId i = 1; i < model->exprs.count; i++) {
        const Expr *expr = &model->exprs.items[i];
        if (expr->span.end == offset && expr->kind != EXPR_KEYWORD &&
            (!best || expr->span.start <= model->exprs.items[best].span.start))
            best = i;
    }
    return best;
}

static FuncId func_of(const FileModel *model, ExprId expr) {
    for (FuncId i = 1; i < model->funcs.count; i++)
        if (expr >= model->funcs.items[i].first_expr && expr < model->funcs.items[i].end_expr) return i;
    return 0;
}

/* Each context's belief once, joined by " or ". */
static Text belief(Arena *arena, const Inference *inference, FileId file, ExprId expr) {
    const FileModel *model = inference->program->files.items[file].model;
    FuncId func = func_of(model, expr);
    Text all = {0};
    for (ContextId i = 1; i < inference->contexts.count; i++) {
        const Context *context = inference->contexts.items[i];
        if (context->file != file || context->func != func) continue;
        Text one = infer_value_text(arena, inference, infer_fact(context, model, expr));
        if (all.length && strstr(all.bytes, one.bytes)) continue;
        all = text_format(arena, "%.*s%s%.*s", (int)all.length, all.length ? all.bytes : "",
                          all.length ? " or " : "", (int)one.length, one.bytes);
    }
    return all;
}

/* ---- reading the marks ---- */
static Text line_at(Text bytes, uint32_t start) {
    uint32_t end = start;
    while (end < bytes.length && bytes.bytes[end] != '\n') end++;
    return text_slice(bytes, start, end);
}

/* Where the code of the line ends, or 0 without a mark; *expected is what the mark says. */
static uint32_t read_mark(Text line, Text *expected) {
    Text mark = TEXT("# is: ");
    for (uint32_t i = 0; i + mark.length < line.length; i++) {
        if (!text_equal(text_slice(line, i, i + mark.length), mark)) continue;
        *expected = text_slice(line, i + mark.length, line.length);
        while (i > 0 && line.bytes[i - 1] == ' ') i--;
        return i;
    }
    return 0;
}

static uint32_t check_line(Arena *arena, const Inference *inference, const Sizes *sizes, FileId file,
                           uint32_t line) {
    const SourceFile *source = &inference->program->files.items[file];
    uint32_t start = source->model->lines.items[line];
    Text expected;
    uint32_t code = read_mark(line_at(source->bytes, start), &expected);
    if (!code) return 0;
    ExprId expr = expr_ending_at(source->model, start + code);
    Text got = expr ? belief(arena, inference, file, expr) : TEXT("no expression ends here");
    Text shape = expr ? size_shape(arena, sizes, file, expr) : (Text){0};
    bool told = text_holds(expected, "(") || text_holds(source->path, "/shapes/");
    if (told && shape.length)
        got = text_format(arena, "%.*s %.*s", (int)got.length, got.bytes, (int)shape.length, shape.bytes);
    if (text_equal(got, expected)) return 0;
    print_error("%.*s:%u: is %.*s, expected %.*s\n", (int)source->path.length, source->path.bytes, line + 1,
                (int)got.length, got.length ? got.bytes : "", (int)expected.length, expected.bytes);
    return 1;
}

static void check_file(void **state) {
    const char *const *path = *state;
    Arena arena = {0};
    ProjectError error = {0};
    const Program *program = project_load(&arena, path, 1, NULL, &error);
    assert_non_null(program);
    InferOptions options = {.names = infer_gpu_names(program, rulebook_builtin()), .threads = 1};
    const Inference *inference =
        infer_program(&arena, program_linked(&arena, program), rulebook_builtin(), &options);
    SizeOptions sized = {.shapes = true};
    const Sizes *sizes = sizes_find(&arena, calls_summarise(&arena, inference, 1), NULL, 0, NULL, &sized);
    uint32_t wrong = 0;
    for (FileId file = 1; file < program->files.count; file++) {
        if (!text_equal(program->files.items[file].path, text_of(*path))) continue;
        for (uint32_t line = 0; line < program->files.items[file].model->lines.count; line++)
            wrong += check_line(&arena, inference, sizes, file, line);
    }
    arena_free(&arena);
    if (wrong) fail_msg("%u values are not as marked", wrong);
}

/* ---- finding the files ---- */
static bool has_mark(const char *path) {
    FILE *file = fopen(path, "r");
    char line[1024];
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file)) found = strstr(line, "# is: ") != NULL;
    if (file) fclose(file);
    return found;
}

static void add_below(Files *files, const char *folder) {
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (entry->d_name[0] == '.') continue;
        const char *path = text_format(&files->arena, "%s/%s", folder, entry->d_name).bytes;
        struct stat status;
        if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
            add_below(files, path);
        else if (text_ends(text_of(path), TEXT(".py")) && has_mark(path))
            vec_push(&files->arena, &files->items, path);
    }
    if (dir) closedir(dir);
}

static bool is_asked_for(const char *path, int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strstr(path, argv[i])) return true;
    return argc < 2;
}

int main(int argc, char **argv) {
    Files files = {0};
    add_below(&files, "tests/cases");
    struct CMUnitTest *tests = arena_new(&files.arena, struct CMUnitTest, files.items.count + 1);
    size_t count = 0;
    for (uint32_t i = 0; i < files.items.count; i++)
        if (is_asked_for(files.items.items[i], argc, argv))
            tests[count++] =
                (struct CMUnitTest){files.items.items[i], check_file, NULL, NULL, &files.items.items[i]};
    int failed = _cmocka_run_group_tests("facts", tests, count, NULL, NULL);
    arena_free(&files.arena);
    return failed;
}
