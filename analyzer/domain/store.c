/* The store: slots that only grow, and objects (containers, parts), each found by its key. */
#include "memo.h"
#include "supply.h"
#include <assert.h>

/* 16 bytes, as there are hundreds of thousands. */
typedef struct StoreEntry {
    uint32_t tag; /* a << KEY_BITS | key */
    uint32_t id;  /* id of a slot or an object, by the key; 0 = free */
    uint64_t b;
} StoreEntry;

enum { KEY_BITS = 5, ENTRIES_RECENT = 8192 };

struct StoreMap {
    StoreEntry *entries;
    uint32_t capacity, count;
    StoreEntry recent[ENTRIES_RECENT]; /* cache by hash: most entries are asked for again soon */
};

typedef struct RuleAnswer {
    const char *name; /* names are told apart by address: see member_of */
    uint32_t length;
    EntryId parent, answer;
    bool member, known;
} RuleAnswer;

enum { ASKED_BITS = 12 };

enum { FIRST_MADE = 4 };

struct RuleAnswer *asked_init(Arena *arena) {
    return arena_new(arena, RuleAnswer, 1 << ASKED_BITS);
}

static EntryId ask(const Inference *inference, EntryId parent, Text name, bool member) {
    uint64_t hash = ((uintptr_t)name.bytes ^ (uint64_t)parent << 40 ^ member) * 0x9E3779B97F4A7C15u;
    RuleAnswer *asked = &inference->asked[hash >> (64 - ASKED_BITS)];
    if (!asked->known || asked->name != name.bytes || asked->length != name.length || asked->parent != parent ||
        asked->member != member)
        *asked = (RuleAnswer){.name = name.bytes,
                              .length = name.length,
                              .parent = parent,
                              .member = member,
                              .known = true,
                              .answer = member ? rulebook_member(inference->book, parent, name)
                                               : rulebook_child(inference->book, parent, name)};
    return asked->answer;
}

EntryId member_of(const Inference *inference, EntryId class_entry, Text name) {
    return ask(inference, class_entry, name, true);
}

EntryId child_of(const Inference *inference, EntryId parent, Text name) {
    return ask(inference, parent, name, false);
}

static ObjectId add_object(Inference *inference, Object object) {
    ObjectId id = inference->object_count++;
    if (id % OBJECTS_A_BLOCK == 0)
        vec_push(inference->store, &inference->object_blocks,
                 arena_raw(inference->store, sizeof(Object) * OBJECTS_A_BLOCK));
    *infer_object(inference, id) = object;
    vec_push(inference->working, &inference->values.naming, NULL);
    return id;
}

/* Reserves what most programs need, so that arrays of many megabytes are seldom copied: the public packages
   make 0.1 objects an expression, and as many entries of the map. */
void store_init(Inference *inference, uint32_t exprs) {
    StoreMap *map = arena_new(inference->working, StoreMap, 1);
    map->capacity = 1024;
    while (map->capacity / 3 * 2 < exprs / 8) map->capacity *= 2;
    map->entries = arena_new(inference->working, StoreEntry, map->capacity);
    inference->store_map = map;
    vec_room(inference->working, &inference->values.naming, exprs / 8 + 64);
    store_new_slot(inference);
    add_object(inference, (Object){0});
    vec_push(inference->arena, &inference->points, (TimePoint){0});
}

static uint32_t hash_key(uint32_t tag, uint64_t b) {
    uint64_t hash = (b ^ (uint64_t)tag << 29) * 0x9E3779B97F4A7C15u;
    hash ^= (uint64_t)tag * 0xC2B2AE3D27D4EB4Fu;
    return (uint32_t)(hash >> 32) ^ (uint32_t)hash;
}

static bool is_entry_of(const StoreEntry *entry, uint32_t tag, uint64_t b) {
    return entry->id && entry->tag == tag && entry->b == b;
}

static StoreEntry *place(StoreMap *map, uint32_t tag, uint64_t b) {
    uint32_t at = hash_key(tag, b) & (map->capacity - 1);
    for (;; at = (at + 1) & (map->capacity - 1)) {
        StoreEntry *entry = &map->entries[at];
        if (!entry->id || is_entry_of(entry, tag, b)) return entry;
    }
}

static void widen(Arena *arena, StoreMap *map) {
    StoreMap old = *map;
    map->capacity *= 2;
    map->entries = arena_new(arena, StoreEntry, map->capacity);
    for (uint32_t i = 0; i < old.capacity; i++) {
        const StoreEntry *entry = &old.entries[i];
        if (entry->id) *place(map, entry->tag, entry->b) = *entry;
    }
}

static uint32_t tag_of(StoreKey key, uint32_t a) {
    assert((uint32_t)key >> KEY_BITS == 0 && a >> (32 - KEY_BITS) == 0);
    return a << KEY_BITS | (uint32_t)key;
}

static StoreEntry *recent_at(StoreMap *map, uint32_t tag, uint64_t b) {
    return &map->recent[hash_key(tag, b) % ENTRIES_RECENT];
}

/* A new entry has id 0: the caller must set it at once. */
static StoreEntry *find(Inference *inference, uint32_t tag, uint64_t b) {
    StoreMap *map = inference->store_map;
    if (map->count / 2 * 3 >= map->capacity) widen(inference->working, map);
    StoreEntry *entry = place(map, tag, b);
    if (!entry->id) {
        entry->tag = tag;
        entry->b = b;
        map->count++;
    }
    return entry;
}

SlotId store_new_slot(Inference *inference) {
    if (inference->slot_count % SLOTS_A_BLOCK == 0)
        vec_push(inference->store, &inference->slot_blocks, arena_new(inference->store, Slot, SLOTS_A_BLOCK));
    return inference->slot_count++;
}

SlotId store_slot(Inference *inference, StoreKey key, uint32_t a, uint64_t b) {
    uint32_t tag = tag_of(key, a);
    StoreEntry *recent = recent_at(inference->store_map, tag, b);
    if (is_entry_of(recent, tag, b)) return recent->id;
    StoreEntry *entry = find(inference, tag, b);
    if (!entry->id) entry->id = store_new_slot(inference);
    *recent = *entry;
    return entry->id;
}

static ObjectId new_object(Inference *inference, Flavour flavour) {
    return add_object(inference, (Object){.flavour = (uint8_t)flavour, .rest = store_new_slot(inference)});
}

/* The expression that makes the object, for keys of a context; 0 = none. */
static ExprId maker(StoreKey key, uint64_t b) {
    switch (key) {
    case STORE_LITERAL:
    case STORE_BOUND:
    case STORE_BOUND_CLOSURE: return (ExprId)b;
    case STORE_PART: return (ExprId)(b >> 32 ? b >> 32 : b >> 8);
    default: return 0;
    }
}

static Made *place_made(Made *made, uint32_t room, ExprId expr) {
    uint32_t at = expr * 0x9E3779B1u >> 8 & (room - 1);
    while (made[at].expr && made[at].expr != expr) at = (at + 1) & (room - 1);
    return &made[at];
}

static void widen_made(Inference *inference, Context *context) {
    uint32_t room = context->made_room ? context->made_room * 2 : FIRST_MADE;
    Made *made = table_take(&inference->outgrown_made, inference->working, sizeof *made * room);
    for (uint32_t i = 0; i < context->made_room; i++)
        if (context->made[i].expr) *place_made(made, room, context->made[i].expr) = context->made[i];
    if (context->made_room)
        table_give(&inference->outgrown_made, context->made, sizeof *made * context->made_room);
    context->made = made;
    context->made_room = room;
}

/* Objects made by an expression of a function are few and are asked for at each evaluation, so they are kept in
   its context, where the search is short. NULL = the key is of no function's expression. */
static ObjectId *made_by(Inference *inference, StoreKey key, uint32_t a, uint64_t b) {
    ExprId expr = maker(key, b);
    Context *context = expr ? inference->contexts.items[a] : NULL;
    if (!context || !context->makes || expr < context->first_expr ||
        expr - context->first_expr >= context->exprs)
        return NULL;
    if (context->made_count * 4 >= context->made_room * 3) widen_made(inference, context);
    Made *made = place_made(context->made, context->made_room, expr);
    context->made_count += !made->expr;
    made->expr = expr;
    return &made->object;
}

ObjectId store_object(Inference *inference, StoreKey key, uint32_t a, uint64_t b, Flavour flavour) {
    ObjectId *made = made_by(inference, key, a, b);
    if (!made) {
        StoreEntry *entry = find(inference, tag_of(key, a), b);
        if (!entry->id) entry->id = new_object(inference, flavour);
        return entry->id;
    }
    ObjectId last = 0;
    for (ObjectId at = *made; at; at = infer_object(inference, at)->next_made) {
        const Object *object = infer_object(inference, at);
        if (object->made_of == b && object->made_as == key) return at;
        last = at;
    }
    ObjectId id = new_object(inference, flavour);
    if (last)
        infer_object(inference, last)->next_made = id;
    else
        *made = id;
    infer_object(inference, id)->made_of = b;
    infer_object(inference, id)->made_as = (uint8_t)key;
    return id;
}

void store_end(Inference *inference, ContextId id) {
    Context *context = inference->contexts.items[id];
    if (!context->ended) {
        context->ended_at = inference->ended.count;
        vec_push(inference->working, &inference->ended, id);
        if (context->ended_at % 64 == 0) vec_push(inference->working, &inference->waiting, 0);
    }
    context->ended = true;
    if (context->dirty) inference->waiting.items[context->ended_at / 64] |= 1ull << context->ended_at % 64;
}

void store_queue(Inference *inference, ContextId id) {
    Context *context = inference->contexts.items[id];
    context->dirty = true;
    inference->any_dirty = true;
    /* else it is being evaluated for the first time, or was met too deep in the stack to be evaluated there */
    if (context->ended || !context->evaluations) store_end(inference, id);
}

/* Readers are dropped once queued: they register again when they are evaluated. */
static void queue_readers(Inference *inference, SlotId id) {
    Slot *slot = infer_slot(inference, id);
    for (Readers readers = readers_of(slot); readers_next(&readers);)
        if (memo_touch(inference, readers.id))
            store_queue(inference, inference->readers.items[readers.id].context);
    readers_drop(slot);
}

void store_write(Inference *inference, SlotId id, const Value *value) {
    Slot *slot = infer_slot(inference, id);
    const Value *before = value_at(&inference->values, slot->value);
    const Value *joined = value_join(&inference->values, before, value);
    bool grew = !value_settled(joined, before);
    if (!before || grew) slot->value = value_ref(joined);
    if (grew) queue_readers(inference, id);
}

void store_fix(Inference *inference, SlotId id, const Value *value) {
    Slot *slot = infer_slot(inference, id);
    assert(!slot->value && !slot->listed);
    *slot = (Slot){.value = value_ref(value), .listed = LISTED_NEVER};
}

void store_touch(Inference *inference, SlotId id) { queue_readers(inference, id); }

void store_invalidate(const Inference *inference, SlotId id) {
    for (Readers readers = readers_of(infer_slot(inference, id)); readers_next(&readers);)
        (void)memo_touch(inference, readers.id);
}

const Value *store_read(Inference *inference, ContextId context, SlotId id) {
    Slot *slot = infer_slot(inference, id);
    EvaluationId reader = context ? inference->contexts.items[context]->reader : 0;
    if (reader && slot->listed != LISTED_NEVER && !reader_is_recent(slot, reader))
        reader_add(inference, slot, reader);
    return value_at(&inference->values, slot->value);
}
