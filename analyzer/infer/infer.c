/* Contexts evaluated until nothing grows; the roots that nobody in the program calls; facts as text. */
#include "interpret.h"
#include <stdlib.h>

/* ---- one context ---- */

static const FileId *find_func_files(Arena *arena, const Program *program) {
    FileId *func_files = arena_new(arena, FileId, program->func_count + 1);
    for (GlobalFunc func = 0; func <= program->func_count; func++)
        func_files[func] = program_file_of_func(program, func);
    return func_files;
}

/* Functions that others stand in. */
static const bool *find_nesting(Arena *arena, const Program *program) {
    bool *nesting = arena_new(arena, bool, program->func_count + 1);
    for (FileId file = 1; file < program->files.count; file++) {
        const SourceFile *source = &program->files.items[file];
        for (FuncId func = 1; func < source->model->funcs.count; func++)
            nesting[source->func_base + source->model->funcs.items[func].parent] = true;
    }
    return nesting;
}

static uint32_t first_path(const FileModel *model, const Func *func) {
    for (uint32_t s = 1; s <= func->local_count; s++)
        if (model->locals.items[func->first_local + s - 1].root) return s;
    return 0;
}

static const Value *self_value(Eval *eval, GlobalClass class_id) {
    const ClassInfo *info = class_info(eval->inference, class_id);
    Alt self = {.kind = KIND_INSTANCE, .id = class_id, .confidence = CONFIDENCE_CERTAIN};
    if (info->is_module == TRI_YES ||
        class_inherits(eval->inference, class_id, eval->inference->known->optimizer)) {
        self.device = DEVICE_CUDA;
        self.confidence = CONFIDENCE_LIKELY;
        self.origin = origin_add(&eval->inference->values,
                                 (Origin){.kind = ORIGIN_MODEL,
                                          .confidence = CONFIDENCE_LIKELY,
                                          .file = eval->file_id,
                                          .span = eval->model->stmts.items[eval->func->stmt].head});
    }
    return value_of(&eval->inference->values, self);
}

/* A tensor somewhere, or nothing that is known. */
static bool is_unplaced(const Value *value) {
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        bool somewhere = alt->kind == KIND_TENSOR && alt->device == DEVICE_UNKNOWN;
        if (!somewhere && alt->kind != KIND_UNKNOWN) return false;
    }
    return value != NULL;
}

static const Value *parameter_value(Eval *eval, uint32_t i, const Param *param, const Clause *declared) {
    Inference *inference = eval->inference;
    const Value *value = eval->context->args[i];
    GlobalFunc global = global_func(inference, eval->file_id, eval->func_id);
    if (eval->context->merged)
        value = value_join(&inference->values, value,
                           store_read(inference, eval->id, store_slot(inference, STORE_ARGUMENT, eval->id, i)));
    /* of an operation's operands, what nobody knows is as its convention says */
    bool operand = declared && eval->func->class_id && is_unplaced(value) &&
                   is_operation(eval->inference, eval->file->class_base + eval->func->class_id);
    if (value && !operand) return checked_by_annotation(eval, param->annotation, value);
    if (operand && !eval->context->root) { /* nor who calls it, then */
        eval->context->root = 1 + RATE_FORWARD;
        eval->context->root_confidence = CONFIDENCE_LIKELY;
    }
    if (eval->context->root) return assumed_parameter(eval, param, i, declared);
    if (param->fallback)
        return store_read(inference, eval->id, store_slot(inference, STORE_DEFAULT, global, i));
    return kind_value(eval, KIND_UNKNOWN);
}

/* Itself or in a container, as far as it is known now: nobody is evaluated again when that grows. */
static bool holds_gpu_tensor(Inference *inference, const Value *value, int depth) {
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        if (alt->kind == KIND_TENSOR && alt->device == DEVICE_CUDA && alt->confidence >= CONFIDENCE_LIKELY)
            return true;
        if (alt->kind != KIND_CONTAINER || depth > 1) continue;
        const Object *object = &inference->objects.items[alt->object];
        if (holds_gpu_tensor(inference, store_read(inference, 0, object->rest), depth + 1)) return true;
        for (uint32_t k = 0; k < object->keys.count; k++)
            if (holds_gpu_tensor(inference, store_read(inference, 0, object->key_slots[k]), depth + 1))
                return true;
    }
    return false;
}

static bool holds_part(Eval *eval, const Value *value) {
    EntryId optimizer = eval->inference->known->optimizer;
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        bool steps = alt->kind == KIND_OBJECT && rulebook_inherits(eval->inference->book, alt->id, optimizer);
        if (steps || is_module_alt(eval, alt)) return true;
    }
    return false;
}

/* What a root takes says what it is for: tensors are a step's, and who makes its own model and optimizer trains it. */
static void note_taken(Eval *eval, const Value *value, bool self) {
    Context *context = eval->context;
    context->takes_parts |= self || holds_part(eval, value);
    EntryId image = eval->inference->known->image;
    const Alt *only = value && value->count == 1 ? &value->alts[0] : NULL;
    context->takes_array |=
        only && (only->kind == KIND_NUMPY || (only->kind == KIND_OBJECT && only->id == image));
    if (!self && !value_has(value, KIND_NUMPY))
        context->takes_tensor |= holds_gpu_tensor(eval->inference, value, 0);
}

static void bind_parameters(Eval *eval) {
    const Clause *declared = NULL;
    CallRate rate;
    GlobalClass class_id = eval->func->class_id ? eval->file->class_base + eval->func->class_id : 0;
    bool applied = class_id && is_operation(eval->inference, class_id);
    if ((eval->context->root && class_id) || applied)
        framework_calls(eval->inference, class_id, sym_of(eval, eval->func->name), &rate, &declared);
    for (uint32_t i = 0; i < eval->func->param_count; i++) {
        const Param *param = &eval->model->params.items[eval->func->first_param + i];
        bool self = i == 0 && class_id && !eval->context->args[0] && eval->context->root &&
                    takes_context(eval->inference, class_id, sym_of(eval, eval->func->name));
        const Value *value = self ? self_value(eval, class_id) : parameter_value(eval, i, param, declared);
        if (eval->context->root) note_taken(eval, value, self);
        if (param->slot) assign_slot(eval, param->slot, value);
    }
}

/* A call whose arguments have grown has a context of its own: the one that it had before waits until somebody asks for
   it again. Module bodies are run by imports, which are no edges. */
static bool is_live(const Context *context) { return context->callers || context->root || context->func == 1; }

static void reset_results(const Inference *inference, Context *context, bool again) {
    for (uint32_t i = 0; i < context->edges.count; i++)
        inference->contexts.items[context->edges.items[i].callee]->callers--;
    if (!again) memset(context->facts, 0, sizeof *context->facts * context->exprs);
    effects_reset(context);
    context->edges.count = 0;
    context->unseen.count = 0;
    context->uses.count = 0;
    context->met_bottom = context->met_unknown = false;
}

/* Evaluations are many and short: what one leaves serves the next. */
static Arena *take_scratch(Inference *inference) {
    if (inference->spare.count) return inference->spare.items[--inference->spare.count];
    return arena_new(inference->arena, Arena, 1);
}

static void free_scratch(Inference *inference) {
    while (inference->spare.count) arena_free(take_scratch(inference));
}

void evaluate_context(Inference *inference, ContextId id, uint32_t depth) {
    Context *context = inference->contexts.items[id];
    context->dirty = false;
    if (context->evaluations >= EVALUATIONS_A_CONTEXT) {
        inference->given_up += context->evaluations == EVALUATIONS_A_CONTEXT;
        context->evaluations = EVALUATIONS_A_CONTEXT + 1;
        return;
    }
    context->evaluations++;
    context->evaluating = true;
    context->evaluation = context->reader = memo_reader(inference, id, 0);
    Arena *scratch = take_scratch(inference);
    const SourceFile *file = &inference->program->files.items[context->file];
    const Func *func = &file->model->funcs.items[context->func];
    Eval eval = {.inference = inference,
                 .id = id,
                 .context = context,
                 .file = file,
                 .file_id = context->file,
                 .model = file->model,
                 .func = func,
                 .func_id = context->func,
                 .first_path = first_path(file->model, func),
                 .reachable = true,
                 .depth = depth,
                 .scratch = scratch,
                 .use = evidence_of(inference, context->file, context->func),
                 .shared = inference->nesting[global_func(inference, context->file, context->func)]};
    eval.rooted = find_rooted(&eval);
    Replay *around = inference->replay;
    inference->replay = NULL;
    Replay *replay = inference->replay = memo_begin(&eval);
    reset_results(inference, context, memo_again(replay));
    eval.env = env_new(scratch, func->local_count + 1);
    bind_parameters(&eval);
    if (replay)
        memo_run(replay);
    else
        exec_block(&eval, func->body);
    bool gives_none = func->kind == FUNC_DEF && !func->is_generator;
    const Value *declared = left_to_subclasses(file->model, func) ? annotated(&eval, func->returns) : NULL;
    if (declared)
        store_write(inference, context->returns, declared);
    else if (eval.reachable && gives_none)
        store_write(inference, context->returns, kind_value(&eval, KIND_NONE));
    inference->replay = around;
    context->evaluating = false;
    store_end(inference, id);
    arena_reset(scratch);
    vec_push(inference->arena, &inference->spare, scratch);
}

/* Callees end before their callers do, so a sweep in that order lets what a function returns come to rest before its
   callers look again. */
static void drain(Inference *inference) {
    inference->draining = true;
    while (inference->unsettled) {
        inference->unsettled = false;
        for (uint32_t i = 0; i < inference->ended.count; i++) {
            uint64_t *word = &inference->waiting.items[i / 64];
            if (!*word) i |= 63;
            if (!(*word >> i % 64 & 1)) continue;
            ContextId id = inference->ended.items[i];
            const Context *context = inference->contexts.items[id];
            if (context->dirty && !is_live(context)) continue;
            *word &= ~(1ull << i % 64);
            if (context->dirty) evaluate_context(inference, id, 1);
        }
    }
    inference->draining = false;
}

/* ---- roots ---- */

static Eval root_eval(Inference *inference, Context *nobody, FileId file) {
    return (Eval){.inference = inference,
                  .id = 0,
                  .context = nobody,
                  .file_id = file,
                  .file = &inference->program->files.items[file],
                  .model = inference->program->files.items[file].model};
}

static void evaluate_root(Inference *inference, FileId file, FuncId func, CallRate rate,
                          Confidence confidence) {
    Context nobody = {0};
    Eval eval = root_eval(inference, &nobody, file);
    const Value *args[256] = {NULL};
    if (inference->program->files.items[file].model->funcs.items[func].param_count > 256) return;
    ContextId id = context_for(&eval, file, func, 0, args);
    Context *context = inference->contexts.items[id];
    if (!context->root) {
        context->root = (uint8_t)(1 + rate);
        context->root_confidence = (uint8_t)confidence;
    }
    if (!context->evaluations) evaluate_context(inference, id, 1);
}

static bool called(const Inference *inference, FileId file, FuncId func) {
    return inference->func_contexts[global_func(inference, file, func)] != 0;
}

/* Of a function that was called for a while, until its caller knew better, no call is left. */
static bool has_caller(const Inference *inference, FileId file, FuncId func) {
    for (ContextId id = inference->func_contexts[global_func(inference, file, func)]; id;
         id = inference->context_links.items[id].next)
        if (is_live(inference->contexts.items[id])) return true;
    return false;
}

typedef void VisitFunc(Inference *inference, FileId file, FuncId func);
typedef bool AskFunc(const Inference *inference, FileId file, FuncId func);

/* A file that does not reach torch makes no tensor: its functions are read where others call them. */
static void each_without(Inference *inference, AskFunc *called_by, VisitFunc *visit) {
    for (FileId file = 1; file < inference->program->files.count; file++) {
        const SourceFile *source = &inference->program->files.items[file];
        if (!source->reported || !source->reaches_torch) continue;
        for (FuncId func = 2; func < source->model->funcs.count; func++)
            if (source->model->funcs.items[func].kind == FUNC_DEF && !called_by(inference, file, func))
                visit(inference, file, func);
    }
}

static void each_uncalled(Inference *inference, VisitFunc *visit) { each_without(inference, called, visit); }

static void visit_init(Inference *inference, FileId file, FuncId func) {
    const SourceFile *source = &inference->program->files.items[file];
    const Func *f = &source->model->funcs.items[func];
    if (f->class_id && f->name && source->syms[f->name] == inference->known->init)
        evaluate_root(inference, file, func, RATE_ONCE, CONFIDENCE_LIKELY);
}

static void visit_called(Inference *inference, FileId file, FuncId func, bool operation) {
    const SourceFile *source = &inference->program->files.items[file];
    const Func *f = &source->model->funcs.items[func];
    CallRate rate;
    const Clause *declared;
    if (f->class_id && f->name && is_operation(inference, source->class_base + f->class_id) == operation &&
        framework_calls(inference, source->class_base + f->class_id, source->syms[f->name], &rate, &declared))
        evaluate_root(inference, file, func, rate, CONFIDENCE_LIKELY);
}

static void visit_framework(Inference *inference, FileId file, FuncId func) {
    visit_called(inference, file, func, false);
}

/* Later than others: what calls `apply` says what forward is given, and forward what backward finds. */
static void visit_operation(Inference *inference, FileId file, FuncId func) {
    visit_called(inference, file, func, true);
}

/* One backward may apply another operation. */
static void visit_backward(Inference *inference, FileId file, FuncId func) {
    const SourceFile *source = &inference->program->files.items[file];
    if (source->syms[source->model->funcs.items[func].name] != inference->known->forward)
        visit_operation(inference, file, func);
}

static void visit_any(Inference *inference, FileId file, FuncId func) {
    static const CallRate RATES[] = {
        [CALLED_ANYWHERE] = RATE_CALL, [CALLED_BY_MAKERS] = RATE_ONCE, [CALLED_BY_WORKERS] = RATE_WORKER};
    uint8_t place = inference->places[inference->program->files.items[file].func_base + func];
    evaluate_root(inference, file, func, RATES[place], CONFIDENCE_POSSIBLE);
}

/* They are called from outside; those that something names wait for their caller. */
static void visit_unnamed(Inference *inference, FileId file, FuncId func) {
    const SourceFile *source = &inference->program->files.items[file];
    if (!inference->named) inference->named = ahead_named(inference);
    if (!inference->named) inference->named = find_named(inference->arena, inference->program);
    if (source->model->funcs.items[func].parent == 1 && !inference->named[source->func_base + func])
        visit_any(inference, file, func);
}

/* __call__ under @torch.no_grad(): a pipeline, called for one input after another. */
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
        if (text_equal(name, TEXT("no_grad")) || text_equal(name, TEXT("inference_mode"))) {
            evaluate_root(inference, file, func, RATE_FORWARD, CONFIDENCE_LIKELY);
            return;
        }
    }
}

/* What was waited for in vain is unknown now: the contexts that met it are evaluated once more. */
static void settle(Inference *inference) {
    inference->settling = true;
    for (ContextId id = 1; id < inference->contexts.count; id++) {
        Context *context = inference->contexts.items[id];
        if (!context->met_bottom) continue;
        store_queue(inference, id);
        if (context->evaluations >= EVALUATIONS_A_CONTEXT) context->evaluations = EVALUATIONS_A_CONTEXT - 2;
        if (is_live(context)) evaluate_context(inference, id, 1);
    }
    drain(inference);
}

/* ---- set-up ---- */

static void know(Inference *inference) {
    Known *known = arena_new(inference->arena, Known, 1);
    const Rulebook *book = inference->book;
    Names *names = (Names *)&inference->program->names;
    const struct {
        EntryId *entry;
        const char *name;
    } entries[] = {
        {&known->tensor, "torch.Tensor"},
        {&known->module, "torch.nn.Module"},
        {&known->optimizer, "torch.optim.Optimizer"},
        {&known->ndarray, "numpy.ndarray"},
        {&known->builtins, "builtins"},
        {&known->str, "builtins.str"},
        {&known->list, "builtins.list"},
        {&known->dict, "builtins.dict"},
        {&known->ordered_dict, "collections.OrderedDict"},
        {&known->parameter, "torch.nn.Parameter"},
        {&known->loader, "torch.utils.data.DataLoader"},
        {&known->sequential, "torch.nn.Sequential"},
        {&known->module_list, "torch.nn.ModuleList"},
        {&known->module_dict, "torch.nn.ModuleDict"},
        {&known->operation, "torch.autograd.Function"},
        {&known->operation_apply, "torch.autograd.Function.apply"},
        {&known->writer, "torch.utils.tensorboard.SummaryWriter"},
        {&known->image, "PIL.Image.Image"},
    };
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        *entries[i].entry = rulebook_find(book, text_of(entries[i].name));
    const struct {
        Sym *sym;
        const char *name;
    } syms[] = {
        {&known->forward, "forward"},         {&known->call, "__call__"},
        {&known->init, "__init__"},           {&known->enter, "__enter__"},
        {&known->iter, "__iter__"},           {&known->next, "__next__"},
        {&known->getitem, "__getitem__"},     {&known->setitem, "__setitem__"},
        {&known->device_name, "device"},      {&known->base, "__base__"},
        {&known->post_init, "__post_init__"}, {&known->exit_name, "__exit__"},
        {&known->true_text, "True"},          {&known->false_text, "False"},
        {&known->getattr, "__getattr__"},     {&known->class_name, "__class__"},
    };
    for (size_t i = 0; i < sizeof syms / sizeof *syms; i++)
        *syms[i].sym = names_intern(names, text_of(syms[i].name));
    inference->known = known;
}

static uint32_t exprs_followed(const Program *program) {
    uint32_t count = 0;
    for (FileId file = 1; file < program->files.count; file++) {
        const SourceFile *source = &program->files.items[file];
        if (source->reported && source->reaches_torch) count += source->model->exprs.count;
    }
    return count;
}

/* From module bodies on, until nothing grows. */
static void settle_all(Inference *inference) {
    const Program *program = inference->program;
    inference->contracts = contracts_read(inference->arena, program);
    inference->methods = infer_methods(inference);
    for (FileId file = 1; file < program->files.count; file++)
        if (program->files.items[file].reported && program->files.items[file].reaches_torch)
            evaluate_root(inference, file, 1, RATE_ONCE, CONFIDENCE_CERTAIN);
    drain(inference);
    each_uncalled(inference, visit_init);
    each_uncalled(inference, visit_framework);
    drain(inference);
    infer_guess(inference);
    drain(inference);
    inference->places = find_places(inference);
    each_uncalled(inference, visit_inference);
    each_uncalled(inference, visit_unnamed);
    each_uncalled(inference, visit_backward);
    each_uncalled(inference, visit_operation);
    each_uncalled(inference, visit_any);
    drain(inference);
    settle(inference);
    each_without(inference, has_caller, visit_any);
    drain(inference);
}

const Inference *infer_program(Arena *arena, const Program *program, const Rulebook *book, GpuNames names,
                               uint32_t threads) {
    Inference *inference = arena_new(arena, Inference, 1);
    Arena working = {.supply = arena->supply};
    *inference = (Inference){.arena = arena, .working = &working, .program = program, .book = book};
    uint32_t exprs = exprs_followed(program);
    values_init(&inference->values, arena, &working, exprs / 6);
    store_init(inference, exprs);
    inference->asked = asked_init(&working);
    inference->builtins = find_builtins(arena, book);
    inference->signs = find_signs(arena, &program->names);
    know(inference);
    inference->classes = arena_new(arena, ClassInfo, program->class_count + 1);
    inference->func_contexts = arena_new(arena, uint32_t, program->func_count + 1);
    inference->taken = (const uint64_t ***)arena_new(arena, const uint64_t **, program->func_count + 1);
    inference->plans = arena_new(arena, const struct Plan *, program->func_count + 1);
    inference->uses = arena_new(arena, const uint32_t *, program->func_count + 1);
    inference->spoken = arena_new(&working, uint64_t, book->clause_count + 1);
    inference->fallbacks = arena_new(&working, const Value *, book->term_count + 1);
    inference->keeps = arena_new(arena, uint16_t, program->func_count + 1);
    inference->unknown = arena_new(arena, uint64_t *, program->files.count);
    inference->nesting = find_nesting(arena, program);
    inference->func_files = find_func_files(arena, program);
    inference->accelerator = names.accelerator;
    inference->names_gpu = names.any;
    inference->stars = infer_stars(arena, program->files.count);
    vec_push(arena, &inference->contexts, NULL);
    vec_push(&working, &inference->readers, (Reader){0});
    vec_push(arena, &inference->context_links, (ContextLink){0});
    ahead_run(inference, settle_all, threads, exprs);
    inference->broken = find_broken(inference);
    inference->forgotten = find_forgotten(inference);
    inference->raising = find_raising(inference);
    free_scratch(inference);
    for (ContextId id = 1; id < inference->contexts.count; id++) inference->contexts.items[id]->memo = NULL;
    arena_free(&working); /* what comes next takes its memory */
    inference->working = NULL;
    return inference;
}

/* ---- what others ask ---- */

const Value *infer_fact(const Context *context, const FileModel *model, ExprId expr) {
    const Func *func = &model->funcs.items[context->func];
    return expr >= func->first_expr && expr < func->end_expr ? context->facts[expr - func->first_expr] : NULL;
}

static Text tensor_text(Arena *arena, const Alt *alt) {
    static const char *const DEVICES[] = {"tensor", "cpu", "cuda", "owner"};
    static const char *const DTYPES[] = {"", " bool", " int", " float"};
    return text_format(arena, "%s%s%s%s%s", DEVICES[alt->device], DTYPES[alt->dtype],
                       alt->dims == DIMS_SCALAR ? " scalar" : "", alt->pinned == TRI_YES ? " pinned" : "",
                       alt->confidence == CONFIDENCE_CERTAIN  ? ""
                       : alt->confidence == CONFIDENCE_LIKELY ? " likely"
                                                              : " possible");
}

static Text alt_text(Arena *arena, const Inference *inference, const Alt *alt) {
    static const char *const KINDS[] = {"unknown",   "None",   "number",   "str",     "numpy",
                                        "host",      "tensor", "device",   "dtype",   "slice",
                                        "container", "module", "function", "class",   "instance",
                                        "api",       "object", "method",   "partial", "namespace"};
    static const char *const FLAVOURS[] = {"list", "tuple", "dict", "set", "iterator", "parts"};
    if (alt->kind == KIND_TENSOR) return tensor_text(arena, alt);
    if (alt->kind == KIND_CONTAINER) return text_of(FLAVOURS[inference->objects.items[alt->object].flavour]);
    if (alt->kind == KIND_DEVICE)
        return text_of(alt->device == DEVICE_CUDA  ? "device cuda"
                       : alt->device == DEVICE_CPU ? "device cpu"
                                                   : "device");
    if (alt->kind != KIND_OBJECT && alt->kind != KIND_INSTANCE) return text_of(KINDS[alt->kind]);
    const char *where = alt->device == DEVICE_CUDA ? " cuda" : alt->device == DEVICE_CPU ? " cpu" : "";
    Text name = TEXT("instance");
    if (alt->kind == KIND_OBJECT)
        name = rulebook_text(inference->book, inference->book->entries[alt->id].qualified);
    return text_format(arena, "%.*s%s", (int)name.length, name.bytes, where);
}

Text infer_value_text(Arena *arena, const Inference *inference, const Value *value) {
    if (!value) return TEXT("nothing");
    Text text = {0};
    for (uint32_t i = 0; i < value->count; i++) {
        Text alt = alt_text(arena, inference, &value->alts[i]);
        text = text_format(arena, "%.*s%s%.*s", (int)text.length, text.bytes, i ? " | " : "", (int)alt.length,
                           alt.bytes);
    }
    return text;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\'; }

/* On one line: breaks and indents are one blank, none behind an opening bracket. */
Text infer_source(Arena *arena, const SourceFile *file, Span span) {
    char line[64];
    uint32_t count = 0, at = span.start;
    for (; at < span.end && count < 60; at++) {
        char c = file->bytes.bytes[at];
        char last = count ? line[count - 1] : '(';
        bool opens = last == '(' || last == '[' || last == '{' || last == ' ';
        if (!is_blank(c))
            line[count++] = c;
        else if (!opens)
            line[count++] = ' ';
    }
    while (count && line[count - 1] == ' ') count--;
    return text_format(arena, "%.*s%s", (int)count, line, at < span.end ? "..." : "");
}

/* Of an annotation, the parameter as well: `x: Tensor`. */
static Span with_name(const SourceFile *file, Span span) {
    const char *bytes = file->bytes.bytes;
    uint32_t at = span.start;
    while (at > 0 && bytes[at - 1] == ' ') at--;
    if (at == 0 || bytes[at - 1] != ':') return span;
    at--;
    uint32_t end = at;
    while (at > 0 &&
           (bytes[at - 1] == '_' || (bytes[at - 1] >= '0' && bytes[at - 1] <= '9') ||
            (bytes[at - 1] >= 'a' && bytes[at - 1] <= 'z') || (bytes[at - 1] >= 'A' && bytes[at - 1] <= 'Z')))
        at--;
    if (at < end) span.start = at;
    return span;
}

uint32_t infer_explain(Arena *arena, const Inference *inference, OriginId origin, Reason *reasons,
                       uint32_t most) {
    static const char *const FORMATS[] = {
        [ORIGIN_RESULT] = "`%.*s` gives a GPU tensor",
        [ORIGIN_MOVED] = "moved to the GPU by `%.*s`",
        [ORIGIN_MADE] = "made on the GPU by `%.*s`",
        [ORIGIN_DEVICE] = "`%.*s` is the GPU",
        [ORIGIN_MODEL] = "the module runs on the GPU in training: `%.*s`",
        [ORIGIN_PARAMETER] = "by convention a GPU tensor or module is passed here: `%.*s`",
        [ORIGIN_ARGUMENT] = "`%.*s` names the run's device, by convention a GPU",
        [ORIGIN_ATTRIBUTE] = "kept in `%.*s`",
        [ORIGIN_USE] = "used as only GPU tensors are: `%.*s`",
        [ORIGIN_NAME] = "`%.*s` names the run's device, by convention a GPU",
        [ORIGIN_ASSIGNED] = "assigned by `%.*s`"};
    uint32_t count = 0;
    for (OriginId at = origin; at && count < most; at = inference->values.origins.items[at].parent) {
        const Origin *link = &inference->values.origins.items[at];
        const SourceFile *file = &inference->program->files.items[link->file];
        Span shown = link->kind == ORIGIN_PARAMETER ? with_name(file, link->span) : link->span;
        Text source = infer_source(arena, file, shown);
        reasons[count++] =
            (Reason){.role = ROLE_GPU,
                     .file = link->file,
                     .span = link->span,
                     .text = text_format(arena, FORMATS[link->kind], (int)source.length, source.bytes)};
    }
    return count;
}
