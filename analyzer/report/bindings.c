#include "bindings.h"
#include "search.h"
#include <stdlib.h>

static int compare(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

static int by_name(const void *left, const void *right) {
    const NameAt *a = left, *b = right;
    int order = text_compare(a->name, b->name);
    if (!order) order = compare(a->func, b->func);
    return order ? order : compare(a->start, b->start);
}

static int by_place(const void *left, const void *right) {
    const FuncAround *a = left, *b = right;
    int order = compare(a->span.start, b->span.start);
    return order ? order : compare(b->span.end, a->span.end);
}

static int by_start(const void *left, const void *right) {
    const LoopAt *a = left, *b = right;
    return compare(a->start, b->start);
}

static void find_functions(Arena *arena, const SourceFile *file, Bindings *found) {
    for (FuncId id = 1; id < file->model->funcs.count; id++)
        vec_push(arena, &found->funcs, ((FuncAround){file->model->funcs.items[id].span, id, 0}));
    FuncAround *funcs = found->funcs.items;
    if (found->funcs.count > 2) qsort(funcs + 1, found->funcs.count - 1, sizeof *funcs, by_place);
    for (uint32_t i = 1; i < found->funcs.count; i++) {
        uint32_t outer = i - 1;
        while (outer && funcs[outer].span.end <= funcs[i].span.start) outer = funcs[outer].outer;
        funcs[i].outer = outer;
    }
}

FuncId bindings_function(const Bindings *bindings, uint32_t offset) {
    const FuncAround *funcs = bindings->funcs.items;
    uint32_t at = LAST_BELOW(funcs, bindings->funcs.count, span.start, offset + 1);
    while (at && funcs[at].span.end <= offset) at = funcs[at].outer;
    return funcs[at].func;
}

static void bind(Arena *arena, const SourceFile *file, StmtId stmt, ExprId target, Bindings *found) {
    const Expr *expr = &file->model->exprs.items[target];
    if (expr->kind != EXPR_NAME && expr->kind != EXPR_ATTRIBUTE) return;
    uint32_t start = file->model->stmts.items[stmt].span.start;
    Text name = text_slice(file->bytes, expr->span.start, expr->span.end);
    vec_push(arena, &found->names, ((NameAt){name, bindings_function(found, start), start, stmt}));
}

static void find_names(Arena *arena, const SourceFile *file, Bindings *found) {
    for (StmtId id = 1; id < file->model->stmts.count; id++) {
        const Stmt *stmt = &file->model->stmts.items[id];
        if (stmt->kind == STMT_FOR) bind(arena, file, id, stmt->a, found);
        for (uint32_t i = 0; stmt->kind == STMT_ASSIGN && stmt->b && i < stmt->list.count; i++)
            bind(arena, file, id, file->model->links.items[stmt->list.first + i], found);
    }
    if (found->names.count > 1)
        qsort(found->names.items, found->names.count, sizeof *found->names.items, by_name);
}

static void find_loops(Arena *arena, const FileModel *model, Bindings *found) {
    for (LoopId id = 1; id < model->loops.count; id++) {
        StmtId stmt = model->loops.items[id].stmt;
        if (stmt) vec_push(arena, &found->loops, ((LoopAt){model->stmts.items[stmt].head.start, stmt}));
    }
    if (found->loops.count > 1)
        qsort(found->loops.items, found->loops.count, sizeof *found->loops.items, by_start);
}

Bindings *bindings_find(Arena *arena, const SourceFile *file) {
    Bindings *found = arena_new(arena, Bindings, 1);
    find_functions(arena, file, found);
    find_names(arena, file, found);
    find_loops(arena, file->model, found);
    return found;
}

StmtId bindings_loop(const Bindings *bindings, uint32_t start) {
    uint32_t at = FIRST_FROM(bindings->loops.items, bindings->loops.count, start, start);
    bool found = at < bindings->loops.count && bindings->loops.items[at].start == start;
    return found ? bindings->loops.items[at].stmt : 0;
}

/* Index of the first that is not before that place in the order. */
static uint32_t first_of(const Bindings *bindings, Text name, FuncId func, uint32_t start) {
    NameAt wanted = {.name = name, .func = func, .start = start};
    uint32_t low = 0, high = bindings->names.count;
    LOWER_BOUND(low, high, by_name(&bindings->names.items[middle], &wanted) < 0);
    return low;
}

/* A local in its function, or a variable of the module; an attribute where a single function assigns it, by the
   last assignment there: of `self.loader = a` and `self.loader = wrapped(a)` in `__init__`, the second. */
StmtId bindings_maker(const Bindings *bindings, Text name, uint32_t before) {
    const NameAt *names = bindings->names.items;
    FuncId here = bindings_function(bindings, before);
    uint32_t local = first_of(bindings, name, here, 0), behind = first_of(bindings, name, here + 1, 0);
    uint32_t used = first_of(bindings, name, here, before);
    if (used > local) return names[used - 1].stmt;
    bool attribute = name.length && memchr(name.bytes, '.', name.length);
    uint32_t low = first_of(bindings, name, attribute ? 0 : 1, 0);
    uint32_t high = first_of(bindings, name, attribute ? UINT32_MAX : 2, 0);
    uint32_t first = low < local ? low : behind, end = behind < high ? high : local < high ? local : high;
    bool one = first < end && names[first].func == names[end - 1].func;
    return one ? names[end - 1].stmt : 0;
}
