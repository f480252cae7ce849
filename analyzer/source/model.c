#include "model.h"
#include "search.h"
#include <assert.h>
#include <stdbool.h>

enum { ASCII_BYTES = 64 }; /* block size of the test for ASCII */

uint32_t model_line(const FileModel *model, uint32_t offset) {
    return last_below(model->lines.items, model->lines.count, sizeof *model->lines.items, offset + 1) + 1;
}

static uint64_t eight_bytes(const char *bytes) {
    uint64_t eight;
    memcpy(&eight, bytes, sizeof eight);
    return eight;
}

/* Lines are mostly ASCII, where bytes are code points; long lines may hold many findings, so speed counts. */
static bool are_ascii(const char *bytes) {
    uint64_t all = 0;
    for (uint32_t i = 0; i < ASCII_BYTES; i += 8) all |= eight_bytes(bytes + i);
    return (all & UINT64_C(0x8080808080808080)) == 0;
}

uint32_t model_in_line(const char *bytes, uint32_t line, uint32_t offset) {
    return offset - (offset > line && bytes[offset - 1] == '\r');
}

/* Counts the bytes that do not continue a code point. */
uint32_t model_columns(const char *bytes, uint32_t at, uint32_t offset) {
    const uint64_t ones = UINT64_C(0x0101010101010101);
    offset = model_in_line(bytes, at, offset);
    uint32_t end = offset - at > COLUMN_BYTES ? at + COLUMN_BYTES : offset, inner = 0, start = at;
    while (end - at >= ASCII_BYTES && are_ascii(bytes + at)) at += ASCII_BYTES;
    for (; end - at >= 8; at += 8) {
        uint64_t eight = eight_bytes(bytes + at);
        inner += (uint32_t)(((eight >> 7 & ~eight >> 6 & ones) * ones) >> 56); /* bytes 10xxxxxx */
    }
    for (; at < end; at++) inner += ((unsigned char)bytes[at] & 0xC0) == 0x80;
    return end - start - inner;
}

Position model_position(const FileModel *model, const char *bytes, uint32_t offset) {
    assert(offset <= model->byte_count);
    uint32_t line = model_line(model, offset);
    uint32_t at = model->lines.items[line - 1];
    if (at == 0 && offset >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) at = 3;
    return (Position){line, 1 + model_columns(bytes, at, offset)};
}

bool model_is_decorated(const FileModel *model, const Func *func, Text name) {
    for (uint32_t i = 0; i < func->decorators.count; i++) {
        const Expr *expr = &model->exprs.items[model->links.items[func->decorators.first + i]];
        bool named = expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE;
        if (named && text_ends(model_name(model, expr->name), name)) return true;
    }
    return false;
}

ExprId model_first_part(const FileModel *model, const Func *func, ExprId id, uint32_t most) {
    Span whole = model->exprs.items[id].span;
    for (; id > func->first_expr && most > 0; id--, most--) {
        Span part = model->exprs.items[id - 1].span;
        if (part.start < whole.start || part.end > whole.end) break;
    }
    return id;
}

ExprId model_expr_behind(const FileModel *model, const Func *func, uint32_t offset) {
    uint32_t count = func->end_expr - func->first_expr;
    return func->first_expr + FIRST_FROM(&model->exprs.items[func->first_expr], count, span.start, offset);
}

bool model_is_imported(const FileModel *model, const Expr *name) {
    if (name->kind != EXPR_NAME) return false;
    for (uint32_t i = 1; i < model->imports.count; i++) {
        const Expr *target = &model->exprs.items[model->imports.items[i].target];
        if (model->imports.items[i].target && target->name == name->name) return true;
    }
    return false;
}
