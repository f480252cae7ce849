/* Functions that raise whenever they run: they read a name that nothing binds, or call with a keyword that what they call
   does not take. What they do was never done twice. */
#include "hints.h"
#include "conventions.h"
#include "python_names.h"

/* Calls with keywords that functions make whenever they run, one function's behind another's. */
typedef struct SureCalls {
    VEC(ExprId) items;
} SureCalls;

typedef struct Raises {
    const Inference *inference;
    const SourceFile *file;
    const FileModel *model;
    const Func *func;
    const FlowGraph *graph;
    ContextId context; /* of func: who is called */
    bool opaque;       /* names may come into the module in ways that it does not spell out */
    Arena *arena;      /* of calls */
    SureCalls *calls;
} Raises;

/* Of a function that was looked at in another context. */
typedef struct Seen {
    bool all;
    uint32_t first, end; /* its calls */
} Seen;

bool takes_names(const FileModel *model) {
    static const PythonName WAYS[] = {PY___getattr__, PY_globals, PY_locals,  PY_vars,
                                      PY_setattr,     PY_exec,    PY_modules, PY___dict__};
    for (uint32_t i = 1; i < model->imports.count; i++)
        if (!model->imports.items[i].target) return true; /* from x import * */
    for (NameId name = 1; name < model->names.count; name++)
        if (python_any(WAYS, sizeof WAYS / sizeof *WAYS, model->names.items[name])) return true;
    return model->error_count || model->given_up;
}

/* Names of Python that no page speaks of, those of Python 2 and those that consoles add. */
static bool is_python_name(const Inference *inference, Text name) {
    if (child_of(inference, inference->known->builtins, name)) return true; /* nearly all of them */
    return text_starts(name, TEXT("_")) || name_is(inference->book, NAMED_interpreter_name, name);
}

static bool is_unbound(const Raises *self, const Expr *expr) {
    if (self->opaque || expr->binding != BIND_GLOBAL || expr->slot) return false;
    if (is_python_name(self->inference, model_name(self->model, expr->name))) return false;
    for (uint32_t l = 1; l < self->model->locals.count; l++) /* `global name` in another function */
        if (self->model->locals.items[l].is_global && self->model->locals.items[l].name == expr->name)
            return false;
    return true;
}

/* `net: torch.nn.Module` in a file that imports no torch: the name that an attribute's text begins with. */
bool begins_unbound(const Inference *inference, const SourceFile *file, ExprId id) {
    const Expr *expr = &file->model->exprs.items[id];
    if (!id || expr->kind != EXPR_ATTRIBUTE) return false;
    while (expr->kind == EXPR_ATTRIBUTE) expr = &file->model->exprs.items[expr->a];
    Raises self = {.inference = inference, .file = file, .model = file->model};
    return expr->kind == EXPR_NAME && is_unbound(&self, expr);
}

/* The function that a call by a module's own name leads to, where it is one alone and nothing stands between. */
static const Func *called_by_name(const Raises *self, ExprId id, const FileModel **model) {
    const Context *context = self->inference->contexts.items[self->context];
    const Expr *callee = &self->model->exprs.items[self->model->exprs.items[id].a];
    const Value *value = infer_fact(context, self->model, self->model->exprs.items[id].a);
    bool named = callee->kind == EXPR_NAME && callee->binding == BIND_GLOBAL && value && value->count == 1;
    if (!named || (value->alts[0].kind != KIND_CLASS && value->alts[0].kind != KIND_FUNCTION)) return NULL;
    const Context *found = NULL;
    for (uint32_t e = 0; e < context->edges.count; e++) {
        const CallEdge *edge = &context->edges.items[e];
        const Context *next = self->inference->contexts.items[edge->callee];
        if (edge->expr != id) continue;
        if (edge->guessed || edge->rate != RATE_CALL ||
            (found && (found->file != next->file || found->func != next->func)))
            return NULL;
        found = next;
    }
    if (!found) return NULL;
    *model = self->inference->program->files.items[found->file].model;
    const Func *func = &(*model)->funcs.items[found->func];
    const Class *class_ = &(*model)->classes.items[func->class_id];
    bool init = func->name && text_is(model_name(*model, func->name), "__init__");
    bool plain = value->alts[0].kind == KIND_CLASS ? init && !class_->decorators.count : !func->class_id;
    return plain && func->kind == FUNC_DEF && !func->decorators.count ? func : NULL;
}

static bool takes_keyword(const FileModel *model, const Func *func, Text name) {
    for (uint32_t i = 0; i < func->param_count; i++) {
        const Param *param = &model->params.items[func->first_param + i];
        if (param->star == 2 || text_equal(model_name(model, param->name), name)) return true;
    }
    return false;
}

static bool has_keyword(const Raises *self, const Expr *call) {
    const uint32_t *args = &self->model->links.items[call->list.first];
    for (uint32_t i = 0; i < call->list.count; i++)
        if (self->model->exprs.items[args[i]].kind == EXPR_KEYWORD) return true;
    return false;
}

static bool is_misfit(const Raises *self, ExprId id) {
    const Expr *call = &self->model->exprs.items[id];
    const FileModel *model = NULL;
    const Func *func = NULL;
    for (uint32_t i = 0; i < call->list.count; i++) {
        const Expr *arg = &self->model->exprs.items[self->model->links.items[call->list.first + i]];
        if (arg->kind != EXPR_KEYWORD) continue;
        if (!func && !(func = called_by_name(self, id, &model))) return false;
        if (!takes_keyword(model, func, model_name(self->model, arg->name))) return true;
    }
    return false;
}

/* What is evaluated whenever the whole is: of `a and b` a. */
static bool expr_raises(const Raises *self, ExprId id) {
    if (!id) return false;
    const Expr *expr = &self->model->exprs.items[id];
    const uint32_t *links = self->model->links.items;
    uint32_t sure = expr->list.count;
    switch ((ExprKind)expr->kind) {
    case EXPR_NAME: return is_unbound(self, expr);
    case EXPR_AND:
    case EXPR_OR: sure = sure > 1 ? 1 : sure; break;
    case EXPR_COMPARE: sure = sure > 2 ? 2 : sure; break;
    case EXPR_IF: return expr_raises(self, expr->a);
    case EXPR_LAMBDA:
    case EXPR_LIST_COMP:
    case EXPR_SET_COMP:
    case EXPR_DICT_COMP:
    case EXPR_GENERATOR: return false;
    case EXPR_NAMED: return expr_raises(self, expr->b);
    default: break;
    }
    for (uint32_t i = 0; i < sure; i++)
        if (expr_raises(self, links[expr->list.first + i])) return true;
    if (expr_raises(self, expr->a) || (expr->kind != EXPR_INTERPOLATION && expr_raises(self, expr->b)))
        return true;
    if (expr->kind != EXPR_CALL || !has_keyword(self, expr)) return false;
    vec_push(self->arena, &self->calls->items, id);
    return is_misfit(self, id);
}

static bool stmt_raises(const Raises *self, const Stmt *stmt) {
    const uint32_t *links = self->model->links.items;
    switch ((StmtKind)stmt->kind) {
    case STMT_EXPR:
    case STMT_RETURN:
    case STMT_IF:
    case STMT_WHILE: return expr_raises(self, stmt->a);
    case STMT_FOR:
    case STMT_AUGMENT: return expr_raises(self, stmt->b);
    case STMT_ASSIGN: return expr_raises(self, stmt->b);
    case STMT_WITH:
        for (uint32_t i = 0; i < stmt->list.count; i++)
            if (expr_raises(self, self->model->stmts.items[links[stmt->list.first + i]].a)) return true;
        return false;
    default: return false;
    }
}

/* Of the statements that run whenever it does. */
static bool func_raises(const Raises *self) {
    List body = self->func->body;
    for (uint32_t i = 0; i < body.count; i++) {
        StmtId id = self->model->links.items[body.first + i];
        if (!graph_postdominates(self->graph, graph_block(self->graph, id), GRAPH_ENTRY)) return false;
        if (stmt_raises(self, &self->model->stmts.items[id])) return true;
    }
    return false;
}

/* Its names are bound in each of its contexts if in one: there only what it calls is looked at again. */
static bool context_raises(const Raises *self, Seen *seen) {
    for (uint32_t i = seen->first; i < seen->end; i++)
        if (is_misfit(self, self->calls->items.items[i])) return true;
    if (seen->all) return false;
    seen->all = true;
    seen->first = self->calls->items.count;
    bool raises = func_raises(self);
    seen->end = self->calls->items.count;
    return raises;
}

/* Of a class that cannot be made, no method runs. */
static void spread(const Raises *self, bool *raising) {
    const Func *func = self->func;
    bool init = func->class_id && text_is(model_name(self->model, func->name), "__init__");
    const Class *class_ = &self->model->classes.items[func->class_id];
    for (uint32_t m = 0; init && m < class_->methods.count; m++)
        raising[self->file->func_base + self->model->links.items[class_->methods.first + m]] = true;
}

const bool *find_raising(const Inference *inference) {
    const Program *program = inference->program;
    bool *raising = arena_new(inference->arena, bool, program->func_count + 1);
    if (program->incomplete || inference->bound_outside || !inference->known->builtins) return raising;
    Arena scratch = {0};
    uint8_t *opaque = arena_new(&scratch, uint8_t, program->files.count); /* 1 = no, 2 = yes */
    Seen *seen = arena_new(&scratch, Seen, program->func_count + 1);
    SureCalls calls = {0};
    for (ContextId id = 1; id < inference->contexts.count; id++) {
        const Context *context = inference->contexts.items[id];
        const SourceFile *file = &program->files.items[context->file];
        const Func *func = &file->model->funcs.items[context->func];
        GlobalFunc global = file->func_base + context->func;
        bool *raises = &raising[global];
        if (*raises || func->kind != FUNC_DEF || !file->whole || file->notebook) continue;
        uint8_t *mixed = &opaque[context->file];
        if (!*mixed) *mixed = takes_names(file->model) ? 2 : 1;
        Raises self = {.inference = inference,
                       .file = file,
                       .model = file->model,
                       .func = func,
                       .graph = inference->graphs[global],
                       .context = id,
                       .opaque = *mixed == 2,
                       .arena = &scratch,
                       .calls = &calls};
        *raises = context_raises(&self, &seen[global]);
        if (*raises) spread(&self, raising);
    }
    arena_free(&scratch);
    return raising;
}
