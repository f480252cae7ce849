#ifndef SYNCL_PACK_H
#define SYNCL_PACK_H
/* Serialises what is cached: numbers of seven bits a byte, small ones short. Writing and reading share one
   function, which gives the value written or read. Malformed input sets `broken` and gives 0. A third mode
   copies: values are returned as they are, texts copied into the arena, and nothing is written. */
#include "model.h"

typedef struct Pack {
    Arena *arena; /* of the output, or of arrays that are read */
    bool writing, broken;
    bool copying; /* implies `writing` */
    Text in;
    uint32_t at;
    VEC(char) out;
    uint32_t last; /* start of the previous span */
} Pack;

uint32_t pack_written(Pack *self, uint32_t number);
uint32_t pack_read(Pack *self);

static inline uint32_t pack_number(Pack *self, uint32_t value) {
    if (self->copying) return value;
    if (self->writing) return pack_written(self, value);
    if (self->at < self->in.length && (unsigned char)self->in.bytes[self->at] < 128)
        return (unsigned char)self->in.bytes[self->at++];
    return pack_read(self);
}

static inline uint8_t pack_byte(Pack *self, uint8_t value) { return (uint8_t)pack_number(self, value); }

/* As a signed distance, small ones short: 0, -1, 1, -2, ... */
static inline uint32_t pack_near(Pack *self, uint32_t value, uint32_t to) {
    uint32_t distance = value - to;
    uint32_t got = pack_number(self, distance << 1 ^ (0 - (distance >> 31)));
    return to + (got >> 1 ^ (0 - (got & 1)));
}

/* 0 stays 0; other values as the distance below `parent`. */
static inline uint32_t pack_below(Pack *self, uint32_t value, uint32_t parent) {
    uint32_t got = pack_number(self, value ? parent - value : 0);
    return got ? parent - got : 0;
}

static inline Span pack_span(Pack *self, Span value) {
    Span got = {.start = pack_near(self, value.start, self->last)};
    got.end = got.start + pack_number(self, value.end - value.start);
    self->last = got.start;
    return got;
}

/* A record takes at least one byte, so a count larger than the bytes left is malformed. */
static inline bool pack_count_holds(Pack *self, uint32_t count) {
    self->broken |= !self->writing && count > self->in.length - self->at;
    return !self->broken;
}

double pack_real(Pack *self, double value); /* must not be negative; a negative value read is malformed */
Text pack_text(Pack *self, Text value);     /* when read, copied into the arena */

#endif
