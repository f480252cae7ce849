/* Containers: displays, comprehensions, subscripts, and assignment to targets. */
#include "sizer.h"
#include "walk_list.h"

/* ---- displays ---- */

static void push_display(Sizes *self, Scope *scope, Thing list, ExprId item) {
    const Expr *e = &scope->model->exprs.items[item];
    if (e->kind != EXPR_STAR) {
        list_push(self->arena, list, size_eval(self, scope, item));
        return;
    }
    Thing more = size_iterated(self, scope, item, size_eval(self, scope, e->a));
    for (uint32_t i = 0; i < more.list->items.count; i++)
        list_push(self->arena, list, more.list->items.items[i]);
    if (more.list->open) list.list->open = true, list.list->rest = more.list->rest;
}

static Thing eval_display(Sizes *self, Scope *scope, const Expr *e) {
    Thing list = thing_list(self->arena, e->kind == EXPR_TUPLE);
    list.list->made_under = self->maybe, list.list->turning = self->turning;
    for (uint32_t i = 0; i < e->list.count && i < LIST_MOST; i++)
        push_display(self, scope, list, scope->model->links.items[e->list.first + i]);
    list.list->open |= e->list.count > LIST_MOST;
    return list;
}

enum { DICT_MOST = 256 };

static Thing eval_dict(Sizes *self, Scope *scope, const Expr *e) {
    Thing made = thing_dict(self->arena);
    for (uint32_t i = 0; i + 1 < e->list.count; i += 2) {
        ExprId key = scope->model->links.items[e->list.first + i];
        Thing value = size_eval(self, scope, scope->model->links.items[e->list.first + i + 1]);
        made.dict->open |= i / 2 >= DICT_MOST;
        if (i / 2 >= DICT_MOST) break;
        if (key) {
            dict_put(self->arena, made, size_eval(self, scope, key), value);
            continue;
        }
        made.dict->open |= value.kind != THING_DICT || value.dict->open;
        for (uint32_t k = 0; value.kind == THING_DICT && k < value.dict->keys.count; k++)
            dict_put(self->arena, made, value.dict->keys.items[k], value.dict->values.items[k]);
    }
    return made;
}

void size_append(Sizes *self, Thing list, Thing item) {
    ThingList *into = list.list;
    bool repeats = into->turning < self->turning, sure = size_changes_surely(self, into->made_under);
    if (into->open && repeats) {
        into->rest = into->items.count ? item : thing_join(self->arena, &self->numbers, into->rest, item);
    } else if (repeats || !sure || into->items.count >= LIST_MOST) {
        bool each = sure && !into->items.count && into->turning + 1 == self->turning;
        into->open = true, into->rest = item;
        into->length = each ? self->iterations : number_of(0);
    } else {
        list_push(self->arena, list, item);
    }
}

void size_extend(Sizes *self, Thing list, Thing more) {
    ThingList *into = list.list;
    bool repeats = into->turning < self->turning;
    for (uint32_t i = 0; !repeats && i < more.list->items.count && into->items.count < LIST_MOST; i++)
        list_push(self->arena, list, more.list->items.items[i]);
    if (repeats && more.list->items.count) into->rest = more.list->items.items[0];
    into->open |= more.list->open || repeats || !size_changes_surely(self, into->made_under) ||
                  into->items.count >= LIST_MOST;
    if (into->open) into->length = number_of(0);
}

/* ---- comprehensions ---- */

typedef struct Comprehension {
    Sizes *self;
    Scope *scope;
    const Expr *expr;
    Thing made;
} Comprehension;

static void comprehend(Comprehension *c, uint32_t clause);

static void comprehend_element(Comprehension *c) {
    Sizes *self = c->self;
    if (c->expr->kind == EXPR_DICT_COMP) {
        Thing key = size_eval(self, c->scope, c->expr->a), value = size_eval(self, c->scope, c->expr->b);
        dict_put(self->arena, c->made, key, value);
        return;
    }
    Thing item = size_eval(self, c->scope, c->expr->a);
    ThingList *list = c->made.list;
    if (!size_changes_surely(self, list->made_under) || list->items.count >= LIST_MOST)
        list->open = true, list->rest = item;
    else
        list_push(self->arena, c->made, item);
}

static void comprehend_open(Comprehension *c, const Expr *clause, Thing over, uint32_t next) {
    c->self->maybe++;
    size_assign(c->self, c->scope, clause->a, over.list->rest);
    comprehend(c, next);
    c->self->maybe--;
    if (c->made.kind == THING_LIST)
        c->made.list->length = next == c->expr->list.count ? over.list->length : number_of(0);
}

static void comprehend_for(Comprehension *c, const Expr *clause, uint32_t next) {
    Sizes *self = c->self;
    Thing over = size_iterated(self, c->scope, clause->b, size_eval(self, c->scope, clause->b));
    if (c->expr->list.count == 1) size_note_turns(self, c->scope, c->expr->loop, over);
    for (uint32_t i = 0; i < over.list->items.count && self->fuel > 0; i++) {
        size_spend(self, 1);
        size_assign(self, c->scope, clause->a, over.list->items.items[i]);
        comprehend(c, next);
    }
    if (over.list->open) comprehend_open(c, clause, over, next);
}

static void comprehend(Comprehension *c, uint32_t at) {
    if (at == c->expr->list.count) {
        comprehend_element(c);
        return;
    }
    const Expr *clause = &c->scope->model->exprs.items[c->scope->model->links.items[c->expr->list.first + at]];
    if (clause->kind == EXPR_COMP_FOR) {
        comprehend_for(c, clause, at + 1);
        return;
    }
    Thing truth = size_truth_of(c->self, size_eval(c->self, c->scope, clause->a));
    if (truth.kind == THING_BOOL && !truth.number.times) return;
    c->self->maybe += truth.kind != THING_BOOL;
    comprehend(c, at + 1);
    c->self->maybe -= truth.kind != THING_BOOL;
}

static Thing eval_comprehension(Sizes *self, Scope *scope, const Expr *e) {
    Comprehension c = {self, scope, e,
                       e->kind == EXPR_DICT_COMP ? thing_dict(self->arena) : thing_list(self->arena, false)};
    if (c.made.kind == THING_LIST) c.made.list->made_under = self->maybe, c.made.list->turning = self->turning;
    comprehend(&c, 0);
    return c.made;
}

/* ---- subscripts ---- */

/* A slice of a list of unknown length. As for a tensor, `tokens[i:i + 64]` is taken to lie within it: 64 items. */
static Thing slice_open(Sizes *self, Thing list, const ThingList *bounds) {
    Number whole = list.list->length;
    if (list.list->items.count) return thing_unknown();
    if (!whole.of && whole.times == 0) whole = number_unknown(&self->numbers, 0, __builtin_inf(), (Text){0});
    Thing rows = size_tensor(self, &whole, 1, ELEMENT_UNKNOWN);
    Thing index = {.kind = THING_SLICE, .list = (ThingList *)bounds}, part = size_index(self, rows, index);
    Thing made = thing_list(self->arena, list.list->tuple);
    made.list->open = true, made.list->rest = list.list->rest;
    if (part.tensor->rank == 1) made.list->length = part.tensor->dims[0];
    return made;
}

static Thing slice_list(Sizes *self, Thing list, const ThingList *bounds) {
    int64_t count = list.list->items.count, ends[3] = {0, count, 1};
    if (list.list->open) return slice_open(self, list, bounds);
    for (uint32_t i = 0; i < 3; i++) {
        Thing bound = bounds->items.items[i];
        if (bound.kind == THING_NONE) continue;
        if (!thing_is_number(bound) || !number_is_known(bound.number)) return thing_unknown();
        double value = bound.number.times;
        if (i < 2 && value < 0) value += (double)count;
        if (!(value >= -(double)LIST_MOST && value <= LIST_MOST)) value = value < 0 ? 0 : (double)count;
        ends[i] = i < 2 && value > (double)count ? count : i < 2 && value < 0 ? 0 : (int64_t)value;
    }
    Thing made = thing_list(self->arena, list.list->tuple);
    if (ends[2] == -1 && bounds->items.items[0].kind == THING_NONE && bounds->items.items[1].kind == THING_NONE)
        for (int64_t i = count; i-- > 0;) list_push(self->arena, made, list.list->items.items[i]);
    else if (ends[2] >= 1)
        for (int64_t i = ends[0]; i < ends[1]; i += ends[2])
            list_push(self->arena, made, list.list->items.items[i]);
    else
        return thing_unknown();
    size_spend(self, made.list->items.count / 4);
    return made;
}

static Thing item_of_list(Sizes *self, Thing list, Thing index) {
    if (index.kind == THING_SLICE) return slice_list(self, list, index.list);
    if (!thing_is_number(index)) return thing_unknown();
    double at = number_is_known(index.number) ? index.number.times : -1e9;
    uint32_t count = list.list->items.count;
    if (at < 0 && !list.list->open) at += count;
    if (at >= 0 && at < count) return list.list->items.items[(uint32_t)at];
    if (list.list->open && !count) return list.list->rest;
    if (number_is_known(index.number) || !count) return thing_unknown();
    Thing any = list.list->items.items[0];
    for (uint32_t i = 1; i < count && i < UNROLL_MOST; i++)
        any = thing_join(self->arena, &self->numbers, any, list.list->items.items[i]);
    return any;
}

/* Inference knows the value as a host object, so a slice of it has a length: `texts[i:i + 16]` has 16 items. */
static bool is_sequence(const Scope *scope, ExprId id) {
    const Value *value = scope->file && scope->context ? infer_fact(scope->context, scope->model, id) : NULL;
    return value && value->count == 1 && value->alts[0].kind == KIND_HOST;
}

static Thing eval_subscript(Sizes *self, Scope *scope, ExprId id, const Expr *e) {
    Thing object = size_eval(self, scope, e->a), index = size_eval(self, scope, e->b);
    bool found = false;
    if (object.kind == THING_UNKNOWN && index.kind == THING_SLICE && is_sequence(scope, e->a)) {
        object = thing_list(self->arena, false);
        object.list->open = true;
    }
    if (object.kind == THING_LIST) return item_of_list(self, object, index);
    if (object.kind == THING_DICT) return dict_find(object, index, &found);
    CallArgs args = {.items = {index}, .count = 1};
    if (object.kind == THING_TENSOR) {
        Operation operation;
        size_begin(self, &operation, &args, object);
        Thing made = size_index(self, object, index);
        EntryId entry = rulebook_member(self->book, self->inference->known->tensor, TEXT("__getitem__"));
        size_end(self, scope, id, entry, &made);
        return made;
    }
    if (object.kind == THING_INSTANCE) {
        Thing made = size_method(self, scope, id, object, "__getitem__", &args, &found);
        if (found) return made;
    }
    /* of `models.__dict__[name]`, `vars(args)[name]` */
    return index.kind == THING_TEXT ? size_attribute(self, scope, id, object, index.text) : thing_unknown();
}

static Thing eval_slice(Sizes *self, Scope *scope, const Expr *e) {
    Thing made = thing_list(self->arena, true);
    ExprId bounds[] = {e->a, e->b, e->c};
    for (size_t i = 0; i < 3; i++)
        list_push(self->arena, made, bounds[i] ? size_eval(self, scope, bounds[i]) : thing_none());
    made.kind = THING_SLICE;
    return made;
}

static Thing eval_fstring(Sizes *self, Scope *scope, const Expr *e) {
    Text text = {"", 0};
    bool known = true;
    for (uint32_t i = 0; i < e->list.count; i++) {
        const Expr *part = &scope->model->exprs.items[scope->model->links.items[e->list.first + i]];
        Text more = part->kind == EXPR_STRING ? model_name(scope->model, part->name) : (Text){0};
        if (part->kind == EXPR_INTERPOLATION) {
            Thing value = size_eval(self, scope, part->a);
            int64_t whole = thing_is_number(value) ? number_whole(value.number, 1e9) : -1;
            if (value.kind == THING_TEXT)
                more = value.text;
            else if (whole >= 0)
                more = text_format(self->arena, "%lld", (long long)whole);
            else
                known = false;
        }
        if (text.length + more.length < 200)
            text = text_format(self->arena, "%.*s%.*s", SHOWN(text), SHOWN(more) ? more.bytes : "");
    }
    return known ? thing_text(text) : thing_some_text();
}

/* ---- targets ---- */

/* A default is an expression of the enclosing function; where that is not being run, its variables are not
   known. */
bool size_is_of(const Scope *scope, ExprId id) {
    const Func *func = &scope->model->funcs.items[scope->func];
    return id >= func->first_expr && id < func->end_expr;
}

static void assign_parts(Sizes *self, Scope *scope, const Expr *target, Thing value) {
    Thing list = size_iterated(self, scope, 0, value);
    uint32_t star = UINT32_MAX, count = target->list.count;
    for (uint32_t i = 0; i < count; i++)
        if (scope->model->exprs.items[scope->model->links.items[target->list.first + i]].kind == EXPR_STAR)
            star = i;
    for (uint32_t i = 0; i < count; i++) {
        ExprId part = scope->model->links.items[target->list.first + i];
        if (i == star) {
            size_assign(self, scope, scope->model->exprs.items[part].a, thing_unknown());
            continue;
        }
        uint32_t at = i > star ? list.list->items.count - (count - i) : i;
        bool there = at < list.list->items.count;
        size_assign(self, scope, part,
                    there             ? list.list->items.items[at]
                    : list.list->open ? list.list->rest
                                      : thing_unknown());
    }
}

static void assign_item(Sizes *self, Scope *scope, const Expr *target, Thing value) {
    Thing object = size_eval(self, scope, target->a), index = size_eval(self, scope, target->b);
    if (object.kind == THING_DICT) {
        if (object.dict->keys.count >= DICT_MOST)
            object.dict->open = true;
        else
            dict_put(self->arena, object, index, value);
    }
    if (object.kind == THING_LIST && thing_is_number(index)) {
        Number from_end = number_of(object.list->items.count);
        bool behind = number_is_known(index.number) && index.number.times < 0;
        int64_t at =
            number_whole(behind ? number_add(&self->numbers, index.number, from_end) : index.number, LIST_MOST);
        if (at >= 0 && at < object.list->items.count) {
            Thing old = object.list->items.items[at];
            if (!size_changes_surely(self, object.list->made_under))
                value = thing_join(self->arena, &self->numbers, old, value);
            object.list->items.items[at] = value;
        }
    }
    if (object.kind == THING_INSTANCE) { /* `model.classifier[-1] = nn.Linear(...)` */
        CallArgs args = {.items = {index, value}, .count = 2};
        bool found;
        (void)size_method(self, scope, 0, object, "__setitem__", &args, &found);
    }
    if (object.kind == THING_TENSOR) {
        CallArgs args = {.items = {value}, .count = 1};
        Operation operation;
        size_begin(self, &operation, &args, thing_none());
        EntryId entry = rulebook_member(self->book, self->inference->known->tensor, TEXT("__setitem__"));
        Thing result = size_index(self, object, index);
        size_end(self, scope, (ExprId)(target - scope->model->exprs.items), entry, &result);
    }
}

static void assign_name(Scope *scope, const Expr *target, Thing value) {
    Scope *to = scope;
    if (!size_is_of(scope, (ExprId)(target - scope->model->exprs.items))) return;
    if (target->binding == BIND_FREE)
        while (to && to->func != target->func) to = to->around;
    if (target->binding == BIND_GLOBAL)
        while (to->around) to = to->around;
    if (!to || !target->slot || (target->binding == BIND_GLOBAL && to->func != 1)) return;
    to->slots[target->slot] = value;
    to->bound[target->slot] = true;
}

/* An attribute that is a switch of an API: `torch.backends.cuda.matmul.allow_tf32 = True`. */
static bool set_by_rule(Sizes *self, Scope *scope, Thing object, Text name, Thing value) {
    const ClassThing *class_ = object.instance->class_;
    Thing setter;
    ClassThing *owner;
    if (!scope->file || !class_ || class_->file) return false;
    if (!size_class_member(self, object.instance->class_, TEXT("__setattr__"), &setter, &owner)) return false;
    CallArgs args = {.items = {thing_text(name), value}, .count = 2};
    if (setter.kind == THING_FUNCTION) (void)size_run_function(self, scope, 0, setter.function, object, &args);
    return true;
}

/* Whether a stated shape could add anything: not to a tensor whose dimensions are all known. */
static bool shapeless(Thing value) {
    if (value.kind != THING_TENSOR) return value.kind == THING_UNKNOWN;
    for (int i = 0; i < value.tensor->rank; i++)
        if (value.tensor->dims[i].of) return true;
    return value.tensor->rank == RANK_UNKNOWN;
}

/* The shape stated for a binding: by a comment after it, else by --shape. */
static const GivenShape *given_of(const Sizes *self, FileId file, BoundKind kind, uint32_t id, Text name) {
    const GivenShape *said = said_shape(&self->inference->contracts->shapes, file, kind, id);
    for (uint32_t i = 0; !said && i < self->options.given_count; i++)
        if (text_equal(self->options.given[i].name, name)) said = &self->options.given[i];
    return said && said->rank <= RANK_MOST ? said : NULL;
}

Thing size_as_given(Sizes *self, const Scope *scope, BoundKind kind, uint32_t id, Text name, Thing value) {
    if (!scope->file || !shapeless(value)) return value;
    const GivenShape *given = given_of(self, scope->file, kind, id, name);
    if (!given) return value;
    Number dims[RANK_MOST];
    for (uint32_t d = 0; d < given->rank; d++) dims[d] = number_of(given->dims[d]);
    bool known = value.kind == THING_TENSOR;
    Thing made = size_tensor(self, dims, (int)given->rank, known ? value.tensor->element : ELEMENT_UNKNOWN);
    if (known) made.tensor->host = value.tensor->host, made.tensor->graded = value.tensor->graded;
    return made;
}

void size_assign(Sizes *self, Scope *scope, ExprId id, Thing value) {
    const Expr *target = &scope->model->exprs.items[id];
    switch ((ExprKind)target->kind) {
    case EXPR_NAME: {
        Text name = model_name(scope->model, target->name);
        assign_name(scope, target, size_as_given(self, scope, BOUND_EXPR, id, name, value));
        break;
    }
    case EXPR_TUPLE:
    case EXPR_LIST: assign_parts(self, scope, target, value); break;
    case EXPR_SUBSCRIPT: assign_item(self, scope, target, value); break;
    case EXPR_STAR: size_assign(self, scope, target->a, value); break;
    case EXPR_ATTRIBUTE: {
        Thing object = size_eval(self, scope, target->a);
        if (object.kind != THING_INSTANCE) break;
        Text name = model_name(scope->model, target->name);
        if (set_by_rule(self, scope, object, name, value)) break;
        value = size_as_given(self, scope, BOUND_EXPR, id, (Text){0}, value);
        const Thing *old = instance_slot(object.instance, name);
        if (old && !size_changes_surely(self, object.instance->made_under))
            value = thing_join(self->arena, &self->numbers, *old, value);
        instance_put(self->arena, object.instance, name, value);
        break;
    }
    default: break;
    }
}

Thing size_eval_parts(Sizes *self, Scope *scope, ExprId id) {
    const Expr *e = &scope->model->exprs.items[id];
    switch ((ExprKind)e->kind) {
    case EXPR_LIST:
    case EXPR_TUPLE:
    case EXPR_SET: return eval_display(self, scope, e);
    case EXPR_DICT: return eval_dict(self, scope, e);
    case EXPR_LIST_COMP:
    case EXPR_SET_COMP:
    case EXPR_GENERATOR:
    case EXPR_DICT_COMP: return eval_comprehension(self, scope, e);
    case EXPR_SUBSCRIPT: return eval_subscript(self, scope, id, e);
    case EXPR_SLICE: return eval_slice(self, scope, e);
    case EXPR_FSTRING: return eval_fstring(self, scope, e);
    default: return thing_unknown();
    }
}
