/* Default values: options of the command line, parameters, attributes and constants that no visible code
   changes. Example: after `parser.add_argument("--amp", action="store_true")`, `if args.amp:` is not taken
   unless --amp is given. */
#include "calls.h"
#include "flow_walk.h"
#include "flow_settings.h"
#include "search.h"
#include <math.h>
#include <stdlib.h>

enum { NUMBER_BYTES = 32 };

static const Literal unknown;

/* ---- literals ---- */

static Literal number_of(Text text) {
    char bytes[NUMBER_BYTES], *end = bytes;
    uint32_t length = 0;
    for (uint32_t i = 0; i < text.length; i++) {
        if (text.bytes[i] == '_') continue;
        if (length + 1 == NUMBER_BYTES) return unknown;
        bytes[length++] = text.bytes[i];
    }
    bytes[length] = 0;
    if (!length || strchr("+-", bytes[0])) return unknown;
    double number = strtod(bytes, &end);
    return *end ? unknown : (Literal){.kind = LITERAL_NUMBER, .number = number};
}

Literal usual_of_value(const Walk *walk, const Value *value) {
    const Alt *alt = value && value->count == 1 ? &value->alts[0] : NULL;
    bool told = alt && (alt->kind == KIND_TEXT || alt->kind == KIND_NUMBER) && alt->id;
    if (!told || (alt->flags & ALT_WIDE)) return unknown;
    Text text = names_text(&walk->inference->program->names, alt->id);
    if (alt->kind == KIND_TEXT) return (Literal){.kind = LITERAL_TEXT, .text = text};
    if (python_is(PY_False, text)) return (Literal){.kind = LITERAL_NUMBER};
    if (python_is(PY_True, text)) return (Literal){.kind = LITERAL_NUMBER, .number = 1};
    return number_of(text);
}

/* `inf`, `math.inf`, `float("inf")` */
static bool is_infinity(const FileModel *model, const Expr *expr) {
    if (expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE)
        return python_is(PY_inf, model_name(model, expr->name));
    if (expr->kind != EXPR_CALL || expr->list.count != 1) return false;
    const Expr *callee = &model->exprs.items[expr->a];
    const Expr *given = &model->exprs.items[model->links.items[expr->list.first]];
    return callee->kind == EXPR_NAME && python_is(PY_float, model_name(model, callee->name)) &&
           given->kind == EXPR_STRING && python_is(PY_inf, model_name(model, given->name));
}

Literal usual_literal(const FileModel *model, ExprId id) {
    const Expr *expr = &model->exprs.items[id];
    switch ((ExprKind)expr->kind) {
    case EXPR_NONE: return (Literal){.kind = LITERAL_NONE};
    case EXPR_TRUE: return (Literal){.kind = LITERAL_NUMBER, .number = 1};
    case EXPR_FALSE: return (Literal){.kind = LITERAL_NUMBER};
    case EXPR_INT:
    case EXPR_FLOAT: return number_of(model_name(model, expr->name));
    case EXPR_STRING: return (Literal){.kind = LITERAL_TEXT, .text = model_name(model, expr->name)};
    case EXPR_UNARY: {
        Literal inner = expr->op == OP_NEG ? usual_literal(model, expr->a) : unknown;
        inner.number = -inner.number;
        return inner.kind == LITERAL_NUMBER ? inner : unknown;
    }
    default: return is_infinity(model, expr) ? (Literal){.kind = LITERAL_NUMBER, .number = INFINITY} : unknown;
    }
}

Tri usual_truth(const Literal *literal) {
    switch (literal->kind) {
    case LITERAL_NONE:
    case LITERAL_EMPTY: return TRI_NO;
    case LITERAL_NUMBER: return literal->number > 0 || literal->number < 0 ? TRI_YES : TRI_NO;
    case LITERAL_TEXT: return literal->text.length ? TRI_YES : TRI_NO;
    case LITERAL_OBJECT:
    case LITERAL_OPEN:
    case LITERAL_UNKNOWN: break;
    }
    return TRI_UNKNOWN;
}

bool usual_equal(const Literal *a, const Literal *b) {
    if (a->kind != b->kind) return false;
    if (a->kind == LITERAL_TEXT) return text_equal(a->text, b->text);
    return a->kind == LITERAL_NONE || a->kind == LITERAL_EMPTY || a->kind == LITERAL_OBJECT ||
           a->kind == LITERAL_OPEN || (a->number >= b->number && a->number <= b->number);
}

bool usual_is_open(const Literal *a, const Literal *b) {
    bool told = a->kind && b->kind && a->kind != LITERAL_OBJECT && b->kind != LITERAL_OBJECT;
    return told && (a->kind == LITERAL_OPEN || b->kind == LITERAL_OPEN);
}

Tri usual_compare(const Literal *a, Operator op, const Literal *b) {
    bool numbers = a->kind == LITERAL_NUMBER && b->kind == LITERAL_NUMBER;
    if (!a->kind || !b->kind || a->kind == LITERAL_OPEN || b->kind == LITERAL_OPEN) return TRI_UNKNOWN;
    bool objects = a->kind == LITERAL_OBJECT || b->kind == LITERAL_OBJECT;
    if (objects && a->kind != LITERAL_NONE && b->kind != LITERAL_NONE) return TRI_UNKNOWN;
    switch (op) {
    case OP_EQ:
    case OP_IS: return tri_of(usual_equal(a, b));
    case OP_NE:
    case OP_IS_NOT: return tri_of(!usual_equal(a, b));
    case OP_LT: return numbers ? tri_of(a->number < b->number) : TRI_UNKNOWN;
    case OP_LE: return numbers ? tri_of(a->number <= b->number) : TRI_UNKNOWN;
    case OP_GT: return numbers ? tri_of(a->number > b->number) : TRI_UNKNOWN;
    case OP_GE: return numbers ? tri_of(a->number >= b->number) : TRI_UNKNOWN;
    default: return TRI_UNKNOWN;
    }
}

bool usual_for_heirs(const FileModel *model, const Func *func) {
    bool literal = func->class_id && func->body.count;
    for (uint32_t i = 0; literal && i < func->body.count; i++) {
        const Stmt *stmt = &model->stmts.items[model->links.items[func->body.first + i]];
        ExprId says = stmt->kind == STMT_ASSIGN ? stmt->b : stmt->a;
        literal = stmt->kind == STMT_PASS || stmt->kind == STMT_EXPR || stmt->kind == STMT_ASSIGN ||
                  stmt->kind == STMT_RETURN;
        literal = literal && (!says || usual_literal(model, says).kind);
    }
    return literal;
}

/* ---- fields of configurations ---- */

/* fallback: the default stated in `field(default=False)` or `attr(action="store_true")` */
static void add_field(Arena *arena, Options *options, const Rulebook *book, const SourceFile *file, FileId id,
                      NameId name, ExprId fallback) {
    const FileModel *model = file->model;
    Literal usual = option_in_call(book, model, fallback);
    usual.field = true;
    if (usual.kind) vec_push(arena, &options->items, ((Option){file->syms[name], id, NULL, false, usual, 0}));
}

/* Fields in `class Record: amp: bool = False`; plain: also in `amp = False`. */
static void add_body(Arena *arena, Options *options, const Rulebook *book, const SourceFile *file, FileId id,
                     const Class *class_, bool plain) {
    const FileModel *model = file->model;
    List body = model->funcs.items[class_->body].body;
    for (uint32_t i = 0; i < body.count; i++) {
        const Stmt *stmt = &model->stmts.items[model->links.items[body.first + i]];
        bool binds = stmt->kind == STMT_ASSIGN && (stmt->a || plain) && stmt->list.count;
        ExprId target = binds ? model->links.items[stmt->list.first] : 0;
        if (target && model->exprs.items[target].kind == EXPR_NAME)
            add_field(arena, options, book, file, id, model->exprs.items[target].name, stmt->b);
    }
}

/* Fields of `class TrainConfig: amp: bool = False`, or of `def __init__(self, amp=False)` which stores the
   parameter by that name. */
static void add_fields(Arena *arena, Options *options, const Rulebook *book, const SourceFile *file, FileId id,
                       const Class *class_) {
    const FileModel *model = file->model;
    add_body(arena, options, book, file, id, class_, true);
    for (uint32_t m = 0; m < class_->methods.count; m++) {
        const Func *func = &model->funcs.items[model->links.items[class_->methods.first + m]];
        if (!python_is(PY___init__, model_name(model, func->name))) continue;
        for (uint32_t i = 0; i < func->param_count; i++) {
            const Param *param = &model->params.items[func->first_param + i];
            add_field(arena, options, book, file, id, param->name, param->fallback);
        }
    }
}

static void add_configurations(Arena *arena, Options *options, Options *fields, const Rulebook *book,
                               const SourceFile *file, FileId id) {
    for (ClassId c = 1; c < file->model->classes.count; c++) {
        const Class *class_ = &file->model->classes.items[c];
        if (name_is(book, NAMED_settings_class, model_name(file->model, class_->name)))
            add_fields(arena, options, book, file, id, class_);
        add_body(arena, fields, book, file, id, class_, false);
    }
}

static uint32_t first_option(const Options *options, Sym name) {
    return FIRST_FROM(options->items.items, options->items.count, name, name);
}

/* The default becomes unknown where another value is given. */
static void unset(Options *options, Sym name, Literal value, bool fields) {
    for (uint32_t o = first_option(options, name);
         o < options->items.count && options->items.items[o].name == name; o++) {
        Option *option = &options->items.items[o];
        if ((fields && !option->fallback.field) || option->func) continue;
        option->given = 0;
        if (!usual_equal(&option->fallback, &value)) option->fallback = unknown;
    }
}

ExprId usual_given(const FileModel *model, const Stmt *stmt, ExprId target) {
    const Expr *values = &model->exprs.items[stmt->b];
    for (uint32_t i = 0; stmt->kind == STMT_ASSIGN && i < stmt->list.count; i++) {
        ExprId whole = model->links.items[stmt->list.first + i];
        const Expr *targets = &model->exprs.items[whole];
        if (whole == target) return stmt->b;
        bool pairs = targets->kind == EXPR_TUPLE && values->kind == EXPR_TUPLE &&
                     targets->list.count == values->list.count;
        ExprId found = 0;
        for (uint32_t k = 0; pairs && k < values->list.count; k++) {
            ExprId value = model->links.items[values->list.first + k],
                   to = model->links.items[targets->list.first + k];
            pairs = model->exprs.items[value].kind != EXPR_STAR && model->exprs.items[to].kind != EXPR_STAR;
            if (to == target) found = value;
        }
        if (pairs && found) return found;
    }
    return 0;
}

/* `args.amp = True` on an object that holds options makes the default unknown; `self.amp = args.amp` does not. */
static void unset_written(Options *options, const SourceFile *file, const Writes *writes) {
    for (uint32_t i = 0; writes && i < writes->count; i++) {
        const Write *write = &writes->items[i];
        const Expr *target = &file->model->exprs.items[write->target];
        const Expr *owner = &file->model->exprs.items[target->kind == EXPR_ATTRIBUTE ? target->a : 0];
        bool itself = owner->kind == EXPR_NAME && python_is(PY_self, model_name(file->model, owner->name));
        if (!owner->kind || itself) continue;
        ExprId value = usual_given(file->model, &file->model->stmts.items[write->stmt], write->target);
        unset(options, write->name, usual_literal(file->model, value), false);
    }
}

/* [Sym] names of the program's classes. */
static bool *class_names(Arena *arena, const Program *program) {
    bool *named = arena_new(arena, bool, program->names.texts.count + 1);
    for (FileId id = 1; id < program->files.count; id++) {
        const SourceFile *file = &program->files.items[id];
        for (ClassId c = 1; c < file->model->classes.count; c++)
            named[file->syms[file->model->classes.items[c].name]] = true;
    }
    return named;
}

/* `Accelerator(amp=True)`: by its capital a class, and none of the program's, so it is no configuration either. */
static bool makes_foreign(const SourceFile *file, const Expr *call, const bool *own) {
    const Expr *callee = &file->model->exprs.items[call->a];
    if (callee->kind != EXPR_NAME && callee->kind != EXPR_ATTRIBUTE) return false;
    Text name = model_name(file->model, callee->name);
    return name.length && name.bytes[0] >= 'A' && name.bytes[0] <= 'Z' && !own[file->syms[callee->name]];
}

/* `TrainConfig(amp=True)`: visible code sets it. `Trainer(amp=config.amp)` only passes it on. */
static void unset_given(Options *options, const SourceFile *file, const bool *own) {
    for (ExprId e = 1; e < file->model->exprs.count; e++) {
        const Expr *call = &file->model->exprs.items[e];
        if (call->kind != EXPR_CALL || makes_foreign(file, call, own)) continue;
        for (uint32_t i = 0; i < call->list.count; i++) {
            const Expr *given = &file->model->exprs.items[file->model->links.items[call->list.first + i]];
            const Expr *value = &file->model->exprs.items[given->a];
            if (given->kind != EXPR_KEYWORD || !given->name) continue;
            if (value->kind != EXPR_ATTRIBUTE || file->syms[value->name] != file->syms[given->name])
                unset(options, file->syms[given->name], usual_literal(file->model, given->a), true);
        }
    }
}

static void settle(const Inference *inference, Options *options, const bool *own) {
    const Program *program = inference->program;
    if (!options->items.count) return;
    qsort(options->items.items, options->items.count, sizeof *options->items.items, pair_order);
    for (FileId id = 1; id < program->files.count; id++) {
        if (calls_is_test(inference->book, &program->files.items[id])) continue;
        unset_written(options, &program->files.items[id], inference->writes[id]);
        unset_given(options, &program->files.items[id], own);
    }
}

void flow_find_options(Arena *arena, const Inference *inference, AroundCalls *around) {
    const Program *program = inference->program;
    Options *options = &around->options;
    for (FileId id = 1; id < program->files.count; id++) {
        const SourceFile *file = &program->files.items[id];
        add_configurations(arena, options, &around->fields, inference->book, file, id);
        option_find_all(arena, options, inference, id);
    }
    const bool *own = class_names(arena, program);
    settle(inference, options, own);
    settle(inference, &around->fields, own);
}

Literal usual_field(const Walk *walk, FileId file, Sym name) {
    const Options *fields = &walk->around_calls->fields;
    Literal found = unknown;
    bool some = false;
    for (uint32_t i = first_option(fields, name);
         i < fields->items.count && fields->items.items[i].name == name; i++) {
        const Option *field = &fields->items.items[i];
        if (field->file != file) continue;
        if (some && !usual_equal(&found, &field->fallback)) return unknown;
        found = field->fallback, some = true;
    }
    return found;
}

/* The default of an option: `default=Mode.FAST` is asked for where it stands. */
static Literal option_default(const Walk *walk, const Option *option, int depth) {
    const Inference *inference = walk->inference;
    if (option->fallback.kind || !option->given) return option->fallback;
    const FileModel *model = inference->program->files.items[option->file].model;
    FuncId func = 1;
    while (func < model->funcs.count && (option->given < model->funcs.items[func].first_expr ||
                                         option->given >= model->funcs.items[func].end_expr))
        func++;
    if (func == model->funcs.count) return unknown;
    ContextId id = inference->func_contexts[global_func(inference, option->file, func)];
    if (!id) return unknown;
    Walk there = walk_of(walk, id);
    Literal usual = usual_at(&there, option->given, depth + 1);
    if (usual.kind) usual.option = option->fallback.option;
    return usual;
}

Literal usual_stated(const Walk *walk, const Param *param) {
    const Options *options = &walk->around_calls->options;
    Sym name = walk->file->syms[param->name];
    bool some = param->fallback != 0;
    Literal found = some ? option_in_call(walk->inference->book, walk->model, param->fallback) : unknown;
    for (uint32_t i = first_option(options, name);
         i < options->items.count && options->items.items[i].name == name; i++) {
        const Option *option = &options->items.items[i];
        if (option->func != walk->func) continue;
        if (some && !usual_equal(&found, &option->fallback)) return unknown;
        found = option->fallback, some = true;
    }
    return found;
}

Literal usual_declared(const Walk *walk, FileId file, Sym name, Literal otherwise, int depth) {
    const Options *options = &walk->around_calls->options;
    Literal found[2] = {unknown, unknown}; /* in this file, in the program */
    bool some[2] = {false, false}, agree[2] = {true, true};
    for (uint32_t i = first_option(options, name);
         i < options->items.count && options->items.items[i].name == name; i++) {
        const Option *option = &options->items.items[i];
        if (option->func) continue;
        Literal usual = option_default(walk, option, depth);
        for (int any = option->file != file; any < 2; any++) { /* here and anywhere, or that alone */
            agree[any] &= !some[any] || usual_equal(&found[any], &usual);
            some[any] = true, found[any] = usual;
        }
    }
    if (!some[1]) return otherwise;
    return some[0] ? (agree[0] ? found[0] : unknown) : agree[1] ? found[1] : unknown;
}

/* An object of a class of the program whose name says settings: `args: RunConfiguration`. */
static bool holds_settings(const Walk *walk, const Alt *alt) {
    if (alt->kind != KIND_INSTANCE) return false;
    const Program *program = walk->inference->program;
    FileId id = program_file_of_class(program, alt->id);
    const SourceFile *file = &program->files.items[id];
    const Class *class_ = &file->model->classes.items[alt->id - file->class_base];
    return name_is(walk->inference->book, NAMED_settings_class, model_name(file->model, class_->name));
}

bool usual_is_parsed(const Walk *walk, const Alt *alt) {
    const Inference *inference = walk->inference;
    return alt->kind == KIND_OBJECT && rulebook_inherits(inference->book, alt->id, inference->known->options);
}

bool usual_some_parsed(const Walk *walk, const Value *value) {
    for (uint32_t i = 0; value && i < value->count; i++)
        if (usual_is_parsed(walk, &value->alts[i])) return true;
    return false;
}

/* args.amp, self.opt.amp, on what a parser gives, or on an object that is unknown or comes from outside. */
Literal usual_option(const Walk *walk, const Expr *expr, int depth) {
    const Value *value = infer_fact(walk->context, walk->model, expr->a);
    FileId file = walk->context->file;
    bool parsed = usual_some_parsed(walk, value);
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        bool holds = holds_settings(walk, alt);
        if (alt->kind == KIND_OBJECT && (parsed || value_has(value, KIND_HOST)))
            continue; /* or the parser, not yet asked */
        if (alt->kind != KIND_HOST && alt->kind != KIND_UNKNOWN && !holds) return unknown;
        if (holds && value->count == 1u + parsed)
            file = program_file_of_class(walk->inference->program, alt->id);
    }
    if (!parsed && !usual_holds_settings(walk, expr->a, depth)) return unknown;
    return usual_declared(walk, file, walk->file->syms[expr->name], unknown, depth);
}

/* ---- attributes ---- */

/* What binds an attribute of a class. only: NULL where several do. */
typedef struct Bound {
    uint32_t count;
    const Write *only;
} Bound;

bool usual_binds(const FileModel *model, ClassId class_id, const Write *write) {
    const Func *func = &model->funcs.items[write->func];
    bool attribute = model->exprs.items[write->target].kind == EXPR_ATTRIBUTE && func->class_id == class_id;
    bool body = write->func == model->classes.items[class_id].body && write->func;
    return (attribute && func->kind != FUNC_CLASS_BODY) || body;
}

static Bound bound_by(const Walk *walk, FileId file, ClassId class_id, Sym name) {
    const FileModel *model = walk->inference->program->files.items[file].model;
    const Writes *writes = walk->inference->writes[file];
    Bound bound = {0};
    if (!writes) return bound;
    for (const Write *w = writes_of_name(writes, name); w; w = write_next(writes, w))
        if (usual_binds(model, class_id, w)) bound.count++, bound.only = w;
    if (bound.count != 1 || bound.only->kind != DEF_ASSIGN) bound.only = NULL;
    return bound;
}

bool usual_own(const Walk *walk, const Expr *expr) {
    const Expr *owner = &walk->model->exprs.items[expr->a];
    return walk->func->class_id && owner->kind == EXPR_NAME &&
           python_is(PY_self, model_name(walk->model, owner->name));
}

ClassId usual_class_binder(const Walk *walk, GlobalClass id, Sym name, FileId *file, const Write **only) {
    const Inference *inference = walk->inference;
    const ClassInfo *info = &inference->classes[id];
    *only = NULL;
    for (uint32_t i = 0; i < info->order_count; i++) {
        if (info->order[i] & 1) continue; /* of the rulebook */
        GlobalClass class_id = info->order[i] >> 1;
        *file = program_file_of_class(inference->program, class_id);
        ClassId own = class_id - inference->program->files.items[*file].class_base;
        Bound bound = bound_by(walk, *file, own, name);
        *only = bound.only;
        if (bound.count) return own;
    }
    return 0;
}

ClassId usual_binder(const Walk *walk, const Expr *expr, FileId *file, const Write **only) {
    *only = NULL;
    if (!usual_own(walk, expr)) return 0;
    GlobalClass own = walk->file->class_base + walk->func->class_id;
    return usual_class_binder(walk, own, walk->file->syms[expr->name], file, only);
}
