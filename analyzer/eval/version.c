/* Versions: which side of `version.parse(torch.__version__) >= version.parse("1.8")` runs. */
#include "narrow.h"
#include "conventions.h"
#include "python_names.h"
#include <stdio.h>

enum { VERSION_DEPTH = 9, STATED_MOST = 24 };

static const Expr *expr_of(const Eval *eval, ExprId id) { return &eval->model->exprs.items[id]; }

/* The value of a variable of the file with a single assignment; 0 = not so. */
static ExprId made_once(const Eval *eval, const Expr *name) {
    ExprId made = 0;
    if (name->binding == BIND_LOCAL && eval->func->kind != FUNC_MODULE) return 0;
    const Writes *writes = writes_of(eval->inference, eval->file_id);
    for (const Write *w = writes_of_name(writes, sym_of(eval, name->name)); w; w = write_next(writes, w)) {
        if (w->func != 1 || w->kind != DEF_ASSIGN || expr_of(eval, w->target)->kind != EXPR_NAME) continue;
        if (made) return 0;
        made = eval->model->stmts.items[w->stmt].b;
    }
    return made;
}

/* The operand of parsing or cutting: `V(x)`, `x.split("+")[0]`, `parse(x).release`, [int(part) for part in x],
   or a variable's value. 0 = none of these. */
static ExprId part_of(const Eval *eval, const Expr *expr) {
    const Expr *callee = expr->kind == EXPR_CALL ? expr_of(eval, expr->a) : NULL;
    switch ((ExprKind)expr->kind) {
    case EXPR_CALL:
        if (callee->kind == EXPR_ATTRIBUTE && python_is(PY_split, model_name(eval->model, callee->name)))
            return callee->a;
        return expr->list.count == 1 ? eval->model->links.items[expr->list.first] : 0;
    case EXPR_ATTRIBUTE:
    case EXPR_SUBSCRIPT: return expr->a;
    case EXPR_NAME: return made_once(eval, expr);
    case EXPR_LIST_COMP:
    case EXPR_GENERATOR: return expr_of(eval, eval->model->links.items[expr->list.first])->b;
    default: return 0;
    }
}

static bool is_of_torch(Eval *eval, ExprId id) {
    for (int depth = 0; id && depth < VERSION_DEPTH; depth++) {
        const Expr *expr = expr_of(eval, id), *owner = expr_of(eval, expr->a);
        if (expr->kind == EXPR_ATTRIBUTE && text_is(model_name(eval->model, expr->name), "__version__"))
            return owner->kind == EXPR_NAME &&
                   name_is(eval->inference->book, NAMED_torch_module, model_name(eval->model, owner->name));
        id = part_of(eval, expr);
    }
    return false;
}

/* The text of "1.8.0", V("1.8") or (1, 8); empty = unknown. */
static Text stated(const Eval *eval, ExprId id, char *buffer) {
    for (int depth = 0; id && depth < VERSION_DEPTH; depth++) {
        const Expr *expr = expr_of(eval, id);
        if (expr->kind == EXPR_STRING) return model_name(eval->model, expr->name);
        if (expr->kind == EXPR_TUPLE && expr->list.count > 1) {
            const Expr *major = expr_of(eval, eval->model->links.items[expr->list.first]);
            const Expr *minor = expr_of(eval, eval->model->links.items[expr->list.first + 1]);
            if (major->kind != EXPR_INT || minor->kind != EXPR_INT) return (Text){0};
            Text first = model_name(eval->model, major->name), second = model_name(eval->model, minor->name);
            if (first.length > 4 || second.length > 4) return (Text){0};
            int length = snprintf(buffer, STATED_MOST, "%.*s.%.*s", (int)first.length, first.bytes,
                                  (int)second.length, second.bytes);
            return (Text){buffer, (uint32_t)length};
        }
        id = expr->kind == EXPR_SUBSCRIPT || expr->kind == EXPR_NAME ? 0 : part_of(eval, expr);
    }
    return (Text){0};
}

/* Digits, a dot, digits, and whatever may follow in a version. */
static bool is_version(Text text) {
    uint32_t at = 0, points = 0;
    for (; at < text.length && (text.bytes[at] == '.' || (text.bytes[at] >= '0' && text.bytes[at] <= '9'));
         at++)
        points += text.bytes[at] == '.';
    return points > 0 && at > 2 && text.bytes[0] != '.' && text.length < STATED_MOST - 2;
}

static bool is_older(const Eval *eval, Text version) {
    char condition[STATED_MOST + 4];
    int length = snprintf(condition, sizeof condition, ">%.*s", (int)version.length, version.bytes);
    return rulebook_version_is(eval->inference->book, (Text){condition, (uint32_t)length});
}

/* The result of a comparison with torch's version; else `otherwise`. A comparison with an equal version, or
   with one that nobody has measured, decides nothing. */
const Value *version_test(Eval *eval, const Expr *expr, const Value *otherwise) {
    char buffer[STATED_MOST];
    bool less = expr->op == OP_LT || expr->op == OP_LE, more = expr->op == OP_GT || expr->op == OP_GE;
    if (expr->list.count != 2 || (!less && !more)) return otherwise;
    Text version = stated(eval, eval->model->links.items[expr->list.first + 1], buffer);
    if (!is_version(version) || !is_of_torch(eval, eval->model->links.items[expr->list.first]))
        return otherwise;
    return is_older(eval, version) ? device_truth(eval, more) : otherwise;
}
