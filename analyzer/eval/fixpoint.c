/* The fixpoint: evaluates roots that nobody in the program calls, then, by a worklist, every context whose
   inputs grew, until nothing grows. Meanwhile another thread computes facts that depend on the text only. */
#include "infer.h"
#include "belief.h"
#include "construct.h"
#include "conventions.h"
#include "eval.h"
#include "hints.h"
#include "memo.h"
#include "python_names.h"
#include "runtime.h"
#include "team.h"
#include <stdatomic.h>

typedef void InferBody(Inference *inference);

typedef void VisitFunc(Inference *inference, FileId file, FuncId func);

typedef bool AskFunc(const Inference *inference, FileId file, FuncId func);

enum { AHEAD_LEAST_EXPRS = 1 << 15 }; /* smaller programs are done in a millisecond */

typedef struct Member {
    Ahead *ahead;
    Inference *inference; /* NULL = who looks ahead */
    InferBody *body;
} Member;

static void infer_guess(Inference *inference);
static void ahead_run(Inference *inference, InferBody *body, uint32_t threads, uint32_t exprs);

static const FileId *find_func_files(Arena *arena, const Program *program) {
    FileId *func_files = arena_new(arena, FileId, program->func_count + 1);
    for (GlobalFunc func = 0; func <= program->func_count; func++)
        func_files[func] = program_file_of_func(program, func);
    return func_files;
}

/* Functions that contain nested functions. */
static const bool *find_nesting(Arena *arena, const Program *program) {
    bool *nesting = arena_new(arena, bool, program->func_count + 1);
    for (FileId file = 1; file < program->files.count; file++) {
        const SourceFile *source = &program->files.items[file];
        for (FuncId func = 1; func < source->model->funcs.count; func++)
            nesting[source->func_base + source->model->funcs.items[func].parent] = true;
    }
    return nesting;
}

/* The index of the i-th item to be taken: i itself, or, where a test shuffles the order, a permutation
   (multiples of a prime larger than count). */
static uint32_t taken_at(const Inference *inference, uint32_t i, uint32_t count) {
    static const uint32_t primes[] = {4294967291u, 4294967279u, 4294967231u, 4294967197u, 4294967189u};
    uint32_t shuffle = inference->shuffle;
    if (!shuffle) return i;
    return (uint32_t)(((uint64_t)i * primes[shuffle % (sizeof primes / sizeof *primes)] + shuffle) % count);
}

/* Callees finish before their callers, so a sweep in that order settles a function's result before its callers
   look again. When shuffled, contexts that finish during a sweep wait for the next one. */
static void run_worklist(Inference *inference) {
    inference->running_worklist = true;
    while (inference->any_dirty) {
        inference->any_dirty = false;
        uint32_t count = inference->ended.count;
        for (uint32_t i = 0; i < (inference->shuffle ? count : inference->ended.count); i++) {
            uint32_t at = taken_at(inference, i, count);
            uint64_t *word = &inference->waiting.items[at / 64];
            if (!*word && !inference->shuffle) i |= 63;
            if (!(*word >> at % 64 & 1)) continue;
            ContextId id = inference->ended.items[at];
            const Context *context = inference->contexts.items[id];
            if (context->dirty && !context_is_live(context)) continue;
            *word &= ~(1ull << at % 64);
            if (context->dirty) evaluate_context(inference, id, 1);
        }
    }
    inference->running_worklist = false;
}

static Eval root_eval(Inference *inference, Context *nobody, FileId file) {
    return (Eval){.inference = inference,
                  .id = 0,
                  .context = nobody,
                  .file_id = file,
                  .file = &inference->program->files.items[file],
                  .model = inference->program->files.items[file].model};
}

static void evaluate_root(Inference *inference, FileId file, FuncId func, CallRate rate) {
    Context nobody = {0};
    Eval eval = root_eval(inference, &nobody, file);
    const Value *args[256] = {NULL};
    if (inference->program->files.items[file].model->funcs.items[func].param_count > 256) return;
    ContextId id = context_for(&eval, file, func, 0, args);
    Context *context = inference->contexts.items[id];
    if (!context->root) context->root = (uint8_t)(1 + rate);
    if (!context->evaluations) evaluate_context(inference, id, 1);
}

static bool called(const Inference *inference, FileId file, FuncId func) {
    return inference->func_contexts[global_func(inference, file, func)] != 0;
}

/* False for a function that was called only until its caller was evaluated with better values. */
static bool has_live_caller(const Inference *inference, FileId file, FuncId func) {
    for (ContextId id = inference->func_contexts[global_func(inference, file, func)]; id;
         id = inference->context_links.items[id].next)
        if (context_is_live(inference->contexts.items[id])) return true;
    return false;
}

/* A file that does not reach torch makes no tensors: its functions are evaluated only where others call them. */
static void each_without(Inference *inference, AskFunc *called_by, VisitFunc *visit) {
    for (FileId file = 1; file < inference->program->files.count; file++) {
        const SourceFile *source = &inference->program->files.items[file];
        if (!source->whole || !source->reaches_torch) continue;
        for (uint32_t i = 0; i + 2 < source->model->funcs.count; i++) {
            FuncId func = inference->sequence[source->func_base + i];
            if (func && source->model->funcs.items[func].kind == FUNC_DEF && !called_by(inference, file, func))
                visit(inference, file, func);
        }
    }
}

static void visit_init(Inference *inference, FileId file, FuncId func) {
    const SourceFile *source = &inference->program->files.items[file];
    const Func *f = &source->model->funcs.items[func];
    if (f->class_id && f->name && source->syms[f->name] == inference->known->init)
        evaluate_root(inference, file, func, RATE_ONCE);
}

/* A framework calls the method, at that rate. */
static bool framework_has(Inference *inference, FileId file, FuncId func, CallRate *rate) {
    const SourceFile *source = &inference->program->files.items[file];
    const Func *f = &source->model->funcs.items[func];
    const Clause *declared;
    return f->class_id && f->name &&
           framework_calls(inference, source->class_base + f->class_id, source->syms[f->name], rate, &declared);
}

static bool is_never(const Inference *inference, FileId file, FuncId func) {
    (void)inference, (void)file, (void)func;
    return false;
}

/* Whoever else calls it: `def on_test_epoch_end(self): self.on_validation_epoch_end()`, once in a run. */
static void visit_hook(Inference *inference, FileId file, FuncId func) {
    CallRate rate;
    if (framework_has(inference, file, func, &rate) && rate == RATE_EPOCH)
        evaluate_root(inference, file, func, rate);
}

static void visit_called(Inference *inference, FileId file, FuncId func, bool operation) {
    const SourceFile *source = &inference->program->files.items[file];
    const Func *f = &source->model->funcs.items[func];
    CallRate rate;
    if (framework_has(inference, file, func, &rate) &&
        is_operation(inference, source->class_base + f->class_id) == operation)
        evaluate_root(inference, file, func, rate);
}

static void visit_framework(Inference *inference, FileId file, FuncId func) {
    visit_called(inference, file, func, false);
}

/* Visited late: callers of `apply` give forward's arguments, and forward gives what backward reads. */
static void visit_operation(Inference *inference, FileId file, FuncId func) {
    visit_called(inference, file, func, true);
}

/* A backward pass may apply another operation. */
static void visit_backward(Inference *inference, FileId file, FuncId func) {
    const SourceFile *source = &inference->program->files.items[file];
    if (source->syms[source->model->funcs.items[func].name] != inference->known->forward)
        visit_operation(inference, file, func);
}

static void visit_any(Inference *inference, FileId file, FuncId func) {
    static const CallRate RATES[] = {
        [CALLED_ANYWHERE] = RATE_CALL, [CALLED_BY_MAKERS] = RATE_ONCE, [CALLED_BY_WORKERS] = RATE_WORKER};
    uint8_t place = inference->places[inference->program->files.items[file].func_base + func];
    evaluate_root(inference, file, func, RATES[place]);
}

/* Functions without mentions are called from outside; mentioned ones wait for their callers. */
static void visit_unnamed(Inference *inference, FileId file, FuncId func) {
    const SourceFile *source = &inference->program->files.items[file];
    if (!inference->named) inference->named = ahead_named(inference);
    if (!inference->named) inference->named = find_named(inference->arena, inference->program);
    if (source->model->funcs.items[func].parent == 1 && !inference->named[source->func_base + func])
        visit_any(inference, file, func);
}

/* A nested function is called by whatever the enclosing function passes it to, if at all. */
static void visit_outer(Inference *inference, FileId file, FuncId func) {
    if (inference->program->files.items[file].model->funcs.items[func].parent == 1)
        visit_any(inference, file, func);
}

/* __call__ under @torch.no_grad(): an inference pipeline, called for one input after another. */
static void visit_inference(Inference *inference, FileId file, FuncId func) {
    const SourceFile *source = &inference->program->files.items[file];
    const FileModel *model = source->model;
    const Func *f = &model->funcs.items[func];
    if (!f->class_id || !f->name || source->syms[f->name] != inference->known->call) return;
    for (uint32_t i = 0; i < f->decorators.count; i++) {
        const Expr *expr = &model->exprs.items[model->links.items[f->decorators.first + i]];
        if (expr->kind == EXPR_CALL) expr = &model->exprs.items[expr->a];
        if (expr->kind != EXPR_NAME && expr->kind != EXPR_ATTRIBUTE) continue;
        Text name = model_name(model, expr->name);
        if (name_is(inference->book, NAMED_gradless_decorator, name)) {
            evaluate_root(inference, file, func, RATE_FORWARD);
            return;
        }
    }
}

/* Second phase: a value that is still bottom becomes unknown, and contexts that met it are evaluated again. */
static void resolve_bottoms(Inference *inference) {
    inference->bottom_is_unknown = true;
    uint32_t count = inference->contexts.count - 1;
    for (uint32_t i = 0; i < count; i++) {
        ContextId id = 1 + taken_at(inference, i, count);
        Context *context = inference->contexts.items[id];
        if (!context->met_bottom) continue;
        store_queue(inference, id);
        if (context->evaluations >= EVALUATIONS_A_CONTEXT) context->evaluations = EVALUATIONS_A_CONTEXT - 2;
        if (context_is_live(context)) evaluate_context(inference, id, 1);
    }
}

static void know(Inference *inference) {
    Known *known = arena_new(inference->arena, Known, 1);
    const Rulebook *book = inference->book;
    Names *names = inference->names;
#define KNOWN_ENTRY(name, word) known->name = entry_named(book, NAMED_##word);
#define KNOWN_NAME(name, text) known->name = names_intern(names, TEXT(text));
#include "known.def"
    known->forward = names_intern(names, name_row(book, NAMED_forward_method, 0));
    known->device_name = names_intern(names, name_row(book, NAMED_device_name, 0));
    known->true_text = names_intern(names, python_text(PY_True));
    known->false_text = names_intern(names, python_text(PY_False));
    inference->known = known;
}

static uint32_t exprs_followed(const Program *program) {
    uint32_t count = 0;
    for (FileId file = 1; file < program->files.count; file++) {
        const SourceFile *source = &program->files.items[file];
        if (source->whole && source->reaches_torch) count += source->model->exprs.count;
    }
    return count;
}

static void evaluate_modules(Inference *inference) {
    const Program *program = inference->program;
    inference->contracts = contracts_read(inference->arena, program);
    inference->methods = infer_methods(inference);
    for (FileId file = 1; file < program->files.count; file++)
        if (program->files.items[file].whole && program->files.items[file].reaches_torch)
            evaluate_root(inference, file, 1, RATE_ONCE);
}

static void place_functions(Inference *inference) { inference->places = find_places(inference); }

/* A pass: how it begins, which functions without callers it visits as roots, and whether a fixpoint follows. */
typedef struct Pass {
    InferBody *begin;
    VisitFunc *visit;
    AskFunc *but; /* skips the functions for which this is true; NULL = called(): a context exists */
    bool fixpoint;
} Pass;

/* Every pass of inference, in order. */
static const Pass PASSES[] = {
    {.begin = evaluate_modules, .fixpoint = true},            /* bodies of modules */
    {.visit = visit_init},                                    /* constructors */
    {.visit = visit_framework, .fixpoint = true},             /* what frameworks call: training_step, forward */
    {.visit = visit_hook, .but = is_never, .fixpoint = true}, /* ... each epoch, though others call it too */
    {.begin = infer_guess, .fixpoint = true}, /* methods of receivers that only the method's name tells */
    {.begin = place_functions, .visit = visit_inference},
    {.visit = visit_unnamed}, /* functions that no name mentions: called from outside */
    {.visit = visit_backward},
    {.visit = visit_operation},
    {.visit = visit_outer, .fixpoint = true}, /* functions that are not nested in another function */
    {.visit = visit_any, .fixpoint = true},
    {.begin = resolve_bottoms, .fixpoint = true}, /* what nothing assigned is unknown */
    /* functions left without a live context, as the types of their callers are known better by now */
    {.visit = visit_any, .but = has_live_caller, .fixpoint = true},
};

static void run_passes(Inference *inference) {
    for (size_t i = 0; i < sizeof PASSES / sizeof *PASSES; i++) {
        const Pass *pass = &PASSES[i];
        if (pass->begin) pass->begin(inference);
        if (pass->visit) each_without(inference, pass->but ? pass->but : called, pass->visit);
        if (pass->fixpoint) run_worklist(inference);
    }
}

static const uint8_t *find_flavours(const Inference *inference) {
    uint8_t *flavours = arena_new(inference->arena, uint8_t, inference->object_count);
    for (ObjectId id = 0; id < inference->object_count; id++)
        flavours[id] = infer_object(inference, id)->flavour;
    return flavours;
}

const Inference *infer_program(Arena *arena, Program *program, const Rulebook *book,
                               const InferOptions *options) {
    Inference *inference = arena_new(arena, Inference, 1);
    Arena working = {.supply = arena->supply};
    *inference = (Inference){.arena = arena,
                             .working = &working,
                             .store = options->store ? options->store : arena,
                             .program = program,
                             .names = &program->names,
                             .book = book};
    uint32_t exprs = exprs_followed(program);
    values_init(&inference->values, arena, &working, exprs / 6);
    inference->values.program = program;
    store_init(inference, exprs);
    inference->asked = asked_init(&working);
    inference->builtins = find_builtins(arena, book);
    inference->signs = find_signs(arena, book, &program->names);
    know(inference);
    inference->classes = arena_new(arena, ClassInfo, program->class_count + 1);
    inference->func_contexts = arena_new(arena, uint32_t, program->func_count + 1);
    inference->taken = (const Taken ***)arena_new(arena, const Taken **, program->func_count + 1);
    inference->graphs = arena_new(arena, const FlowGraph *, program->func_count + 1);
    inference->writes = arena_new(arena, const Writes *, program->files.count);
    inference->plans = arena_new(arena, const struct Plan *, program->func_count + 1);
    inference->uses = arena_new(arena, const uint32_t *, program->func_count + 1);
    inference->spoken = arena_new(&working, Spoken, book->clause_count + 1);
    inference->fallbacks = arena_new(&working, const Value *, book->term_count + 1);
    inference->keeps = arena_new(arena, uint16_t, program->func_count + 1);
    inference->unknown = arena_new(arena, uint64_t *, program->files.count);
    inference->nesting = find_nesting(arena, program);
    inference->func_files = find_func_files(arena, program);
    inference->sequence = find_sequence(arena, program);
    inference->helpers = find_helpers(arena, program);
    inference->accelerator = options->names.accelerator;
    inference->names_gpu = options->names.any;
    inference->shuffle = options->shuffle;
    inference->stars = infer_stars(arena, program->files.count);
    vec_push(arena, &inference->contexts, NULL);
    vec_push(&working, &inference->readers, (Reader){0});
    vec_push(arena, &inference->context_links, (ContextLink){0});
    ahead_run(inference, run_passes, options->threads, exprs);
    inference->broken = find_broken(inference);
    inference->silent = find_silent(inference);
    inference->unplaced = has_no_placer(inference);
    inference->forgotten = find_forgotten(inference);
    inference->raising = find_raising(inference);
    scratch_free(inference);
    for (ContextId id = 1; id < inference->contexts.count; id++) inference->contexts.items[id]->memo = NULL;
    inference->flavours = find_flavours(inference);
    arena_free(&working); /* what comes next takes its memory */
    inference->working = NULL;
    if (inference->store != arena) effects_settle(inference);
    return inference;
}

/* Evaluates contexts that met a method of an unknown receiver again, now that all classes and hierarchies are
   known. */
static void infer_guess(Inference *inference) {
    link_subclasses(inference);
    inference->guessing = true;
    uint32_t count = inference->contexts.count - 1;
    for (uint32_t i = 0; i < count; i++) {
        ContextId id = 1 + taken_at(inference, i, count);
        if (!inference->contexts.items[id]->met_unknown) continue;
        inference->contexts.items[id]->dirty = true;
        evaluate_context(inference, id, 1);
    }
}

static void find_uses(Ahead *self, FileId file) {
    const SourceFile *source = &self->inference->program->files.items[file];
    for (FuncId func = 1; source->reaches_torch && func < source->model->funcs.count; func++) {
        const uint32_t *uses = uses_in_text(&self->kept, &self->scratch, self->inference, file, func);
        atomic_store_explicit(&self->uses[source->func_base + func], uses, memory_order_release);
        arena_reset(&self->scratch);
    }
}

/* In the order in which inference asks. */
static void look_ahead(Ahead *self) {
    const Program *program = self->inference->program;
    atomic_store_explicit(&self->makers, instance_makers(&self->kept, program, self->names),
                          memory_order_release);
    for (FileId file = 1; file < program->files.count && !atomic_load(&self->over); file++)
        find_uses(self, file);
    if (atomic_load(&self->over)) return;
    atomic_store_explicit(&self->named, find_named(&self->kept, program), memory_order_release);
    atomic_store_explicit(&self->mentioned,
                          find_mentioned(&self->loose, self->inference->book, program, self->names),
                          memory_order_release);
}

static void run(void *member) {
    const Member *self = member;
    if (!self->inference) {
        look_ahead(self->ahead);
        return;
    }
    self->body(self->inference);
    atomic_store(&self->ahead->over, true);
}

static void ahead_run(Inference *inference, InferBody *body, uint32_t threads, uint32_t exprs) {
    if (threads == 1 || exprs < AHEAD_LEAST_EXPRS) {
        body(inference);
        return;
    }
    Ahead ahead = {.inference = inference, .names = inference->program->names.texts.count + 1};
    ahead.uses = arena_new(&ahead.loose, UsesFound, inference->program->func_count + 1);
    inference->ahead = &ahead;
    Member members[2] = {{.ahead = &ahead, .inference = inference, .body = body}, {.ahead = &ahead}};
    team_run(run, members, sizeof *members, 2);
    inference->ahead = NULL;
    arena_adopt(inference->arena, &ahead.kept);
    arena_free(&ahead.loose);
    arena_free(&ahead.scratch);
}
