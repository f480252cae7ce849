/* Expressions. */
#include "sizer.h"
#include "describe.h"
#include "python_names.h"
#include "words.h"
#include <stdlib.h>

Text size_source(const Sizes *self, const Scope *scope, ExprId expr) {
    if (!scope->file || !expr) return (Text){0};
    const SourceFile *file = &self->inference->program->files.items[scope->file];
    Span span = scope->model->exprs.items[expr].span;
    return span.end - span.start > 60 ? (Text){0} : infer_source(self->arena, file, span);
}

/* The same unknown thing gives the same number each time. */
Number size_number(Sizes *self, Thing thing, Text name) {
    if (thing_is_number(thing)) return thing.number;
    return number_unknown(&self->numbers, 0, __builtin_inf(), name);
}

Thing size_truth_of(Sizes *self, Thing thing) {
    switch ((ThingKind)thing.kind) {
    case THING_NONE: return thing_bool(false);
    case THING_BOOL:
    case THING_NUMBER:
        if (number_is_known(thing.number)) return thing_bool(thing.number.times != 0);
        return number_compare(&self->numbers, thing.number, number_of(0)) == 1 ? thing_bool(true)
                                                                               : thing_unknown();
    case THING_TEXT: return thing_bool(thing.text.length > 0);
    case THING_LIST:
        if (thing.list->items.count) return thing_bool(true);
        return thing.list->open ? thing_unknown() : thing_bool(false);
    case THING_DICT:
        if (thing.dict->keys.count) return thing_bool(true);
        return thing.dict->open ? thing_unknown() : thing_bool(false);
    case THING_FUNCTION:
    case THING_CLASS:
    case THING_API:
    case THING_BOUND: return thing_bool(true);
    default: return thing_unknown();
    }
}

static Thing literal_number(Text digits) {
    char copy[64];
    uint32_t length = 0;
    for (uint32_t i = 0; i < digits.length && length < sizeof copy - 1; i++)
        if (digits.bytes[i] != '_') copy[length++] = digits.bytes[i];
    copy[length] = 0;
    char *end;
    double value = strtod(copy, &end);
    if (copy[0] == '0' && length > 1 && strchr("bBoO", copy[1])) {
        bool binary = copy[1] == 'b' || copy[1] == 'B';
        value = (double)strtoull(copy + 2, &end, binary ? 2 : 8);
    }
    return *end || end == copy ? thing_unknown() : thing_known(value);
}

/* ---- names ---- */

static Thing global_name(Sizes *self, Scope *scope, const Expr *name, Text text) {
    Scope *module = scope->file ? size_module(self, scope->file) : self->rule_scope;
    uint32_t word;
    if (module && name->slot && module->func == 1 && module->bound[name->slot])
        return module->slots[name->slot];
    if (!scope->file || !name->slot)
        if (size_is_word(text, &word)) return (Thing){.kind = THING_PRIMITIVE, .id = word};
    return thing_unknown();
}

static Thing eval_name(Sizes *self, Scope *scope, ExprId id) {
    const Expr *name = &scope->model->exprs.items[id];
    Text text = model_name(scope->model, name->name);
    if (name->binding == BIND_LOCAL && name->slot) {
        if (size_is_of(scope, id) && scope->bound[name->slot]) return scope->slots[name->slot];
    } else if (name->binding == BIND_FREE) {
        for (Scope *around = scope->around; around; around = around->around)
            if (around->func == name->func) {
                if (around->bound[name->slot]) return around->slots[name->slot];
                break;
            }
    } else {
        Thing found = global_name(self, scope, name, text);
        if (found.kind != THING_UNKNOWN) return found;
    }
    if (python_is(PY___name__, text) && scope->file)
        return thing_text(scope->file == self->script ? TEXT("__main__") : TEXT(""));
    return scope->context ? size_taken(self, infer_fact(scope->context, scope->model, id)) : thing_unknown();
}

/* ---- operators ---- */

static NumberOp number_op(Operator op) {
    return op == OP_FLOORDIV ? NUMBER_FLOOR : op == OP_MOD ? NUMBER_MODULO : NUMBER_POWER;
}

Thing size_compute(Sizes *self, Operator op, Number a, Number b) {
    Numbers *numbers = &self->numbers;
    switch (op) {
    case OP_ADD: return thing_number(number_add(numbers, a, b));
    case OP_SUB: return thing_number(number_subtract(numbers, a, b));
    case OP_MUL: return thing_number(number_multiply(numbers, a, b));
    case OP_DIV: return thing_number(number_divide(numbers, a, b));
    case OP_FLOORDIV:
    case OP_MOD:
    case OP_POW: return thing_number(number_computed(numbers, number_op(op), a, b));
    case OP_LSHIFT:
        return thing_number(
            number_multiply(numbers, a, number_computed(numbers, NUMBER_POWER, number_of(2), b)));
    case OP_RSHIFT:
        return thing_number(
            number_computed(numbers, NUMBER_FLOOR, a, number_computed(numbers, NUMBER_POWER, number_of(2), b)));
    default: return thing_number(number_unknown(numbers, -__builtin_inf(), __builtin_inf(), (Text){0}));
    }
}

static Thing join_sequences(Sizes *self, Thing a, Thing b) {
    Thing made = thing_list(self->arena, a.list->tuple);
    if (a.list->items.count + b.list->items.count > LIST_MOST) return thing_unknown();
    for (uint32_t i = 0; i < a.list->items.count; i++) list_push(self->arena, made, a.list->items.items[i]);
    for (uint32_t i = 0; i < b.list->items.count; i++) list_push(self->arena, made, b.list->items.items[i]);
    made.list->open = a.list->open || b.list->open;
    made.list->rest = a.list->open ? a.list->rest : b.list->rest;
    return made;
}

static Thing repeat_sequence(Sizes *self, Thing list, Thing times) {
    int64_t count = thing_is_number(times) ? number_whole(times.number, LIST_MOST) : -1;
    Thing made = thing_list(self->arena, list.list->tuple);
    if (count < 0 || list.list->open || (uint64_t)count * list.list->items.count > LIST_MOST)
        return thing_unknown();
    size_spend(self, count * list.list->items.count);
    for (int64_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < list.list->items.count; k++)
            list_push(self->arena, made, list.list->items.items[k]);
    return made;
}

static Thing binary(Sizes *self, Scope *scope, ExprId id, Operator op, Thing a, Thing b) {
    if (a.kind == THING_TENSOR || b.kind == THING_TENSOR) return size_operator(self, scope, id, op, a, b);
    if (thing_is_number(a) && thing_is_number(b)) return size_compute(self, op, a.number, b.number);
    if (a.kind == THING_LIST && b.kind == THING_LIST && op == OP_ADD) return join_sequences(self, a, b);
    if (op == OP_MUL && a.kind == THING_LIST) return repeat_sequence(self, a, b);
    if (op == OP_MUL && b.kind == THING_LIST) return repeat_sequence(self, b, a);
    if (op == OP_ADD && a.kind == THING_TEXT && b.kind == THING_TEXT)
        return thing_text(text_format(self->arena, "%.*s%.*s", SHOWN(a.text), SHOWN(b.text)));
    return thing_unknown();
}

static Thing holds(Thing container, Thing item) {
    bool found = false;
    if (container.kind == THING_DICT) {
        (void)dict_find(container, item, &found);
        return found ? thing_bool(true) : container.dict->open ? thing_unknown() : thing_bool(false);
    }
    if (container.kind == THING_TEXT && item.kind == THING_TEXT) {
        for (uint32_t i = 0; !found && i + item.text.length <= container.text.length; i++)
            found = text_equal(text_slice(container.text, i, i + item.text.length), item.text);
        return thing_bool(found);
    }
    if (container.kind != THING_LIST) return thing_unknown();
    bool known = !container.list->open;
    for (uint32_t i = 0; i < container.list->items.count; i++) {
        if (things_same(container.list->items.items[i], item)) return thing_bool(true);
        known &= container.list->items.items[i].kind != THING_UNKNOWN;
    }
    return known && item.kind != THING_UNKNOWN ? thing_bool(false) : thing_unknown();
}

static Thing negated(Thing truth) { return truth.kind == THING_BOOL ? thing_bool(!truth.number.times) : truth; }

static Thing same_kind(Thing a, Thing b) {
    bool plain = a.kind == THING_TEXT || a.kind == THING_NONE || b.kind == THING_NONE;
    if (a.kind == THING_UNKNOWN || b.kind == THING_UNKNOWN) return thing_unknown();
    if (a.kind != b.kind) return thing_bool(false);
    return plain ? thing_bool(things_same(a, b)) : thing_unknown();
}

static Thing compare_lists(Sizes *self, Thing a, Thing b) {
    if (a.list->open || b.list->open) return thing_unknown();
    if (a.list->items.count != b.list->items.count) return thing_bool(false);
    for (uint32_t i = 0; i < a.list->items.count; i++) {
        Thing x = a.list->items.items[i], y = b.list->items.items[i];
        if (!thing_is_number(x) || !thing_is_number(y)) return thing_unknown();
        int order = number_compare(&self->numbers, x.number, y.number);
        if (order) return order == 2 ? thing_unknown() : thing_bool(false);
    }
    return thing_bool(true);
}

static Thing compare(Sizes *self, Operator op, Thing a, Thing b) {
    if (op == OP_IN) return holds(b, a);
    if (op == OP_NOT_IN) return negated(holds(b, a));
    if (thing_is_number(a) && thing_is_number(b)) {
        int order = number_compare(&self->numbers, a.number, b.number);
        if (order == 2) return thing_unknown();
        switch (op) {
        case OP_LT: return thing_bool(order < 0);
        case OP_LE: return thing_bool(order <= 0);
        case OP_GT: return thing_bool(order > 0);
        case OP_GE: return thing_bool(order >= 0);
        case OP_EQ:
        case OP_IS: return thing_bool(order == 0);
        default: return thing_bool(order != 0);
        }
    }
    if (a.kind == THING_LIST && b.kind == THING_LIST && (op == OP_EQ || op == OP_NE)) {
        Thing equal = compare_lists(self, a, b);
        return op == OP_EQ ? equal : negated(equal);
    }
    if (op == OP_IS || op == OP_EQ) return same_kind(a, b);
    return op == OP_IS_NOT || op == OP_NE ? negated(same_kind(a, b)) : thing_unknown();
}

static Thing eval_compare(Sizes *self, Scope *scope, ExprId id) {
    const Expr *e = &scope->model->exprs.items[id];
    const uint32_t *links = scope->model->links.items;
    Thing left = size_eval(self, scope, links[e->list.first]), all = thing_bool(true);
    for (uint32_t i = 1; i < e->list.count; i++) {
        Operator op = e->list.count > 2 ? (Operator)links[e->c + i - 1] : (Operator)e->op;
        Thing right = size_eval(self, scope, links[e->list.first + i]);
        bool tensors = left.kind == THING_TENSOR || right.kind == THING_TENSOR;
        if (tensors && op != OP_IS && op != OP_IS_NOT && op != OP_IN && op != OP_NOT_IN)
            return size_operator(self, scope, id, op, left, right);
        Thing one = compare(self, op, left, right);
        if (one.kind != THING_BOOL)
            all = thing_unknown();
        else if (!one.number.times)
            return one;
        left = right;
    }
    return all;
}

static Thing eval_logic(Sizes *self, Scope *scope, const Expr *e) {
    Thing last = thing_unknown();
    bool known = true;
    for (uint32_t i = 0; i < e->list.count; i++) {
        last = size_eval(self, scope, scope->model->links.items[e->list.first + i]);
        if (known && i + 1 == e->list.count) return last;
        Thing truth = size_truth_of(self, last);
        known &= truth.kind == THING_BOOL;
        bool decides = truth.kind == THING_BOOL && (truth.number.times != 0) == (e->kind == EXPR_OR);
        if (decides && known) return last;
        if (decides) return truth;
    }
    return known ? last : thing_unknown();
}

static Thing eval_choice(Sizes *self, Scope *scope, const Expr *e) {
    Thing truth = size_truth_of(self, size_eval(self, scope, e->a));
    if (truth.kind == THING_BOOL) return size_eval(self, scope, truth.number.times ? e->b : e->c);
    self->maybe++;
    Thing a = size_eval(self, scope, e->b), b = size_eval(self, scope, e->c);
    self->maybe--;
    return thing_join(self->arena, &self->numbers, a, b);
}

static Thing eval_unary(Sizes *self, Scope *scope, ExprId id, const Expr *e) {
    Thing a = size_eval(self, scope, e->a);
    if (a.kind == THING_TENSOR) return size_operator(self, scope, id, (Operator)e->op, a, thing_none());
    if (!thing_is_number(a) || e->op == OP_INVERT) return thing_unknown();
    return e->op == OP_NEG ? thing_number((Number){-a.number.times, a.number.of}) : thing_number(a.number);
}

/* ---- dispatch ---- */

/* Joins a yielded value: the next value of a generator may be any of them. */
static void yielded(Sizes *self, Scope *scope, Thing value) {
    ThingList *all = scope->yielded;
    if (!all) return;
    all->rest = all->open ? thing_join(self->arena, &self->numbers, all->rest, value) : value;
    all->open = true;
}

static Thing eval_other(Sizes *self, Scope *scope, ExprId id, const Expr *e) {
    switch ((ExprKind)e->kind) {
    case EXPR_BINARY: {
        Thing a = size_eval(self, scope, e->a), b = size_eval(self, scope, e->b);
        return binary(self, scope, id, (Operator)e->op, a, b);
    }
    case EXPR_UNARY: return eval_unary(self, scope, id, e);
    case EXPR_NOT: return negated(size_truth_of(self, size_eval(self, scope, e->a)));
    case EXPR_COMPARE: return eval_compare(self, scope, id);
    case EXPR_AND:
    case EXPR_OR: return eval_logic(self, scope, e);
    case EXPR_IF: return eval_choice(self, scope, e);
    case EXPR_AWAIT: return size_eval(self, scope, e->a);
    case EXPR_YIELD: {
        Thing value = e->a ? size_eval(self, scope, e->a) : thing_none();
        yielded(self, scope, value);
        return thing_unknown();
    }
    case EXPR_YIELD_FROM: {
        Thing from = size_iterated(self, scope, e->a, size_eval(self, scope, e->a));
        bool items = from.list->items.count > 0;
        yielded(self, scope, items ? from.list->items.items[0] : from.list->rest);
        for (uint32_t i = 1; i < from.list->items.count && i < UNROLL_MOST; i++)
            yielded(self, scope, from.list->items.items[i]);
        if (items && from.list->open) yielded(self, scope, from.list->rest);
        return thing_unknown();
    }
    case EXPR_NAMED: {
        Thing value = size_eval(self, scope, e->b);
        size_assign(self, scope, e->a, value);
        return value;
    }
    case EXPR_LAMBDA: {
        Function *made = arena_new(self->arena, Function, 1);
        *made = (Function){scope->file, e->func, scope, scope->class_};
        return (Thing){.kind = THING_FUNCTION, .function = made};
    }
    default: return size_eval_parts(self, scope, id);
    }
}

static Thing eval_kind(Sizes *self, Scope *scope, ExprId id) {
    const Expr *e = &scope->model->exprs.items[id];
    switch ((ExprKind)e->kind) {
    case EXPR_NAME: return eval_name(self, scope, id);
    case EXPR_INT:
    case EXPR_FLOAT: return literal_number(model_name(scope->model, e->name));
    case EXPR_STRING: return thing_text(model_name(scope->model, e->name));
    case EXPR_TRUE: return thing_bool(true);
    case EXPR_FALSE: return thing_bool(false);
    case EXPR_NONE: return thing_none();
    case EXPR_ELLIPSIS: return (Thing){.kind = THING_ELLIPSIS};
    case EXPR_ATTRIBUTE: {
        Thing object = size_eval(self, scope, e->a);
        Thing value = size_attribute(self, scope, id, object, model_name(scope->model, e->name));
        if (value.kind != THING_UNKNOWN || !scope->context) return value;
        return size_taken(self, infer_fact(scope->context, scope->model, id));
    }
    case EXPR_CALL: return size_eval_call(self, scope, id);
    default: return eval_other(self, scope, id, e);
    }
}

/* Records the shape for dumps and marks, if it is the same each time. */
static void note_shape(Sizes *self, const Scope *scope, ExprId id, const Tensor *tensor) {
    Tensor **file = self->shapes[scope->file];
    if (!file) file = self->shapes[scope->file] = arena_new(self->arena, Tensor *, scope->model->exprs.count);
    Tensor *old = file[id];
    bool same = !old || old->rank == tensor->rank;
    for (int i = 0; same && old && i < old->rank; i++) same = number_same(old->dims[i], tensor->dims[i]);
    Tensor *noted = arena_new(self->arena, Tensor, 1);
    *noted = *tensor;
    if (!same) noted->rank = RANK_UNKNOWN;
    file[id] = noted;
}

Thing size_eval(Sizes *self, Scope *scope, ExprId id) {
    if (size_stopped(self)) return thing_unknown();
    Thing value = eval_kind(self, scope, id);
    if (self->shapes && scope->file && value.kind == THING_TENSOR) note_shape(self, scope, id, value.tensor);
    return value;
}
