#include "size_rules.h"
#include "lower.h"
#include <stdlib.h>

const SizeRow *size_rule_named(const SizeRules *rules, Text name) {
    uint32_t low = 0, high = rules->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = text_compare(rules->rows[middle].name, name);
        if (!order) return &rules->rows[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* ---- at build time ---- */

typedef struct Writer {
    FILE *out;
    Arena *arena;
    const FileModel *model;
    VEC(SizeRow) rows;
} Writer;

static void add_row(Writer *self, Text name, SizeRow row) {
    row.name = name;
    vec_push(self->arena, &self->rows, row);
}

/* Expands torch{,.Tensor}.{abs,exp}: each choice from each pair of braces. */
static void add_names(Writer *self, Text pattern, SizeRow row) {
    uint32_t open = 0, close = 0;
    while (open < pattern.length && pattern.bytes[open] != '{') open++;
    for (close = open; close < pattern.length && pattern.bytes[close] != '}';) close++;
    if (close == pattern.length) {
        add_row(self, pattern, row);
        return;
    }
    Text before = text_slice(pattern, 0, open), behind = text_slice(pattern, close + 1, pattern.length);
    for (uint32_t start = open + 1, end; start <= close; start = end + 1) {
        for (end = start; end < close && pattern.bytes[end] != ',';) end++;
        Text choice = text_slice(pattern, start, end);
        add_names(self, text_format(self->arena, "%.*s%.*s%.*s", SHOWN(before), SHOWN(choice), SHOWN(behind)),
                  row);
    }
}

/* @of("torch.nn.Linear") */
static void add_decorated(Writer *self, List decorators, SizeRow row) {
    const FileModel *model = self->model;
    for (uint32_t i = 0; i < decorators.count; i++) {
        const Expr *call = &model->exprs.items[model->links.items[decorators.first + i]];
        if (call->kind != EXPR_CALL) continue;
        for (uint32_t a = 0; a < call->list.count; a++) {
            const Expr *name = &model->exprs.items[model->links.items[call->list.first + a]];
            if (name->kind == EXPR_STRING) add_names(self, model_name(model, name->name), row);
        }
    }
}

static bool find_rows(Writer *self) {
    for (FuncId id = 1; id < self->model->funcs.count; id++)
        add_decorated(self, self->model->funcs.items[id].decorators, (SizeRow){.func = id});
    for (ClassId id = 1; id < self->model->classes.count; id++)
        add_decorated(self, self->model->classes.items[id].decorators, (SizeRow){.class_id = id});
    qsort(self->rows.items, self->rows.count, sizeof *self->rows.items, text_order);
    bool fine = true;
    for (uint32_t i = 1; i < self->rows.count; i++) {
        Text name = self->rows.items[i].name;
        if (!text_equal(name, self->rows.items[i - 1].name)) continue;
        fprintf(stderr, "rulec: %.*s has two sizes\n", SHOWN(name));
        fine = false;
    }
    return fine;
}

static void write_text(FILE *out, Text text) {
    fputs("{\"", out);
    for (uint32_t i = 0; i < text.length; i++) fprintf(out, "\\%03o", (unsigned char)text.bytes[i]);
    fprintf(out, "\", %u}", text.length);
}

/* Records that hold numbers only are written as words: the same compiler that laid them out reads them back. */
static void write_words(FILE *out, const char *name, const char *type, const uint32_t *words, size_t count) {
    fprintf(out, "static uint32_t %s_WORDS[] = {", name);
    for (size_t i = 0; i < count; i++) fprintf(out, "%s%u,", i % 30 ? "" : "\n    ", words[i]);
    fprintf(out, "\n};\n#define %s ((%s *)(void *)%s_WORDS)\n\n", name, type, name);
}

static void write_texts(const Writer *self) {
    FILE *out = self->out;
    fputs("static Text SIZE_NAMES[] = {\n", out);
    for (uint32_t i = 0; i < self->model->names.count; i++) {
        fputs("    ", out);
        write_text(out, self->model->names.items[i]);
        fputs(",\n", out);
    }
    fputs("};\n\nstatic const SizeRow SIZE_ROWS[] = {\n", out);
    for (uint32_t i = 0; i < self->rows.count; i++) {
        fputs("    {", out);
        write_text(out, self->rows.items[i].name);
        fprintf(out, ", %u, %u},\n", self->rows.items[i].func, self->rows.items[i].class_id);
    }
    fputs("};\n\n", out);
}

#define WRITE_ARRAY(name, type, vec)                                                \
    write_words(self->out, name, type, (const uint32_t *)(const void *)(vec).items, \
                sizeof *(vec).items *(vec).count / sizeof(uint32_t))

static void write_model(const Writer *self) {
    const FileModel *model = self->model;
    WRITE_ARRAY("SIZE_EXPRS", "Expr", model->exprs);
    WRITE_ARRAY("SIZE_STMTS", "Stmt", model->stmts);
    WRITE_ARRAY("SIZE_FUNCS", "Func", model->funcs);
    WRITE_ARRAY("SIZE_CLASSES", "Class", model->classes);
    WRITE_ARRAY("SIZE_PARAMS", "Param", model->params);
    WRITE_ARRAY("SIZE_LOCALS", "Local", model->locals);
    WRITE_ARRAY("SIZE_LOOPS", "Loop", model->loops);
    WRITE_ARRAY("SIZE_LINKS", "uint32_t", model->links);
    fputs("static const FileModel SIZE_MODEL = {\n", self->out);
#define WRITE_VEC(field, name) \
    fprintf(self->out, "    ." #field " = {" name ", %u, %u},\n", model->field.count, model->field.count)
    WRITE_VEC(exprs, "SIZE_EXPRS");
    WRITE_VEC(stmts, "SIZE_STMTS");
    WRITE_VEC(funcs, "SIZE_FUNCS");
    WRITE_VEC(classes, "SIZE_CLASSES");
    WRITE_VEC(params, "SIZE_PARAMS");
    WRITE_VEC(locals, "SIZE_LOCALS");
    WRITE_VEC(loops, "SIZE_LOOPS");
    WRITE_VEC(links, "SIZE_LINKS");
    WRITE_VEC(names, "SIZE_NAMES");
    fprintf(self->out,
            "};\n\nstatic const SizeRules SIZE_RULES = {&SIZE_MODEL, SIZE_ROWS, %u};\n"
            "const SizeRules *size_rules(void) { return &SIZE_RULES; }\n",
            self->rows.count);
}

bool size_rules_write(FILE *out, Arena *arena, Text path, Text bytes) {
    Arena scratch = {0};
    FileModel model = {0};
    SyntaxParser *parser = syntax_open();
    lower_file(arena, &scratch, parser, bytes, &model);
    syntax_close(parser);
    arena_free(&scratch);
    if (model.error_count) fprintf(stderr, "%.*s: not Python at byte %u\n", SHOWN(path), model.broken_at);
    Writer writer = {.out = out, .arena = arena, .model = &model};
    bool fine = !model.error_count && find_rows(&writer);
    if (!fine) return false;
    fputs("\n#include \"size_rules.h\"\n\n", out);
    write_texts(&writer);
    write_model(&writer);
    return true;
}
