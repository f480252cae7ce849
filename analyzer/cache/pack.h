#ifndef SYNCL_PACK_H
#define SYNCL_PACK_H
/* Numbers as bytes, for what the cache keeps: seven bits a byte, small ones first. Writing and reading are one: each function
   gives what is written, or what is read. What cannot be read sets `broken` and gives 0. What is copied gives itself, with its
   texts in the arena: nothing is written. */
#include "model.h"

typedef struct Pack {
    Arena *arena; /* of what is written, and of arrays that are read */
    bool writing, broken;
    bool copying; /* and `writing` */
    Text in;
    uint32_t at;
    VEC(char) out;
    uint32_t last; /* where the last span began */
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

/* As a distance either way, small ones first: 0, -1, 1, -2, ... */
static inline uint32_t pack_near(Pack *self, uint32_t value, uint32_t to) {
    uint32_t distance = value - to;
    uint32_t got = pack_number(self, distance << 1 ^ (0 - (distance >> 31)));
    return to + (got >> 1 ^ (0 - (got & 1)));
}

/* 0 stays 0; else how far below `parent`. */
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

/* A record takes a byte at least, so a count beyond the bytes that are left is none. */
static inline bool pack_count_holds(Pack *self, uint32_t count) {
    self->broken |= !self->writing && count > self->in.length - self->at;
    return !self->broken;
}

double pack_real(Pack *self, double value); /* not negative, else what is read is broken */
Text pack_text(Pack *self, Text value);     /* read, copied: it lies in the arena */

#endif
