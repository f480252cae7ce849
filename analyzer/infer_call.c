/* Calls: who is called, with what, and what comes back. */
#include "interpret.h"

static const Value *join(Eval *eval, const Value *a, const Value *b) {
    return value_join(&eval->inference->values, a, b);
}

static void push_value(Args *args, ExprId expr, const Value *value) {
    if (args->count >= ARGUMENTS) return;
    args->exprs[args->count] = expr;
    args->values[args->count++] = value;
}

static void push_named(Args *args, Sym name, ExprId expr, const Value *value) {
    if (args->named_count >= ARGUMENTS) return;
    args->names[args->named_count] = name;
    args->named_exprs[args->named_count] = expr;
    args->named[args->named_count++] = value;
}

/* f(*pair): a tuple of known length fills positions, anything else may fill them all. */
static void push_star(Eval *eval, Args *args, ExprId expr, const Value *value) {
    const Inference *inference = eval->inference;
    if (value && value->count == 1 && value->alts[0].kind == KIND_CONTAINER) {
        ObjectId id = value->alts[0].object;
        const Object *object = &inference->objects.items[id];
        bool closed = !object->open && object->flavour <= FLAVOUR_TUPLE;
        for (uint32_t i = 0; closed && i < inference->objects.items[id].keys.count; i++)
            push_value(args, expr, object_get(eval, id, position_key(i)));
        if (closed) return;
    }
    args->star = true;
    args->star_value = join(eval, args->star_value, element_of(eval, 0, value, false));
}

/* f(**options): known names become keywords. */
static void push_double_star(Eval *eval, Args *args, ExprId expr, const Value *value) {
    const Inference *inference = eval->inference;
    args->double_star = true;
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        if (alt->kind != KIND_CONTAINER) {
            args->double_star_value = join(eval, args->double_star_value, alt_value(eval, alt));
            continue;
        }
        for (uint32_t k = 0; k < inference->objects.items[alt->object].keys.count; k++) {
            uint32_t key = inference->objects.items[alt->object].keys.items[k];
            if (!(key & 1)) push_named(args, key >> 1, expr, object_get(eval, alt->object, key));
        }
        args->double_star_value = join(eval, args->double_star_value,
            store_read(eval->inference, eval->id, inference->objects.items[alt->object].rest));
    }
}

static void eval_args(Eval *eval, const Expr *call, Args *args) {
    for (uint32_t i = 0; i < call->list.count; i++) {
        ExprId id = eval->model->links.items[call->list.first + i];
        const Expr *part = &eval->model->exprs.items[id];
        const Value *value = eval_expr(eval, id);
        args->bottom |= value == NULL;
        switch ((ExprKind)part->kind) {
        case EXPR_KEYWORD: push_named(args, sym_of(eval, part->name), part->a, value); break;
        case EXPR_STAR: push_star(eval, args, part->a, value); break;
        case EXPR_DOUBLE_STAR: push_double_star(eval, args, part->a, value); break;
        default: push_value(args, id, value); break;
        }
    }
}

/* ---- functions of the program ---- */

/* Numbers other than truth values do not tell contexts apart: f(1) and f(2) do the same. */
static const Value *argument_value(Eval *eval, const Value *value) {
    if (!value) return NULL;
    const Known *known = eval->inference->known;
    Alt alts[VALUE_ALTS];
    for (uint32_t i = 0; i < value->count; i++) {
        alts[i] = value->alts[i];
        bool truth = alts[i].id == known->true_text || alts[i].id == known->false_text;
        if (alts[i].kind == KIND_NUMBER && !truth) alts[i].id = 0;
    }
    return value_from(&eval->inference->values, alts, value->count);
}

static const Value *rest_positional(Eval *eval, ExprId expr, const Args *args, uint32_t from) {
    Inference *inference = eval->inference;
    ObjectId object = store_object(inference, STORE_PART, eval->id, (uint64_t)expr << 8 | 1, FLAVOUR_TUPLE);
    for (uint32_t i = from; i < args->count; i++)
        store_write(inference, object_slot(inference, object, position_key(i - from)), args->values[i]);
    if (args->star) object_add(eval, object, args->star_value);
    return object_value(eval, object);
}

static const Value *rest_named(Eval *eval, ExprId expr, const Args *args, const bool *taken) {
    Inference *inference = eval->inference;
    ObjectId object = store_object(inference, STORE_PART, eval->id, (uint64_t)expr << 8 | 2, FLAVOUR_DICT);
    for (uint32_t i = 0; i < args->named_count; i++)
        if (!taken[i]) store_write(inference, object_slot(inference, object, name_key(args->names[i])), args->named[i]);
    if (args->double_star) object_add(eval, object, args->double_star_value);
    return object_value(eval, object);
}

static const Value *named_argument(const Args *args, Sym name, bool *taken) {
    for (uint32_t i = 0; i < args->named_count; i++)
        if (args->names[i] == name) {
            taken[i] = true;
            return args->named[i];
        }
    return NULL;
}

static void bind_params(Eval *eval, ExprId expr, const SourceFile *file, const Func *func, const Value *self,
                        const Args *args, const Value **bound) {
    const FileModel *model = file->model;
    bool taken[ARGUMENTS] = {false};
    uint32_t next = 0, first = 0;
    if (self && func->param_count && !model->params.items[func->first_param].star) {
        bound[0] = self;
        first = 1;
    }
    uint32_t double_star = UINT32_MAX;
    for (uint32_t i = first; i < func->param_count; i++) {
        const Param *param = &model->params.items[func->first_param + i];
        if (param->star == 1) {
            bound[i] = rest_positional(eval, expr, args, next);
            next = args->count;
            continue;
        }
        if (param->star == 2) {
            double_star = i;
            continue;
        }
        const Value *value = named_argument(args, file->syms[param->name], taken);
        if (!value && !param->keyword_only && next < args->count) value = args->values[next++];
        if (!value && !param->keyword_only && args->star) value = args->star_value;
        if (!value && args->double_star && args->double_star_value) value = args->double_star_value;
        bound[i] = argument_value(eval, value);
    }
    if (double_star != UINT32_MAX) bound[double_star] = rest_named(eval, expr, args, taken);
}

static bool same_args(const Context *context, const Value **args, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!value_same(context->args[i], args[i])) return false;
    return true;
}

static ContextId new_context(Inference *inference, FileId file, FuncId func, const Value **args) {
    const FileModel *model = inference->program->files.items[file].model;
    const Func *f = &model->funcs.items[func];
    Context *context = arena_new(inference->arena, Context, 1);
    context->file = file;
    context->func = func;
    context->arg_count = f->param_count;
    context->args = arena_copy(inference->arena, args, sizeof *args * (f->param_count ? f->param_count : 1));
    uint32_t exprs = f->end_expr > f->first_expr ? f->end_expr - f->first_expr : 1;
    context->facts = arena_new(inference->arena, const Value *, exprs);
    context->effect_heads = arena_new(inference->arena, uint32_t, exprs * EFFECT_ROLES);
    vec_push(inference->arena, &context->effects, (EffectRecord){0});
    ContextId id = inference->contexts.count;
    vec_push(inference->arena, &inference->contexts, context);
    context->returns = store_slot(inference, STORE_RETURN, id, 0);
    context->yields = store_slot(inference, STORE_YIELD, id, 0);
    GlobalFunc global = global_func(inference, file, func);
    while (inference->context_next.count <= id) vec_push(inference->arena, &inference->context_next, 0);
    inference->context_next.items[id] = inference->func_contexts[global];
    inference->func_contexts[global] = id;
    return id;
}

/* At most CONTEXTS_A_FUNCTION told apart; what comes later shares one whose arguments are joined in slots. */
ContextId context_for(Eval *eval, FileId file, FuncId func, const Value **args) {
    Inference *inference = eval->inference;
    const Func *f = &inference->program->files.items[file].model->funcs.items[func];
    uint32_t count = 0;
    ContextId merged = 0;
    for (ContextId id = inference->func_contexts[global_func(inference, file, func)]; id;
         id = inference->context_next.items[id]) {
        const Context *context = inference->contexts.items[id];
        if (context->merged) merged = id;
        else if (same_args(context, args, f->param_count)) return id;
        count++;
    }
    if (!merged && count < CONTEXTS_A_FUNCTION) return new_context(inference, file, func, args);
    if (!merged) {
        merged = new_context(inference, file, func, args);
        inference->contexts.items[merged]->merged = true;
    }
    for (uint32_t i = 0; i < f->param_count; i++)
        if (args[i]) store_write(inference, store_slot(inference, STORE_ARGUMENT, merged, i), args[i]);
    return merged;
}

void add_edge(Eval *eval, ExprId expr, ContextId callee, CallRate rate) {
    Context *context = eval->context;
    for (uint32_t i = context->edges.count; i > 0 && i + 64 > context->edges.count; i--) {
        const CallEdge *edge = &context->edges.items[i - 1];
        if (edge->expr == expr && edge->callee == callee) return;
    }
    CallEdge edge = {.expr = expr, .callee = callee, .rate = (uint8_t)rate};
    vec_push(eval->inference->arena, &context->edges, edge);
}

static const Value *generator_value(Eval *eval, ContextId callee) {
    Inference *inference = eval->inference;
    ObjectId object = store_object(inference, STORE_GENERATOR, callee, 0, FLAVOUR_ITERATOR);
    inference->objects.items[object].open = true;
    const Value *yielded = store_read(inference, eval->id, inference->contexts.items[callee]->yields);
    if (yielded) store_write(inference, inference->objects.items[object].rest, yielded);
    return object_value(eval, object);
}

const Value *call_function(Eval *eval, ExprId expr, GlobalFunc global, const Value *self, const Args *args, CallRate rate) {
    Inference *inference = eval->inference;
    FileId file_id = program_file_of_func(inference->program, global);
    const SourceFile *file = &inference->program->files.items[file_id];
    FuncId func_id = global - file->func_base;
    const Func *func = &file->model->funcs.items[func_id];
    const Value *bound[256] = {NULL};
    if (args->bottom) return NULL;
    if (func->param_count > 256) return kind_value(eval, KIND_UNKNOWN);
    bind_params(eval, expr, file, func, self, args, bound);
    ContextId id = context_for(eval, file_id, func_id, bound);
    add_edge(eval, expr, id, rate == RATE_CALL ? (CallRate)eval->rate : rate);
    const Context *context = inference->contexts.items[id];
    if ((!context->evaluations || context->dirty) && !context->evaluating) {
        if (eval->depth < CALL_DEPTH) evaluate_context(inference, id, eval->depth + 1);
        else store_write(inference, store_slot(inference, STORE_ARGUMENT, id, UINT32_MAX), NULL);
    }
    if (func->is_generator) return generator_value(eval, id);
    return store_read(inference, eval->id, context->returns);
}

/* ---- classes ---- */

static void fill_dataclass(Eval *eval, GlobalClass class_id, const Args *args) {
    Inference *inference = eval->inference;
    FileId file_id = program_file_of_class(inference->program, class_id);
    const SourceFile *file = &inference->program->files.items[file_id];
    const FileModel *model = file->model;
    const Func *body = &model->funcs.items[model->classes.items[class_id - file->class_base].body];
    uint32_t position = 0;
    for (uint32_t i = 0; i < body->body.count; i++) {
        const Stmt *stmt = &model->stmts.items[model->links.items[body->body.first + i]];
        if (stmt->kind != STMT_ASSIGN || !stmt->a || !stmt->list.count) continue;
        const Expr *target = &model->exprs.items[model->links.items[stmt->list.first]];
        if (target->kind != EXPR_NAME) continue;
        Sym name = file->syms[target->name];
        bool taken[ARGUMENTS];
        const Value *value = named_argument(args, name, taken);
        if (!value && position < args->count) value = args->values[position];
        position++;
        if (value) store_write(inference, store_slot(inference, STORE_ATTRIBUTE, class_id, name), value);
    }
}

const Value *instantiate(Eval *eval, ExprId expr, GlobalClass class_id, const Args *args) {
    Inference *inference = eval->inference;
    const ClassInfo *info = class_info(inference, class_id);
    Device device = info->is_module != TRI_YES ? DEVICE_UNKNOWN : inference->default_cuda ? DEVICE_CUDA : DEVICE_CPU;
    const Value *instance = value_of(&inference->values, (Alt){.kind = KIND_INSTANCE, .id = class_id,
                                                               .device = (uint8_t)device,
                                                               .confidence = CONFIDENCE_CERTAIN});
    EntryId entry = 0;
    const Value *init = class_member(eval, class_id, inference->known->init, &entry);
    for (uint32_t i = 0; init && i < init->count; i++)
        if (init->alts[i].kind == KIND_FUNCTION)
            call_function(eval, expr, init->alts[i].id, instance, args, RATE_CALL);
    if (!init) fill_dataclass(eval, class_id, args);
    const Value *post = class_member(eval, class_id, inference->known->post_init, &entry);
    if (value_has(post, KIND_FUNCTION)) call_method(eval, expr, instance, inference->known->post_init, &(Args){0});
    return instance;
}

/* Options that objects carry along: pinned batches, fused optimizers, distributions and scalers told not to check. */
static void note_options(Eval *eval, const Args *args, Alt *alt) {
    static const struct { const char *name; Tri spares; } OPTIONS[] = {
        {"fused", TRI_YES}, {"validate_args", TRI_NO}, {"enabled", TRI_NO}};
    for (uint32_t i = 0; i < args->named_count; i++) {
        Text name = names_text(&eval->inference->program->names, args->names[i]);
        Tri truth = literal_truth(eval, args->named[i]);
        if (text_equal(name, TEXT("pin_memory"))) alt->pinned = (uint8_t)truth;
        for (size_t o = 0; o < sizeof OPTIONS / sizeof *OPTIONS; o++)
            if (text_equal(name, text_of(OPTIONS[o].name)) && truth == OPTIONS[o].spares) alt->flags |= ALT_SPARED;
    }
}

/* A stub class: what `__init__` says it returns describes the instance: a container, a place, or the argument. */
const Value *construct(Eval *eval, ExprId expr, EntryId class_entry, const Args *args) {
    Inference *inference = eval->inference;
    const Known *known = inference->known;
    EntryId init = rulebook_member(inference->book, class_entry, TEXT("__init__"));
    Alt alt = {.kind = KIND_OBJECT, .id = class_entry, .confidence = CONFIDENCE_CERTAIN, .pinned = TRI_NO};
    if (known->module && rulebook_inherits(inference->book, class_entry, known->module))
        alt.device = inference->default_cuda ? DEVICE_CUDA : DEVICE_CPU;
    const Value *made = init ? apply_entry(eval, expr, EFFECT_OWN, init, NULL, args) : NULL;
    note_options(eval, args, &alt);
    if (!made) return value_of(&inference->values, alt);
    const Value *result = NULL;
    for (uint32_t i = 0; i < made->count; i++) {
        const Alt *part = &made->alts[i];
        if (part->kind == KIND_UNKNOWN || part->kind == KIND_NONE || part->kind == KIND_HOST) {
            result = join(eval, result, value_of(&inference->values, alt));
        } else if (class_entry == known->tensor && part->kind == KIND_TENSOR) { /* torch.Tensor(data) */
            result = join(eval, result, alt_value(eval, part));
        } else if (class_entry == known->parameter && part->kind == KIND_TENSOR) {
            Alt lazy = *part;
            lazy.flags |= ALT_LAZY | ALT_GRADIENT;
            result = join(eval, result, value_of(&inference->values, lazy));
        } else if (part->kind == KIND_CONTAINER) {
            Alt with = alt;
            with.object = part->object;
            result = join(eval, result, value_of(&inference->values, with));
        } else if (part->kind == KIND_TENSOR) {
            Alt with = alt;
            with.device = part->device;
            with.confidence = part->confidence;
            with.origin = part->origin;
            result = join(eval, result, value_of(&inference->values, with));
        } else {
            Alt other = *part;
            other.flags |= alt.flags & ALT_SPARED;
            result = join(eval, result, value_of(&inference->values, other));
        }
    }
    return result;
}

/* ---- what is called ---- */

bool args_hold(Eval *eval, const Args *args, Device device, Alt *witness) {
    for (uint32_t i = 0; i < args->count + args->named_count; i++) {
        const Value *value = i < args->count ? args->values[i] : args->named[i - args->count];
        for (uint32_t a = 0; value && a < value->count; a++) {
            const Alt *alt = &value->alts[a];
            if (alt->kind == KIND_TENSOR && alt->device == device) return *witness = *alt, true;
            if (alt->kind != KIND_CONTAINER) continue;
            const Value *inner = object_any(eval, alt->object);
            for (uint32_t b = 0; inner && b < inner->count; b++)
                if (inner->alts[b].kind == KIND_TENSOR && inner->alts[b].device == device)
                    return *witness = inner->alts[b], true;
        }
    }
    return false;
}

/* A call that cannot be followed, given GPU tensors, most often gives GPU tensors in some structure. That alone is
   only possible; how the result is used may make it likely. */
static const Value *unknown_result(Eval *eval, ExprId expr, const Args *args) {
    Alt witness;
    vec_push(eval->inference->arena, &eval->context->unseen, expr);
    if (!args_hold(eval, args, DEVICE_CUDA, &witness) || witness.confidence < CONFIDENCE_LIKELY)
        return kind_value(eval, KIND_UNKNOWN);
    Alt guess = alt_tensor(DEVICE_CUDA, CONFIDENCE_POSSIBLE, origin_add(&eval->inference->values,
        (Origin){.kind = ORIGIN_RESULT, .confidence = CONFIDENCE_POSSIBLE, .file = eval->file_id,
                 .span = eval->model->exprs.items[expr].span, .parent = witness.origin}));
    guess.flags = ALT_BATCH | ALT_GUESS;
    return value_of(&eval->inference->values, guess);
}

/* nn.Sequential and the like: the parts are called one after the other. */
static const Value *call_parts(Eval *eval, ExprId expr, const Alt *alt, const Args *args) {
    const Inference *inference = eval->inference;
    Args next = *args;
    const Value *value = NULL;
    for (uint32_t i = 0; i <= inference->objects.items[alt->object].keys.count; i++) {
        bool rest = i == inference->objects.items[alt->object].keys.count;
        const Value *part = rest ? store_read(eval->inference, eval->id, inference->objects.items[alt->object].rest)
            : store_read(eval->inference, eval->id, inference->objects.items[alt->object].key_slots.items[i]);
        if (!part) continue;
        Alt parts[VALUE_ALTS];
        for (uint32_t a = 0; a < part->count; a++) {
            parts[a] = part->alts[a];
            if (alt->device == DEVICE_CUDA && (parts[a].kind == KIND_INSTANCE || parts[a].kind == KIND_OBJECT))
                parts[a].device = DEVICE_CUDA, parts[a].origin = alt->origin, parts[a].confidence = alt->confidence;
        }
        value = call_value(eval, expr, value_from(&eval->inference->values, parts, part->count), &next);
        next.values[0] = value;
    }
    return value;
}

static const Value *call_instance(Eval *eval, ExprId expr, const Alt *alt, const Args *args) {
    const Known *known = eval->inference->known;
    EntryId entry = 0;
    Sym names[] = {known->call, known->forward};
    for (size_t i = 0; i < 2; i++) {
        const Value *method = class_member(eval, alt->id, names[i], &entry);
        if (value_has(method, KIND_FUNCTION) || (method && !value_has(method, KIND_UNKNOWN)))
            return call_method(eval, expr, alt_value(eval, alt), names[i], args);
    }
    EntryId member = entry ? rulebook_member(eval->inference->book, entry, TEXT("__call__")) : 0;
    if (member) return apply_entry(eval, expr, EFFECT_OWN, member, alt_value(eval, alt), args);
    return unknown_result(eval, expr, args);
}

static const Value *call_object(Eval *eval, ExprId expr, const Alt *alt, const Args *args) {
    const Inference *inference = eval->inference;
    if (alt->id == inference->known->sequential && alt->object) return call_parts(eval, expr, alt, args);
    EntryId member = rulebook_member(inference->book, alt->id, TEXT("__call__"));
    const Value *receiver = alt_value(eval, alt);
    if (alt->id == inference->known->module) vec_push(eval->inference->arena, &eval->context->unseen, expr);
    return member ? apply_entry(eval, expr, EFFECT_OWN, member, receiver, args) : unknown_result(eval, expr, args);
}

/* What prints or logs an object of the program runs its __str__ or __repr__. */
static void run_text_methods(Eval *eval, ExprId expr, Text api, const Args *args) {
    static const char *const PRINTERS[] = {"builtins.print", "builtins.str", "builtins.repr", "builtins.format"};
    bool prints = text_starts(api, TEXT("logging."));
    for (size_t i = 0; i < sizeof PRINTERS / sizeof *PRINTERS; i++) prints |= text_equal(api, text_of(PRINTERS[i]));
    for (uint32_t i = 0; prints && i < args->count; i++)
        for (uint32_t a = 0; args->values[i] && a < args->values[i]->count; a++)
            run_text_method(eval, expr, &args->values[i]->alts[a]);
}

static bool takes_receiver(const Rulebook *book, const Entry *entry) {
    if (book->entries[entry->parent].kind != ENTRY_CLASS || !entry->clause_count) return false;
    const Clause *clause = &book->clauses[entry->first_clause];
    for (uint32_t e = 0; e < clause->effect_count; e++)
        if (book->effects[clause->first_effect + e].word == EFF_staticmethod) return false;
    return true;
}

static const Value *call_entry(Eval *eval, ExprId expr, const Alt *alt, const Args *args) {
    const Entry *entry = &eval->inference->book->entries[alt->id];
    bool handled = false;
    run_text_methods(eval, expr, rulebook_text(eval->inference->book, entry->qualified), args);
    const Value *value = call_builtin(eval, expr, alt->id, args, &handled);
    if (handled) return value;
    if (entry->kind == ENTRY_CLASS) return construct(eval, expr, alt->id, args);
    const Value *receiver = bound_receiver(eval, alt);
    Args copy = *args;
    if (!receiver && copy.count && takes_receiver(eval->inference->book, entry)) { /* torch.Tensor.item(t), nn.Module.forward(self, x) */
        receiver = copy.values[0];
        memmove(copy.values, copy.values + 1, sizeof *copy.values * (ARGUMENTS - 1));
        memmove(copy.exprs, copy.exprs + 1, sizeof *copy.exprs * (ARGUMENTS - 1));
        copy.count--;
    }
    return apply_entry(eval, expr, EFFECT_OWN, alt->id, receiver, &copy);
}

static const Value *call_partial(Eval *eval, ExprId expr, const Alt *alt, const Args *args) {
    const Inference *inference = eval->inference;
    const Value *callee = object_get(eval, alt->object, position_key(0));
    Args all = {0};
    for (uint32_t i = 1; object_has(inference, alt->object, position_key(i)); i++)
        push_value(&all, expr, object_get(eval, alt->object, position_key(i)));
    for (uint32_t i = 0; i < args->count; i++) push_value(&all, args->exprs[i], args->values[i]);
    for (uint32_t k = 0; k < inference->objects.items[alt->object].keys.count; k++) {
        uint32_t key = inference->objects.items[alt->object].keys.items[k];
        if (!(key & 1)) push_named(&all, key >> 1, expr, object_get(eval, alt->object, key));
    }
    for (uint32_t i = 0; i < args->named_count; i++)
        push_named(&all, args->names[i], args->named_exprs[i], args->named[i]);
    return eval->depth < CALL_DEPTH ? call_value(eval, expr, callee, &all) : NULL;
}

static const Value *call_alt(Eval *eval, ExprId expr, const Alt *alt, const Args *args) {
    bool handled = false;
    switch ((Kind)alt->kind) {
    case KIND_FUNCTION: return call_function(eval, expr, alt->id, bound_receiver(eval, alt), args, RATE_CALL);
    case KIND_CLASS: return instantiate(eval, expr, alt->id, args);
    case KIND_INSTANCE: return call_instance(eval, expr, alt, args);
    case KIND_OBJECT: return call_object(eval, expr, alt, args);
    case KIND_ENTRY: return call_entry(eval, expr, alt, args);
    case KIND_PARTIAL: return call_partial(eval, expr, alt, args);
    case KIND_NATIVE: {
        const Value *receiver = bound_receiver(eval, alt), *result = NULL;
        for (uint32_t i = 0; receiver && i < receiver->count; i++)
            result = join(eval, result, call_native(eval, expr, &receiver->alts[i], alt->id, args, &handled));
        return result ? result : kind_value(eval, KIND_UNKNOWN);
    }
    case KIND_NONE: return NULL;
    case KIND_HOST: case KIND_TEXT: case KIND_NUMBER: return kind_value(eval, KIND_HOST);
    case KIND_NUMPY: return kind_value(eval, KIND_NUMPY);
    default: return unknown_result(eval, expr, args);
    }
}

const Value *call_value(Eval *eval, ExprId expr, const Value *callee, const Args *args) {
    const Value *result = NULL;
    for (uint32_t i = 0; callee && i < callee->count; i++)
        result = join(eval, result, call_alt(eval, expr, &callee->alts[i], args));
    return result;
}

/* ---- methods ---- */

static const Value *unknown_method(Eval *eval, ExprId expr, const Alt *alt, Sym name, const Args *args);

void run_text_method(Eval *eval, ExprId expr, const Alt *alt) {
    if (alt->kind != KIND_INSTANCE) return;
    static const char *const METHODS[] = {"__str__", "__format__", "__repr__"};
    for (size_t i = 0; i < sizeof METHODS / sizeof *METHODS; i++) {
        EntryId entry = 0;
        Sym name = names_find(&eval->inference->program->names, text_of(METHODS[i]));
        if (!name || !value_has(class_member(eval, alt->id, name, &entry), KIND_FUNCTION)) continue;
        call_method(eval, expr, alt_value(eval, alt), name, &(Args){0});
        return;
    }
}

static const Value *entry_method(Eval *eval, ExprId expr, EntryId class_entry, const Alt *alt, Sym name, const Args *args) {
    const Inference *inference = eval->inference;
    run_text_methods(eval, expr, rulebook_text(inference->book, inference->book->entries[class_entry].qualified), args);
    EntryId entry = rulebook_member(inference->book, class_entry, names_text(&inference->program->names, name));
    if (!entry) entry = inference->book->entries[class_entry].fallback;
    if (!entry) return NULL;
    if (inference->book->entries[entry].kind == ENTRY_CLASS) return construct(eval, expr, entry, args);
    if (inference->book->entries[entry].kind == ENTRY_VALUE)
        return call_value(eval, expr, apply_attribute(eval, expr, entry, alt_value(eval, alt)), args);
    return apply_entry(eval, expr, EFFECT_OWN, entry, alt_value(eval, alt), args);
}

/* A guess that is used as only tensors are is a tensor: two weak signs make a likely one. */
static Alt surer_by_use(Eval *eval, const Alt *alt, Sym name) {
    const char *const signs[] = {"item", "cpu", "detach", "backward", "tolist", "argmax", "softmax", "mean", "sum",
                                 "max", "float", "view", "size", "squeeze", "unsqueeze", "sigmoid", "numel", "cuda", "to"};
    Alt surer = *alt;
    Text text = names_text(&eval->inference->program->names, name);
    for (size_t i = 0; (alt->flags & ALT_GUESS) && i < sizeof signs / sizeof *signs; i++)
        if (text_equal(text, text_of(signs[i]))) {
            surer.confidence = CONFIDENCE_LIKELY;
            surer.flags &= (uint8_t) ~(ALT_GUESS | ALT_BATCH);
        }
    return surer;
}

static const Value *batch_method(Eval *eval, ExprId expr, const Alt *alt, Sym name) {
    Text text = names_text(&eval->inference->program->names, name);
    Inference *inference = eval->inference;
    bool items = text_equal(text, TEXT("items"));
    if (!items && !text_equal(text, TEXT("values")) && !text_equal(text, TEXT("keys")) && !text_equal(text, TEXT("pop")) &&
        !text_equal(text, TEXT("get")))
        return NULL;
    if (text_equal(text, TEXT("pop")) || text_equal(text, TEXT("get"))) return alt_value(eval, alt);
    ObjectId list = store_object(inference, STORE_PART, eval->id, (uint64_t)expr << 8 | 3, FLAVOUR_ITERATOR);
    if (text_equal(text, TEXT("keys"))) {
        object_add(eval, list, kind_value(eval, KIND_TEXT));
    } else if (items) {
        ObjectId pair = store_object(inference, STORE_PART, eval->id, (uint64_t)expr << 8 | 4, FLAVOUR_TUPLE);
        store_write(inference, object_slot(inference, pair, position_key(0)), kind_value(eval, KIND_TEXT));
        store_write(inference, object_slot(inference, pair, position_key(1)), alt_value(eval, alt));
        object_add(eval, list, object_value(eval, pair));
    } else {
        object_add(eval, list, alt_value(eval, alt));
    }
    return object_value(eval, list);
}

static const Value *tensor_method(Eval *eval, ExprId expr, const Alt *alt, Sym name, const Args *args) {
    Alt surer = surer_by_use(eval, alt, name);
    if (surer.flags & ALT_BATCH) {
        const Value *value = batch_method(eval, expr, &surer, name);
        if (value) return value;
        Text text = names_text(&eval->inference->program->names, name);
        if (!rulebook_child(eval->inference->book, eval->inference->known->tensor, text)) return alt_value(eval, &surer);
    }
    return entry_method(eval, expr, eval->inference->known->tensor, &surer, name, args);
}

static const Value *register_tensor(Eval *eval, const Alt *alt, const Args *args) {
    if (args->count < 2 || !args->values[0] || args->values[0]->alts[0].kind != KIND_TEXT) return NULL;
    const Value *tensor = only_kind(eval, args->values[1], KIND_TENSOR);
    if (!tensor) return NULL;
    Alt lazy = tensor->alts[0];
    lazy.flags |= ALT_LAZY;
    SlotId slot = store_slot(eval->inference, STORE_ATTRIBUTE, alt->id, args->values[0]->alts[0].id);
    store_write(eval->inference, slot, value_of(&eval->inference->values, lazy));
    return kind_value(eval, KIND_NONE);
}

static const Value *instance_method(Eval *eval, ExprId expr, const Alt *alt, Sym name, const Args *args) {
    EntryId entry = 0;
    const Value *member = class_member(eval, alt->id, name, &entry);
    if (member && !(entry && value_only(member, KIND_UNKNOWN))) {
        const Value *result = NULL;
        for (uint32_t i = 0; i < member->count; i++) {
            const Alt *method = &member->alts[i];
            const Value *bound = method->kind == KIND_FUNCTION && !method->object ? NULL : alt_value(eval, method);
            if (!bound) bound = eval_attribute(eval, expr, alt_value(eval, alt), name);
            if (method->kind == KIND_FUNCTION && !method->object) {
                result = join(eval, result, call_value(eval, expr, only_kind(eval, bound, KIND_FUNCTION), args));
                continue;
            }
            Alt follower = *method; /* a submodule is where its owner is */
            if (alt->device == DEVICE_CUDA && is_module_alt(eval, method))
                follower.device = DEVICE_CUDA, follower.origin = alt->origin, follower.confidence = alt->confidence;
            result = join(eval, result, call_alt(eval, expr, &follower, args));
        }
        return result;
    }
    Text text = names_text(&eval->inference->program->names, name);
    if (entry && (text_equal(text, TEXT("register_buffer")) || text_equal(text, TEXT("register_parameter")))) {
        const Value *done = register_tensor(eval, alt, args);
        if (done) return done;
    }
    const Value *value = entry ? entry_method(eval, expr, entry, alt, name, args) : NULL;
    return value ? value : unknown_result(eval, expr, args);
}

static const Value *object_method(Eval *eval, ExprId expr, const Alt *alt, Sym name, const Args *args) {
    const Known *known = eval->inference->known;
    Text text = names_text(&eval->inference->program->names, name);
    bool list = alt->id == known->module_list || alt->id == known->module_dict || alt->id == known->sequential;
    bool moves = text_equal(text, TEXT("to")) || text_equal(text, TEXT("cuda"));
    if (list && alt->object && !moves) {
        bool handled = false;
        const Value *value = call_native(eval, expr, alt, name, args, &handled);
        if (handled) return value;
    }
    SlotId slot = store_slot(eval->inference, STORE_ENTRY_ATTRIBUTE, alt->id, name);
    const Value *assigned = store_read(eval->inference, eval->id, slot);
    if (assigned) return call_value(eval, expr, assigned, args);
    const Value *value = entry_method(eval, expr, alt->id, alt, name, args);
    return value ? value : unknown_result(eval, expr, args);
}

static const Value *alt_method(Eval *eval, ExprId expr, const Alt *alt, Sym name, const Args *args) {
    const Known *known = eval->inference->known;
    bool handled = false;
    switch ((Kind)alt->kind) {
    case KIND_TENSOR: return tensor_method(eval, expr, alt, name, args);
    case KIND_INSTANCE: return instance_method(eval, expr, alt, name, args);
    case KIND_OBJECT: return object_method(eval, expr, alt, name, args);
    case KIND_NUMPY: {
        const Value *value = entry_method(eval, expr, known->ndarray, alt, name, args);
        return value ? value : kind_value(eval, KIND_NUMPY);
    }
    case KIND_CONTAINER: {
        const Value *value = call_native(eval, expr, alt, name, args, &handled);
        return handled ? value : kind_value(eval, KIND_UNKNOWN);
    }
    case KIND_TEXT: {
        const Value *value = known->str ? entry_method(eval, expr, known->str, alt, name, args) : NULL;
        return value ? value : kind_value(eval, KIND_TEXT);
    }
    case KIND_NUMBER: case KIND_HOST: case KIND_DTYPE: case KIND_DEVICE: return kind_value(eval, KIND_HOST);
    case KIND_NONE: return NULL;
    case KIND_UNKNOWN: return unknown_method(eval, expr, alt, name, args);
    default: return call_value(eval, expr, eval_attribute(eval, expr, alt_value(eval, alt), name), args);
    }
}

const Value *call_method(Eval *eval, ExprId expr, const Value *receiver, Sym name, const Args *args) {
    const Value *result = NULL;
    const Value *tensors = only_kind(eval, receiver, KIND_TENSOR);
    bool doubt = eval->doubt;
    if (tensors && tensors->count > 1 && !(tensors->alts[0].flags & ALT_BATCH)) {
        eval->doubt = value_drop(&eval->inference->values, receiver, KIND_NONE)->count > tensors->count;
        EntryId entry = rulebook_member(eval->inference->book, eval->inference->known->tensor,
                                        names_text(&eval->inference->program->names, name));
        if (entry) result = apply_entry(eval, expr, EFFECT_OWN, entry, tensors, args);
        else tensors = NULL;
    } else {
        tensors = NULL;
    }
    eval->doubt = doubt || (receiver && value_drop(&eval->inference->values, receiver, KIND_NONE) != receiver
                                ? false : receiver && receiver->count > 1);
    for (uint32_t i = 0; receiver && i < receiver->count; i++)
        if (!tensors || receiver->alts[i].kind != KIND_TENSOR)
            result = join(eval, result, alt_method(eval, expr, &receiver->alts[i], name, args));
    eval->doubt = doubt;
    return result;
}

/* A method of something unknown. What only tensors have makes it a tensor; where it is, is not known, except that
   nobody writes `.cpu()` or `.backward()` on what is not on the GPU: likely. */
static const Value *unknown_method(Eval *eval, ExprId expr, const Alt *alt, Sym name, const Args *args) {
    const Inference *inference = eval->inference;
    Text text = names_text(&inference->program->names, name);
    static const struct { const char *name; uint8_t device, confidence; } SIGNS[] = {
        {"backward", DEVICE_CUDA, CONFIDENCE_LIKELY}, {"cpu", DEVICE_CUDA, CONFIDENCE_LIKELY},
        {"detach", DEVICE_CUDA, CONFIDENCE_POSSIBLE}, {"item", DEVICE_CUDA, CONFIDENCE_POSSIBLE},
        {"requires_grad_", DEVICE_UNKNOWN, CONFIDENCE_POSSIBLE}, {"unsqueeze", DEVICE_UNKNOWN, CONFIDENCE_POSSIBLE},
        {"masked_fill", DEVICE_UNKNOWN, CONFIDENCE_POSSIBLE}, {"permute", DEVICE_UNKNOWN, CONFIDENCE_POSSIBLE},
        {"contiguous", DEVICE_UNKNOWN, CONFIDENCE_POSSIBLE}, {"softmax", DEVICE_UNKNOWN, CONFIDENCE_POSSIBLE},
        {"log_softmax", DEVICE_UNKNOWN, CONFIDENCE_POSSIBLE}, {"numel", DEVICE_UNKNOWN, CONFIDENCE_POSSIBLE},
        {"to", DEVICE_UNKNOWN, CONFIDENCE_LIKELY}, {"cuda", DEVICE_UNKNOWN, CONFIDENCE_LIKELY},
        {"nonzero", DEVICE_UNKNOWN, CONFIDENCE_POSSIBLE}, {"masked_select", DEVICE_UNKNOWN, CONFIDENCE_POSSIBLE},
    };
    for (size_t i = 0; i < sizeof SIGNS / sizeof *SIGNS; i++) {
        if (!text_equal(text, text_of(SIGNS[i].name))) continue;
        OriginId origin = origin_add(&eval->inference->values,
            (Origin){.kind = ORIGIN_USE, .confidence = SIGNS[i].confidence, .file = eval->file_id,
                     .span = eval->model->exprs.items[expr].span});
        Alt tensor = alt_tensor((Device)SIGNS[i].device, (Confidence)SIGNS[i].confidence, origin);
        return entry_method(eval, expr, inference->known->tensor, &tensor, name, args);
    }
    (void)alt;
    return unknown_result(eval, expr, args);
}

/* super().method(...): the bases of the class whose body this function stands in. */
const Value *call_super(Eval *eval, ExprId expr, Sym name, const Args *args) {
    Inference *inference = eval->inference;
    FuncId func = eval->func_id;
    while (func && !eval->model->funcs.items[func].class_id) func = eval->model->funcs.items[func].parent;
    if (!func) return kind_value(eval, KIND_UNKNOWN);
    GlobalClass class_id = eval->file->class_base + eval->model->funcs.items[func].class_id;
    const ClassInfo *info = class_info(inference, class_id);
    const Value *self = func == eval->func_id && eval->func->param_count ? eval->context->args[0] : NULL;
    if (eval->func->local_count && !self) self = eval->env[1];
    for (uint32_t i = 0; i < info->base_count; i++) {
        for (uint32_t a = 0; info->bases[i] && a < info->bases[i]->count; a++) {
            const Alt *base = &info->bases[i]->alts[a];
            EntryId entry = base->kind == KIND_ENTRY ? base->id : 0;
            const Value *member = base->kind == KIND_CLASS ? class_member(eval, base->id, name, &entry) : NULL;
            if (value_has(member, KIND_FUNCTION))
                return call_function(eval, expr, only_kind(eval, member, KIND_FUNCTION)->alts[0].id, self, args, RATE_CALL);
            if (!entry || !self) continue;
            if (name == inference->known->init) return kind_value(eval, KIND_NONE);
            const Value *value = entry_method(eval, expr, entry, &self->alts[0], name, args);
            if (value) return value;
        }
    }
    return name == inference->known->init ? kind_value(eval, KIND_NONE) : unknown_result(eval, expr, args);
}

static bool is_super(const Eval *eval, ExprId id) {
    const Expr *call = &eval->model->exprs.items[id];
    if (call->kind != EXPR_CALL) return false;
    const Expr *callee = &eval->model->exprs.items[call->a];
    return callee->kind == EXPR_NAME && text_equal(model_name(eval->model, callee->name), TEXT("super"));
}

const Value *eval_call(Eval *eval, ExprId id) {
    const Expr *call = &eval->model->exprs.items[id];
    const Expr *callee = &eval->model->exprs.items[call->a];
    Args args = {0};
    effects_clear(eval, id, EFFECT_OWN);
    if (callee->kind == EXPR_ATTRIBUTE) {
        Sym name = sym_of(eval, callee->name);
        if (is_super(eval, callee->a)) {
            eval_args(eval, call, &args);
            return call_super(eval, id, name, &args);
        }
        const Value *object = eval_expr(eval, callee->a);
        const Value *path = callee->slot ? eval->env[callee->slot] : NULL;
        eval_args(eval, call, &args);
        args.receiver_expr = callee->a;
        return path ? call_value(eval, id, path, &args) : call_method(eval, id, object, name, &args);
    }
    const Value *value = eval_expr(eval, call->a);
    eval_args(eval, call, &args);
    return call_value(eval, id, value, &args);
}
