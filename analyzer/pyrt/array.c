/* Elements and parts of NumPy arrays and strings. */
#include "python.h"

/* That of a vector is a scalar, which indexes as Python's numbers do. */
static const Value *array_element(Eval *eval, const Alt *array) {
    if (array->dims == DIMS_VECTOR) return kind_value(eval, KIND_HOST);
    Alt row = *array;
    row.dims = array->dims == DIMS_MATRIX ? DIMS_VECTOR : DIMS_UNKNOWN;
    return value_of(&eval->inference->values, row);
}

/* `for i in order:` of an array of unknown dimensions: what is usual there are numbers, which index as Python's do. */
const Value *array_turn(Eval *eval, const Alt *array) {
    Alt number = *array;
    number.dims = DIMS_SCALAR;
    return array->dims ? array_element(eval, array) : value_of(&eval->inference->values, number);
}

const Value *array_item(Eval *eval, const Alt *array, const Value *index) {
    if (array->kind == KIND_TEXT || value_only(index, KIND_SLICE)) return alt_value(eval, array);
    if (value_only(index, KIND_NUMBER)) return array_element(eval, array);
    return kind_value(eval, KIND_NUMPY);
}

/* Indexing a string with a string raises: where there is another alternative, that one is meant. */
bool no_item(const Value *object, const Alt *alt, const Value *index) {
    bool plain = alt->kind == KIND_TEXT || alt->kind == KIND_NUMBER;
    return plain && object->count > 1 && (alt->kind == KIND_NUMBER || value_only(index, KIND_TEXT));
}
