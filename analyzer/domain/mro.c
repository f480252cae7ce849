/* Method resolution order: C3 linearisation over the known bases. */
#include "memo.h"
#include "conventions.h"

enum { LISTS_MOST = 2 * BASES_MOST };

/* The lists that C3 merges: the orders of the bases, and the list of the bases. */
typedef struct Merge {
    const uint32_t *lists[LISTS_MOST + 1];
    uint32_t counts[LISTS_MOST + 1], at[LISTS_MOST + 1];
    uint32_t list_count;
    uint32_t own[LISTS_MOST]; /* the bases; a stub's list is its place in here */
} Merge;

bool says_only(const Inference *inference, EntryId base) {
    Text name = rulebook_text(inference->book, inference->book->entries[base].qualified);
    return name_is(inference->book, NAMED_saying_class, name);
}

static bool in_tail(const Merge *merge, uint32_t ancestor) {
    for (uint32_t i = 0; i < merge->list_count; i++)
        for (uint32_t k = merge->at[i] + 1; k < merge->counts[i]; k++)
            if (merge->lists[i][k] == ancestor) return true;
    return false;
}

/* The first head that is in no other list's tail; if there is none, where Python would reject the class, the
   first head. 0 = all lists are empty. */
static uint32_t next_head(const Merge *merge) {
    uint32_t first = 0;
    for (uint32_t i = 0; i < merge->list_count; i++) {
        if (merge->at[i] == merge->counts[i]) continue;
        uint32_t head = merge->lists[i][merge->at[i]];
        if (!in_tail(merge, head)) return head;
        if (!first) first = head;
    }
    return first;
}

static void add_base(Inference *inference, GlobalClass class_id, const Alt *base, Merge *merge) {
    bool stub = base->kind == KIND_ENTRY && !says_only(inference, base->id);
    if (merge->list_count == LISTS_MOST || (!stub && base->kind != KIND_CLASS)) return;
    if (!stub && base->id == class_id) return;
    uint32_t at = merge->list_count++;
    merge->own[at] = base->id << 1 | stub;
    merge->lists[at] = &merge->own[at];
    merge->counts[at] = 1;
    uint32_t count;
    const uint32_t *order = stub ? NULL : class_order(inference, base->id, &count);
    if (order && count) merge->lists[at] = order, merge->counts[at] = count;
}

static uint32_t take_all(Merge *merge, uint32_t *out, uint32_t count) {
    for (uint32_t head; count < MRO_MOST && (head = next_head(merge)) != 0;) {
        bool before = false; /* in a class that Python would reject */
        for (uint32_t i = 0; i < count; i++) before |= out[i] == head;
        if (!before) out[count++] = head;
        for (uint32_t i = 0; i < merge->list_count; i++)
            merge->at[i] += merge->at[i] < merge->counts[i] && merge->lists[i][merge->at[i]] == head;
    }
    return count;
}

static void keep_order(Inference *inference, ClassInfo *info, const uint32_t *order, uint32_t count) {
    if (count > info->order_room) {
        info->order = arena_new(inference->arena, uint32_t, count);
        info->order_room = count;
    }
    memcpy(info->order, order, sizeof *order * count);
    info->order_count = count;
}

/* While its order is computed a class has none, which ends the recursion of a class that inherits itself. */
const uint32_t *class_order(Inference *inference, GlobalClass class_id, uint32_t *count) {
    ClassInfo *info = &inference->classes[class_id];
    memo_ask(inference, class_id);
    if (info->order_of != inference->families + 1) {
        info->order_of = inference->families + 1;
        info->order_count = 0;
        Merge merge = {0};
        for (uint32_t i = 0; i < info->base_count; i++)
            for (uint32_t a = 0; info->bases[i] && a < info->bases[i]->count; a++)
                add_base(inference, class_id, &info->bases[i]->alts[a], &merge);
        uint32_t order[MRO_MOST] = {class_id << 1}, bases = merge.list_count;
        merge.lists[bases] = merge.own;
        merge.counts[bases] = bases;
        merge.list_count++;
        keep_order(inference, info, order, take_all(&merge, order, 1));
    }
    *count = info->order_count;
    return info->order;
}

/* What its own body or methods bind to the name. */
const Value *own_member(Eval *eval, GlobalClass class_id, Sym name) {
    return store_read(eval->inference, eval->id, store_slot(eval->inference, STORE_ATTRIBUTE, class_id, name));
}

static bool is_off(const Inference *inference, const Value *value) {
    const Alt *alt = value && value->count == 1 ? &value->alts[0] : NULL;
    return alt && alt->kind == KIND_NUMBER && alt->id && alt->id == inference->known->false_text;
}

/* `training = False` in the class body, unless a base class assigns it. */
static bool body_binds(const Inference *inference, GlobalClass class_id, Sym name) {
    FileId file_id = program_file_of_class(inference->program, class_id);
    const SourceFile *file = &inference->program->files.items[file_id];
    FuncId body = file->model->classes.items[class_id - file->class_base].body;
    const Writes *writes = writes_of(inference, file_id);
    for (const Write *w = writes_of_name(writes, name); w; w = write_next(writes, w))
        if (w->func == body && w->kind == DEF_ASSIGN && file->model->exprs.items[w->target].kind == EXPR_NAME)
            return true;
    return false;
}

/* `self.training = False` where a base class has a method that sets it: no visible caller calls that on this
   class, but its users do. */
static const Value *set_above(Eval *eval, const uint32_t *order, uint32_t count, Sym name, const Value *value,
                              ReadMember *read) {
    Inference *inference = eval->inference;
    if (!is_off(inference, value) || body_binds(inference, order[0] >> 1, name)) return value;
    for (uint32_t i = 1; i < count; i++)
        if (!(order[i] & 1)) value = value_join(&inference->values, value, read(eval, order[i] >> 1, name));
    return value;
}

/* The value of the first class in the order that has the name, joined with `own`; *entry: of the stubs before that
   class the first that has the name, else the first. */
const Value *member_along(Eval *eval, GlobalClass class_id, Sym name, const Value *own, ReadMember *read,
                          EntryId *entry) {
    Inference *inference = eval->inference;
    uint32_t count;
    const uint32_t *order = class_order(inference, class_id, &count);
    Text text = names_text(&inference->program->names, name);
    for (uint32_t i = 0; i < count; i++) {
        if (order[i] & 1) {
            if (!*entry || (!member_of(inference, *entry, text) && member_of(inference, order[i] >> 1, text)))
                *entry = order[i] >> 1;
            continue;
        }
        const Value *value = read(eval, order[i] >> 1, name);
        if (!i) value = value_join(&inference->values, own, value);
        if (value) return set_above(eval, order + i, count - i, name, value, read);
    }
    if (!*entry && inference->classes[class_id].is_module == TRI_YES) *entry = inference->known->module;
    return NULL;
}

const Value *class_member(Eval *eval, GlobalClass class_id, Sym name, EntryId *entry) {
    return member_along(eval, class_id, name, NULL, own_member, entry);
}
