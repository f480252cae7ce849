#include "fingerprint.h"
#include "snippet.h"
#include <stdlib.h>

/* A statement may be megabytes long, with as many findings: the beginning tells it from others. */
enum { SOURCE_BYTES = 1 << 14 };

typedef struct Keyed {
    uint64_t hash;
    SiteId site;
} Keyed;

/* FNV-1a. Not text_hash, which may change from version to version. */
static uint64_t fold(uint64_t hash, Text text) {
    for (uint32_t i = 0; i < text.length; i++) hash = (hash ^ (unsigned char)text.bytes[i]) * 0x100000001B3u;
    return (hash ^ 0xFF) * 0x100000001B3u; /* 0xFF is in no UTF-8 text: "ab","c" differs from "a","bc" */
}

static const uint64_t seed = 0xCBF29CE484222325u;

static uint64_t fold_source(Arena *scratch, uint64_t hash, const SourceFile *file, Span span) {
    uint32_t end = span.end - span.start > SOURCE_BYTES ? span.start + SOURCE_BYTES : span.end;
    return fold(hash, snippet_canonical(scratch, text_slice(file->bytes, span.start, end)));
}

uint64_t fingerprint_source(const SourceFile *file, Span span) {
    Arena scratch = {0};
    uint64_t hash = fold_source(&scratch, seed, file, span);
    arena_free(&scratch);
    return hash;
}

static uint64_t hash_site(Arena *scratch, const Analysis *analysis, const Repository *repository,
                          const Site *site) {
    const SourceFile *file = &analysis->program->files.items[site->file];
    const Hazard *hazard = &analysis->rulebook->hazards[site->hazard];
    uint64_t hash = seed;
    hash = fold(hash, rulebook_text(analysis->rulebook, hazard->name));
    hash = fold(hash, repository_path(scratch, repository, file->path));
    hash = fold_source(scratch, hash, file, site->span);
    return fold_source(scratch, hash, file, site->statement);
}

static int by_hash(const void *left, const void *right) {
    const Keyed *a = left, *b = right;
    if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
    return a->site < b->site ? -1 : a->site > b->site;
}

uint64_t *fingerprints(Arena *result, const Analysis *analysis, const Repository *repository, const Site *sites,
                       uint32_t count) {
    uint64_t *marks = arena_new(result, uint64_t, count + 1u);
    Arena scratch = {0}, one = {0};
    Keyed *keys = arena_new(&scratch, Keyed, count + 1u);
    for (SiteId id = 1; id < count; id++, arena_reset(&one))
        keys[id] = (Keyed){hash_site(&one, analysis, repository, &sites[id]), id};
    arena_free(&one);
    if (count > 1) qsort(keys + 1, count - 1, sizeof *keys, by_hash);
    uint32_t equals = 0;
    for (uint32_t i = 1; i < count; i++) {
        equals = i > 1 && keys[i].hash == keys[i - 1].hash ? equals + 1 : 0;
        marks[keys[i].site] = equals ? fold(keys[i].hash, text_format(&scratch, "%u", equals)) : keys[i].hash;
    }
    arena_free(&scratch);
    return marks;
}
