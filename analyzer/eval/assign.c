/* Assignment to names, attributes, items and patterns. A mutating call (model.cuda()) assigns to its receiver. */
#include "eval.h"
#include "apply.h"
#include "belief.h"
#include "environment.h"
#include "hints.h"
#include "narrow.h"
#include "parts.h"
#include "python.h"

/* `Distribution._validate_args = False`: applies what a page says about that attribute of the class. */
static void set_on_class(Eval *eval, ExprId expr, const Alt *class_alt, Sym name, const Value *value) {
    EntryId entry = child_of(eval->inference, class_alt->id, TEXT("__setattr__"));
    Args args = {.values = {literal_value(eval, KIND_TEXT, name), value}, .count = 2};
    if (entry) apply_entry(eval, expr, EFFECT_USE, entry, NULL, &args);
}

void assign_attribute(Eval *eval, ExprId expr, const Value *object, Sym name, const Value *value) {
    Inference *inference = eval->inference;
    for (uint32_t i = 0; value && object && i < object->count; i++) {
        const Alt *alt = &object->alts[i];
        switch ((Kind)alt->kind) {
        case KIND_INSTANCE:
            if (!call_setter(eval, expr, alt, name, value)) write_attribute(inference, alt, name, value);
            break;
        case KIND_CLASS: /* `cls.__init__ = checked(cls.__init__)`: what replaces a constructor calls it */
            if (name != inference->known->init) write_class_attribute(inference, alt->id, name, value);
            break;
        case KIND_ENTRY: set_on_class(eval, expr, alt, name, value); break;
        case KIND_OBJECT:
            if (!(alt->flags & ALT_GUESS))
                store_write(inference, store_slot(inference, STORE_ENTRY_ATTRIBUTE, alt->id, name), value);
            break;
        case KIND_MODULE:
            inference->bound_outside |= !module_binds(inference, alt->id, name);
            store_write(inference, store_slot(inference, STORE_GLOBAL, alt->id, name), value);
            break;
        case KIND_CONTAINER:
            store_write(inference, object_slot(inference, alt->object, name_key(name)), value);
            break;
        default: break;
        }
    }
}

static void set_item(Eval *eval, ExprId target, const Alt *alt, ExprId index_expr, const Value *index,
                     const Value *value) {
    Inference *inference = eval->inference;
    if (alt->kind == KIND_CONTAINER) {
        bool text = index && index->count == 1 && index->alts[0].kind == KIND_TEXT && index->alts[0].id;
        if (infer_object(inference, alt->object)->flavour <= FLAVOUR_TUPLE && value_has(index, KIND_TENSOR))
            use_protocol(eval, index_expr, index, "__index__", NULL);
        if (!value) return;
        if (text)
            store_write(inference, object_slot(inference, alt->object, name_key(index->alts[0].id)), value);
        else
            object_add(eval, alt->object,
                       value_only(index, KIND_SLICE) ? element_of(eval, 0, value, false) : value);
        return;
    }
    Args args = {.values = {index, value}, .count = 2};
    if (alt->kind == KIND_NUMPY) {
        EntryId entry = member_of(inference, inference->known->ndarray, TEXT("__setitem__"));
        if (entry) apply_entry(eval, target, EFFECT_USE, entry, alt_value(eval, alt), &args);
    }
    if (alt->kind == KIND_INSTANCE) {
        EntryId entry = 0;
        if (value_has(class_member(eval, alt->id, inference->known->setitem, &entry), KIND_FUNCTION))
            call_method(eval, target, alt_value(eval, alt), inference->known->setitem, &args);
    } else if (alt->kind == KIND_OBJECT) {
        EntryId entry = member_of(inference, alt->id, TEXT("__setitem__"));
        if (entry) apply_entry(eval, target, EFFECT_USE, entry, alt_value(eval, alt), &args);
        if (!value || !alt->object) return;
        bool named = index && index->count == 1 && index->alts[0].kind == KIND_TEXT && index->alts[0].id;
        if (named)
            store_write(inference, object_slot(inference, alt->object, name_key(index->alts[0].id)), value);
        else
            object_add(eval, alt->object, value);
    }
}

/* If the object may be an array or a tensor, the item is correlated with it: `y = x.clone() if is_tensor(x)
   else np.copy(x); y[0] = x[1]` puts tensors into tensors and arrays into arrays. */
static void assign_item(Eval *eval, ExprId target, const Value *object, ExprId index_expr, const Value *value) {
    const Value *index = masked_by_name(eval, index_expr, eval_expr(eval, index_expr));
    effects_clear(eval, target, EFFECT_USE);
    const Value *tensors = only_kind(eval, object, KIND_TENSOR);
    EntryId entry = member_of(eval->inference, eval->inference->known->tensor, TEXT("__setitem__"));
    bool batch = tensors && (tensors->alts[0].flags & ALT_BATCH) &&
                 (value_only(index, KIND_TEXT) || value_only(index, KIND_UNKNOWN) ||
                  (value_only(index, KIND_NUMBER) && value_has(value, KIND_TENSOR)));
    bool paired = tensors && value_has(object, KIND_NUMPY) && value_has(value, KIND_TENSOR);
    if (tensors && entry && !batch) {
        const Value *own = paired ? value_drop(&eval->inference->values, value, KIND_NUMPY) : value;
        Args args = {.values = {index, own}, .count = 2};
        ItemDoubt before = doubt_items(eval, object);
        eval->doubt |=
            value_only(index, KIND_UNKNOWN) && value_has(object, KIND_UNKNOWN); /* a dict and its key */
        apply_entry(eval, target, EFFECT_USE, entry, tensors, &args);
        end_doubt(eval, before);
    }
    for (uint32_t i = 0; object && i < object->count; i++)
        if (!paired || object->alts[i].kind != KIND_NUMPY)
            set_item(eval, target, &object->alts[i], index_expr, index, value);
}

/* i, j = array: rows or, more usually, numbers, which index as Python's numbers do. */
static const Value *unpacked(Eval *eval, const Value *value, uint32_t position) {
    return value_only(value, KIND_NUMPY) ? kind_value(eval, KIND_HOST) : position_of(eval, value, position);
}

static void assign_pattern(Eval *eval, const Expr *expr, const Value *value) {
    uint32_t total = expr->list.count;
    bool starred = false;
    for (uint32_t i = 0; i < total; i++)
        starred |= eval->model->exprs.items[eval->model->links.items[expr->list.first + i]].kind == EXPR_STAR;
    if (!starred) value = fitting_parts(eval, value, total);
    for (uint32_t i = 0; i < total; i++) {
        ExprId part = eval->model->links.items[expr->list.first + i];
        if (eval->model->exprs.items[part].kind != EXPR_STAR) {
            assign(eval, part, unpacked(eval, value, i));
            continue;
        }
        ObjectId rest = object_part(eval, part, PART_STARRED, FLAVOUR_LIST);
        const Value *element = element_of(eval, 0, value, false);
        if (element) object_add(eval, rest, element);
        assign(eval, eval->model->exprs.items[part].a, object_value(eval, rest));
    }
}

/* losses["total"] = total on something unknown: a dict, or the like. */
static void assign_into_unknown(Eval *eval, ExprId target, const Value *object, const Value *value) {
    const Expr *expr = &eval->model->exprs.items[target];
    const Value *index = infer_fact(eval->context, eval->model, expr->b);
    bool text = value_only(index, KIND_TEXT) && index->count == 1 && index->alts[0].id;
    if (!text || !value_has(value, KIND_TENSOR)) return;
    for (uint32_t i = 0; object && i < object->count; i++)
        if (object->alts[i].kind != KIND_UNKNOWN && !(object->alts[i].flags & ALT_GUESS)) return;
    if (eval->model->exprs.items[expr->a].kind != EXPR_NAME) return;
    ObjectId dict = object_part(eval, target, PART_MADE_DICT, FLAVOUR_DICT);
    infer_object(eval->inference, dict)->open = true;
    store_write(eval->inference, object_slot(eval->inference, dict, name_key(index->alts[0].id)), value);
    assign_back(eval, expr->a, join_values(eval, object, object_value(eval, dict)));
}

/* for key in batch: batch[key] = batch[key].to(device), with unknown parts of batch: the assigned value is one
   of them. */
static void assign_into_batch(Eval *eval, ExprId target, const Value *object, const Value *value) {
    const Expr *expr = &eval->model->exprs.items[target];
    const Value *index = infer_fact(eval->context, eval->model, expr->b),
                *parts = only_kind(eval, value, KIND_TENSOR);
    bool any_key = value_only(index, KIND_TEXT) && index->count == 1 && !index->alts[0].id;
    if (!any_key || !parts || !value_only(object, KIND_TENSOR)) return;
    for (uint32_t i = 0; i < object->count; i++)
        if (!(object->alts[i].flags & ALT_BATCH)) return;
    if (eval->model->exprs.items[expr->a].kind == EXPR_NAME)
        assign_back(eval, expr->a, join_values(eval, object, parts));
}

void assign(Eval *eval, ExprId target, const Value *value) {
    if (!target) return;
    const Expr *expr = &eval->model->exprs.items[target];
    if (expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE)
        value = place_by_name(eval, target, model_name(eval->model, expr->name), value);
    set_fact(eval->context, target, value);
    switch ((ExprKind)expr->kind) {
    case EXPR_NAME: assign_name(eval, expr, value); break;
    case EXPR_ATTRIBUTE:
        if (expr->slot && value && (eval->use[expr->slot] & USE_BACKWARD))
            value = narrowed_by_use(eval, expr->slot, value, expr->span);
        assign_attribute(eval, target, eval_expr(eval, expr->a), sym_of(eval, expr->name), value);
        if (expr->slot) assign_slot(eval, expr->slot, value);
        break;
    case EXPR_SUBSCRIPT: {
        const Value *object = eval_expr(eval, expr->a);
        assign_item(eval, target, object, expr->b, value);
        assign_into_unknown(eval, target, object, value);
        assign_into_batch(eval, target, object, value);
        if (expr->slot) assign_slot(eval, expr->slot, value);
        break;
    }
    case EXPR_TUPLE:
    case EXPR_LIST: assign_pattern(eval, expr, value); break;
    case EXPR_STAR: assign(eval, expr->a, value); break;
    default: break;
    }
}

void bind_target(Eval *eval, ExprId target, const Value *value) { assign(eval, target, value); }

/* `self.to(device)` or `self.cuda()` in a module's constructor: instances are on the device from then on. */
static void note_own_move(Eval *eval, const Expr *expr, const Value *value) {
    const Known *known = eval->inference->known;
    const Value *self = eval->func->param_count ? eval->context->args[0] : NULL;
    bool own = expr->binding == BIND_LOCAL && expr->slot && eval->func->class_id &&
               expr->slot == eval->model->params.items[eval->func->first_param].slot;
    if (!own || sym_of(eval, eval->func->name) != known->init || !value_only(self, KIND_INSTANCE)) return;
    if (!value_only(value, KIND_INSTANCE) || value->count != 1 || !is_module_alt(eval, &value->alts[0])) return;
    const Alt *alt = &value->alts[0];
    Alt place = alt_tensor((Device)alt->device, alt->belief, alt->origin);
    write_attribute(eval->inference, &self->alts[0], known->base, alt_value(eval, &place));
}

/* The attribute in a.b; not of an item of it. */
static Text attribute_of(Text path, Text root) {
    Text name = env_path_below(path, root) ? text_slice(path, root.length + 1, path.length) : (Text){0};
    for (uint32_t i = 0; i < name.length; i++)
        if (name.bytes[i] == '.' || name.bytes[i] == '[') return (Text){0};
    return path.bytes[root.length] == '.' ? name : (Text){0};
}

static bool is_same_moved(Eval *eval, const Value *was, const Value *value) {
    if (!was || !value || was->count != 1 || value->count != 1) return false;
    const Alt *before = &was->alts[0], *now = &value->alts[0];
    return before->kind == now->kind && before->id == now->id && before->object == now->object &&
           before->device != DEVICE_CUDA && now->device == DEVICE_CUDA && is_module_alt(eval, now);
}

static void move_alias(Eval *eval, ExprId target, uint32_t slot, const Value *was, const Value *value) {
    const Local *locals = &eval->model->locals.items[eval->func->first_local];
    if (!slot || env_get(eval->env, slot) != was) return;
    env_put(eval->env, slot, value);
    uint32_t root = locals[slot - 1].root;
    Text name = root ? attribute_of(model_name(eval->model, locals[slot - 1].name),
                                    model_name(eval->model, locals[root - 1].name))
                     : (Text){0};
    Sym sym = name.length ? names_find(&eval->inference->program->names, name) : 0;
    if (sym) assign_attribute(eval, target, env_get(eval->env, root), sym, value);
}

/* `self.model = model`, then `model.to(device)`: one module with two names, related by an assignment of this
   function. (Two modules of one class are equal values, but not the same module.) */
static void move_aliases(Eval *eval, ExprId target, uint32_t slot, const Value *value) {
    const FlowGraph *graph = eval->graph;
    const Value *was = env_get(eval->env, slot);
    if (!is_same_moved(eval, was, value)) return;
    Accesses defs = graph_defs(graph, slot);
    for (const AccessId *d = defs.first; d < defs.end; d++) {
        const Stmt *stmt = graph_stmt(graph, *d);
        bool copies = stmt->kind == STMT_ASSIGN && stmt->list.count == 1 && stmt->b;
        uint32_t from = copies ? slot_of(eval, stmt->b) : 0;
        if (from != slot && copies && slot_of(eval, eval->model->links.items[stmt->list.first]) == slot)
            move_alias(eval, target, from, was, value);
    }
    Accesses uses = graph_uses(graph, slot);
    for (const AccessId *u = uses.first; u < uses.end; u++) {
        const Stmt *stmt = graph_stmt(graph, *u);
        bool copied = stmt->kind == STMT_ASSIGN && stmt->b == graph->accesses[*u].expr && stmt->list.count == 1;
        uint32_t to = copied ? slot_of(eval, eval->model->links.items[stmt->list.first]) : 0;
        if (copied && to != slot) move_alias(eval, target, to, was, value);
    }
}

void assign_back(Eval *eval, ExprId target, const Value *value) {
    const Expr *expr = &eval->model->exprs.items[target];
    bool local = expr->slot && (expr->kind == EXPR_ATTRIBUTE || expr->binding == BIND_LOCAL);
    if (local) move_aliases(eval, target, expr->slot, value);
    if (expr->kind == EXPR_NAME) {
        note_own_move(eval, expr, value);
        assign_name(eval, expr, value);
    } else if (expr->kind == EXPR_ATTRIBUTE) {
        assign_attribute(eval, target, infer_fact(eval->context, eval->model, expr->a),
                         sym_of(eval, expr->name), value);
        if (expr->slot) env_put(eval->env, expr->slot, value);
    }
}
