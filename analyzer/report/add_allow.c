#include "add_allow.h"
#include "edit.h"
#include "path.h"
#include <stdlib.h>

/* A comment to be added at the end of a line, for the rules of all findings whose statements end there. */
typedef struct Wish {
    uint32_t at; /* byte offset after the line's last word */
    uint32_t findings;
    VEC(Text) rules;
} Wish;

typedef struct Editor {
    Arena *arena;
    const Report *report;
    Text reason;
    VEC(Wish) wishes; /* of one file, in order */
    SourceEdit edit;  /* has one change for each wish */
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

static Wish *wish_at(Editor *self, uint32_t at) {
    for (uint32_t i = 0; i < self->wishes.count; i++)
        if (self->wishes.items[i].at == at) return &self->wishes.items[i];
    vec_push(self->arena, &self->wishes, (Wish){.at = at});
    return &self->wishes.items[self->wishes.count - 1];
}

static void want(Editor *self, const Finding *finding) {
    Wish *wish = wish_at(self, line_end(self->edit.file->bytes, statement_end(finding->site)));
    wish->findings++;
    for (uint32_t i = 0; i < wish->rules.count; i++)
        if (text_equal(wish->rules.items[i], finding->rule)) return;
    vec_push(self->arena, &wish->rules, finding->rule);
}

static int by_place(const void *left, const void *right) {
    const Wish *a = left, *b = right;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* ---- one file ---- */

static Text comment_of(const Editor *self, const Wish *wish) {
    Output output = {.arena = self->arena};
    output_text(&output, "  # syncl: allow[");
    for (uint32_t i = 0; i < wish->rules.count; i++) {
        if (i > 0) output_text(&output, ", ");
        output_bytes(&output, wish->rules.items[i]);
    }
    output_text(&output, "]");
    if (self->reason.length) output_text(&output, " ");
    output_bytes(&output, self->reason);
    return (Text){output.bytes.items, output.bytes.count};
}

static void plan(Editor *self) {
    for (uint32_t i = 0; i < self->report->findings.count; i++) {
        const Finding *finding = &self->report->findings.items[i];
        if (finding->id && finding->file == self->edit.file) want(self, finding);
    }
    if (self->wishes.count > 1) qsort(self->wishes.items, self->wishes.count, sizeof(Wish), by_place);
    for (uint32_t i = 0; i < self->wishes.count; i++) {
        Wish *wish = &self->wishes.items[i];
        qsort(wish->rules.items, wish->rules.count, sizeof(Text), text_order);
        vec_push(self->arena, &self->edit.changes,
                 ((Change){wish->at, wish->at, comment_of(self, wish), false}));
    }
}

static void count(const Editor *self, Added *added) {
    bool any = false;
    for (uint32_t i = 0; i < self->wishes.count; i++) {
        bool good = !self->edit.changes.items[i].refused;
        if (good)
            added->comments++;
        else
            added->left += self->wishes.items[i].findings;
        any |= good;
    }
    added->files += any;
}

/* ---- all files ---- */

/* The folder that no link may lead out of: the repository, else the working folder; for a file elsewhere, which
   must have been named by its path, its own folder. */
static Text root_of(Arena *arena, const Report *report, const SourceFile *file) {
    const Repository *repository = &report->options->repository;
    Text absolute = path_absolute(arena, repository->current, file->path);
    return path_is_below(absolute, repository->root) ? repository->root : path_folder(absolute);
}

static bool is_one_line(const char *reason) {
    for (; *reason; reason++)
        if ((unsigned char)*reason < 0x20 || *reason == 0x7F || *reason == '#') return false;
    return true;
}

typedef struct Planned {
    VEC(Editor) items;
} Planned;

static void plan_all(Arena *arena, const Report *report, Text reason, Planned *planned, Added *added) {
    const Program *program = report->analysis->program;
    for (FileId id = 1; id < program->files.count; id++) {
        Editor editor = {
            .arena = arena, .report = report, .reason = reason, .edit = {.file = &program->files.items[id]}};
        plan(&editor);
        if (!editor.wishes.count) continue;
        bool good = edit_comments(arena, &editor.edit);
        count(&editor, added);
        if (good) vec_push(arena, &planned->items, editor);
    }
}

/* If one file may not be written, none is. */
bool add_allow(Arena *arena, const Report *report, const char *reason, Added *added, Text *error) {
    Planned planned = {0};
    if (reason && !is_one_line(reason)) {
        *error = TEXT("--allow-reason takes one line without '#'");
        return false;
    }
    plan_all(arena, report, reason ? text_of(reason) : TEXT(""), &planned, added);
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < planned.items.count; i++) {
            const SourceEdit *edit = &planned.items.items[i].edit;
            Text root = root_of(arena, report, edit->file);
            if (!(round ? edit_write : edit_may_write)(arena, edit, root, error)) return false;
        }
    return true;
}
