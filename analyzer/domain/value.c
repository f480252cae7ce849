#include "value.h"
#include "ranking.h"
#include <assert.h>
#include <stddef.h>

static uint32_t mix(uint32_t hash, uint32_t word) {
    hash = (hash ^ word) * 0x9E3779B1u;
    return hash ^ (hash >> 15);
}

/* Three products that do not wait for one another; an alternative has no padding. */
static uint32_t hash_alt(uint32_t hash, const Alt *alt) {
    uint64_t head, names;
    memcpy(&head, alt, sizeof head);
    memcpy(&names, &alt->id, sizeof names);
    uint64_t mixed = (head ^ (uint64_t)hash << 17) * 0x9E3779B97F4A7C15u;
    mixed ^= (names + 0x632BE59BD9B4E019u) * 0xC2B2AE3D27D4EB4Fu;
    mixed ^= ((uint64_t)alt->origin + 0x165667B1u) * 0xD6E8FEB86659FD93u;
    return (uint32_t)(mixed >> 32) ^ (uint32_t)mixed;
}

static_assert(sizeof(Alt) == 20 && offsetof(Alt, id) == 8 && offsetof(Alt, origin) == 16,
              "hash_alt reads all of it");

enum { HEAD_UNITS = 1 };

void values_init(Values *values, Arena *arena, Arena *working, uint32_t expected) {
    *values = (Values){.arena = arena,
                       .working = working,
                       .slot_count = 1024,
                       .origin_slot_count = 1024,
                       .recent_count = RECENT_LEAST};
    while (values->slot_count / 4 * 3 < expected) values->slot_count *= 2;
    while (values->recent_count < RECENT_MOST && values->recent_count * 16 < expected)
        values->recent_count *= 2;
    values->recent = arena_new(working, RecentValue, values->recent_count);
    values->joined = arena_new(working, JoinedValues, values->recent_count);
    values->slots = arena_new(working, ValueSlot, values->slot_count);
    values->origin_slots = arena_new(working, uint32_t, values->origin_slot_count);
    vec_room(arena, &values->origins, expected / 2 + 64); /* large programs have one for two values */
    vec_push(arena, &values->origins, (Origin){0});
}

static bool identical(const Value *value, const Alt *alts, uint32_t count) {
    return value->count == count && memcmp(value->alts, alts, sizeof(Alt) * count) == 0;
}

/* Unit 0 stands for no value. */
static uint32_t take_units(Values *values, uint32_t bytes) {
    uint32_t units = (bytes + VALUE_UNIT - 1) / VALUE_UNIT,
             left = UNITS_A_BLOCK - values->units % UNITS_A_BLOCK;
    bool full = values->units == values->blocks.count * UNITS_A_BLOCK;
    if (full || left < units) {
        values->units = values->blocks.count * UNITS_A_BLOCK;
        vec_push(values->arena, &values->blocks, arena_alloc(values->arena, UNITS_A_BLOCK * VALUE_UNIT));
        if (!values->units) values->units = HEAD_UNITS;
    }
    uint32_t at = values->units;
    values->units += units;
    return at;
}

static void grow(Values *values) {
    uint32_t old_count = values->slot_count;
    const ValueSlot *old = values->slots;
    values->slot_count *= 2;
    values->slots = arena_new(values->working, ValueSlot, values->slot_count);
    for (uint32_t i = 0; i < old_count; i++) {
        if (!old[i].unit) continue;
        uint32_t at = old[i].hash & (values->slot_count - 1);
        while (values->slots[at].unit) at = (at + 1) & (values->slot_count - 1);
        values->slots[at] = old[i];
    }
}

static uint32_t add(Values *values, const Alt *alts, uint32_t count, uint32_t hash) {
    uint32_t unit = take_units(values, (uint32_t)(sizeof(Value) + sizeof(Alt) * count));
    char *block = values->blocks.items[unit / UNITS_A_BLOCK];
    Value *value = (Value *)(void *)(block + (size_t)(unit % UNITS_A_BLOCK) * VALUE_UNIT);
    assert(count <= VALUE_ALTS);
    value->count = count & 7;
    value->ref = unit & ((1u << 29) - 1);
    value->hash = hash;
    memcpy(value->alts, alts, sizeof(Alt) * count);
    return unit;
}

static const Value *find_or_add(Values *values, const Alt *alts, uint32_t count, uint32_t hash) {
    if (values->used / 3 * 4 >= values->slot_count) grow(values);
    uint32_t at = hash & (values->slot_count - 1);
    for (; values->slots[at].unit; at = (at + 1) & (values->slot_count - 1)) {
        if (values->slots[at].hash != hash) continue;
        const Value *found = value_at(values, values->slots[at].unit);
        if (identical(found, alts, count)) return found;
    }
    values->slots[at] = (ValueSlot){hash, add(values, alts, count, hash)};
    values->used++;
    return value_at(values, values->slots[at].unit);
}

/* Half of all values name an object, each its own and nearly always in a single form. The first value for an
   object is stored with the object instead of in the table. NULL = the object has another form there. */
static const Value *find_naming(Values *values, const Alt *alt) {
    const Value **first = &values->naming.items[alt->object];
    if (!*first) *first = value_at(values, add(values, alt, 1, hash_alt(1, alt)));
    return identical(*first, alt, 1) ? *first : NULL;
}

static const Value *intern(Values *values, const Alt *alts, uint32_t count) {
    if (count == 0) return NULL;
    if (count == 1 && alts->object && alts->object < values->naming.count) {
        const Value *naming = find_naming(values, alts);
        if (naming) return naming;
    }
    uint32_t hash = count;
    for (uint32_t i = 0; i < count; i++) hash = hash_alt(hash, &alts[i]);
    RecentValue *recent = &values->recent[hash & (values->recent_count - 1)];
    if (recent->value && recent->hash == hash && identical(recent->value, alts, count)) return recent->value;
    *recent = (RecentValue){find_or_add(values, alts, count, hash), hash};
    return recent->value;
}

const Value *value_of(Values *values, Alt alt) { return intern(values, &alt, 1); }

const Value *value_kind(Values *values, Kind kind) {
    if (!values->plain[kind]) values->plain[kind] = value_of(values, (Alt){.kind = (uint8_t)kind});
    return values->plain[kind];
}

/* Equal but for belief, flags and origin. */
static bool alt_alike(const Alt *a, const Alt *b) {
    return a->kind == b->kind && a->device == b->device && a->dtype == b->dtype && a->dims == b->dims &&
           a->pinned == b->pinned && a->id == b->id && a->object == b->object;
}

bool alt_same(const Alt *a, const Alt *b) {
    return alt_alike(a, b) && a->belief == b->belief && a->flags == b->flags;
}

/* Coarsens an alternative: literals, shapes and time points are given up before kinds and devices. */
static Alt coarse(Alt alt, bool all) {
    if (all && (alt.kind == KIND_NUMBER || alt.kind == KIND_HOST || alt.kind == KIND_TENSOR)) alt.object = 0;
    switch (alt.kind) {
    case KIND_NUMBER: alt.id = 0; break; /* a number keeps its type */
    case KIND_TEXT:
        alt.id = 0;
        alt.flags |= ALT_WIDE;
        break;
    case KIND_TENSOR:
        alt.flags |= ALT_WIDE;
        alt.dims = DIMS_UNKNOWN;
        alt.dtype = DTYPE_UNKNOWN;
        alt.pinned = TRI_UNKNOWN;
        break;
    default: break;
    }
    return alt;
}

/* A module is one object that gets moved: if it is on the CPU where made and on the GPU later, it is on the GPU
   where used. */
static bool same_module(const Alt *a, const Alt *b) {
    return (a->kind == KIND_INSTANCE || a->kind == KIND_OBJECT) && a->kind == b->kind && a->id == b->id &&
           a->object == b->object && a->device != b->device;
}

static void merge_module(Alt *into, Alt alt) {
    if (alt.device == DEVICE_CUDA)
        *into = alt;
    else if (into->device == DEVICE_UNKNOWN)
        into->device = alt.device;
}

static bool merge_into(Alt *alts, uint32_t count, Alt alt, Merging how) {
    for (uint32_t i = 0; i < count; i++) {
        /* `device` defaults to the CPU in many signatures; the priced run passes a GPU somewhere */
        if (alts[i].kind == KIND_DEVICE && alt.kind == KIND_DEVICE && alts[i].device != alt.device) {
            if (alt.device == DEVICE_CUDA) alts[i] = alt;
            if (alts[i].device == DEVICE_CUDA) alts[i].belief |= BELIEVED;
            return true;
        }
        if (same_module(&alts[i], &alt)) {
            merge_module(&alts[i], alt);
            return true;
        }
        if (!alt_alike(&alts[i], &alt)) continue;
        bool surest = how == MERGE_EITHER && alt.kind == KIND_TENSOR && alt.device == DEVICE_CUDA;
        if (surest && alt.belief < alts[i].belief)
            alts[i].belief = alt.belief, alts[i].origin = alt.origin;
        else if (!surest)
            alts[i].belief |= alt.belief;
        uint16_t rest = alts[i].flags & alt.flags & ALT_REST;
        alts[i].flags = (uint16_t)(((alts[i].flags | alt.flags) & ~ALT_REST) | rest);
        return true;
    }
    return false;
}

static int rank_numbers(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

/* Ids of functions, classes and names depend on their position in a file, so alternatives are ordered by their
   texts. */
static int rank_ids(const Program *program, const Alt *a, const Alt *b) {
    if (!program || !a->id || !b->id || a->id == b->id) return rank_numbers(a->id, b->id);
    switch (a->kind) {
    case KIND_FUNCTION: return rank_global_funcs(program, a->id, b->id);
    case KIND_CLASS:
    case KIND_INSTANCE: return rank_global_classes(program, a->id, b->id);
    case KIND_NUMBER:
    case KIND_TEXT:
    case KIND_NAMESPACE:
        return text_compare(names_text(&program->names, a->id), names_text(&program->names, b->id));
    default: return rank_numbers(a->id, b->id);
    }
}

static int rank_alts(const Program *program, const Alt *a, const Alt *b) {
    const uint32_t left[] = {a->kind, a->device, a->dtype, a->dims, a->pinned};
    const uint32_t right[] = {b->kind, b->device, b->dtype, b->dims, b->pinned};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        if (left[i] != right[i]) return left[i] < right[i] ? -1 : 1;
    int order = rank_ids(program, a, b);
    return order ? order : rank_numbers(a->object, b->object);
}

static void sort_alts(const Program *program, Alt *alts, uint32_t count) {
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t j = i; j > 0 && rank_alts(program, &alts[j - 1], &alts[j]) > 0; j--) {
            Alt swap = alts[j];
            alts[j] = alts[j - 1];
            alts[j - 1] = swap;
        }
}

/* Whether a wide alternative among them covers this one. */
static bool in_wide(const Alt *alts, uint32_t count, const Alt *alt) {
    for (uint32_t i = 0; i < count; i++) {
        if (!(alts[i].flags & ALT_WIDE) || alts[i].kind != alt->kind) continue;
        if (alt->kind != KIND_TENSOR || alts[i].device == alt->device) return true;
    }
    return false;
}

/* Widening: more alternatives than are kept become an unknown, and its tensors by device. */
static uint32_t widen(Alt *alts, uint32_t count, Merging how) {
    Alt wide[VALUE_ALTS] = {{.kind = KIND_UNKNOWN, .flags = ALT_WIDE}};
    uint32_t wide_count = 1;
    for (uint32_t i = 0; i < count; i++) {
        if (alts[i].kind != KIND_TENSOR) continue;
        Alt alt = coarse(alts[i], true);
        alt.id = alt.object = 0, alt.flags = ALT_WIDE;
        if (!merge_into(wide, wide_count, alt, how)) wide[wide_count++] = alt;
    }
    memcpy(alts, wide, sizeof *wide * wide_count);
    return wide_count;
}

enum { NUMBERS_KEPT = 1, TEXTS_KEPT = 3 };

/* Two or more literals of a kind become the bare kind: a loop counter must not grow for ever. What is coarse
   stays coarse, or a slot would never stop changing. */
static uint32_t without_details(Alt *few, const Alt *fine, uint32_t fine_count, Merging how) {
    bool coarsen = fine_count > VALUE_ALTS;
    uint32_t few_count = 0, numbers = 0, texts = 0;
    for (uint32_t i = 0; i < fine_count; i++) {
        numbers += fine[i].kind == KIND_NUMBER;
        texts += fine[i].kind == KIND_TEXT;
    }
    for (uint32_t i = 0; i < fine_count; i++) {
        bool literal = (fine[i].kind == KIND_NUMBER && numbers > NUMBERS_KEPT) ||
                       (fine[i].kind == KIND_TEXT && texts > TEXTS_KEPT);
        bool all = coarsen || in_wide(fine, fine_count, &fine[i]);
        Alt alt = all || literal ? coarse(fine[i], all) : fine[i];
        if (!merge_into(few, few_count, alt, how)) few[few_count++] = alt;
    }
    return few_count;
}

enum { PLACES_KEPT = 3, ALTS_MERGED = 64 };

static bool place_counts(const Alt *alts, uint32_t count, const Alt *alt) {
    uint32_t places = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (alts[i].kind != KIND_INSTANCE || alts[i].id != alt->id) continue;
        if (!alts[i].object || ++places > PLACES_KEPT) return false;
    }
    return count <= VALUE_ALTS;
}

/* Merges instances of different allocation sites into one of the class, if there are too many alternatives.
   Sites are given up first. */
static uint32_t without_places(Alt *alts, uint32_t count, Merging how) {
    bool lost[ALTS_MERGED], some = false;
    for (uint32_t i = 0; i < count; i++) {
        lost[i] = alts[i].kind == KIND_INSTANCE && alts[i].object && !place_counts(alts, count, &alts[i]);
        some |= lost[i];
    }
    if (!some) return count;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        Alt alt = alts[i];
        if (lost[i]) alt.object = 0;
        if (!merge_into(alts, kept, alt, how)) alts[kept++] = alt;
    }
    return kept;
}

static const Value *merged(Values *values, const Alt *alts, uint32_t count, Merging how) {
    if (count == 1) return intern(values, alts, 1);
    Alt fine[ALTS_MERGED], few[ALTS_MERGED];
    uint32_t fine_count = 0;
    for (uint32_t i = 0; i < count && fine_count < ALTS_MERGED; i++)
        if (!merge_into(fine, fine_count, alts[i], how)) fine[fine_count++] = alts[i];
    fine_count = without_places(fine, fine_count, how);
    uint32_t few_count = without_details(few, fine, fine_count, how);
    const Alt unknown = {.kind = KIND_UNKNOWN};
    if (few_count > VALUE_ALTS || in_wide(few, few_count, &unknown)) few_count = widen(few, few_count, how);
    sort_alts(values->program, few, few_count);
    return intern(values, few, few_count);
}

const Value *value_from(Values *values, const Alt *alts, uint32_t count) {
    return merged(values, alts, count, MERGE_JOIN);
}

const Value *value_readings(Values *values, const Alt *alts, uint32_t count) {
    return merged(values, alts, count, MERGE_EITHER);
}

/* Whether a covers b, which makes the join trivial: true for most joins in a loop's second iteration. */
static bool covers(const Value *a, const Value *b) {
    for (uint32_t i = 0; i < b->count; i++) {
        bool found = false;
        for (uint32_t k = 0; !found && k < a->count; k++) found = alt_same(&a->alts[k], &b->alts[i]);
        if (!found) return false;
    }
    return true;
}

const Value *value_merge(Values *values, const Value *a, const Value *b, Merging how) {
    if (covers(a, b)) return a;
    JoinedValues *recent =
        &values->joined[(a->hash * 3 ^ b->hash ^ (uint32_t)how) & (values->recent_count - 1)];
    if (recent->a == a && recent->b == b && recent->how == how) return recent->result;
    Alt alts[2 * VALUE_ALTS];
    memcpy(alts, a->alts, sizeof(Alt) * a->count);
    memcpy(alts + a->count, b->alts, sizeof(Alt) * b->count);
    *recent = (JoinedValues){a, b, merged(values, alts, a->count + b->count, how), how};
    return recent->result;
}

static bool equal(const Value *a, const Value *b, bool beliefs) {
    if (a == b) return true;
    if (!a || !b || a->count != b->count) return false;
    for (uint32_t i = 0; i < a->count; i++) {
        const Alt *one = &a->alts[i], *other = &b->alts[i];
        if (!alt_alike(one, other) || one->flags != other->flags) return false;
        if (beliefs && one->belief != other->belief) return false;
    }
    return true;
}

bool value_same(const Value *a, const Value *b) { return equal(a, b, false); }

bool value_settled(const Value *a, const Value *b) { return equal(a, b, true); }

bool value_in_places(const Value *value) {
    for (uint32_t i = 1; value && i < value->count; i++)
        if (value->alts[i].device != value->alts[0].device) return true;
    return false;
}

uint8_t belief_weaker(uint8_t belief) { return belief ? GUESSED : BELIEVED; }

const Value *value_believed(Values *values, const Value *value, uint8_t belief) {
    if (!value) return NULL;
    Alt alts[VALUE_ALTS];
    for (uint32_t i = 0; i < value->count; i++) {
        alts[i] = value->alts[i];
        alts[i].belief |= belief;
    }
    return intern(values, alts, value->count);
}

const Value *value_drop(Values *values, const Value *value, Kind kind) {
    if (!value_has(value, kind)) return value;
    Alt alts[VALUE_ALTS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < value->count; i++)
        if (value->alts[i].kind != kind) alts[count++] = value->alts[i];
    return intern(values, alts, count);
}

const Value *value_flagged(Values *values, const Value *value, uint16_t flags) {
    if (!value) return NULL;
    Alt alts[VALUE_ALTS];
    for (uint32_t i = 0; i < value->count; i++) {
        alts[i] = value->alts[i];
        if (alts[i].kind == KIND_TENSOR) alts[i].flags |= flags;
    }
    return value_from(values, alts, value->count);
}

static uint32_t hash_origin(const Origin *origin) {
    uint32_t hash = mix(origin->kind, origin->file);
    hash = mix(hash, origin->span.start);
    hash = mix(hash, origin->span.end);
    return mix(hash, origin->parent);
}

static bool same_origin(const Origin *a, const Origin *b) {
    return a->kind == b->kind && a->file == b->file && a->parent == b->parent &&
           a->span.start == b->span.start && a->span.end == b->span.end;
}

static void grow_origins(Values *values) {
    values->origin_slot_count *= 2;
    values->origin_slots = arena_new(values->working, uint32_t, values->origin_slot_count);
    for (uint32_t id = 1; id < values->origins.count; id++) {
        uint32_t at = hash_origin(&values->origins.items[id]) & (values->origin_slot_count - 1);
        while (values->origin_slots[at]) at = (at + 1) & (values->origin_slot_count - 1);
        values->origin_slots[at] = id;
    }
}

OriginId origin_add(Values *values, Origin origin) {
    if (values->origins.count * 2 >= values->origin_slot_count) grow_origins(values);
    /* a longer chain than anybody reads loses its newest links; this also bounds recursion through calls */
    uint32_t depth = 0;
    for (OriginId up = origin.parent; up; up = values->origins.items[up].parent) depth++;
    if (depth >= 8) origin.parent = 0;
    uint32_t at = hash_origin(&origin) & (values->origin_slot_count - 1);
    for (; values->origin_slots[at]; at = (at + 1) & (values->origin_slot_count - 1))
        if (same_origin(&values->origins.items[values->origin_slots[at]], &origin))
            return values->origin_slots[at];
    vec_push(values->arena, &values->origins, origin);
    values->origin_slots[at] = values->origins.count - 1;
    return values->origins.count - 1;
}

OriginId origin_root(const Values *values, OriginId origin) {
    const Origin *origins = values->origins.items;
    while (origin && origins[origin].parent) origin = origins[origin].parent;
    return origin;
}

OriginKind origin_begins(const Values *values, OriginId origin) {
    OriginId root = origin_root(values, origin);
    return root ? (OriginKind)values->origins.items[root].kind : ORIGIN_NO;
}

Alt alt_tensor(Device device, uint8_t belief, OriginId origin) {
    return (Alt){.kind = KIND_TENSOR,
                 .device = (uint8_t)device,
                 .belief = belief,
                 .pinned = device == DEVICE_UNKNOWN ? TRI_UNKNOWN : TRI_NO,
                 .origin = origin};
}
