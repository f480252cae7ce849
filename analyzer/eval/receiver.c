/* Receivers of methods: what a method's name, or the uses of a variable, say about them. */
#include "environment.h"
#include "conventions.h"
#include "parts.h"
#include "python_names.h"

/* add_ is add in place. */
bool tensors_have(const Eval *eval, Text name) {
    EntryId tensor = eval->inference->known->tensor;
    if (child_of(eval->inference, tensor, name)) return true;
    bool in_place = name.length > 1 && name.bytes[name.length - 1] == '_' && name.bytes[0] != '_';
    return in_place && child_of(eval->inference, tensor, text_slice(name, 0, name.length - 1));
}

/* A guess that is used as only tensors are becomes a likely tensor: two weak signs together. */
Alt surer_by_use(Eval *eval, const Alt *alt, Sym name) {
    Alt surer = *alt;
    if (!(alt->flags & ALT_GUESS)) return surer;
    Text text = names_text(&eval->inference->program->names, name);
    bool sign = name_is(eval->inference->book, NAMED_sure_method, text) ||
                (text_ends(text, TEXT("_")) && tensors_have(eval, text));
    if (!sign) return surer;
    surer.belief = BELIEVED;
    surer.flags &= (uint16_t) ~(ALT_GUESS | ALT_BATCH);
    return surer;
}

const Value *batch_method(Eval *eval, ExprId expr, const Alt *alt, Sym name) {
    Text text = names_text(&eval->inference->program->names, name);
    Inference *inference = eval->inference;
    bool items = python_is(PY_items, text);
    if (!items && !python_is(PY_values, text) && !python_is(PY_keys, text) && !python_is(PY_pop, text) &&
        !python_is(PY_get, text))
        return NULL;
    if (python_is(PY_pop, text) || python_is(PY_get, text)) return alt_value(eval, alt);
    ObjectId list = object_part(eval, expr, PART_BATCH_VIEW, FLAVOUR_ITERATOR);
    if (python_is(PY_keys, text)) {
        object_add(eval, list, kind_value(eval, KIND_TEXT));
    } else if (items) {
        ObjectId pair = object_part(eval, expr, PART_BATCH_ITEM, FLAVOUR_TUPLE);
        store_write(inference, object_slot(inference, pair, position_key(0)), kind_value(eval, KIND_TEXT));
        store_write(inference, object_slot(inference, pair, position_key(1)), alt_value(eval, alt));
        object_add(eval, list, object_value(eval, pair));
    } else {
        object_add(eval, list, alt_value(eval, alt));
    }
    return object_value(eval, list);
}

/* model.is_recurrent(), batch.has_targets() on something taken for a tensor: tensors have no such methods. */
bool asks_own(const Eval *eval, Sym name) {
    Text text = sym_text(eval, name);
    return name_is(eval->inference->book, NAMED_question, text) &&
           !child_of(eval->inference, eval->inference->known->tensor, text);
}

/* A value with a method that no tensor has is no tensor: the result may be anything. */
const Value *receiver_no_tensor(Eval *eval, const Alt *alt) {
    Alt guess = *alt;
    guess.belief = GUESSED;
    guess.flags |= ALT_GUESS | ALT_BATCH;
    guess.dims = DIMS_UNKNOWN, guess.dtype = DTYPE_UNKNOWN;
    return value_of(&eval->inference->values, guess);
}

/* batch.get_loc("weight"), batch.select(rows): the receiver is some object. If no tensor has such a method, the
   result may be a number. */
const Value *receiver_batch(Eval *eval, const Alt *alt, Text method) {
    Alt given = *alt;
    if (!tensors_have(eval, method)) given.flags |= ALT_GUESS;
    return value_of(&eval->inference->values, given);
}

/* A trainer that is a module: `self.accelerator.prepare(self.net, self.optimizer)` moves its parts. If it is
   never moved as a whole, its own buffers (a step counter) stay where they were made. */
static bool hands_parts_over(const Eval *eval, GlobalClass class_id) {
    FileId file_id = program_file_of_class(eval->inference->program, class_id);
    const SourceFile *file = &eval->inference->program->files.items[file_id];
    const FileModel *model = file->model;
    List methods = model->classes.items[class_id - file->class_base].methods;
    bool hands = false;
    for (uint32_t i = 0; i < methods.count; i++) {
        const Func *func = &model->funcs.items[model->links.items[methods.first + i]];
        for (ExprId e = func->first_expr; e < func->end_expr; e++) {
            const Expr *callee = &model->exprs.items[model->exprs.items[e].a];
            if (model->exprs.items[e].kind != EXPR_CALL || callee->kind != EXPR_ATTRIBUTE) continue;
            const Expr *owner = &model->exprs.items[callee->a];
            bool named = owner->kind == EXPR_NAME || owner->kind == EXPR_ATTRIBUTE;
            Text method = model_name(model, callee->name),
                 of = named ? model_name(model, owner->name) : (Text){0};
            if (python_is(PY_self, of) && name_is(eval->inference->book, NAMED_moving_method, method))
                return false;
            hands |= name_is(eval->inference->book, NAMED_preparing_method, method) &&
                     name_is(eval->inference->book, NAMED_accelerator_variable, of);
        }
    }
    return hands;
}

const Value *register_tensor(Eval *eval, const Alt *alt, const Args *args) {
    if (args->count < 2 || !args->values[0] || args->values[0]->alts[0].kind != KIND_TEXT) return NULL;
    const Value *tensor = only_kind(eval, args->values[1], KIND_TENSOR);
    if (!tensor) return NULL;
    Alt lazy = tensor->alts[0];
    if (!hands_parts_over(eval, alt->id)) lazy.flags |= ALT_LAZY;
    write_attribute(eval->inference, alt, args->values[0]->alts[0].id,
                    value_of(&eval->inference->values, lazy));
    return kind_value(eval, KIND_NONE);
}

bool gives_any(const Eval *eval, const Args *args, Named named) {
    for (uint32_t i = 0; i < args->named_count; i++)
        if (name_is(eval->inference->book, named, names_text(&eval->inference->program->names, args->names[i])))
            return true;
    return false;
}

/* `tokenizer`, `self.vl_processor`; not an audio tokenizer, which decodes to sound. */
bool names_tokenizer(const Rulebook *book, Text name) {
    Text of = text_starts(name, TEXT("_")) ? text_slice(name, 1, name.length) : name;
    return !name_is(book, NAMED_other_tokenizer, of) && name_is(book, NAMED_tokenizer, name);
}

/* The literal key in config.get("device"), kwargs.pop("device", None); NULL = no such call. */
const Value *asked_key(const Eval *eval, Sym name, const Args *args) {
    Text text = sym_text(eval, name);
    bool keyed = python_is(PY_get, text) || python_is(PY_pop, text);
    const Value *key = keyed && args->count ? args->values[0] : NULL;
    return key && key->count == 1 && key->alts[0].kind == KIND_TEXT && key->alts[0].id ? key : NULL;
}

const Value *keyed_place(Eval *eval, ExprId expr, const Value *key, const Value *otherwise) {
    return place_by_name(eval, expr, sym_text(eval, key->alts[0].id), otherwise);
}

/* If a host value has the method, the call would proceed without a wait. If not, it would raise, so nobody
   passes that value. */
static bool has_method(const Eval *eval, const Alt *alt, Text name) {
    static const PythonName LIST[] = {PY_index, PY_count, PY_copy,  PY_sort,  PY_pop,
                                      PY_clear, PY_get,   PY_items, PY_values};
    const Known *known = eval->inference->known;
    switch ((Kind)alt->kind) {
    case KIND_NUMPY: return member_of(eval->inference, known->ndarray, name) != 0;
    case KIND_TEXT: return known->str && member_of(eval->inference, known->str, name) != 0;
    case KIND_CONTAINER: return python_any(LIST, sizeof LIST / sizeof *LIST, name);
    default: return false;
    }
}

/* A receiver that may also be a known host value makes a wait less sure; None does not, as it would raise. */
bool others_known(const Eval *eval, const Value *receiver, Sym name) {
    bool tensor = false, other = false;
    Text text = sym_text(eval, name);
    for (uint32_t i = 0; receiver && receiver->count > 1 && i < receiver->count; i++) {
        tensor |= receiver->alts[i].kind == KIND_TENSOR;
        other |= has_method(eval, &receiver->alts[i], text);
    }
    return tensor && other;
}

/* What hooks are registered on is a module, of an unknown class. */
const Value *some_module(Eval *eval, ExprId expr) {
    Alt module = {.kind = KIND_OBJECT,
                  .id = eval->inference->known->module,
                  .device = DEVICE_CUDA,
                  .belief = BELIEVED,
                  .origin = origin_of(eval, ORIGIN_MODEL, expr, 0)};
    return alt_value(eval, &module);
}

/* What follows a class in the receiver's MRO: for a mix-in, the class that it is mixed into. */
const uint32_t *super_next(Inference *inference, const Value *self, GlobalClass class_id, uint32_t *count) {
    bool one = self && self->count == 1 && self->alts[0].kind == KIND_INSTANCE;
    for (int own = !one; own < 2; own++) {
        const uint32_t *order = class_order(inference, own ? class_id : self->alts[0].id, count);
        for (uint32_t left = *count; left; left--, order++)
            if (*order == class_id << 1) {
                *count = left - 1;
                return order + 1;
            }
    }
    *count = 0;
    return NULL;
}
