/* Instances: of the classes of the program and of stub classes. */
#include "interpret.h"

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
        if (value) write_attribute(inference, class_id, name, value);
    }
}

/* An optimizer is where its parameters are; not knowing them, we price a run on a GPU. */
static void place_optimizer(Eval *eval, ExprId expr, const Args *args, Alt *optimizer) {
    Alt witness = {0};
    if (args_hold(eval, args, DEVICE_CUDA, &witness)) {
        optimizer->device = DEVICE_CUDA;
        optimizer->confidence = witness.confidence;
        optimizer->origin = witness.origin;
    } else if (args_hold(eval, args, DEVICE_CPU, &witness)) {
        optimizer->device = DEVICE_CPU;
    } else {
        optimizer->device = DEVICE_CUDA;
        optimizer->confidence = CONFIDENCE_LIKELY;
        optimizer->origin =
            origin_add(&eval->inference->values, (Origin){.kind = ORIGIN_MODEL,
                                                          .confidence = CONFIDENCE_LIKELY,
                                                          .file = eval->file_id,
                                                          .span = eval->model->exprs.items[expr].span});
    }
}

/* class AttrDict(dict), with nothing but Python's own hooks: a dict whose keys are attributes too. */
static bool is_plain_dict(Inference *inference, GlobalClass class_id) {
    EntryId dict = inference->known->dict, ordered = inference->known->ordered_dict;
    if (!class_inherits(inference, class_id, dict) && !class_inherits(inference, class_id, ordered))
        return false;
    const SourceFile *file =
        &inference->program->files.items[program_file_of_class(inference->program, class_id)];
    const Class *class_ = &file->model->classes.items[class_id - file->class_base];
    for (uint32_t i = 0; i < class_->methods.count; i++) {
        const Func *method = &file->model->funcs.items[file->model->links.items[class_->methods.first + i]];
        if (!text_starts(model_name(file->model, method->name), TEXT("__"))) return false;
    }
    return true;
}

const Value *instantiate(Eval *eval, ExprId expr, GlobalClass class_id, const Args *args) {
    Inference *inference = eval->inference;
    if (is_plain_dict(inference, class_id)) return make_dict(eval, expr, args);
    const ClassInfo *info = class_info(inference, class_id);
    Alt made = {.kind = KIND_INSTANCE, .id = class_id, .confidence = CONFIDENCE_CERTAIN};
    if (info->is_module == TRI_YES)
        made.device = (uint8_t)default_device(eval);
    else if (class_inherits(inference, class_id, inference->known->optimizer))
        place_optimizer(eval, expr, args, &made);
    const Value *instance = value_of(&inference->values, made);
    EntryId entry = 0;
    const Value *init = class_member(eval, class_id, inference->known->init, &entry);
    for (uint32_t i = 0; init && i < init->count; i++)
        if (init->alts[i].kind == KIND_FUNCTION) call_function(eval, expr, &init->alts[i], instance, args);
    if (!init) fill_dataclass(eval, class_id, args);
    const Value *post = class_member(eval, class_id, inference->known->post_init, &entry);
    if (value_has(post, KIND_FUNCTION))
        call_method(eval, expr, instance, inference->known->post_init, &(Args){0});
    return instance;
}

static bool is_text(Eval *eval, const Value *value, const char *text) {
    return value_only(value, KIND_TEXT) && value->alts[0].id &&
           text_is(sym_text(eval, value->alts[0].id), text);
}

/* Options that objects carry along: pinned batches, fused optimizers, distributions and scalers told not to check. */
static void note_options(Eval *eval, const Args *args, Alt *alt) {
    static const struct {
        const char *name;
        Tri spares;
    } OPTIONS[] = {{"fused", TRI_YES}, {"validate_args", TRI_NO}, {"enabled", TRI_NO}};
    for (uint32_t i = 0; i < args->named_count; i++) {
        Text name = names_text(&eval->inference->program->names, args->names[i]);
        Tri truth = literal_truth(eval, args->named[i]);
        if (text_equal(name, TEXT("pin_memory"))) alt->pinned = (uint8_t)truth;
        if (text_equal(name, TEXT("nan_strategy")) && is_text(eval, args->named[i], "disable"))
            alt->flags |= ALT_SPARED;
        for (size_t o = 0; o < sizeof OPTIONS / sizeof *OPTIONS; o++)
            if (text_is(name, OPTIONS[o].name) && truth == OPTIONS[o].spares) alt->flags |= ALT_SPARED;
    }
}

static bool is_zero(Eval *eval, const Value *value) {
    return value_only(value, KIND_NUMBER) && value->count == 1 && value->alts[0].id &&
           text_equal(sym_text(eval, value->alts[0].id), TEXT("0"));
}

/* A DataLoader that is not given workers has none. */
static bool works_in_process(Eval *eval, const Args *args) {
    for (uint32_t i = 0; i < args->named_count; i++) {
        if (text_equal(names_text(&eval->inference->program->names, args->names[i]), TEXT("num_workers")))
            return is_zero(eval, args->named[i]);
    }
    return args->count < 6 && !args->double_star && !args->star_value;
}

/* A stub class: what `__init__` says it returns describes the instance: a container, a place, or the argument. */
const Value *construct(Eval *eval, ExprId expr, EntryId class_entry, const Args *args) {
    Inference *inference = eval->inference;
    const Known *known = inference->known;
    EntryId init = member_of(inference, class_entry, TEXT("__init__"));
    Alt alt = {.kind = KIND_OBJECT, .id = class_entry, .confidence = CONFIDENCE_CERTAIN, .pinned = TRI_NO};
    if (known->module && rulebook_inherits(inference->book, class_entry, known->module))
        alt.device = (uint8_t)default_device(eval);
    const Value *made = init ? apply_entry(eval, expr, EFFECT_OWN, init, NULL, args) : NULL;
    note_options(eval, args, &alt);
    if (known->loader && rulebook_inherits(inference->book, class_entry, known->loader) &&
        works_in_process(eval, args))
        alt.flags |= ALT_IN_PROCESS;
    if (rulebook_inherits(inference->book, class_entry, known->optimizer)) {
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
            with.confidence = part->confidence;
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
