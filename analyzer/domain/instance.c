/* Reads and writes attributes of instances. Instances are told apart by allocation site where that pays: one
   meter gets tensors, another one numbers. */
#include "ahead.h"
#include "memo.h"

/* A tensor assigned to the name of a buffer or parameter becomes a buffer or parameter. */
static const Value *kept_buffer(Inference *inference, const Value *before, const Value *value) {
    bool lazy = false;
    for (uint32_t i = 0; before && i < before->count; i++)
        lazy |= before->alts[i].kind == KIND_TENSOR && (before->alts[i].flags & ALT_LAZY);
    return lazy ? value_flagged(&inference->values, value, ALT_LAZY) : value;
}

void write_class_attribute(Inference *inference, GlobalClass class_id, Sym name, const Value *value) {
    write_attribute(inference, &(Alt){.kind = KIND_INSTANCE, .id = class_id}, name, value);
}

/* Reading an attribute of the class as a whole gives the join over its instances. */
void write_attribute(Inference *inference, const Alt *instance, Sym name, const Value *value) {
    ClassInfo *info = &inference->classes[instance->id];
    memo_ask(inference, instance->id);
    SlotId slot = store_slot(inference, STORE_ATTRIBUTE, instance->id, name);
    const Value *before = slot_value(inference, slot);
    value = kept_buffer(inference, before, value);
    store_write(inference, slot, value);
    if (instance->object)
        store_write(inference, store_slot(inference, STORE_OWN_ATTRIBUTE, instance->object, name), value);
    else if (info->apart)
        store_write(inference, store_slot(inference, STORE_SHARED_ATTRIBUTE, instance->id, name), value);
    if (before || !value) return;
    vec_push(inference->arena, &info->attributes, name);
    store_touch(inference, store_slot(inference, STORE_ATTRIBUTE, instance->id, 0));
}

void declare_member(Inference *inference, GlobalClass class_id, Sym name, const Value *value) {
    store_write(inference, store_slot(inference, STORE_DECLARED, class_id, name), value);
}

static const Value *own_declared(Eval *eval, GlobalClass class_id, Sym name) {
    return store_read(eval->inference, eval->id, store_slot(eval->inference, STORE_DECLARED, class_id, name));
}

const Value *declared_member(Eval *eval, GlobalClass class_id, Sym name) {
    EntryId entry = 0;
    return member_along(eval, class_id, name, NULL, own_declared, &entry);
}

/* Telling instances apart is of no use if there is a single allocation site. Nor for modules, which are moved
   and registered as a whole and whose methods are long. */
bool pays_apart(Inference *inference, GlobalClass class_id) {
    const ClassInfo *info = &inference->classes[class_id];
    const SourceFile *file = program_class_file(inference->program, class_id);
    Sym name = file->syms[file->model->classes.items[class_id - file->class_base].name];
    return info->is_module != TRI_YES && makers_of(inference, name) >= PLACES_WORTH;
}

/* The allocation site of the object that makes this one: two loggers that make their meters in __init__ have
   separate meters. Only one level: what such parts make in turn is told apart by the line alone. */
static ObjectId owner_of(const Eval *eval) {
    const Value *self = eval->func->class_id && eval->context->arg_count ? eval->context->args[0] : NULL;
    bool one = self && self->count == 1 && self->alts[0].kind == KIND_INSTANCE && self->alts[0].object;
    if (!one) return 0;
    const Object *owner = infer_object(eval->inference, self->alts[0].object);
    return owner->made_as == STORE_INSTANCE ? self->alts[0].object : 0;
}

/* Beyond PLACES_A_CLASS sites, all further ones share an object. */
ObjectId instance_place(Eval *eval, ExprId expr, GlobalClass class_id) {
    Inference *inference = eval->inference;
    ClassInfo *info = &inference->classes[class_id];
    memo_ask(inference, class_id);
    if (!info->apart) return 0;
    uint64_t made = (uint64_t)class_id << 32;
    if (info->places > PLACES_A_CLASS) return store_object(inference, STORE_INSTANCE, 0, made, FLAVOUR_PARTS);
    ObjectId next = inference->object_count, owner = owner_of(eval);
    StoreKey key = owner ? STORE_OWNED_INSTANCE : STORE_INSTANCE;
    ObjectId place = store_object(inference, key, owner ? owner : eval->file_id, made | expr, FLAVOUR_PARTS);
    if (place < next) return place;
    infer_object(inference, place)->made_as = (uint8_t)key;
    if (info->places++ == PLACES_A_CLASS) info->changed_at = ++inference->classes_changed;
    return place;
}

static const Value *shared_member(Eval *eval, GlobalClass class_id, Sym name) {
    Inference *inference = eval->inference;
    if (!class_info(inference, class_id)->apart) return own_member(eval, class_id, name);
    return store_read(inference, eval->id, store_slot(inference, STORE_SHARED_ATTRIBUTE, class_id, name));
}

const Value *instance_member(Eval *eval, const Alt *instance, Sym name, EntryId *entry) {
    if (!instance->object) return class_member(eval, instance->id, name, entry);
    Inference *inference = eval->inference;
    SlotId slot = store_slot(inference, STORE_OWN_ATTRIBUTE, instance->object, name);
    const Value *value = store_read(inference, eval->id, slot);
    value = member_along(eval, instance->id, name, value, shared_member, entry);
    /* not seen to be set on this instance: take what the class has, as set on other instances */
    return value ? value : class_member(eval, instance->id, name, entry);
}
