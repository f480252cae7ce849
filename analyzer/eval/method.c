/* Method calls: on tensors, containers, instances, stub objects and unknown values, of subclasses, and through
   super(). */
#include "eval.h"
#include "apply.h"
#include "construct.h"
#include "conventions.h"
#include "environment.h"
#include "narrow.h"
#include "parts.h"
#include "hints.h"
#include "python_names.h"
#include "runtime.h"

static const Value *asked_distribution(Eval *eval, ExprId expr, Sym name, const Args *args);
static const Value *unknown_method(Eval *eval, ExprId expr, const Alt *alt, Sym name, const Args *args);
static const Value *unseen_result(Eval *eval, ExprId expr, Sym name, const Args *args);

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

static const Value *entry_method(Eval *eval, ExprId expr, EntryId class_entry, const Alt *alt, Sym name,
                                 const Args *args) {
    const Inference *inference = eval->inference;
    run_text_methods(eval, expr,
                     rulebook_text(inference->book, inference->book->entries[class_entry].qualified), args);
    EntryId entry = member_of(inference, class_entry, names_text(&inference->program->names, name));
    if (!entry) entry = inference->book->entries[class_entry].fallback;
    if (!entry) return NULL;
    if (inference->book->entries[entry].kind == ENTRY_CLASS) return construct(eval, expr, entry, args);
    if (inference->book->entries[entry].kind == ENTRY_VALUE)
        return call_value(eval, expr, apply_attribute(eval, expr, entry, alt_value(eval, alt)), args);
    return apply_entry(eval, expr, EFFECT_OWN, entry, alt_value(eval, alt), args);
}

/* `net = net.to(device)` with nothing else known: if it has parameters, it is a module. */
static const Value *method_of_no_tensor(Eval *eval, ExprId expr, const Alt *alt, Sym name, const Args *args) {
    const Inference *inference = eval->inference;
    EntryId module = inference->known->module;
    if (!module || !child_of(inference, module, sym_text(eval, name))) {
        vec_push(inference->arena, &eval->context->unseen, expr);
        return receiver_no_tensor(eval, alt);
    }
    Alt moved = {.kind = KIND_OBJECT,
                 .id = module,
                 .device = alt->device,
                 .belief = alt->belief,
                 .pinned = TRI_UNKNOWN,
                 .origin = alt->origin};
    return entry_method(eval, expr, module, &moved, name, args);
}

static const Value *tensor_method(Eval *eval, ExprId expr, const Alt *alt, Sym name, const Args *args) {
    if (asks_own(eval, name)) return kind_value(eval, KIND_NUMBER);
    Alt surer = surer_by_use(eval, alt, name);
    if (surer.flags & ALT_BATCH) {
        const Value *value = batch_method(eval, expr, &surer, name);
        if (value) return value;
        Text text = names_text(&eval->inference->program->names, name);
        const Value *drawn = asked_distribution(eval, expr, name, args);
        if (drawn) return drawn;
        if (!child_of(eval->inference, eval->inference->known->tensor, text))
            return receiver_batch(eval, &surer, text);
    }
    if (!tensors_have(eval, sym_text(eval, name))) return method_of_no_tensor(eval, expr, &surer, name, args);
    return entry_method(eval, expr, eval->inference->known->tensor, &surer, name, args);
}

static const Value *instance_method(Eval *eval, ExprId expr, const Alt *alt, Sym name, const Args *args) {
    EntryId entry = 0;
    const Value *member = instance_member(eval, alt, name, &entry);
    if (member && !(entry && value_only(member, KIND_UNKNOWN))) {
        const Value *result = NULL, *functions = NULL;
        for (uint32_t i = 0; i < member->count; i++) {
            const Alt *method = &member->alts[i];
            if (method->kind == KIND_FUNCTION) {
                if (functions) continue;
                functions =
                    only_kind(eval, eval_attribute(eval, expr, alt_value(eval, alt), name), KIND_FUNCTION);
                result = join_values(eval, result, call_value(eval, expr, functions, args));
                continue;
            }
            Alt follower = *method; /* a submodule is where its owner is */
            if (alt->device == DEVICE_CUDA && is_module_alt(eval, method))
                follower.device = DEVICE_CUDA, follower.origin = alt->origin, follower.belief = alt->belief;
            result = join_values(eval, result, call_value(eval, expr, alt_value(eval, &follower), args));
        }
        return result;
    }
    Text text = names_text(&eval->inference->program->names, name);
    if (entry && name_is(eval->inference->book, NAMED_registering_method, text)) {
        const Value *done = register_tensor(eval, alt, args);
        if (done) return done;
    }
    if (name_is(eval->inference->book, NAMED_saving_method, text) && is_operation(eval->inference, alt->id))
        return save_for_backward(eval, alt, args);
    Alt holder = holder_of_parts(eval, alt, name);
    const Value *value = entry ? entry_method(eval, expr, entry, &holder, name, args) : NULL;
    const Value *asked = value ? NULL : asked_attribute(eval, expr, alt, name);
    if (asked) return call_value(eval, expr, asked, args);
    if (!value && kept_by_subclasses(eval, alt, name))
        return call_value(eval, expr, eval_attribute(eval, expr, alt_value(eval, alt), name), args);
    /* what the class does not have itself, those who inherit it have */
    const Value *told = value ? NULL : subclasses_told(eval, expr, name, alt->id, args);
    if (!value && value_only(told, KIND_TENSOR)) value = told;
    return value ? value : unknown_result(eval, expr, args);
}

/* Methods that only optimizers or transformers' objects have, by the object's or an argument's name:
   `self.optimizer.step()`, `tokenizer.decode(ids)`, `model.generate(ids, max_new_tokens=20)`. NULL: none of
   these. */
static const Value *method_by_custom(Eval *eval, ExprId expr, Sym name, const Args *args) {
    const Rulebook *book = eval->inference->book;
    const Expr *callee = &eval->model->exprs.items[eval->model->exprs.items[expr].a];
    if (callee->kind != EXPR_ATTRIBUTE) return NULL;
    const Expr *owner = &eval->model->exprs.items[callee->a];
    bool named = owner->kind == EXPR_NAME || owner->kind == EXPR_ATTRIBUTE;
    Text text = sym_text(eval, name), of = named ? model_name(eval->model, owner->name) : (Text){0};
    bool decodes = name_is(book, NAMED_decoding_method, text) && names_tokenizer(book, of);
    bool generates =
        name_is(book, NAMED_generating_method, text) && gives_any(eval, args, NAMED_generating_parameter);
    bool steps = name_is(book, NAMED_optimizer_method, text) && name_is(book, NAMED_optimizer_name, of);
    if (!decodes && !generates && !steps) return NULL;
    EntryId asked = steps ? eval->inference->known->optimizer
                          : entry_named(book, decodes ? NAMED_tokenizer_class : NAMED_generating_class);
    EntryId method = asked ? member_of(eval->inference, asked, text) : 0;
    if (!method) return NULL;
    Span span = eval->model->exprs.items[expr].span;
    Alt self = {.kind = KIND_OBJECT, .id = asked, .belief = BELIEVED};
    if (generates || steps) self.device = DEVICE_CUDA, self.origin = origin_at(eval, ORIGIN_MODEL, span);
    return apply_entry(eval, expr, EFFECT_OWN, method, alt_value(eval, &self), args);
}

static const Value *object_method(Eval *eval, ExprId expr, const Alt *alt, Sym name, const Args *args) {
    const Known *known = eval->inference->known;
    Text text = names_text(&eval->inference->program->names, name);
    bool list = alt->id == known->module_list || alt->id == known->module_dict || alt->id == known->sequential;
    bool moves = name_is(eval->inference->book, NAMED_moving_method, text);
    if (list && alt->object && !moves) {
        bool handled = false;
        const Value *value = call_native(eval, expr, alt, name, args, &handled);
        if (handled) return value;
    }
    SlotId slot = store_slot(eval->inference, STORE_ENTRY_ATTRIBUTE, alt->id, name);
    const Value *assigned = alt->flags & ALT_GUESS ? NULL : store_read(eval->inference, eval->id, slot);
    if (assigned) return call_value(eval, expr, assigned, args);
    const Value *value = entry_method(eval, expr, alt->id, alt, name, args);
    if (!value && (alt->flags & ALT_GUESS)) return unknown_method(eval, expr, alt, name, args);
    if (!value && alt->id == known->module) value = method_by_custom(eval, expr, name, args);
    return value ? value : unknown_result(eval, expr, args);
}

/* "{loss.val:.4f}".format(loss=meter) formats the attribute that the field names. */
static void add_fields(Eval *eval, ExprId expr, const Alt *format, Args *args) {
    Text text = format->id ? sym_text(eval, format->id) : (Text){0};
    for (uint32_t i = 0; i < text.length; i++) {
        if (text.bytes[i] != '{') continue;
        uint32_t name_end = i + 1;
        while (name_end < text.length && !strchr(".:}!{[", text.bytes[name_end])) name_end++;
        if (name_end >= text.length || text.bytes[name_end] != '.') continue;
        uint32_t end = name_end + 1;
        while (end < text.length && !strchr(".:}!{[", text.bytes[end])) end++;
        Sym field = names_find(&eval->inference->program->names, text_slice(text, name_end + 1, end));
        Sym name = names_find(&eval->inference->program->names, text_slice(text, i + 1, name_end));
        bool taken[ARGUMENTS];
        const Value *object = name ? named_argument(args, name, taken) : NULL;
        if (!object && name_end == i + 1 && args->count) object = args->values[0];
        if (!field || !object || args->named_count >= ARGUMENTS) continue;
        args->names[args->named_count] = names_intern(eval->inference->names, text_slice(text, i + 1, end));
        args->named[args->named_count++] = eval_attribute(eval, expr, object, field);
    }
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
        Args all = *args;
        if (python_is(PY_format, sym_text(eval, name))) {
            add_fields(eval, expr, alt, &all);
            args = &all;
        }
        const Value *value = known->str ? entry_method(eval, expr, known->str, alt, name, args) : NULL;
        if (args == &all) return device_text(eval, alt_value(eval, alt)); /* "cuda:{}".format(rank) */
        return value ? value : kind_value(eval, KIND_TEXT);
    }
    case KIND_HOST: {
        const Value *host = kind_value(eval, KIND_HOST), *key = asked_key(eval, name, args);
        return key ? keyed_place(eval, expr, key, host) : host;
    }
    case KIND_NUMBER:
    case KIND_DTYPE:
    case KIND_DEVICE: return kind_value(eval, KIND_HOST);
    case KIND_NONE: return NULL;
    case KIND_UNKNOWN: return unknown_method(eval, expr, alt, name, args);
    default: return call_value(eval, expr, eval_attribute(eval, expr, alt_value(eval, alt), name), args);
    }
}

/* Receivers with the same method are called together, as one call with several alternatives; instances told
   apart by allocation site are called separately, since their contents differ. */
static bool call_together(const Alt *a, const Alt *b) {
    return !a->object || !b->object || a->object == b->object;
}

static const Value *call_plain(Eval *eval, ExprId expr, const Value *receiver, const GlobalFunc *methods,
                               uint32_t first, const Args *args) {
    Alt alts[VALUE_ALTS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < receiver->count; i++) {
        if (methods[i] != methods[first] || !call_together(&receiver->alts[i], &receiver->alts[first]))
            continue;
        if (i < first) return NULL;
        alts[count++] = receiver->alts[i];
    }
    effects_clear(eval, expr, EFFECT_OWN);
    if (!enter_nested(eval)) return kind_value(eval, KIND_UNKNOWN);
    Alt function = {.kind = KIND_FUNCTION, .id = methods[first]};
    const Value *self = count == receiver->count ? receiver : value_from(&eval->inference->values, alts, count);
    const Value *result = call_function(eval, expr, &function, self, args);
    eval->nesting--;
    return result;
}

const Value *call_method(Eval *eval, ExprId expr, const Value *receiver, Sym name, const Args *args) {
    if (!enter_nested(eval)) return kind_value(eval, KIND_UNKNOWN);
    const Value *result = NULL;
    receiver = that_has(eval, receiver, name);
    const Value *tensors = only_kind(eval, receiver, KIND_TENSOR);
    bool doubt = eval->doubt, fetched = eval->fetched, unseen = eval->unseen, apart = eval->apart;
    eval->unseen |= value_has(receiver, KIND_UNKNOWN);
    eval->apart = value_in_places(tensors);
    eval->fetched = name_is(eval->inference->book, NAMED_fetching_method, sym_text(eval, name));
    if (tensors && tensors->count > 1 && !(tensors->alts[0].flags & ALT_BATCH)) {
        eval->doubt = doubt || others_known(eval, receiver, name);
        EntryId entry = member_of(eval->inference, eval->inference->known->tensor,
                                  names_text(&eval->inference->program->names, name));
        if (entry)
            result = apply_entry(eval, expr, EFFECT_OWN, entry, tensors, args);
        else
            tensors = NULL;
    } else {
        tensors = NULL;
    }
    eval->fetched = fetched;
    eval->doubt = doubt || others_known(eval, receiver, name);
    GlobalFunc methods[VALUE_ALTS];
    for (uint32_t i = 0; receiver && i < receiver->count; i++)
        methods[i] = plain_method(eval, &receiver->alts[i], name);
    for (uint32_t i = 0; receiver && i < receiver->count; i++) {
        if (tensors && receiver->alts[i].kind == KIND_TENSOR) continue;
        const Value *one = methods[i] ? call_plain(eval, expr, receiver, methods, i, args)
                                      : alt_method(eval, expr, &receiver->alts[i], name, args);
        result = join_values(eval, result, one);
    }
    eval->doubt = doubt;
    eval->unseen = unseen;
    eval->apart = apart;
    eval->nesting--;
    return result;
}

/* `model.to(device)` of a variable that the function also calls: the variable is no tensor but a module, from its
   first use on. So is what tensors too are asked if it is asked `model.parameters()` as well, or `load(path).eval()`. */
static bool asks_module(const Eval *eval, ExprId expr, Text method) {
    const Expr *exprs = eval->model->exprs.items, *callee = &exprs[exprs[expr].a];
    const Expr *owner = &exprs[callee->kind == EXPR_ATTRIBUTE ? callee->a : 0];
    const Expr *before = &exprs[owner->kind == EXPR_CALL && !owner->list.count ? owner->a : 0];
    if (before->kind == EXPR_ATTRIBUTE)
        return name_is(eval->inference->book, NAMED_module_method, model_name(eval->model, before->name));
    bool path = owner->kind == EXPR_ATTRIBUTE || (owner->kind == EXPR_NAME && owner->binding == BIND_LOCAL);
    uint32_t use = path && owner->slot ? eval->use[owner->slot] : 0;
    return (use & USE_CALLED) || ((use & USE_MODULE) && tensors_have(eval, method));
}

/* A method of an unknown value. If only tensors have it, the value is a tensor; its device is unknown, but
   nobody calls `.cpu()` or `.backward()` on a CPU tensor: likely the GPU. */
static const Value *unknown_method(Eval *eval, ExprId expr, const Alt *alt, Sym name, const Args *args) {
    const Inference *inference = eval->inference;
    Text text = names_text(&inference->program->names, name);
    static const struct {
        Named named;
        uint8_t device, belief;
    } SIGNS[] = {
        {NAMED_gpu_method, DEVICE_CUDA, BELIEVED},
        {NAMED_perhaps_gpu_method, DEVICE_CUDA, GUESSED},
        {NAMED_perhaps_tensor_method, DEVICE_UNKNOWN, GUESSED},
        {NAMED_moving_method, DEVICE_UNKNOWN, BELIEVED},
    };
    EntryId moves = asks_module(eval, expr, text) ? child_of(inference, inference->known->module, text) : 0;
    if (moves) return apply_entry(eval, expr, EFFECT_OWN, moves, some_module(eval, expr), args);
    for (size_t i = 0; i < sizeof SIGNS / sizeof *SIGNS; i++) {
        if (!name_is(inference->book, SIGNS[i].named, text)) continue;
        OriginId origin = origin_of(eval, ORIGIN_USE, expr, 0);
        Alt tensor = alt_tensor((Device)SIGNS[i].device, SIGNS[i].belief, origin);
        return entry_method(eval, expr, inference->known->tensor, &tensor, name, args);
    }
    (void)alt;
    const Value *custom = method_by_custom(eval, expr, name, args), *key = asked_key(eval, name, args);
    if (custom) return custom;
    if (key) return keyed_place(eval, expr, key, unknown_result(eval, expr, args));
    if (asks_text(text)) return kind_value(eval, KIND_NUMBER);
    if (name_is(inference->book, NAMED_array_method, text)) return kind_value(eval, KIND_NUMPY);
    EntryId writes = name_is(inference->book, NAMED_writing_method, text)
                         ? child_of(inference, inference->known->writer, text)
                         : 0;
    if (writes) return apply_entry(eval, expr, EFFECT_OWN, writes, NULL, args);
    EntryId hook = name_is(inference->book, NAMED_hooking_method, text)
                       ? child_of(inference, inference->known->module, text)
                       : 0;
    if (hook) return apply_entry(eval, expr, EFFECT_OWN, hook, some_module(eval, expr), args);
    EntryId gradient_hook = name_is(inference->book, NAMED_hooking_method, text)
                                ? rulebook_child(inference->book, inference->known->tensor, text)
                                : 0;
    if (gradient_hook) { /* a parameter, whichever */
        const Value *module = some_module(eval, expr);
        Alt parameter = alt_tensor(DEVICE_CUDA, BELIEVED, module->alts[0].origin);
        return apply_entry(eval, expr, EFFECT_OWN, gradient_hook, alt_value(eval, &parameter), args);
    }
    const Value *guessed = guessed_receiver(eval, expr, name);
    if (!guessed) return unseen_result(eval, expr, name, args);
    eval->guessed = true;
    const Value *result = call_method(eval, expr, guessed, name, args);
    eval->guessed = false;
    return value_believed(&eval->inference->values, result, BELIEVED);
}

/* super().method(...): looks behind the class that contains this function. */
const Value *call_super(Eval *eval, ExprId expr, Sym name, const Args *args) {
    Inference *inference = eval->inference;
    FuncId func = eval->func_id;
    while (func && !eval->model->funcs.items[func].class_id) func = eval->model->funcs.items[func].parent;
    if (!func) return kind_value(eval, KIND_UNKNOWN);
    GlobalClass class_id = eval->file->class_base + eval->model->funcs.items[func].class_id;
    const Value *self = func == eval->func_id && eval->func->param_count ? eval->context->args[0] : NULL;
    if (eval->func->local_count && !self) self = env_get(eval->env, 1);
    uint32_t count;
    const uint32_t *order = super_next(inference, self, class_id, &count);
    for (uint32_t i = 0; i < count; i++) {
        EntryId entry = order[i] & 1 ? order[i] >> 1 : 0;
        const Value *member = entry ? NULL : own_member(eval, order[i] >> 1, name);
        if (value_has(member, KIND_FUNCTION))
            return call_function(eval, expr, &only_kind(eval, member, KIND_FUNCTION)->alts[0], self, args);
        if (!entry || !self) continue;
        if (name == inference->known->init) {
            if (self->alts[0].kind == KIND_INSTANCE) construct_base(eval, expr, &self->alts[0], entry, args);
            return kind_value(eval, KIND_NONE);
        }
        const Value *value = entry_method(eval, expr, entry, &self->alts[0], name, args);
        if (value) return value;
    }
    return name == inference->known->init ? kind_value(eval, KIND_NONE) : unknown_result(eval, expr, args);
}

/* Calls the method `name` of each subclass of `base` that defines it, as likely: the receiver's exact class is
   unknown. */
const Value *subclasses_result(Eval *eval, ExprId expr, Sym name, GlobalClass base, const Args *args) {
    Inference *inference = eval->inference;
    const struct Methods *methods = inference->methods;
    uint32_t first = first_definer(methods, name, 0);
    if (first == methods->count || methods->definers[first].name != name) return NULL;
    eval->context->met_unknown = true;
    if (!inference->guessing) return NULL;
    Below below = {.name = name};
    subclasses_below(methods, base, 0, &below);
    const Value *result = NULL;
    for (uint32_t i = 0; !below.many && i < below.count; i++) {
        EntryId entry = 0;
        const Value *member = class_member(eval, below.items[i], name, &entry);
        const Value *function = only_kind(eval, member, KIND_FUNCTION);
        if (!function) continue;
        const Value *self = subclass_instance(eval, expr, below.items[i]);
        result = join_values(eval, result, call_function(eval, expr, &function->alts[0], self, args));
    }
    return result;
}

/* The same, where the class itself does not define the method, or hardly. A subclass's method that would get
   unknown arguments is better treated as a root, whose parameters are judged by their use. */
const Value *subclasses_told(Eval *eval, ExprId expr, Sym name, GlobalClass base, const Args *args) {
    for (uint32_t i = 0; i < args->count; i++)
        if (!subclass_is_told(args->values[i])) return NULL;
    for (uint32_t i = 0; i < args->named_count; i++)
        if (!subclass_is_told(args->named[i])) return NULL;
    return subclasses_result(eval, expr, name, base, args);
}

/* `policy(state).log_prob(action)`: what has this method is a torch distribution, if the program mentions
   distributions and no other class of it has such a method. NULL: not so. */
static const Value *asked_distribution(Eval *eval, ExprId expr, Sym name, const Args *args) {
    Inference *inference = eval->inference;
    const struct Methods *methods = inference->methods;
    bool alone = args->count == 1 && !args->named_count && !args->star && !args->double_star;
    if (!alone || !name_is(inference->book, NAMED_scoring_method, sym_text(eval, name))) return NULL;
    if (!names_find(&inference->program->names, name_row(inference->book, NAMED_distributions_word, 0)))
        return NULL;
    EntryId base = entry_named(inference->book, NAMED_distribution_class);
    EntryId method = base ? member_of(inference, base, sym_text(eval, name)) : 0;
    eval->context->met_unknown = true;
    if (!method || !inference->guessing) return NULL;
    uint32_t at = first_definer(methods, name, 0);
    for (; at < methods->count && methods->definers[at].name == name; at++)
        if (!class_inherits(inference, methods->definers[at].class_id, base)) return NULL;
    Alt self = {.kind = KIND_OBJECT, .id = base, .belief = BELIEVED, .pinned = TRI_UNKNOWN};
    return apply_entry(eval, expr, EFFECT_OWN, method, alt_value(eval, &self), args);
}

static const Value *unseen_result(Eval *eval, ExprId expr, Sym name, const Args *args) {
    const Value *drawn = asked_distribution(eval, expr, name, args);
    return drawn ? drawn : unknown_result(eval, expr, args);
}
