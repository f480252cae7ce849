/* Mentions: where functions are named. What no call in sight reaches is called from where its name stands. */
#include "interpret.h"

static bool is_mention(const Expr *expr) { return expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE; }

static const Expr *own_name(const FileModel *model, const Func *func) {
    return &model->exprs.items[func->stmt ? model->stmts.items[func->stmt].b : 0];
}

const bool *find_named(Arena *arena, const Program *program) {
    Arena scratch = {0};
    bool *named = arena_new(arena, bool, program->func_count + 1);
    for (FileId file = 1; file < program->files.count; file++) {
        const SourceFile *source = &program->files.items[file];
        const FileModel *model = source->model;
        uint32_t *mentions = arena_new(&scratch, uint32_t, model->names.count + 1);
        for (ExprId e = 1; e < model->exprs.count; e++)
            mentions[model->exprs.items[e].name] += is_mention(&model->exprs.items[e]);
        for (FuncId func = 1; func < model->funcs.count; func++) {
            const Func *f = &model->funcs.items[func];
            const Expr *own = own_name(model, f);
            named[source->func_base + func] = mentions[f->name] > (own->name == f->name && is_mention(own));
        }
        arena_reset(&scratch);
    }
    arena_free(&scratch);
    return named;
}

/* ---- functions that nothing names ---- */

/* getattr(self, f"_{name}") */
static bool asks_by_computed_name(const FileModel *model) {
    for (ExprId e = 1; e < model->exprs.count; e++) {
        const Expr *call = &model->exprs.items[e], *callee = &model->exprs.items[call->a];
        bool gets = call->kind == EXPR_CALL && call->list.count > 1 && callee->kind == EXPR_NAME &&
                    text_is(model_name(model, callee->name), "getattr");
        if (gets && model->exprs.items[model->links.items[call->list.first + 1]].kind != EXPR_STRING)
            return true;
    }
    return false;
}

/* What calls its methods is not all in sight: a base is not, or they are asked for by names that are computed. */
static bool is_open_class(const Inference *inference, GlobalClass id, int depth) {
    const ClassInfo *info = &inference->classes[id];
    const SourceFile *source = program_class_file(inference->program, id);
    const Class *class_ = &source->model->classes.items[id - source->class_base];
    bool known = info->evaluated && !info->entry_base && info->base_count >= class_->bases.count;
    if (!known || depth > 8 || asks_by_computed_name(source->model)) return true;
    for (uint32_t b = 0; b < info->base_count; b++) {
        const Value *base = info->bases[b];
        if (!base || base->count != 1 || base->alts[0].kind != KIND_CLASS ||
            is_open_class(inference, base->alts[0].id, depth + 1))
            return true;
    }
    return false;
}

/* [Sym]: how often something names it, or a text is it; the definitions of functions aside. */
static uint32_t *count_spoken(Arena *arena, const Program *program) {
    uint32_t *spoken = arena_new(arena, uint32_t, program->names.texts.count + 1);
    for (FileId file = 1; file < program->files.count; file++) {
        const SourceFile *source = &program->files.items[file];
        const FileModel *model = source->model;
        for (ExprId e = 1; e < model->exprs.count; e++) {
            const Expr *expr = &model->exprs.items[e];
            spoken[source->syms[expr->name]] += is_mention(expr) || expr->kind == EXPR_STRING;
        }
        for (FuncId func = 1; func < model->funcs.count; func++) {
            const Func *f = &model->funcs.items[func];
            const Expr *own = own_name(model, f);
            spoken[source->syms[f->name]] -= own->name == f->name && is_mention(own);
        }
    }
    return spoken;
}

/* `def _sync(self)`, of which nothing in the program speaks: left over. What a base class out of sight may call is not. */
const bool *find_forgotten(const Inference *inference) {
    const Program *program = inference->program;
    bool *forgotten = arena_new(inference->arena, bool, program->func_count + 1);
    if (program->unread || program->skipped.count) return forgotten;
    Arena scratch = {0};
    const uint32_t *spoken = count_spoken(&scratch, program);
    for (FileId file = 1; file < program->files.count; file++) {
        const SourceFile *source = &program->files.items[file];
        for (FuncId func = 2; source->reported && func < source->model->funcs.count; func++) {
            const Func *f = &source->model->funcs.items[func];
            Text name = f->name ? model_name(source->model, f->name) : (Text){0};
            bool own = f->kind == FUNC_DEF && text_starts(name, TEXT("_")) && !text_ends(name, TEXT("__"));
            if (!own || f->decorators.count || spoken[source->syms[f->name]]) continue;
            forgotten[source->func_base + func] =
                !f->class_id || !is_open_class(inference, source->class_base + f->class_id, 0);
        }
    }
    arena_free(&scratch);
    return forgotten;
}

/* ---- functions that only constructors, or only loader workers, name ---- */

struct Mentioned {
    uint32_t *all;     /* [Sym]: mentions, but for those in functions of that name */
    uint32_t *bounded; /* [Sym]: calls by functions that have a place, and what loaders collate with */
    uint8_t *place;    /* [Sym]: of those, where */
};

typedef struct Mentions {
    const Program *program;
    Mentioned *names;
    Inference *inference; /* NULL while names are counted */
    uint8_t *places;      /* [GlobalFunc] CallPlace; likewise */
} Mentions;

typedef void EachFunc(Mentions *self, const SourceFile *source, FuncId func);

static void each_func(Mentions *self, EachFunc *visit) {
    const Program *program = self->program;
    for (FileId file = 1; file < program->files.count; file++) {
        const SourceFile *source = &program->files.items[file];
        for (FuncId func = 1; source->reaches_torch && func < source->model->funcs.count; func++)
            visit(self, source, func);
    }
}

static void add_bounded(Mentions *self, Sym name, CallPlace place) {
    self->names->bounded[name]++;
    if (self->names->place[name] != CALLED_BY_WORKERS) self->names->place[name] = (uint8_t)place;
}

/* DataLoader(..., collate_fn=dataset.collater if padded else None) */
static void count_collating(Mentions *self, const SourceFile *source, const Func *func, const Expr *keyword) {
    const FileModel *model = source->model;
    Span value = model->exprs.items[keyword->a].span;
    for (ExprId e = func->first_expr; e < func->end_expr; e++) {
        const Expr *expr = &model->exprs.items[e];
        if (is_mention(expr) && expr->span.start >= value.start && expr->span.end <= value.end)
            add_bounded(self, source->syms[expr->name], CALLED_BY_WORKERS);
    }
}

static void count_mentions(Mentions *self, const SourceFile *source, FuncId func) {
    const FileModel *model = source->model;
    const Func *f = &model->funcs.items[func];
    for (ExprId e = f->first_expr; e < f->end_expr; e++) {
        const Expr *expr = &model->exprs.items[e];
        if (is_mention(expr) && expr->name != f->name) self->names->all[source->syms[expr->name]]++;
        if (expr->kind == EXPR_KEYWORD && text_is(model_name(model, expr->name), "collate_fn"))
            count_collating(self, source, f, expr);
    }
}

/* A def is no mention of itself. */
static void discount_own(Mentions *self, const SourceFile *source, FuncId func) {
    const Func *f = &source->model->funcs.items[func];
    const Expr *own = own_name(source->model, f);
    const Func *parent = &source->model->funcs.items[f->parent];
    if (f->name && own->name == f->name && is_mention(own) && parent->name != f->name)
        self->names->all[source->syms[f->name]]--;
}

Mentioned *find_mentioned(Arena *arena, const Program *program, uint32_t names) {
    Mentioned *mentioned = arena_new(arena, Mentioned, 1);
    mentioned->all = arena_new(arena, uint32_t, names);
    mentioned->bounded = arena_new(arena, uint32_t, names);
    mentioned->place = arena_new(arena, uint8_t, names);
    Mentions self = {.program = program, .names = mentioned};
    each_func(&self, count_mentions);
    each_func(&self, discount_own);
    return mentioned;
}

/* ---- what a function's own name and its class say ---- */

static bool starts_any(Text name, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (text_starts(name, text_of(words[i]))) return true;
    return false;
}

static Text without_dashes(Text name) {
    uint32_t start = 0;
    while (start < name.length && name.bytes[start] == '_') start++;
    return text_slice(name, start, name.length);
}

/* load_checkpoint, convert_model, export, download_weights; not load_batch, convert_boxes, initialize_hidden. */
static bool names_setup(Text name) {
    static const char *const ONCE[] = {"export", "download", "initialize", "setup", "set_up"};
    static const char *const NOT[] = {"batch", "hidden"};
    static const char *const MOVES[] = {"load", "convert", "quantize", "init_"};
    static const char *const WHOLE[] = {"model",      "weight", "checkpoint", "ckpt",    "state_dict",
                                        "pretrained", "param",  "network",    "adapter", "from_"};
    if (starts_any(name, ONCE, sizeof ONCE / sizeof *ONCE))
        return !text_holds_any(name, NOT, sizeof NOT / sizeof *NOT);
    return starts_any(name, MOVES, sizeof MOVES / sizeof *MOVES) &&
           text_holds_any(name, WHOLE, sizeof WHOLE / sizeof *WHOLE);
}

/* class Speech(Dataset), SpeechDataset, PadCollator: what they do is done before a batch leaves the CPU. */
static bool makes_data(const FileModel *model, ClassId id) {
    const Class *class_ = &model->classes.items[id];
    Text own = model_name(model, class_->name);
    if (text_ends(own, TEXT("Dataset")) || text_holds(own, "Collat")) return true;
    for (uint32_t i = 0; i < class_->bases.count; i++) {
        const Expr *base = &model->exprs.items[model->links.items[class_->bases.first + i]];
        if (is_mention(base) && text_ends(model_name(model, base->name), TEXT("Dataset"))) return true;
    }
    return false;
}

static CallPlace told_by_name(const FileModel *model, const Func *func) {
    Text name = without_dashes(model_name(model, func->name));
    if (func->class_id && makes_data(model, func->class_id)) return CALLED_BY_WORKERS;
    if (text_starts(name, TEXT("collate")) || text_ends(name, TEXT("collate_fn"))) return CALLED_BY_WORKERS;
    return names_setup(name) || text_equal(name, TEXT("setstate__")) ? CALLED_BY_MAKERS : CALLED_ANYWHERE;
}

/* fit(data), which nobody in sight calls: once. Much of what it calls runs in its loops. */
static void place_fit(Mentions *self, const SourceFile *source, FuncId func) {
    const Func *f = &source->model->funcs.items[func];
    uint8_t *place = &self->places[source->func_base + func];
    Text name = f->name ? without_dashes(model_name(source->model, f->name)) : (Text){0};
    bool fits = text_equal(name, TEXT("fit")) || text_equal(name, TEXT("fit_transform"));
    if (*place == CALLED_ANYWHERE && f->class_id && fits) *place = CALLED_BY_MAKERS;
}

static void place_known(Mentions *self, const SourceFile *source, FuncId func) {
    const Known *known = self->inference->known;
    const Func *f = &source->model->funcs.items[func];
    if (f->name && f->kind == FUNC_DEF)
        self->places[source->func_base + func] = (uint8_t)told_by_name(source->model, f);
    if (!f->class_id || !f->name) return;
    Sym name = source->syms[f->name];
    CallRate rate = RATE_CALL;
    const Clause *declared;
    if (!framework_calls(self->inference, source->class_base + f->class_id, name, &rate, &declared))
        rate = RATE_CALL;
    bool makes = name == known->init || name == known->post_init || rate == RATE_ONCE;
    if (makes || rate != RATE_CALL)
        self->places[source->func_base + func] = makes                 ? CALLED_BY_MAKERS
                                                 : rate == RATE_WORKER ? CALLED_BY_WORKERS
                                                                       : CALLED_ANYWHERE;
}

enum { COUNTED = 0x80 }; /* in places: its calls are in `bounded` */

static void count_calls(Mentions *self, const SourceFile *source, FuncId func) {
    const FileModel *model = source->model;
    const Func *f = &model->funcs.items[func];
    uint8_t *place = &self->places[source->func_base + func];
    if (*place == CALLED_ANYWHERE || (*place & COUNTED)) return;
    for (ExprId e = f->first_expr; e < f->end_expr; e++) {
        const Expr *callee = &model->exprs.items[model->exprs.items[e].a];
        if (model->exprs.items[e].kind == EXPR_CALL && is_mention(callee) && callee->name != f->name)
            add_bounded(self, source->syms[callee->name], (CallPlace)*place);
    }
    *place |= COUNTED;
}

static void place_called(Mentions *self, const SourceFile *source, FuncId func) {
    const Func *f = &source->model->funcs.items[func];
    uint8_t *place = &self->places[source->func_base + func];
    if (!f->name || *place != CALLED_ANYWHERE || text_starts(model_name(source->model, f->name), TEXT("__")))
        return;
    Sym name = source->syms[f->name];
    const Mentioned *names = self->names;
    if (names->all[name] && names->bounded[name] >= names->all[name]) *place = names->place[name];
}

static void uncount(Mentions *self, const SourceFile *source, FuncId func) {
    self->places[source->func_base + func] &= (uint8_t)~COUNTED;
}

const uint8_t *find_places(Inference *inference) {
    enum { ROUNDS = 4 }; /* helpers of helpers; what lies deeper stays called from anywhere */
    Arena scratch = {0};
    const Program *program = inference->program;
    Mentioned *names = ahead_mentioned(inference);
    if (!names) names = find_mentioned(&scratch, program, program->names.texts.count + 1);
    Mentions self = {.program = program,
                     .names = names,
                     .inference = inference,
                     .places = arena_new(inference->arena, uint8_t, program->func_count + 1)};
    each_func(&self, place_known);
    for (int round = 0; round < ROUNDS; round++) {
        each_func(&self, count_calls);
        each_func(&self, place_called);
    }
    each_func(&self, uncount);
    each_func(&self, place_fit);
    arena_free(&scratch);
    return self.places;
}
