/* Making instances, as far as no call is needed: fields of dataclasses, options, the device of an optimizer,
   the batches of a loader. */
#include "construct.h"
#include "conventions.h"
#include "environment.h"
#include "python.h"

/* The value of a dataclass field from `*row` or `**fields`: as declared, if that is a single kind. A field with
   a number as default keeps it: `Args(**vars(parser.parse_args()))`. */
static const Value *spread_field(Eval *eval, const Alt *made, Sym name, const Args *args, bool has_default) {
    const Value *spread = join_values(eval, args->star_value, args->double_star_value);
    const Value *declared = declared_member(eval, made->id, name);
    if (!spread || !declared) return has_default ? NULL : spread;
    if (has_default && !value_has(declared, KIND_TENSOR)) return NULL;
    Kind kind = (Kind)declared->alts[0].kind;
    if (!value_only(declared, kind)) return spread;
    return value_has(spread, kind) ? only_kind(eval, spread, kind) : declared;
}

static void fill_fields(Eval *eval, const Alt *made, GlobalClass class_id, const Args *args,
                        uint32_t *position) {
    const SourceFile *file = program_class_file(eval->inference->program, class_id);
    const FileModel *model = file->model;
    const Func *body = &model->funcs.items[model->classes.items[class_id - file->class_base].body];
    for (uint32_t i = 0; i < body->body.count; i++) {
        const Stmt *stmt = &model->stmts.items[model->links.items[body->body.first + i]];
        if (stmt->kind != STMT_ASSIGN || !stmt->a || !stmt->list.count) continue;
        const Expr *target = &model->exprs.items[model->links.items[stmt->list.first]];
        if (target->kind != EXPR_NAME) continue;
        Sym name = file->syms[target->name];
        bool taken[ARGUMENTS];
        const Value *value = named_argument(args, name, taken);
        if (!value && *position < args->count) value = args->values[*position];
        if (!value) value = spread_field(eval, made, name, args, stmt->b);
        (*position)++;
        if (value) write_attribute(eval->inference, made, name, value);
    }
}

/* Fields of base classes come first. */
void fill_dataclass(Eval *eval, const Alt *made, const Args *args) {
    uint32_t position = 0, count;
    const uint32_t *order = class_order(eval->inference, made->id, &count);
    for (uint32_t i = count; i-- > 0;)
        if (!(order[i] & 1)) fill_fields(eval, made, order[i] >> 1, args, &position);
}

/* `Adam([shift])` trains a variable of this function, so no module that is moved later takes it along. */
static void settle_parameters(Eval *eval, const Args *args) {
    const Expr *list = &eval->model->exprs.items[args->count ? args->exprs[0] : 0];
    if (list->kind != EXPR_LIST && list->kind != EXPR_TUPLE) return;
    for (uint32_t i = 0; i < list->list.count; i++) {
        const Expr *given = &eval->model->exprs.items[eval->model->links.items[list->list.first + i]];
        uint32_t slot = given->kind == EXPR_NAME ? slot_own(given) : 0;
        const Value *value = slot ? env_get(eval->env, slot) : NULL;
        Alt alts[VALUE_ALTS];
        for (uint32_t a = 0; value && a < value->count; a++) {
            alts[a] = value->alts[a];
            if (alts[a].kind == KIND_TENSOR) alts[a].flags &= (uint16_t)~ALT_LAZY;
        }
        if (value) env_put(eval->env, slot, value_from(&eval->inference->values, alts, value->count));
    }
}

/* An optimizer is where its parameters are; if those are unknown, on the GPU of the priced run. */
void place_optimizer(Eval *eval, ExprId expr, const Args *args, Alt *optimizer) {
    Alt witness = {0};
    settle_parameters(eval, args);
    if (args_hold(eval, args, DEVICE_CUDA, &witness)) {
        optimizer->device = DEVICE_CUDA;
        optimizer->belief = witness.belief;
        optimizer->origin = witness.origin;
    } else if (args_hold(eval, args, DEVICE_CPU, &witness)) {
        optimizer->device = DEVICE_CPU;
    } else {
        optimizer->device = DEVICE_CUDA;
        optimizer->belief = BELIEVED;
        optimizer->origin = origin_of(eval, ORIGIN_MODEL, expr, 0);
    }
}

/* class AttrDict(dict) that only defines Python's own hooks: a dict whose keys are attributes too. */
bool is_plain_dict(Inference *inference, GlobalClass class_id) {
    EntryId dict = inference->known->dict, ordered = inference->known->ordered_dict;
    if (!class_inherits(inference, class_id, dict) && !class_inherits(inference, class_id, ordered))
        return false;
    const SourceFile *file = program_class_file(inference->program, class_id);
    const Class *class_ = &file->model->classes.items[class_id - file->class_base];
    for (uint32_t i = 0; i < class_->methods.count; i++) {
        const Func *method = &file->model->funcs.items[file->model->links.items[class_->methods.first + i]];
        if (!text_starts(model_name(file->model, method->name), TEXT("__"))) return false;
    }
    return true;
}

static bool is_text(Eval *eval, const Value *value, Named named) {
    return value_only(value, KIND_TEXT) && value->alts[0].id &&
           name_is(eval->inference->book, named, sym_text(eval, value->alts[0].id));
}

/* Options that an object keeps: pinned batches, fused optimizers, distributions and scalers told not to check
   (perhaps). */
void note_options(Eval *eval, const Args *args, Alt *alt) {
    const Rulebook *book = eval->inference->book;
    for (uint32_t i = 0; i < args->named_count; i++) {
        Text name = names_text(&eval->inference->program->names, args->names[i]);
        Tri truth = literal_truth(eval, args->named[i]);
        bool spares = name_is(book, NAMED_sparing_option, name),
             asks = name_is(book, NAMED_asking_option, name);
        if (name_is(book, NAMED_pinning_option, name)) alt->pinned = (uint8_t)truth;
        if (name_is(book, NAMED_choosing_option, name) && is_text(eval, args->named[i], NAMED_sparing_choice))
            alt->flags |= ALT_SPARED;
        if ((spares && truth == TRI_YES) || (asks && truth == TRI_NO)) alt->flags |= ALT_SPARED;
        if ((spares || asks) && truth == TRI_UNKNOWN) alt->belief |= BELIEVED;
    }
}

/* An instance whose library base class was constructed from tensors is on their device; a module that its
   constructor moved is there. */
const Value *instance_placed(Eval *eval, Alt made) {
    EntryId entry = 0;
    const Value *held = instance_member(eval, &made, eval->inference->known->base, &entry);
    if (!value_only(held, KIND_TENSOR) || held->count != 1) return alt_value(eval, &made);
    made.device = held->alts[0].device, made.belief = held->alts[0].belief;
    made.origin = held->alts[0].origin;
    made.flags |= held->alts[0].flags & ALT_SPARED;
    return alt_value(eval, &made);
}

static bool is_zero(Eval *eval, const Value *value) {
    return value_only(value, KIND_NUMBER) && value->count == 1 && value->alts[0].id &&
           text_equal(sym_text(eval, value->alts[0].id), TEXT("0"));
}

/* A DataLoader has no workers unless it is given some. */
bool loader_in_process(Eval *eval, const Args *args) {
    for (uint32_t i = 0; i < args->named_count; i++) {
        if (name_is(eval->inference->book, NAMED_workers_parameter, sym_text(eval, args->names[i])))
            return is_zero(eval, args->named[i]);
    }
    return args->count < 6 && !args->double_star && !args->star_value;
}

static const Value *collated_parts(Eval *eval, const Collating *how, const Alt *alt, uint32_t path) {
    Inference *inference = eval->inference;
    ObjectId batch = object_at(eval, how->expr, how->number, alt->object, path);
    for (uint32_t i = 0; i < infer_object(inference, alt->object)->key_count; i++) {
        uint32_t key = object_keys(infer_object(inference, alt->object))[i].key;
        const Value *part = collated_batch(eval, how, object_get(eval, alt->object, key), path_into(path, i));
        store_write(inference, object_slot(inference, batch, key), part);
    }
    const Value *rest = store_read(inference, eval->id, infer_object(inference, alt->object)->rest);
    if (rest) object_add(eval, batch, collated_batch(eval, how, rest, path_into(path, PATH_REST)));
    return object_value(eval, batch);
}

/* The batch that a loader makes of a value: tensors become batches, and so do unknown values. */
const Value *collated_batch(Eval *eval, const Collating *how, const Value *value, uint32_t path) {
    const Value *result = NULL;
    const Alt *tensor = &how->tensor->alts[0];
    for (uint32_t i = 0; value && i < value->count; i++) {
        Alt alt = value->alts[i];
        const Value *part = alt.kind == KIND_UNKNOWN ? how->tensor : NULL;
        if (alt.kind == KIND_CONTAINER)
            part = path <= PATH_DEEPEST ? collated_parts(eval, how, &alt, path) : how->tensor;
        if (alt.kind == KIND_TENSOR && alt.device != DEVICE_CUDA)
            alt.device = DEVICE_CPU, alt.pinned = tensor->pinned, alt.flags |= tensor->flags;
        result = join_values(eval, result, part ? part : alt_value(eval, &alt));
    }
    return result;
}

const Value *batch_tensor(Eval *eval, uint8_t pinned, uint16_t flags) {
    Alt tensor = alt_tensor(DEVICE_CPU, 0, 0);
    tensor.pinned = pinned, tensor.flags = (uint16_t)(ALT_BATCH | flags);
    return value_of(&eval->inference->values, tensor);
}

const Value *loader_argument(Eval *eval, const Args *args, Named named, uint32_t position) {
    for (uint32_t i = 0; i < args->named_count; i++)
        if (name_is(eval->inference->book, named, sym_text(eval, args->names[i]))) return args->named[i];
    return position < args->count ? args->values[position] : NULL;
}

/* torch.tensor(rows, device=device): a loader without workers may make its batches on the GPU. */
bool items_all_on_gpu(const Value *value) {
    for (uint32_t i = 0; value && i < value->count; i++)
        if (value->alts[i].kind != KIND_TENSOR || value->alts[i].device != DEVICE_CUDA) return false;
    return value != NULL;
}
