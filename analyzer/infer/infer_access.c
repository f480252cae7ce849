/* Attributes, subscripts and iteration: what `a.b`, `a[i]` and `for x in a` give, an alternative at a time. */
#include "interpret.h"

/* Submodules, parameters and buffers are where the module is that holds them. */
const Value *follow_owner(Eval *eval, const Alt *owner, const Value *value) {
    if (!value || owner->device != DEVICE_CUDA) return value;
    Alt alts[VALUE_ALTS];
    for (uint32_t i = 0; i < value->count; i++) {
        alts[i] = value->alts[i];
        bool lazy = alts[i].kind == KIND_TENSOR && (alts[i].flags & ALT_LAZY);
        bool part =
            (alts[i].kind == KIND_INSTANCE || alts[i].kind == KIND_OBJECT) && is_module_alt(eval, &alts[i]);
        if (!lazy && !part) continue;
        alts[i].device = DEVICE_CUDA;
        alts[i].pinned = TRI_NO;
        alts[i].confidence =
            (uint8_t)confidence_min((Confidence)alts[i].confidence, (Confidence)owner->confidence);
        alts[i].origin = owner->origin;
    }
    return value_from(&eval->inference->values, alts, value->count);
}

static const Value *device_alt(Eval *eval, Device device, Confidence confidence, OriginId origin) {
    return value_of(&eval->inference->values, (Alt){.kind = KIND_DEVICE,
                                                    .device = (uint8_t)device,
                                                    .confidence = (uint8_t)confidence,
                                                    .origin = origin});
}

static OriginId here(Eval *eval, OriginKind kind, ExprId expr, Confidence confidence) {
    return origin_add(&eval->inference->values, (Origin){.kind = (uint8_t)kind,
                                                         .confidence = (uint8_t)confidence,
                                                         .file = eval->file_id,
                                                         .span = eval->model->exprs.items[expr].span});
}

/* `args.device`, `self.device`, `cfg.MODEL.DEVICE`: by convention the device that the run is on, a GPU. */
static bool names_place(Text text) {
    return text_equal(text, TEXT("device")) || text_equal(text, TEXT("_device")) ||
           text_equal(text, TEXT("DEVICE"));
}

const Value *place_by_name(Eval *eval, ExprId expr, Text name, const Value *value) {
    if (!names_place(name) || !(value_only(value, KIND_UNKNOWN) || value_only(value, KIND_HOST))) return value;
    return device_alt(eval, DEVICE_CUDA, CONFIDENCE_LIKELY, here(eval, ORIGIN_NAME, expr, CONFIDENCE_LIKELY));
}

static const Value *conventional_attribute(Eval *eval, ExprId expr, Sym name, Kind otherwise) {
    Text text = sym_text(eval, name);
    if (names_place(text)) return place_by_name(eval, expr, text, kind_value(eval, KIND_UNKNOWN));
    if (text_equal(text, TEXT("shape")) || text_equal(text, TEXT("ndim"))) return kind_value(eval, KIND_HOST);
    if (text_equal(text, TEXT("dtype"))) return kind_value(eval, KIND_DTYPE);
    return kind_value(eval, otherwise);
}

static const Value *entry_attribute(Eval *eval, ExprId expr, EntryId class_entry, Sym name,
                                    const Value *receiver, Confidence confidence) {
    const Rulebook *book = eval->inference->book;
    EntryId entry = member_of(eval->inference, class_entry, sym_text(eval, name));
    if (!entry) return NULL;
    const Entry *found = &book->entries[entry];
    if (found->kind == ENTRY_VALUE) return apply_attribute(eval, expr, entry, receiver);
    for (uint32_t c = 0; c < found->clause_count; c++) {
        const Clause *clause = &book->clauses[found->first_clause + c];
        for (uint32_t e = 0; e < clause->effect_count; e++)
            if (book->effects[clause->first_effect + e].word == EFF_property)
                return apply_entry(eval, expr, EFFECT_OWN, entry, receiver, &(Args){0});
    }
    return bound_value(eval, expr, KIND_ENTRY, entry, receiver, confidence);
}

/* Of a stub class: @classmethod. */
static bool takes_class(Eval *eval, EntryId class_entry, Sym name) {
    const Rulebook *book = eval->inference->book;
    const Entry *found = &book->entries[member_of(eval->inference, class_entry, sym_text(eval, name))];
    const Clause *clause = found->clause_count ? &book->clauses[found->first_clause] : NULL;
    for (uint32_t e = 0; clause && e < clause->effect_count; e++)
        if (book->effects[clause->first_effect + e].word == EFF_classmethod) return true;
    return false;
}

static bool has_decorator(Eval *eval, FileId file, const Func *func, const char *name) {
    const FileModel *model = eval->inference->program->files.items[file].model;
    for (uint32_t i = 0; i < func->decorators.count; i++) {
        const Expr *expr = &model->exprs.items[model->links.items[func->decorators.first + i]];
        if (expr->kind != EXPR_NAME && expr->kind != EXPR_ATTRIBUTE) continue;
        if (text_ends(model_name(model, expr->name), text_of(name))) return true;
    }
    return false;
}

/* `x.scale = value` where the class says what that does. False: it does not. */
bool call_setter(Eval *eval, ExprId expr, const Alt *instance, Sym name, const Value *value) {
    EntryId entry = 0;
    if (!method_named(eval->inference, name)) return false;
    const Value *member = class_member(eval, instance->id, name, &entry);
    bool called = false;
    for (uint32_t i = 0; member && i < member->count; i++) {
        const Alt *alt = &member->alts[i];
        if (alt->kind != KIND_FUNCTION || alt->object) continue;
        FileId file = file_of_func(eval->inference, alt->id);
        const SourceFile *source = &eval->inference->program->files.items[file];
        if (!has_decorator(eval, file, &source->model->funcs.items[alt->id - source->func_base], "setter"))
            continue;
        Args args = {.values = {value}, .count = 1};
        call_function(eval, expr, alt, alt_value(eval, instance), &args);
        called = true;
    }
    return called;
}

GlobalFunc plain_method(Eval *eval, const Alt *receiver, Sym name) {
    static const char *const CHANGED[] = {"staticmethod", "classmethod", "property", "setter", "deleter"};
    if (receiver->kind != KIND_INSTANCE) return 0;
    EntryId entry = 0;
    const Value *member = class_member(eval, receiver->id, name, &entry);
    if (!member || member->count != 1 || member->alts[0].kind != KIND_FUNCTION || member->alts[0].object)
        return 0;
    FileId file = file_of_func(eval->inference, member->alts[0].id);
    const SourceFile *source = &eval->inference->program->files.items[file];
    const Func *func = &source->model->funcs.items[member->alts[0].id - source->func_base];
    if (!func->class_id) return 0;
    for (size_t i = 0; func->decorators.count && i < sizeof CHANGED / sizeof *CHANGED; i++)
        if (has_decorator(eval, file, func, CHANGED[i])) return 0;
    return member->alts[0].id;
}

/* A decorated method is a closure that stands in the class body; one that an attribute holds is not a method, and a
   static one takes no receiver. */
static bool defines_method(Eval *eval, GlobalClass class_id, Sym name, uint32_t depth) {
    const Inference *inference = eval->inference;
    FileId file_id = program_file_of_class(inference->program, class_id);
    const SourceFile *file = &inference->program->files.items[file_id];
    const Class *class_ = &file->model->classes.items[class_id - file->class_base];
    for (uint32_t i = 0; i < class_->methods.count; i++) {
        const Func *func = &file->model->funcs.items[file->model->links.items[class_->methods.first + i]];
        if (file->syms[func->name] == name) return !has_decorator(eval, file_id, func, "staticmethod");
    }
    const ClassInfo *info = &inference->classes[class_id];
    for (uint32_t i = 0; depth < 16 && i < info->base_count; i++)
        for (uint32_t a = 0; info->bases[i] && a < info->bases[i]->count; a++) {
            const Alt *base = &info->bases[i]->alts[a];
            if (base->kind == KIND_CLASS && base->id != class_id &&
                defines_method(eval, base->id, name, depth + 1))
                return true;
        }
    return false;
}

static const Value *bind_closure(Eval *eval, ExprId expr, const Alt *closure, const Alt *receiver) {
    Inference *inference = eval->inference;
    ObjectId object = store_object(inference, STORE_BOUND_CLOSURE, eval->id,
                                   (uint64_t)closure->object << 32 | expr, FLAVOUR_PARTS);
    inference->objects.items[object].closure = inference->objects.items[closure->object].closure;
    store_write(inference, inference->objects.items[object].rest, alt_value(eval, receiver));
    Alt bound = *closure;
    bound.object = object;
    return value_of(&inference->values, bound);
}

/* A function found in a class: bound to its receiver or its class, called at once when it is a property. */
static const Value *bind_member(Eval *eval, ExprId expr, const Value *member, const Alt *receiver, Sym name) {
    const Value *result = NULL;
    for (uint32_t i = 0; member && i < member->count; i++) {
        const Alt *alt = &member->alts[i];
        if (alt->kind == KIND_FUNCTION && alt->object && receiver->kind == KIND_INSTANCE &&
            !bound_receiver(eval, alt) && defines_method(eval, receiver->id, name, 0)) {
            result = join_values(eval, result, bind_closure(eval, expr, alt, receiver));
            continue;
        }
        if (alt->kind != KIND_FUNCTION || alt->object) {
            result = join_values(eval, result, alt_value(eval, alt));
            continue;
        }
        FileId file = file_of_func(eval->inference, alt->id);
        const SourceFile *source = &eval->inference->program->files.items[file];
        const Func *func = &source->model->funcs.items[alt->id - source->func_base];
        if (has_decorator(eval, file, func, "setter") || has_decorator(eval, file, func, "deleter")) continue;
        if (!func->class_id || has_decorator(eval, file, func, "staticmethod")) {
            result = join_values(eval, result, alt_value(eval, alt));
        } else if (has_decorator(eval, file, func, "classmethod")) {
            Alt class_ = {.kind = KIND_CLASS, .id = receiver->id, .confidence = CONFIDENCE_CERTAIN};
            const Value *owner = value_of(&eval->inference->values, class_);
            result = join_values(eval, result,
                                 bound_value(eval, expr, KIND_FUNCTION, alt->id, owner, CONFIDENCE_CERTAIN));
        } else if (receiver->kind == KIND_CLASS) {
            result = join_values(eval, result, alt_value(eval, alt));
        } else if (has_decorator(eval, file, func, "property")) {
            result = join_values(eval, result,
                                 call_function(eval, expr, alt, alt_value(eval, receiver), &(Args){0}));
        } else {
            result = join_values(
                eval, result,
                bound_value(eval, expr, KIND_FUNCTION, alt->id, alt_value(eval, receiver), CONFIDENCE_CERTAIN));
        }
    }
    return result;
}

static const Value *instance_attribute(Eval *eval, ExprId expr, const Alt *alt, Sym name) {
    EntryId entry = 0;
    if (text_equal(sym_text(eval, name), TEXT("__dict__"))) return attribute_dict(eval, expr, alt);
    const Value *member = instance_member(eval, alt, name, &entry);
    if (member) return follow_owner(eval, alt, bind_member(eval, expr, member, alt, name));
    if (entry) {
        Alt holder = holder_of_parts(eval, alt, name);
        const Value *self = alt_value(eval, &holder);
        const Value *value = entry_attribute(eval, expr, entry, name, self, (Confidence)holder.confidence);
        if (value) return value;
    }
    if (is_module_alt(eval, alt) && name == eval->inference->known->device_name &&
        alt->device != DEVICE_UNKNOWN && !is_moved_later(eval, alt))
        return device_alt(eval, (Device)alt->device, (Confidence)alt->confidence, alt->origin);
    const Value *asked = asked_attribute(eval, expr, alt, name);
    const Value *value = asked ? asked : conventional_attribute(eval, expr, name, KIND_UNKNOWN);
    const Value *kept = value_only(value, KIND_UNKNOWN) ? kept_by_subclasses(eval, alt, name) : NULL;
    return kept ? follow_owner(eval, alt, bind_member(eval, expr, kept, alt, name)) : value;
}

static const Value *object_attribute(Eval *eval, ExprId expr, const Alt *alt, Sym name) {
    Inference *inference = eval->inference;
    if (alt->object &&
        object_has(inference, alt->object, name_key(name))) /* the parts of nn.ModuleDict(dict(...)) */
        return follow_owner(eval, alt, object_get(eval, alt->object, name_key(name)));
    SlotId slot = store_slot(inference, STORE_ENTRY_ATTRIBUTE, alt->id, name);
    const Value *assigned = alt->flags & ALT_GUESS ? NULL : store_read(inference, eval->id, slot);
    if (assigned) return follow_owner(eval, alt, moved_with(eval, alt, assigned));
    const Value *value =
        entry_attribute(eval, expr, alt->id, name, alt_value(eval, alt), (Confidence)alt->confidence);
    if (value) return follow_owner(eval, alt, value);
    if (alt->device != DEVICE_UNKNOWN && name == inference->known->device_name && !is_moved_later(eval, alt))
        return device_alt(eval, (Device)alt->device, (Confidence)alt->confidence, alt->origin);
    return conventional_attribute(eval, expr, name, is_module_alt(eval, alt) ? KIND_UNKNOWN : KIND_HOST);
}

/* What a TensorDict or a graph batch, which are told as tensors, say of their sizes: numbers and torch.Size
   (documentation of tensordict.TensorDictBase and torch_geometric.data.Batch). */
static bool counts_rows(Text name) {
    static const char *const COUNTS[] = {"batch_size", "batch_dims", "num_nodes", "num_edges", "num_graphs"};
    for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++)
        if (text_is(name, COUNTS[i])) return true;
    return false;
}

/* A batch's part is such a structure again. */
const Value *batch_part(Eval *eval, const Alt *batch) {
    Alt part = *batch;
    part.flags &= (uint16_t)~ALT_REST;
    return value_of(&eval->inference->values, part);
}

static const Value *tensor_attribute(Eval *eval, ExprId expr, const Alt *alt, Sym name) {
    const Inference *inference = eval->inference;
    EntryId own = child_of(inference, inference->known->tensor, sym_text(eval, name));
    if (!own && counts_rows(sym_text(eval, name))) return kind_value(eval, KIND_HOST);
    if (!own) return alt->flags & ALT_BATCH ? batch_part(eval, alt) : kind_value(eval, KIND_UNKNOWN);
    return entry_attribute(eval, expr, inference->known->tensor, name, alt_value(eval, alt),
                           (Confidence)alt->confidence);
}

/* What is asked of arrays and tensors: no key of a dict whose keys are attributes. */
static bool asks_of_array(Text name) {
    return text_equal(name, TEXT("shape")) || text_equal(name, TEXT("ndim"));
}

/* A Munch: keys that we do not know are attributes. What braces make is a dict and nothing more. */
static bool has_attributes(const Object *object) {
    return object->flavour == FLAVOUR_DICT && object->open && object->made_as != STORE_LITERAL;
}

static const Value *container_attribute(Eval *eval, ExprId expr, const Alt *alt, Sym name) {
    if (object_has(eval->inference, alt->object, name_key(name)))
        return object_get(eval, alt->object, name_key(name));
    if (asks_of_array(sym_text(eval, name))) return kind_value(eval, KIND_UNKNOWN);
    const Object *object = &eval->inference->objects.items[alt->object];
    if (has_attributes(object) && !is_container_method(sym_text(eval, name))) {
        const Value *value = object_any(eval, alt->object);
        return value ? value : kind_value(eval, KIND_UNKNOWN);
    }
    return bound_value(eval, expr, KIND_NATIVE, name, alt_value(eval, alt), CONFIDENCE_CERTAIN);
}

/* `device.type` of the GPU that we price on is "cuda", and "mps" only where no CUDA is named. */
static const Value *device_attribute(Eval *eval, const Alt *alt, Sym name) {
    if (!text_equal(sym_text(eval, name), TEXT("type")) || alt->device == DEVICE_UNKNOWN)
        return kind_value(eval, KIND_TEXT);
    Text accelerator = eval->inference->accelerator, gpu = accelerator.length ? accelerator : TEXT("cuda");
    Text type = alt->device == DEVICE_CUDA ? gpu : TEXT("cpu");
    Alt text = {.kind = KIND_TEXT, .confidence = alt->confidence, .flags = ALT_AVAILABLE};
    text.id = names_intern((Names *)&eval->inference->program->names, type);
    return value_of(&eval->inference->values, text);
}

static const Value *alt_attribute(Eval *eval, ExprId expr, const Alt *alt, Sym name) {
    const Inference *inference = eval->inference;
    EntryId entry = 0;
    switch ((Kind)alt->kind) {
    case KIND_TENSOR: return tensor_attribute(eval, expr, alt, name);
    case KIND_INSTANCE: return instance_attribute(eval, expr, alt, name);
    case KIND_OBJECT: return object_attribute(eval, expr, alt, name);
    case KIND_CONTAINER: return container_attribute(eval, expr, alt, name);
    case KIND_MODULE: /* its dict is what its names are looked up in: the module itself */
        return text_equal(sym_text(eval, name), TEXT("__dict__")) ? alt_value(eval, alt)
                                                                  : module_attribute(eval, alt->id, name);
    case KIND_NAMESPACE: return namespace_attribute(eval, alt->id, name);
    case KIND_CLASS: {
        const Value *member = class_member(eval, alt->id, name, &entry);
        if (member) return bind_member(eval, expr, member, alt, name);
        bool takes =
            entry && (member_of(inference, entry, sym_text(eval, name)) == inference->known->operation_apply ||
                      takes_class(eval, entry, name)); /* apply: whose forward is run */
        const Value *owner = takes ? alt_value(eval, alt) : NULL;
        const Value *value = entry ? entry_attribute(eval, expr, entry, name, owner, CONFIDENCE_CERTAIN) : NULL;
        if (value) return value;
        return alt->flags & ALT_GUESS ? kind_value(eval, KIND_UNKNOWN) : class_says(eval, alt->id, name);
    }
    case KIND_ENTRY: {
        const Entry *owner = &inference->book->entries[alt->id];
        EntryId child = owner->kind == ENTRY_CLASS ? member_of(inference, alt->id, sym_text(eval, name))
                                                   : child_of(inference, alt->id, sym_text(eval, name));
        if (!child) child = owner->kind == ENTRY_MODULE ? owner->fallback : 0;
        if (!child) return conventional_attribute(eval, expr, name, KIND_UNKNOWN);
        if (inference->book->entries[child].kind == ENTRY_VALUE)
            return apply_attribute(eval, expr, child, NULL);
        bool takes = owner->kind == ENTRY_CLASS && takes_class(eval, alt->id, name);
        return bound_value(eval, expr, KIND_ENTRY, child, takes ? alt_value(eval, alt) : NULL,
                           CONFIDENCE_CERTAIN);
    }
    case KIND_NUMPY: {
        const Value *value = entry_attribute(eval, expr, inference->known->ndarray, name, alt_value(eval, alt),
                                             CONFIDENCE_CERTAIN);
        return value ? value : kind_value(eval, KIND_NUMPY);
    }
    case KIND_NONE: return NULL;
    case KIND_DEVICE: return device_attribute(eval, alt, name);
    case KIND_NUMBER:
    case KIND_TEXT:
    case KIND_HOST:
    case KIND_DTYPE: return conventional_attribute(eval, expr, name, KIND_HOST);
    case KIND_UNKNOWN:
    case KIND_SLICE:
    case KIND_FUNCTION:
    case KIND_NATIVE:
    case KIND_PARTIAL: break;
    }
    return conventional_attribute(eval, expr, name, KIND_UNKNOWN);
}

/* Of a list or a tensor, x.device or x.mean, the tensor is meant: a list has none. */
bool lacks_attribute(const Eval *eval, const Value *object, const Alt *alt, Sym name) {
    if (alt->kind != KIND_CONTAINER || !value_has(object, KIND_TENSOR)) return false;
    const Object *parts = &eval->inference->objects.items[alt->object];
    return !has_attributes(parts) && !is_container_method(sym_text(eval, name)) &&
           !object_has(eval->inference, alt->object, name_key(name));
}

const Value *eval_attribute(Eval *eval, ExprId expr, const Value *object, Sym name) {
    effects_clear(eval, expr, EFFECT_OWN);
    if (name == eval->inference->known->class_name) return type_of(eval, object);
    const Value *result = NULL;
    for (uint32_t i = 0; object && i < object->count; i++)
        if (!lacks_attribute(eval, object, &object->alts[i], name))
            result = join_values(eval, result, alt_attribute(eval, expr, &object->alts[i], name));
    return result;
}

/* ---- subscripts ---- */

static bool is_slice(const Value *index) { return value_only(index, KIND_SLICE); }

static bool is_record(const Alt *alt, const Value *index) {
    return (alt->flags & ALT_BATCH) && (value_only(index, KIND_TEXT) || value_only(index, KIND_NUMBER));
}

/* Of what may be an array or a container as well, an item is there without a wait; of what is not known, nothing is
   certain. */
ItemDoubt doubt_items(Eval *eval, const Value *object) {
    ItemDoubt before = {eval->doubt, eval->unseen};
    bool tensor = value_has(object, KIND_TENSOR);
    eval->doubt |= tensor && (value_has(object, KIND_NUMPY) || value_has(object, KIND_CONTAINER));
    eval->unseen |= value_has(object, KIND_UNKNOWN);
    return before;
}

void end_doubt(Eval *eval, ItemDoubt before) { eval->doubt = before.doubt, eval->unseen = before.unseen; }

/* Of a value's tensors together: where one and its index are each here or there, they are so together. */
static const Value *tensor_items(Eval *eval, ExprId expr, const Value *object, const Value *index) {
    Args args = {.values = {index}, .count = 1};
    EntryId entry = member_of(eval->inference, eval->inference->known->tensor, TEXT("__getitem__"));
    Alt plain[VALUE_ALTS];
    uint32_t count = 0;
    const Value *result = NULL;
    for (uint32_t i = 0; object && i < object->count; i++) {
        const Alt *alt = &object->alts[i];
        if (alt->kind != KIND_TENSOR) continue;
        if (is_record(alt, index))
            result = join_values(eval, result, batch_part(eval, alt));
        else
            plain[count++] = *alt;
    }
    if (!count) return result;
    const Value *tensors = value_from(&eval->inference->values, plain, count);
    ItemDoubt before = doubt_items(eval, object);
    result = join_values(eval, result, apply_entry(eval, expr, EFFECT_OWN, entry, tensors, &args));
    end_doubt(eval, before);
    return result;
}

static bool number_of(Eval *eval, const Value *index, int64_t *number) {
    if (!index || index->count != 1 || index->alts[0].kind != KIND_NUMBER || !index->alts[0].id) return false;
    Text text = sym_text(eval, index->alts[0].id);
    *number = 0;
    for (uint32_t i = 0; i < text.length; i++) {
        if (text.bytes[i] < '0' || text.bytes[i] > '9' || i > 6) return false;
        *number = *number * 10 + (text.bytes[i] - '0');
    }
    return text.length > 0;
}

static const Value *container_item(Eval *eval, const Alt *alt, const Value *index) {
    const Object *object = &eval->inference->objects.items[alt->object];
    int64_t number;
    if (is_slice(index)) return alt_value(eval, alt);
    if (index && index->count == 1 && index->alts[0].kind == KIND_TEXT && index->alts[0].id) {
        uint32_t key = name_key(index->alts[0].id);
        if (object_has(eval->inference, alt->object, key) || object->open) {
            const Value *value = object_get(eval, alt->object, key);
            return value ? value : kind_value(eval, KIND_UNKNOWN);
        }
        if (object->flavour == FLAVOUR_DICT) {
            const Value *value = missing_part(eval, alt->object);
            return value ? value : kind_value(eval, KIND_UNKNOWN);
        }
    }
    if (object->flavour != FLAVOUR_DICT && number_of(eval, index, &number) &&
        object_has(eval->inference, alt->object, position_key((uint32_t)number)))
        return object_get(eval, alt->object, position_key((uint32_t)number));
    const Value *value = object_any(eval, alt->object);
    return value ? value : kind_value(eval, KIND_UNKNOWN);
}

static const Value *keyed_part(Eval *eval, ObjectId parts, const Value *index) {
    int64_t number;
    uint32_t key = 0;
    if (number_of(eval, index, &number)) key = position_key((uint32_t)number);
    if (index && index->count == 1 && index->alts[0].kind == KIND_TEXT && index->alts[0].id)
        key = name_key(index->alts[0].id);
    return key && object_has(eval->inference, parts, key) ? object_get(eval, parts, key)
                                                          : object_any(eval, parts);
}

static const Value *member_item(Eval *eval, ExprId expr, const Alt *alt, const Value *index) {
    Args args = {.values = {index}, .count = 1};
    EntryId entry = 0;
    const Known *known = eval->inference->known;
    if (alt->kind == KIND_OBJECT && alt->object) {
        ObjectId parts = alt->object;
        const Value *any = is_slice(index) ? alt_value(eval, alt) : keyed_part(eval, parts, index);
        if (any) return follow_owner(eval, alt, any);
    }
    if (alt->kind == KIND_INSTANCE) {
        const Value *method = class_member(eval, alt->id, known->getitem, &entry);
        if (value_has(method, KIND_FUNCTION))
            return call_method(eval, expr, alt_value(eval, alt), known->getitem, &args);
    } else {
        entry = alt->id;
    }
    EntryId member = entry ? member_of(eval->inference, entry, TEXT("__getitem__")) : 0;
    if (member) return apply_entry(eval, expr, EFFECT_OWN, member, alt_value(eval, alt), &args);
    return kind_value(eval, KIND_UNKNOWN);
}

/* config["device"], of something that is not known. */
static const Value *keyed_value(Eval *eval, ExprId expr, const Value *index, Kind otherwise) {
    bool key = index && index->count == 1 && index->alts[0].kind == KIND_TEXT && index->alts[0].id;
    return key && names_place(sym_text(eval, index->alts[0].id))
               ? conventional_attribute(eval, expr, index->alts[0].id, otherwise)
               : kind_value(eval, otherwise);
}

const Value *eval_subscript(Eval *eval, ExprId expr, const Value *object, ExprId index_expr) {
    const Value *index = eval_expr(eval, index_expr), *cut = cut_tuple(eval, expr, object, index_expr);
    if (cut) return cut;
    const Value *result = tensor_items(eval, expr, object, masked_by_name(eval, index_expr, index));
    for (uint32_t i = 0; object && i < object->count; i++) {
        const Alt *alt = &object->alts[i];
        if (no_item(object, alt, index)) continue;
        switch ((Kind)alt->kind) {
        case KIND_TENSOR: break;
        case KIND_CONTAINER: /* where it may be a tensor too, the index is a tensor with that one */
            if (eval->inference->objects.items[alt->object].flavour <= FLAVOUR_TUPLE &&
                !value_has(object, KIND_TENSOR))
                use_as_index(eval, index_expr, index);
            result = join_values(eval, result, container_item(eval, alt, index));
            break;
        case KIND_INSTANCE:
        case KIND_OBJECT: result = join_values(eval, result, member_item(eval, expr, alt, index)); break;
        case KIND_NUMPY:
        case KIND_TEXT:
            if (!value_has(object, KIND_TENSOR)) use_as_index(eval, index_expr, index);
            result = join_values(eval, result, array_item(eval, alt, index));
            break;
        case KIND_HOST:
        case KIND_NUMBER: result = join_values(eval, result, keyed_value(eval, expr, index, KIND_HOST)); break;
        case KIND_NONE: break;
        case KIND_MODULE: result = join_values(eval, result, module_item(eval, alt, index, index_expr)); break;
        case KIND_ENTRY:
        case KIND_CLASS: result = join_values(eval, result, alt_value(eval, alt)); break; /* List[int] */
        default:
            if (value_only(object, KIND_UNKNOWN)) use_bounds(eval, index_expr);
            result = join_values(eval, result, keyed_value(eval, expr, index, KIND_UNKNOWN));
            break;
        }
    }
    return result;
}

/* ---- iteration ---- */

static const Value *instance_element(Eval *eval, ExprId expr, const Alt *alt, bool report) {
    const Known *known = eval->inference->known;
    EntryId entry = 0;
    if (value_has(class_member(eval, alt->id, known->next, &entry), KIND_FUNCTION))
        return call_method(eval, expr, alt_value(eval, alt), known->next, &(Args){0});
    if (value_has(class_member(eval, alt->id, known->iter, &entry), KIND_FUNCTION)) {
        if (eval->depth >= CALL_DEPTH)
            return kind_value(eval, KIND_UNKNOWN); /* iterators that give each other */
        const Value *iterator = call_method(eval, expr, alt_value(eval, alt), known->iter, &(Args){0});
        eval->depth++;
        const Value *element = element_of(eval, expr, iterator, report);
        eval->depth--;
        return element;
    }
    if (value_has(class_member(eval, alt->id, known->getitem, &entry), KIND_FUNCTION)) {
        Args args = {.values = {kind_value(eval, KIND_NUMBER)}, .count = 1};
        return call_method(eval, expr, alt_value(eval, alt), known->getitem, &args);
    }
    EntryId member = entry ? member_of(eval->inference, entry, TEXT("__iter__")) : 0;
    return member ? apply_entry(eval, expr, EFFECT_USE, member, alt_value(eval, alt), &(Args){0})
                  : kind_value(eval, KIND_UNKNOWN);
}

static const Value *alt_element(Eval *eval, ExprId expr, const Alt *alt, bool report) {
    const Known *known = eval->inference->known;
    switch ((Kind)alt->kind) {
    case KIND_CONTAINER:
        if (eval->inference->objects.items[alt->object].flavour == FLAVOUR_DICT)
            return kind_value(eval, KIND_TEXT);
        return object_turns(eval, alt->object);
    case KIND_TENSOR: {
        if (alt->flags & ALT_BATCH) return batch_part(eval, alt);
        EntryId entry = member_of(eval->inference, known->tensor, TEXT("__iter__"));
        if (report && expr) return apply_entry(eval, expr, EFFECT_USE, entry, alt_value(eval, alt), &(Args){0});
        Alt row = *alt;
        row.dims = alt->dims == DIMS_VECTOR   ? DIMS_SCALAR
                   : alt->dims == DIMS_MATRIX ? DIMS_VECTOR
                   : alt->dims == DIMS_DEEP   ? DIMS_ARRAY
                                              : DIMS_UNKNOWN;
        row.flags = row.dims ? 0 : ALT_PICKED;
        return value_of(&eval->inference->values, row);
    }
    case KIND_OBJECT: return object_element(eval, expr, alt, report);
    case KIND_INSTANCE: return instance_element(eval, expr, alt, report);
    case KIND_NUMPY: return array_element(eval, alt);
    case KIND_TEXT: return kind_value(eval, KIND_TEXT);
    case KIND_NUMBER:
    case KIND_HOST: return kind_value(eval, KIND_HOST);
    case KIND_NONE: return NULL;
    default: return kind_value(eval, KIND_UNKNOWN);
    }
}

const Value *element_of(Eval *eval, ExprId expr, const Value *iterable, bool report) {
    if (!enter_nested(eval)) return kind_value(eval, KIND_UNKNOWN);
    const Value *result = NULL;
    for (uint32_t i = 0; iterable && i < iterable->count; i++)
        result = join_values(eval, result, alt_element(eval, expr, &iterable->alts[i], report));
    eval->nesting--;
    return result;
}

const Value *position_of(Eval *eval, const Value *tuple, uint32_t position) {
    const Value *result = NULL;
    for (uint32_t i = 0; tuple && i < tuple->count; i++) {
        const Alt *alt = &tuple->alts[i];
        const Value *value;
        if (alt->kind == KIND_CONTAINER && object_has(eval->inference, alt->object, position_key(position)))
            value = object_get(eval, alt->object, position_key(position));
        else
            value = alt_element(eval, 0, alt, false);
        result = join_values(eval, result, value);
    }
    return result;
}
