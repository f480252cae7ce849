/* Custom operations (torch.autograd.Function): recognises them, and their context object. */
#include "construct.h"
#include "conventions.h"

bool is_operation(Inference *inference, GlobalClass class_id) {
    EntryId operation = inference->known->operation;
    return operation && class_inherits(inference, class_id, operation);
}

/* The first def of a method along the MRO, with any decorator; false = none is visible. */
bool operation_method(Inference *inference, GlobalClass class_id, Sym name, Alt *out) {
    uint32_t count;
    const uint32_t *order = class_order(inference, class_id, &count);
    for (uint32_t c = 0; c < count; c++) {
        if (order[c] & 1) continue;
        GlobalClass id = order[c] >> 1;
        const SourceFile *file = program_class_file(inference->program, id);
        const Class *class_ = &file->model->classes.items[id - file->class_base];
        for (uint32_t i = 0; i < class_->methods.count; i++) {
            FuncId func = file->model->links.items[class_->methods.first + i];
            if (file->syms[file->model->funcs.items[func].name] != name) continue;
            *out = (Alt){.kind = KIND_FUNCTION, .id = file->func_base + func};
            return true;
        }
    }
    return false;
}

/* `def forward(x): ...` beside `def setup_context(ctx, inputs, output): ...`: forward has no context. */
bool operation_has_setup(Inference *inference, GlobalClass class_id, Alt *setup) {
    Sym name = names_find(&inference->program->names, name_row(inference->book, NAMED_context_method, 0));
    return name && operation_method(inference, class_id, name, setup);
}

bool takes_context(Inference *inference, GlobalClass class_id, Sym method) {
    Alt setup;
    if (method != inference->known->forward || !is_operation(inference, class_id)) return true;
    return !operation_has_setup(inference, class_id, &setup);
}

const Value *operation_context(Eval *eval, GlobalClass class_id) {
    return value_of(&eval->inference->values, (Alt){.kind = KIND_INSTANCE, .id = class_id});
}

const Value *save_for_backward(Eval *eval, const Alt *context, const Args *args) {
    Inference *inference = eval->inference;
    ObjectId saved = store_object(inference, STORE_PART, 0, (uint64_t)context->id << 8, FLAVOUR_TUPLE);
    for (uint32_t i = 0; i < args->count; i++)
        if (args->values[i])
            store_write(inference, object_slot(inference, saved, position_key(i)), args->values[i]);
    if (args->star) object_add(eval, saved, only_kind(eval, args->star_value, KIND_TENSOR));
    Sym name = names_intern(inference->names, name_row(inference->book, NAMED_saved_attribute, 0));
    write_attribute(inference, context, name, object_value(eval, saved));
    return kind_value(eval, KIND_NONE);
}
