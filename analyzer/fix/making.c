#include "making.h"
#include "meaning.h"
#include "search.h"
#include <stdlib.h>

enum { DEEPEST = 10, STEPS = 400, MADE_MOST = 6 };

typedef enum NamedKind { NAMED_VARIABLE, NAMED_ATTRIBUTE, NAMED_DEF, NAMED_CALL } NamedKind;

/* An occurrence of a name that may lead on: an assigned value, a function, a call. */
typedef struct NamedPlace {
    uint64_t name; /* hash of the name: a result is a candidate only */
    FileId file;
    uint32_t id;   /* ExprId, or FuncId of a def */
    uint32_t part; /* 1-based element of an unpacked value; 0 = the whole value */
    uint8_t kind;
} NamedPlace;

struct NameIndex {
    VEC(NamedPlace) items; /* in order */
};

typedef struct Search {
    const FixPlace *place;
    const struct NameIndex *index;
    EntryId entry;
    uint32_t steps, depth;
    MadeCalls made;
} Search;

/* ---- the index ---- */

typedef struct Indexing {
    Arena *scratch;
    struct NameIndex *index;
    FileId file;
    const FileModel *model;
} Indexing;

static void name(Indexing *self, NameId id, NamedKind kind, uint32_t what, uint32_t part) {
    NamedPlace place = {text_hash(model_name(self->model, id)), self->file, what, part, (uint8_t)kind};
    vec_push(self->scratch, &self->index->items, place);
}

static void index_target(Indexing *self, ExprId id, ExprId value, uint32_t part) {
    const Expr *expr = &self->model->exprs.items[id];
    if (expr->kind == EXPR_NAME) name(self, expr->name, NAMED_VARIABLE, value, part);
    if (expr->kind == EXPR_ATTRIBUTE) name(self, expr->name, NAMED_ATTRIBUTE, value, part);
    bool parts = !part && (expr->kind == EXPR_TUPLE || expr->kind == EXPR_LIST);
    for (uint32_t i = 0; parts && i < expr->list.count; i++)
        index_target(self, self->model->links.items[expr->list.first + i], value, i + 1);
}

static void index_file(Indexing *self) {
    const FileModel *model = self->model;
    for (StmtId id = 1; id < model->stmts.count; id++) {
        const Stmt *stmt = &model->stmts.items[id];
        for (uint32_t i = 0; stmt->kind == STMT_ASSIGN && stmt->b && i < stmt->list.count; i++)
            index_target(self, model->links.items[stmt->list.first + i], stmt->b, 0);
    }
    for (FuncId id = 2; id < model->funcs.count; id++)
        if (model->funcs.items[id].kind == FUNC_DEF) name(self, model->funcs.items[id].name, NAMED_DEF, id, 0);
    for (ExprId id = 1; id < model->exprs.count; id++) {
        const Expr *callee = &model->exprs.items[model->exprs.items[id].a];
        bool named = callee->kind == EXPR_NAME || callee->kind == EXPR_ATTRIBUTE;
        if (model->exprs.items[id].kind == EXPR_CALL && named) name(self, callee->name, NAMED_CALL, id, 0);
    }
}

static int by_name(const void *left, const void *right) {
    const NamedPlace *a = left, *b = right;
    if (a->name != b->name) return a->name < b->name ? -1 : 1;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    if (a->file != b->file) return a->file < b->file ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

static const struct NameIndex *index_of(const FixPlace *place) {
    if (*place->names) return *place->names;
    const Program *program = place->inference->program;
    struct NameIndex *index = arena_new(place->scratch, struct NameIndex, 1);
    for (FileId file = 1; file < program->files.count; file++) {
        Indexing self = {place->scratch, index, file, program->files.items[file].model};
        if (self.model) index_file(&self);
    }
    if (index->items.count) qsort(index->items.items, index->items.count, sizeof *index->items.items, by_name);
    return *place->names = index;
}

static uint32_t first_of(const Search *self, uint64_t key, NamedKind kind) {
    uint32_t low = 0, high = self->index->items.count;
    NamedPlace wanted = {.name = key, .kind = (uint8_t)kind};
    LOWER_BOUND(low, high, by_name(&self->index->items.items[middle], &wanted) < 0);
    return low;
}

static const NamedPlace *next_of(const Search *self, uint32_t at, uint64_t key, NamedKind kind) {
    const NamedPlace *place = at < self->index->items.count ? &self->index->items.items[at] : NULL;
    bool more = place && self->steps < STEPS && self->made.count < MADE_MOST;
    return more && place->name == key && place->kind == kind ? place : NULL;
}

/* ---- the search ---- */

static const FileModel *model_at(const Search *self, FileId file) {
    return self->place->inference->program->files.items[file].model;
}

static void search(Search *self, FileId file, ExprId id, uint32_t part);

static bool is_made(const Search *self, FileId file, ExprId call) {
    FixPlace there = *self->place;
    there.file_id = file;
    there.file = &there.inference->program->files.items[file];
    there.model = there.file->model;
    there.func = model_func_of(there.model, call);
    return meaning_is_entry(&there, there.model->exprs.items[call].a, self->entry);
}

static void add(Search *self, FileId file, ExprId call) {
    for (uint32_t i = 0; i < self->made.count; i++)
        if (self->made.items[i].file == file && self->made.items[i].expr == call) return;
    if (self->made.count < MADE_MOST) vec_push(self->place->scratch, &self->made, ((MadeCall){file, call}));
}

static void search_values(Search *self, uint64_t key, NamedKind kind, FileId only, uint32_t part) {
    const NamedPlace *place;
    for (uint32_t at = first_of(self, key, kind); (place = next_of(self, at, key, kind)); at++)
        if (!only || place->file == only)
            search(self, place->file, place->id, place->part ? place->part : part);
}

/* Follows the return values of the functions of that name; false: there are none. */
static bool search_returns(Search *self, uint64_t key, uint32_t part) {
    const NamedPlace *place;
    bool any = false;
    for (uint32_t at = first_of(self, key, NAMED_DEF); (place = next_of(self, at, key, NAMED_DEF)); at++) {
        const FileModel *model = model_at(self, place->file);
        const Func *func = &model->funcs.items[place->id];
        self->steps += (func->end_stmt - func->first_stmt) / 100;
        for (StmtId id = func->first_stmt; id < func->end_stmt && !func->is_generator; id++) {
            if (model->stmts.items[id].kind != STMT_RETURN || !model->stmts.items[id].a) continue;
            search(self, place->file, model->stmts.items[id].a, part);
            any = true;
        }
    }
    return any;
}

/* The argument of a call for a parameter. */
static ExprId argument(const FileModel *model, const Expr *call, uint32_t position, Text name) {
    for (uint32_t i = 0; i < call->list.count; i++) {
        ExprId id = model->links.items[call->list.first + i];
        const Expr *expr = &model->exprs.items[id];
        bool star = expr->kind == EXPR_STAR || expr->kind == EXPR_DOUBLE_STAR;
        if (expr->kind == EXPR_KEYWORD && text_equal(model_name(model, expr->name), name)) return expr->a;
        if (star || (expr->kind != EXPR_KEYWORD && i == position)) return star ? 0 : id;
    }
    return 0;
}

/* Follows a parameter to the arguments of calls. A method's first parameter is no argument; a constructor's
   calls are the class's. */
static void search_parameter(Search *self, FileId file, const Func *func, uint32_t position, uint32_t part) {
    const FileModel *model = model_at(self, file);
    Text own = model_name(model, model->params.items[func->first_param + position].name);
    bool constructs = func->class_id && text_equal(model_name(model, func->name), TEXT("__init__"));
    NameId called = constructs ? model->classes.items[func->class_id].name : func->name;
    uint64_t key = text_hash(model_name(model, called));
    const NamedPlace *place;
    for (uint32_t at = first_of(self, key, NAMED_CALL); (place = next_of(self, at, key, NAMED_CALL)); at++) {
        const FileModel *there = model_at(self, place->file);
        ExprId given = argument(there, &there->exprs.items[place->id], position - (func->class_id != 0), own);
        if (given) search(self, place->file, given, part);
    }
}

static bool search_parameters(Search *self, FileId file, ExprId id, uint32_t part) {
    const FileModel *model = model_at(self, file);
    FuncId within = model_func_of(model, id);
    const Func *func = &model->funcs.items[within];
    for (uint32_t i = func->class_id != 0; func->kind == FUNC_DEF && i < func->param_count; i++) {
        const Param *param = &model->params.items[func->first_param + i];
        if (param->name != model->exprs.items[id].name || param->star) continue;
        search_parameter(self, file, func, i, part);
        return true;
    }
    return false;
}

/* `enumerate(tqdm(loader))` iterates over loader; of the result of `prepare(model, loader)` each element is the
   argument. */
static void search_call(Search *self, FileId file, ExprId id, uint32_t part) {
    const FileModel *model = model_at(self, file);
    const Expr *call = &model->exprs.items[id], *callee = &model->exprs.items[call->a];
    bool named = callee->kind == EXPR_NAME || callee->kind == EXPR_ATTRIBUTE;
    if (!part && is_made(self, file, id)) {
        add(self, file, id);
        return;
    }
    if (named && search_returns(self, text_hash(model_name(model, callee->name)), part)) return;
    ExprId through = argument(model, call, part ? part - 1 : 0, TEXT(""));
    if (through) search(self, file, through, 0);
}

static void search_all(Search *self, FileId file, List list, uint32_t first, uint32_t by) {
    for (uint32_t i = first; i < list.count; i += by)
        search(self, file, model_at(self, file)->links.items[list.first + i], 0);
}

static void search_name(Search *self, FileId file, ExprId id, uint32_t part) {
    const FileModel *model = model_at(self, file);
    const Expr *expr = &model->exprs.items[id];
    uint64_t key = text_hash(model_name(model, expr->name));
    if (search_parameters(self, file, id, part)) return;
    search_values(self, key, NAMED_VARIABLE, model_is_imported(model, expr) ? 0 : file, part);
}

static void search(Search *self, FileId file, ExprId id, uint32_t part) {
    const FileModel *model = model_at(self, file);
    const Expr *expr = &model->exprs.items[id];
    if (self->depth >= DEEPEST || self->steps >= STEPS) return;
    self->steps++, self->depth++;
    uint64_t key = text_hash(model_name(model, expr->name));
    switch ((ExprKind)expr->kind) {
    case EXPR_CALL: search_call(self, file, id, part); break;
    case EXPR_NAME: search_name(self, file, id, part); break;
    case EXPR_ATTRIBUTE:
        search_values(self, key, NAMED_ATTRIBUTE, 0, part);
        if (!self->made.count) search_returns(self, key, part); /* a property */
        break;
    case EXPR_SUBSCRIPT: search(self, file, expr->a, 0); break;
    case EXPR_DICT: search_all(self, file, expr->list, 1, 2); break;
    case EXPR_DICT_COMP: search(self, file, expr->b, 0); break;
    case EXPR_TUPLE:
    case EXPR_LIST:
        if (part > expr->list.count) break;
        if (part)
            search(self, file, model->links.items[expr->list.first + part - 1], 0);
        else
            search_all(self, file, expr->list, 0, 1);
        break;
    case EXPR_IF: search(self, file, expr->b, part), search(self, file, expr->c, part); break;
    default: break;
    }
    self->depth--;
}

MadeCalls making_find(const FixPlace *place, ExprId expr, EntryId entry) {
    Search self = {.place = place, .index = index_of(place), .entry = entry};
    search(&self, place->file_id, expr, 0);
    return self.made;
}
