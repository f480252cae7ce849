/* Where a function without visible callers is mentioned: in constructors, in code run by loader workers, or
   anywhere. */
#include "infer.h"
#include "belief.h"
#include "conventions.h"
#include "hints.h"

enum { COUNTED = 0x80 }; /* in places: its calls are in `bounded` */

static Text without_dashes(Text name) {
    uint32_t start = 0;
    while (start < name.length && name.bytes[start] == '_') start++;
    return text_slice(name, start, name.length);
}

/* Names of set-up: load_checkpoint, convert_model, export, download_weights; not load_batch, convert_boxes,
   initialize_hidden. */
static bool names_setup(const Rulebook *book, Text name) {
    if (name_is(book, NAMED_setup_method, name)) return !name_is(book, NAMED_batch_method, name);
    return name_is(book, NAMED_loading_method, name) && name_is(book, NAMED_whole_model_method, name);
}

/* class Speech(Dataset), SpeechDataset, PadCollator: they work on data before a batch leaves the CPU. */
static bool makes_data(const Rulebook *book, const FileModel *model, ClassId id) {
    const Class *class_ = &model->classes.items[id];
    Text own = model_name(model, class_->name);
    if (name_is(book, NAMED_data_class, own)) return true;
    for (uint32_t i = 0; i < class_->bases.count; i++) {
        const Expr *base = &model->exprs.items[model->links.items[class_->bases.first + i]];
        if (is_mention(base) && name_is(book, NAMED_dataset_class, model_name(model, base->name))) return true;
    }
    return false;
}

static CallPlace told_by_name(const Rulebook *book, const FileModel *model, const Func *func) {
    Text name = without_dashes(model_name(model, func->name));
    if (func->class_id && makes_data(book, model, func->class_id)) return CALLED_BY_WORKERS;
    if (name_is(book, NAMED_collating_method, name)) return CALLED_BY_WORKERS;
    return names_setup(book, name) || text_equal(name, TEXT("setstate__")) ? CALLED_BY_MAKERS : CALLED_ANYWHERE;
}

/* fit(data) without visible callers runs once. Much of what it calls runs in its loops. */
static void place_fit(Mentions *self, const SourceFile *source, FuncId func) {
    const Func *f = &source->model->funcs.items[func];
    uint8_t *place = &self->places[source->func_base + func];
    Text name = f->name ? without_dashes(model_name(source->model, f->name)) : (Text){0};
    bool fits = name_is(self->book, NAMED_fitting_method, name);
    if (*place == CALLED_ANYWHERE && f->class_id && fits) *place = CALLED_BY_MAKERS;
}

static void place_known(Mentions *self, const SourceFile *source, FuncId func) {
    const Known *known = self->inference->known;
    const Func *f = &source->model->funcs.items[func];
    if (f->name && f->kind == FUNC_DEF)
        self->places[source->func_base + func] = (uint8_t)told_by_name(self->book, source->model, f);
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
    enum { ROUNDS = 4 }; /* helpers of helpers; deeper ones count as called from anywhere */
    Arena scratch = {0};
    const Program *program = inference->program;
    Mentioned *names = ahead_mentioned(inference);
    if (!names) names = find_mentioned(&scratch, inference->book, program, program->names.texts.count + 1);
    Mentions self = {.book = inference->book,
                     .program = program,
                     .names = names,
                     .inference = inference,
                     .places = arena_new(inference->arena, uint8_t, program->func_count + 1)};
    each_function(&self, place_known);
    for (int round = 0; round < ROUNDS; round++) {
        each_function(&self, count_calls);
        each_function(&self, place_called);
    }
    each_function(&self, uncount);
    each_function(&self, place_fit);
    arena_free(&scratch);
    return self.places;
}
