/* Element types: what booleans become in arithmetic. */
#include "clause.h"

static bool is_fraction(const Eval *eval, const Alt *number) {
    Text text = number->id ? names_text(&eval->inference->program->names, number->id) : (Text){0};
    bool digits = text.length && text.bytes[0] >= '0' && text.bytes[0] <= '9';
    return digits && (text_holds(text, ".") || text_holds(text, "e"));
}

/* mask + mask is boolean, mask * 2 is integer, mask * weight has weight's type. */
static uint8_t dtype_with(const Eval *eval, const Value *other) {
    uint8_t dtype = DTYPE_UNKNOWN;
    bool found = false;
    for (uint32_t i = 0; i < other->count; i++) {
        const Alt *alt = &other->alts[i];
        bool number = alt->kind == KIND_NUMBER || alt->kind == KIND_HOST;
        if (!number && alt->kind != KIND_TENSOR) continue;
        uint8_t one = !number ? alt->dtype : is_fraction(eval, alt) ? DTYPE_FLOAT : DTYPE_INT;
        dtype = found && dtype != one ? DTYPE_UNKNOWN : one;
        found = true;
    }
    return dtype;
}

const Value *counted_value(Eval *eval, const Value *value, const Value *other) {
    uint8_t dtype = other ? dtype_with(eval, other) : DTYPE_INT;
    Alt alts[VALUE_ALTS];
    bool changes = false;
    for (uint32_t i = 0; value && i < value->count; i++) {
        alts[i] = value->alts[i];
        bool truth = alts[i].kind == KIND_TENSOR && alts[i].dtype == DTYPE_BOOL;
        if (truth) alts[i].dtype = dtype;
        changes |= truth;
    }
    return changes ? value_from(&eval->inference->values, alts, value->count) : value;
}
