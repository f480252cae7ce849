/* Attributes that need no call: of tensors, devices, containers, modules and arrays, and by convention of their
   name. */
#include "parts.h"
#include "conventions.h"
#include "python.h"
#include "python_names.h"

/* Submodules, parameters and buffers are on the device of the module that contains them. */
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
        alts[i].belief |= owner->belief;
        alts[i].origin = owner->origin;
    }
    return value_from(&eval->inference->values, alts, value->count);
}

const Value *device_alt(Eval *eval, Device device, uint8_t belief, OriginId origin) {
    return value_of(&eval->inference->values,
                    (Alt){.kind = KIND_DEVICE, .device = (uint8_t)device, .belief = belief, .origin = origin});
}

/* `args.device`, `self.device`, `cfg.MODEL.DEVICE`: by convention the device of the run, a GPU. */
bool names_place(const Rulebook *book, Text text) { return name_is(book, NAMED_device_attribute, text); }

const Value *place_by_name(Eval *eval, ExprId expr, Text name, const Value *value) {
    if (!names_place(eval->inference->book, name) ||
        !(value_only(value, KIND_UNKNOWN) || value_only(value, KIND_HOST)))
        return value;
    return device_alt(eval, DEVICE_CUDA, BELIEVED, origin_of(eval, ORIGIN_NAME, expr, 0));
}

const Value *attribute_by_convention(Eval *eval, ExprId expr, Sym name, Kind otherwise) {
    Text text = sym_text(eval, name);
    if (names_place(eval->inference->book, text))
        return place_by_name(eval, expr, text, kind_value(eval, KIND_UNKNOWN));
    if (name_is(eval->inference->book, NAMED_shape_attribute, text)) return kind_value(eval, KIND_HOST);
    if (name_is(eval->inference->book, NAMED_dtype_name, text)) return kind_value(eval, KIND_DTYPE);
    return kind_value(eval, otherwise);
}

/* Whether the rulebook states the class's method as a @classmethod. */
bool takes_class(Eval *eval, EntryId class_entry, Sym name) {
    const Rulebook *book = eval->inference->book;
    const Entry *found = &book->entries[member_of(eval->inference, class_entry, sym_text(eval, name))];
    return found->clause_count && rulebook_effect(book, found->first_clause, EFF_classmethod);
}

bool has_decorator(Eval *eval, FileId file, const Func *func, PythonName name) {
    return model_is_decorated(eval->inference->program->files.items[file].model, func, python_text(name));
}

GlobalFunc plain_method(Eval *eval, const Alt *receiver, Sym name) {
    static const PythonName CHANGED[] = {PY_staticmethod, PY_classmethod, PY_property, PY_setter, PY_deleter};
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

/* A decorated method is a closure in the class body. A closure in an attribute is no method, and a static
   method takes no receiver. */
bool defines_method(Eval *eval, GlobalClass class_id, Sym name, uint32_t depth) {
    const Inference *inference = eval->inference;
    FileId file_id = program_file_of_class(inference->program, class_id);
    const SourceFile *file = &inference->program->files.items[file_id];
    const Class *class_ = &file->model->classes.items[class_id - file->class_base];
    for (uint32_t i = 0; i < class_->methods.count; i++) {
        const Func *func = &file->model->funcs.items[file->model->links.items[class_->methods.first + i]];
        if (file->syms[func->name] == name) return !has_decorator(eval, file_id, func, PY_staticmethod);
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

const Value *bind_closure(Eval *eval, ExprId expr, const Alt *closure, const Alt *receiver) {
    Inference *inference = eval->inference;
    ObjectId object = store_object(inference, STORE_BOUND_CLOSURE, eval->id,
                                   (uint64_t)closure->object << 32 | expr, FLAVOUR_PARTS);
    infer_object(inference, object)->closure = infer_object(inference, closure->object)->closure;
    store_write(inference, infer_object(inference, object)->rest, alt_value(eval, receiver));
    Alt bound = *closure;
    bound.object = object;
    return value_of(&inference->values, bound);
}

/* Size attributes of a TensorDict or a graph batch, which are described as tensors: numbers and torch.Size
   (documentation of tensordict.TensorDictBase and torch_geometric.data.Batch). */
bool counts_rows(const Rulebook *book, Text name) { return name_is(book, NAMED_count_attribute, name); }

/* A part of a batch is again such a structure. */
const Value *batch_part(Eval *eval, const Alt *batch) {
    Alt part = *batch;
    part.flags &= (uint16_t)~ALT_REST;
    return value_of(&eval->inference->values, part);
}

/* An attribute of arrays and tensors, so not a key of a dict whose keys are attributes. */
static bool asks_of_array(const Rulebook *book, Text name) {
    return name_is(book, NAMED_shape_attribute, name);
}

/* In a Munch, unknown keys are attributes. A dict display is a plain dict. */
static bool has_attributes(const Object *object) {
    return object->flavour == FLAVOUR_DICT && object->open && object->made_as != STORE_LITERAL;
}

const Value *container_attribute(Eval *eval, ExprId expr, const Alt *alt, Sym name) {
    if (object_has(eval->inference, alt->object, name_key(name)))
        return object_get(eval, alt->object, name_key(name));
    if (asks_of_array(eval->inference->book, sym_text(eval, name))) return kind_value(eval, KIND_UNKNOWN);
    const Object *object = infer_object(eval->inference, alt->object);
    if (has_attributes(object) && !is_container_method(eval->inference->book, sym_text(eval, name))) {
        const Value *value = object_any(eval, alt->object);
        return value ? value : kind_value(eval, KIND_UNKNOWN);
    }
    return bound_value(eval, expr, KIND_NATIVE, name, alt_value(eval, alt), 0);
}

/* `device.type` of the priced run's GPU is "cuda"; "mps" only where the program names no CUDA. */
/* The value of `x.device.type` and of `x.device.index`. The index of a GPU is a number, None on the CPU: so
   `y.to(x.device.index)` names that GPU. */
const Value *device_attribute(Eval *eval, const Alt *alt, Sym name) {
    if (python_is(PY_index, sym_text(eval, name)))
        return kind_value(eval, alt->device == DEVICE_CUDA  ? KIND_NUMBER
                                : alt->device == DEVICE_CPU ? KIND_NONE
                                                            : KIND_UNKNOWN);
    if (!python_is(PY_type, sym_text(eval, name)) || alt->device == DEVICE_UNKNOWN)
        return kind_value(eval, KIND_TEXT);
    Text accelerator = eval->inference->accelerator,
         gpu = accelerator.length ? accelerator : name_row(eval->inference->book, NAMED_gpu_place, 0);
    Text type = alt->device == DEVICE_CUDA ? gpu : name_row(eval->inference->book, NAMED_cpu_place, 0);
    Alt text = {.kind = KIND_TEXT, .belief = alt->belief, .flags = ALT_AVAILABLE};
    text.id = names_intern(eval->inference->names, type);
    return value_of(&eval->inference->values, text);
}

/* Of a value that is a list or a tensor, x.device and x.mean mean the tensor: a list has none. */
bool lacks_attribute(const Eval *eval, const Value *object, const Alt *alt, Sym name) {
    if (alt->kind != KIND_CONTAINER || !value_has(object, KIND_TENSOR)) return false;
    const Object *parts = infer_object(eval->inference, alt->object);
    return !has_attributes(parts) && !is_container_method(eval->inference->book, sym_text(eval, name)) &&
           !object_has(eval->inference, alt->object, name_key(name));
}

/* An item of something that may also be an array or container is accessed without a wait; an item of something
   unknown is never certain. */
ItemDoubt doubt_items(Eval *eval, const Value *object) {
    ItemDoubt before = {eval->doubt, eval->unseen};
    bool tensor = value_has(object, KIND_TENSOR);
    eval->doubt |= tensor && (value_has(object, KIND_NUMPY) || value_has(object, KIND_CONTAINER));
    eval->unseen |= value_has(object, KIND_UNKNOWN);
    return before;
}

void end_doubt(Eval *eval, ItemDoubt before) { eval->doubt = before.doubt, eval->unseen = before.unseen; }
