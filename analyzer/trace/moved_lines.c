#include "moved_lines.h"
#include "search.h"
#include <stdlib.h>

typedef struct Lines {
    const uint32_t *hashes;
    uint32_t count;
} Lines;

typedef struct Pair {
    uint32_t before, now;
} Pair;

typedef VEC(Pair) Pairs;

typedef struct Mover {
    Arena *scratch;
    Lines before, now;
    uint32_t *to; /* [before.count]: line today, from 1; 0 = gone */
    Pairs pairs;  /* lines that are unique in both texts, in order of `before` */
} Mover;

/* Matches equal lines from the beginning and from the end; gives the range in between. */
static void match_ends(const Mover *self, Pair *from, Pair *end) {
    const uint32_t *before = self->before.hashes, *now = self->now.hashes;
    while (from->before < end->before && from->now < end->now && before[from->before] == now[from->now])
        self->to[from->before++] = ++from->now;
    while (from->before < end->before && from->now < end->now && before[end->before - 1] == now[end->now - 1])
        self->to[--end->before] = end->now--;
}

/* ---- lines unique in both texts ---- */

typedef struct UniqueLine {
    uint32_t hash, line;
} UniqueLine;

static int by_hash(const void *a, const void *b) {
    const UniqueLine *x = a, *y = b;
    return x->hash != y->hash ? (x->hash > y->hash) - (x->hash < y->hash)
                              : (x->line > y->line) - (x->line < y->line);
}

static UniqueLine *sorted(Arena *scratch, Lines lines, uint32_t from, uint32_t end) {
    UniqueLine *places = arena_new(scratch, UniqueLine, end - from + 1);
    for (uint32_t i = from; i < end; i++) places[i - from] = (UniqueLine){lines.hashes[i], i};
    if (end > from) qsort(places, end - from, sizeof *places, by_hash);
    return places;
}

static bool once(const UniqueLine *places, uint32_t count, uint32_t at) {
    return (at == 0 || places[at - 1].hash != places[at].hash) &&
           (at + 1 == count || places[at + 1].hash != places[at].hash);
}

static int by_line(const void *a, const void *b) {
    const Pair *x = a, *y = b;
    return (x->before > y->before) - (x->before < y->before);
}

static void find_pairs(Mover *self, Pair from, Pair end) {
    uint32_t count = end.before - from.before, other = end.now - from.now;
    const UniqueLine *before = sorted(self->scratch, self->before, from.before, end.before);
    const UniqueLine *now = sorted(self->scratch, self->now, from.now, end.now);
    for (uint32_t i = 0, k = 0; i < count && k < other;) {
        if (before[i].hash == now[k].hash && once(before, count, i) && once(now, other, k))
            vec_push(self->scratch, &self->pairs, ((Pair){before[i].line, now[k].line}));
        if (before[i].hash <= now[k].hash)
            i++;
        else
            k++;
    }
    if (self->pairs.count > 1) qsort(self->pairs.items, self->pairs.count, sizeof(Pair), by_line);
}

/* Keeps the largest subset in the same order in both texts: a longest increasing subsequence. */
static void keep_ordered(Mover *self) {
    uint32_t count = self->pairs.count, length = 0;
    uint32_t *last = arena_new(self->scratch, uint32_t,
                               count + 1); /* [length]: the pair that ends the best subsequence of that
                                                          length */
    uint32_t *previous = arena_new(self->scratch, uint32_t, count + 1);
    const Pair *pairs = self->pairs.items;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t low = 0, high = length;
        LOWER_BOUND(low, high, pairs[last[middle]].now < pairs[i].now);
        previous[i] = low ? last[low - 1] : UINT32_MAX;
        last[low] = i;
        length += low == length;
    }
    Pairs kept = {0};
    for (uint32_t i = length ? last[length - 1] : UINT32_MAX; i != UINT32_MAX; i = previous[i])
        vec_push(self->scratch, &kept, pairs[i]);
    self->pairs = kept; /* in reverse order */
}

/* ---- one file ---- */

static void match(Mover *self) {
    Pair from = {0, 0}, end = {self->before.count, self->now.count};
    match_ends(self, &from, &end);
    find_pairs(self, from, end);
    keep_ordered(self);
    for (uint32_t i = self->pairs.count; i-- > 0;) {
        Pair here = self->pairs.items[i], until = here;
        match_ends(self, &from, &until);
        from = here;
    }
    match_ends(self, &from, &end);
}

static int ascending(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool is_among(Lines known, uint32_t hash) {
    return known.count && bsearch(&hash, known.hashes, known.count, sizeof hash, ascending);
}

/* Of the line as it is, unless it was recorded without a comment that it has now: `x.item()  # syncl: allow`. */
static uint32_t hash_of(Lines known, const char *bytes, uint32_t length) {
    uint32_t whole = record_line_hash(bytes, length), code = 0;
    if (is_among(known, whole)) return whole;
    while (code < length && (bytes[code] == ' ' || bytes[code] == '\t')) code++;
    for (uint32_t i = code + 1; i < length; i++)
        if (bytes[i] == '#' && bytes[i - 1] == ' ' && is_among(known, record_line_hash(bytes, i)))
            return record_line_hash(bytes, i);
    return whole;
}

/* known: the recorded hashes. */
static Lines lines_now(Arena *scratch, Text bytes, Lines known) {
    VEC(uint32_t) hashes = {0};
    uint32_t *sorted = arena_copy(scratch, known.hashes, sizeof *sorted * known.count);
    if (known.count) qsort(sorted, known.count, sizeof *sorted, ascending);
    known.hashes = sorted;
    for (uint32_t from = 0; from < bytes.length;) {
        const char *feed = memchr(bytes.bytes + from, '\n', bytes.length - from);
        uint32_t end = feed ? (uint32_t)(feed - bytes.bytes) : bytes.length;
        vec_push(scratch, &hashes, hash_of(known, bytes.bytes + from, end - from));
        from = end + 1;
    }
    return (Lines){hashes.items, hashes.count};
}

static void move_frames(TraceStacks *stacks, Text file, const Mover *self) {
    for (uint32_t i = 0; i < stacks->frames.count; i++) {
        TraceFrame *frame = &stacks->frames.items[i];
        if (!text_equal(frame->file, file) || !frame->line || frame->line > self->before.count) continue;
        uint32_t line = frame->line;
        frame->gone = !self->to[line - 1];
        while (line > 1 && !self->to[line - 1]) line--;
        frame->line = self->to[line - 1] ? self->to[line - 1] : 1;
    }
}

void moved_lines(Recorded *recorded, Sources *sources, const Program *program) {
    for (uint32_t i = 0; i < recorded->sources.count; i++) {
        const RecordedSource *source = &recorded->sources.items[i];
        FileId file = sources_file(sources, source->file);
        if (!file) continue;
        Arena scratch = {0};
        Mover self = {.scratch = &scratch, .before = {source->hashes, source->count}};
        self.now = lines_now(&scratch, program->files.items[file].bytes, self.before);
        self.to = arena_new(&scratch, uint32_t, source->count + 1);
        match(&self);
        move_frames(recorded->stacks, source->file, &self);
        arena_free(&scratch);
    }
}
