/* Arguments of a call: gathers them, binds them to parameters, and specialises the result of a shared context
   for its caller. */
#include "environment.h"

void args_push(Args *args, ExprId expr, const Value *value) {
    if (args->count >= ARGUMENTS) return;
    args->exprs[args->count] = expr;
    args->values[args->count++] = value;
}

void args_push_named(Args *args, Sym name, ExprId expr, const Value *value) {
    if (args->named_count >= ARGUMENTS) return;
    args->names[args->named_count] = name;
    args->named_exprs[args->named_count] = expr;
    args->named[args->named_count++] = value;
}

/* f(**options): known keys become keyword arguments. */
void args_push_mapping(Eval *eval, Args *args, ExprId expr, const Value *value) {
    const Inference *inference = eval->inference;
    args->double_star = true;
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        if (alt->kind != KIND_CONTAINER) {
            args->double_star_value = join_values(eval, args->double_star_value, alt_value(eval, alt));
            continue;
        }
        for (uint32_t k = 0; k < infer_object(inference, alt->object)->key_count; k++) {
            uint32_t key = object_keys(infer_object(inference, alt->object))[k].key;
            const Value *own = key & 1 ? NULL : object_own(eval, alt->object, key);
            if (!(key & 1))
                args_push_named(args, key >> 1, expr, own ? own : object_get(eval, alt->object, key));
        }
        args->double_star_value =
            join_values(eval, args->double_star_value,
                        store_read(eval->inference, eval->id, infer_object(inference, alt->object)->rest));
    }
}

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

static bool takes_keyword(const SourceFile *file, const Func *func, Sym name) {
    for (uint32_t i = 0; i < func->param_count; i++) {
        const Param *param = &file->model->params.items[func->first_param + i];
        if (param->star == 2 || (!param->star && file->syms[param->name] == name)) return true;
    }
    return false;
}

/* Whether a function of the program accepts the call: not too many arguments, none missing. */
bool args_fit(Eval *eval, const Alt *alt, const Args *args) {
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

/* Keeps the callees that accept the call; of hooks in a table each takes the arguments of its event. */
bool args_fit_some(Eval *eval, const Value *callee, const Args *args) {
    for (uint32_t i = 0; callee->count > 1 && i < callee->count; i++)
        if (callee->alts[i].kind == KIND_FUNCTION && args_fit(eval, &callee->alts[i], args)) return true;
    return false;
}

/* Numbers other than booleans do not distinguish contexts: f(1) and f(2) behave alike. */
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
    ObjectId object = object_part(eval, expr, PART_POSITIONAL, FLAVOUR_TUPLE);
    for (uint32_t i = from; i < args->count; i++)
        store_write(inference, object_slot(inference, object, position_key(i - from)), args->values[i]);
    if (args->star) object_add(eval, object, args->star_value);
    return object_value(eval, object);
}

static const Value *rest_named(Eval *eval, ExprId expr, const Args *args, const bool *taken) {
    Inference *inference = eval->inference;
    ObjectId object = object_part(eval, expr, PART_NAMED, FLAVOUR_DICT);
    for (uint32_t i = 0; i < args->named_count; i++)
        if (!taken[i])
            store_write(inference, object_slot(inference, object, name_key(args->names[i])), args->named[i]);
    if (args->double_star) object_add(eval, object, args->double_star_value);
    return object_value(eval, object);
}

const Value *named_argument(const Args *args, Sym name, bool *taken) {
    for (uint32_t i = 0; i < args->named_count; i++)
        if (args->names[i] == name) {
            taken[i] = true;
            return args->named[i];
        }
    return NULL;
}

/* f(*args): if numbers, devices and tensors are among them, it is unknown which parameter gets which. */
static const Value *any_of_them(Eval *eval, const Value *value) {
    bool tensor = value_has(value, KIND_TENSOR), other = false;
    for (uint32_t i = 0; value && i < value->count; i++) {
        uint8_t kind = value->alts[i].kind;
        other |= kind != KIND_TENSOR && kind != KIND_NONE && kind != KIND_UNKNOWN;
    }
    return tensor && other ? value_believed(&eval->inference->values, value, GUESSED) : value;
}

/* **batch with unknown keys: if all values are tensors, the parameter likely gets one; if some are unknown,
   possibly. */
static const Value *perhaps_passed(Eval *eval, const Value *value) {
    bool other = false;
    for (uint32_t i = 0; value && i < value->count; i++)
        other |= value->alts[i].kind != KIND_TENSOR && value->alts[i].kind != KIND_NONE;
    if (!value_has(value, KIND_TENSOR)) return value;
    return value_believed(&eval->inference->values, value, other ? GUESSED : BELIEVED);
}

/* The value that *args, or **kwargs with unknown keys, passes for a parameter with a default: perhaps none. A
   parameter whose default is a number, boolean or string gets one from any caller. */
static const Value *spread_value(Eval *eval, GlobalFunc global, uint32_t position, const Param *param,
                                 const Value *value) {
    if (!param->fallback) return any_of_them(eval, value);
    Values *values = &eval->inference->values;
    SlotId slot = store_slot(eval->inference, STORE_DEFAULT, global, position);
    const Value *fallback = store_read(eval->inference, eval->id, slot);
    bool number = value_only(fallback, KIND_NUMBER), text = value_only(fallback, KIND_TEXT);
    if (number || text) value = value_drop(values, value, KIND_TENSOR);
    if (number) value = value_drop(values, value, KIND_TEXT); /* is passed for another parameter */
    if (text) value = value_drop(values, value, KIND_NUMBER);
    return value_join(values, number || text ? value : perhaps_passed(eval, value), fallback);
}

/* f(x, **{name: size for ...}) of def f(x, device=None, **dims): unknown keys go to **dims. */
static bool is_caught(const SourceFile *file, const Func *func, const Param *param, const Args *args) {
    const Param *last = &file->model->params.items[func->first_param + func->param_count - 1];
    return param->fallback && last->star == 2 && value_only(args->double_star_value, KIND_NUMBER);
}

void args_bind(Eval *eval, ExprId expr, const SourceFile *file, GlobalFunc global, const Value *self,
               const Args *args, const Value **bound) {
    const FileModel *model = file->model;
    const Func *func = &model->funcs.items[global - file->func_base];
    bool taken[ARGUMENTS] = {false};
    uint32_t next = 0, first = 0;
    Args with_self = *args;
    if (self && func->param_count && !model->params.items[func->first_param].star) {
        bound[0] = self;
        first = 1;
    } else if (self && func->param_count &&
               args->count < ARGUMENTS) { /* def inner(*args): self is one of them */
        memmove(with_self.values + 1, args->values, sizeof *args->values * args->count);
        memmove(with_self.exprs + 1, args->exprs, sizeof *args->exprs * args->count);
        with_self.values[0] = self;
        with_self.exprs[0] = expr;
        with_self.count++;
        args = &with_self;
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
        if (!value && !param->keyword_only && args->star)
            value = spread_value(eval, global, i, param, args->star_value);
        if (!value && args->double_star && args->double_star_value && !is_caught(file, func, param, args))
            value = spread_value(eval, global, i, param, args->double_star_value);
        bound[i] = argument_value(eval, value);
    }
    if (double_star != UINT32_MAX) bound[double_star] = rest_named(eval, expr, args, taken);
}

const Value *generator_value(Eval *eval, ContextId callee) {
    Inference *inference = eval->inference;
    ObjectId object = store_object(inference, STORE_GENERATOR, callee, 0, FLAVOUR_ITERATOR);
    infer_object(inference, object)->open = true;
    const Value *yielded = store_read(inference, eval->id, inference->contexts.items[callee]->yields);
    if (yielded) store_write(inference, infer_object(inference, object)->rest, yielded);
    return object_value(eval, object);
}

static bool holds_tensor(const Value *const *values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (value_has(values[i], KIND_TENSOR) || value_has(values[i], KIND_CONTAINER)) return true;
    return false;
}

/* The result of a helper's shared context for this caller: a tensor in it that this caller did not pass came
   from another one. */
const Value *own_result(Eval *eval, ContextId id, const Func *func, const Value *const *bound,
                        const Value *result) {
    const Context *context = eval->inference->contexts.items[id];
    if (!context->merged || !value_has(result, KIND_TENSOR)) return result;
    bool helper = eval->inference->helpers[global_func(eval->inference, context->file, context->func)];
    if (!helper || !func->param_count || holds_tensor(bound, func->param_count)) return result;
    return value_believed(&eval->inference->values, result, GUESSED);
}
