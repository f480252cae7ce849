/* What Python's own operators and methods make of text whose default is known. Example: with `def __init__(self,
   attack="none~{}")`, `attack.split("~")[0].lower() == "fgm"` is false by default. */
#include "flow_walk.h"

enum { TEXT_MOST = 200 }; /* longer text is not computed with */

static const Literal unknown;

/* Text of which a byte is a character. The model keeps escapes as they are written. */
static bool is_plain(Text text) {
    for (uint32_t i = 0; i < text.length; i++)
        if ((text.bytes[i] & 0x80) || text.bytes[i] == '\\') return false;
    return text.length <= TEXT_MOST;
}

static bool is_text(const Literal *literal) { return literal->kind == LITERAL_TEXT && is_plain(literal->text); }

static Arena *arena_of(const Walk *walk) { return walk->kept ? &walk->kept->texts : walk->arena; }

/* Where `part` begins at or after `from`; the text's length = nowhere. */
static uint32_t find_part(Text text, Text part, uint32_t from) {
    for (; from + part.length <= text.length; from++)
        if (text_starts(text_slice(text, from, text.length), part)) return from;
    return text.length;
}

bool usual_holds(Text text, Text part) { return !part.length || find_part(text, part, 0) < text.length; }

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static Text stripped(Text text) {
    while (text.length && is_space(text.bytes[0])) text = text_slice(text, 1, text.length);
    while (text.length && is_space(text.bytes[text.length - 1])) text.length--;
    return text;
}

/* Letters between `first` and `last` become those of the other case. */
static Text recased(Arena *arena, Text text, char first, char last) {
    char *bytes = arena_copy(arena, text.bytes, text.length);
    for (uint32_t i = 0; i < text.length; i++)
        if (bytes[i] >= first && bytes[i] <= last) bytes[i] ^= 'a' ^ 'A';
    return (Text){bytes, text.length};
}

static Text joined(Arena *arena, Text left, Text right) {
    return text_format(arena, "%.*s%.*s", (int)left.length, left.bytes, (int)right.length, right.bytes);
}

static Text replaced(Arena *arena, Text text, Text part, Text by) {
    Text all = TEXT("");
    for (uint32_t from = 0; from < text.length;) {
        uint32_t at = find_part(text, part, from);
        all = joined(arena, all, text_slice(text, from, at));
        if (at < text.length) all = joined(arena, all, by);
        from = at + part.length;
    }
    return all;
}

/* The k-th piece between separators; false = there are not so many. */
static bool piece_of(Text text, Text separator, double k, Text *piece) {
    uint32_t count = 1;
    for (uint32_t at = 0; (at = find_part(text, separator, at)) < text.length; at += separator.length) count++;
    if (k < 0) k += count;
    if (k < 0 || k >= count) return false;
    uint32_t from = 0, at = find_part(text, separator, 0);
    for (; k >= 1; k--) from = at + separator.length, at = find_part(text, separator, from);
    *piece = text_slice(text, from, at);
    return true;
}

/* text.method(arguments), or `str.method(text, arguments)` */
typedef struct TextCall {
    Text name;
    ExprId text;
    List given; /* without the text */
} TextCall;

static TextCall text_call(const FileModel *model, ExprId id) {
    const Expr *call = &model->exprs.items[id], *callee = &model->exprs.items[call->a];
    if (call->kind != EXPR_CALL || callee->kind != EXPR_ATTRIBUTE) return (TextCall){0};
    TextCall of = {model_name(model, callee->name), callee->a, call->list};
    const Expr *owner = &model->exprs.items[callee->a];
    if (owner->kind == EXPR_NAME && python_is(PY_str, model_name(model, owner->name)) && of.given.count) {
        of.text = model->links.items[of.given.first];
        of.given = (List){of.given.first + 1, of.given.count - 1};
    }
    return of;
}

/* The text that an expression is by default, which takes over what the search said of it. */
static bool ask_text(const Walk *walk, ExprId id, int depth, Literal *text) {
    *text = usual_at(walk, id, depth + 1);
    return is_text(text);
}

static bool ask_given(const Walk *walk, List given, uint32_t i, int depth, Text *text) {
    Literal literal = unknown;
    if (!ask_text(walk, walk->model->links.items[given.first + i], depth, &literal)) return false;
    *text = literal.text;
    return true;
}

static Literal with_text(Literal of, Text text) {
    of.text = text;
    return of;
}

static Literal with_truth(Literal of, bool truth) {
    return (Literal){.kind = LITERAL_NUMBER, .number = truth, .handed = of.handed};
}

static Literal called_text(const Walk *walk, const TextCall *call, int depth) {
    bool lowers = python_is(PY_lower, call->name), raises = python_is(PY_upper, call->name),
         strips = python_is(PY_strip, call->name), starts = python_is(PY_startswith, call->name),
         ends = python_is(PY_endswith, call->name), replaces = python_is(PY_replace, call->name);
    uint32_t wanted = replaces ? 2 : starts || ends;
    Literal of = unknown;
    Text given[2] = {0};
    if (!lowers && !raises && !strips && !starts && !ends && !replaces) return unknown;
    if (call->given.count != wanted || !ask_text(walk, call->text, depth, &of)) return unknown;
    for (uint32_t i = 0; i < wanted; i++)
        if (!ask_given(walk, call->given, i, depth, &given[i])) return unknown;
    if (starts) return with_truth(of, text_starts(of.text, given[0]));
    if (ends) return with_truth(of, text_ends(of.text, given[0]));
    if (strips) return with_text(of, stripped(of.text));
    if (replaces && !given[0].length) return unknown;
    if (replaces) return with_text(of, replaced(arena_of(walk), of.text, given[0], given[1]));
    return with_text(of, lowers ? recased(arena_of(walk), of.text, 'A', 'Z')
                                : recased(arena_of(walk), of.text, 'a', 'z'));
}

/* `info.split("~")[0]`, `kind[-1]` */
static Literal indexed_text(const Walk *walk, const Expr *expr, int depth) {
    Literal index = usual_literal(walk->model, expr->b), of = unknown;
    if (index.kind != LITERAL_NUMBER) return unknown;
    TextCall call = text_call(walk->model, expr->a);
    Text separator = {0}, piece = {0};
    if (python_is(PY_split, call.name)) {
        bool known = call.given.count == 1 && ask_given(walk, call.given, 0, depth, &separator) &&
                     separator.length && ask_text(walk, call.text, depth, &of);
        return known && piece_of(of.text, separator, index.number, &piece) ? with_text(of, piece) : unknown;
    }
    if (!ask_text(walk, expr->a, depth, &of)) return unknown;
    double at = index.number < 0 ? index.number + of.text.length : index.number;
    if (at < 0 || at >= of.text.length) return unknown;
    return with_text(of, text_slice(of.text, (uint32_t)at, (uint32_t)at + 1));
}

static Literal joined_texts(const Walk *walk, Literal left, Literal right) {
    right.handed |= left.handed;
    if (left.option.length) right.option = left.option;
    return with_text(right, joined(arena_of(walk), left.text, right.text));
}

/* `f"loss_{kind}"`: an f-string of texts that it takes as they are. */
static Literal formatted_text(const Walk *walk, List parts, int depth) {
    Literal all = {.kind = LITERAL_TEXT, .text = TEXT("")};
    for (uint32_t i = 0; i < parts.count; i++) {
        ExprId part = walk->model->links.items[parts.first + i];
        const Expr *expr = &walk->model->exprs.items[part];
        bool field = expr->kind == EXPR_INTERPOLATION;
        Literal one = unknown;
        if (field && (expr->op || expr->name || expr->b)) return unknown;
        if (!ask_text(walk, field ? expr->a : part, depth, &one)) return unknown;
        all = joined_texts(walk, all, one);
    }
    return all;
}

Literal usual_text(const Walk *walk, ExprId id, int depth) {
    const Expr *expr = &walk->model->exprs.items[id];
    Literal left = unknown, right = unknown;
    if (expr->kind == EXPR_FSTRING) return formatted_text(walk, expr->list, depth);
    if (expr->kind == EXPR_SUBSCRIPT) return indexed_text(walk, expr, depth);
    if (expr->kind == EXPR_BINARY && expr->op == OP_ADD && ask_text(walk, expr->a, depth, &left) &&
        ask_text(walk, expr->b, depth, &right))
        return joined_texts(walk, left, right);
    TextCall call = text_call(walk->model, id);
    return call.name.length ? called_text(walk, &call, depth) : unknown;
}
