#ifndef SYNCL_NUMBER_H
#define SYNCL_NUMBER_H
/* Symbolic numbers: a known factor times a product of named unknowns, each between bounds. The same operation
   on equal operands gives the same unknown, so `n // 2 - n // 2` is 0. Every operation gives a number; what
   overflows or cannot be told is a new unknown. Owned by the arena of the Numbers. */
#include "workload.h"

typedef uint32_t ProductId; /* 0 = the empty product: the number is its factor */

typedef struct Number {
    double times;
    ProductId of;
} Number;

typedef enum NumberOp {
    NUMBER_GIVEN, /* no operation: an unknown in its own right */
    NUMBER_ADD, NUMBER_DIVIDE, NUMBER_FLOOR, NUMBER_MODULO, NUMBER_POWER, NUMBER_LEAST, NUMBER_MOST, NUMBER_WHOLE,
} NumberOp;

typedef struct Unknown {
    double low, high;
    Text name; /* "len(dataset)"; empty for a computed unknown */
    Number a, b; /* operands of `op` */
    uint8_t op;  /* NumberOp */
} Unknown;

enum { FACTORS_MOST = 6 };

typedef struct Product {
    uint32_t factors[FACTORS_MOST]; /* ids of unknowns, ascending */
    uint32_t count;
} Product;

typedef struct Numbers {
    Arena *arena;
    VEC(Unknown) unknowns; /* items[0] unused; likewise */
    VEC(Product) products;
    uint32_t *slots; /* hash table: computed unknowns, then products */
    uint32_t slot_count, used;
} Numbers;

static inline Number number_of(double value) { return (Number){value, 0}; }
static inline bool number_is_known(Number number) { return !number.of; }
/* The value of a known whole number of at most `most`; else -1. */
static inline int64_t number_whole(Number number, double most) {
    bool fits = !number.of && number.times >= 0 && number.times <= most;
    return fits && number.times == (double)(int64_t)number.times ? (int64_t)number.times : -1;
}
static inline bool number_same(Number a, Number b) { return a.of == b.of && a.times == b.times; }

void numbers_init(Numbers *numbers, Arena *arena);
Number number_unknown(Numbers *numbers, double low, double high, Text name);
Number number_add(Numbers *numbers, Number a, Number b);
Number number_subtract(Numbers *numbers, Number a, Number b);
Number number_multiply(Numbers *numbers, Number a, Number b);
Number number_divide(Numbers *numbers, Number a, Number b);
/* Any other operation: computed where both operands are known, else the unknown that stands for it. */
Number number_computed(Numbers *numbers, NumberOp op, Number a, Number b);
Amount number_range(const Numbers *numbers, Number number); /* bounds; may be negative */
Amount number_amount(const Numbers *numbers, Number number); /* ... of what is counted: from 0 on */
Text number_name(const Numbers *numbers, Number number);    /* name of the first unknown in it that has one; else
                                                               empty */
/* -1, 0, 1 as a is below, equal to or above b; 2 = unknown. */
int number_compare(Numbers *numbers, Number a, Number b);

#endif
