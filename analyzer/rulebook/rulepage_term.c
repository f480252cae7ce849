#include "rulepage_term.h"
#include <stdlib.h>

enum { MOST_ARGUMENTS = 32 };

typedef struct Shape {
    Word word;
    const char *arguments;
} Shape;

static const Shape SHAPES[] = {
#define SHAPE(word, letters) {word, letters},
#include "shapes.def"
};

typedef struct Arity {
    uint8_t least, most;
} Arity;

static const Arity ARITIES[WORD_LIMIT] = {
#define CONDITION(word, arguments, meaning) [COND_##word] = {arguments, arguments},
#include "effects.def"
#define REMEDY(word, least, most, meaning) [COND_##word] = {least, most},
#include "effects.def"
#define RETURN(word, least, most, meaning) [RET_##word] = {least, most},
#include "effects.def"
#define EFFECT(word, least, most, meaning) [EFF_##word] = {least, most},
#include "effects.def"
    [WORD_count] = {2, 2},
    [WORD_length] = {1, 1},
    [WORD_is_] = {2, 2},
    [WORD_version] = {1, 1},
};

typedef struct WordRange {
    uint16_t first, end;
    const char *noun;
} WordRange;

static const WordRange CONDITIONS = {COND_tensor, COND_constant, "condition"};
static const WordRange ASKED_BY_REMEDIES = {COND_tensor, RET_unknown, "condition"};
static const WordRange RETURNS = {RET_unknown, EFF_waits, "return"};
static const WordRange EFFECTS = {EFF_waits, WORD_to_host, "effect"};
static const WordRange FLAGS = {COND_dtype_bool, COND_numpy, "flag"};
static const WordRange DIRECTIONS = {WORD_to_host, WORD_here, "direction"};
static const WordRange RATES = {WORD_here, WORD_count, "frequency"};
static const WordRange COUNTS = {WORD_count, WORD_is_, "count"};
static const WordRange WHENS = {WORD_is_, WORD_version + 1, "condition"};

static const Expr *expr_at(const TermScope *scope, ExprId expr) { return &scope->model->exprs.items[expr]; }

DraftPlace term_place(const TermScope *scope, Span span) {
    return (DraftPlace){scope->page, model_line(scope->model, span.start) + scope->line_before};
}

Text term_dotted(Arena *arena, const FileModel *model, ExprId expr) {
    const Expr *e = &model->exprs.items[expr];
    if (e->kind == EXPR_NAME) return model_name(model, e->name);
    if (e->kind != EXPR_ATTRIBUTE) return (Text){0};
    Text object = term_dotted(arena, model, e->a), name = model_name(model, e->name);
    if (!object.length) return object;
    return text_format(arena, "%.*s.%.*s", SHOWN(object), SHOWN(name));
}

static Text dotted(const TermScope *scope, ExprId expr) {
    return term_dotted(scope->draft->arena, scope->model, expr);
}

static TermId refuse(TermScope *scope, ExprId expr, const char *what, Text name) {
    draft_fail(scope->draft, term_place(scope, expr_at(scope, expr)->span), "%s%s%.*s%s", what,
               name.length ? " '" : "", (int)name.length, name.length ? name.bytes : "",
               name.length ? "'" : "");
    return 0;
}

static Word find_word(WordRange range, Text name) {
    for (uint16_t word = range.first; word < range.end; word++)
        if (text_equal(text_of(rulebook_word((Word)word)), name)) return (Word)word;
    return WORD_NONE;
}

static TermId leaf(TermScope *scope, TermKind kind, uint16_t word, int32_t value) {
    return draft_term(scope->draft, (Term){.kind = (uint8_t)kind, .word = word, .value = value}, NULL, 0);
}

static TermId text_term(TermScope *scope, Text text) {
    return leaf(scope, TERM_TEXT, 0, (int32_t)draft_text(scope->draft, text));
}

/* ---- literals and names ---- */
static TermId int_term(TermScope *scope, ExprId expr, bool negative) {
    Text digits = model_name(scope->model, expr_at(scope, expr)->name);
    char copy[16];
    if (digits.length >= sizeof copy) return refuse(scope, expr, "a number too large", digits);
    memcpy(copy, digits.bytes, digits.length);
    copy[digits.length] = 0;
    char *end;
    long value = strtol(copy, &end, 10);
    if (*end || value > INT32_MAX) return refuse(scope, expr, "a number that cannot be read", digits);
    return leaf(scope, TERM_INT, 0, (int32_t)(negative ? -value : value));
}

TermId term_literal(TermScope *scope, ExprId expr) {
    const Expr *e = expr_at(scope, expr);
    switch ((ExprKind)e->kind) {
    case EXPR_TRUE: return leaf(scope, TERM_TRUE, 0, 0);
    case EXPR_FALSE: return leaf(scope, TERM_FALSE, 0, 0);
    case EXPR_NONE: return leaf(scope, TERM_NULL, 0, 0);
    case EXPR_INT: return int_term(scope, expr, false);
    case EXPR_FLOAT:
    case EXPR_STRING: return text_term(scope, model_name(scope->model, e->name));
    case EXPR_UNARY:
        if (e->op == OP_NEG && expr_at(scope, e->a)->kind == EXPR_INT) return int_term(scope, e->a, true);
        return 0;
    default: return 0;
    }
}

static TermId find_param(TermScope *scope, Text name) {
    for (uint32_t i = 0; name.length && i < scope->param_count; i++)
        if (text_equal(draft_name(scope->draft, scope->params[i].name), name))
            return leaf(scope, TERM_PARAM, 0, (int32_t)i);
    return 0;
}

static TermId read_param(TermScope *scope, ExprId expr) {
    Text name = dotted(scope, expr);
    TermId param = find_param(scope, name);
    return param ? param : refuse(scope, expr, "not a parameter of this def:", name);
}

static TermId read_class(TermScope *scope, ExprId expr) {
    Text name = dotted(scope, expr);
    EntryId entry = name.length ? draft_find(scope->draft, scope->scope, name) : 0;
    if (!entry) return refuse(scope, expr, "unknown name", name);
    if (scope->draft->entries.items[entry].entry.kind != ENTRY_CLASS)
        return refuse(scope, expr, "not a class of any page:", name);
    return leaf(scope, TERM_ENTRY, 0, (int32_t)entry);
}

static TermId read_entry(TermScope *scope, ExprId expr) {
    Text name = dotted(scope, expr);
    EntryId entry = name.length ? draft_find(scope->draft, scope->scope, name) : 0;
    return entry ? leaf(scope, TERM_ENTRY, 0, (int32_t)entry) : refuse(scope, expr, "unknown name", name);
}

static TermId read_word_of(TermScope *scope, ExprId expr, WordRange range) {
    Text name = dotted(scope, expr);
    Word word = find_word(range, name);
    if (word) return leaf(scope, TERM_WORD, (uint16_t)word, 0);
    draft_fail(scope->draft, term_place(scope, expr_at(scope, expr)->span), "unknown %s '%.*s'", range.noun,
               (int)name.length, name.length ? name.bytes : "");
    return 0;
}

static TermId read_string(TermScope *scope, ExprId expr, const char *const *allowed) {
    Text value = model_name(scope->model, expr_at(scope, expr)->name);
    if (expr_at(scope, expr)->kind != EXPR_STRING)
        return refuse(scope, expr, "a string must stand here", (Text){0});
    for (; *allowed; allowed++)
        if (text_equal(value, text_of(*allowed))) return text_term(scope, value);
    return refuse(scope, expr, "unknown value", value);
}

/* '>=2.1', '<2', ... */
static TermId read_version(TermScope *scope, ExprId expr) {
    Text value = model_name(scope->model, expr_at(scope, expr)->name);
    uint32_t at = 0;
    while (at < value.length && strchr("<>=!", value.bytes[at])) at++;
    bool fine = expr_at(scope, expr)->kind == EXPR_STRING && at > 0 && at < value.length;
    for (; fine && at < value.length; at++)
        fine = value.bytes[at] == '.' || (value.bytes[at] >= '0' && value.bytes[at] <= '9');
    return fine ? text_term(scope, value) : refuse(scope, expr, "a version looks like '>=2.1', not", value);
}

/* ---- quantities of the profile ---- */
/* A page may leave the suffix _us out. */
static bool names_quantity(Text quantity, Text name) {
    Text unit = TEXT("_us");
    return text_equal(quantity, name) ||
           (text_ends(quantity, unit) &&
            text_equal(text_slice(quantity, 0, quantity.length - unit.length), name));
}

static TermId read_quantity(TermScope *scope, ExprId expr) {
    static const char *const known[] = {
#define QUANTITY(name, unit, median, p10, p90, meaning) #name,
#include "../calib/profile.def"
#undef QUANTITY
        NULL,
    };
    Text name = expr_at(scope, expr)->kind == EXPR_STRING ? model_name(scope->model, expr_at(scope, expr)->name)
                                                          : dotted(scope, expr);
    for (uint32_t i = 0; known[i]; i++)
        if (names_quantity(text_of(known[i]), name)) return text_term(scope, name);
    return refuse(scope, expr, "no such quantity in calib/profile.def:", name);
}

/* ---- calls: word(argument, ...) ---- */
static TermId read_argument(TermScope *scope, ExprId expr, char letter);

static TermId read_arguments(TermScope *scope, ExprId expr, Word word, List arguments) {
    const char *shape = "";
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++)
        if (SHAPES[i].word == word) shape = SHAPES[i].arguments;
    Arity arity = ARITIES[word];
    if (arguments.count < arity.least || arguments.count > arity.most || arguments.count > MOST_ARGUMENTS)
        return refuse(scope, expr, "wrong number of arguments for", text_of(rulebook_word(word)));
    TermId terms[MOST_ARGUMENTS];
    for (uint32_t i = 0; i < arguments.count; i++) {
        if (i && shape[0] && shape[1]) shape++;
        terms[i] = read_argument(scope, scope->model->links.items[arguments.first + i], *shape);
        if (!terms[i]) return 0;
    }
    return draft_term(scope->draft, (Term){.kind = TERM_WORD, .word = (uint16_t)word}, terms, arguments.count);
}

/* A word, or a call of one. The range says which words are allowed and the noun for an error message. */
static TermId read_word(TermScope *scope, ExprId expr, WordRange range) {
    const Expr *e = expr_at(scope, expr);
    Text name = dotted(scope, e->kind == EXPR_CALL ? e->a : expr);
    Word word = find_word(range, name);
    if (word) return read_arguments(scope, expr, word, e->kind == EXPR_CALL ? e->list : (List){0});
    draft_fail(scope->draft, term_place(scope, e->span), "unknown %s '%.*s'", range.noun, (int)name.length,
               name.length ? name.bytes : "");
    return 0;
}

/* ---- operators: a | b, a & b, ~a, a + b, a * b ---- */
typedef TermId ReadTerm(TermScope *scope, ExprId expr);

static TermKind operator_kind(const Expr *e, bool counting) {
    switch (e->kind == EXPR_BINARY ? (Operator)e->op : OP_NO) {
    case OP_OR: return counting ? TERM_NO : TERM_OR;
    case OP_AND: return counting ? TERM_NO : TERM_AND;
    case OP_ADD: return counting ? TERM_ADD : TERM_NO;
    case OP_MUL: return counting ? TERM_MULTIPLY : TERM_NO;
    default: return TERM_NO;
    }
}

/* a | b | c becomes one term with three arguments: the left-leaning tree, flattened and reversed. */
static TermId read_operator(TermScope *scope, ExprId expr, TermKind kind, bool counting, ReadTerm *read) {
    TermId terms[MOST_ARGUMENTS];
    uint32_t count = 0;
    ExprId at = expr;
    while (operator_kind(expr_at(scope, at), counting) == kind && count < MOST_ARGUMENTS - 1) {
        terms[count++] = expr_at(scope, at)->b;
        at = expr_at(scope, at)->a;
    }
    terms[count++] = at;
    for (uint32_t i = 0; i < count / 2; i++) {
        uint32_t swapped = terms[i];
        terms[i] = terms[count - 1 - i];
        terms[count - 1 - i] = swapped;
    }
    for (uint32_t i = 0; i < count; i++)
        if (!(terms[i] = read(scope, terms[i]))) return 0;
    return draft_term(scope->draft, (Term){.kind = (uint8_t)kind}, terms, count);
}

static TermId read_not(TermScope *scope, ExprId expr, ReadTerm *read) {
    TermId inner = read(scope, expr_at(scope, expr)->a);
    return inner ? draft_term(scope->draft, (Term){.kind = TERM_NOT}, &inner, 1) : 0;
}

static bool is_not(const Expr *e) { return e->kind == EXPR_UNARY && e->op == OP_INVERT; }

/* ---- the four kinds of terms ---- */
TermId term_condition(TermScope *scope, ExprId expr) {
    const Expr *e = expr_at(scope, expr);
    TermKind kind = operator_kind(e, false);
    if (kind) return read_operator(scope, expr, kind, false, term_condition);
    if (is_not(e)) return read_not(scope, expr, term_condition);
    if (e->kind == EXPR_INT) return int_term(scope, expr, false);
    TermId literal = term_literal(scope, expr);
    if (literal) return literal;
    if (e->kind == EXPR_ATTRIBUTE) return read_class(scope, expr);
    WordRange words = scope->remedy ? ASKED_BY_REMEDIES : CONDITIONS;
    if (e->kind == EXPR_NAME && !find_word(words, dotted(scope, expr)) &&
        draft_find(scope->draft, scope->scope, dotted(scope, expr)))
        return read_class(scope, expr);
    return read_word(scope, expr, words);
}

static TermId read_when(TermScope *scope, ExprId expr) {
    const Expr *e = expr_at(scope, expr);
    TermKind kind = operator_kind(e, false);
    if (kind) return read_operator(scope, expr, kind, false, read_when);
    return is_not(e) ? read_not(scope, expr, read_when) : read_word(scope, expr, WHENS);
}

static TermId read_count(TermScope *scope, ExprId expr) {
    const Expr *e = expr_at(scope, expr);
    TermKind kind = operator_kind(e, true);
    if (kind) return read_operator(scope, expr, kind, true, read_count);
    return e->kind == EXPR_INT ? int_term(scope, expr, false) : read_word(scope, expr, COUNTS);
}

/* A name is a word of the vocabulary, else a parameter (that argument itself), else a class (an instance of
   it). */
static TermId return_name(TermScope *scope, ExprId expr) {
    Text name = dotted(scope, expr);
    Word word = find_word(RETURNS, name);
    if (word && ARITIES[word].least == 0) return read_word(scope, expr, RETURNS);
    TermId param = find_param(scope, name);
    if (param) return param;
    return word ? read_word(scope, expr, RETURNS) : read_class(scope, expr);
}

TermId term_return(TermScope *scope, ExprId expr) {
    const Expr *e = expr_at(scope, expr);
    if (e->kind == EXPR_BINARY && e->op == OP_OR)
        return read_operator(scope, expr, TERM_OR, false, term_return);
    if (e->kind == EXPR_NONE) return leaf(scope, TERM_WORD, RET_none, 0);
    /* a truth value that is fixed because the priced run has a GPU: is_available() -> True */
    if (e->kind == EXPR_TRUE) return leaf(scope, TERM_TRUE, 0, 0);
    if (e->kind == EXPR_FALSE) return leaf(scope, TERM_FALSE, 0, 0);
    if (e->kind == EXPR_STRING) return text_term(scope, model_name(scope->model, e->name));
    if (e->kind == EXPR_NAME || e->kind == EXPR_ATTRIBUTE) return return_name(scope, expr);
    return e->kind == EXPR_CALL ? read_word(scope, expr, RETURNS)
                                : refuse(scope, expr, "a return is a word, a parameter or a class", (Text){0});
}

static TermId named(TermScope *scope, ExprId expr, TermId value) {
    Term term = {.kind = TERM_NAMED};
    term.value = (int32_t)draft_text(scope->draft, model_name(scope->model, expr_at(scope, expr)->name));
    return value ? draft_term(scope->draft, term, &value, 1) : 0;
}

static TermId read_backward(TermScope *scope, ExprId expr) {
    const Expr *e = expr_at(scope, expr);
    if (e->kind != EXPR_KEYWORD || !text_equal(model_name(scope->model, e->name), TEXT("backward")))
        return refuse(scope, expr, "the second argument of launches is written backward=N", (Text){0});
    return named(scope, expr, read_count(scope, e->a));
}

/* A named element: tuple(values=like(self)) is a named tuple. */
static TermId read_part(TermScope *scope, ExprId expr) {
    const Expr *e = expr_at(scope, expr);
    return e->kind == EXPR_KEYWORD ? named(scope, expr, term_return(scope, e->a)) : term_return(scope, expr);
}

static TermId read_advice(TermScope *scope, ExprId expr) {
    const Expr *e = expr_at(scope, expr);
    if (e->kind != EXPR_STRING) return refuse(scope, expr, "advice is a string", (Text){0});
    return text_term(scope, model_name(scope->model, e->name));
}

/* Here a parameter takes precedence over a word: like(number) refers to the parameter `number`. */
static TermId read_param_or_return(TermScope *scope, ExprId expr) {
    TermId param = find_param(scope, dotted(scope, expr));
    return param ? param : term_return(scope, expr);
}

static TermId read_argument(TermScope *scope, ExprId expr, char letter) {
    static const char *const needs[] = {"avoidable", "needed", NULL};
    static const char *const levels[] = {"certain", "likely", "possible", NULL};
    static const char *const fences[] = {"device", "stream", "event", "ranks", "memory", NULL};
    static const char *const regions[] = {"stream", "capture", "profiled", NULL};
    static const char *const compiles[] = {"capture", "compiled", NULL};
    static const char *const found[] = {"anywhere", "note", NULL};
    static const char *const captures[] = {"survives", "breaks", NULL};
    switch (letter) {
    case 'p': return read_param(scope, expr);
    case 'a':
        if (find_word(FLAGS, dotted(scope, expr))) return read_word_of(scope, expr, FLAGS);
        return read_param_or_return(scope, expr);
    case 'x': return read_param_or_return(scope, expr);
    case 'g':
        if (find_word(FLAGS, dotted(scope, expr))) return read_word_of(scope, expr, FLAGS);
        return read_param(scope, expr);
    case 't': return read_part(scope, expr);
    case 'r': return term_return(scope, expr);
    case 'c': return term_condition(scope, expr);
    case 'i': return read_class(scope, expr);
    case 'e': return read_entry(scope, expr);
    case 'l': return term_literal(scope, expr);
    case 'n': return read_count(scope, expr);
    case 'b': return read_backward(scope, expr);
    case 'q': return read_quantity(scope, expr);
    case 'd': return read_word_of(scope, expr, DIRECTIONS);
    case 'f': return read_word_of(scope, expr, RATES);
    case 'w': return read_when(scope, expr);
    case 'N': return read_string(scope, expr, needs);
    case 'L': return read_string(scope, expr, levels);
    case 'S': return read_advice(scope, expr);
    case 'F': return read_string(scope, expr, fences);
    case 'R': return read_string(scope, expr, regions);
    case 'C': return read_string(scope, expr, compiles);
    case 'A': return read_string(scope, expr, found);
    case 'G': return read_string(scope, expr, captures);
    case 'V': return read_version(scope, expr);
    default: return refuse(scope, expr, "no argument may stand here", (Text){0});
    }
}

void term_decorator(TermScope *scope, ExprId expr, Clause *clause) {
    Draft *draft = scope->draft;
    TermId term = read_word(scope, expr, EFFECTS);
    if (!term) return;
    Term effect = draft->terms.items[term];
    if (effect.word == EFF_when) {
        if (clause->when) refuse(scope, expr, "a second when: join them with &", (Text){0});
        clause->when = draft->term_links.items[effect.first];
        return;
    }
    RuleEffect made = {.word = effect.word, .first = effect.first, .count = effect.count};
    vec_push(draft->arena, &draft->effects, made);
    clause->effect_count++;
}

void term_advice(TermScope *scope, Text advice, Clause *clause) {
    Draft *draft = scope->draft;
    TermId text = text_term(scope, advice);
    TermId term = draft_term(draft, (Term){.kind = TERM_WORD, .word = EFF_instead}, &text, 1);
    const Term *made = &draft->terms.items[term];
    RuleEffect effect = {.word = EFF_instead, .first = made->first, .count = made->count};
    vec_push(draft->arena, &draft->effects, effect);
    clause->effect_count++;
}
