/* The transfer function of each kind of expression. Operators and syntax are methods of their operands' classes
   (`use_protocol`). */
#include "eval.h"
#include "apply.h"
#include "belief.h"
#include "conventions.h"
#include "environment.h"
#include "module.h"
#include "narrow.h"
#include "python.h"
#include "python_names.h"
#include "runtime.h"

static const Value *eval_display(Eval *eval, ExprId id, const Expr *expr, Flavour flavour) {
    Inference *inference = eval->inference;
    ObjectId object = store_object(inference, STORE_LITERAL, eval->id, id, flavour);
    bool positions = flavour != FLAVOUR_SET && expr->list.count <= POSITIONS_KEPT;
    for (uint32_t i = 0; i < expr->list.count; i++) {
        ExprId item = eval->model->links.items[expr->list.first + i];
        const Expr *part = &eval->model->exprs.items[item];
        if (part->kind == EXPR_STAR) {
            const Value *value = eval_expr(eval, part->a);
            store_write(inference, infer_object(inference, object)->rest, element_of(eval, item, value, false));
            infer_object(inference, object)->open = true;
            positions = false;
            continue;
        }
        const Value *value = eval_expr(eval, item);
        SlotId slot =
            positions ? object_slot(inference, object, position_key(i)) : infer_object(inference, object)->rest;
        store_write(inference, slot, value);
    }
    if (!positions) infer_object(inference, object)->open = true;
    return object_value(eval, object);
}

static const Value *eval_dict(Eval *eval, ExprId id, const Expr *expr) {
    Inference *inference = eval->inference;
    ObjectId object = store_object(inference, STORE_LITERAL, eval->id, id, FLAVOUR_DICT);
    for (uint32_t i = 0; i + 1 < expr->list.count; i += 2) {
        ExprId key = eval->model->links.items[expr->list.first + i];
        ExprId item = eval->model->links.items[expr->list.first + i + 1];
        const Value *key_value = key ? eval_expr(eval, key) : NULL;
        const Value *value = eval_expr(eval, item);
        if (!key) { /* {**other} */
            update_container(eval, object, value);
            continue;
        }
        bool known = key && key_value && key_value->count == 1 && key_value->alts[0].kind == KIND_TEXT &&
                     key_value->alts[0].id;
        if (!known) infer_object(inference, object)->open = true;
        SlotId slot = known ? object_slot(inference, object, name_key(key_value->alts[0].id))
                            : infer_object(inference, object)->rest;
        store_write(inference, slot, value);
    }
    return object_value(eval, object);
}

static void eval_clauses(Eval *eval, const Expr *expr) {
    for (uint32_t i = 0; i < expr->list.count; i++) {
        ExprId id = eval->model->links.items[expr->list.first + i];
        const Expr *clause = &eval->model->exprs.items[id];
        if (clause->kind == EXPR_COMP_FOR) {
            const Value *iterable = eval_expr(eval, clause->b);
            bind_target(eval, clause->a, turn_of(eval, clause->a, clause->b, iterable, expr->span));
        } else if (clause->kind == EXPR_COMP_IF) {
            Tri truth;
            eval_truth(eval, clause->a, &truth);
            refine(eval, clause->a, true);
            eval->reachable = true;
        }
    }
}

/* The number of iterations of `for _ in range(6)`; 0 = unknown. */
static uint32_t comprehension_length(const Eval *eval, const Expr *expr) {
    if (expr->list.count != 1) return 0;
    const Expr *clause = &eval->model->exprs.items[eval->model->links.items[expr->list.first]];
    if (clause->kind != EXPR_COMP_FOR) return 0;
    const Expr *call = &eval->model->exprs.items[clause->b];
    if (call->kind != EXPR_CALL || call->list.count != 1) return 0;
    const Expr *callee = &eval->model->exprs.items[call->a];
    if (callee->kind != EXPR_NAME || !python_is(PY_range, model_name(eval->model, callee->name))) return 0;
    const Value *count = infer_fact(eval->context, eval->model, eval->model->links.items[call->list.first]);
    if (!count || count->count != 1 || count->alts[0].kind != KIND_NUMBER) return 0;
    Text digits = names_text(&eval->inference->program->names, count->alts[0].id);
    uint32_t length = 0;
    for (uint32_t i = 0; i < digits.length; i++) {
        if (digits.bytes[i] < '0' || digits.bytes[i] > '9' || length > 9999) return 0;
        length = length * 10 + (uint32_t)(digits.bytes[i] - '0');
    }
    return length;
}

static const Value *eval_comprehension(Eval *eval, ExprId id, const Expr *expr) {
    Inference *inference = eval->inference;
    Flavour flavour = expr->kind == EXPR_LIST_COMP   ? FLAVOUR_LIST
                      : expr->kind == EXPR_SET_COMP  ? FLAVOUR_SET
                      : expr->kind == EXPR_DICT_COMP ? FLAVOUR_DICT
                                                     : FLAVOUR_ITERATOR;
    ObjectId object = store_object(inference, STORE_LITERAL, eval->id, id, flavour);
    infer_object(inference, object)->open = true;
    eval_clauses(eval, expr);
    uint32_t length = comprehension_length(eval, expr);
    infer_object(inference, object)->length = length;
    const Value *value = eval_expr(eval, expr->a);
    if (expr->kind == EXPR_DICT_COMP) value = eval_expr(eval, expr->b);
    store_write(inference, infer_object(inference, object)->rest, value);
    return object_value(eval, object);
}

static const Value *tensor_operator(Eval *eval, ExprId id, Operator op, const Value *left, const Value *right) {
    const Value *tensor = only_kind(eval, left, KIND_TENSOR);
    const Value *other = right;
    bool reflected = !tensor;
    if (!tensor) {
        tensor = only_kind(eval, right, KIND_TENSOR);
        other = left;
    }
    Args args = {0};
    if (other && op != OP_NEG && op != OP_POS && op != OP_INVERT) {
        args.values[0] = other;
        args.count = 1;
    }
    const Value *result = apply_entry(eval, id, EFFECT_OWN, operator_entry(eval, op, reflected), tensor, &args);
    return still_guessed(eval, tensor, other, result);
}

/* `x * x` */
static bool is_same_variable(const FileModel *model, ExprId a, ExprId b) {
    const Expr *left = &model->exprs.items[a], *right = &model->exprs.items[b];
    return left->kind == EXPR_NAME && right->kind == EXPR_NAME && left->name == right->name;
}

static const Value *eval_binary(Eval *eval, ExprId id, const Expr *expr) {
    Inference *inference = eval->inference;
    Operator op = (Operator)expr->op;
    const Value *left = eval_expr(eval, expr->a);
    const Value *right = eval_expr(eval, expr->b);
    effects_clear(eval, id, EFFECT_OWN);
    if (!left || !right) return NULL;
    left = operator_operand(eval, op, left, right);
    right = has_formatting(left) ? right : operator_operand(eval, op, right, left);
    if (value_has(left, KIND_TENSOR) && is_same_variable(eval->model, expr->a, expr->b))
        right = only_kind(eval, right, KIND_TENSOR); /* whatever it may be, both are that */
    if (op == OP_SUB) point_use(eval, id, POINT_CLOCK, left, right);
    if (op == OP_MUL) use_count(eval, expr->b, left, right);
    if (value_has(left, KIND_TENSOR) ||
        (value_has(right, KIND_TENSOR) && !value_has(left, KIND_CONTAINER) && !has_formatting(left))) {
        const Value *result = tensor_operator(eval, id, op, left, right);
        bool mixed = !value_has(left, KIND_TENSOR)
                         ? !value_only(right, KIND_TENSOR) && !value_has(left, KIND_UNKNOWN)
                         : !value_only(left, KIND_TENSOR) && !value_has(right, KIND_TENSOR);
        return mixed && value_has(left, KIND_NUMBER)
                   ? value_join(&inference->values, result, kind_value(eval, KIND_NUMBER))
                   : result;
    }
    if (op == OP_MOD && has_formatting(left)) {
        eval_percent(eval, id, expr->a, expr->b);
        return device_text(eval, left);
    }

    if (value_has(left, KIND_CONTAINER) && (op == OP_ADD || op == OP_MUL)) {
        bool tuples = all_tuples(eval, left) || (op == OP_ADD && all_tuples(eval, right));
        ObjectId object =
            store_object(inference, STORE_LITERAL, eval->id, id, tuples ? FLAVOUR_TUPLE : FLAVOUR_LIST);
        infer_object(inference, object)->flavour = tuples ? FLAVOUR_TUPLE : FLAVOUR_LIST;
        if (op == OP_ADD && join_tuples(eval, object, expr->b, left, right)) return object_value(eval, object);
        infer_object(inference, object)->open = true;
        infer_object(inference, object)->supposed = false;
        SlotId rest = infer_object(inference, object)->rest;
        store_write(inference, rest, element_of(eval, expr->a, left, false));
        if (op == OP_ADD && value_has(right, KIND_CONTAINER))
            store_write(inference, rest, element_of(eval, expr->b, right, false));
        return object_value(eval, object);
    }
    if (value_has(left, KIND_UNKNOWN) || value_has(right, KIND_UNKNOWN)) return kind_value(eval, KIND_UNKNOWN);
    if (value_has(left, KIND_NUMPY) || value_has(right, KIND_NUMPY)) return kind_value(eval, KIND_NUMPY);
    const Value *name = op == OP_ADD ? joined_names(eval, left, right) : NULL;
    if (value_has(left, KIND_TEXT)) return name ? name : device_text(eval, left);
    if (value_has(left, KIND_CONTAINER)) return left;
    if (value_has(left, KIND_NUMBER) && value_has(right, KIND_NUMBER))
        return number_value(eval, 0, dtype_promoted(op, left->alts[0].dtype, right->alts[0].dtype));
    if (value_only(left, KIND_HOST) || value_only(left, KIND_OBJECT)) return left;
    bool counts = value_only(left, KIND_NUMBER) && value_only(right, KIND_HOST); /* 3 % args.size */
    return kind_value(eval, counts ? KIND_HOST : KIND_UNKNOWN);
}

static bool has_tensor_inside(Eval *eval, const Value *value) {
    for (uint32_t i = 0; value && i < value->count; i++) {
        if (value->alts[i].kind == KIND_TENSOR) return true;
        if (value->alts[i].kind != KIND_CONTAINER) continue;
        const Value *element = element_of(eval, 0, value, false);
        if (value_has(element, KIND_TENSOR)) return true;
    }
    return false;
}

/* `self.lobe == self.lobe_timelagged` on modules compares identity, whatever else the other operand may be. */
static bool is_by_identity(Eval *eval, const Value *value) {
    for (uint32_t i = 0; value && i < value->count; i++)
        if (!is_module_alt(eval, &value->alts[i]) && value->alts[i].kind != KIND_NONE) return false;
    return value != NULL;
}

static const Value *compare_pair(Eval *eval, ExprId id, Operator op, const Value *left, const Value *right) {
    if (op == OP_IS || op == OP_IS_NOT) return none_test(eval, op, left, right);
    const Value *asked = device_test(eval, op, left, right);
    if (asked) return asked;
    if (op == OP_IN || op == OP_NOT_IN) {
        bool key =
            value_has(left, KIND_TEXT) && !value_has(left, KIND_TENSOR); /* asks a mapping, whatever it holds */
        if (value_only(right, KIND_CONTAINER))
            key |= value_only(element_of(eval, 0, right, false), KIND_TEXT); /* a name among names */
        if (!key && !is_hashed(eval, right) && (has_tensor_inside(eval, right) || value_has(left, KIND_TENSOR)))
            use_protocol(eval, id, right, "__contains__", left);
        return kind_value(eval, KIND_NUMBER);
    }
    if (is_by_identity(eval, left) || is_by_identity(eval, right)) return kind_value(eval, KIND_NUMBER);
    if (value_only(left, KIND_TEXT) || value_only(right, KIND_TEXT))
        return kind_value(eval, KIND_NUMBER); /* what is compared with a string is a string here */
    if (value_has(left, KIND_TENSOR) || value_has(right, KIND_TENSOR)) {
        const Value *result = tensor_operator(eval, id, op, left, right);
        if (value_has(left, KIND_TENSOR) && !value_only(left, KIND_TENSOR) && !value_has(right, KIND_TENSOR))
            result = value_join(&eval->inference->values, result, kind_value(eval, KIND_NUMBER));
        return result;
    }
    if (value_has(left, KIND_NUMPY) || value_has(right, KIND_NUMPY)) return kind_value(eval, KIND_NUMPY);
    if (value_has(left, KIND_UNKNOWN)) return kind_value(eval, KIND_UNKNOWN);
    return kind_value(eval, KIND_NUMBER);
}

static const Value *eval_compare(Eval *eval, ExprId id, const Expr *expr) {
    const uint32_t *links = eval->model->links.items;
    effects_clear(eval, id, EFFECT_OWN);
    effects_clear(eval, id, EFFECT_USE);
    const Value *left = eval_expr(eval, links[expr->list.first]);
    const Value *result = NULL;
    for (uint32_t i = 1; i < expr->list.count; i++) {
        ExprId right_expr = links[expr->list.first + i];
        const Value *right = device_literal(eval, right_expr, eval_expr(eval, right_expr));
        if (!left || !right) return NULL;
        Operator op = i == 1 ? (Operator)expr->op : (Operator)links[expr->c + i - 1];
        if (i > 1) use_protocol(eval, id, result, "__bool__", NULL); /* a < b < c is a < b and b < c */
        result = value_join(&eval->inference->values, result, compare_pair(eval, id, op, left, right));
        left = right;
    }
    return version_test(eval, expr, result);
}

static bool device_name_test(Eval *eval, ExprId id, bool *names_cpu) {
    const Expr *expr = &eval->model->exprs.items[id];
    Sym name = expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE ? sym_of(eval, expr->name) : 0;
    Text text = names_text(&eval->inference->program->names, name);
    const Rulebook *book = eval->inference->book;
    *names_cpu = name_is(book, NAMED_host_flag, text);
    return *names_cpu || name_is(book, NAMED_gpu_flag, text);
}

/* A branch on whether there is a GPU takes the GPU's side, as the priced run has one. `x.cpu() if cpu else x` of a
   helper with `cpu=True` asks where its result goes, and not what the run is on. */
static Tri available_truth(Eval *eval, ExprId id, const Value *value) {
    if (value && value->count == 1 && (value->alts[0].flags & ALT_AVAILABLE)) return literal_truth(eval, value);
    bool names_cpu;
    if (device_name_test(eval, id, &names_cpu) && !value_has(value, KIND_TENSOR)) {
        if (names_cpu && is_true_by_default(eval, id)) return literal_truth(eval, value);
        return names_cpu ? TRI_NO : TRI_YES;
    }
    return TRI_UNKNOWN;
}

/* `t in ts` has applied __eq__ and __bool__ already, and gives a Python bool. */
static void ask_truth(Eval *eval, ExprId id, const Value *value) {
    const Expr *expr = &eval->model->exprs.items[id];
    if (expr->kind == EXPR_COMPARE && (expr->op == OP_IN || expr->op == OP_NOT_IN)) return;
    use_protocol(eval, id, value, "__bool__", NULL);
}

static const Value *eval_bool(Eval *eval, const Expr *expr, Tri *truth);

/* Whether a condition holds, if that is known statically; `asked`: also applies __bool__ to the value. */
static const Value *eval_tested(Eval *eval, ExprId id, bool asked, Tri *truth) {
    *truth = TRI_UNKNOWN;
    const Expr *expr = &eval->model->exprs.items[id];
    if (expr->kind == EXPR_NOT) {
        Tri inner;
        eval_truth(eval, expr->a, &inner);
        *truth = inner == TRI_UNKNOWN ? inner : inner == TRI_YES ? TRI_NO : TRI_YES;
        const Value *value = kind_value(eval, KIND_NUMBER);
        set_fact(eval->context, id, value);
        return value;
    }
    if (expr->kind == EXPR_AND || expr->kind == EXPR_OR) { /* all but the last were asked inside */
        bool fails = eval->fails;
        const Value *value = eval_bool(eval, expr, truth);
        eval->fails = fails; /* the last may be left out */
        set_fact(eval->context, id, value);
        ExprId last = eval->model->links.items[expr->list.first + expr->list.count - 1];
        if (asked) ask_truth(eval, last, infer_fact(eval->context, eval->model, last));
        return value;
    }
    const Value *value = eval_expr(eval, id);
    if (asked) ask_truth(eval, id, value);
    *truth = available_truth(eval, id, value);
    return value;
}

const Value *eval_truth(Eval *eval, ExprId id, Tri *truth) { return eval_tested(eval, id, true, truth); }

/* `a and b`, `a or b`: __bool__ is applied to every operand but the last; the value is one of the operands. The
   known truth of the whole combines theirs: `is_scripting() or not x.is_cuda` is false if both are. */
static const Value *eval_bool(Eval *eval, const Expr *expr, Tri *whole) {
    const Value *result = NULL;
    Env *before = env_copy(eval->env);
    Tri decides = expr->kind == EXPR_AND ? TRI_NO : TRI_YES;
    *whole = decides == TRI_YES ? TRI_NO : TRI_YES;
    for (uint32_t i = 0; i < expr->list.count; i++) {
        ExprId operand = eval->model->links.items[expr->list.first + i];
        bool last = i + 1 == expr->list.count;
        Tri truth;
        const Value *value = eval_tested(eval, operand, !last, &truth);
        if (truth == decides || truth == TRI_UNKNOWN) *whole = truth;
        if (truth == decides) {
            result = value;
            break;
        }
        if (expr->kind == EXPR_OR && !last) { /* the value so far is kept only when it is true */
            value = value_drop(&eval->inference->values, value, KIND_NONE);
        }
        if (!(truth != TRI_UNKNOWN && !last)) result = value_join(&eval->inference->values, result, value);
        if (!last) refine(eval, operand, expr->kind == EXPR_AND);
        if (!eval->reachable) break; /* the rest is not asked: `not x or x > 1` with x None */
    }
    env_assign(eval->env, before);
    eval->reachable = true;
    return result;
}

static const Value *eval_conditional(Eval *eval, const Expr *expr) {
    Tri truth;
    eval_truth(eval, expr->a, &truth);
    Env *before = env_copy(eval->env);
    const Value *yes = NULL, *no = NULL;
    if (truth != TRI_NO) {
        refine(eval, expr->a, true);
        if (eval->reachable) yes = eval_expr(eval, expr->b);
        eval->reachable = true;
        env_assign(eval->env, before);
    }
    if (truth != TRI_YES) {
        refine(eval, expr->a, false);
        if (eval->reachable) no = eval_expr(eval, expr->c);
        eval->reachable = true;
        env_assign(eval->env, before);
    }
    return value_join(&eval->inference->values, yes, no);
}

static const Value *eval_fstring(Eval *eval, const Expr *expr) {
    ExprId first = expr->list.count ? eval->model->links.items[expr->list.first] : 0;
    bool plain_start = first && eval->model->exprs.items[first].kind == EXPR_STRING;
    const Value *name = NULL; /* of all parts so far */
    for (uint32_t i = 0; i < expr->list.count; i++) {
        ExprId part_id = eval->model->links.items[expr->list.first + i];
        const Expr *part = &eval->model->exprs.items[part_id];
        bool is_plain = part->kind != EXPR_INTERPOLATION;
        const Value *value = eval_expr(eval, is_plain ? part_id : part->a);
        bool as_it_is = is_plain || !(part->op || part->b || part->name);
        name = i ? joined_names(eval, name, as_it_is ? value : NULL) : as_it_is ? value : NULL;
        if (is_plain) continue;
        if (part->b) eval_expr(eval, part->b);
        set_fact(eval->context, part_id, value);
        bool plain = !part->op;
        const char *method = plain ? "__format__" : part->op == 's' ? "__str__" : "__repr__";
        const Value *spec = part->name ? literal_value(eval, KIND_TEXT, sym_of(eval, part->name)) : NULL;
        use_protocol(eval, part->a, value, method, plain ? spec : NULL);
    }
    if (name && value_only(name, KIND_TEXT)) return name;
    return plain_start ? device_text(eval, eval_expr(eval, first)) : kind_value(eval, KIND_TEXT);
}

static const Value *eval_slice(Eval *eval, ExprId id, const Expr *expr) {
    Inference *inference = eval->inference;
    const ExprId parts[] = {expr->a, expr->b, expr->c};
    ObjectId object = store_object(inference, STORE_LITERAL, eval->id, id, FLAVOUR_PARTS);
    for (uint32_t i = 0; i < 3; i++) {
        if (!parts[i]) continue;
        const Value *value = eval_expr(eval, parts[i]);
        store_write(inference, object_slot(inference, object, position_key(i)), value);
    }
    return value_of(&inference->values, (Alt){.kind = KIND_SLICE, .object = object});
}

static const Value *eval_yield(Eval *eval, ExprId id, const Expr *expr) {
    const Value *value = expr->a ? eval_expr(eval, expr->a) : kind_value(eval, KIND_NONE);
    if (expr->kind == EXPR_YIELD_FROM) value = element_of(eval, id, value, false);
    if (!expr->a || !yields_early(eval, expr->a)) store_write(eval->inference, eval->context->yields, value);
    return kind_value(eval, KIND_UNKNOWN);
}

static const Value *eval_unary(Eval *eval, ExprId id, const Expr *expr) {
    const Value *value = eval_expr(eval, expr->a);
    effects_clear(eval, id, EFFECT_OWN);
    if (value_has(value, KIND_TENSOR)) {
        const Value *result = tensor_operator(eval, id, (Operator)expr->op, value, NULL);
        const Value *number = value_has(value, KIND_NUMBER) ? kind_value(eval, KIND_NUMBER) : NULL;
        return value_join(&eval->inference->values, result, number);
    }
    if (value_only(value, KIND_NUMBER))
        return expr->op == OP_NEG ? negated_number(eval, value) : kind_value(eval, KIND_NUMBER);
    return value;
}

/* A read may be of a path (`self.x`, `batch["x"]`) that this function has written. */
static const Value *eval_path(Eval *eval, ExprId id, const Expr *expr) {
    const Value *object = eval_expr(eval, expr->a);
    const Value *known = expr->slot ? env_get(eval->env, expr->slot) : NULL;
    if (expr->kind == EXPR_ATTRIBUTE) {
        refine_having(eval, expr->a, object, sym_of(eval, expr->name));
        return known ? known : eval_attribute(eval, id, object, sym_of(eval, expr->name));
    }
    effects_clear(eval, id, EFFECT_OWN);
    if (known) {
        eval_expr(eval, expr->b);
        return known;
    }
    return eval_subscript(eval, id, object, expr->b);
}

static const Value *eval_kind(Eval *eval, ExprId id, const Expr *expr) {
    const Known *known = eval->inference->known;
    Tri truth;
    switch ((ExprKind)expr->kind) {
    case EXPR_NAME: return read_name(eval, id);
    case EXPR_INT: return number_value(eval, sym_of(eval, expr->name), DTYPE_INT);
    case EXPR_FLOAT: return number_value(eval, sym_of(eval, expr->name), DTYPE_FLOAT);
    case EXPR_TRUE: return number_value(eval, known->true_text, DTYPE_BOOL);
    case EXPR_FALSE: return number_value(eval, known->false_text, DTYPE_BOOL);
    case EXPR_STRING: return literal_value(eval, KIND_TEXT, sym_of(eval, expr->name));
    case EXPR_FSTRING: return eval_fstring(eval, expr);
    case EXPR_NONE: return kind_value(eval, KIND_NONE);
    case EXPR_ELLIPSIS: return kind_value(eval, KIND_HOST);
    case EXPR_ATTRIBUTE:
    case EXPR_SUBSCRIPT: return eval_path(eval, id, expr);
    case EXPR_SLICE: return eval_slice(eval, id, expr);
    case EXPR_CALL: return eval_call(eval, id);
    case EXPR_STAR:
    case EXPR_DOUBLE_STAR:
    case EXPR_KEYWORD:
    case EXPR_AWAIT: return eval_expr(eval, expr->a);
    case EXPR_BINARY: return eval_binary(eval, id, expr);
    case EXPR_UNARY: return eval_unary(eval, id, expr);
    case EXPR_NOT: return eval_truth(eval, id, &truth);
    case EXPR_COMPARE: return eval_compare(eval, id, expr);
    case EXPR_AND:
    case EXPR_OR: return eval_bool(eval, expr, &truth);
    case EXPR_IF: return eval_conditional(eval, expr);
    case EXPR_LAMBDA: return made_function(eval, expr->func);
    case EXPR_LIST: return eval_display(eval, id, expr, FLAVOUR_LIST);
    case EXPR_TUPLE: return eval_display(eval, id, expr, FLAVOUR_TUPLE);
    case EXPR_SET: return eval_display(eval, id, expr, FLAVOUR_SET);
    case EXPR_DICT: return eval_dict(eval, id, expr);
    case EXPR_LIST_COMP:
    case EXPR_SET_COMP:
    case EXPR_GENERATOR:
    case EXPR_DICT_COMP: return eval_comprehension(eval, id, expr);
    case EXPR_YIELD:
    case EXPR_YIELD_FROM: return eval_yield(eval, id, expr);
    case EXPR_NAMED: {
        const Value *value = eval_expr(eval, expr->b);
        assign(eval, expr->a, value);
        return value;
    }
    case EXPR_NONE_ID:
    case EXPR_ERROR:
    case EXPR_INTERPOLATION:
    case EXPR_COMP_FOR:
    case EXPR_COMP_IF: break;
    }
    return kind_value(eval, KIND_UNKNOWN);
}

/* Some parts may not be evaluated. */
static bool is_optional(const Expr *expr) {
    return expr->kind == EXPR_IF || expr->kind == EXPR_AND || expr->kind == EXPR_OR ||
           (expr->kind >= EXPR_LIST_COMP && expr->kind <= EXPR_DICT_COMP);
}

const Value *eval_expr(Eval *eval, ExprId id) {
    if (!id) return NULL;
    const Expr *expr = &eval->model->exprs.items[id];
    bool fails = eval->fails;
    const Value *value = eval_kind(eval, id, expr);
    if (is_optional(expr)) eval->fails = fails;
    bool named = expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE;
    if (named && value && value->count == 1 && value->alts[0].kind == KIND_UNKNOWN)
        value = loader_by_name(eval, id, value);
    set_fact(eval->context, id, value);
    return value;
}
