/* A file without the bodies of its functions, as a neighbour of which nothing is asked. For test_outline.c and the fuzzers. */
#include "lower.h"
#include "outline.h"

static Gaps outline_gaps(Arena *arena, const Outline *outline) {
    VEC(Span) gaps = {0};
    for (uint32_t k = 1; k < outline->chunks.count; k++) {
        const Chunk *chunk = &outline->chunks.items[k];
        Span span = {chunk->body.start, chunk->span.end};
        if (chunk->kind == CHUNK_DEF && span.end > span.start) vec_push(arena, &gaps, span);
    }
    return (Gaps){gaps.items, gaps.count};
}

/* Reads every token as well: nothing outside the bytes may be touched. */
static inline void lower_outlined(Arena *result, Arena *scratch, SyntaxParser *parser, Text bytes, FileModel *out) {
    Outline outline;
    outline_read(scratch, bytes, &outline);
    Tokens tokens = tokens_in(bytes, (Span){0, bytes.length});
    for (Token token; tokens_next(&tokens, &token);) continue;
    lower_around(result, scratch, parser, bytes, outline_gaps(scratch, &outline), out);
}
