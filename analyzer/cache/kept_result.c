#include "kept_result.h"
#include <stdlib.h>
#include <unistd.h>

enum { PATH_BYTES = 16384 };

typedef struct Packing {
    Arena *arena;
    VEC(char) bytes;
} Packing;

static void put(Packing *self, const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) vec_push(self->arena, &self->bytes, ((const char *)bytes)[i]);
}

static void put_number(Packing *self, uint32_t number) { put(self, &number, sizeof number); }

static void put_text(Packing *self, Text text) {
    put_number(self, text.length);
    put(self, text.bytes, text.length);
}

static Text packed(const Packing *self) { return (Text){self->bytes.items, self->bytes.count}; }

/* ---- the request ---- */

static bool put_resolved(Packing *self, const char *path) {
    char *resolved = realpath(path, NULL);
    if (resolved) put_text(self, text_of(resolved));
    free(resolved);
    return resolved != NULL;
}

bool kept_request(Arena *scratch, const Surroundings *surroundings, Digest *request) {
    Packing all = {.arena = scratch};
    char *current = arena_alloc(scratch, PATH_BYTES);
    if (!getcwd(current, PATH_BYTES)) return false;
    put_text(&all, text_of(current));
    put_number(&all, (uint32_t)geteuid());
    put_number(&all, (uint32_t)getegid());
    put_number(&all, (uint32_t)(surroundings->color | surroundings->links << 1 | surroundings->workflow << 2 |
                                surroundings->summary << 3));
    put_number(&all, surroundings->columns);
    put_text(&all, surroundings->profiles ? text_of(surroundings->profiles) : TEXT(""));
    for (uint32_t i = 0; i < surroundings->word_count; i++) put_text(&all, text_of(surroundings->words[i]));
    put_number(&all, surroundings->path_count);
    for (uint32_t i = 0; i < surroundings->path_count; i++)
        if (!put_resolved(&all, surroundings->paths[i])) return false;
    *request = digest_of(packed(&all));
    return true;
}

/* ---- the block ---- */

typedef struct Unpacking {
    Text bytes;
    uint32_t at;
    bool broken;
} Unpacking;

static uint32_t take_number(Unpacking *self) {
    uint32_t number = 0;
    self->broken |= self->bytes.length - self->at < sizeof number;
    if (self->broken) return 0;
    memcpy(&number, self->bytes.bytes + self->at, sizeof number);
    self->at += (uint32_t)sizeof number;
    return number;
}

static Text take_text(Unpacking *self) {
    uint32_t length = take_number(self);
    self->broken |= self->bytes.length - self->at < length;
    if (self->broken) return (Text){"", 0};
    self->at += length;
    return text_slice(self->bytes, self->at - length, self->at);
}

static Text pack(Arena *scratch, const Inputs *inputs, const KeptResult *kept) {
    Packing all = {.arena = scratch};
    put_number(&all, (uint32_t)kept->status);
    put_number(&all, kept->handed.count);
    for (uint32_t i = 0; i < kept->handed.count; i++) {
        const Handed *handed = &kept->handed.items[i];
        put_number(&all, handed->to);
        put_text(&all, handed->path ? text_of(handed->path) : TEXT(""));
        put_text(&all, handed->bytes);
    }
    put_text(&all, inputs_pack(scratch, inputs));
    return packed(&all);
}

/* Only status 0 and 1: failed runs are never cached. */
static bool unpack(Arena *result, Text bytes, Inputs *inputs, KeptResult *kept) {
    Unpacking self = {.bytes = bytes};
    uint32_t status = take_number(&self), count = take_number(&self);
    *kept = (KeptResult){.status = (int)status};
    for (uint32_t i = 0; i < count && !self.broken; i++) {
        uint32_t to = take_number(&self);
        Text path = take_text(&self), words = take_text(&self);
        self.broken |= to >= HAND_KINDS;
        const char *name = text_format(result, "%.*s", SHOWN(path)).bytes;
        vec_push(result, &kept->handed, ((Handed){(HandTo)to, name, words}));
    }
    Text answers = take_text(&self);
    return !self.broken && status <= 1 && self.at == bytes.length && inputs_unpack(result, answers, inputs);
}

bool kept_result_find(const Cache *cache, Arena *result, Digest request, KeptResult *kept) {
    Text bytes;
    Inputs *inputs = arena_new(result, Inputs, 1);
    bool renewed = false;
    if (!cache_read(cache, result, BLOCK_RESULT, request, &bytes)) return false;
    if (!unpack(result, bytes, inputs, kept)) {
        cache_remove(cache, BLOCK_RESULT, request);
        return false;
    }
    if (!inputs_holds(inputs, &renewed)) return false;
    if (renewed) (void)cache_write(cache, BLOCK_RESULT, request, pack(result, inputs, kept));
    kept->inputs = inputs;
    return true;
}

uint64_t kept_result_keep(const Cache *cache, Arena *scratch, Digest request, Inputs *inputs,
                          const KeptResult *kept) {
    bool renewed = false;
    if (!inputs_holds(inputs, &renewed)) return 0;
    return cache_write(cache, BLOCK_RESULT, request, pack(scratch, inputs, kept));
}
