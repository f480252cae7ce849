/* Operators: which method of an operand they call, and their results on numbers, strings and containers. */
#include "python.h"
#include <stdio.h>

static const char *const METHODS[] = {
#define OPERATOR(name, sign, method) method,
#define SIGN(node, name)
#include "operators.def"
};

const char *operator_method(Operator op) { return METHODS[op]; }

/* The entry of the torch.Tensor method that an operator calls, with the tensor as self. `2 ** t` calls __rpow__ if the
   rules have it, else __pow__. */
EntryId operator_entry(Eval *eval, Operator op, bool reflected) {
    EntryId tensor = eval->inference->known->tensor, entry = 0;
    char turned[24];
    snprintf(turned, sizeof turned, "__r%s", METHODS[op] + 2);
    if (reflected) entry = rulebook_member(eval->inference->book, tensor, text_of(turned));
    return entry ? entry : member_of(eval->inference, tensor, text_of(METHODS[op]));
}

/* Every alternative is a guessed tensor. */
static bool is_guess(const Value *value) {
    for (uint32_t i = 0; value && i < value->count; i++)
        if (value->alts[i].kind != KIND_TENSOR || !(value->alts[i].flags & ALT_GUESS)) return false;
    return value != NULL;
}

/* `ndim(x) - 2`: computing with a number or another guess does not show that the result of an unknown call is a
   tensor; it may be a number. */
const Value *still_guessed(Eval *eval, const Value *tensor, const Value *other, const Value *result) {
    Alt alts[VALUE_ALTS];
    if (!result || !is_guess(tensor) || !(value_only(other, KIND_NUMBER) || is_guess(other))) return result;
    for (uint32_t i = 0; i < result->count; i++) {
        alts[i] = result->alts[i];
        if (alts[i].kind != KIND_TENSOR) continue;
        alts[i].belief = GUESSED;
        alts[i].flags |= ALT_GUESS | ALT_BATCH;
    }
    return value_from(&eval->inference->values, alts, result->count);
}

bool has_formatting(const Value *value) { return value_has(value, KIND_TEXT); }

Dtype dtype_promoted(Operator op, uint8_t left, uint8_t right) {
    if (op == OP_DIV || left == DTYPE_FLOAT || right == DTYPE_FLOAT) return DTYPE_FLOAT;
    return left && right ? DTYPE_INT : DTYPE_UNKNOWN;
}

/* The alternatives of an operand that the operator accepts: nothing is added to None, and no list or text to a
   tensor. */
const Value *operator_operand(Eval *eval, Operator op, const Value *value, const Value *other) {
    Values *values = &eval->inference->values;
    const Value *taken = value_drop(values, value, KIND_NONE);
    other = value_drop(values, other, KIND_NONE);
    bool joins = op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_OR || op == OP_AND || op == OP_XOR;
    if (!joins || value_only(other, KIND_TENSOR)) taken = value_drop(values, taken, KIND_CONTAINER);
    if (op != OP_MOD && value_only(other, KIND_TENSOR)) taken = value_drop(values, taken, KIND_TEXT);
    return taken ? taken : value;
}

/* Adding to a tuple gives a tuple, whose positions an index selects: (...,) + (None,) * n. Nothing else is
   added to one. */
bool all_tuples(const Eval *eval, const Value *value) {
    for (uint32_t i = 0; i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        if (alt->kind != KIND_CONTAINER) return false;
        if (infer_object(eval->inference, alt->object)->flavour != FLAVOUR_TUPLE) return false;
    }
    return true;
}

/* Sets and dicts look keys up by hash, which is a tensor's identity: no elements are compared. */
bool is_hashed(const Eval *eval, const Value *value) {
    for (uint32_t i = 0; value && i < value->count; i++) {
        if (value->alts[i].flags & ALT_REST)
            continue; /* a batch that is no tensor: among those only dicts are looked up */
        if (value->alts[i].kind != KIND_CONTAINER) return false;
        uint8_t flavour = infer_object(eval->inference, value->alts[i].object)->flavour;
        if (flavour != FLAVOUR_SET && flavour != FLAVOUR_DICT) return false;
    }
    return value != NULL;
}

Tri literal_truth(const Eval *eval, const Value *value) {
    if (!value || value->count != 1) return TRI_UNKNOWN;
    const Alt *alt = &value->alts[0];
    const Known *known = eval->inference->known;
    if (alt->kind == KIND_NONE) return TRI_NO;
    if (alt->kind == KIND_NUMBER && alt->id == known->true_text) return TRI_YES;
    if (alt->kind == KIND_NUMBER && alt->id == known->false_text) return TRI_NO;
    return TRI_UNKNOWN;
}

const Value *number_value(Eval *eval, Sym text, Dtype dtype) {
    return value_of(&eval->inference->values, (Alt){.kind = KIND_NUMBER, .id = text, .dtype = (uint8_t)dtype});
}

/* `-1` is a literal as 1 is; sizes and dimensions depend on it. */
const Value *negated_number(Eval *eval, const Value *value) {
    if (value->count != 1 || !value->alts[0].id) return kind_value(eval, KIND_NUMBER);
    Text digits = sym_text(eval, value->alts[0].id);
    char text[64] = "-";
    if (digits.length >= sizeof text) return kind_value(eval, KIND_NUMBER);
    memcpy(text + 1, digits.bytes, digits.length);
    Sym negated = names_intern(eval->inference->names, (Text){text, digits.length + 1});
    return number_value(eval, negated, (Dtype)value->alts[0].dtype);
}
