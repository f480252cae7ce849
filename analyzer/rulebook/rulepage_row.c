#include "rulepage_row.h"
#include "conventions.h"

/* The place of the one star decides how a name is compared. */
static ConventionRow row_of(Draft *draft, Named word, Text pattern) {
    uint32_t stars = 0;
    for (uint32_t i = 0; i < pattern.length; i++) stars += pattern.bytes[i] == '*';
    bool start = stars == 1 && pattern.bytes[0] == '*',
         end = stars == 1 && pattern.bytes[pattern.length - 1] == '*';
    RowShape shape = !stars ? ROW_WHOLE : start ? ROW_END : end ? ROW_START : ROW_PATTERN;
    Text text = text_slice(pattern, start, pattern.length - (end && !start));
    return (ConventionRow){draft_text(draft, text), (uint16_t)word, (uint8_t)shape};
}

static bool has(const Draft *draft, ConventionRow row) {
    for (uint32_t i = 0; i < draft->conventions.count; i++) {
        const ConventionRow *other = &draft->conventions.items[i];
        if (other->text == row.text && other->word == row.word && other->shape == row.shape) return true;
    }
    return false;
}

void row_read(Draft *draft, DraftPlace place, const FileModel *model, const Stmt *stmt) {
    const Expr *pattern = &model->exprs.items[stmt->a];
    const Expr *target = &model->exprs.items[stmt->list.count == 1 ? model->links.items[stmt->list.first] : 0];
    bool is_row = stmt->kind == STMT_ASSIGN && !stmt->b && target->kind == EXPR_NAME;
    Text text = pattern->kind == EXPR_STRING ? model_name(model, pattern->name) : (Text){0};
    if (!is_row || !text.length) {
        draft_fail(draft, place, "a row of conventions is written 'WORD: \"pattern\"'");
        return;
    }
    Text name = model_name(model, target->name);
    Named word = named_find(name);
    if (!word) {
        draft_fail(draft, place, "'%.*s' is no word of conventions.def", SHOWN(name));
        return;
    }
    ConventionRow row = row_of(draft, word, text);
    if (has(draft, row))
        draft_fail(draft, place, "this row stands there already");
    else
        vec_push(draft->arena, &draft->conventions, row);
}
