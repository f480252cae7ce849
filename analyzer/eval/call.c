/* Calls: finds the callee, evaluates it with the arguments, and gives the result; constructs instances of the
   program's classes and of stub classes. */
#include "eval.h"
#include "apply.h"
#include "belief.h"
#include "construct.h"
#include "conventions.h"
#include "environment.h"
#include "narrow.h"
#include "parts.h"
#include "python_names.h"
#include "runtime.h"

static const Value *apply_operation(Eval *eval, ExprId expr, GlobalClass class_id, const Args *args);
static const Value *instantiate(Eval *eval, ExprId expr, GlobalClass class_id, const Args *args);

/* f(*pair): a tuple of known length fills positions; anything else may fill all. */
static void push_star(Eval *eval, Args *args, ExprId expr, const Value *value) {
    const Inference *inference = eval->inference;
    if (value && value->count == 1 && value->alts[0].kind == KIND_CONTAINER) {
        ObjectId id = value->alts[0].object;
        const Object *object = infer_object(inference, id);
        bool closed = !object->open && object->flavour <= FLAVOUR_TUPLE;
        for (uint32_t i = 0; closed && i < infer_object(inference, id)->key_count; i++)
            args_push(args, expr, object_get(eval, id, position_key(i)));
        if (closed) return;
    }
    args->star = true;
    args->star_length += value && value->count == 1 && value->alts[0].kind == KIND_CONTAINER
                             ? infer_object(inference, value->alts[0].object)->length
                             : 0;
    args->star_value = join_values(eval, args->star_value, element_of(eval, 0, value, false));
}

static void eval_args(Eval *eval, const Expr *call, Args *args) {
    for (uint32_t i = 0; i < call->list.count; i++) {
        ExprId id = eval->model->links.items[call->list.first + i];
        const Expr *part = &eval->model->exprs.items[id];
        const Value *value = eval_expr(eval, id);
        args->bottom |= value == NULL;
        switch ((ExprKind)part->kind) {
        case EXPR_KEYWORD: args_push_named(args, sym_of(eval, part->name), part->a, value); break;
        case EXPR_STAR: push_star(eval, args, part->a, value); break;
        case EXPR_DOUBLE_STAR: args_push_mapping(eval, args, part->a, value); break;
        default: args_push(args, id, value); break;
        }
    }
}

/* processor(text, return_tensors="pt"): only tokenizers and processors take that. They work on the CPU, unless
   they get GPU tensors or a device. */
static const Value *tokenized(Eval *eval, ExprId expr, const Args *args) {
    const Rulebook *book = eval->inference->book;
    Alt witness;
    bool asks = false;
    for (uint32_t i = 0; i < args->named_count; i++) {
        Text name = sym_text(eval, args->names[i]);
        const Value *value = args->named[i];
        bool text = value && value->count == 1 && value->alts[0].kind == KIND_TEXT && value->alts[0].id;
        if (name_is(eval->inference->book, NAMED_device_name, name)) return NULL;
        asks |= text && name_is(eval->inference->book, NAMED_tensors_parameter, name) &&
                name_is(eval->inference->book, NAMED_torch_tensors, sym_text(eval, value->alts[0].id));
    }
    EntryId made = asks ? rulebook_child(book, entry_named(book, NAMED_tokenizer_class), TEXT("__call__")) : 0;
    if (!made || args_hold(eval, args, DEVICE_CUDA, &witness)) return NULL;
    return value_believed(&eval->inference->values, apply_entry(eval, expr, EFFECT_OWN, made, NULL, args),
                          BELIEVED);
}

/* is_image(x), F._is_pil(x), has_nodes(batch): the result is a boolean. */
static bool asks_whether(const Eval *eval, ExprId id) {
    const Expr *call = &eval->model->exprs.items[id];
    if (call->kind != EXPR_CALL) return false;
    const Expr *callee = &eval->model->exprs.items[call->a];
    if (callee->kind != EXPR_NAME && callee->kind != EXPR_ATTRIBUTE) return false;
    Text name = model_name(eval->model, callee->name);
    while (name.length && name.bytes[0] == '_') name = text_slice(name, 1, name.length);
    return name_is(eval->inference->book, NAMED_question, name);
}

/* An unknown call with GPU tensors mostly returns GPU tensors in some structure. By itself that is only
   possible; the use of the result may make it likely. */
const Value *unknown_result(Eval *eval, ExprId expr, const Args *args) {
    Alt witness;
    const Value *tokens = tokenized(eval, expr, args);
    if (tokens) return tokens;
    vec_push(eval->inference->arena, &eval->context->unseen, expr);
    if (!args_hold(eval, args, DEVICE_CUDA, &witness) || witness.belief == GUESSED || asks_whether(eval, expr))
        return kind_value(eval, KIND_UNKNOWN);
    Alt guess = alt_tensor(DEVICE_CUDA, GUESSED, origin_of(eval, ORIGIN_RESULT, expr, witness.origin));
    guess.flags = ALT_BATCH | ALT_GUESS;
    return value_of(&eval->inference->values, guess);
}

/* nn.Sequential and the like call their parts in turn. */
static const Value *call_parts_in_turn(Eval *eval, ExprId expr, const Alt *alt, const Args *args) {
    const Inference *inference = eval->inference;
    Args next = *args;
    const Value *value = NULL;
    for (uint32_t i = 0; i <= infer_object(inference, alt->object)->key_count; i++) {
        bool rest = i == infer_object(inference, alt->object)->key_count;
        const Value *part =
            rest ? store_read(eval->inference, eval->id, infer_object(inference, alt->object)->rest)
                 : store_read(eval->inference, eval->id,
                              object_keys(infer_object(inference, alt->object))[i].slot);
        if (!part) continue;
        double before = eval->times;
        uint32_t length = rest ? infer_object(inference, alt->object)->length : 1;
        if (length > 1) eval->times = (before > 1 ? before : 1) * length;
        Alt parts[VALUE_ALTS];
        for (uint32_t a = 0; a < part->count; a++) {
            parts[a] = part->alts[a];
            if (alt->device == DEVICE_CUDA && (parts[a].kind == KIND_INSTANCE || parts[a].kind == KIND_OBJECT))
                parts[a].device = DEVICE_CUDA, parts[a].origin = alt->origin, parts[a].belief = alt->belief;
        }
        value = call_value(eval, expr, value_from(&eval->inference->values, parts, part->count), &next);
        next.values[0] = value;
        eval->times = before;
    }
    return value;
}

/* Equal parts add up within one pass only: a call that is evaluated again is still one call. */
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

/* An unknown model returns a tensor, or a structure of tensors (`model(**batch).logits`). */
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

/* Printing or logging an object of the program calls its __str__ or __repr__. */
void run_text_methods(Eval *eval, ExprId expr, Text api, const Args *args) {
    bool prints = name_is(eval->inference->book, NAMED_printing_call, api);
    for (uint32_t i = 0; prints && i < args->count; i++)
        for (uint32_t a = 0; args->values[i] && a < args->values[i]->count; a++)
            run_text_method(eval, expr, &args->values[i]->alts[a]);
}

static bool takes_receiver(const Rulebook *book, const Entry *entry) {
    if (book->entries[entry->parent].kind != ENTRY_CLASS || !entry->clause_count) return false;
    return !rulebook_effect(book, entry->first_clause, EFF_staticmethod) &&
           !rulebook_effect(book, entry->first_clause, EFF_classmethod);
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
        args_push(&all, expr, object_get(eval, alt->object, position_key(i)));
    for (uint32_t i = 0; i < args->count; i++) args_push(&all, args->exprs[i], args->values[i]);
    for (uint32_t k = 0; k < infer_object(inference, alt->object)->key_count; k++) {
        uint32_t key = object_keys(infer_object(inference, alt->object))[k].key;
        if (!(key & 1)) args_push_named(&all, key >> 1, expr, object_get(eval, alt->object, key));
    }
    for (uint32_t i = 0; i < args->named_count; i++)
        args_push_named(&all, args->names[i], args->named_exprs[i], args->named[i]);
    return eval->depth < CALL_DEPTH ? call_value(eval, expr, callee, &all) : NULL;
}

/* A module constructed on the CPU and called with GPU tensors was moved in some way that is not visible:
   through its owner, or under another name. If its own code moves some of its Parameters, nothing else may
   have. */
static Alt moved_by_now(Eval *eval, const Alt *alt, const Args *args) {
    Alt moved = *alt, witness;
    if (alt->device != DEVICE_CPU || !is_module_alt(eval, alt)) return moved;
    if (!args_hold(eval, args, DEVICE_CUDA, &witness)) return moved;
    moved.device = DEVICE_CUDA;
    moved.belief |= witness.belief;
    moved.origin = witness.origin;
    if (alt->kind == KIND_INSTANCE && moves_parameters(eval->inference, alt->id)) moved.belief = GUESSED;
    return moved;
}

/* Whether x in `type(x)` or `x.__class__` is a loader's batch, in any structure. */
static bool asks_batch(Eval *eval, const Expr *type) {
    const Expr *name = &eval->model->exprs.items[type->a];
    bool called = type->kind == EXPR_CALL && name->kind == EXPR_NAME && type->list.count == 1 &&
                  python_is(PY_type, model_name(eval->model, name->name));
    bool read = type->kind == EXPR_ATTRIBUTE && sym_of(eval, type->name) == eval->inference->known->class_name;
    if (!called && !read) return false;
    ExprId of = called ? eval->model->links.items[type->list.first] : type->a;
    const Value *value = infer_fact(eval->context, eval->model, of);
    for (uint32_t i = 0; value && i < value->count; i++)
        if (!(value->alts[i].flags & ALT_BATCH) || (value->alts[i].flags & ALT_GUESS)) return false;
    return value_only(value, KIND_TENSOR);
}

/* `type(batch)(to_device(part) for part in batch)`: the same structure with other parts. NULL: no such call. */
static const Value *rebuilt(Eval *eval, ExprId expr, const Args *args) {
    const Expr *call = &eval->model->exprs.items[expr];
    bool one = args->count == 1 && !args->named_count && value_only(args->values[0], KIND_CONTAINER);
    if (call->kind != EXPR_CALL || !one || !asks_batch(eval, &eval->model->exprs.items[call->a])) return NULL;
    const Alt *given = &args->values[0]->alts[0];
    bool dict = infer_object(eval->inference, given->object)->flavour == FLAVOUR_DICT, handled = false;
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

const Value *call_value(Eval *eval, ExprId expr, const Value *callee, const Args *args) {
    eval->context->met_bottom |= args->bottom;
    if (args->bottom && !eval->inference->bottom_is_unknown) return NULL;
    if (!enter_nested(eval)) return kind_value(eval, KIND_UNKNOWN);
    const Value *result = NULL;
    uint16_t graphs = eval->graphs;
    bool choose = callee && args_fit_some(eval, callee, args);
    for (uint32_t i = 0; callee && i < callee->count; i++) {
        if (choose && !args_fit(eval, &callee->alts[i], args)) continue;
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
    return callee->kind == EXPR_NAME && python_is(PY_super, model_name(eval->model, callee->name));
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
        refine_having(eval, callee->a, object, name);
        object = module_by_method(eval, object, model_name(eval->model, callee->name), call->span);
        if (name == eval->inference->known->class_name)
            return call_value(eval, id, type_of(eval, object), &args);
        return path ? call_value(eval, id, path, &args) : call_method(eval, id, object, name, &args);
    }
    const Value *value = eval_expr(eval, call->a);
    if (id == eval->promised && value_only(value, KIND_UNKNOWN)) value = eval->promised_class;
    eval_args(eval, call, &args);
    return call_value(eval, id, value, &args);
}

/* A library constructor's effects happen for a subclass too; what it says about its instances (where they are,
   that they avoid a wait) is kept for the instance. Modules and optimizers are placed by their parameters. */
void construct_base(Eval *eval, ExprId expr, const Alt *made, EntryId base, const Args *args) {
    Inference *inference = eval->inference;
    EntryId init = member_of(inference, base, TEXT("__init__"));
    const Value *given =
        init ? only_kind(eval, apply_entry(eval, expr, EFFECT_OWN, init, NULL, args), KIND_TENSOR) : NULL;
    if (!given || given->count != 1 || is_module_alt(eval, made)) return;
    Alt held = alt_tensor((Device)given->alts[0].device, given->alts[0].belief, given->alts[0].origin);
    note_options(eval, args, &held);
    write_attribute(inference, made, inference->known->base, alt_value(eval, &held));
}

static const Value *instantiate(Eval *eval, ExprId expr, GlobalClass class_id, const Args *args) {
    Inference *inference = eval->inference;
    if (is_plain_dict(inference, class_id)) return make_dict(eval, expr, args);
    const ClassInfo *info = class_info(inference, class_id);
    Alt made = {.kind = KIND_INSTANCE, .id = class_id};
    if (info->is_module == TRI_YES)
        made.device = (uint8_t)default_device(eval);
    else if (class_inherits(inference, class_id, inference->known->optimizer))
        place_optimizer(eval, expr, args, &made);
    made.object = instance_place(eval, expr, class_id);
    const Value *instance = value_of(&inference->values, made);
    EntryId entry = 0;
    const Value *init = class_member(eval, class_id, inference->known->init, &entry);
    for (uint32_t i = 0; init && i < init->count; i++)
        if (init->alts[i].kind == KIND_FUNCTION) call_function(eval, expr, &init->alts[i], instance, args);
    if (!init && entry) construct_base(eval, expr, &made, info->entry_base, args);
    if (!init) fill_dataclass(eval, &made, args);
    const Value *post = class_member(eval, class_id, inference->known->post_init, &entry);
    if (value_has(post, KIND_FUNCTION))
        call_method(eval, expr, instance, inference->known->post_init, &(Args){0});
    bool elsewhere = info->entry_base || info->is_module == TRI_YES;
    return elsewhere && made.device != DEVICE_CUDA ? instance_placed(eval, made) : instance;
}

/* A sample of a dataset; of a list of samples, its elements. NULL = unknown. */
static const Value *row_of(Eval *eval, ExprId expr, const Alt *dataset) {
    Sym getitem = eval->inference->known->getitem;
    EntryId entry = 0;
    if (dataset->kind == KIND_CONTAINER) return element_of(eval, 0, alt_value(eval, dataset), false);
    if (dataset->kind == KIND_OBJECT && dataset->object) return object_any(eval, dataset->object);
    if (dataset->kind != KIND_INSTANCE ||
        !value_has(class_member(eval, dataset->id, getitem, &entry), KIND_FUNCTION))
        return NULL;
    Args args = {.values = {kind_value(eval, KIND_NUMBER)}, .count = 1};
    return call_method(eval, expr, alt_value(eval, dataset), getitem, &args);
}

const Value *dataset_rows(Eval *eval, ExprId expr, const Value *dataset) {
    Inference *inference = eval->inference;
    const Value *tensor = batch_tensor(eval, TRI_NO, 0), *rows = NULL;
    Collating how = {expr, PART_ROW, tensor};
    for (uint32_t i = 0; dataset && i < dataset->count; i++) {
        const Value *row = row_of(eval, expr, &dataset->alts[i]);
        rows = join_values(eval, rows, collated_batch(eval, &how, row ? row : tensor, 0));
    }
    ObjectId list = object_part(eval, expr, PART_ROWS, FLAVOUR_LIST);
    infer_object(inference, list)->open = true;
    object_add(eval, list, rows ? rows : tensor);
    return object_value(eval, list);
}

/* On the GPU, and not merely by a parameter's name or annotation: data passed to a dataset is usually on the
   CPU. */
static bool is_put_on_gpu(const Eval *eval, const Value *value) {
    if (!items_all_on_gpu(value)) return false;
    for (uint32_t i = 0; i < value->count; i++)
        if (origin_begins(&eval->inference->values, value->alts[i].origin) == ORIGIN_PARAMETER) return false;
    return true;
}

/* `TensorDataset(features, labels)` of GPU tensors: its batches are on the GPU. */
static bool has_gpu_rows(Eval *eval, ExprId expr, const Value *dataset) {
    if (!dataset || dataset->count != 1 || dataset->alts[0].kind != KIND_OBJECT) return false;
    const Value *row = row_of(eval, expr, &dataset->alts[0]);
    for (uint32_t i = 0; row && i < row->count; i++) {
        if (row->alts[i].kind != KIND_CONTAINER) return false;
        if (is_put_on_gpu(eval, object_any(eval, row->alts[i].object))) return true;
        const Object *parts = infer_object(eval->inference, row->alts[i].object);
        for (uint32_t k = 0; k < parts->key_count; k++)
            if (is_put_on_gpu(eval, object_get(eval, row->alts[i].object, object_keys(parts)[k].key)))
                return true;
    }
    return false;
}

static void note_batch(Eval *eval, ExprId expr, const Value *row, Alt *loader) {
    Collating how = {expr, PART_COLLATED, batch_tensor(eval, loader->pinned, loader->flags & ALT_IN_PROCESS)};
    loader->object = object_part(eval, expr, PART_LOADER, FLAVOUR_PARTS);
    object_add(eval, loader->object, collated_batch(eval, &how, row, 0));
}

/* With a collate function of the program, a batch is what that returns: a record, a dict, a tuple. */
static void note_collated(Eval *eval, ExprId expr, const Args *args, Alt *loader) {
    const Value *function = loader_argument(eval, args, NAMED_collate_parameter, 6);
    bool own = value_has(function, KIND_FUNCTION) || value_has(function, KIND_PARTIAL) ||
               value_has(function, KIND_INSTANCE);
    const Value *dataset = loader_argument(eval, args, NAMED_dataset_parameter, 0);
    if ((!function || value_only(function, KIND_NONE)) && has_gpu_rows(eval, expr, dataset)) {
        note_batch(eval, expr, row_of(eval, expr, &dataset->alts[0]), loader);
        return;
    }
    if (!own || value_has(function, KIND_UNKNOWN)) return;
    uint8_t rate = eval->rate;
    eval->rate = RATE_WORKER;
    Args rows = {.values = {dataset_rows(eval, expr, dataset)}, .count = 1};
    const Value *value = call_value(eval, expr, function, &rows);
    eval->rate = rate;
    bool parts = value_has(value, KIND_INSTANCE) || value_has(value, KIND_CONTAINER);
    if (!parts && !items_all_on_gpu(value)) return;
    note_batch(eval, expr, value, loader);
}

/* Constructs a stub class: the return of `__init__` describes the instance: a container, a device, or the
   argument. */
const Value *construct(Eval *eval, ExprId expr, EntryId class_entry, const Args *args) {
    Inference *inference = eval->inference;
    const Known *known = inference->known;
    EntryId init = member_of(inference, class_entry, TEXT("__init__"));
    Alt alt = {.kind = KIND_OBJECT, .id = class_entry, .pinned = TRI_NO};
    if (known->module && rulebook_inherits(inference->book, class_entry, known->module))
        alt.device = (uint8_t)default_device(eval);
    const Value *made = init ? apply_entry(eval, expr, EFFECT_OWN, init, NULL, args) : NULL;
    note_options(eval, args, &alt);
    bool loader = known->loader && rulebook_inherits(inference->book, class_entry, known->loader);
    if (loader && loader_in_process(eval, args)) alt.flags |= ALT_IN_PROCESS;
    if (loader) {
        note_collated(eval, expr, args, &alt);
        return value_of(&inference->values, alt);
    }
    if (rulebook_inherits(inference->book, class_entry, known->optimizer)) {
        if (made && made->count == 1 && made->alts[0].kind == KIND_OBJECT)
            alt.id = made->alts[0].id; /* SGD with momentum */
        place_optimizer(eval, expr, args, &alt);
        return value_of(&inference->values, alt);
    }
    if (!made) return value_of(&inference->values, alt);
    const Value *result = NULL;
    for (uint32_t i = 0; i < made->count; i++) {
        const Alt *part = &made->alts[i];
        if (part->kind == KIND_UNKNOWN || part->kind == KIND_NONE || part->kind == KIND_HOST) {
            alt.object = part->object; /* of a thing told from others of its kind */
            result = join_values(eval, result, value_of(&inference->values, alt));
        } else if (class_entry == known->tensor && part->kind == KIND_TENSOR) { /* torch.Tensor(data) */
            result = join_values(eval, result, alt_value(eval, part));
        } else if (class_entry == known->parameter && part->kind == KIND_TENSOR) {
            Alt lazy = *part;
            lazy.flags |= ALT_LAZY | ALT_GRADIENT;
            result = join_values(eval, result, value_of(&inference->values, lazy));
        } else if (part->kind == KIND_CONTAINER) {
            Alt with = alt;
            with.object = part->object;
            result = join_values(eval, result, value_of(&inference->values, with));
        } else if (part->kind == KIND_TENSOR) {
            Alt with = alt;
            with.device = part->device;
            with.belief = part->belief;
            with.origin = part->origin;
            result = join_values(eval, result, value_of(&inference->values, with));
        } else {
            Alt other = *part;
            other.flags |= alt.flags & ALT_SPARED;
            result = join_values(eval, result, value_of(&inference->values, other));
        }
    }
    return result;
}

static void run_setup(Eval *eval, ExprId expr, const Alt *setup, const Value *context, const Args *args,
                      const Value *output) {
    Inference *inference = eval->inference;
    ObjectId inputs = object_part(eval, expr, PART_INPUTS, FLAVOUR_TUPLE);
    for (uint32_t i = 0; i < args->count; i++)
        if (args->values[i])
            store_write(inference, object_slot(inference, inputs, position_key(i)), args->values[i]);
    Args given = {.values = {object_value(eval, inputs), output}, .count = 2, .bottom = !output};
    call_function(eval, expr, setup, context, &given);
}

static const Value *apply_operation(Eval *eval, ExprId expr, GlobalClass class_id, const Args *args) {
    Alt forward, setup;
    Args nothing = {.count = 0};
    if (args->star) args = &nothing; /* after a star it is unknown which argument stands where */
    if (!operation_method(eval->inference, class_id, eval->inference->known->forward, &forward)) return NULL;
    const Value *context = operation_context(eval, class_id);
    if (!operation_has_setup(eval->inference, class_id, &setup))
        return call_function(eval, expr, &forward, context, args);
    const Value *output = call_function(eval, expr, &forward, NULL, args);
    run_setup(eval, expr, &setup, context, args, output);
    return output;
}
