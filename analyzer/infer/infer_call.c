/* Calls: who is called, with what, and what comes back. */
#include "interpret.h"

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
    args->star_length += value && value->count == 1 && value->alts[0].kind == KIND_CONTAINER
                             ? inference->objects.items[value->alts[0].object].length
                             : 0;
    args->star_value = join_values(eval, args->star_value, element_of(eval, 0, value, false));
}

/* f(**options): known names become keywords. */
static void push_double_star(Eval *eval, Args *args, ExprId expr, const Value *value) {
    const Inference *inference = eval->inference;
    args->double_star = true;
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        if (alt->kind != KIND_CONTAINER) {
            args->double_star_value = join_values(eval, args->double_star_value, alt_value(eval, alt));
            continue;
        }
        for (uint32_t k = 0; k < inference->objects.items[alt->object].keys.count; k++) {
            uint32_t key = inference->objects.items[alt->object].keys.items[k];
            const Value *own = key & 1 ? NULL : object_own(eval, alt->object, key);
            if (!(key & 1)) push_named(args, key >> 1, expr, own ? own : object_get(eval, alt->object, key));
        }
        args->double_star_value =
            join_values(eval, args->double_star_value,
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

/* processor(text, return_tensors="pt"): nothing but tokenizers and processors takes that; they work on the CPU, unless
   they are given GPU tensors or a device. */
static const Value *tokenized(Eval *eval, ExprId expr, const Args *args) {
    const Rulebook *book = eval->inference->book;
    Alt witness;
    bool asks = false;
    for (uint32_t i = 0; i < args->named_count; i++) {
        Text name = sym_text(eval, args->names[i]);
        const Value *value = args->named[i];
        bool text = value && value->count == 1 && value->alts[0].kind == KIND_TEXT && value->alts[0].id;
        if (text_equal(name, TEXT("device"))) return NULL;
        asks |= text && text_equal(name, TEXT("return_tensors")) &&
                text_equal(sym_text(eval, value->alts[0].id), TEXT("pt"));
    }
    EntryId made = asks ? rulebook_find(book, TEXT("transformers.PreTrainedTokenizerBase.__call__")) : 0;
    if (!made || args_hold(eval, args, DEVICE_CUDA, &witness)) return NULL;
    return value_lower(&eval->inference->values, apply_entry(eval, expr, EFFECT_OWN, made, NULL, args),
                       CONFIDENCE_LIKELY);
}

/* is_image(x), F._is_pil(x), has_nodes(batch): the answer is yes or no. */
static bool asks_whether(const Eval *eval, ExprId id) {
    const Expr *call = &eval->model->exprs.items[id];
    if (call->kind != EXPR_CALL) return false;
    const Expr *callee = &eval->model->exprs.items[call->a];
    if (callee->kind != EXPR_NAME && callee->kind != EXPR_ATTRIBUTE) return false;
    Text name = model_name(eval->model, callee->name);
    while (name.length && name.bytes[0] == '_') name = text_slice(name, 1, name.length);
    return text_starts(name, TEXT("is_")) || text_starts(name, TEXT("has_"));
}

/* A call that cannot be followed, given GPU tensors, most often gives GPU tensors in some structure. That alone is
   only possible; how the result is used may make it likely. */
const Value *unknown_result(Eval *eval, ExprId expr, const Args *args) {
    Alt witness;
    const Value *tokens = tokenized(eval, expr, args);
    if (tokens) return tokens;
    vec_push(eval->inference->arena, &eval->context->unseen, expr);
    if (!args_hold(eval, args, DEVICE_CUDA, &witness) || witness.confidence < CONFIDENCE_LIKELY ||
        asks_whether(eval, expr))
        return kind_value(eval, KIND_UNKNOWN);
    Alt guess =
        alt_tensor(DEVICE_CUDA, CONFIDENCE_POSSIBLE,
                   origin_add(&eval->inference->values, (Origin){.kind = ORIGIN_RESULT,
                                                                 .confidence = CONFIDENCE_POSSIBLE,
                                                                 .file = eval->file_id,
                                                                 .span = eval->model->exprs.items[expr].span,
                                                                 .parent = witness.origin}));
    guess.flags = ALT_BATCH | ALT_GUESS;
    return value_of(&eval->inference->values, guess);
}

/* nn.Sequential and the like: the parts are called one after the other. */
static const Value *call_parts_in_turn(Eval *eval, ExprId expr, const Alt *alt, const Args *args) {
    const Inference *inference = eval->inference;
    Args next = *args;
    const Value *value = NULL;
    for (uint32_t i = 0; i <= inference->objects.items[alt->object].keys.count; i++) {
        bool rest = i == inference->objects.items[alt->object].keys.count;
        const Value *part =
            rest ? store_read(eval->inference, eval->id, inference->objects.items[alt->object].rest)
                 : store_read(eval->inference, eval->id, inference->objects.items[alt->object].key_slots[i]);
        if (!part) continue;
        double before = eval->times;
        uint32_t length = rest ? inference->objects.items[alt->object].length : 1;
        if (length > 1) eval->times = (before > 1 ? before : 1) * length;
        Alt parts[VALUE_ALTS];
        for (uint32_t a = 0; a < part->count; a++) {
            parts[a] = part->alts[a];
            if (alt->device == DEVICE_CUDA && (parts[a].kind == KIND_INSTANCE || parts[a].kind == KIND_OBJECT))
                parts[a].device = DEVICE_CUDA, parts[a].origin = alt->origin,
                parts[a].confidence = alt->confidence;
        }
        value = call_value(eval, expr, value_from(&eval->inference->values, parts, part->count), &next);
        next.values[0] = value;
        eval->times = before;
    }
    return value;
}

/* Alike parts add up within one pass, and only there: evaluated again, a call is still one call. */
static const Value *call_parts(Eval *eval, ExprId expr, const Alt *alt, const Args *args) {
    uint32_t outer = eval->pass;
    if (!outer) eval->pass = ++eval->context->passes;
    const Value *value = call_parts_in_turn(eval, expr, alt, args);
    eval->pass = outer;
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
    EntryId member = entry ? member_of(eval->inference, entry, TEXT("__call__")) : 0;
    if (member) return apply_entry(eval, expr, EFFECT_OWN, member, alt_value(eval, alt), args);
    return unknown_result(eval, expr, args);
}

/* What a model gives of which nothing is in sight is a tensor, or a structure of tensors (`model(**batch).logits`). */
static const Value *call_object(Eval *eval, ExprId expr, const Alt *alt, const Args *args) {
    const Inference *inference = eval->inference;
    if (alt->id == inference->known->sequential && alt->object) return call_parts(eval, expr, alt, args);
    EntryId member = member_of(inference, alt->id, TEXT("__call__"));
    const Value *receiver = alt_value(eval, alt);
    if (!member) return unknown_result(eval, expr, args);
    const Value *given = apply_entry(eval, expr, EFFECT_OWN, member, receiver, args);
    if (alt->id != inference->known->module) return given;
    vec_push(eval->inference->arena, &eval->context->unseen, expr);
    return value_flagged(&eval->inference->values, given, ALT_BATCH);
}

/* What prints or logs an object of the program runs its __str__ or __repr__. */
void run_text_methods(Eval *eval, ExprId expr, Text api, const Args *args) {
    static const char *const PRINTERS[] = {"builtins.print", "builtins.str", "builtins.repr",
                                           "builtins.format"};
    if (text_starts(api, TEXT("torch."))) return; /* as most are */
    bool prints = text_starts(api, TEXT("logging."));
    for (size_t i = 0; i < sizeof PRINTERS / sizeof *PRINTERS; i++) prints |= text_is(api, PRINTERS[i]);
    for (uint32_t i = 0; prints && i < args->count; i++)
        for (uint32_t a = 0; args->values[i] && a < args->values[i]->count; a++)
            run_text_method(eval, expr, &args->values[i]->alts[a]);
}

static bool takes_receiver(const Rulebook *book, const Entry *entry) {
    if (book->entries[entry->parent].kind != ENTRY_CLASS || !entry->clause_count) return false;
    const Clause *clause = &book->clauses[entry->first_clause];
    for (uint32_t e = 0; e < clause->effect_count; e++) {
        uint16_t word = book->effects[clause->first_effect + e].word;
        if (word == EFF_staticmethod || word == EFF_classmethod) return false;
    }
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
    if (alt->id == eval->inference->known->operation_apply && value_only(receiver, KIND_CLASS)) {
        value = apply_operation(eval, expr, receiver->alts[0].id, args);
        if (value && !value_only(value, KIND_UNKNOWN)) return value;
        receiver = NULL;
    }
    Args copy = *args;
    if (!receiver && copy.count &&
        takes_receiver(eval->inference->book, entry)) { /* torch.Tensor.item(t), nn.Module.forward(self, x) */
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

/* A module that was made on the CPU and is called with GPU tensors was moved on a way that we did not see: by what
   holds it, or in place under another name. Where its own code moves some of its Parameters, nothing else may. */
static Alt moved_by_now(Eval *eval, const Alt *alt, const Args *args) {
    Alt moved = *alt, witness;
    if (alt->device != DEVICE_CPU || !is_module_alt(eval, alt)) return moved;
    if (!args_hold(eval, args, DEVICE_CUDA, &witness)) return moved;
    moved.device = DEVICE_CUDA;
    moved.confidence = (uint8_t)confidence_min((Confidence)alt->confidence, (Confidence)witness.confidence);
    moved.origin = witness.origin;
    if (alt->kind == KIND_INSTANCE && moves_parameters(eval->inference, alt->id))
        moved.confidence = CONFIDENCE_POSSIBLE;
    return moved;
}

/* Of `type(batch)` and `batch.__class__`, whether that is a batch of a loader, of whatever structure. */
static bool asks_batch(Eval *eval, const Expr *type) {
    const Expr *name = &eval->model->exprs.items[type->a];
    bool called = type->kind == EXPR_CALL && name->kind == EXPR_NAME && type->list.count == 1 &&
                  text_equal(model_name(eval->model, name->name), TEXT("type"));
    bool read = type->kind == EXPR_ATTRIBUTE && sym_of(eval, type->name) == eval->inference->known->class_name;
    if (!called && !read) return false;
    ExprId of = called ? eval->model->links.items[type->list.first] : type->a;
    const Value *value = infer_fact(eval->context, eval->model, of);
    for (uint32_t i = 0; value && i < value->count; i++)
        if (!(value->alts[i].flags & ALT_BATCH) || (value->alts[i].flags & ALT_GUESS)) return false;
    return value_only(value, KIND_TENSOR);
}

/* `type(batch)(to_device(part) for part in batch)`: the same again, of other parts. NULL: it is no such call. */
static const Value *rebuilt(Eval *eval, ExprId expr, const Args *args) {
    const Expr *call = &eval->model->exprs.items[expr];
    bool one = args->count == 1 && !args->named_count && value_only(args->values[0], KIND_CONTAINER);
    if (call->kind != EXPR_CALL || !one || !asks_batch(eval, &eval->model->exprs.items[call->a])) return NULL;
    const Alt *given = &args->values[0]->alts[0];
    bool dict = eval->inference->objects.items[given->object].flavour == FLAVOUR_DICT, handled = false;
    return dict ? args->values[0] : call_builtin(eval, expr, eval->inference->known->list, args, &handled);
}

static const Value *call_alt(Eval *eval, ExprId expr, const Alt *callee, const Args *args) {
    bool handled = false;
    Alt moved = moved_by_now(eval, callee, args);
    const Alt *alt = &moved;
    switch ((Kind)alt->kind) {
    case KIND_FUNCTION: return call_function(eval, expr, alt, bound_receiver(eval, alt), args);
    case KIND_CLASS:
        return alt->flags & ALT_GUESS ? unknown_result(eval, expr, args)
                                      : instantiate(eval, expr, alt->id, args);
    case KIND_INSTANCE: return call_instance(eval, expr, alt, args);
    case KIND_OBJECT: return call_object(eval, expr, alt, args);
    case KIND_ENTRY: return call_entry(eval, expr, alt, args);
    case KIND_PARTIAL: return call_partial(eval, expr, alt, args);
    case KIND_NATIVE: {
        const Value *receiver = bound_receiver(eval, alt), *result = NULL;
        for (uint32_t i = 0; receiver && i < receiver->count; i++)
            result =
                join_values(eval, result, call_native(eval, expr, &receiver->alts[i], alt->id, args, &handled));
        return result ? result : kind_value(eval, KIND_UNKNOWN);
    }
    case KIND_NONE: return NULL;
    case KIND_HOST:
    case KIND_TEXT:
    case KIND_NUMBER: return kind_value(eval, KIND_HOST);
    case KIND_NUMPY: return kind_value(eval, KIND_NUMPY);
    case KIND_UNKNOWN: {
        const Value *same = rebuilt(eval, expr, args);
        return same ? same : unknown_result(eval, expr, args);
    }
    default: return unknown_result(eval, expr, args);
    }
}

static bool takes_keyword(const SourceFile *file, const Func *func, Sym name) {
    for (uint32_t i = 0; i < func->param_count; i++) {
        const Param *param = &file->model->params.items[func->first_param + i];
        if (param->star == 2 || (!param->star && file->syms[param->name] == name)) return true;
    }
    return false;
}

/* Whether a function of the program can be called so: not too many arguments, and none too few. */
static bool fits(Eval *eval, const Alt *alt, const Args *args) {
    if (alt->kind != KIND_FUNCTION || args->star || args->double_star_value) return true;
    const SourceFile *file = source_of_func(eval->inference, alt->id);
    const Func *func = &file->model->funcs.items[alt->id - file->func_base];
    uint32_t given = args->count + (bound_receiver(eval, alt) != NULL), takes = 0;
    bool any = false;
    for (uint32_t i = 0; i < func->param_count; i++) {
        const Param *param = &file->model->params.items[func->first_param + i];
        any |= param->star == 1;
        if (param->star || param->keyword_only) continue;
        bool taken[ARGUMENTS];
        bool needed = !param->fallback && takes >= given;
        if (needed && !named_argument(args, file->syms[param->name], taken)) return false;
        takes++;
    }
    for (uint32_t k = 0; k < args->named_count; k++)
        if (!takes_keyword(file, func, args->names[k])) return false;
    return any || given <= takes;
}

/* Of several that may be called, those that can be called so; of hooks in a table each takes what its event gives. */
static bool some_fit(Eval *eval, const Value *callee, const Args *args) {
    for (uint32_t i = 0; callee->count > 1 && i < callee->count; i++)
        if (callee->alts[i].kind == KIND_FUNCTION && fits(eval, &callee->alts[i], args)) return true;
    return false;
}

const Value *call_value(Eval *eval, ExprId expr, const Value *callee, const Args *args) {
    if (!enter_nested(eval)) return kind_value(eval, KIND_UNKNOWN);
    const Value *result = NULL;
    uint16_t graphs = eval->graphs;
    bool choose = callee && some_fit(eval, callee, args);
    for (uint32_t i = 0; callee && i < callee->count; i++) {
        if (choose && !fits(eval, &callee->alts[i], args)) continue;
        eval->graphs = graphs | (callee->alts[i].flags & (ALT_CAPTURED | ALT_COMPILED));
        result = join_values(eval, result, call_alt(eval, expr, &callee->alts[i], args));
    }
    eval->graphs = graphs;
    eval->nesting--;
    return result;
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
        const Value *path = callee->slot ? env_get(eval->env, callee->slot) : NULL;
        eval_args(eval, call, &args);
        place_numbers(eval, name, &args);
        args.receiver_expr = callee->a;
        if (name == eval->inference->known->class_name)
            return call_value(eval, id, type_of(eval, object), &args);
        return path ? call_value(eval, id, path, &args) : call_method(eval, id, object, name, &args);
    }
    const Value *value = eval_expr(eval, call->a);
    if (id == eval->promised && value_only(value, KIND_UNKNOWN)) value = eval->promised_class;
    eval_args(eval, call, &args);
    return call_value(eval, id, value, &args);
}
