/* %-formats, and names made by concatenation. Each conversion takes one operand. */
#include "python.h"
#include <ctype.h>

/* The name that two texts concatenate to; 0 if one is unknown. */
static Sym name_of_two(Eval *eval, const Alt *left, const Alt *right) {
    if (left->kind != KIND_TEXT || right->kind != KIND_TEXT || !left->id || !right->id) return 0;
    if ((left->flags | right->flags) & ALT_WIDE) return 0;
    Text parts[] = {sym_text(eval, left->id), sym_text(eval, right->id)};
    char text[LONGEST_NAME];
    uint32_t length = 0;
    for (uint32_t p = 0; p < 2; p++)
        for (uint32_t i = 0; i < parts[p].length; i++) {
            if (length == sizeof text ||
                (!isalnum((unsigned char)parts[p].bytes[i]) && parts[p].bytes[i] != '_'))
                return 0;
            text[length++] = parts[p].bytes[i];
        }
    return names_intern(eval->inference->names, (Text){text, length});
}

const Value *joined_names(Eval *eval, const Value *left, const Value *right) {
    const Value *result = NULL;
    if (!left || !right || left->count * right->count > VALUE_ALTS) return NULL;
    for (uint32_t i = 0; i < left->count * right->count; i++) {
        Sym name = name_of_two(eval, &left->alts[i / right->count], &right->alts[i % right->count]);
        if (!name) return NULL;
        result = join_values(eval, result, literal_value(eval, KIND_TEXT, name));
    }
    return result;
}

static void add_text(Conversions *made, Text format) {
    for (uint32_t i = 0; i + 1 < format.length; i++) {
        if (format.bytes[i] != '%') continue;
        i++;
        if (format.bytes[i] == '%') continue;
        while (i < format.length && strchr("0123456789.+- #*", format.bytes[i])) i++;
        if (i >= format.length || made->count == CONVERSIONS) return;
        made->items[made->count++] = format.bytes[i];
    }
}

/* A small number in digits; 0 = none that counts here. Digits after the name's last byte do not belong to it. */
static uint32_t times_of(Text digits) {
    uint32_t times = 0;
    for (uint32_t i = 0; i < digits.length && isdigit((unsigned char)digits.bytes[i]) && times < CONVERSIONS;
         i++)
        times = times * 10 + (uint32_t)(digits.bytes[i] - '0');
    return times;
}

static void repeat(Conversions *made, uint32_t from, const Expr *times, const FileModel *model) {
    uint32_t count = made->count - from;
    uint32_t turns = times->kind == EXPR_INT ? times_of(model_name(model, times->name)) : 0;
    if (!turns) made->open = count > 0;
    for (uint32_t turn = 1; turn < turns; turn++)
        for (uint32_t i = 0; i < count && made->count < CONVERSIONS; i++)
            made->items[made->count++] = made->items[from + i];
}

void format_conversions(const Eval *eval, ExprId id, int depth, Conversions *made) {
    const Expr *expr = &eval->model->exprs.items[id];
    if (depth > CONCATENATED || made->open) return;
    if (expr->kind == EXPR_STRING) {
        add_text(made, model_name(eval->model, expr->name));
    } else if (expr->kind == EXPR_BINARY && expr->op == OP_ADD) {
        format_conversions(eval, expr->a, depth + 1, made);
        format_conversions(eval, expr->b, depth + 1, made);
    } else if (expr->kind == EXPR_BINARY && expr->op == OP_MUL) {
        uint32_t from = made->count;
        format_conversions(eval, expr->a, depth + 1, made);
        repeat(made, from, &eval->model->exprs.items[expr->b], eval->model);
    } else {
        const Value *value = infer_fact(eval->context, eval->model, id);
        if (value_only(value, KIND_TEXT) && value->count == 1 && value->alts[0].id)
            add_text(made, sym_text(eval, value->alts[0].id));
    }
}
