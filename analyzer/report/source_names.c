#include "source_names.h"
#include "conventions.h"
#include "python_names.h"

enum { WRAPPINGS = 6, STATEMENTS_LOOKED_AT = 256 };

Text source_text(const SourceFile *file, Span span) { return text_slice(file->bytes, span.start, span.end); }

static const Expr *expr_at(const SourceFile *file, ExprId id) { return &file->model->exprs.items[id]; }

/* The waiting expression; expression 0 where it is unknown. */
static const Expr *waiting(const SourceFile *file, const Site *site) {
    const Expr *expr = expr_at(file, site->expr < file->model->exprs.count ? site->expr : 0);
    bool same = expr->span.start == site->span.start && expr->span.end == site->span.end;
    return same ? expr : expr_at(file, 0);
}

FuncId source_function(const SourceFile *file, const Site *site) {
    const Expr *expr = waiting(file, site);
    return expr->kind ? model_func_of(file->model, site->expr) : 0;
}

static bool is_name(const Expr *expr) { return expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE; }

/* The first argument that is no literal: `print("loss", loss)` is about loss. */
static ExprId first_argument(const FileModel *model, const Expr *call) {
    for (uint32_t i = 0; i < call->list.count; i++) {
        ExprId id = model->links.items[call->list.first + i];
        uint8_t kind = model->exprs.items[id].kind;
        if (kind == EXPR_KEYWORD) return 0;
        if (kind != EXPR_STRING && kind != EXPR_INT && kind != EXPR_FLOAT) return id;
    }
    return 0;
}

static Text without_end(Text text, const char *end) {
    Text tail = text_of(end);
    return text_ends(text, tail) ? text_slice(text, 0, text.length - tail.length) : text;
}

Text source_value(const SourceFile *file, const Site *site) {
    const FileModel *model = file->model;
    const Expr *expr = waiting(file, site);
    if (expr->kind != EXPR_CALL) return source_text(file, site->span);
    const Expr *callee = expr_at(file, expr->a), *root = expr_at(file, callee->a);
    while (root->kind == EXPR_ATTRIBUTE) root = expr_at(file, root->a);
    bool method = callee->kind == EXPR_ATTRIBUTE && !model_is_imported(model, root);
    ExprId value = method ? callee->a : first_argument(model, expr);
    return value ? without_end(source_text(file, expr_at(file, value)->span), ".detach()")
                 : source_text(file, site->span);
}

Text source_destination(const SourceFile *file, const Site *site) {
    enum { LONGEST = 24 };
    const Expr *call = waiting(file, site);
    ExprId first = call->kind == EXPR_CALL && call->list.count ? file->model->links.items[call->list.first] : 0;
    if (expr_at(file, first)->kind == EXPR_KEYWORD) first = expr_at(file, first)->a;
    const Expr *given = expr_at(file, first);
    Text words = first ? source_text(file, given->span) : (Text){0};
    bool plain = given->kind == EXPR_NAME || given->kind == EXPR_ATTRIBUTE || given->kind == EXPR_STRING;
    return plain && words.length <= LONGEST ? words : TEXT("device");
}

/* The subscripted object of `at[2::2]`. */
static const Expr *whole(const SourceFile *file, ExprId id) {
    const Expr *expr = expr_at(file, id);
    while (expr->kind == EXPR_SUBSCRIPT && expr_at(file, expr->b)->kind == EXPR_SLICE)
        expr = expr_at(file, expr->a);
    return expr;
}

Text source_index(const SourceFile *file, const Site *site) {
    const FileModel *model = file->model;
    const Expr *expr = waiting(file, site);
    if (expr->kind != EXPR_SUBSCRIPT) return (Text){0};
    const Expr *index = whole(file, expr->b);
    if (is_name(index)) return source_text(file, index->span);
    for (uint32_t i = 0; index->kind == EXPR_TUPLE && i < index->list.count; i++) {
        const Expr *part = whole(file, model->links.items[index->list.first + i]);
        if (is_name(part)) return source_text(file, part->span);
    }
    return (Text){0};
}

/* ---- what a loop binds ---- */

/* `x.to(device)` or `torch.tensor(x)` of a bare name. */
static bool is_plain(const SourceFile *file, const Site *site) {
    const FileModel *model = file->model;
    const Expr *call = waiting(file, site), *callee = expr_at(file, call->a);
    if (call->kind != EXPR_CALL) return false;
    bool method = callee->kind == EXPR_ATTRIBUTE && !model_is_imported(model, expr_at(file, callee->a));
    ExprId value = method ? callee->a : first_argument(model, call);
    return value && expr_at(file, value)->kind == EXPR_NAME;
}

/* As a target or within one: `x[0] = 1` changes x. */
static bool is_bound_by(const SourceFile *file, ExprId target, NameId name) {
    const Expr *expr = expr_at(file, target);
    while (expr->kind == EXPR_SUBSCRIPT || expr->kind == EXPR_ATTRIBUTE || expr->kind == EXPR_STAR)
        expr = expr_at(file, expr->a);
    if (expr->kind == EXPR_NAME) return expr->name == name;
    bool several = expr->kind == EXPR_TUPLE || expr->kind == EXPR_LIST;
    for (uint32_t i = 0; several && i < expr->list.count; i++)
        if (is_bound_by(file, file->model->links.items[expr->list.first + i], name)) return true;
    return false;
}

static bool is_bound_in(const SourceFile *file, StmtId first, StmtId last, NameId name) {
    for (StmtId id = first; id <= last; id++) {
        const Stmt *stmt = &file->model->stmts.items[id];
        bool bound = stmt->kind == STMT_FOR || stmt->kind == STMT_AUGMENT ? is_bound_by(file, stmt->a, name)
                     : stmt->kind == STMT_WITH_ITEM                       ? is_bound_by(file, stmt->b, name)
                                                                          : false;
        for (uint32_t i = 0; stmt->kind == STMT_ASSIGN && i < stmt->list.count; i++)
            bound |= is_bound_by(file, file->model->links.items[stmt->list.first + i], name);
        if (bound) return true;
    }
    return false;
}

static bool is_within(Span span, Span around) { return span.start >= around.start && span.end <= around.end; }

/* As the variable of an enclosing comprehension: new in each of its iterations. */
static bool is_turned(const SourceFile *file, const Site *site, NameId name) {
    const FileModel *model = file->model;
    Span span = site->span;
    for (ExprId around = site->expr + 1; around < model->exprs.count; around++) {
        const Expr *expr = expr_at(file, around);
        if (expr->span.start >= site->statement.end) break;
        if (expr->kind < EXPR_LIST_COMP || expr->kind > EXPR_DICT_COMP || !is_within(span, expr->span))
            continue;
        for (uint32_t i = 0; i < expr->list.count; i++)
            if (is_bound_by(file, expr_at(file, model->links.items[expr->list.first + i])->a, name))
                return true;
    }
    return false;
}

/* The range of ids inside the loop: nested statements are contiguous, and so are expressions. */
static bool find_body(const FileModel *model, StmtId loop, StmtId *first, StmtId *last) {
    Span around = model->stmts.items[loop].span;
    for (*first = loop; *first > 1 && is_within(model->stmts.items[*first - 1].span, around);) --*first;
    for (*last = loop; *last + 1 < model->stmts.count && is_within(model->stmts.items[*last + 1].span, around);)
        if (++*last - *first > STATEMENTS_LOOKED_AT) return false;
    return *last - *first <= STATEMENTS_LOOKED_AT;
}

static ExprId first_part(const FileModel *model, ExprId expr) {
    FuncId func = model_func_of(model, expr);
    return model_first_part(model, &model->funcs.items[func], expr, UINT32_MAX);
}

/* A tensor made of numbers only, e.g. `torch.FloatTensor([0.5]).to(device)` or `torch.tensor([0.5],
   device=device)`. */
static bool is_literal(const SourceFile *file, const Site *site) {
    const FileModel *model = file->model;
    const Expr *call = waiting(file, site), *callee = expr_at(file, call->a);
    if (site->purpose == PURPOSE_wrapped && callee->kind == EXPR_ATTRIBUTE) call = expr_at(file, callee->a);
    if (call->kind != EXPR_CALL || !call->list.count) return false;
    ExprId last = model->links.items[call->list.first];
    for (ExprId id = first_part(model, last); id <= last; id++) {
        ExprKind kind = (ExprKind)expr_at(file, id)->kind;
        if (kind != EXPR_INT && kind != EXPR_FLOAT && kind != EXPR_UNARY && kind != EXPR_LIST &&
            kind != EXPR_TUPLE)
            return false;
    }
    return true;
}

/* `total = torch.tensor(0.0, device=device)` where `total += x` follows somewhere in the function, which changes the
   tensor in place: if it were kept, the next turn would start with this one's sum. */
static bool is_added_to(const SourceFile *file, const Site *site) {
    const FileModel *model = file->model;
    FuncId around = source_function(file, site);
    const Func *func = &model->funcs.items[around];
    NameId name = 0;
    if (func->end_stmt - func->first_stmt > STATEMENTS_LOOKED_AT) return false;
    for (StmtId id = func->first_stmt; id < func->end_stmt && !name; id++) {
        const Stmt *stmt = &model->stmts.items[id];
        if (stmt->kind != STMT_ASSIGN || stmt->b != site->expr || stmt->list.count != 1) continue;
        const Expr *target = expr_at(file, model->links.items[stmt->list.first]);
        name = target->kind == EXPR_NAME ? target->name : 0;
    }
    for (StmtId id = func->first_stmt; id < func->end_stmt && name; id++) {
        const Stmt *stmt = &model->stmts.items[id];
        const Expr *target = expr_at(file, stmt->kind == STMT_AUGMENT ? stmt->a : 0);
        if (target->kind == EXPR_NAME && target->name == name) return true;
    }
    return false;
}

/* Only plain names count: an attribute or the result of a call may be changed elsewhere. */
Word source_sent(const SourceFile *file, const Bindings *bindings, const Site *site, const HotLoop *loop) {
    const FileModel *model = file->model;
    if (!waiting(file, site)->kind) return WORD_NONE;
    if (is_literal(file, site)) return is_added_to(file, site) ? PURPOSE_started : PURPOSE_fixed;
    StmtId id = site->file == loop->file ? bindings_loop(bindings, loop->head.start) : 0, first, last;
    const Stmt *stmt = &model->stmts.items[id];
    if (!id || !is_within(site->span, stmt->span) || !find_body(model, id, &first, &last)) return WORD_NONE;
    ExprId head = stmt->kind == STMT_FOR ? stmt->b : stmt->a;
    if (source_function(file, site) != model_func_of(model, head)) return WORD_NONE;
    bool known = is_plain(file, site);
    uint32_t names = 0;
    for (ExprId at = first_part(model, site->expr); at <= site->expr; at++) {
        const Expr *expr = expr_at(file, at);
        known &= expr->kind != EXPR_LIST_COMP && expr->kind != EXPR_GENERATOR && expr->kind != EXPR_LAMBDA;
        if (expr->kind != EXPR_NAME || model_is_imported(model, expr)) continue;
        if (is_bound_in(file, first, last, expr->name) || is_turned(file, site, expr->name))
            return PURPOSE_fresh;
        names++;
    }
    return known && names ? PURPOSE_fixed : WORD_NONE;
}

/* ---- functions that only wait ---- */

static bool is_argument(const FileModel *model, const Func *func, const Expr *expr) {
    for (uint32_t i = func->class_id != 0; i < func->param_count; i++)
        if (expr->kind == EXPR_NAME && model->params.items[func->first_param + i].name == expr->name)
            return true;
    return false;
}

/* It only tests what its argument is. */
static bool only_asks(const SourceFile *file, const Expr *call) {
    static const PythonName QUESTIONS[] = {PY_isinstance, PY_hasattr, PY_type, PY_len};
    const Expr *callee = expr_at(file, call->a);
    return callee->kind == EXPR_NAME &&
           python_any(QUESTIONS, sizeof QUESTIONS / sizeof *QUESTIONS, model_name(file->model, callee->name));
}

static bool is_nothing_else(const SourceFile *file, const Func *func, const Site *site) {
    bool given = false;
    for (ExprId id = func->first_expr; id < func->end_expr; id++) {
        const Expr *expr = expr_at(file, id);
        bool within = is_within(expr->span, site->span), around = is_within(site->span, expr->span);
        given |= is_argument(file->model, func, expr);
        if (expr->kind == EXPR_CALL && !within && !around && !only_asks(file, expr)) return false;
    }
    return given;
}

/* `a.b(c)` calls b. A lambda has the name that it is assigned to. */
static bool is_call_of(const SourceFile *file, const Func *func, Text call) {
    uint32_t end = 0, start;
    while (end < call.length && call.bytes[end] != '(') end++;
    for (start = end; start && text_is_word(call.bytes[start - 1]);) start--;
    Text name = text_slice(call, start, end);
    if (func->kind == FUNC_DEF) return text_equal(name, model_name(file->model, func->name));
    uint32_t before = func->span.start;
    while (before && strchr(" \t\r\n\\=(", file->bytes.bytes[before - 1])) before--;
    return name.length && text_ends(text_slice(file->bytes, 0, before), name);
}

/* `indices(x).to(device)`: what the call gives is computed with, so it is needed each time. */
static bool is_asked(const SourceFile *file, Span call) {
    return call.end < file->bytes.length && strchr(".[", file->bytes.bytes[call.end]);
}

const Reason *source_caller(const Analysis *analysis, const Site *site) {
    const SourceFile *file = &analysis->program->files.items[site->file];
    FuncId id = source_function(file, site);
    const Func *func = &file->model->funcs.items[id];
    if (func->kind != FUNC_DEF && func->kind != FUNC_LAMBDA) return NULL;
    for (uint32_t i = 0; i < site->reason_count; i++) {
        const Reason *reason = &site->reasons[i];
        bool own = reason->file == site->file && is_within(reason->span, func->span);
        if (reason->role != ROLE_HOT || own) continue;
        const SourceFile *from = &analysis->program->files.items[reason->file];
        Text call = source_text(from, reason->span);
        if (is_asked(from, reason->span)) return NULL;
        return is_call_of(file, func, call) && is_nothing_else(file, func, site) ? reason : NULL;
    }
    return NULL;
}

static bool is_loader(const Rulebook *book, Text name) {
    uint32_t last = name.length;
    while (last && text_is_word(name.bytes[last - 1])) last--;
    Text word = text_slice(name, last, name.length);
    return name_is(book, NAMED_kept_loader, word) || name_is(book, NAMED_iterated_loader, word);
}

/* `enumerate(tqdm(x))` iterates over x. */
static ExprId unwrapped(const SourceFile *file, ExprId id) {
    for (uint32_t i = 0; i < WRAPPINGS && expr_at(file, id)->kind == EXPR_CALL; i++) {
        ExprId inner = first_argument(file->model, expr_at(file, id));
        if (!inner) break;
        id = inner;
    }
    return id;
}

Text source_loader(const Analysis *analysis, const Bindings *bindings, const HotLoop *loop) {
    const SourceFile *file = &analysis->program->files.items[loop->file];
    StmtId id = bindings_loop(bindings, loop->head.start);
    const Stmt *head = &file->model->stmts.items[id];
    ExprId iterated = head->kind == STMT_FOR ? head->b : 0;
    for (uint32_t i = 0; iterated && i < WRAPPINGS; i++) {
        const Expr *inner = expr_at(file, unwrapped(file, iterated));
        Text name = source_text(file, inner->span);
        if (!is_name(inner)) return (Text){0};
        if (is_loader(analysis->rulebook, name)) return name;
        StmtId maker = bindings_maker(bindings, name, inner->span.start);
        const Stmt *stmt = &file->model->stmts.items[maker];
        iterated = maker && stmt->kind == STMT_ASSIGN ? stmt->b : 0;
    }
    return (Text){0};
}
