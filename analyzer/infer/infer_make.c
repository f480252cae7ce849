/* Instances: of the classes of the program and of stub classes. */
#include "interpret.h"

static void fill_dataclass(Eval *eval, const Alt *made, const Args *args) {
    Inference *inference = eval->inference;
    GlobalClass class_id = made->id;
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
        if (value) write_attribute(inference, made, name, value);
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
    const SourceFile *file = program_class_file(inference->program, class_id);
    const Class *class_ = &file->model->classes.items[class_id - file->class_base];
    for (uint32_t i = 0; i < class_->methods.count; i++) {
        const Func *method = &file->model->funcs.items[file->model->links.items[class_->methods.first + i]];
        if (!text_starts(model_name(file->model, method->name), TEXT("__"))) return false;
    }
    return true;
}

static bool is_text(Eval *eval, const Value *value, const char *text) {
    return value_only(value, KIND_TEXT) && value->alts[0].id &&
           text_is(sym_text(eval, value->alts[0].id), text);
}

/* Options that objects carry along: pinned batches, fused optimizers, distributions and scalers told not to check, or
   perhaps told so. */
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
        for (size_t o = 0; o < sizeof OPTIONS / sizeof *OPTIONS; o++) {
            if (!text_is(name, OPTIONS[o].name)) continue;
            if (truth == OPTIONS[o].spares) alt->flags |= ALT_SPARED;
            if (truth == TRI_UNKNOWN) alt->confidence = confidence_min(alt->confidence, CONFIDENCE_LIKELY);
        }
    }
}

/* What a library's constructor does is done for a subclass too; what it says of where its instances are, and that they
   spare a wait, is kept for the instance. Modules and optimizers are placed by their parameters. */
void construct_base(Eval *eval, ExprId expr, const Alt *made, EntryId base, const Args *args) {
    Inference *inference = eval->inference;
    EntryId init = member_of(inference, base, TEXT("__init__"));
    const Value *given =
        init ? only_kind(eval, apply_entry(eval, expr, EFFECT_OWN, init, NULL, args), KIND_TENSOR) : NULL;
    if (!given || given->count != 1 || is_module_alt(eval, made)) return;
    Alt held =
        alt_tensor((Device)given->alts[0].device, (Confidence)given->alts[0].confidence, given->alts[0].origin);
    note_options(eval, args, &held);
    write_attribute(inference, made, inference->known->base, alt_value(eval, &held));
}

/* An instance whose library base was made of tensors is where they are, as an object of that base is; a module that its
   constructor has moved is there. */
static const Value *placed(Eval *eval, Alt made) {
    EntryId entry = 0;
    const Value *held = instance_member(eval, &made, eval->inference->known->base, &entry);
    if (!value_only(held, KIND_TENSOR) || held->count != 1) return alt_value(eval, &made);
    made.device = held->alts[0].device, made.confidence = held->alts[0].confidence;
    made.origin = held->alts[0].origin;
    made.flags |= held->alts[0].flags & ALT_SPARED;
    return alt_value(eval, &made);
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
    return elsewhere && made.device != DEVICE_CUDA ? placed(eval, made) : instance;
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

/* ---- what a collate function makes ---- */

/* What is made of the rows of one loader: under which number, and what stands for a tensor of which nothing is known. */
typedef struct Collating {
    ExprId expr;
    uint8_t number;
    const Value *tensor;
} Collating;

static const Value *collated(Eval *eval, const Collating *how, const Value *value, uint32_t path);

static const Value *collated_parts(Eval *eval, const Collating *how, const Alt *alt, uint32_t path) {
    Inference *inference = eval->inference;
    ObjectId batch = object_at(eval, how->expr, how->number, alt->object, path);
    for (uint32_t i = 0; i < inference->objects.items[alt->object].keys.count; i++) {
        uint32_t key = inference->objects.items[alt->object].keys.items[i];
        const Value *part = collated(eval, how, object_get(eval, alt->object, key), path_into(path, i));
        store_write(inference, object_slot(inference, batch, key), part);
    }
    const Value *rest = store_read(inference, eval->id, inference->objects.items[alt->object].rest);
    if (rest) object_add(eval, batch, collated(eval, how, rest, path_into(path, PATH_REST)));
    return object_value(eval, batch);
}

/* What a loader yields of it: tensors are batches, and so is what nothing is known of. */
static const Value *collated(Eval *eval, const Collating *how, const Value *value, uint32_t path) {
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

static const Value *batch_tensor(Eval *eval, uint8_t pinned, uint16_t flags) {
    Alt tensor = alt_tensor(DEVICE_CPU, CONFIDENCE_CERTAIN, 0);
    tensor.pinned = pinned, tensor.flags = (uint16_t)(ALT_BATCH | flags);
    return value_of(&eval->inference->values, tensor);
}

/* One row of a dataset: of a list of rows, its elements. NULL = it is not known. */
static const Value *row_of(Eval *eval, ExprId expr, const Alt *dataset) {
    Sym getitem = eval->inference->known->getitem;
    EntryId entry = 0;
    if (dataset->kind == KIND_CONTAINER) return element_of(eval, 0, alt_value(eval, dataset), false);
    if (dataset->kind != KIND_INSTANCE ||
        !value_has(class_member(eval, dataset->id, getitem, &entry), KIND_FUNCTION))
        return NULL;
    Args args = {.values = {kind_value(eval, KIND_NUMBER)}, .count = 1};
    return call_method(eval, expr, alt_value(eval, dataset), getitem, &args);
}

const Value *dataset_rows(Eval *eval, ExprId expr, const Value *dataset) {
    Inference *inference = eval->inference;
    const Value *tensor = batch_tensor(eval, TRI_NO, 0), *rows = NULL;
    Collating how = {expr, 50, tensor};
    for (uint32_t i = 0; dataset && i < dataset->count; i++) {
        const Value *row = row_of(eval, expr, &dataset->alts[i]);
        rows = join_values(eval, rows, collated(eval, &how, row ? row : tensor, 0));
    }
    ObjectId list = store_object(inference, STORE_PART, eval->id, (uint64_t)expr << 8 | 38, FLAVOUR_LIST);
    inference->objects.items[list].open = true;
    object_add(eval, list, rows ? rows : tensor);
    return object_value(eval, list);
}

static const Value *loader_argument(Eval *eval, const Args *args, Text name, uint32_t position) {
    for (uint32_t i = 0; i < args->named_count; i++)
        if (text_equal(names_text(&eval->inference->program->names, args->names[i]), name))
            return args->named[i];
    return position < args->count ? args->values[position] : NULL;
}

/* torch.tensor(rows, device=device): a loader without workers may make its batches where they are wanted. */
static bool all_on_gpu(const Value *value) {
    for (uint32_t i = 0; value && i < value->count; i++)
        if (value->alts[i].kind != KIND_TENSOR || value->alts[i].device != DEVICE_CUDA) return false;
    return value != NULL;
}

/* Where the collate function is the program's own, a batch is what that returns: a record, a dict, a tuple. */
static void note_collated(Eval *eval, ExprId expr, const Args *args, Alt *loader) {
    const Value *function = loader_argument(eval, args, TEXT("collate_fn"), 6);
    bool own = value_has(function, KIND_FUNCTION) || value_has(function, KIND_PARTIAL) ||
               value_has(function, KIND_INSTANCE);
    if (!own || value_has(function, KIND_UNKNOWN)) return;
    uint8_t rate = eval->rate;
    eval->rate = RATE_WORKER;
    const Value *dataset = loader_argument(eval, args, TEXT("dataset"), 0);
    Args rows = {.values = {dataset_rows(eval, expr, dataset)}, .count = 1};
    const Value *value = call_value(eval, expr, function, &rows);
    eval->rate = rate;
    bool parts = value_has(value, KIND_INSTANCE) || value_has(value, KIND_CONTAINER);
    if (!parts && !all_on_gpu(value)) return;
    Collating how = {expr, 40, batch_tensor(eval, loader->pinned, loader->flags & ALT_IN_PROCESS)};
    loader->object =
        store_object(eval->inference, STORE_PART, eval->id, (uint64_t)expr << 8 | 39, FLAVOUR_PARTS);
    object_add(eval, loader->object, collated(eval, &how, value, 0));
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
    bool loader = known->loader && rulebook_inherits(inference->book, class_entry, known->loader);
    if (loader && works_in_process(eval, args)) alt.flags |= ALT_IN_PROCESS;
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

const Value *stub_instance(Eval *eval, EntryId entry) {
    const Known *known = eval->inference->known;
    if (entry == known->tensor)
        return value_of(&eval->inference->values, alt_tensor(DEVICE_UNKNOWN, CONFIDENCE_CERTAIN, 0));
    Alt alt = {.kind = KIND_OBJECT, .id = entry, .confidence = CONFIDENCE_CERTAIN, .pinned = TRI_NO};
    if (known->module && rulebook_inherits(eval->inference->book, entry, known->module))
        alt.device = DEVICE_CPU;
    if (rulebook_inherits(eval->inference->book, entry, known->optimizer))
        alt.device = DEVICE_CUDA, alt.confidence = CONFIDENCE_LIKELY;
    return value_of(&eval->inference->values, alt);
}

/* Model.from_pretrained(...): one of the class that is asked; of which __init__ is run with what nobody sees here. */
const Value *instances_of_class(Eval *eval, const Value *class_value) {
    const Value *result = NULL;
    for (uint32_t i = 0; class_value && i < class_value->count; i++) {
        const Alt *alt = &class_value->alts[i];
        Alt made = {
            .kind = KIND_INSTANCE, .id = alt->id, .confidence = CONFIDENCE_CERTAIN, .device = DEVICE_CPU};
        if (alt->kind == KIND_ENTRY || alt->kind == KIND_OBJECT)
            result = join_values(eval, result, stub_instance(eval, alt->id));
        else if (alt->kind == KIND_CLASS || alt->kind == KIND_INSTANCE)
            result = join_values(eval, result, value_of(&eval->inference->values, made));
        else
            result = join_values(eval, result, kind_value(eval, KIND_UNKNOWN));
    }
    return result;
}
