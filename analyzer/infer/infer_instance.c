/* Instances of the program's classes, told apart by where they are made: one meter is fed with tensors, another of the
   same class with Python numbers. An instance names its place, and what it is given is kept for that place. What is
   given to one whose place is not known (`self` of a method that nobody in sight calls, an annotated parameter, one of
   many) may be given to any: every place reads it. And who reads from such a one, reads what any was given. */
#include "interpret.h"

enum { PLACES_COUNTED = 255, PLACES_WORTH = 2, PLACES_A_CLASS = 32 };
static void count_maker(const SourceFile *file, ExprId id, uint8_t *makers) {
    const Expr *expr = &file->model->exprs.items[id];
    if (expr->kind != EXPR_NAME && expr->kind != EXPR_ATTRIBUTE) return;
    uint8_t *count = &makers[file->syms[expr->name]];
    if (*count < PLACES_COUNTED) (*count)++;
}

/* How often something of each name is called, or passed on to be: defaultdict(Meter). */
const uint8_t *instance_makers(Arena *arena, const Program *program, uint32_t names) {
    uint8_t *makers = arena_new(arena, uint8_t, names);
    for (FileId id = 1; id < program->files.count; id++) {
        const SourceFile *file = &program->files.items[id];
        for (ExprId e = 1; e < file->model->exprs.count; e++) {
            const Expr *call = &file->model->exprs.items[e];
            if (call->kind != EXPR_CALL) continue;
            count_maker(file, call->a, makers);
            for (uint32_t i = 0; i < call->list.count; i++)
                count_maker(file, file->model->links.items[call->list.first + i], makers);
        }
    }
    return makers;
}

uint8_t makers_of(Inference *inference, Sym name) {
    const Program *program = inference->program;
    if (!inference->makers) inference->makers = ahead_makers(inference);
    if (!inference->makers)
        inference->makers = instance_makers(inference->arena, program, program->names.texts.count + 1);
    return inference->makers[name];
}

/* What is made in one place only is one thing anyway; a module is moved and registered as one, and its methods are
   long. */
bool pays_apart(Inference *inference, GlobalClass class_id) {
    const ClassInfo *info = &inference->classes[class_id];
    const SourceFile *file = program_class_file(inference->program, class_id);
    Sym name = file->syms[file->model->classes.items[class_id - file->class_base].name];
    return info->is_module != TRI_YES && makers_of(inference, name) >= PLACES_WORTH;
}

/* A place of its own within each place of the object that makes it: two loggers that make their meters in __init__ have
   each its own. What such parts make themselves is told apart by the line alone. */
static ObjectId owner_of(const Eval *eval) {
    const Value *self = eval->func->class_id && eval->context->arg_count ? eval->context->args[0] : NULL;
    bool one = self && self->count == 1 && self->alts[0].kind == KIND_INSTANCE && self->alts[0].object;
    if (!one) return 0;
    const Object *owner = &eval->inference->objects.items[self->alts[0].object];
    return owner->made_as == STORE_INSTANCE ? self->alts[0].object : 0;
}

/* Beyond a number of places, all others are one. */
ObjectId instance_place(Eval *eval, ExprId expr, GlobalClass class_id) {
    Inference *inference = eval->inference;
    ClassInfo *info = &inference->classes[class_id];
    memo_ask(inference, class_id);
    if (!info->apart) return 0;
    uint64_t made = (uint64_t)class_id << 32;
    if (info->places > PLACES_A_CLASS) return store_object(inference, STORE_INSTANCE, 0, made, FLAVOUR_PARTS);
    ObjectId next = inference->objects.count, owner = owner_of(eval);
    StoreKey key = owner ? STORE_OWNED_INSTANCE : STORE_INSTANCE;
    ObjectId place = store_object(inference, key, owner ? owner : eval->file_id, made | expr, FLAVOUR_PARTS);
    if (place < next) return place;
    inference->objects.items[place].made_as = (uint8_t)key;
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
    /* given to it in a way that we did not see, as others were */
    return value ? value : class_member(eval, instance->id, name, entry);
}
