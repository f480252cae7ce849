#include "contract.h"
#include "search.h"
#include <stdlib.h>

static uint32_t skip_any(Text text, uint32_t at, const char *set) {
    while (at < text.length && text.bytes[at] && strchr(set, text.bytes[at])) at++;
    return at;
}

static uint32_t word_end(Text text, uint32_t at) {
    while (at < text.length && !strchr(" \t\r\n,[#:", text.bytes[at])) at++;
    return at;
}

static ContractKind kind_of(Text word) {
    static const struct {
        const char *word;
        ContractKind kind;
    } WORDS[] = {{"sync-free", CONTRACT_SYNC_FREE}, {"hot", CONTRACT_HOT},          {"cold", CONTRACT_COLD},
                 {"device=cpu", CONTRACT_CPU},      {"device=cuda", CONTRACT_CUDA}, {"allow", CONTRACT_NO},
                 {"skip-file", CONTRACT_NO}};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (text_is(word, WORDS[i].word)) return WORDS[i].kind;
    return CONTRACT_UNKNOWN;
}

/* ---- the statement that a comment belongs to ---- */

static bool on_line(const FileModel *model, Span head, uint32_t line) {
    return model_line(model, head.start) <= line &&
           line <= model_line(model, head.end > head.start ? head.end - 1 : head.end);
}

static bool stands_alone(const SourceFile *file, uint32_t start) {
    while (start > 0 && strchr(" \t", file->bytes.bytes[start - 1])) start--;
    return start == 0 || file->bytes.bytes[start - 1] == '\n';
}

/* Nothing but blanks and comments lies between. */
static bool follows(const SourceFile *file, uint32_t from, uint32_t to) {
    for (uint32_t at = from; at < to; at++) {
        if (file->bytes.bytes[at] == '#')
            while (at < to && file->bytes.bytes[at] != '\n') at++;
        else if (!strchr(" \t\r\n", file->bytes.bytes[at]))
            return false;
    }
    return true;
}

/* The start of a statement with its decorators: a comment above or beside one belongs to the def. */
static uint32_t start_of(const FileModel *model, const Stmt *stmt) {
    uint32_t start = stmt->span.start;
    if (stmt->kind != STMT_FUNCTION) return start;
    const List *decorators = &model->funcs.items[stmt->func].decorators;
    if (!decorators->count) return start;
    uint32_t first = model->exprs.items[model->links.items[decorators->first]].span.start;
    return first && first - 1 < start ? first - 1 : start; /* the @ before it */
}

/* A statement, by where it begins. */
typedef struct Begun {
    uint32_t start;
    StmtId stmt;
} Begun;

typedef struct Reading {
    Arena *arena;
    Contracts *contracts;
    const Program *program;
    FileId id;
    const SourceFile *file;
    VEC(Begun) begun; /* built at the first comment */
    uint32_t above;   /* start of the statement that the last comment on a line of its own belongs to */
    Arena *scratch;
} Reading;

static void find_begun(Reading *self) {
    const FileModel *model = self->file->model;
    for (StmtId s = 1; s < model->stmts.count; s++) {
        const Stmt *stmt = &model->stmts.items[s];
        if (stmt->kind == STMT_NONE_ID || stmt->span.end <= stmt->span.start) continue;
        vec_push(self->scratch, &self->begun, ((Begun){start_of(model, stmt), s}));
    }
    if (self->begun.count) qsort(self->begun.items, self->begun.count, sizeof(Begun), pair_order);
}

/* The first statement that begins at or after an offset. */
static uint32_t begun_behind(const Reading *self, uint32_t offset) {
    return FIRST_FROM(self->begun.items, self->begun.count, start, offset);
}

/* The first statement on whose head's lines the comment stands. Heads do not overlap, except those inside a
   `with`. */
static StmtId statement_beside(const Reading *self, Span comment) {
    const FileModel *model = self->file->model;
    uint32_t line = model_line(model, comment.start);
    StmtId best = 0;
    for (uint32_t i = begun_behind(self, comment.end); i > 0; i--) {
        const Stmt *stmt = &model->stmts.items[self->begun.items[i - 1].stmt];
        if (on_line(model, stmt->head, line))
            best = self->begun.items[i - 1].stmt;
        else if (stmt->kind != STMT_WITH_ITEM)
            break;
    }
    return best;
}

static StmtId statement_of(Reading *self, Span comment) {
    if (!self->begun.count) find_begun(self);
    if (!stands_alone(self->file, comment.start)) return statement_beside(self, comment);
    uint32_t at = begun_behind(self, comment.end);
    if (at == self->begun.count) return 0;
    uint32_t start = self->begun.items[at].start;
    bool seen = self->above == start; /* an earlier comment of the same block has found it */
    if (!seen && !follows(self->file, comment.end, start)) return 0;
    self->above = start;
    return self->begun.items[at].stmt;
}

/* ---- all comments ---- */

/* `shape=(64, 3), (64,)` contains characters that otherwise end a word; if malformed it is shown up to the next
   '#'. */
static ContractKind read_shapes(Reading *self, StmtId stmt, Text text, uint32_t at, uint32_t *end) {
    uint32_t behind =
        said_shapes_read(self->arena, &self->contracts->shapes, self->program, self->id, stmt, text, at);
    *end = behind ? behind : at;
    while (!behind && *end < text.length && text.bytes[*end] != '#') ++*end;
    while (!behind && *end > at && strchr(" \t\r", text.bytes[*end - 1])) --*end;
    return behind ? CONTRACT_SHAPE : CONTRACT_UNKNOWN;
}

static void read_comment(Reading *self, Span comment) {
    const SourceFile *file = self->file;
    Text text = text_slice(file->bytes, comment.start, comment.end);
    for (uint32_t at = 0; at < text.length; at++) {
        if (text.bytes[at] != '#') continue;
        uint32_t from = skip_any(text, at, "# \t");
        if (!text_starts(text_slice(text, from, text.length), TEXT("syncl:"))) continue;
        uint32_t word = skip_any(text, from + 6, " \t");
        uint32_t end = word_end(text, word);
        ContractKind kind = kind_of(text_slice(text, word, end));
        if (kind == CONTRACT_NO) continue;
        StmtId stmt = statement_of(self, comment);
        if (text_starts(text_slice(text, word, text.length), TEXT("shape=")))
            kind = read_shapes(self, stmt, text, word + 6, &end);
        vec_push(self->arena, &self->contracts->items,
                 ((Contract){.kind = (uint8_t)kind,
                             .file = self->id,
                             .stmt = stmt,
                             .span = stmt ? file->model->stmts.items[stmt].span : comment,
                             .words = {comment.start + from, comment.start + end}}));
    }
}

/* ---- indices by offset and by statement ---- */

static int by_span(const void *a, const void *b) {
    const ContractPlace *left = a, *right = b;
    if (left->key != right->key) return left->key < right->key ? -1 : 1;
    return left->id > right->id ? -1 : left->id < right->id;
}

/* Statements are nested or disjoint, so the one around an offset is the last that begins before it, or encloses
   that one. */
static void find_around(Contracts *contracts, ContractId first, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        ContractPlace *place = &contracts->by_start[first + i];
        uint32_t outer = i ? first + i - 1 : 0, start = contracts->items.items[place->id].span.start;
        while (outer && contracts->items.items[contracts->by_start[outer].id].span.end <= start)
            outer = contracts->by_start[outer].outer;
        place->outer = outer;
    }
}

static void find_places(Arena *arena, Contracts *contracts, uint32_t files) {
    contracts->by_start = arena_new(arena, ContractPlace, contracts->items.count);
    contracts->by_stmt = arena_new(arena, ContractPlace, contracts->items.count);
    for (ContractId id = 1; id < contracts->items.count; id++) {
        const Contract *contract = &contracts->items.items[id];
        contracts->by_start[id] = (ContractPlace){.key = contract->span.start, .id = id};
        contracts->by_stmt[id] = (ContractPlace){.key = contract->stmt, .id = id};
    }
    for (FileId file = 1; file < files; file++) {
        ContractId first = contracts->first[file];
        uint32_t count = contracts->first[file + 1] - first;
        if (!count) continue;
        qsort(&contracts->by_start[first], count, sizeof(ContractPlace), by_span);
        qsort(&contracts->by_stmt[first], count, sizeof(ContractPlace), pair_order);
        find_around(contracts, first, count);
    }
}

/* The first entry of a file with that key or a larger one. */
static uint32_t place_behind(const Contracts *contracts, FileId file, const ContractPlace *places,
                             uint32_t key) {
    uint32_t first = contracts->first[file], count = contracts->first[file + 1] - first;
    return first + FIRST_FROM(&places[first], count, key, key);
}

const Contracts *contracts_read(Arena *arena, const Program *program) {
    Arena scratch = {0};
    Contracts *contracts = arena_new(arena, Contracts, 1);
    contracts->first = arena_new(arena, ContractId, program->files.count + 1);
    vec_push(arena, &contracts->items, (Contract){0});
    for (FileId id = 1; id < program->files.count; id++) {
        Reading reading = {.arena = arena,
                           .contracts = contracts,
                           .program = program,
                           .id = id,
                           .file = &program->files.items[id],
                           .scratch = &scratch};
        const FileModel *model = program->files.items[id].model;
        contracts->first[id] = contracts->items.count;
        for (uint32_t i = 0; i < model->comments.count; i++)
            if (model->comments.items[i].span.end > 0) read_comment(&reading, model->comments.items[i].span);
        arena_reset(&scratch);
    }
    contracts->first[program->files.count] = contracts->items.count;
    said_shapes_sort(&contracts->shapes);
    find_places(arena, contracts, program->files.count);
    arena_free(&scratch);
    return contracts;
}

/* Of entries with the same start, that of the first comment comes last. */
ContractId contract_around(const Contracts *contracts, FileId file, uint32_t offset, ContractKind kind) {
    uint32_t at = place_behind(contracts, file, contracts->by_start, offset + 1);
    for (at = at > contracts->first[file] ? at - 1 : 0; at; at = contracts->by_start[at].outer) {
        const Contract *contract = &contracts->items.items[contracts->by_start[at].id];
        if (contract->kind == kind && contract->stmt && offset < contract->span.end)
            return contracts->by_start[at].id;
    }
    return 0;
}

ContractId contract_on(const Contracts *contracts, FileId file, StmtId stmt, ContractKind kind) {
    const ContractPlace *places = contracts->by_stmt;
    if (!stmt || contracts->first[file] == contracts->first[file + 1]) return 0;
    for (uint32_t at = place_behind(contracts, file, places, stmt);
         at < contracts->first[file + 1] && places[at].key == stmt; at++)
        if (contracts->items.items[places[at].id].kind == kind) return places[at].id;
    return 0;
}
