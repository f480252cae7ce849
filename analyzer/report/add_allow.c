#include "add_allow.h"
#include "file.h"
#include "lower.h"
#include "path.h"
#include <stdlib.h>

/* A comment to add: at the end of a line, for the rules of all findings that end there. */
typedef struct Edit {
    uint32_t at; /* byte of the file, behind the line's last word */
    uint32_t findings;
    VEC(Text) rules;
    bool refused;
} Edit;

typedef struct Edits {
    VEC(Edit) items;
} Edits;

typedef struct Editor {
    Arena *arena;
    const Report *report;
    Text reason;
    const SourceFile *file;
    Text written; /* the file as it lies there: lines may end with a carriage return alone */
    Edits edits;  /* in the order of the file */
} Editor;

/* ---- places ---- */

static uint32_t line_end(Text bytes, uint32_t at) {
    while (at < bytes.length && bytes.bytes[at] != '\n' && bytes.bytes[at] != '\r') at++;
    while (at > 0 && (bytes.bytes[at - 1] == ' ' || bytes.bytes[at - 1] == '\t' || bytes.bytes[at - 1] == '\f'))
        at--;
    return at;
}

static uint32_t statement_end(const Site *site) {
    uint32_t end = site->statement.end > site->span.end ? site->statement.end : site->span.end;
    return end > site->span.start ? end - 1 : site->span.start;
}

static Edit *edit_at(Editor *self, uint32_t at) {
    for (uint32_t i = 0; i < self->edits.items.count; i++)
        if (self->edits.items.items[i].at == at) return &self->edits.items.items[i];
    vec_push(self->arena, &self->edits.items, (Edit){.at = at});
    return &self->edits.items.items[self->edits.items.count - 1];
}

static void want(Editor *self, const Finding *finding) {
    Edit *edit = edit_at(self, line_end(self->file->bytes, statement_end(finding->site)));
    edit->findings++;
    for (uint32_t i = 0; i < edit->rules.count; i++)
        if (text_equal(edit->rules.items[i], finding->rule)) return;
    vec_push(self->arena, &edit->rules, finding->rule);
}

static int by_place(const void *left, const void *right) {
    const Edit *a = left, *b = right;
    return a->at < b->at ? -1 : a->at > b->at;
}

static int by_bytes(const void *left, const void *right) {
    return text_compare(*(const Text *)left, *(const Text *)right);
}

/* ---- the edited file ---- */

static void write_comment(const Editor *self, const Edit *edit, Output *output) {
    output_text(output, "  # syncl: allow[");
    for (uint32_t i = 0; i < edit->rules.count; i++) {
        if (i > 0) output_text(output, ", ");
        output_bytes(output, edit->rules.items[i]);
    }
    output_text(output, "]");
    if (self->reason.length) output_text(output, " ");
    output_bytes(output, self->reason);
}

typedef struct Edited {
    Text bytes;
    uint32_t *starts; /* [edit] where its comment begins */
} Edited;

static Edited edited(const Editor *self, Text source) {
    Output output = {.arena = self->arena};
    Edited result = {.starts = arena_new(self->arena, uint32_t, self->edits.items.count + 1u)};
    uint32_t from = 0;
    for (uint32_t i = 0; i < self->edits.items.count; i++) {
        const Edit *edit = &self->edits.items.items[i];
        if (edit->refused) continue;
        output_bytes(&output, text_slice(source, from, edit->at));
        from = edit->at;
        result.starts[i] = output.bytes.count + 2;
        write_comment(self, edit, &output);
    }
    output_bytes(&output, text_slice(source, from, source.length));
    result.bytes = (Text){output.bytes.items, output.bytes.count};
    return result;
}

static bool is_comment(const FileModel *model, uint32_t at) {
    for (uint32_t i = 0; i < model->comments.count; i++) {
        Span span = model->comments.items[i].span;
        if (span.start <= at && at < span.end) return true;
    }
    return false;
}

/* Reads what was made as Python: an edit that did not become a comment is taken back. False: one was. */
static bool all_became_comments(Editor *self, Edited made) {
    Arena scratch = {0};
    FileModel model = {0};
    bool good = true;
    SyntaxParser *parser = syntax_open();
    lower_file(self->arena, &scratch, parser, made.bytes, &model);
    syntax_close(parser);
    for (uint32_t i = 0; i < self->edits.items.count; i++) {
        Edit *edit = &self->edits.items.items[i];
        if (edit->refused || is_comment(&model, made.starts[i])) continue;
        edit->refused = true;
        good = false;
    }
    arena_free(&scratch);
    return good;
}

/* Notebooks are read as something else than their bytes, and so is standard input. */
static bool is_as_read(Editor *self) {
    Text why;
    if (!file_read(self->arena, self->file->path, &self->written, &why)) return false;
    char *read = arena_copy(self->arena, self->written.bytes, self->written.length);
    text_end_lines(read, self->written.length);
    return text_equal((Text){read, self->written.length}, self->file->bytes);
}

static void count(const Editor *self, bool written, Added *added) {
    bool any = false;
    for (uint32_t i = 0; i < self->edits.items.count; i++) {
        const Edit *edit = &self->edits.items.items[i];
        bool good = written && !edit->refused;
        if (good)
            added->comments++;
        else
            added->left += edit->findings;
        any |= good;
    }
    added->files += any;
}

static bool edit_file(Editor *self, Added *added, Text *error) {
    if (!self->edits.items.count) return true;
    qsort(self->edits.items.items, self->edits.items.count, sizeof(Edit), by_place);
    for (uint32_t i = 0; i < self->edits.items.count; i++)
        qsort(self->edits.items.items[i].rules.items, self->edits.items.items[i].rules.count, sizeof(Text),
              by_bytes);
    bool readable = is_as_read(self);
    while (readable && !all_became_comments(self, edited(self, self->file->bytes))) {}
    count(self, readable, added);
    Text made = edited(self, self->written).bytes;
    if (!readable || text_equal(made, self->written)) return true;
    return output_to_file(made, path_terminated(self->arena, self->file->path), error, self->arena);
}

/* ---- all of them ---- */

static bool is_one_line(const char *reason) {
    for (; *reason; reason++)
        if ((unsigned char)*reason < 0x20 || *reason == 0x7F || *reason == '#') return false;
    return true;
}

bool add_allow(Arena *arena, const Report *report, const char *reason, Added *added, Text *error) {
    if (reason && !is_one_line(reason)) {
        *error = TEXT("--allow-reason takes one line without '#'");
        return false;
    }
    const Program *program = report->analysis->program;
    for (FileId id = 1; id < program->files.count; id++) {
        Editor editor = {.arena = arena,
                         .report = report,
                         .reason = reason ? text_of(reason) : TEXT(""),
                         .file = &program->files.items[id]};
        for (uint32_t i = 0; i < report->findings.count; i++)
            if (report->findings.items[i].id && report->findings.items[i].file == editor.file)
                want(&editor, &report->findings.items[i]);
        if (!edit_file(&editor, added, error)) return false;
    }
    return true;
}
