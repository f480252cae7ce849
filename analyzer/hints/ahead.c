/* Queries for facts that the other thread computes ahead. */
#include "ahead.h"
#include <stdatomic.h>

const uint32_t *ahead_uses(const Inference *inference, GlobalFunc func) {
    Ahead *ahead = inference->ahead;
    return ahead ? atomic_load_explicit(&ahead->uses[func], memory_order_acquire) : NULL;
}

const uint8_t *ahead_makers(const Inference *inference) {
    Ahead *ahead = inference->ahead;
    return ahead ? atomic_load_explicit(&ahead->makers, memory_order_acquire) : NULL;
}

const bool *ahead_named(const Inference *inference) {
    Ahead *ahead = inference->ahead;
    return ahead ? atomic_load_explicit(&ahead->named, memory_order_acquire) : NULL;
}

Mentioned *ahead_mentioned(const Inference *inference) {
    Ahead *ahead = inference->ahead;
    return ahead ? atomic_load_explicit(&ahead->mentioned, memory_order_acquire) : NULL;
}
