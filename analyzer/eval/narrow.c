/* Narrowing: what a condition that holds, or fails, says about the tested value. */
#include "narrow.h"
#include "conventions.h"
#include "env_join.h"
#include "python_names.h"

enum { TESTED_MOST = 3 };

uint32_t slot_of(const Eval *eval, ExprId id) { return slot_own(&eval->model->exprs.items[id]); }

static Text entry_name(const Eval *eval, EntryId entry) {
    return rulebook_text(eval->inference->book, eval->inference->book->entries[entry].qualified);
}

static void narrow(Eval *eval, ExprId id, const Value *from, const Value *to) {
    uint32_t slot = slot_of(eval, id);
    if (from && !to) eval->reachable = false;
    if (slot && to) env_put(eval->env, slot, to);
}

/* After `x.dtype` or `x.to(d)`, alternatives of x without that attribute are dropped: they would have raised. */
void refine_having(Eval *eval, ExprId id, const Value *value, Sym name) {
    if (!slot_of(eval, id) || !value || value->count < 2) return;
    const Value *having = that_has(eval, value_drop(&eval->inference->values, value, KIND_NONE), name);
    if (having && having->count < value->count) narrow(eval, id, value, having);
}

static void refine_none(Eval *eval, ExprId id, bool is_none) {
    const Value *value = infer_fact(eval->context, eval->model, id);
    if (!value || value_has(value, KIND_UNKNOWN)) return;
    narrow(eval, id, value,
           is_none ? only_kind(eval, value, KIND_NONE)
                   : value_drop(&eval->inference->values, value, KIND_NONE));
}

enum { TYPES_DEEP = 4 }; /* `(int, (float, Tensor))`: tuples in tuples; what holds itself has no end */

static bool holds_type(Eval *eval, const Value *type, EntryId named, uint32_t depth) {
    for (uint32_t i = 0; type && i < type->count; i++) {
        const Alt *alt = &type->alts[i];
        if (alt->kind == KIND_ENTRY && alt->id == named) return true;
        if (alt->kind == KIND_CONTAINER && depth < TYPES_DEEP &&
            holds_type(eval, object_any(eval, alt->object), named, depth + 1))
            return true;
    }
    return false;
}

static bool names_type(Eval *eval, const Value *type, EntryId entry, const char *builtin) {
    return holds_type(eval, type, builtin ? rulebook_find(eval->inference->book, text_of(builtin)) : entry, 0);
}

/* A batch that is no tensor is some structure, perhaps with tensors, or a string or number. */
static void mark_rest(Eval *eval, ExprId id, const Value *value) {
    Alt alts[VALUE_ALTS];
    for (uint32_t i = 0; i < value->count; i++) {
        alts[i] = value->alts[i];
        if (alts[i].kind == KIND_TENSOR && (alts[i].flags & ALT_BATCH)) alts[i].flags |= ALT_REST;
    }
    narrow(eval, id, value, value_from(&eval->inference->values, alts, value->count));
}

static void refine_tensor(Eval *eval, ExprId id, bool is_tensor) {
    const Value *value = infer_fact(eval->context, eval->model, id);
    if (!value || (is_tensor && value_has(value, KIND_UNKNOWN))) return;
    bool batch = false;
    for (uint32_t i = 0; i < value->count; i++) batch |= (value->alts[i].flags & ALT_BATCH) != 0;
    if (batch && !is_tensor) mark_rest(eval, id, value);
    if (batch) return;
    narrow(eval, id, value,
           is_tensor ? only_kind(eval, value, KIND_TENSOR)
                     : value_drop(&eval->inference->values, value, KIND_TENSOR));
}

static bool is_name(const Eval *eval, ExprId id, PythonName name) {
    const Expr *expr = &eval->model->exprs.items[id];
    bool named = expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE;
    return named && python_is(name, model_name(eval->model, expr->name));
}

static bool is_called(const Eval *eval, ExprId id, Named named) {
    const Expr *expr = &eval->model->exprs.items[id];
    bool plain = expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE;
    return plain && name_is(eval->inference->book, named, model_name(eval->model, expr->name));
}

/* The value of something tested to be a list, string, number or array, of which no tensor is a subclass. NULL
   if the type may be a tensor's. A container's contents are unknown. */
static const Value *host_value(Eval *eval, const Value *type, int depth) {
    static const struct {
        Named named;
        Kind kind;
    } HOST[] = {{NAMED_container_class, KIND_UNKNOWN}, {NAMED_text_class, KIND_TEXT},
                {NAMED_number_class, KIND_NUMBER},     {NAMED_abstract_number_class, KIND_NUMBER},
                {NAMED_array_class, KIND_NUMPY},       {NAMED_array_scalar_class, KIND_NUMPY}};
    const Value *result = NULL;
    for (uint32_t i = 0; type && i < type->count && depth < 2; i++) {
        const Alt *alt = &type->alts[i];
        const Value *one = NULL;
        if (alt->kind == KIND_CONTAINER) one = host_value(eval, object_any(eval, alt->object), depth + 1);
        Text name = alt->kind == KIND_ENTRY ? entry_name(eval, alt->id) : (Text){0};
        for (size_t k = 0; k < sizeof HOST / sizeof *HOST; k++)
            if (name_is(eval->inference->book, HOST[k].named, name)) one = kind_value(eval, HOST[k].kind);
        if (!one) return NULL;
        result = value_join(&eval->inference->values, result, one);
    }
    return result;
}

/* A number or string is no list or dict either. */
static void refine_plain(Eval *eval, ExprId subject, const Value *value, const Value *plain) {
    const Value *kept = NULL;
    for (uint32_t i = 0; i < plain->count; i++)
        kept = value_join(&eval->inference->values, kept, only_kind(eval, value, (Kind)plain->alts[i].kind));
    narrow(eval, subject, value, kept ? kept : plain);
}

static void refine_other_type(Eval *eval, ExprId subject, const Value *type) {
    const Value *value = infer_fact(eval->context, eval->model, subject);
    const Value *plain = host_value(eval, type, 0);
    bool number = plain && !value_has(plain, KIND_UNKNOWN) && !value_has(plain, KIND_NUMPY);
    if (number && value_has(value, KIND_CONTAINER)) {
        refine_plain(eval, subject, value, plain);
        return;
    }
    if (value_has(value, KIND_UNKNOWN) && value_only(plain, KIND_NUMPY)) {
        narrow(eval, subject, value, plain); /* an array: what is made of it is made out of the host's memory */
        return;
    }
    if (!value_has(value, KIND_TENSOR) || ((value->alts[0].flags & ALT_BATCH) && !number)) return;
    bool certain = true;
    for (uint32_t i = 0; i < value->count; i++) certain &= value->alts[i].belief == 0;
    const Value *rest = value_drop(&eval->inference->values, value, KIND_TENSOR);
    const Value *host = rest ? rest : plain;
    if (host) narrow(eval, subject, value, !rest && certain ? NULL : host); /* that side does not run */
}

/* `isinstance(m, (Quantizer, nn.Linear))` on an unknown module: one of those classes, on its device. NULL = no
   such type. */
static const Value *module_as(Eval *eval, const Alt *module, const Value *type, int depth) {
    const Value *result = NULL;
    if (!type || type->count > TESTED_MOST) return NULL;
    for (uint32_t i = 0; i < type->count; i++) {
        const Alt *one = &type->alts[i];
        if (one->kind == KIND_CONTAINER && !depth)
            return module_as(eval, module, object_any(eval, one->object), 1);
        Alt as = *module;
        as.kind = one->kind == KIND_CLASS ? KIND_INSTANCE : KIND_OBJECT;
        as.id = one->id;
        if (as.kind == KIND_INSTANCE) as.flags &= (uint16_t)~ALT_GUESS;
        if ((one->kind != KIND_CLASS && one->kind != KIND_ENTRY) || !is_module_alt(eval, &as)) return NULL;
        result = value_join(&eval->inference->values, result, value_of(&eval->inference->values, as));
    }
    return result;
}

/* A module of which no class is known. */
static bool is_some_module(const Eval *eval, const Alt *alt) {
    EntryId module = eval->inference->known->module;
    return alt->kind == KIND_OBJECT && module && alt->id == module && (alt->flags & ALT_GUESS);
}

/* Keeps the alternatives that are of the tested type, or are not. If none is left, that branch is unreachable. */
static void refine_type(Eval *eval, ExprId subject, const Value *type, bool truth) {
    const Value *value = infer_fact(eval->context, eval->model, subject);
    const Value *as = truth && value && value->count == 1 && is_some_module(eval, &value->alts[0])
                          ? module_as(eval, &value->alts[0], type, 0)
                          : NULL;
    if (as) {
        narrow(eval, subject, value, as);
        return;
    }
    Alt rest[VALUE_ALTS];
    uint32_t count = 0, fits = 0;
    for (uint32_t i = 0; value && i < value->count; i++) {
        Tri is = is_of_type(eval, &value->alts[i], type);
        if (is == (truth ? TRI_NO : TRI_YES)) continue;
        fits += is != TRI_UNKNOWN;
        rest[count++] = value->alts[i];
    }
    if (!value || count == value->count) return;
    if (fits || !count) narrow(eval, subject, value, value_from(&eval->inference->values, rest, count));
}

/* `if not x.is_pinned(): x = x.pin_memory()` */
static void refine_pinned(Eval *eval, ExprId id, bool pinned) {
    const Value *value = infer_fact(eval->context, eval->model, id);
    Alt alts[VALUE_ALTS];
    for (uint32_t i = 0; value && i < value->count; i++) {
        alts[i] = value->alts[i];
        if (alts[i].kind == KIND_TENSOR) alts[i].pinned = pinned ? TRI_YES : TRI_NO;
    }
    if (value) narrow(eval, id, value, value_from(&eval->inference->values, alts, value->count));
}

static void refine_is_a(Eval *eval, ExprId subject, ExprId tested, bool truth) {
    const Value *type = infer_fact(eval->context, eval->model, tested);
    if (names_type(eval, type, eval->inference->known->tensor, NULL)) {
        if (!truth || !value_has(type, KIND_CONTAINER)) refine_tensor(eval, subject, truth);
        if (value_has(type, KIND_CONTAINER)) refine_type(eval, subject, type, truth);
    } else if (truth && type && !value_has(type, KIND_UNKNOWN)) { /* some other type than a tensor */
        refine_other_type(eval, subject, type);
        refine_type(eval, subject, type, true);
    } else if (!truth) {
        refine_type(eval, subject, type, false);
    }
}

/* hasattr(x, "item"): each tensor has it. */
static void refine_attribute(Eval *eval, ExprId subject, ExprId name, bool truth) {
    const Expr *literal = &eval->model->exprs.items[name];
    if (truth || literal->kind != EXPR_STRING) return;
    Text text = model_name(eval->model, literal->name);
    if (rulebook_member(eval->inference->book, eval->inference->known->tensor, text))
        refine_tensor(eval, subject, false);
}

static void refine_call(Eval *eval, const Expr *call, bool truth) {
    const Expr *callee = &eval->model->exprs.items[call->a];
    if (!call->list.count && callee->kind == EXPR_ATTRIBUTE && is_called(eval, call->a, NAMED_pinned_test))
        refine_pinned(eval, callee->a, truth);
    if (!call->list.count) return;
    ExprId subject = eval->model->links.items[call->list.first];
    if (is_called(eval, call->a, NAMED_tensor_test)) refine_tensor(eval, subject, truth);
    if (is_name(eval, call->a, PY_hasattr) && call->list.count > 1)
        refine_attribute(eval, subject, eval->model->links.items[call->list.first + 1], truth);
    if (is_name(eval, call->a, PY_isinstance) && call->list.count > 1)
        refine_is_a(eval, subject, eval->model->links.items[call->list.first + 1], truth);
}

/* `x is None`, `type(x) is dict`, `type(x) == dict` */
static void refine_compare(Eval *eval, const Expr *expr, bool truth) {
    bool same = expr->op == OP_IS || expr->op == OP_EQ, other = expr->op == OP_IS_NOT || expr->op == OP_NE;
    if (expr->list.count != 2 || (!same && !other)) return;
    ExprId left = eval->model->links.items[expr->list.first];
    ExprId right = eval->model->links.items[expr->list.first + 1];
    bool is = expr->op == OP_IS || expr->op == OP_IS_NOT;
    if (is && eval->model->exprs.items[right].kind == EXPR_NONE) refine_none(eval, left, truth == same);
    const Expr *call = &eval->model->exprs.items[left];
    if (call->kind != EXPR_CALL || call->list.count != 1 || !is_name(eval, call->a, PY_type)) return;
    const Value *type = infer_fact(eval->context, eval->model, right);
    ExprId subject = eval->model->links.items[call->list.first];
    if (truth == same)
        refine_is_a(eval, subject, right, true);
    else if (names_type(eval, type, eval->inference->known->tensor, NULL)) /* who asks so means any tensor */
        refine_tensor(eval, subject, false);
}

static bool is_plain_test(const FileModel *model, ExprId id) {
    while (model->exprs.items[id].kind == EXPR_NOT) id = model->exprs.items[id].a;
    return model->exprs.items[id].kind != EXPR_AND && model->exprs.items[id].kind != EXPR_OR;
}

/* `isinstance(x, int) or isinstance(x, slice)` holds: the join of what the operands say, each where those
   before it do not hold. The same of `a and b` that fails. Nests are left out: each level would double the
   work. */
static void refine_any(Eval *eval, const Expr *expr, bool truth) {
    for (uint32_t i = 0; i < expr->list.count; i++)
        if (!is_plain_test(eval->model, eval->model->links.items[expr->list.first + i])) return;
    Env *rest = env_copy(eval->env), *any = NULL;
    for (uint32_t i = 0; i < expr->list.count && eval->reachable; i++) {
        ExprId operand = eval->model->links.items[expr->list.first + i];
        refine(eval, operand, truth);
        if (eval->reachable) env_gather(eval, &any);
        env_assign(eval->env, rest);
        eval->reachable = true;
        refine(eval, operand, !truth);
        rest = env_copy(eval->env);
    }
    eval->reachable = any != NULL;
    if (any) env_assign(eval->env, any);
}

void refine(Eval *eval, ExprId id, bool truth) {
    const Expr *expr = &eval->model->exprs.items[id];
    switch ((ExprKind)expr->kind) {
    case EXPR_NOT: refine(eval, expr->a, !truth); break;
    case EXPR_AND:
    case EXPR_OR:
        if (truth != (expr->kind == EXPR_AND)) {
            refine_any(eval, expr, truth);
            break;
        }
        for (uint32_t i = 0; i < expr->list.count; i++)
            refine(eval, eval->model->links.items[expr->list.first + i], truth);
        break;
    case EXPR_COMPARE: refine_compare(eval, expr, truth); break;
    case EXPR_CALL: refine_call(eval, expr, truth); break;
    case EXPR_NAME:
    case EXPR_ATTRIBUTE:
    case EXPR_SUBSCRIPT:
        if (truth) refine_none(eval, id, false);
        break;
    default: break;
    }
}
