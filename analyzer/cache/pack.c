#include "pack.h"

uint32_t pack_written(Pack *self, uint32_t number) {
    uint32_t rest = number;
    for (; rest >= 128; rest >>= 7) vec_push(self->arena, &self->out, (char)(rest | 128));
    vec_push(self->arena, &self->out, (char)rest);
    return number;
}

uint32_t pack_read(Pack *self) {
    uint32_t number = 0;
    for (uint32_t shift = 0; shift < 35 && self->at < self->in.length; shift += 7) {
        uint32_t byte = (unsigned char)self->in.bytes[self->at++];
        number |= (byte & 127) << (shift & 31);
        if (byte < 128) return number;
    }
    self->broken = true;
    return 0;
}

/* Most numbers are small and whole: written as their value plus one; others as 0 and their bits. */
double pack_real(Pack *self, double value) {
    if (self->copying) return value;
    bool small = value >= 0 && value < 1e6 && value == (double)(uint32_t)value;
    uint32_t whole = pack_number(self, small ? (uint32_t)value + 1 : 0);
    if (whole) return whole - 1.0;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t low = pack_number(self, (uint32_t)bits), high = pack_number(self, (uint32_t)(bits >> 32));
    bits = (uint64_t)high << 32 | low;
    memcpy(&value, &bits, sizeof value);
    if (!self->writing && !(value >= 0)) self->broken = true; /* nor a NaN */
    return self->broken ? 0 : value;
}

Text pack_text(Pack *self, Text value) {
    if (self->copying)
        return value.length ? (Text){arena_copy(self->arena, value.bytes, value.length), value.length} : value;
    uint32_t length = pack_number(self, value.length);
    if (self->writing) {
        for (uint32_t i = 0; i < length; i++) vec_push(self->arena, &self->out, value.bytes[i]);
        return value;
    }
    if (!pack_count_holds(self, length)) return (Text){0};
    Text text = {arena_copy(self->arena, self->in.bytes + self->at, length), length};
    self->at += length;
    return text;
}
