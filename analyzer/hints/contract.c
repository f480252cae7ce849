#include "contract.h"

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

/* ---- whose comment it is ---- */

static bool on_line(const FileModel *model, Span head, uint32_t line) {
    return model_line(model, head.start) <= line &&
           line <= model_line(model, head.end > head.start ? head.end - 1 : head.end);
}

static bool stands_alone(const SourceFile *file, uint32_t start) {
    while (start > 0 && strchr(" \t", file->bytes.bytes[start - 1])) start--;
    return start == 0 || file->bytes.bytes[start - 1] == '\n';
}

/* Only blanks and comments between. */
static bool follows(const SourceFile *file, uint32_t from, uint32_t to) {
    for (uint32_t at = from; at < to; at++) {
        if (file->bytes.bytes[at] == '#')
            while (at < to && file->bytes.bytes[at] != '\n') at++;
        else if (!strchr(" \t\r\n", file->bytes.bytes[at]))
            return false;
    }
    return true;
}

/* The def of a decorator that the comment stands above or beside. */
static uint32_t start_of(const FileModel *model, const Stmt *stmt) {
    uint32_t start = stmt->span.start;
    if (stmt->kind != STMT_FUNCTION) return start;
    const List *decorators = &model->funcs.items[stmt->func].decorators;
    if (!decorators->count) return start;
    uint32_t first = model->exprs.items[model->links.items[decorators->first]].span.start;
    return first && first - 1 < start ? first - 1 : start; /* the @ */
}

static StmtId statement_of(const SourceFile *file, Span comment) {
    const FileModel *model = file->model;
    uint32_t line = model_line(model, comment.start);
    StmtId best = 0;
    bool alone = stands_alone(file, comment.start);
    for (StmtId s = 1; s < model->stmts.count; s++) {
        const Stmt *stmt = &model->stmts.items[s];
        if (stmt->kind == STMT_NONE_ID || stmt->span.end <= stmt->span.start) continue;
        uint32_t start = start_of(model, stmt);
        bool here = alone ? start >= comment.end && follows(file, comment.end, start)
                          : on_line(model, stmt->head, line);
        if (here && (!best || start < start_of(model, &model->stmts.items[best]))) best = s;
    }
    return best;
}

/* ---- all comments ---- */

static void read_comment(Arena *arena, const Program *program, FileId id, Span comment, Contracts *contracts) {
    const SourceFile *file = &program->files.items[id];
    Text text = text_slice(file->bytes, comment.start, comment.end);
    for (uint32_t at = 0; at < text.length; at++) {
        if (text.bytes[at] != '#') continue;
        uint32_t from = skip_any(text, at, "# \t");
        if (!text_starts(text_slice(text, from, text.length), TEXT("syncl:"))) continue;
        uint32_t word = skip_any(text, from + 6, " \t");
        uint32_t end = word_end(text, word);
        ContractKind kind = kind_of(text_slice(text, word, end));
        if (kind == CONTRACT_NO) continue;
        StmtId stmt = statement_of(file, comment);
        vec_push(arena, &contracts->items,
                 ((Contract){.kind = (uint8_t)kind,
                             .file = id,
                             .stmt = stmt,
                             .span = stmt ? file->model->stmts.items[stmt].span : comment,
                             .words = {comment.start + from, comment.start + end}}));
    }
}

const Contracts *contracts_read(Arena *arena, const Program *program) {
    Contracts *contracts = arena_new(arena, Contracts, 1);
    contracts->first = arena_new(arena, ContractId, program->files.count + 1);
    vec_push(arena, &contracts->items, (Contract){0});
    for (FileId id = 1; id < program->files.count; id++) {
        const FileModel *model = program->files.items[id].model;
        contracts->first[id] = contracts->items.count;
        for (uint32_t i = 0; i < model->comments.count; i++)
            if (model->comments.items[i].span.end > 0)
                read_comment(arena, program, id, model->comments.items[i].span, contracts);
    }
    contracts->first[program->files.count] = contracts->items.count;
    return contracts;
}

ContractId contract_around(const Contracts *contracts, FileId file, uint32_t offset, ContractKind kind) {
    ContractId found = 0;
    for (ContractId id = contracts->first[file]; id < contracts->first[file + 1]; id++) {
        const Contract *contract = &contracts->items.items[id];
        bool holds = contract->kind == kind && contract->stmt && contract->span.start <= offset &&
                     offset < contract->span.end;
        if (holds && (!found || contract->span.start > contracts->items.items[found].span.start)) found = id;
    }
    return found;
}

ContractId contract_on(const Contracts *contracts, FileId file, StmtId stmt, ContractKind kind) {
    for (ContractId id = contracts->first[file]; stmt && id < contracts->first[file + 1]; id++)
        if (contracts->items.items[id].kind == kind && contracts->items.items[id].stmt == stmt) return id;
    return 0;
}
