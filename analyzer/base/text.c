#include "text.h"
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

Text text_of(const char *terminated) { return (Text){terminated, (uint32_t)strlen(terminated)}; }

uint32_t text_find(Text text, Text part) {
    if (!part.length || part.length > text.length) return part.length ? text.length : 0;
    const char *end = text.bytes + text.length;
    for (const char *at = text.bytes; (size_t)(end - at) >= part.length; at++) {
        at = memchr(at, part.bytes[0], (size_t)(end - at) - part.length + 1);
        if (!at) return text.length;
        if (memcmp(at, part.bytes, part.length) == 0) return (uint32_t)(at - text.bytes);
    }
    return text.length;
}

static bool text_has(Text text, Text part) { return !part.length || text_find(text, part) < text.length; }

bool text_holds(Text text, const char *part) { return text_has(text, text_of(part)); }

bool text_holds_any(Text text, const char *const *parts, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (text_holds(text, parts[i])) return true;
    return false;
}

bool text_is_any(Text text, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (text_is(text, words[i])) return true;
    return false;
}

Text text_cut(Text text, uint32_t limit) {
    if (text.length <= limit) return text;
    while (limit > 0 && ((unsigned char)text.bytes[limit] & 0xC0) == 0x80) limit--;
    return text_slice(text, 0, limit);
}

bool text_ends(Text text, Text suffix) {
    return suffix.length <= text.length &&
           text_equal(text_slice(text, text.length - suffix.length, text.length), suffix);
}

bool text_like(Text text, Text pattern) {
    bool before = pattern.length && pattern.bytes[0] == '*';
    Text rest = text_slice(pattern, before, pattern.length);
    bool after = rest.length && rest.bytes[rest.length - 1] == '*';
    rest.length -= after;
    if (before && after) return text_has(text, rest);
    if (after) return text_starts(text, rest);
    if (before) return text_ends(text, rest);
    const char *star = rest.length ? memchr(rest.bytes, '*', rest.length) : NULL;
    if (!star) return text_equal(text, rest);
    uint32_t at = (uint32_t)(star - rest.bytes);
    return text.length + 1 >= rest.length && text_starts(text, text_slice(rest, 0, at)) &&
           text_ends(text, text_slice(rest, at + 1, rest.length));
}

Text text_item(Text *list) {
    uint32_t start = 0, end = 0;
    while (start < list->length && (list->bytes[start] == ' ' || list->bytes[start] == ',')) start++;
    for (end = start; end < list->length && list->bytes[end] != ',' && list->bytes[end] != ' ';) end++;
    Text item = text_slice(*list, start, end);
    *list = text_slice(*list, end, list->length);
    return item;
}

int text_compare(Text a, Text b) {
    uint32_t common = a.length < b.length ? a.length : b.length;
    int order = common ? memcmp(a.bytes, b.bytes, common) : 0;
    if (order) return order;
    return (a.length > b.length) - (a.length < b.length);
}

int text_order(const void *a, const void *b) { return text_compare(*(const Text *)a, *(const Text *)b); }

void text_end_lines(char *bytes, size_t length) {
    char *end = bytes + length;
    for (char *at = bytes; at < end && (at = memchr(at, '\r', (size_t)(end - at))); at++)
        if (at + 1 == end || at[1] != '\n') *at = '\n';
}

Text text_slice(Text text, uint32_t start, uint32_t end) {
    assert(start <= end && end <= text.length);
    return (Text){text.bytes ? text.bytes + start : NULL, end - start};
}

Text text_format(Arena *arena, const char *format, ...) {
    va_list measure, write;
    va_start(measure, format);
    va_copy(write, measure);
    int length = vsnprintf(NULL, 0, format, measure);
    va_end(measure);
    assert(length >= 0);
    char *bytes = arena_alloc(arena, (size_t)length + 1);
    vsnprintf(bytes, (size_t)length + 1, format, write);
    va_end(write);
    return (Text){bytes, (uint32_t)length};
}

static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 29);
}

/* Hashes eight bytes at a time. Names are short, so the tail matters as much as the loop. */
uint64_t text_hash(Text text) {
    uint64_t hash = 0xCBF29CE484222325u ^ text.length, word;
    uint32_t at = 0;
    for (; at + 8 <= text.length; at += 8) {
        memcpy(&word, text.bytes + at, 8);
        hash = mix(hash, word);
    }
    word = 0;
    if (at < text.length) memcpy(&word, text.bytes + at, text.length - at);
    hash = mix(hash, word);
    return hash ^ (hash >> 32);
}

/* The slot that holds `text`, else the free slot where it would go. The table is never full. */
static uint32_t slot_of(const Names *names, Text text) {
    uint32_t mask = names->slot_count - 1;
    uint32_t slot = (uint32_t)text_hash(text) & mask;
    while (names->slots[slot] && !text_equal(names->texts.items[names->slots[slot] - 1], text))
        slot = (slot + 1) & mask;
    return slot;
}

static void grow_slots(Names *names) {
    names->slot_count = names->slot_count ? names->slot_count * 2 : 256;
    names->slots = arena_new(names->arena, uint32_t, names->slot_count);
    for (uint32_t i = 0; i < names->texts.count; i++)
        names->slots[slot_of(names, names->texts.items[i])] = i + 1;
}

/* The slot of `text`, growing the table first if needed; the slot of a new text holds 0. */
static uint32_t *slot_for(Names *names, Text text) {
    if (names->texts.count * 2 >= names->slot_count) grow_slots(names);
    return &names->slots[slot_of(names, text)];
}

Sym names_keep(Names *names, Text text) {
    uint32_t *slot = slot_for(names, text);
    if (!*slot) {
        vec_push(names->arena, &names->texts, text);
        *slot = names->texts.count;
    }
    return *slot;
}

Sym names_intern(Names *names, Text text) {
    uint32_t *slot = slot_for(names, text);
    if (!*slot) {
        const char *bytes = arena_copy(names->arena, text.bytes, text.length);
        vec_push(names->arena, &names->texts, ((Text){bytes, text.length}));
        *slot = names->texts.count;
    }
    return *slot;
}

Sym names_find(const Names *names, Text text) {
    return names->slot_count ? names->slots[slot_of(names, text)] : 0;
}
