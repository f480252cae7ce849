/* Attribute access: the result of `a.b`, for each alternative of `a`; calls properties and __getattr__. For a
   computed name, all attributes that it may mean. */
#include "eval.h"
#include "apply.h"
#include "construct.h"
#include "module.h"
#include "narrow.h"
#include "parts.h"
#include "python_names.h"

typedef void Visit(Eval *eval, void *self, Sym name, const Value *value);

static const Value *attribute_dict(Eval *eval, ExprId expr, const Alt *instance);

static const Value *entry_attribute(Eval *eval, ExprId expr, EntryId class_entry, Sym name,
                                    const Value *receiver, uint8_t belief) {
    const Rulebook *book = eval->inference->book;
    EntryId entry = member_of(eval->inference, class_entry, sym_text(eval, name));
    if (!entry) return NULL;
    const Entry *found = &book->entries[entry];
    if (found->kind == ENTRY_VALUE) return apply_attribute(eval, expr, entry, receiver);
    if (rulebook_says(book, entry, EFF_property))
        return apply_entry(eval, expr, EFFECT_OWN, entry, receiver, &(Args){0});
    return bound_value(eval, expr, KIND_ENTRY, entry, receiver, belief);
}

/* `x.scale = value` with a setter in the class. False: there is none. */
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
        if (!has_decorator(eval, file, &source->model->funcs.items[alt->id - source->func_base], PY_setter))
            continue;
        Args args = {.values = {value}, .count = 1};
        call_function(eval, expr, alt, alt_value(eval, instance), &args);
        called = true;
    }
    return called;
}

/* A function found in a class: binds it to its receiver or class, or calls it if it is a property. */
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
        if (has_decorator(eval, file, func, PY_setter) || has_decorator(eval, file, func, PY_deleter)) continue;
        if (!func->class_id || has_decorator(eval, file, func, PY_staticmethod)) {
            result = join_values(eval, result, alt_value(eval, alt));
        } else if (has_decorator(eval, file, func, PY_classmethod)) {
            Alt class_ = {.kind = KIND_CLASS, .id = receiver->id};
            const Value *owner = value_of(&eval->inference->values, class_);
            result = join_values(eval, result, bound_value(eval, expr, KIND_FUNCTION, alt->id, owner, 0));
        } else if (receiver->kind == KIND_CLASS) {
            result = join_values(eval, result, alt_value(eval, alt));
        } else if (has_decorator(eval, file, func, PY_property)) {
            result = join_values(eval, result,
                                 call_function(eval, expr, alt, alt_value(eval, receiver), &(Args){0}));
        } else {
            result = join_values(eval, result,
                                 bound_value(eval, expr, KIND_FUNCTION, alt->id, alt_value(eval, receiver), 0));
        }
    }
    return result;
}

static const Value *instance_attribute(Eval *eval, ExprId expr, const Alt *alt, Sym name) {
    EntryId entry = 0;
    if (text_equal(sym_text(eval, name), TEXT("__dict__"))) return attribute_dict(eval, expr, alt);
    const Value *member = instance_member(eval, alt, name, &entry);
    const Value *declared =
        member && !value_only(member, KIND_UNKNOWN) ? NULL : declared_member(eval, alt->id, name);
    if (declared) return follow_owner(eval, alt, bind_member(eval, expr, declared, alt, name));
    if (member) return follow_owner(eval, alt, bind_member(eval, expr, member, alt, name));
    if (entry) {
        Alt holder = holder_of_parts(eval, alt, name);
        const Value *self = alt_value(eval, &holder);
        const Alt *before = eval->keeper;
        eval->keeper = &holder; /* `self.state[p]["step"] = torch.tensor(0.0)`: so it is in other methods */
        const Value *value = entry_attribute(eval, expr, entry, name, self, holder.belief);
        eval->keeper = before;
        if (value) return value;
    }
    if (is_module_alt(eval, alt) && name == eval->inference->known->device_name &&
        alt->device != DEVICE_UNKNOWN && !is_moved_later(eval, alt))
        return device_alt(eval, (Device)alt->device, alt->belief, alt->origin);
    if (!eval->inference->bottom_is_unknown && attribute_is_given(eval->inference, alt->id, name))
        return not_yet(eval);
    const Value *asked = asked_attribute(eval, expr, alt, name);
    const Value *value = asked ? asked : attribute_by_convention(eval, expr, name, KIND_UNKNOWN);
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
    const Value *value = entry_attribute(eval, expr, alt->id, name, alt_value(eval, alt), alt->belief);
    if (value) return follow_owner(eval, alt, value);
    if (alt->device != DEVICE_UNKNOWN && name == inference->known->device_name && !is_moved_later(eval, alt))
        return device_alt(eval, (Device)alt->device, alt->belief, alt->origin);
    return attribute_by_convention(eval, expr, name, is_module_alt(eval, alt) ? KIND_UNKNOWN : KIND_HOST);
}

static const Value *tensor_attribute(Eval *eval, ExprId expr, const Alt *alt, Sym name) {
    const Inference *inference = eval->inference;
    EntryId own = child_of(inference, inference->known->tensor, sym_text(eval, name));
    if (!own && counts_rows(eval->inference->book, sym_text(eval, name))) return kind_value(eval, KIND_HOST);
    if (!own) return alt->flags & ALT_BATCH ? batch_part(eval, alt) : kind_value(eval, KIND_UNKNOWN);
    return entry_attribute(eval, expr, inference->known->tensor, name, alt_value(eval, alt), alt->belief);
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
        const Value *value = entry ? entry_attribute(eval, expr, entry, name, owner, 0) : NULL;
        if (value) return value;
        return alt->flags & ALT_GUESS ? kind_value(eval, KIND_UNKNOWN) : class_says(eval, alt->id, name);
    }
    case KIND_ENTRY: {
        const Entry *owner = &inference->book->entries[alt->id];
        EntryId child = owner->kind == ENTRY_CLASS ? member_of(inference, alt->id, sym_text(eval, name))
                                                   : child_of(inference, alt->id, sym_text(eval, name));
        if (!child) child = owner->kind == ENTRY_MODULE ? owner->fallback : 0;
        if (!child) return attribute_by_convention(eval, expr, name, KIND_UNKNOWN);
        if (inference->book->entries[child].kind == ENTRY_VALUE)
            return apply_attribute(eval, expr, child, NULL);
        bool takes = owner->kind == ENTRY_CLASS && takes_class(eval, alt->id, name);
        return bound_value(eval, expr, KIND_ENTRY, child, takes ? alt_value(eval, alt) : NULL, 0);
    }
    case KIND_NUMPY: {
        const Value *value =
            entry_attribute(eval, expr, inference->known->ndarray, name, alt_value(eval, alt), 0);
        return value ? value : kind_value(eval, KIND_NUMPY);
    }
    case KIND_NONE: return NULL;
    case KIND_DEVICE: return device_attribute(eval, alt, name);
    case KIND_NUMBER:
    case KIND_TEXT:
    case KIND_HOST:
    case KIND_DTYPE: return attribute_by_convention(eval, expr, name, KIND_HOST);
    case KIND_UNKNOWN:
    case KIND_SLICE:
    case KIND_FUNCTION:
    case KIND_NATIVE:
    case KIND_PARTIAL: break;
    }
    return attribute_by_convention(eval, expr, name, KIND_UNKNOWN);
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

static void each_attribute(Eval *eval, const Alt *instance, Visit *visit, void *self) {
    Inference *inference = eval->inference;
    uint32_t count;
    const uint32_t *order = class_order(inference, instance->id, &count);
    for (uint32_t c = 0; c < count; c++) {
        GlobalClass class_id = order[c] >> 1;
        if (order[c] & 1) continue;
        const ClassInfo *info = &inference->classes[class_id];
        store_read(inference, eval->id,
                   store_slot(inference, STORE_ATTRIBUTE, class_id, 0)); /* told of new ones */
        for (uint32_t i = 0; i < info->attributes.count; i++) {
            Sym name = info->attributes.items[i];
            EntryId entry = 0;
            visit(eval, self, name,
                  instance->object ? instance_member(eval, instance, name, &entry)
                                   : own_member(eval, class_id, name));
        }
    }
}

static void gather_named(Eval *eval, void *self, Sym name, const Value *value) {
    Gathered *gathered = self;
    Text text = sym_text(eval, name);
    if (value && text_starts(text, gathered->prefix) && text_ends(text, gathered->suffix))
        gathered->value =
            join_values(eval, gathered->value, eval_attribute(eval, gathered->expr, gathered->owner, name));
}

/* getattr with an unknown name; name_expr may show how the name begins. */
const Value *any_attribute(Eval *eval, const Value *object, ExprId name_expr) {
    Gathered gathered = {.expr = name_expr};
    bool own = name_expr >= eval->func->first_expr && name_expr < eval->func->end_expr;
    if (own) gathered.prefix = literal_part(eval, name_expr, false);
    if (own) gathered.suffix = literal_part(eval, name_expr, true);
    bool named = gathered.prefix.length || gathered.suffix.length;
    for (uint32_t i = 0; object && i < object->count; i++) {
        const Alt *alt = &object->alts[i];
        if (alt->kind == KIND_MODULE)
            gathered.value = join_values(eval, gathered.value, any_definition(eval, alt->id));
        if (alt->kind == KIND_INSTANCE && named)
            gathered.owner = alt_value(eval, alt), each_attribute(eval, alt, gather_named, &gathered);
        if (alt->kind == KIND_INSTANCE && !named && is_data_record(eval, alt->id))
            each_attribute(eval, alt, gather_turns, &gathered);
        if (alt->kind == KIND_INSTANCE && !named)
            gathered.value = join_values(eval, gathered.value,
                                         store_read(eval->inference, eval->id,
                                                    store_slot(eval->inference, STORE_ATTRIBUTE, alt->id, 0)));
    }
    return gathered.value ? attributes_meant(eval, gathered.value) : kind_value(eval, KIND_UNKNOWN);
}

const Value *asked_attribute(Eval *eval, ExprId expr, const Alt *alt, Sym name) {
    EntryId entry = 0;
    Sym asked = eval->inference->known->getattr;
    if (!value_has(class_member(eval, alt->id, asked, &entry), KIND_FUNCTION)) return NULL;
    if (attribute_is_given(eval->inference, alt->id, name)) return NULL;
    Args args = {.values = {literal_value(eval, KIND_TEXT, name)}, .count = 1};
    const Value *value = call_method(eval, expr, alt_value(eval, alt), asked, &args);
    return value && !value_only(value, KIND_UNKNOWN) ? value : NULL;
}

/* self.__dict__, vars(self) */
static const Value *attribute_dict(Eval *eval, ExprId expr, const Alt *instance) {
    Gathered gathered = {.object = object_part(eval, expr, PART_ATTRIBUTES, FLAVOUR_DICT)};
    each_attribute(eval, instance, gather_data, &gathered);
    return object_value(eval, gathered.object);
}

Alt holder_of_parts(Eval *eval, const Alt *instance, Sym name) {
    Alt holder = *instance;
    bool left =
        instance->kind == KIND_INSTANCE && instance->device == DEVICE_CPU && is_module_alt(eval, instance);
    if (!left || !asks_module_parts(eval->inference->book, sym_text(eval, name))) return holder;
    Moved moved = {0};
    each_attribute(eval, instance, gather_moved, &moved);
    if (!moved.any) return holder;
    holder.device = DEVICE_CUDA;
    holder.belief = BELIEVED;
    holder.origin = moved.part.origin;
    return holder;
}
