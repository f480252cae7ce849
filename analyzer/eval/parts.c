/* Attributes of classes by name patterns; parts of modules, and their devices. */
#include "parts.h"
#include "conventions.h"
#include "python_names.h"

/* `cls.__name__`, by which classes are registered; any other attribute is unknown. */
const Value *class_says(Eval *eval, GlobalClass id, Sym name) {
    const Program *program = eval->inference->program;
    const SourceFile *file = program_class_file(program, id);
    const Class *class_ = &file->model->classes.items[id - file->class_base];
    if (!text_equal(sym_text(eval, name), TEXT("__name__"))) return kind_value(eval, KIND_UNKNOWN);
    return literal_value(eval, KIND_TEXT, file->syms[class_->name]);
}

/* Of `loss_D`, `loss_G` and the list `loss_names`, a computed name means the tensors. */
const Value *attributes_meant(Eval *eval, const Value *value) {
    bool telling = value_has(value, KIND_TENSOR);
    for (uint32_t i = 0; value && i < value->count; i++) telling |= is_module_alt(eval, &value->alts[i]);
    if (!telling) return value;
    const Kind others[] = {KIND_CONTAINER, KIND_FUNCTION, KIND_TEXT};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        value = value_drop(&eval->inference->values, value, others[i]);
    return value;
}

void gather_data(Eval *eval, void *self, Sym name, const Value *value) {
    Gathered *gathered = self;
    if (!value || value_only(value, KIND_FUNCTION)) return;
    store_write(eval->inference, object_slot(eval->inference, gathered->object, name_key(name)), value);
}

/* The text before the first field of "loss_{}".format(name), or after its last one. */
static Text outside_fields(Text format, bool end) {
    uint32_t first = 0, last = format.length;
    while (first < format.length && format.bytes[first] != '{') first++;
    while (last > 0 && format.bytes[last - 1] != '}') last--;
    return end ? text_slice(format, last, format.length) : text_slice(format, 0, first);
}

/* The literal start or end of a computed name: "loss_" + name, f"{kind}_loss", "net{}".format(i). */
Text literal_part(const Eval *eval, ExprId id, bool end) {
    const Expr *expr = &eval->model->exprs.items[id], *callee = &eval->model->exprs.items[expr->a];
    if (expr->kind == EXPR_STRING) return model_name(eval->model, expr->name);
    if (expr->kind == EXPR_BINARY && expr->op == OP_ADD)
        return literal_part(eval, end ? expr->b : expr->a, end);
    if (expr->kind == EXPR_FSTRING && expr->list.count) {
        uint32_t at = end ? expr->list.count - 1 : 0;
        const Expr *part = &eval->model->exprs.items[eval->model->links.items[expr->list.first + at]];
        if (part->kind == EXPR_STRING) return model_name(eval->model, part->name);
    }
    if (expr->kind == EXPR_CALL && callee->kind == EXPR_ATTRIBUTE &&
        python_is(PY_format, model_name(eval->model, callee->name)) &&
        eval->model->exprs.items[callee->a].kind == EXPR_STRING)
        return outside_fields(model_name(eval->model, eval->model->exprs.items[callee->a].name), end);
    return (Text){0};
}

/* A record (a dataclass, a NamedTuple) has only data: `getattr(self, field.name)` over `fields(self)` gives
   each in turn. */
void gather_turns(Eval *eval, void *self, Sym name, const Value *value) {
    Gathered *gathered = self;
    (void)name;
    Alt alts[VALUE_ALTS];
    uint32_t count = 0;
    for (uint32_t i = 0; value && i < value->count; i++) {
        if (value->alts[i].kind == KIND_FUNCTION) continue;
        alts[count++] = value->alts[i];
        if (alts[count - 1].kind == KIND_TENSOR) alts[count - 1].flags |= ALT_TURNS;
    }
    gathered->value = join_values(eval, gathered->value, value_from(&eval->inference->values, alts, count));
}

bool is_data_record(Eval *eval, GlobalClass class_id) {
    EntryId entry = 0;
    const Value *init = class_member(eval, class_id, eval->inference->known->init, &entry);
    return !value_has(init, KIND_FUNCTION) && !class_info(eval->inference, class_id)->entry_base;
}

/* A method of the class or of an ancestor assigns an attribute of that name, so it exists sooner or later. */
bool attribute_is_given(Inference *inference, GlobalClass id, Sym name) {
    uint32_t count;
    const uint32_t *order = class_order(inference, id, &count);
    for (uint32_t c = 0; c < count; c++) {
        if (order[c] & 1) continue;
        const Program *program = inference->program;
        const SourceFile *file = program_class_file(program, order[c] >> 1);
        const Writes *writes = writes_of(inference, program_file_of_class(program, order[c] >> 1));
        for (const Write *w = writes_of_name(writes, name); w; w = write_next(writes, w))
            if (file->model->exprs.items[w->target].kind == EXPR_ATTRIBUTE &&
                file->model->funcs.items[w->func].class_id == (order[c] >> 1) - file->class_base)
                return true;
    }
    return false;
}

/* `self.prior = nn.Parameter(prior.cuda())` */
static bool moves_parameter(const Rulebook *book, const FileModel *model, const Func *func) {
    for (ExprId e = func->first_expr; e < func->end_expr; e++) {
        const Expr *call = &model->exprs.items[e], *callee = &model->exprs.items[call->a];
        if (call->kind != EXPR_CALL || !call->list.count) continue;
        bool named = callee->kind == EXPR_NAME || callee->kind == EXPR_ATTRIBUTE;
        if (!named || !name_is(book, NAMED_parameter_call, model_name(model, callee->name))) continue;
        const Expr *moved = &model->exprs.items[model->links.items[call->list.first]];
        const Expr *move = &model->exprs.items[moved->a];
        if (moved->kind == EXPR_CALL && move->kind == EXPR_ATTRIBUTE &&
            name_is(book, NAMED_sending_method, model_name(model, move->name)))
            return true;
    }
    return false;
}

bool moves_parameters(Inference *inference, GlobalClass id) {
    const Program *program = inference->program;
    const SourceFile *file = program_class_file(program, id);
    const List *methods = &file->model->classes.items[id - file->class_base].methods;
    for (uint32_t m = 0; m < methods->count; m++) {
        FuncId func = file->model->links.items[methods->first + m];
        if (moves_parameter(inference->book, file->model, &file->model->funcs.items[func])) return true;
    }
    return false;
}

bool asks_module_parts(const Rulebook *book, Text name) { return name_is(book, NAMED_state_method, name); }

void gather_moved(Eval *eval, void *self, Sym name, const Value *value) {
    Moved *moved = self;
    (void)name;
    for (uint32_t i = 0; value && i < value->count; i++) {
        if (value->alts[i].device != DEVICE_CUDA || !is_module_alt(eval, &value->alts[i])) continue;
        moved->part = value->alts[i];
        moved->any = true;
    }
}
