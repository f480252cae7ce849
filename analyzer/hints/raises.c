/* Steps that raise whenever they run. They read an unbound name, an attribute that no known class gives, or a
   variable that is unassigned on every path; they call with an unknown keyword; or they call a function that
   always raises. So whatever runs in the same iteration has never run twice, and what follows has never run. */
#include "entries.h"
#include "hints.h"
#include "conventions.h"
#include "python_names.h"

enum { ROUNDS_MOST = 16 }; /* length of call chains that are followed */

/* A call that a step certainly makes. */
typedef struct SureCall {
    ExprId expr;
    BlockId block;
} SureCall;

/* The calls of all functions, grouped by function. */
typedef struct SureCalls {
    VEC(SureCall) items;
} SureCalls;

/* A function that was examined, with its calls. */
typedef struct Seen {
    bool all;
    uint32_t first, end;
} Seen;

typedef struct Raises {
    Inference *inference;
    Raising *raising; /* [GlobalFunc] */
    const SourceFile *file;
    const FileModel *model;
    const Func *func;
    const FlowGraph *graph;
    ContextId context; /* a context of func, which shows the callees */
    BlockId block;     /* block of the current step */
    bool opaque;       /* names may enter the module other than by its own bindings */
    bool *given;       /* [Sym]: see is_given */
    Arena *arena;      /* for the calls */
    SureCalls *calls;
} Raises;

bool takes_names(const FileModel *model) {
    static const PythonName WAYS[] = {PY___getattr__, PY_globals, PY_locals,  PY_vars,
                                      PY_setattr,     PY_exec,    PY_modules, PY___dict__};
    for (uint32_t i = 1; i < model->imports.count; i++)
        if (!model->imports.items[i].target) return true; /* from x import * */
    return says_any(model, WAYS, sizeof WAYS / sizeof *WAYS) || model->error_count || model->given_up;
}

/* Built-in names that no page lists: those of Python 2, and those that consoles add. */
static bool is_python_name(const Inference *inference, Text name) {
    if (child_of(inference, inference->known->builtins, name)) return true; /* true for nearly all of them */
    return text_starts(name, TEXT("_")) || name_is(inference->book, NAMED_interpreter_name, name);
}

static bool is_unbound(const Inference *inference, const FileModel *model, const Expr *expr) {
    if (expr->binding != BIND_GLOBAL || expr->slot) return false;
    if (is_python_name(inference, model_name(model, expr->name))) return false;
    for (uint32_t l = 1; l < model->locals.count; l++) /* `global name` in another function */
        if (model->locals.items[l].is_global && model->locals.items[l].name == expr->name) return false;
    return true;
}

/* Whether a dotted expression starts with an unbound name: `net: torch.nn.Module` where the file does not
   import torch. */
bool begins_unbound(const Inference *inference, const SourceFile *file, ExprId id) {
    const Expr *expr = &file->model->exprs.items[id];
    if (!id || expr->kind != EXPR_ATTRIBUTE) return false;
    while (expr->kind == EXPR_ATTRIBUTE) expr = &file->model->exprs.items[expr->a];
    return expr->kind == EXPR_NAME && is_unbound(inference, file->model, expr);
}

/* The only function that a call of a module-level name can reach, without decorators. */
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

static bool has_wrong_arguments(const Raises *self, ExprId id) {
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

static GlobalFunc global_of(const Inference *inference, ContextId id) {
    const Context *context = inference->contexts.items[id];
    return global_func(inference, context->file, context->func);
}

/* The first parameter of a method, if it is never assigned. */
static bool is_self(const Raises *self, ExprId id) {
    const Expr *expr = &self->model->exprs.items[id];
    bool method = self->func->class_id && self->func->param_count && !self->func->decorators.count;
    return method && expr->kind == EXPR_NAME && slot_own(expr) == 1 &&
           graph_defs(self->graph, 1).first == graph_defs(self->graph, 1).end;
}

/* `make(n)` or `self.make(n)` where all possible callees raise. Methods of other objects are unknown. */
static bool leads_to_raise(const Raises *self, ExprId id) {
    const Context *context = self->inference->contexts.items[self->context];
    const ExprId called = self->model->exprs.items[id].a;
    const Expr *callee = &self->model->exprs.items[called];
    if (callee->kind != EXPR_NAME && !(callee->kind == EXPR_ATTRIBUTE && is_self(self, callee->a)))
        return false;
    bool raises = false;
    for (uint32_t e = 0; e < context->edges.count; e++) {
        const CallEdge *edge = &context->edges.items[e];
        if (edge->expr != id) continue;
        if (edge->guessed || edge->rate != RATE_CALL ||
            !self->raising[global_of(self->inference, edge->callee)].always)
            return false;
        raises = true;
    }
    return raises;
}

/* Collects names that some class or assignment of the file gives as an attribute, or that occur in a string:
   setattr(self, "name", ...). */
static void add_given(const Raises *self, const SourceFile *file) {
    const FileModel *model = file->model;
    Arena scratch = {0};
    const Writes *writes = writes_make(&scratch, &scratch, file);
    for (uint32_t w = 0; w < writes->count; w++)
        if (model->exprs.items[writes->items[w].target].kind == EXPR_ATTRIBUTE)
            self->given[writes->items[w].name] = true;
    for (ClassId c = 1; c < model->classes.count; c++) {
        const Func *body = &model->funcs.items[model->classes.items[c].body];
        for (uint32_t l = 0; l < body->local_count; l++)
            self->given[file->syms[model->locals.items[body->first_local + l].name]] = true;
    }
    for (ExprId e = 1; e < model->exprs.count; e++)
        if (model->exprs.items[e].kind == EXPR_STRING)
            self->given[file->syms[model->exprs.items[e].name]] = true;
    arena_free(&scratch);
}

static bool is_given(const Raises *self, Sym name) {
    const Program *program = self->inference->program;
    for (FileId file = 1; !self->given[0] && file < program->files.count; file++)
        add_given(self, &program->files.items[file]);
    self->given[0] = true; /* marks the table as filled */
    return self->given[name];
}

/* Whether a stub may give the attribute. Of torch's stubs only that of nn.Module is known to be complete. */
static bool stub_gives(const Inference *inference, EntryId entry, Sym name) {
    if (says_only(inference, entry)) return false;
    return entry != inference->known->module ||
           member_of(inference, entry, names_text(&inference->program->names, name));
}

/* Whether a base may give it: a stub, an unknown class, or a class that computes attribute names. */
static bool is_inherited(Inference *inference, GlobalClass id, Sym name) {
    uint32_t count;
    const uint32_t *order = class_order(inference, id, &count);
    for (uint32_t c = 0; c < count; c++) {
        const GlobalClass class_id = order[c] >> 1;
        if ((order[c] & 1) && stub_gives(inference, class_id, name)) return true;
        if (order[c] & 1) continue;
        const SourceFile *file = program_class_file(inference->program, class_id);
        const ClassInfo *info = &inference->classes[class_id];
        if (!file->whole || takes_names(file->model)) return true;
        if (file->model->classes.items[class_id - file->class_base].decorators.count) return true;
        for (uint32_t b = 0; b < info->base_count; b++)
            if (!info->bases[b] || value_has(info->bases[b], KIND_UNKNOWN)) return true;
    }
    return false;
}

/* `self.name` that no class of the program gives, not even a possible mix-in. */
static bool is_missing(const Raises *self, ExprId id) {
    const Expr *expr = &self->model->exprs.items[id];
    if (!is_self(self, expr->a)) return false;
    const Context *context = self->inference->contexts.items[self->context];
    const Value *fact = infer_fact(context, self->model, id),
                *known = infer_fact(context, self->model, expr->a);
    if ((fact && !value_only(fact, KIND_UNKNOWN)) || value_has(known, KIND_UNKNOWN)) return false;
    if (text_starts(model_name(self->model, expr->name), TEXT("__"))) return false;
    const Sym name = self->file->syms[expr->name];
    return !is_given(self, name) &&
           !is_inherited(self->inference, self->file->class_base + self->func->class_id, name);
}

/* `total = total + 1` where no path assigns total before: the only definition that reaches this use comes from
   itself. */
static bool is_unassigned(const Raises *self, ExprId id) {
    const Expr *expr = &self->model->exprs.items[id];
    const uint32_t slot = expr->binding == BIND_LOCAL ? slot_own(expr) : 0;
    const AccessId use = slot > self->func->param_count ? graph_access(self->graph, id) : 0;
    if (!use || graph_is_def(&self->graph->accesses[use])) return false;
    Accesses defs = graph_defs(self->graph, slot);
    if (defs.first == defs.end || *defs.first < use) return false; /* usually an earlier line assigns it */
    Reaching reaching;
    graph_reaching(self->graph, self->arena, use, &reaching);
    bool none = !reaching.many;
    const BlockId block = graph_block_of(self->graph, use);
    for (uint32_t i = 0; i < reaching.items.count; i++) {
        const AccessId def = reaching.items.items[i];
        none &= !def || (def > use && graph_dominates(self->graph, block, graph_block_of(self->graph, def)));
    }
    return none;
}

/* Checks the parts that are certainly evaluated: of `a and b` only a. */
static bool expr_raises(const Raises *self, ExprId id) {
    if (!id) return false;
    const Expr *expr = &self->model->exprs.items[id];
    const uint32_t *links = self->model->links.items;
    uint32_t sure = expr->list.count;
    switch ((ExprKind)expr->kind) {
    case EXPR_NAME:
        return (!self->opaque && is_unbound(self->inference, self->model, expr)) || is_unassigned(self, id);
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
    if (expr->kind == EXPR_ATTRIBUTE) return is_missing(self, id);
    if (expr->kind == EXPR_CALL) vec_push(self->arena, &self->calls->items, ((SureCall){id, self->block}));
    return false;
}

/* Checks what a step evaluates; assignment targets and defs are skipped. */
static bool step_raises(const Raises *self, const FlowStep *step) {
    const Stmt *stmt = &self->model->stmts.items[step->stmt];
    if (step->kind == STEP_TEST || step->kind == STEP_ENTER)
        return stmt->kind != STMT_CASE && stmt->kind != STMT_HANDLER && expr_raises(self, stmt->a);
    if (step->kind == STEP_ITER) return expr_raises(self, stmt->b);
    if (step->kind != STEP_RUN) return false;
    if (stmt->kind == STMT_EXPR || stmt->kind == STMT_RETURN) return expr_raises(self, stmt->a);
    return (stmt->kind == STMT_ASSIGN || stmt->kind == STMT_AUGMENT) && expr_raises(self, stmt->b);
}

/* Whether execution may continue after an exception there: a handler, or what a `finally` leads to. */
static bool is_caught(const FlowGraph *graph, BlockId block) {
    for (uint32_t e = graph->blocks[block].first_edge; e < graph->blocks[block + 1].first_edge; e++)
        if (graph->edges[e].kind == EDGE_RAISES && graph->edges[e].to != graph->exit) return true;
    return false;
}

/* If a class cannot be instantiated, none of its methods runs. */
static void spread(const Raises *self) {
    const Class *class_ = &self->model->classes.items[self->func->class_id];
    for (uint32_t m = 0; m < class_->methods.count; m++)
        self->raising[self->file->func_base + self->model->links.items[class_->methods.first + m]].never = true;
}

/* `if self.cuda: x = x.cuda(self.gpu)`: if this raises, nothing in the function runs on a GPU. Gives the test's
   block; 0 = it is another branch, or none. */
static BlockId test_of_gpu(const Raises *self, BlockId block) {
    Guard guard;
    if (!graph_guard(self->graph, block, &guard) || !guard.truth) return 0;
    const Expr *asked = &self->model->exprs.items[guard.condition];
    bool named = asked->kind == EXPR_NAME || asked->kind == EXPR_ATTRIBUTE;
    Text name = named ? model_name(self->model, asked->name) : (Text){0};
    return name_is(self->inference->book, NAMED_gpu_flag, name) ? guard.test : 0;
}

static void add_raise(const Raises *self, BlockId block) {
    Raising *raising = &self->raising[global_of(self->inference, self->context)];
    for (uint32_t i = 0; i < raising->blocks.count; i++)
        if (raising->blocks.items[i] == block) return;
    vec_push(self->inference->arena, &raising->blocks, block);
    bool plain = !self->func->is_generator && !self->func->is_async;
    if (raising->always || !plain || !graph_postdominates(self->graph, block, GRAPH_ENTRY)) return;
    raising->always = true;
    if (self->func->class_id && text_is(model_name(self->model, self->func->name), "__init__")) spread(self);
}

static void look_at_steps(Raises *self) {
    for (StepId s = 1; s < self->graph->step_count; s++) {
        const FlowStep *step = &self->graph->steps[s];
        self->block = step->block;
        if (!graph_reachable(self->graph, step->block) || is_caught(self->graph, step->block)) continue;
        if (!step_raises(self, step)) continue;
        add_raise(self, step->block);
        BlockId test = test_of_gpu(self, step->block);
        if (test) add_raise(self, test);
    }
}

/* Whether names are bound is the same in all contexts of a function, so later contexts only add callees. */
static void look_at_context(Raises *self, Seen *seen) {
    if (!seen->all) {
        seen->all = true;
        seen->first = self->calls->items.count;
        look_at_steps(self);
        seen->end = self->calls->items.count;
    }
    for (uint32_t i = seen->first; i < seen->end; i++) {
        const SureCall call = self->calls->items.items[i];
        const Expr *expr = &self->model->exprs.items[call.expr];
        if (leads_to_raise(self, call.expr) ||
            (has_keyword(self, expr) && has_wrong_arguments(self, call.expr)))
            add_raise(self, call.block);
    }
}

/* Whether a statement has run at most once: something raises before it or in the same iteration. */
bool raises_beside(const Inference *inference, GlobalFunc func, StmtId stmt) {
    const Raising *raising = &inference->raising[func];
    if (raising->never || (!stmt && raising->always)) return true;
    const FlowGraph *graph = raising->blocks.count ? inference->graphs[func] : NULL;
    const BlockId block = graph && stmt ? graph_block(graph, stmt) : 0;
    for (uint32_t i = 0; block && i < raising->blocks.count; i++) {
        const BlockId at = raising->blocks.items[i];
        const LoopId loop = graph->blocks[block].loop;
        bool same_turn = !loop || graph_in_loop(graph, at, loop);
        if (graph_dominates(graph, at, block) || (same_turn && graph_postdominates(graph, at, block)))
            return true;
    }
    return false;
}

const Raising *find_raising(Inference *inference) {
    const Program *program = inference->program;
    Raising *raising = arena_new(inference->arena, Raising, program->func_count + 1);
    if (program->incomplete || inference->bound_outside || !inference->known->builtins) return raising;
    Arena scratch = {0};
    uint8_t *opaque = arena_new(&scratch, uint8_t, program->files.count); /* memo: 1 = no, 2 = yes */
    Seen *seen = arena_new(&scratch, Seen, program->func_count + 1);
    bool *given = arena_new(&scratch, bool, inference->names->texts.count + 1);
    SureCalls calls = {0};
    bool more = true;
    for (uint32_t round = 0, known = 0; more && round < ROUNDS_MOST; round++) {
        for (ContextId id = 1; id < inference->contexts.count; id++) {
            const Context *context = inference->contexts.items[id];
            const SourceFile *file = &program->files.items[context->file];
            const Func *func = &file->model->funcs.items[context->func];
            GlobalFunc global = file->func_base + context->func;
            if (func->kind != FUNC_DEF || !file->whole || file->notebook || !inference->graphs[global])
                continue;
            uint8_t *mixed = &opaque[context->file];
            if (!*mixed) *mixed = takes_names(file->model) ? 2 : 1;
            Raises self = {.inference = inference,
                           .raising = raising,
                           .file = file,
                           .model = file->model,
                           .func = func,
                           .graph = inference->graphs[global],
                           .context = id,
                           .opaque = *mixed == 2,
                           .given = given,
                           .arena = &scratch,
                           .calls = &calls};
            look_at_context(&self, &seen[global]);
        }
        uint32_t now = 0;
        for (GlobalFunc func = 1; func <= program->func_count; func++) now += raising[func].always;
        more = now > known;
        known = now;
    }
    arena_free(&scratch);
    return raising;
}
