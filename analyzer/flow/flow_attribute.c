/* Default values of attributes, by what the program assigns to them. Example: with `def __init__(self,
   cached=False)` and `self.cached = cached`, `self.cached` is false by default, and so is `store.cached` on such
   an object. */
#include "calls.h"
#include "flow_walk.h"

static const Literal unknown;

bool usual_is_called(const Walk *walk) {
    CallersOf calls = callers_of(walk);
    for (uint32_t i = 0; i < calls.count; i++)
        if (!usual_is_of_test(walk, calls.first[i].context)) return true;
    return calls.many;
}

bool usual_is_assumed(const Walk *walk) {
    ContextId id = usual_is_called(walk) ? 0 : context_of(walk, walk->context->func);
    for (; id; id = walk->inference->context_links.items[id].next) {
        Walk other = walk_of(walk, id);
        if (context_is_live(other.context) && usual_is_called(&other)) return true;
    }
    return false;
}

/* The value of an assignment in one context of its function. If no visible code, or only tests, calls that,
   parameters have their defaults. */
static Literal assigned_in(const Walk *there, const Write *write, bool called, int depth) {
    ExprId given = usual_given(there->model, &there->model->stmts.items[write->stmt], write->target);
    uint32_t param = called ? NO_PARAMETER : parameter_of(there, &there->model->exprs.items[given]);
    return param == NO_PARAMETER ? usual_at(there, given, depth + 1) : usual_alone(there, param);
}

/* What an assignment of a method gives an attribute. */
typedef struct Assigned {
    Literal gives;
    bool off; /* it is not reached by default */
} Assigned;

/* Joined over the contexts of the method that holds the write: those that a visible caller has or, if there is
   none, all that are alive. why: NULL, or gets the condition that keeps the write from being reached. */
static Assigned assigned_default(const Walk *walk, FileId file, const Write *write, int depth, Literal *why) {
    const Inference *inference = walk->inference;
    ContextId first = inference->func_contexts[global_func(inference, file, write->func)];
    Assigned all = {0};
    bool some = false;
    for (int called = 1; called >= 0 && !some; called--)
        for (ContextId id = first; id; id = inference->context_links.items[id].next) {
            Walk there = walk_of(walk, id);
            if (!context_is_live(there.context) || usual_is_called(&there) != called) continue;
            some = true;
            BlockId at = why && there.graph ? graph_block(there.graph, write->stmt) : 0;
            if (at && usual_passes(&there, at, 0, depth, why) == TRI_NO) continue;
            Literal here = assigned_in(&there, write, called, depth);
            if (!here.kind || (all.gives.kind && !usual_equal(&here, &all.gives))) return (Assigned){0};
            all.gives = here;
        }
    all.off = some && !all.gives.kind;
    return all;
}

/* The value on which all assignments of the class agree that are reached by default: e.g. `self.kept = None`,
   and not `if self.record: self.kept = {}` where record is False by default. */
static Literal written_default(const Walk *walk, FileId file, ClassId class_id, Sym name, int depth) {
    const FileModel *model = walk->inference->program->files.items[file].model;
    const Writes *writes = walk->inference->writes[file];
    Literal all = unknown, why = unknown;
    for (const Write *w = writes_of_name(writes, name); w; w = write_next(writes, w)) {
        if (!usual_binds(model, class_id, w)) continue;
        ExprId given = usual_given(model, &model->stmts.items[w->stmt], w->target);
        if (!given) return unknown;
        Assigned here = {.gives = usual_literal(model, given)};
        if (model->funcs.items[w->func].kind != FUNC_CLASS_BODY)
            here = assigned_default(walk, file, w, depth, &why);
        if (here.off) continue;
        if (!here.gives.kind || (all.kind && !usual_equal(&here.gives, &all))) return unknown;
        all = here.gives;
    }
    /* otherwise, giving the argument is one more way to change it */
    if (!all.handed) all.cause = why.cause, all.caused = why.caused;
    all.handed |= why.handed;
    return all;
}

static uint32_t parameter_named(const Walk *walk, Sym name) {
    for (uint32_t i = 0; i < walk->func->param_count; i++)
        if (walk->file->syms[walk->model->params.items[walk->func->first_param + i].name] == name) return i;
    return NO_PARAMETER;
}

/* The default of a parameter of that name in a function's text. */
static Literal said_default(const Walk *walk, FileId file, FuncId func, Sym name) {
    const SourceFile *source = &walk->inference->program->files.items[file];
    Walk there = *walk;
    there.file = source, there.model = source->model, there.func = &source->model->funcs.items[func];
    uint32_t param = parameter_named(&there, name);
    return param == NO_PARAMETER ? unknown : usual_alone(&there, param);
}

/* The class of self; in a method without visible callers, the class that contains it. 0 = one of several. */
static GlobalClass class_of_self(const Walk *walk) {
    const Value *self = walk->context->arg_count ? walk->context->args[0] : NULL;
    if (!self) return walk->file->class_base + walk->func->class_id;
    return value_only(self, KIND_INSTANCE) && self->count == 1 ? self->alts[0].id : 0;
}

/* The common value of a constructor's parameter over all its contexts; if nobody makes such an object, the
   parameter's default. A subclass that passes a value of its own makes another object. */
static Literal taken_default(const Walk *walk, FileId file, FuncId func, Sym name, int depth) {
    const Inference *inference = walk->inference;
    ContextId id = inference->func_contexts[global_func(inference, file, func)];
    GlobalClass own = class_of_self(walk);
    Literal all = unknown;
    bool some = false;
    for (; id; id = inference->context_links.items[id].next) {
        Walk there = walk_of(walk, id);
        uint32_t param = parameter_named(&there, name);
        GlobalClass made = class_of_self(&there);
        if (param == NO_PARAMETER || !context_is_live(there.context) || (own && made && own != made)) continue;
        Literal here = usual_parameter(&there, param, depth);
        if (!here.kind || (some && !usual_equal(&here, &all))) return unknown;
        all = here, some = true;
    }
    return some ? all : said_default(walk, file, func, name);
}

/* self.clip without an assignment, after `def __init__(self, clip=0): self.save_hyperparameters()`; or self.hparams.clip,
   but not self.config.clip after `def __init__(self, config, clip=0)`. holder: that name, 0 = none. */
static Literal kept_default(const Walk *walk, const Expr *expr, Sym holder, int depth) {
    const ClassInfo *info = &walk->inference->classes[walk->file->class_base + walk->func->class_id];
    for (uint32_t i = 0; i < info->order_count; i++) {
        if (info->order[i] & 1) continue; /* of the rulebook */
        FileId file = program_file_of_class(walk->inference->program, info->order[i] >> 1);
        const SourceFile *source = &walk->inference->program->files.items[file];
        const Class *class_ = &source->model->classes.items[(info->order[i] >> 1) - source->class_base];
        for (uint32_t m = 0; m < class_->methods.count; m++) {
            FuncId func = source->model->links.items[class_->methods.first + m];
            if (!python_is(PY___init__, model_name(source->model, source->model->funcs.items[func].name)))
                continue;
            const Walk maker = {
                .file = source, .model = source->model, .func = &source->model->funcs.items[func]};
            if (holder && parameter_named(&maker, holder) != NO_PARAMETER) return unknown;
            return taken_default(walk, file, func, walk->file->syms[expr->name], depth);
        }
    }
    return unknown;
}

/* What binds the attribute in a class: `self.clip = args.clip` or, in the class body, `clip: float = 0`. */
static Literal bound_default(const Walk *walk, ClassId class_id, FileId file, const Write *only, Sym name,
                             int depth) {
    if (!only) return written_default(walk, file, class_id, name, depth);
    const Func *func = &walk->inference->program->files.items[file].model->funcs.items[only->func];
    return func->kind == FUNC_CLASS_BODY ? usual_field(walk, file, name)
                                         : assigned_default(walk, file, only, depth, NULL).gives;
}

bool usual_is_enum(const Walk *walk, GlobalClass id) {
    const ClassInfo *info = &walk->inference->classes[id];
    for (uint32_t i = 0; i < info->order_count; i++) {
        if (info->order[i] & 1) continue; /* of the rulebook */
        FileId file = program_file_of_class(walk->inference->program, info->order[i] >> 1);
        const SourceFile *source = &walk->inference->program->files.items[file];
        List bases = source->model->classes.items[(info->order[i] >> 1) - source->class_base].bases;
        for (uint32_t b = 0; b < bases.count; b++) {
            const Expr *base = &source->model->exprs.items[source->model->links.items[bases.first + b]];
            bool named = base->kind == EXPR_NAME || base->kind == EXPR_ATTRIBUTE;
            if (named && text_ends(model_name(source->model, base->name), TEXT("Enum"))) return true;
        }
    }
    return false;
}

/* `Mode.PLAIN`: what the class body gives it. A member whose value `auto()` makes is told by its name. */
static Literal member_default(const Walk *walk, GlobalClass id, const Expr *member) {
    FileId file = 0;
    const Write *only = NULL;
    usual_class_binder(walk, id, walk->file->syms[member->name], &file, &only);
    if (!only || !usual_is_enum(walk, id)) return unknown;
    const FileModel *model = walk->inference->program->files.items[file].model;
    ExprId given = usual_given(model, &model->stmts.items[only->stmt], only->target);
    Literal literal = usual_literal(model, given);
    if (model->funcs.items[only->func].kind != FUNC_CLASS_BODY || literal.kind) return literal;
    return (Literal){.kind = LITERAL_TEXT, .text = model_name(walk->model, member->name)};
}

/* The class that an expression is; 0 = it is none, or one of several. */
static GlobalClass class_named(const Walk *walk, ExprId id) {
    const Value *value = infer_fact(walk->context, walk->model, id);
    return value && value->count == 1 && value->alts[0].kind == KIND_CLASS ? value->alts[0].id : 0;
}

/* `kind.value` of a member. Text and numbers, for which members are taken, have no such attribute. */
static Literal value_of_member(const Walk *walk, const Expr *expr, int depth) {
    if (!python_is(PY_value, model_name(walk->model, expr->name))) return unknown;
    Literal member = usual_at(walk, expr->a, depth + 1);
    return member.kind == LITERAL_TEXT || member.kind == LITERAL_NUMBER ? member : unknown;
}

/* `layer.fast` on objects of the program, whatever class of several they are of: the default on which those
   classes agree. */
static Literal default_of_others(const Walk *walk, const Expr *expr, int depth) {
    const Value *owner = infer_fact(walk->context, walk->model, expr->a);
    Sym name = walk->file->syms[expr->name];
    Literal all = unknown;
    for (uint32_t i = 0; owner && i < owner->count; i++) {
        FileId file = 0;
        const Write *only = NULL;
        const Alt *alt = &owner->alts[i];
        if (alt->kind == KIND_HOST || usual_is_parsed(walk, alt)) continue; /* or as the user says */
        if (alt->kind != KIND_INSTANCE) return unknown;
        ClassId class_id = usual_class_binder(walk, alt->id, name, &file, &only);
        Literal here =
            class_id ? bound_default(walk, class_id, file, only, name, depth) : usual_from_outside(walk, name);
        if (!here.kind || (all.kind && !usual_equal(&here, &all))) return unknown;
        all = here;
    }
    return all;
}

/* `self.hparams`, which no class of the program binds: settings that a framework keeps. */
static bool is_kept_record(const Walk *walk, const Expr *holder) {
    const Rulebook *book = walk->inference->book;
    FileId file = 0;
    const Write *only = NULL;
    if (holder->kind != EXPR_ATTRIBUTE || !usual_own(walk, holder)) return false;
    Text name = model_name(walk->model, holder->name);
    bool settings = name_is(book, NAMED_settings_name, name) || name_is(book, NAMED_options_name, name);
    return settings && !usual_binder(walk, holder, &file, &only);
}

Literal usual_attribute(const Walk *walk, const Expr *expr, int depth) {
    FileId file = 0;
    const Write *only = NULL;
    GlobalClass named = class_named(walk, expr->a);
    if (named) return member_default(walk, named, expr);
    Literal value = value_of_member(walk, expr, depth);
    if (value.kind) return value;
    const Expr *holder = &walk->model->exprs.items[expr->a];
    if (is_kept_record(walk, holder)) return kept_default(walk, expr, walk->file->syms[holder->name], depth);
    if (!usual_own(walk, expr)) return default_of_others(walk, expr, depth);
    ClassId class_id = usual_binder(walk, expr, &file, &only);
    return class_id ? bound_default(walk, class_id, file, only, walk->file->syms[expr->name], depth)
                    : kept_default(walk, expr, 0, depth);
}
