/* Options of the command line, where a program declares them: `parser.add_argument("--amp", action="store_true")`,
   `@click.option("--amp", is_flag=True)`, `amp: bool = typer.Option(False)`, `flags.DEFINE_bool("amp", False, "")`. */
#include "flow_walk.h"
#include "flow_settings.h"

static const Literal unknown;

static Text callee_name(const FileModel *model, const Expr *call) {
    const Expr *callee = &model->exprs.items[call->kind == EXPR_CALL ? call->a : 0];
    bool named = callee->kind == EXPR_NAME || callee->kind == EXPR_ATTRIBUTE;
    return named ? model_name(model, callee->name) : (Text){0};
}

static ExprId keyword_of(const FileModel *model, const Expr *call, PythonName wanted) {
    for (uint32_t i = 0; i < call->list.count; i++) {
        const Expr *argument = &model->exprs.items[model->links.items[call->list.first + i]];
        if (argument->kind == EXPR_KEYWORD && python_is(wanted, model_name(model, argument->name)))
            return argument->a;
    }
    return 0;
}

/* The longest of "-o", "--out"; it gives the attribute's name, unless dest or a plain text gives another. */
static Text flag_of(const FileModel *model, const Expr *call, Text *plain) {
    Text longest = {0};
    for (uint32_t i = 0; i < call->list.count; i++) {
        const Expr *argument = &model->exprs.items[model->links.items[call->list.first + i]];
        Text text = argument->kind == EXPR_STRING ? model_name(model, argument->name) : (Text){0};
        bool flag = text.length > 1 && text.bytes[0] == '-';
        if (text.length && !flag) *plain = text;
        if (flag && (!longest.length || (longest.bytes[1] != '-' && text.bytes[1] == '-'))) longest = text;
    }
    return longest;
}

/* Strips leading dashes and replaces inner ones by underscores. */
static Text attribute_of(Arena *arena, Text flag) {
    while (flag.length && flag.bytes[0] == '-') flag = text_slice(flag, 1, flag.length);
    char *bytes = arena_copy(arena, flag.bytes, flag.length + 1);
    for (uint32_t i = 0; i < flag.length; i++)
        if (bytes[i] == '-') bytes[i] = '_';
    return (Text){bytes, flag.length};
}

/* Some argument is given by a name of that word, and not as False. */
static bool says_so(const Rulebook *book, const FileModel *model, const Expr *call, Named named) {
    for (uint32_t i = 0; i < call->list.count; i++) {
        const Expr *argument = &model->exprs.items[model->links.items[call->list.first + i]];
        if (argument->kind == EXPR_KEYWORD && name_is(book, named, model_name(model, argument->name)))
            return model->exprs.items[argument->a].kind != EXPR_FALSE;
    }
    return false;
}

static Literal default_of_option(const Rulebook *book, const FileModel *model, const Expr *call) {
    ExprId fallback = keyword_of(model, call, PY_default), action = keyword_of(model, call, PY_action);
    const Expr *acts = &model->exprs.items[action];
    Text kind = acts->kind == EXPR_STRING ? model_name(model, acts->name) : (Text){0};
    if (says_so(book, model, call, NAMED_option_unknown)) return unknown;
    if (fallback) {
        Literal usual = usual_display(model, fallback);
        usual.clears = python_is(PY_store_false, kind);
        return usual;
    }
    if (python_is(PY_store_true, kind) || says_so(book, model, call, NAMED_option_flag))
        return (Literal){.kind = LITERAL_NUMBER};
    if (python_is(PY_store_false, kind)) return (Literal){.kind = LITERAL_NUMBER, .number = 1, .clears = true};
    return (Literal){.kind = LITERAL_NONE};
}

Literal option_in_call(const Rulebook *book, const FileModel *model, ExprId id) {
    const Expr *made = &model->exprs.items[id];
    if (made->kind != EXPR_CALL) return usual_display(model, id);
    bool option = name_is(book, NAMED_option_call, callee_name(model, made));
    bool names_it = keyword_of(model, made, PY_default) || keyword_of(model, made, PY_action);
    if (!option && !names_it) return usual_display(model, id);
    ExprId first = made->list.count ? model->links.items[made->list.first] : 0;
    bool given = option && first && model->exprs.items[first].kind != EXPR_KEYWORD;
    Literal usual = given ? usual_display(model, first) : default_of_option(book, model, made);
    Text plain = {0};
    if (option) usual.option = flag_of(model, made, &plain);
    return usual;
}

/* func: NULL, or the function whose parameter it is. */
static void add_option(Arena *arena, Options *options, const Inference *inference, FileId id, const Expr *call,
                       const Func *func) {
    const FileModel *model = inference->program->files.items[id].model;
    Text plain = {0}, flag = flag_of(model, call, &plain);
    ExprId names_it = keyword_of(model, call, PY_dest);
    const Expr *dest = &model->exprs.items[names_it];
    Literal fallback = default_of_option(inference->book, model, call);
    if (!flag.length && (!plain.length || !keyword_of(model, call, PY_default)))
        return; /* it has to be given */
    uint32_t slash = text_find(flag, TEXT("/"));
    if (slash < flag.length && !keyword_of(model, call, PY_default)) /* "--amp/--no-amp" */
        fallback = (Literal){.kind = LITERAL_NUMBER};
    bool clears = slash < flag.length && usual_truth(&fallback) == TRI_YES;
    fallback.clears |= clears;
    fallback.option = clears ? text_slice(flag, slash + 1, flag.length) : flag;
    if (!clears) fallback.option.length = slash;
    Text attribute = dest->kind == EXPR_STRING                ? model_name(model, dest->name)
                     : (func || !flag.length) && plain.length ? plain
                                                              : attribute_of(arena, text_slice(flag, 0, slash));
    Sym name = names_find(&inference->program->names, attribute);
    Option option = {.name = name, .file = id, .func = func, .fallback = fallback};
    if (!fallback.kind && !says_so(inference->book, model, call, NAMED_option_unknown))
        option.given = keyword_of(model, call, PY_default);
    if (name) vec_push(arena, &options->items, option);
}

/* `flags.DEFINE_bool("amp", False, "help")` */
static void add_definition(Arena *arena, Options *options, const Inference *inference, FileId id,
                           const Expr *call) {
    const SourceFile *file = &inference->program->files.items[id];
    const FileModel *model = file->model;
    ExprId first = call->list.count > 1 ? model->links.items[call->list.first] : 0;
    ExprId fallback = keyword_of(model, call, PY_default);
    if (!first) return;
    const Expr *name = &model->exprs.items[first];
    if (name->kind == EXPR_KEYWORD) name = &model->exprs.items[name->a];
    if (!fallback) fallback = model->links.items[call->list.first + 1];
    if (name->kind != EXPR_STRING) return;
    Literal usual = usual_display(model, fallback);
    Text text = model_name(model, name->name);
    char *flag = arena_raw(inference->arena, text.length + 2); /* findings say it */
    memcpy(flag, "--", 2);
    memcpy(flag + 2, text.bytes, text.length);
    usual.option = (Text){flag, text.length + 2};
    Option option = {.name = file->syms[name->name], .file = id, .fallback = usual};
    if (!usual.kind) option.given = fallback;
    vec_push(arena, &options->items, option);
}

/* `parser.set_defaults(amp=True)` replaces the default of the options of this file, which begin at `first`. */
static void set_options(Arena *arena, Options *options, uint32_t first, const SourceFile *file, FileId id,
                        const Expr *call) {
    for (uint32_t i = 0; i < call->list.count; i++) {
        const Expr *given = &file->model->exprs.items[file->model->links.items[call->list.first + i]];
        if (given->kind != EXPR_KEYWORD) continue;
        Option set = {.name = file->syms[given->name], .file = id, .set = true};
        set.fallback = usual_display(file->model, given->a);
        bool some = false;
        for (uint32_t o = first; o < options->items.count; o++) {
            Option *option = &options->items.items[o];
            if (option->name != set.name || option->func) continue;
            bool same = usual_equal(&option->fallback, &set.fallback), twice = option->set && !same;
            if (!same) option->fallback = twice ? unknown : set.fallback;
            option->set = some = true, option->given = 0;
        }
        if (!some) vec_push(arena, &options->items, set);
    }
}

/* `@click.option("--amp", is_flag=True)` and the like above a function. */
static void add_decorators(Arena *arena, Options *options, const Inference *inference, FileId id) {
    const FileModel *model = inference->program->files.items[id].model;
    for (FuncId f = 1; f < model->funcs.count; f++) {
        const Func *func = &model->funcs.items[f];
        for (uint32_t i = 0; i < func->decorators.count; i++) {
            const Expr *call = &model->exprs.items[model->links.items[func->decorators.first + i]];
            if (name_is(inference->book, NAMED_option_call, callee_name(model, call)))
                add_option(arena, options, inference, id, call, func);
        }
    }
}

static bool declares_some(const Rulebook *book, const FileModel *model) {
    for (NameId n = 1; n < model->names.count; n++) {
        Text name = model_name(model, n);
        if (python_is(PY_add_argument, name) || python_is(PY_set_defaults, name) ||
            name_is(book, NAMED_option_definition, name))
            return true;
    }
    return false;
}

/* set_defaults changes what is declared before it, or behind it. */
void option_find_all(Arena *arena, Options *options, const Inference *inference, FileId id) {
    const SourceFile *file = &inference->program->files.items[id];
    const FileModel *model = file->model;
    uint32_t first = options->items.count;
    add_decorators(arena, options, inference, id);
    bool some = declares_some(inference->book, model);
    for (int setting = 0; some && setting < 2; setting++)
        for (ExprId e = 1; e < model->exprs.count; e++) {
            const Expr *call = &model->exprs.items[e];
            Text name = callee_name(model, call);
            if (!name.length || setting != python_is(PY_set_defaults, name)) continue;
            if (setting) set_options(arena, options, first, file, id, call);
            if (python_is(PY_add_argument, name)) add_option(arena, options, inference, id, call, NULL);
            if (name_is(inference->book, NAMED_option_definition, name))
                add_definition(arena, options, inference, id, call);
        }
}
