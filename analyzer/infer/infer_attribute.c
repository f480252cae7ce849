/* The attributes of the program's classes: written by name, and read by a name that is known only in part:
   getattr(self, "loss_" + name), self.__dict__, getattr(module, config["loss"]). */
#include "interpret.h"

/* A tensor assigned to the name of a buffer or parameter becomes one. */
static const Value *kept_buffer(Inference *inference, const Value *before, const Value *value) {
    bool lazy = false;
    for (uint32_t i = 0; before && i < before->count; i++)
        lazy |= before->alts[i].kind == KIND_TENSOR && (before->alts[i].flags & ALT_LAZY);
    return lazy ? value_flagged(&inference->values, value, ALT_LAZY) : value;
}

void write_class_attribute(Inference *inference, GlobalClass class_id, Sym name, const Value *value) {
    write_attribute(inference, &(Alt){.kind = KIND_INSTANCE, .id = class_id}, name, value);
}

/* What any instance was given is what the class is asked for. */
void write_attribute(Inference *inference, const Alt *instance, Sym name, const Value *value) {
    ClassInfo *info = &inference->classes[instance->id];
    memo_ask(inference, instance->id);
    SlotId slot = store_slot(inference, STORE_ATTRIBUTE, instance->id, name);
    const Value *before = infer_slot(inference, slot)->value;
    value = kept_buffer(inference, before, value);
    store_write(inference, slot, value);
    if (instance->object)
        store_write(inference, store_slot(inference, STORE_OWN_ATTRIBUTE, instance->object, name), value);
    else if (info->apart)
        store_write(inference, store_slot(inference, STORE_SHARED_ATTRIBUTE, instance->id, name), value);
    if (before || !value) return;
    vec_push(inference->arena, &info->attributes, name);
    store_touch(inference, store_slot(inference, STORE_ATTRIBUTE, instance->id, 0));
}

/* `cls.__name__`, under which classes are registered; of anything else nothing is known. */
const Value *class_says(Eval *eval, GlobalClass id, Sym name) {
    const Program *program = eval->inference->program;
    const SourceFile *file = program_class_file(program, id);
    const Class *class_ = &file->model->classes.items[id - file->class_base];
    if (!text_equal(sym_text(eval, name), TEXT("__name__"))) return kind_value(eval, KIND_UNKNOWN);
    return literal_value(eval, KIND_TEXT, file->syms[class_->name]);
}

typedef void Visit(Eval *eval, void *self, Sym name, const Value *value);

static void each_attribute(Eval *eval, const Alt *instance, Visit *visit, void *self) {
    Inference *inference = eval->inference;
    uint32_t count;
    const uint32_t *order = class_order(inference, instance->id, &count);
    for (uint32_t c = 0; c < count; c++) {
        GlobalClass class_id = order[c] >> 1;
        if (order[c] & 1) continue;
        const ClassInfo *info = &inference->classes[class_id];
        store_read(inference, eval->id,
                   store_slot(inference, STORE_ATTRIBUTE, class_id, 0)); /* told of new ones */
        for (uint32_t i = 0; i < info->attributes.count; i++) {
            Sym name = info->attributes.items[i];
            EntryId entry = 0;
            visit(eval, self, name,
                  instance->object ? instance_member(eval, instance, name, &entry)
                                   : own_member(eval, class_id, name));
        }
    }
}

typedef struct Gathered {
    Text prefix, suffix;
    ExprId expr;
    const Value *owner, *value;
    ObjectId object;
} Gathered;

static void gather_named(Eval *eval, void *self, Sym name, const Value *value) {
    Gathered *gathered = self;
    Text text = sym_text(eval, name);
    if (value && text_starts(text, gathered->prefix) && text_ends(text, gathered->suffix))
        gathered->value =
            join_values(eval, gathered->value, eval_attribute(eval, gathered->expr, gathered->owner, name));
}

/* Of `loss_D`, `loss_G` and the list `loss_names`, the tensors are meant. */
static const Value *meant(Eval *eval, const Value *value) {
    bool telling = value_has(value, KIND_TENSOR);
    for (uint32_t i = 0; value && i < value->count; i++) telling |= is_module_alt(eval, &value->alts[i]);
    if (!telling) return value;
    const Kind others[] = {KIND_CONTAINER, KIND_FUNCTION, KIND_TEXT};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        value = value_drop(&eval->inference->values, value, others[i]);
    return value;
}

static void gather_data(Eval *eval, void *self, Sym name, const Value *value) {
    Gathered *gathered = self;
    if (!value || value_only(value, KIND_FUNCTION)) return;
    store_write(eval->inference, object_slot(eval->inference, gathered->object, name_key(name)), value);
}

/* `"loss_{}"` of "loss_{}".format(name): before its first field, or behind its last. */
static Text outside_fields(Text format, bool end) {
    uint32_t first = 0, last = format.length;
    while (first < format.length && format.bytes[first] != '{') first++;
    while (last > 0 && format.bytes[last - 1] != '}') last--;
    return end ? text_slice(format, last, format.length) : text_slice(format, 0, first);
}

/* The literal that a computed name begins or ends with: "loss_" + name, f"{kind}_loss", "net{}".format(i). */
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
        text_is(model_name(eval->model, callee->name), "format") &&
        eval->model->exprs.items[callee->a].kind == EXPR_STRING)
        return outside_fields(model_name(eval->model, eval->model->exprs.items[callee->a].name), end);
    return (Text){0};
}

/* A record (a dataclass, a NamedTuple) has nothing but its data: `getattr(self, field.name)` of `fields(self)` is each of
   it in turn. */
static void gather_turns(Eval *eval, void *self, Sym name, const Value *value) {
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

static bool is_record(Eval *eval, GlobalClass class_id) {
    EntryId entry = 0;
    const Value *init = class_member(eval, class_id, eval->inference->known->init, &entry);
    return !value_has(init, KIND_FUNCTION) && !class_info(eval->inference, class_id)->entry_base;
}

/* getattr with a name that is not known; name_expr may show how it begins. */
const Value *any_attribute(Eval *eval, const Value *object, ExprId name_expr) {
    Gathered gathered = {.expr = name_expr};
    bool own = name_expr >= eval->func->first_expr && name_expr < eval->func->end_expr;
    if (own) gathered.prefix = literal_part(eval, name_expr, false);
    if (own) gathered.suffix = literal_part(eval, name_expr, true);
    bool named = gathered.prefix.length || gathered.suffix.length;
    for (uint32_t i = 0; object && i < object->count; i++) {
        const Alt *alt = &object->alts[i];
        if (alt->kind == KIND_MODULE)
            gathered.value = join_values(eval, gathered.value, any_definition(eval, alt->id));
        if (alt->kind == KIND_INSTANCE && named)
            gathered.owner = alt_value(eval, alt), each_attribute(eval, alt, gather_named, &gathered);
        if (alt->kind == KIND_INSTANCE && !named && is_record(eval, alt->id))
            each_attribute(eval, alt, gather_turns, &gathered);
        if (alt->kind == KIND_INSTANCE && !named)
            gathered.value = join_values(eval, gathered.value,
                                         store_read(eval->inference, eval->id,
                                                    store_slot(eval->inference, STORE_ATTRIBUTE, alt->id, 0)));
    }
    return gathered.value ? meant(eval, gathered.value) : kind_value(eval, KIND_UNKNOWN);
}

static bool is_attribute(const SourceFile *file, ExprId target, Sym name) {
    const Expr *expr = &file->model->exprs.items[target];
    for (uint32_t i = 0; (expr->kind == EXPR_TUPLE || expr->kind == EXPR_LIST) && i < expr->list.count; i++)
        if (is_attribute(file, file->model->links.items[expr->list.first + i], name)) return true;
    return expr->kind == EXPR_ATTRIBUTE && file->syms[expr->name] == name;
}

static bool assigns(const SourceFile *file, const Func *func, Sym name) {
    for (StmtId s = func->first_stmt; s < func->end_stmt; s++) {
        const Stmt *stmt = &file->model->stmts.items[s];
        bool one = stmt->kind == STMT_AUGMENT || stmt->kind == STMT_FOR;
        if (one && is_attribute(file, stmt->a, name)) return true;
        for (uint32_t t = 0; stmt->kind == STMT_ASSIGN && t < stmt->list.count; t++)
            if (is_attribute(file, file->model->links.items[stmt->list.first + t], name)) return true;
    }
    return false;
}

/* Whether a method of the class, or of one that it inherits, gives it an attribute of that name: sooner or later it is
   there. */
static bool is_given(Inference *inference, GlobalClass id, Sym name) {
    uint32_t count;
    const uint32_t *order = class_order(inference, id, &count);
    for (uint32_t c = 0; c < count; c++) {
        if (order[c] & 1) continue;
        const Program *program = inference->program;
        const SourceFile *file = program_class_file(program, order[c] >> 1);
        const List *methods = &file->model->classes.items[(order[c] >> 1) - file->class_base].methods;
        for (uint32_t m = 0; m < methods->count; m++)
            if (assigns(file, &file->model->funcs.items[file->model->links.items[methods->first + m]], name))
                return true;
    }
    return false;
}

const Value *asked_attribute(Eval *eval, ExprId expr, const Alt *alt, Sym name) {
    EntryId entry = 0;
    Sym asked = eval->inference->known->getattr;
    if (!value_has(class_member(eval, alt->id, asked, &entry), KIND_FUNCTION)) return NULL;
    if (is_given(eval->inference, alt->id, name)) return NULL;
    Args args = {.values = {literal_value(eval, KIND_TEXT, name)}, .count = 1};
    const Value *value = call_method(eval, expr, alt_value(eval, alt), asked, &args);
    return value && !value_only(value, KIND_UNKNOWN) ? value : NULL;
}

/* self.__dict__, vars(self) */
const Value *attribute_dict(Eval *eval, ExprId expr, const Alt *instance) {
    Gathered gathered = {
        .object = store_object(eval->inference, STORE_PART, eval->id, (uint64_t)expr << 8 | 32, FLAVOUR_DICT)};
    each_attribute(eval, instance, gather_data, &gathered);
    return object_value(eval, gathered.object);
}

/* `self.prior = nn.Parameter(prior.cuda())` */
static bool moves_parameter(const FileModel *model, const Func *func) {
    for (ExprId e = func->first_expr; e < func->end_expr; e++) {
        const Expr *call = &model->exprs.items[e], *callee = &model->exprs.items[call->a];
        if (call->kind != EXPR_CALL || !call->list.count) continue;
        bool named = callee->kind == EXPR_NAME || callee->kind == EXPR_ATTRIBUTE;
        if (!named || !text_is(model_name(model, callee->name), "Parameter")) continue;
        const Expr *moved = &model->exprs.items[model->links.items[call->list.first]];
        const Expr *move = &model->exprs.items[moved->a];
        if (moved->kind == EXPR_CALL && move->kind == EXPR_ATTRIBUTE &&
            text_is(model_name(model, move->name), "cuda"))
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
        if (moves_parameter(file->model, &file->model->funcs.items[func])) return true;
    }
    return false;
}

static bool asks_parts(Text name) {
    static const char *const NAMES[] = {"parameters",    "named_parameters", "buffers",
                                        "named_buffers", "state_dict",       "modules"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (text_is(name, NAMES[i])) return true;
    return false;
}

typedef struct Moved {
    Alt part;
    bool any;
} Moved;

static void gather_moved(Eval *eval, void *self, Sym name, const Value *value) {
    Moved *moved = self;
    (void)name;
    for (uint32_t i = 0; value && i < value->count; i++) {
        if (value->alts[i].device != DEVICE_CUDA || !is_module_alt(eval, &value->alts[i])) continue;
        moved->part = value->alts[i];
        moved->any = true;
    }
}

Alt holder_of_parts(Eval *eval, const Alt *instance, Sym name) {
    Alt holder = *instance;
    bool left =
        instance->kind == KIND_INSTANCE && instance->device == DEVICE_CPU && is_module_alt(eval, instance);
    if (!left || !asks_parts(sym_text(eval, name))) return holder;
    Moved moved = {0};
    each_attribute(eval, instance, gather_moved, &moved);
    if (!moved.any) return holder;
    holder.device = DEVICE_CUDA;
    holder.confidence = CONFIDENCE_LIKELY;
    holder.origin = moved.part.origin;
    return holder;
}
