/* The store of inference: slots that only grow, and objects (containers, parts), each found by what it stands for. */
#include "interpret.h"

typedef struct StoreEntry {
    uint8_t key;
    bool used;
    uint32_t a;
    uint64_t b;
    uint32_t id;
} StoreEntry;

struct StoreMap {
    StoreEntry *entries;
    uint32_t capacity, count;
};

void store_init(Inference *inference) {
    StoreMap *map = arena_new(inference->arena, StoreMap, 1);
    map->capacity = 8192;
    map->entries = arena_new(inference->arena, StoreEntry, map->capacity);
    inference->store_map = map;
    vec_push(inference->arena, &inference->slots, (Slot){0});
    vec_push(inference->arena, &inference->objects, (Object){0});
    vec_push(inference->arena, &inference->moments, (Moment){0});
}

static uint32_t hash_key(uint8_t key, uint32_t a, uint64_t b) {
    uint64_t hash = (b ^ ((uint64_t)a << 20) ^ ((uint64_t)key << 58)) * 0x9E3779B97F4A7C15u;
    hash ^= (uint64_t)a * 0xC2B2AE3D27D4EB4Fu;
    return (uint32_t)(hash >> 32) ^ (uint32_t)hash;
}

static StoreEntry *place(StoreMap *map, uint8_t key, uint32_t a, uint64_t b) {
    uint32_t at = hash_key(key, a, b) & (map->capacity - 1);
    for (;; at = (at + 1) & (map->capacity - 1)) {
        StoreEntry *entry = &map->entries[at];
        if (!entry->used || (entry->key == key && entry->a == a && entry->b == b)) return entry;
    }
}

static void widen(Arena *arena, StoreMap *map) {
    StoreMap old = *map;
    map->capacity *= 2;
    map->entries = arena_new(arena, StoreEntry, map->capacity);
    for (uint32_t i = 0; i < old.capacity; i++) {
        const StoreEntry *entry = &old.entries[i];
        if (entry->used) *place(map, entry->key, entry->a, entry->b) = *entry;
    }
}

static StoreEntry *find(Inference *inference, uint8_t key, uint32_t a, uint64_t b) {
    StoreMap *map = inference->store_map;
    if (map->count * 2 >= map->capacity) widen(inference->arena, map);
    StoreEntry *entry = place(map, key, a, b);
    if (!entry->used) {
        *entry = (StoreEntry){.key = key, .used = true, .a = a, .b = b};
        map->count++;
    }
    return entry;
}

SlotId store_slot(Inference *inference, StoreKey key, uint32_t a, uint64_t b) {
    StoreEntry *entry = find(inference, (uint8_t)(key * 2), a, b);
    if (!entry->id) {
        entry->id = inference->slots.count;
        vec_push(inference->arena, &inference->slots, (Slot){0});
    }
    return entry->id;
}

ObjectId store_object(Inference *inference, StoreKey key, uint32_t a, uint64_t b, Flavour flavour) {
    StoreEntry *entry = find(inference, (uint8_t)(key * 2 + 1), a, b);
    if (!entry->id) {
        entry->id = inference->objects.count;
        SlotId rest = inference->slots.count;
        vec_push(inference->arena, &inference->slots, (Slot){0});
        vec_push(inference->arena, &inference->objects, ((Object){.flavour = (uint8_t)flavour, .rest = rest}));
    }
    return entry->id;
}

void store_queue(Inference *inference, ContextId id) {
    Context *context = inference->contexts.items[id];
    context->dirty = true;
    inference->unsettled = true;
    if (context->evaluations || context->ended)
        return; /* else met too deep in the stack to be evaluated there */
    vec_push(inference->arena, &inference->ended, id);
    context->ended = true;
}

void store_write(Inference *inference, SlotId id, const Value *value) {
    Slot *slot = &inference->slots.items[id];
    const Value *joined = value_join(&inference->values, slot->value, value);
    bool grew = !value_same(joined, slot->value);
    if (!slot->value || grew) slot->value = joined;
    if (!grew) return;
    for (uint32_t i = 0; i < slot->readers.count; i++) store_queue(inference, slot->readers.items[i]);
}

void store_touch(Inference *inference, SlotId id) {
    const Slot *slot = &inference->slots.items[id];
    for (uint32_t i = 0; i < slot->readers.count; i++) store_queue(inference, slot->readers.items[i]);
}

/* A context reads the same slots over and over, most often the last one: a few are looked at, and a reader that is
   listed twice is queued once. */
enum { READERS_LOOKED_AT = 6 };

const Value *store_read(Inference *inference, ContextId reader, SlotId id) {
    Slot *slot = &inference->slots.items[id];
    uint32_t count = slot->readers.count;
    for (uint32_t i = count; reader && i > 0 && i + READERS_LOOKED_AT > count; i--)
        if (slot->readers.items[i - 1] == reader) return slot->value;
    if (reader) vec_push(inference->arena, &slot->readers, reader);
    return slot->value;
}
