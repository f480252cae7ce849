#ifndef SYNCL_PYTHON_H
#define SYNCL_PYTHON_H
/* Python's own runtime, as far as it calls no functions: operators, tuples, arrays, %-formats, keys and
   positions of containers. */
#include "evaluation.h"

enum { CONVERSIONS = 64, CONCATENATED = 8, LONGEST_NAME = 48 };

typedef struct Conversions {
    char items[CONVERSIONS];
    uint32_t count;
    bool open; /* the last ones repeat an unknown number of times */
} Conversions;

/* ---- format.c ---- */
/* The concatenations of each text in `left` with each in `right`, if they are few and could name an attribute
   or key; else NULL. */
const Value *joined_names(Eval *eval, const Value *left, const Value *right);
void format_conversions(const Eval *eval, ExprId id, int depth, Conversions *made);

/* ---- tuple.c ---- */
bool tuple_positions(const Eval *eval, const Value *value, uint32_t *count);
const Value *fitting_parts(Eval *eval, const Value *value, uint32_t total);
void tuple_put(Eval *eval, ObjectId into, uint32_t position, const Value *value);
/* NULL = the index is of an unknown form */
const Value *cut_tuple(Eval *eval, ExprId expr, const Value *tuple, ExprId index);

/* ---- array.c ---- */
/* An element of an array by an index; also for strings. */
const Value *array_turn(Eval *eval, const Alt *array); /* what a loop over it gives */
const Value *array_item(Eval *eval, const Alt *array, const Value *index);
/* `alt[index]` raises, so another alternative must be meant */
bool no_item(const Value *object, const Alt *alt, const Value *index);

/* ---- operator.c ---- */
const char *operator_method(Operator op); /* "__add__"; NULL = it calls none: `is`, `and` */
EntryId operator_entry(Eval *eval, Operator op, bool reflected);
const Value *still_guessed(Eval *eval, const Value *tensor, const Value *other, const Value *result);
bool has_formatting(const Value *value);
Dtype dtype_promoted(Operator op, uint8_t left, uint8_t right);
const Value *operator_operand(Eval *eval, Operator op, const Value *value, const Value *other);
bool all_tuples(const Eval *eval, const Value *value);
bool is_hashed(const Eval *eval, const Value *value);
Tri literal_truth(const Eval *eval, const Value *value);
const Value *number_value(Eval *eval, Sym text, Dtype dtype);
const Value *negated_number(Eval *eval, const Value *value);

/* ---- container.c ---- */
void container_set_position(Eval *eval, ObjectId object, uint32_t position, const Value *value);
const Value *container_open(Eval *eval, ExprId expr, PartOf part, Flavour flavour, const Value *element);
const Value *container_pairs(Eval *eval, ExprId expr, const Value *first, const Value *second);
const Value *native_argument(const Args *args, uint32_t i);
const Value *container_get_key(Eval *eval, const Alt *container, const Value *key);
void container_set_key(Eval *eval, const Alt *container, const Value *key, const Value *value);
bool is_container_method(const Rulebook *book, Text name);

#endif
