/* Iterating an object of a library: a loader yields batches, of the structure that its collate function makes. */
#include "interpret.h"

static bool loads_data(const Rulebook *book, EntryId entry) {
    const Entry *found = &book->entries[entry];
    for (uint32_t c = 0; c < found->clause_count; c++) {
        const Clause *clause = &book->clauses[found->first_clause + c];
        for (uint32_t e = 0; e < clause->effect_count; e++)
            if (book->effects[clause->first_effect + e].word == EFF_loads_data) return true;
    }
    return false;
}

/* A batch is tensors in a structure that the dataset decides; pinned when its loader pins. */
static const Value *batch_of(Eval *eval, const Alt *loader, const Value *value) {
    Alt alts[VALUE_ALTS];
    for (uint32_t i = 0; value && i < value->count; i++) {
        alts[i] = value->alts[i];
        if (alts[i].kind == KIND_TENSOR)
            alts[i].pinned = loader->pinned,
            alts[i].flags |= (uint16_t)(ALT_BATCH | (loader->flags & ALT_IN_PROCESS));
    }
    return value ? value_from(&eval->inference->values, alts, value->count) : NULL;
}

const Value *object_element(Eval *eval, ExprId expr, const Alt *alt, bool report) {
    const Value *part = alt->object ? object_any(eval, alt->object) : NULL;
    EntryId member = member_of(eval->inference, alt->id, TEXT("__iter__"));
    /* A loader that was moved moves what its collate function makes. */
    bool moves =
        member && report && expr && alt->device == DEVICE_CUDA && loads_data(eval->inference->book, member);
    Alt self = *alt;
    self.object = 0; /* where the loader is, not what it gives */
    const Value *value = member && (!part || moves)
                             ? apply_entry(eval, expr, EFFECT_USE, member, alt_value(eval, &self), &(Args){0})
                             : NULL;
    if (part) return follow_owner(eval, alt, part);
    if (!member) return kind_value(eval, KIND_UNKNOWN);
    return loads_data(eval->inference->book, member) ? batch_of(eval, alt, value) : value;
}
