#include "said_shape.h"
#include "python_names.h"
#include <stdlib.h>

/* The bindings of a statement, the first of which get a shape each. */
typedef struct Naming {
    Arena *arena;
    SaidShapes *shapes;
    FileId file;
    const FileModel *model;
    const GivenShape *given;
    uint32_t left;
} Naming;

static void bind(Naming *self, BoundKind kind, uint32_t id) {
    if (!self->left) return;
    self->left--;
    vec_push(self->arena, self->shapes, ((SaidShape){self->file, kind, id, *self->given++}));
}

static void bind_target(Naming *self, ExprId id) {
    const Expr *target = &self->model->exprs.items[id];
    if (target->kind == EXPR_NAME || target->kind == EXPR_ATTRIBUTE) bind(self, BOUND_EXPR, id);
    if (target->kind != EXPR_TUPLE && target->kind != EXPR_LIST) return;
    for (uint32_t i = 0; i < target->list.count && self->left; i++)
        bind_target(self, self->model->links.items[target->list.first + i]);
}

static void bind_parameters(Naming *self, const Func *func) {
    uint32_t first =
        func->class_id && !model_is_decorated(self->model, func, python_text(PY_staticmethod)) ? 1 : 0;
    for (uint32_t i = first; i < func->param_count; i++)
        if (!self->model->params.items[func->first_param + i].star)
            bind(self, BOUND_PARAM, func->first_param + i);
}

static void bind_statement(Naming *self, const Stmt *stmt) {
    const FileModel *model = self->model;
    switch ((StmtKind)stmt->kind) {
    case STMT_FOR: bind_target(self, stmt->a); break;
    case STMT_WITH_ITEM: bind_target(self, stmt->b); break;
    case STMT_FUNCTION: bind_parameters(self, &model->funcs.items[stmt->func]); break;
    case STMT_ASSIGN:
        for (uint32_t i = 0; i < stmt->list.count; i++)
            bind_target(self, model->links.items[stmt->list.first + i]);
        break;
    case STMT_WITH:
        for (uint32_t i = 0; i < stmt->list.count; i++)
            bind_statement(self, &model->stmts.items[model->links.items[stmt->list.first + i]]);
        break;
    default: break;
    }
}

enum { SHAPES_MOST = 16 };

static uint32_t skip_to_next(Text text, uint32_t at) {
    while (at < text.length && strchr(", \t", text.bytes[at])) at++;
    return at;
}

uint32_t said_shapes_read(Arena *arena, SaidShapes *shapes, const Program *program, FileId file, StmtId stmt,
                          Text text, uint32_t at) {
    GivenShape given[SHAPES_MOST];
    uint32_t count = 0, end = 0;
    while (count < SHAPES_MOST && at < text.length && strchr("([", text.bytes[at])) {
        if (!given_shape_in_brackets(text, &at, &given[count++])) return 0;
        end = at;
        at = skip_to_next(text, at);
    }
    const FileModel *model = program->files.items[file].model;
    Naming binding = {arena, shapes, file, model, given, count};
    uint32_t before = shapes->count;
    bind_statement(&binding, &model->stmts.items[stmt]);
    if (!binding.left) return end;
    shapes->count = before;
    return 0;
}

static int compare(const SaidShape *a, FileId file, BoundKind kind, uint32_t id) {
    if (a->file != file) return a->file < file ? -1 : 1;
    if (a->kind != kind) return a->kind < kind ? -1 : 1;
    return (a->id > id) - (a->id < id);
}

static int by_place(const void *a, const void *b) {
    const SaidShape *right = b;
    return compare(a, right->file, right->kind, right->id);
}

void said_shapes_sort(SaidShapes *shapes) {
    if (shapes->count) qsort(shapes->items, shapes->count, sizeof *shapes->items, by_place);
}

const GivenShape *said_shape(const SaidShapes *shapes, FileId file, BoundKind kind, uint32_t id) {
    uint32_t low = 0, high = shapes->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = compare(&shapes->items[middle], file, kind, id);
        if (!order) return &shapes->items[middle].shape;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}
