#include "fingerprint.h"
#include "snippet.h"
#include <stdlib.h>

/* A statement may be megabytes long with many findings: its beginning identifies it. */
enum { SOURCE_BYTES = 1 << 12 };

typedef struct Keyed {
    uint64_t hash;
    SiteId site;
} Keyed;

/* FNV-1a; text_hash may change from version to version. */
static uint64_t fold(uint64_t hash, Text text) {
    for (uint32_t i = 0; i < text.length; i++) hash = (hash ^ (unsigned char)text.bytes[i]) * 0x100000001B3u;
    return (hash ^ 0xFF) * 0x100000001B3u; /* 0xFF is in no UTF-8 text, so "ab","c" differs from "a","bc" */
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

/* The statement of the previous site, which most often is that of the next too. */
typedef struct Statement {
    Arena arena, scratch;
    FileId file; /* 0 = none yet */
    Span span;   /* the source span of `text` */
    Text text;   /* canonical */
    uint32_t *places;
} Statement;

static void find_statement(Statement *self, const SourceFile *file, const Site *site) {
    Span span = site->statement;
    if (span.end - span.start > SOURCE_BYTES) span.end = span.start + SOURCE_BYTES;
    if (self->file == site->file && self->span.start == span.start && self->span.end == span.end) return;
    arena_reset(&self->arena);
    self->file = site->file, self->span = span;
    self->places = arena_new(&self->arena, uint32_t, span.end - span.start + 1u);
    self->text =
        snippet_canonical_places(&self->arena, text_slice(file->bytes, span.start, span.end), self->places);
}

static bool is_token(char byte) { return !strchr(" \t\r\n\f\\", byte); }

/* A part of the statement that begins and ends at tokens is a substring of its canonical text. */
static uint64_t fold_part(Statement *self, uint64_t hash, const SourceFile *file, Span span) {
    bool inside = span.start >= self->span.start && span.end <= self->span.end && span.start < span.end;
    if (!inside || !is_token(file->bytes.bytes[span.start]) || !is_token(file->bytes.bytes[span.end - 1]))
        return fold_source(&self->scratch, hash, file, span);
    uint32_t from = span.start - self->span.start, end = span.end - self->span.start;
    return fold(hash, text_slice(self->text, self->places[from], self->places[end]));
}

static uint64_t hash_site(Statement *statement, const Analysis *analysis, const Repository *repository,
                          const Site *site) {
    const SourceFile *file = &analysis->program->files.items[site->file];
    const Hazard *hazard = &analysis->rulebook->hazards[site->hazard];
    uint64_t hash = seed;
    find_statement(statement, file, site);
    hash = fold(hash, rulebook_text(analysis->rulebook, hazard->name));
    hash = fold(hash, repository_path(&statement->scratch, repository, file->path));
    hash = fold_part(statement, hash, file, site->span);
    return fold(hash, statement->text);
}

static int by_hash(const void *left, const void *right) {
    const Keyed *a = left, *b = right;
    if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
    return a->site < b->site ? -1 : a->site > b->site;
}

uint64_t *fingerprints(Arena *result, const Analysis *analysis, const Repository *repository, const Site *sites,
                       uint32_t count) {
    uint64_t *marks = arena_new(result, uint64_t, count + 1u);
    Arena scratch = {0};
    Statement statement = {0};
    Keyed *keys = arena_new(&scratch, Keyed, count + 1u);
    for (SiteId id = 1; id < count; id++, arena_reset(&statement.scratch))
        keys[id] = (Keyed){hash_site(&statement, analysis, repository, &sites[id]), id};
    arena_free(&statement.arena);
    arena_free(&statement.scratch);
    if (count > 1) qsort(keys + 1, count - 1, sizeof *keys, by_hash);
    uint32_t equals = 0;
    for (uint32_t i = 1; i < count; i++) {
        equals = i > 1 && keys[i].hash == keys[i - 1].hash ? equals + 1 : 0;
        marks[keys[i].site] = equals ? fold(keys[i].hash, text_format(&scratch, "%u", equals)) : keys[i].hash;
    }
    arena_free(&scratch);
    return marks;
}
