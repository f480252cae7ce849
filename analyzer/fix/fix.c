#include "fix.h"
#include "rewriting.h"
#include "row.h"
#include "pattern_sequence.h"
#include <stdlib.h>

typedef struct Fixing {
    Arena *arena, scratch;
    const Inference *inference;
    const Pattern **patterns; /* [remedy]; NULL = not parsed yet */
    SyntaxParser *parser;     /* NULL = no pattern was parsed yet */
    FileIndex *indices;       /* [FileId] */
    const struct NameIndex *names;
} Fixing;

static const Pattern *pattern_of(Fixing *self, uint32_t remedy) {
    const Rulebook *book = self->inference->book;
    if (self->patterns[remedy]) return self->patterns[remedy];
    if (!self->parser) self->parser = syntax_open();
    return self->patterns[remedy] = pattern_read(&self->scratch, self->parser, book, &book->remedies[remedy]);
}

static const FileIndex *index_of(Fixing *self, FileId file) {
    FileIndex *index = &self->indices[file];
    if (!index->parents)
        *index = pattern_index(&self->scratch, self->inference->program->files.items[file].model);
    return index;
}

/* ---- one site ---- */

static bool place_of(Fixing *self, const Site *site, FixPlace *place) {
    const Inference *inference = self->inference;
    const SourceFile *file = &inference->program->files.items[site->file];
    FuncId func = model_func_of(file->model, site->expr);
    *place = (FixPlace){.inference = inference,
                        .book = inference->book,
                        .arena = self->arena,
                        .scratch = &self->scratch,
                        .file_id = site->file,
                        .file = file,
                        .model = file->model,
                        .index = index_of(self, site->file),
                        .names = &self->names,
                        .graph = inference->graphs[global_func(inference, site->file, func)],
                        .func = func};
    if (!place->graph) return false;
    ExprId root = site->expr;
    while (place->index->parents[root]) root = place->index->parents[root];
    StmtId stmt = place->index->holds[root];
    BlockId block = stmt ? graph_block(place->graph, stmt) : 0;
    if (block) place->loop = place->graph->blocks[block].loop;
    return stmt != 0;
}

static bool is_sure(const PatternMatch *match) {
    const Remedy *remedy = match->pattern->remedy;
    for (uint32_t i = 0; i < remedy->param_count; i++)
        for (uint32_t k = 0; k < match->bound[i].count; k++)
            if (meaning_is_likely(match->place, remedy, i, match->bound[i].items[k])) return false;
    return true;
}

static const Fix *written(Fixing *self, const PatternMatch *match) {
    const Rulebook *book = self->inference->book;
    const Remedy *remedy = match->pattern->remedy;
    Rewriting rewriting = {0};
    if (match->expr && !meaning_use(match->place, remedy, match->expr)) return NULL;
    PatternMatch whole = *match;
    if (!meaning_fits_whole(match)) return NULL;
    if (!meaning_bind_elsewhere(match->place, &whole) || !rewriting_make(&whole, &rewriting)) return NULL;
    Fix *fix = arena_new(self->arena, Fix, 1);
    *fix = (Fix){.remedy = rulebook_text(book, remedy->name),
                 .title = rulebook_text(book, remedy->title),
                 .doubt = rulebook_text(book, remedy->doubt),
                 .edits = rewriting.edits.items,
                 .edit_count = rewriting.edits.count,
                 .joined = match->last || rewriting.with.count,
                 .sure = remedy->sure,
                 .with = rewriting.with.items,
                 .with_count = rewriting.with.count};
    if (!fix->doubt.length && remedy->unproven)
        fix->doubt = TEXT("no GPU has shown yet that it changes nothing else");
    if (!fix->doubt.length && !is_sure(match)) fix->doubt = TEXT("what it rests on is likely, not certain");
    return fix;
}

static bool lists(const FileModel *model, List list, ExprId id) {
    for (uint32_t i = 0; i < list.count; i++)
        if (model->links.items[list.first + i] == id) return true;
    return false;
}

/* It is only bound or written to, not read. */
static bool is_target(const FixPlace *place, ExprId id) {
    const FileModel *model = place->model;
    for (ExprId up = place->index->parents[id]; up; id = up, up = place->index->parents[id]) {
        uint8_t kind = model->exprs.items[up].kind;
        if (kind != EXPR_TUPLE && kind != EXPR_LIST && kind != EXPR_STAR) return kind == EXPR_COMP_FOR;
    }
    const Stmt *stmt = &model->stmts.items[place->index->holds[id]];
    switch ((StmtKind)stmt->kind) {
    case STMT_ASSIGN:
    case STMT_DELETE: return lists(model, stmt->list, id);
    case STMT_AUGMENT:
    case STMT_FOR: return stmt->a == id;
    case STMT_WITH_ITEM: return stmt->b == id;
    default: return false;
    }
}

/* Tries the pattern on the waiting expression, then on those around it. */
static const Fix *fix_expression(Fixing *self, PatternMatch *match, ExprId pattern, ExprId expr) {
    PatternMatch none = *match;
    for (ExprId id = expr; id; id = match->place->index->parents[id], *match = none) {
        match->expr = id;
        if (is_target(match->place, id) || !pattern_fits_expr(match, pattern, id)) continue;
        const Fix *fix = written(self, match);
        if (fix) return fix;
    }
    return NULL;
}

static bool wants_row(const PatternMatch *match) {
    const Term *use = &match->place->book->terms[match->pattern->remedy->use];
    return match->pattern->remedy->use && use->kind == TERM_WORD && use->word == COND_row;
}

/* Tries the pattern on the statement of the wait, then on those around it. */
static const Fix *fix_statement(Fixing *self, PatternMatch *match, StmtId pattern, ExprId expr) {
    PatternMatch none = *match;
    const FileIndex *index = match->place->index;
    while (index->parents[expr]) expr = index->parents[expr];
    for (StmtId id = index->holds[expr]; id; id = index->around[id], *match = none) {
        match->stmt = id;
        if (!pattern_fits_stmt(match, pattern, id)) continue;
        if (wants_row(match) && !row_take(match, pattern)) continue;
        const Fix *fix = written(self, match);
        if (fix) return fix;
    }
    return NULL;
}

/* Tries a pattern of several statements, one of which contains the wait, perhaps nested. */
static const Fix *fix_sequence(Fixing *self, PatternMatch *match, ExprId expr) {
    const FileIndex *index = match->place->index;
    while (index->parents[expr]) expr = index->parents[expr];
    return sequence_fits(match, index->holds[expr]) ? written(self, match) : NULL;
}

static const Fix *fix_by(Fixing *self, const FixPlace *place, const Pattern *pattern, ExprId expr) {
    PatternMatch match = {.place = place, .pattern = pattern};
    StmtId first = pattern->model->links.items[pattern->before.first];
    const Stmt *stmt = &pattern->model->stmts.items[first];
    if (sequence_is(pattern)) return fix_sequence(self, &match, expr);
    return stmt->kind == STMT_EXPR ? fix_expression(self, &match, stmt->a, expr)
                                   : fix_statement(self, &match, first, expr);
}

static const Fix *fix_of(Fixing *self, const Site *site) {
    const Rulebook *book = self->inference->book;
    FixPlace place;
    bool placed = false;
    for (uint32_t i = 1; i < book->remedy_count; i++) {
        if (book->remedies[i].hazard != site->hazard || !site->expr) continue;
        if (!placed && !place_of(self, site, &place)) return NULL;
        placed = true;
        const Fix *fix = fix_by(self, &place, pattern_of(self, i), site->expr);
        if (fix) return fix;
    }
    return NULL;
}

const Findings *fix_findings(Arena *arena, const Inference *inference, const Findings *found) {
    Fixing self = {.arena = arena, .inference = inference};
    self.patterns = arena_new(&self.scratch, const Pattern *, inference->book->remedy_count + 1u);
    self.indices = arena_new(&self.scratch, FileIndex, inference->program->files.count + 1u);
    Findings *fixed = arena_copy(arena, found, sizeof *found);
    fixed->sites.items = arena_copy(arena, found->sites.items, sizeof *found->sites.items * found->sites.count);
    fixed->sites.capacity = found->sites.count;
    for (SiteId id = 1; id < fixed->sites.count; id++) {
        const Fix *fix = fix_of(&self, &fixed->sites.items[id]);
        fixed->sites.items[id].fix = fix;
    }
    if (self.parser) syntax_close(self.parser);
    arena_free(&self.scratch);
    return fixed;
}
