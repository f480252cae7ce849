#include "meaning.h"
#include "conventions.h"
#include "making.h"
#include "loop_turn.h"
#include "made_index.h"
#include "purpose.h"
#include "variable.h"
#include <stdlib.h>

/* ---- values ---- */

static Tri has_dims(const Alt *alt, bool scalar) {
    if (alt->kind == KIND_UNKNOWN || (alt->kind == KIND_TENSOR && !alt->dims)) return TRI_UNKNOWN;
    if (alt->kind != KIND_TENSOR) return TRI_NO;
    return tri_of((alt->dims == DIMS_SCALAR) == scalar);
}

/* `"cuda"`, `torch.device("cuda")`, `x.device`. */
static Tri is_gpu(const FixPlace *place, const Alt *alt) {
    if (alt->kind == KIND_DEVICE)
        return alt->device == DEVICE_UNKNOWN ? TRI_UNKNOWN : tri_of(alt->device == DEVICE_CUDA);
    if (alt->kind != KIND_TEXT) return alt->kind == KIND_NUMBER ? TRI_UNKNOWN : alt_is_kind(alt, KIND_DEVICE);
    return tri_of(
        name_is(place->book, NAMED_gpu_place, names_text(&place->inference->program->names, alt->id)));
}

static Tri is_graded(const Alt *alt) {
    if (alt->kind != KIND_TENSOR) return alt_is_kind(alt, KIND_TENSOR);
    if (alt->flags & ALT_GRADIENT) return TRI_YES;
    return alt->dtype == DTYPE_BOOL || alt->dtype == DTYPE_INT ? TRI_NO : TRI_UNKNOWN;
}

static Tri is_list(const FixPlace *place, const Alt *alt) {
    if (alt->kind != KIND_CONTAINER) return alt_is_kind(alt, KIND_CONTAINER);
    return tri_of(place->inference->flavours[alt->object] == FLAVOUR_LIST);
}

/* Whether one alternative meets a word for facts about values; false: the word is none. */
static bool ask_value(const FixPlace *place, Word word, const Alt *alt, Tri *answer) {
    switch (word) {
    case COND_tensor: *answer = alt_is_kind(alt, KIND_TENSOR); return true;
    case COND_cuda: *answer = alt_is_known(alt, alt->device, DEVICE_CUDA); return true;
    case COND_cpu: *answer = alt_is_known(alt, alt->device, DEVICE_CPU); return true;
    case COND_pinned:
        *answer = alt->kind == KIND_TENSOR ? (Tri)alt->pinned : alt_is_kind(alt, KIND_TENSOR);
        return true;
    case COND_batch:
        *answer = alt->kind == KIND_TENSOR ? tri_of((alt->flags & ALT_BATCH) && !(alt->flags & ALT_GUESS))
                                           : alt_is_kind(alt, KIND_TENSOR);
        return true;
    case COND_dtype_bool: *answer = alt_is_known(alt, alt->dtype, DTYPE_BOOL); return true;
    case COND_dtype_int: *answer = alt_is_known(alt, alt->dtype, DTYPE_INT); return true;
    case COND_dtype_float: *answer = alt_is_known(alt, alt->dtype, DTYPE_FLOAT); return true;
    case COND_scalar: *answer = has_dims(alt, true); return true;
    case COND_array: *answer = has_dims(alt, false); return true;
    case COND_number: *answer = alt_is_kind(alt, KIND_NUMBER); return true;
    case COND_numpy: *answer = alt_is_kind(alt, KIND_NUMPY); return true;
    case COND_sequence: *answer = is_list(place, alt); return true;
    case COND_names_cuda: *answer = is_gpu(place, alt); return true;
    case COND_gradient: *answer = is_graded(alt); return true;
    default: return false;
    }
}

/* Accumulates the answers of all contexts that reach the expression, and of all alternatives there. */
typedef struct Asked {
    Tri all;
    bool any, certain, is_value;
} Asked;

static void ask_context(const FixPlace *place, Word word, const Value *value, Asked *asked) {
    for (uint32_t i = 0; value && i < value->count; i++) {
        Tri one = TRI_UNKNOWN;
        asked->is_value = ask_value(place, word, &value->alts[i], &one);
        if (value->alts[i].flags & ALT_WIDE) one = TRI_UNKNOWN;
        asked->certain &= value->alts[i].belief == 0;
        asked->all = asked->any && one != asked->all ? TRI_UNKNOWN : one;
        asked->any = true;
    }
}

static Asked ask_contexts(const FixPlace *place, Word word, ExprId expr) {
    const Inference *inference = place->inference;
    Asked asked = {.all = TRI_UNKNOWN, .certain = true};
    GlobalFunc func = global_func(inference, place->file_id, place->func);
    for (ContextId id = inference->func_contexts[func]; id; id = inference->context_links.items[id].next) {
        const Context *context = inference->contexts.items[id];
        if (context_is_live(context)) ask_context(place, word, infer_fact(context, place->model, expr), &asked);
    }
    return asked;
}

bool meaning_is(const FixPlace *place, Word word, ExprId expr) {
    return ask_contexts(place, word, expr).all == TRI_YES;
}

/* The only API that a value may be; 0 = it may be something else. */
static EntryId entry_in(const Value *value) {
    EntryId entry = value->count && value->alts[0].kind == KIND_ENTRY ? value->alts[0].id : 0;
    for (uint32_t i = 1; i < value->count; i++)
        if (value->alts[i].kind != KIND_ENTRY || value->alts[i].id != entry) return 0;
    return entry;
}

/* A callee has no fact of its own, and `torch.long` is a dtype: both are recognised by the module that they
   belong to. */
static EntryId entry_at(const FixPlace *place, const Context *context, ExprId id) {
    const Value *value = infer_fact(context, place->model, id);
    const Expr *expr = &place->model->exprs.items[id];
    EntryId entry = value ? entry_in(value) : 0;
    if (entry) return entry;
    EntryId above = expr->kind == EXPR_ATTRIBUTE ? entry_at(place, context, expr->a) : 0;
    bool named = above && (!value || place->book->entries[above].kind == ENTRY_MODULE);
    return named ? rulebook_child(place->book, above, model_name(place->model, expr->name)) : 0;
}

EntryId meaning_entry(const FixPlace *place, ExprId expr) {
    const Inference *inference = place->inference;
    GlobalFunc func = global_func(inference, place->file_id, place->func);
    EntryId entry = 0;
    for (ContextId id = inference->func_contexts[func]; id; id = inference->context_links.items[id].next) {
        const Context *context = inference->contexts.items[id];
        if (!context_is_live(context)) continue;
        EntryId here = entry_at(place, context, expr);
        if (!here || (entry && entry != here)) return 0;
        entry = here;
    }
    return entry;
}

bool meaning_is_entry(const FixPlace *place, ExprId expr, EntryId entry) {
    return entry && meaning_entry(place, expr) == entry;
}

static bool is_elsewhere(const Alt *alt) {
    if (alt->flags & ALT_WIDE) return false;
    bool plain = alt->kind == KIND_NUMBER || alt->kind == KIND_TEXT || alt->kind == KIND_NONE ||
                 alt->kind == KIND_HOST || alt->kind == KIND_DTYPE || alt->kind == KIND_DEVICE;
    return plain || (alt->kind == KIND_TENSOR && alt->device == DEVICE_CUDA);
}

bool meaning_keeps_nothing(const FixPlace *place, ExprId expr) {
    const Inference *inference = place->inference;
    GlobalFunc func = global_func(inference, place->file_id, place->func);
    bool any = false;
    for (ContextId id = inference->func_contexts[func]; id; id = inference->context_links.items[id].next) {
        const Context *context = inference->contexts.items[id];
        const Value *value = context_is_live(context) ? infer_fact(context, place->model, expr) : NULL;
        for (uint32_t i = 0; value && i < value->count; i++) {
            if (!is_elsewhere(&value->alts[i])) return false;
            any = true;
        }
    }
    return any;
}

/* ---- the text ---- */

static const Expr *at(const FixPlace *place, ExprId expr) { return &place->model->exprs.items[expr]; }

typedef bool AskExpr(const FixPlace *place, ExprId expr);

static bool each_part(const FixPlace *place, const Expr *expr, AskExpr *ask) {
    bool all = (!expr->a || ask(place, expr->a)) && (!expr->b || ask(place, expr->b));
    if (expr->kind != EXPR_COMPARE) all = all && (!expr->c || ask(place, expr->c));
    for (uint32_t i = 0; all && i < expr->list.count; i++)
        all = ask(place, place->model->links.items[expr->list.first + i]);
    return all;
}

static bool is_number(const Expr *expr) {
    return expr->kind == EXPR_INT || expr->kind == EXPR_FLOAT || expr->kind == EXPR_TRUE ||
           expr->kind == EXPR_FALSE;
}

static bool is_constant(const FixPlace *place, ExprId id) {
    const Expr *expr = at(place, id);
    bool holds = expr->kind == EXPR_UNARY || expr->kind == EXPR_LIST || expr->kind == EXPR_TUPLE;
    if (is_number(expr) || expr->kind == EXPR_STRING || expr->kind == EXPR_NONE) return true;
    return holds && each_part(place, expr, is_constant);
}

/* Evaluating it twice gives the same, without side effects. */
static bool is_pure(const FixPlace *place, ExprId id) {
    const Expr *expr = at(place, id);
    switch ((ExprKind)expr->kind) {
    case EXPR_NAME:
    case EXPR_INT:
    case EXPR_FLOAT:
    case EXPR_STRING:
    case EXPR_TRUE:
    case EXPR_FALSE:
    case EXPR_NONE: return true;
    case EXPR_ATTRIBUTE:
    case EXPR_SUBSCRIPT:
    case EXPR_SLICE:
    case EXPR_BINARY:
    case EXPR_UNARY:
    case EXPR_COMPARE:
    case EXPR_KEYWORD:
    case EXPR_LIST:
    case EXPR_TUPLE: return each_part(place, expr, is_pure);
    default: return false;
    }
}

/* A literal from -most to most; a sign is an operator. */
static bool is_number_to(const FixPlace *place, ExprId id, double most, bool negative) {
    const Expr *expr = at(place, id);
    if (negative && expr->kind == EXPR_UNARY && expr->op == OP_NEG)
        return is_number_to(place, expr->a, most, false);
    if (expr->kind == EXPR_TRUE || expr->kind == EXPR_FALSE) return true;
    Text digits = is_number(expr) ? model_name(place->model, expr->name) : (Text){0};
    char copy[32], *end;
    if (!digits.length || digits.length >= sizeof copy) return false;
    memcpy(copy, digits.bytes, digits.length);
    copy[digits.length] = 0;
    double value = strtod(copy, &end);
    bool whole = expr->kind == EXPR_INT;
    return !*end && value <= (whole && most > 1e18 ? 1e18 : most);
}

static bool is_whole(const Expr *expr) { return expr->kind == EXPR_INT; }

/* Digits only, so that the value is simple to compute. */
static bool whole_value(const FixPlace *place, ExprId id, uint32_t *value) {
    const Expr *expr = at(place, id);
    Text digits = is_whole(expr) ? model_name(place->model, expr->name) : (Text){0};
    *value = 0;
    for (uint32_t i = 0; i < digits.length; i++) {
        if (digits.bytes[i] < '0' || digits.bytes[i] > '9') return false;
        *value = *value * 10 + (uint32_t)(digits.bytes[i] - '0');
    }
    return digits.length > 0 && digits.length < 9;
}

bool meaning_steps(const FixPlace *place, ExprId id, Steps *steps) {
    const Expr *list = at(place, id);
    const ExprId *items = place->model->links.items + list->list.first;
    uint32_t before = 0, value = 0;
    if (list->kind != EXPR_LIST || !list->list.count) return false;
    *steps = (Steps){.by = 1};
    for (uint32_t i = 0; i < list->list.count; i++, before = value) {
        if (!whole_value(place, items[i], &value) || (i && value <= before)) return false;
        if (i == 0) steps->first = value;
        if (i == 1) steps->by = value - before;
        if (i && value - before != steps->by) return false;
    }
    steps->last = value;
    return true;
}

/* Beside another list or tensor, an index forms pairs. */
static bool is_listed(const FixPlace *place, ExprId id) {
    const Expr *expr = at(place, id);
    bool plain = expr->kind == EXPR_SLICE || expr->kind == EXPR_ELLIPSIS || expr->kind == EXPR_NONE;
    return !plain && !is_whole(expr) && !(expr->kind == EXPR_UNARY && is_constant(place, id));
}

/* ---- context of an expression ---- */

static bool is_arithmetic(const Expr *expr) {
    return (expr->kind == EXPR_BINARY && expr->op != OP_MATMUL) || expr->kind == EXPR_UNARY ||
           expr->kind == EXPR_COMPARE;
}

static bool is_fresh(const FixPlace *place, ExprId id) {
    const Expr *expr = at(place, id);
    return is_number(expr) || (expr->kind == EXPR_UNARY && is_constant(place, id)) ||
           (is_arithmetic(expr) && expr->op != OP_POS);
}

/* `y *= x[[0, 1]]` computes with it too. */
static bool is_computed_with(const FixPlace *place, ExprId id) {
    ExprId parent = place->index->parents[id];
    if (parent) return is_arithmetic(at(place, parent)) && at(place, parent)->op != OP_POS;
    const Stmt *stmt = &place->model->stmts.items[place->index->holds[id]];
    return stmt->kind == STMT_AUGMENT && stmt->b == id && stmt->op != OP_MATMUL;
}

static bool is_dropped(const FixPlace *place, ExprId id) {
    return place->model->stmts.items[place->index->holds[id]].kind == STMT_EXPR && !place->index->parents[id];
}

/* A variable of the function that the enclosing loops do not bind. (Other variables may change.) */
static bool stays(const FixPlace *place, ExprId id) {
    const Expr *expr = at(place, id);
    uint32_t slot = expr->kind == EXPR_NAME ? slot_own(expr) : 0;
    if (expr->kind != EXPR_NAME) return each_part(place, expr, stays);
    if (!slot) return expr->binding == BIND_GLOBAL || expr->binding == BIND_FREE;
    for (LoopId loop = place->loop; loop; loop = place->model->loops.items[loop].outer)
        if (graph_written_in(place->graph, slot, loop)) return false;
    return true;
}

/* `bar.set_postfix(loss=t.item())`: only that statement gets the number. */
static bool is_logged(const FixPlace *place, ExprId id) {
    ExprId root = id;
    while (place->index->parents[root]) root = place->index->parents[root];
    StmtId stmt = place->index->holds[root];
    PurposeAsked asked = {place->book, place->graph, place->index->parents, place->scratch};
    return place->model->stmts.items[stmt].kind == STMT_EXPR && turn_is_steady(place, id) &&
           purpose_of(&asked, id, stmt) == PURPOSE_logged;
}

static Tri ask_text(const FixPlace *place, Word word, ExprId id) {
    Steps steps;
    switch (word) {
    case COND_plain: return tri_of(is_number_to(place, id, 100, false));
    case COND_near: return tri_of(is_number_to(place, id, 1e30, true));
    case COND_constant: return tri_of(is_constant(place, id));
    case COND_whole: return tri_of(is_whole(at(place, id)));
    case COND_several: return TRI_YES;
    case COND_listed: return tri_of(is_listed(place, id));
    case COND_fresh: return tri_of(is_fresh(place, id));
    case COND_stepped: return tri_of(meaning_steps(place, id, &steps));
    case COND_pure: return tri_of(is_pure(place, id));
    case COND_fixed: return tri_of(is_pure(place, id) && stays(place, id));
    case COND_named: return tri_of(at(place, id)->kind == EXPR_NAME && slot_own(at(place, id)));
    case COND_computed: return tri_of(is_computed_with(place, id));
    case COND_dropped: return tri_of(is_dropped(place, id));
    case COND_raised: return tri_of(variable_is_raised(place, id));
    case COND_repeated: return tri_of(is_dropped(place, id) && turn_is_repeated(place, id));
    case COND_rebound: return tri_of(turn_is_rebound(place, id));
    case COND_gathered: return tri_of(turn_gathers(place, id) != 0);
    case COND_steady: return tri_of(is_dropped(place, id) && turn_is_steady(place, id));
    case COND_turned: return tri_of(variable_is_turned(place, id));
    case COND_confined: return tri_of(variable_is_own(place, id));
    case COND_logged: return tri_of(is_logged(place, id));
    case COND_copied: return tri_of(turn_is_only_copied(place, id));
    default: return TRI_UNKNOWN;
    }
}

/* ---- words with arguments ---- */

static bool is_literal(const FixPlace *place, ExprId id, const Term *literal) {
    const Expr *expr = at(place, id);
    uint32_t value;
    if (literal->kind == TERM_INT) return whole_value(place, id, &value) && (int32_t)value == literal->value;
    return expr->kind == EXPR_FLOAT && literal->kind == TERM_TEXT &&
           text_equal(model_name(place->model, expr->name), rulebook_text(place->book, (TextId)literal->value));
}

/* Every definition assigns the literal, or adds to the variable; it may be divided too (rewriting_elsewhere.c). */
static bool is_summed(const FixPlace *place, ExprId id, const Term *literal) {
    if (!variable_is_own(place, id)) return false;
    Accesses defs = graph_defs(place->graph, slot_own(at(place, id)));
    bool begun = false;
    for (const AccessId *def = defs.first; def < defs.end; def++) {
        uint8_t kind = place->graph->accesses[*def].kind;
        const Stmt *stmt = graph_stmt(place->graph, *def);
        ExprId value = variable_given(place, *def);
        bool assigns = value && is_literal(place, value, literal);
        bool divides = kind == DEF_AUGMENT && stmt->op == OP_DIV;
        if (!assigns && !divides && !(kind == DEF_AUGMENT && stmt->op == OP_ADD)) return false;
        begun |= assigns;
    }
    return begun && !variable_is_importable(place);
}

static bool is_called(const FixPlace *place, ExprId id, const Term *term) {
    const Expr *expr = at(place, id);
    for (uint32_t i = 0; expr->kind == EXPR_KEYWORD && i < term->count; i++) {
        const Term *name = &place->book->terms[place->book->term_links[term->first + i]];
        if (text_equal(model_name(place->model, expr->name), rulebook_text(place->book, (TextId)name->value)))
            return true;
    }
    return false;
}

static bool is_one_of(const FixPlace *place, ExprId id, const Term *term) {
    for (uint32_t i = 0; i < term->count; i++) {
        EntryId entry = (EntryId)place->book->terms[place->book->term_links[term->first + i]].value;
        if (meaning_is_entry(place, id, entry)) return true;
    }
    return false;
}

static Tri ask_arguments(const FixPlace *place, const Term *term, ExprId id) {
    switch ((Word)term->word) {
    case COND_one_of: return tri_of(is_one_of(place, id, term));
    case COND_keyword: return tri_of(is_called(place, id, term));
    case COND_indexes:
        return tri_of(made_index_saves(place, id) && is_one_of(place, made_index_maker(place, id), term));
    case COND_summed:
        return tri_of(is_summed(place, id, &place->book->terms[place->book->term_links[term->first]]));
    default: return TRI_UNKNOWN;
    }
}

/* ---- code elsewhere ---- */

static bool is_one_of(const FixPlace *place, ExprId id, const Term *term);

/* The i of `for i in range(n)` or `for i, x in tqdm(enumerate(xs))`, if nothing else binds it. */
static ExprId counter(const FixPlace *place, const Term *term) {
    const FileModel *model = place->model;
    StmtId turn = turn_statement(place);
    const Stmt *stmt = &model->stmts.items[turn];
    ExprId over = turn ? stmt->b : 0, name = turn ? stmt->a : 0;
    while (over && at(place, over)->kind == EXPR_CALL && !is_one_of(place, at(place, over)->a, term)) {
        List arguments = at(place, over)->list;
        over = arguments.count ? model->links.items[arguments.first] : 0;
    }
    if (!over || at(place, over)->kind != EXPR_CALL) return 0;
    List parts = at(place, name)->list;
    if (at(place, name)->kind == EXPR_TUPLE && parts.count) name = model->links.items[parts.first];
    uint32_t slot = at(place, name)->kind == EXPR_NAME ? slot_own(at(place, name)) : 0;
    if (!slot || ask_contexts(place, COND_number, name).all != TRI_YES) return 0;
    Accesses defs = graph_defs(place->graph, slot);
    for (const AccessId *def = defs.first; def < defs.end; def++) {
        uint8_t kind = place->graph->accesses[*def].kind;
        if (kind != DEF_TURN && kind != DEF_TURN_PART) return 0;
    }
    return name;
}

bool meaning_bind_elsewhere(const FixPlace *place, PatternMatch *match) {
    const Remedy *remedy = match->pattern->remedy;
    StmtId turn = turn_statement(place);
    for (uint32_t i = 0; i < remedy->param_count && i < METAVARIABLES; i++) {
        const Term *term = &place->book->terms[place->book->params[remedy->first_param + i].condition];
        bool counts = term->kind == TERM_WORD && term->word == COND_counts;
        if (term->kind != TERM_WORD || (term->word != COND_iterated && !counts)) continue;
        ExprId name = counts ? counter(place, term) : 0;
        EntryId entry = (EntryId)place->book->terms[place->book->term_links[term->first]].value;
        if (turn && !counts) match->made = making_find(place, place->model->stmts.items[turn].b, entry);
        if (!name && !match->made.count) return false;
        match->bound[i] =
            (MetaBound){true, false, arena_copy(place->scratch, &name, sizeof name), name ? 1 : 0};
    }
    return true;
}

/* ---- conditions ---- */

static Tri ask(const FixPlace *place, TermId condition, ExprId expr, bool *certain);

static Tri ask_word(const FixPlace *place, const Term *term, ExprId expr, bool *certain) {
    bool supposed = true;
    if (term->word == COND_supposed) return ask(place, place->book->term_links[term->first], expr, &supposed);
    if (term->count) return ask_arguments(place, term, expr);
    Asked asked = ask_contexts(place, (Word)term->word, expr);
    if (!asked.any || !asked.is_value) return ask_text(place, (Word)term->word, expr);
    *certain &= asked.certain;
    return asked.all;
}

static Tri ask_literal(const FixPlace *place, const Term *term, ExprId expr) {
    uint8_t kind = at(place, expr)->kind;
    uint32_t value;
    switch ((TermKind)term->kind) {
    case TERM_TRUE: return tri_of(kind == EXPR_TRUE);
    case TERM_FALSE: return tri_of(kind == EXPR_FALSE);
    case TERM_NULL: return tri_of(kind == EXPR_NONE);
    case TERM_INT: return tri_of(whole_value(place, expr, &value) && (int32_t)value == term->value);
    default: return TRI_UNKNOWN;
    }
}

static Tri ask(const FixPlace *place, TermId condition, ExprId expr, bool *certain) {
    const Rulebook *book = place->book;
    const Term *term = &book->terms[condition];
    const TermId *parts = book->term_links + term->first;
    if (!condition) return TRI_YES;
    if (term->kind == TERM_WORD) return ask_word(place, term, expr, certain);
    if (term->kind == TERM_NOT) return tri_not(ask(place, parts[0], expr, certain));
    if (term->kind != TERM_AND && term->kind != TERM_OR) return ask_literal(place, term, expr);
    Tri neutral = term->kind == TERM_AND ? TRI_YES : TRI_NO, whole = neutral;
    for (uint32_t i = 0; i < term->count; i++) {
        Tri part = ask(place, parts[i], expr, certain);
        if (part == tri_not(neutral)) return part;
        if (part == TRI_UNKNOWN) whole = part;
    }
    return whole;
}

static TermId condition_of(const FixPlace *place, const Remedy *remedy, uint32_t variable) {
    return place->book->params[remedy->first_param + variable].condition;
}

bool meaning_holds(const FixPlace *place, const Remedy *remedy, uint32_t variable, ExprId expr) {
    bool certain = true;
    return ask(place, condition_of(place, remedy, variable), expr, &certain) == TRI_YES;
}

bool meaning_is_likely(const FixPlace *place, const Remedy *remedy, uint32_t variable, ExprId expr) {
    bool certain = true;
    (void)ask(place, condition_of(place, remedy, variable), expr, &certain);
    return !certain;
}

bool meaning_use(const FixPlace *place, const Remedy *remedy, ExprId expr) {
    bool certain = true;
    return ask(place, remedy->use, expr, &certain) == TRI_YES;
}

/* The condition contains the word, joined by &. */
static bool asks(const FixPlace *place, TermId condition, Word word) {
    const Term *term = &place->book->terms[condition];
    if (!condition || term->kind == TERM_WORD) return condition && term->word == word;
    for (uint32_t i = 0; term->kind == TERM_AND && i < term->count; i++)
        if (asks(place, place->book->term_links[term->first + i], word)) return true;
    return false;
}

bool meaning_fits_whole(const PatternMatch *match) {
    const Remedy *remedy = match->pattern->remedy;
    for (uint32_t i = 0; i < remedy->param_count && i < METAVARIABLES; i++)
        if (match->bound[i].count == 1 &&
            asks(match->place, condition_of(match->place, remedy, i), COND_confined) &&
            !variable_is_confined(match, match->bound[i].items[0]))
            return false;
    return true;
}
