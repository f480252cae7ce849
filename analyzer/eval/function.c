/* Functions: evaluates a context (binds parameters; runs statements, or takes them over from the memo), and
   gives the results of calls. */
#include "eval.h"
#include "belief.h"
#include "construct.h"
#include "environment.h"
#include "hints.h"
#include "live.h"
#include "memo.h"
#include "parts.h"

typedef const Value *AskSubclasses(Eval *eval, ExprId expr, Sym name, GlobalClass base, const Args *args);

static void memo_run(Replay *self);
static void keep_by_name(Eval *eval, ExprId expr, GlobalFunc function, const Value *const *bound);

static uint32_t first_path(const FileModel *model, const Func *func) {
    for (uint32_t s = 1; s <= func->local_count; s++)
        if (model->locals.items[func->first_local + s - 1].root) return s;
    return 0;
}

static const Value *self_value(Eval *eval, GlobalClass class_id) {
    const ClassInfo *info = class_info(eval->inference, class_id);
    Alt self = {.kind = KIND_INSTANCE, .id = class_id};
    if (info->is_module == TRI_YES ||
        class_inherits(eval->inference, class_id, eval->inference->known->optimizer)) {
        self.device = DEVICE_CUDA;
        self.belief = BELIEVED;
        self.origin = origin_at(eval, ORIGIN_MODEL, eval->model->stmts.items[eval->func->stmt].head);
    }
    return value_of(&eval->inference->values, self);
}

/* It may be a tensor, or is unknown. */
static bool is_unplaced(const Value *value) {
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        bool somewhere = alt->kind == KIND_TENSOR && alt->device == DEVICE_UNKNOWN;
        if (!somewhere && alt->kind != KIND_UNKNOWN) return false;
    }
    return value != NULL;
}

/* `def show(energy, note="", full=False)`: what is only guessed to be a tensor, and given for it, is what the default
   is: a text or a flag. */
static const Value *checked_by_default(Eval *eval, const Param *param, const Value *value) {
    uint8_t kind = param->fallback ? eval->model->exprs.items[param->fallback].kind : EXPR_NONE;
    bool text = kind == EXPR_STRING, flag = kind == EXPR_TRUE || kind == EXPR_FALSE;
    Values *values = &eval->inference->values;
    const Value *result = NULL;
    for (uint32_t i = 0; (text || flag) && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        bool guess = alt->kind == KIND_TENSOR && (alt->flags & ALT_GUESS);
        result = value_join(values, result,
                            guess ? kind_value(eval, text ? KIND_TEXT : KIND_NUMBER) : alt_value(eval, alt));
    }
    return result ? result : value;
}

static const Value *parameter_value(Eval *eval, uint32_t i, const Param *param, const Clause *declared) {
    Inference *inference = eval->inference;
    const Value *value = eval->context->args[i];
    GlobalFunc global = global_func(inference, eval->file_id, eval->func_id);
    /* an operand of a custom autograd operation whose value is unknown: take what the convention says of it */
    bool operand = declared && eval->func->class_id && is_unplaced(value) &&
                   is_operation(eval->inference, eval->file->class_base + eval->func->class_id);
    if (value && !operand)
        return checked_by_annotation(eval, param->annotation, checked_by_default(eval, param, value));
    if (operand && !eval->context->root) eval->context->root = 1 + RATE_FORWARD; /* nor who calls it, then */
    if (eval->context->root) return assumed_parameter(eval, param, i, declared);
    if (param->fallback)
        return store_read(inference, eval->id, store_slot(inference, STORE_DEFAULT, global, i));
    return kind_value(eval, KIND_UNKNOWN);
}

/* It is, or contains, a GPU tensor by present knowledge; reading it registers no reader. */
static bool holds_gpu_tensor(Inference *inference, const Value *value, int depth) {
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        if (alt->kind == KIND_TENSOR && alt->device == DEVICE_CUDA) return true;
        if (alt->kind != KIND_CONTAINER || depth > 1) continue;
        const Object *object = infer_object(inference, alt->object);
        if (holds_gpu_tensor(inference, store_read(inference, 0, object->rest), depth + 1)) return true;
        for (uint32_t k = 0; k < object->key_count; k++)
            if (holds_gpu_tensor(inference, store_read(inference, 0, object_keys(object)[k].slot), depth + 1))
                return true;
    }
    return false;
}

static bool holds_part(Eval *eval, const Value *value) {
    EntryId optimizer = eval->inference->known->optimizer;
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        bool steps = alt->kind == KIND_OBJECT && rulebook_inherits(eval->inference->book, alt->id, optimizer);
        if (steps || is_module_alt(eval, alt)) return true;
    }
    return false;
}

/* The arguments of a root show its purpose: a step takes tensors; who constructs a model and optimizer trains. */
static void note_taken(Eval *eval, const Value *value, bool self) {
    Context *context = eval->context;
    context->takes_parts |= self || holds_part(eval, value);
    EntryId image = eval->inference->known->image;
    const Alt *only = value && value->count == 1 ? &value->alts[0] : NULL;
    context->takes_array |=
        only && (only->kind == KIND_NUMPY || (only->kind == KIND_OBJECT && only->id == image));
    if (!self && !value_has(value, KIND_NUMPY))
        context->takes_tensor |= holds_gpu_tensor(eval->inference, value, 0);
}

static void bind_parameters(Eval *eval) {
    const Clause *declared = NULL;
    CallRate rate;
    GlobalClass class_id = eval->func->class_id ? eval->file->class_base + eval->func->class_id : 0;
    bool applied = class_id && is_operation(eval->inference, class_id);
    if ((eval->context->root && class_id) || applied)
        framework_calls(eval->inference, class_id, sym_of(eval, eval->func->name), &rate, &declared);
    for (uint32_t i = 0; i < eval->func->param_count; i++) {
        const Param *param = &eval->model->params.items[eval->func->first_param + i];
        bool self = i == 0 && class_id && !eval->context->args[0] && eval->context->root &&
                    takes_context(eval->inference, class_id, sym_of(eval, eval->func->name));
        const Value *value = self ? self_value(eval, class_id) : parameter_value(eval, i, param, declared);
        if (eval->context->root) note_taken(eval, value, self);
        if (param->slot) assign_slot(eval, param->slot, value);
    }
}

/* Made at the first evaluation of any context. */
static const FlowGraph *graph_of(const Eval *eval) {
    const FlowGraph **graph =
        &eval->inference->graphs[global_func(eval->inference, eval->file_id, eval->func_id)];
    if (*graph) return *graph;
    (void)writes_of(eval->inference,
                    eval->file_id); /* the next step asks for those of all files that were evaluated */
    *graph = graph_make(eval->inference->arena, eval->scratch, eval->model, eval->func);
    return *graph;
}

void evaluate_context(Inference *inference, ContextId id, uint32_t depth) {
    Context *context = inference->contexts.items[id];
    context->dirty = false;
    if (context->evaluations >= EVALUATIONS_A_CONTEXT) {
        inference->given_up += context->evaluations == EVALUATIONS_A_CONTEXT;
        context->evaluations = EVALUATIONS_A_CONTEXT + 1;
        return;
    }
    context->evaluations++;
    context->evaluating = true;
    context->evaluation = context->reader = memo_reader(inference, id, 0);
    Arena *scratch = scratch_take(inference);
    const SourceFile *file = &inference->program->files.items[context->file];
    const Func *func = &file->model->funcs.items[context->func];
    Eval eval = {.inference = inference,
                 .id = id,
                 .context = context,
                 .file = file,
                 .file_id = context->file,
                 .model = file->model,
                 .func = func,
                 .func_id = context->func,
                 .first_path = first_path(file->model, func),
                 .reachable = true,
                 .depth = depth,
                 .scratch = scratch,
                 .use = evidence_of(inference, context->file, context->func),
                 .shared = inference->nesting[global_func(inference, context->file, context->func)]};
    eval.graph = graph_of(&eval);
    Replay *around = inference->replay;
    inference->replay = NULL;
    Replay *replay = inference->replay = memo_begin(&eval);
    context_reset(inference, context, memo_again(replay));
    eval.env = env_new(scratch, func->local_count + 1);
    bind_parameters(&eval);
    if (replay)
        memo_run(replay);
    else
        exec_block(&eval, func->body);
    bool gives_none = func->kind == FUNC_DEF && !func->is_generator;
    const Value *declared = left_to_subclasses(file->model, func) ? annotated(&eval, func->returns) : NULL;
    if (declared)
        store_write(inference, context->returns, declared);
    else if (eval.reachable && gives_none)
        store_write(inference, context->returns, kind_value(&eval, KIND_NONE));
    inference->replay = around;
    context->evaluating = false;
    store_end(inference, id);
    arena_reset(scratch);
    vec_push(inference->arena, &inference->spare, scratch);
}

/* self.step() where self's class leaves it to subclasses. */
static const Value *call_of_subclasses(Eval *eval, ExprId expr, Sym name, const Value *self, const Args *args,
                                       AskSubclasses *ask) {
    const Value *result = NULL;
    for (uint32_t i = 0; self && i < self->count; i++)
        if (self->alts[i].kind == KIND_INSTANCE)
            result = join_values(eval, result, ask(eval, expr, name, self->alts[i].id, args));
    return result;
}

/* Evaluates a callee before its result is read, if it has never been, or, while the worklist runs, if it is
   dirty: else the caller would have to be evaluated again. */
static void look_at(Eval *eval, ContextId id) {
    const Inference *inference = eval->inference;
    const Context *context = inference->contexts.items[id];
    bool again = context->dirty && inference->running_worklist && context->evaluations < EVALUATIONS_A_CONTEXT;
    if (context->evaluating || (context->evaluations && !again)) return;
    if (eval->depth < CALL_DEPTH)
        evaluate_context(eval->inference, id, eval->depth + 1);
    else /* met too deep in the stack: later, from the top */
        store_queue(eval->inference, id);
}

const Value *call_function(Eval *eval, ExprId expr, const Alt *function, const Value *self, const Args *args) {
    Inference *inference = eval->inference;
    FileId file_id = file_of_func(inference, function->id);
    const SourceFile *file = &inference->program->files.items[file_id];
    FuncId func_id = function->id - file->func_base;
    const Func *func = &file->model->funcs.items[func_id];
    const Value *bound[256];
    if (args->bottom) return NULL;
    if (func_is_unread(func)) return unknown_result(eval, expr, args);
    if (func->param_count > 256) return kind_value(eval, KIND_UNKNOWN);
    memset(bound, 0, sizeof *bound * func->param_count);
    if (self && left_to_subclasses(file->model, func)) {
        const Value *theirs =
            call_of_subclasses(eval, expr, file->syms[func->name], self, args, subclasses_result);
        if (theirs) return theirs;
    }
    const Value *filled = NULL;
    if (self && filled_by_subclasses(eval, file, func))
        filled = call_of_subclasses(eval, expr, file->syms[func->name], self, args, subclasses_told);
    args_bind(eval, expr, file, function->id, self, args, bound);
    evidence_of_call(eval, file_id, func_id, self != NULL, args);
    keep_by_name(eval, expr, function->id, bound);
    ContextId closure = infer_object(inference, function->object)->closure;
    ContextId id = context_for(eval, file_id, func_id, closure, bound);
    add_edge(eval, expr, id, (CallRate)eval->rate);
    look_at(eval, id);
    if (func->is_generator) return generator_value(eval, id);
    const Value *result = store_read(inference, eval->id, inference->contexts.items[id]->returns);
    result = own_result(eval, id, func, bound, result);
    if (filled) return join_values(eval, result, filled);
    bool open = self && left_open(eval, file->model, func, file->syms[func->name], self);
    return open ? join_values(eval, result, kind_value(eval, KIND_UNKNOWN)) : result;
}

/* While the worklist runs, a dirty callee is evaluated before its caller reads it. */
static void look_at_callees(Replay *self, const Step *step) {
    for (uint32_t i = 0; i < step->counts.edges && !step->dirty; i++) {
        ContextId callee = self->kept.edges[i].callee;
        if (self->eval->inference->contexts.items[callee]->dirty) look_at(self->eval, callee);
    }
}

static bool may_take(Replay *self, uint32_t i) {
    const Step *step = &self->memo->steps[i];
    if ((step->unknown && self->guesses) || (step->bottom && self->bottom_resolved)) return false;
    if (!self->was || !step->reader || step->dirty || self->plan->steps[i].crowded ||
        !step_comes_alike(self, i))
        return false;
    look_at_callees(self, step);
    return !step->dirty;
}

static void run_step(Replay *self, uint32_t i, const Stmt *stmt) {
    Eval *eval = self->eval;
    Context *context = eval->context;
    Memo *memo = self->memo;
    Step *step = &memo->steps[i];
    if (self->was) step_clear_facts(self, i), eval->inference->steps_again++;
    kept_pass(&self->kept, &step->counts);
    if (self->was) memo_skip_changes(self, step->changes);
    step_save(self, i);
    bool bottom = context->met_bottom, unknown = context->met_unknown;
    uint32_t effects = step_effects_end(context), edges = context->edges.count, unseen = context->unseen.count,
             uses = context->uses.count, changes = self->new_slots.count;
    context->met_bottom = context->met_unknown = step->dirty = false;
    step->reader = context->reader = memo_reader(eval->inference, eval->id, i + 1);
    memo->next = i + 1;
    exec_stmt(eval, stmt);
    step_note(self, i);
    step->counts = (StepCounts){.effects = step_counted(memo, step_effects_end(context) - effects),
                                .edges = step_counted(memo, context->edges.count - edges),
                                .unseen = step_counted(memo, context->unseen.count - unseen),
                                .uses = step_counted(memo, context->uses.count - uses)};
    step->changes = step_counted(memo, self->new_slots.count - changes);
    step->goes_on = eval->reachable;
    step->bottom = context->met_bottom, step->unknown = context->met_unknown;
    context->met_bottom |= bottom, context->met_unknown |= unknown;
}

static void memo_run(Replay *self) {
    Eval *eval = self->eval;
    const uint32_t *ids = &eval->model->links.items[eval->func->body.first];
    for (uint32_t s = 1; s <= eval->func->local_count; s++)
        if (env_get(eval->env, s)) memo_change(self, s, env_get(eval->env, s));
    self->memo->bound = self->new_slots.count;
    uint32_t i = 0;
    for (; i < self->plan->count && eval->reachable; i++)
        if (may_take(self, i))
            step_take(self, &self->memo->steps[i]);
        else
            run_step(self, i, &eval->model->stmts.items[ids[i]]);
    memo_end_unreached(self, i);
    memo_keep_changes(self);
    memo_keep_asked(self);
    eval->context->reader = eval->context->evaluation;
}

static void keep_each(Eval *eval, ExprId expr, const Value *self, ObjectId given) {
    Inference *inference = eval->inference;
    for (uint32_t k = 0; k < infer_object(inference, given)->key_count; k++) {
        uint32_t key = object_keys(infer_object(inference, given))[k].key;
        if (key != name_key(key >> 1)) continue; /* a position */
        const Value *value =
            store_read(inference, eval->id, object_keys(infer_object(inference, given))[k].slot);
        assign_attribute(eval, expr, self, key >> 1, value);
    }
}

static void keep_by_name(Eval *eval, ExprId expr, GlobalFunc function, const Value *const *bound) {
    Inference *inference = eval->inference;
    const SourceFile *file = source_of_func(inference, function);
    const Func *func = &file->model->funcs.items[function - file->func_base];
    uint16_t *keeps = &inference->keeps[function];
    if (*keeps == NOT_LOOKED) *keeps = (uint16_t)kept_parameter(file->model, func);
    const Value *given = *keeps >= KEEPS_FIRST ? bound[*keeps - KEEPS_FIRST] : NULL;
    for (uint32_t i = 0; given && i < given->count; i++)
        if (given->alts[i].kind == KIND_CONTAINER) keep_each(eval, expr, bound[0], given->alts[i].object);
}
