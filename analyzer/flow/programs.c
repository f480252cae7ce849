/* Reasons by program, see programs.h. */
#include "programs.h"
#include "conventions.h"

/* Limits for one finding: parts of an expression, steps back, expressions in all. */
enum { PARTS_ASKED = 32, STEPS_BACK = 6, EXPRESSIONS_ASKED = 64 };

typedef struct Search {
    const Programs *programs;
    Arena *scratch;
    FileId home;
    uint32_t asked;
} Search;

/* ---- which entry point leads where ---- */

static void reach_from(Arena *scratch, const Inference *inference, uint64_t *runs, ContextId from) {
    VEC(ContextId) waiting = {0};
    vec_push(scratch, &waiting, from);
    while (waiting.count) {
        ContextId id = waiting.items[--waiting.count];
        const Context *context = inference->contexts.items[id];
        for (uint32_t e = 0; e < context->edges.count; e++) {
            ContextId callee = context->edges.items[e].callee;
            if (!(runs[id] & ~runs[callee])) continue;
            runs[callee] |= runs[id];
            vec_push(scratch, &waiting, callee);
        }
    }
}

static int entry_of(const Entries *entries, FileId file) {
    for (uint32_t e = 0; e < entries->count; e++)
        if (entries->files[e] == file) return (int)e;
    return -1;
}

static bool is_on_host(const Value *value) {
    const Alt *alt = value && value->count == 1 ? &value->alts[0] : NULL;
    return alt && alt->kind == KIND_TENSOR && alt->device == DEVICE_CPU;
}

/* `loss.backward()` of a loss that is certainly on the CPU. */
static bool trains_on_host(const Inference *inference, ContextId id) {
    const Context *context = inference->contexts.items[id];
    const FileModel *model = inference->program->files.items[context->file].model;
    const Func *func = &model->funcs.items[context->func];
    for (ExprId e = func->first_expr; e < func->end_expr; e++) {
        const Expr *callee = &model->exprs.items[model->exprs.items[e].a];
        bool method = model->exprs.items[e].kind == EXPR_CALL && callee->kind == EXPR_ATTRIBUTE;
        if (method && name_is(inference->book, NAMED_backward_method, model_name(model, callee->name)) &&
            is_on_host(infer_fact(context, model, callee->a)))
            return true;
    }
    return false;
}

Programs programs_find(Arena *arena, const Inference *inference) {
    Arena scratch = {0};
    Programs programs = {.inference = inference,
                         .entries = find_entries(arena, inference->program, inference->book)};
    uint64_t *runs = arena_new(arena, uint64_t, inference->contexts.count);
    bool asked = programs.entries->count > 1 || programs.entries->silent;
    for (ContextId id = 1; asked && id < inference->contexts.count; id++) {
        const Context *context = inference->contexts.items[id];
        int entry = context->func == 1 ? entry_of(programs.entries, context->file) : -1;
        if (entry < 0) continue;
        runs[id] |= (uint64_t)1 << entry;
        reach_from(&scratch, inference, runs, id);
    }
    programs.runs = runs;
    for (ContextId id = 1; programs.entries->silent && id < inference->contexts.count; id++)
        if (runs[id] & programs.entries->silent & ~programs.on_host && trains_on_host(inference, id))
            programs.on_host |= runs[id] & programs.entries->silent;
    arena_free(&scratch);
    return programs;
}

FileId programs_home(const Context *context, const Frame *frames) {
    FileId home = context->file;
    for (const Frame *frame = frames; frame; frame = frame->outer) home = frame->file;
    return home;
}

/* ---- origins ---- */

static bool is_of_program(const Programs *programs, FileId home, OriginId origin) {
    const Origin *origins = programs->inference->values.origins.items;
    for (OriginId at = origin; at; at = origins[at].parent)
        if (!entries_share(programs->entries, origins[at].file, home)) return false;
    return true;
}

static OriginId own_origin(const Search *self, const Value *value) {
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        bool gpu = alt->kind == KIND_TENSOR && alt->device == DEVICE_CUDA && alt->origin;
        if (gpu && is_of_program(self->programs, self->home, alt->origin)) return alt->origin;
    }
    return 0;
}

static OriginId search(Search *self, ContextId id, ExprId expr, const Frame *frames, int depth);

/* The origin of the argument that the call on this path passes for a parameter. */
static OriginId search_argument(Search *self, ContextId id, uint32_t slot, const Frame *frames, int depth) {
    const Inference *inference = self->programs->inference;
    const Context *context = inference->contexts.items[id];
    const FileModel *model = inference->program->files.items[context->file].model;
    const Func *func = &model->funcs.items[context->func];
    while (frames && frames->is_loop) frames = frames->outer;
    if (!frames || !frames->expr) return 0;
    const Context *caller = inference->contexts.items[frames->context];
    const FileModel *from = inference->program->files.items[caller->file].model;
    for (uint32_t i = 0; i < func->param_count; i++) {
        if (model->params.items[func->first_param + i].slot != slot) continue;
        Given given = call_gives(from, frames->expr, model, func, i);
        return search(self, frames->context, given.expr, frames->outer, depth + 1);
    }
    return 0;
}

static OriginId search_name(Search *self, ContextId id, ExprId name, const Frame *frames, int depth) {
    const Inference *inference = self->programs->inference;
    const Context *context = inference->contexts.items[id];
    const FlowGraph *graph = inference->graphs[global_func(inference, context->file, context->func)];
    AccessId use = graph_access(graph, name);
    Reaching reaching = {0};
    OriginId found = 0;
    if (use && !graph_is_def(&graph->accesses[use])) graph_reaching(graph, self->scratch, use, &reaching);
    for (uint32_t i = 0; i < reaching.items.count && !found; i++) {
        AccessId def = reaching.items.items[i];
        const Stmt *stmt = def ? graph_stmt(graph, def) : NULL;
        ExprId made = !def ? 0 : stmt->kind == STMT_FOR ? stmt->b : graph_value(graph, def);
        found = def ? search(self, id, made, frames, depth + 1)
                    : search_argument(self, id, graph->accesses[use].slot, frames, depth);
    }
    return found;
}

/* The origin of an operand that is on the GPU through its own program. */
static OriginId search(Search *self, ContextId id, ExprId expr, const Frame *frames, int depth) {
    const Inference *inference = self->programs->inference;
    const Context *context = inference->contexts.items[id];
    const FileModel *model = inference->program->files.items[context->file].model;
    const Func *func = &model->funcs.items[context->func];
    OriginId found = 0;
    if (expr < func->first_expr || expr >= func->end_expr || depth > STEPS_BACK) return 0;
    if (self->asked++ >= EXPRESSIONS_ASKED) return 0;
    ExprId first = model_first_part(model, func, expr, PARTS_ASKED);
    for (ExprId e = expr; e >= first && !found; e--) found = own_origin(self, infer_fact(context, model, e));
    for (ExprId e = first; e <= expr && !found; e++)
        if (model->exprs.items[e].kind == EXPR_NAME) found = search_name(self, id, e, frames, depth);
    return found;
}

OriginId programs_origin(const Programs *programs, Arena *scratch, ContextId id, ExprId expr,
                         const Frame *frames, OriginId origin) {
    FileId home = programs_home(programs->inference->contexts.items[id], frames);
    if (programs->entries->count < 2 || is_of_program(programs, home, origin)) return origin;
    Search self = {.programs = programs, .scratch = scratch, .home = home};
    OriginId found = search(&self, id, expr, frames, 0);
    const Origin *origins = programs->inference->values.origins.items;
    while (!found && origin && !is_of_program(programs, home, origin)) origin = origins[origin].parent;
    return found ? found : origin;
}

/* A convention says that somebody may move it to a GPU, but no program that runs the file does. */
bool programs_on_host(const Programs *programs, FileId file, OriginId origin) {
    OriginKind root = origin_begins(&programs->inference->values, origin);
    bool believed = root == ORIGIN_USE || root == ORIGIN_PARAMETER || root == ORIGIN_MODEL || root == ORIGIN_NO;
    uint64_t runs = programs->entries->runs[file];
    return believed && programs->entries->count && runs && !(runs & ~programs->on_host);
}

/* ---- the others ---- */

Text programs_others(Arena *arena, const Programs *programs, uint64_t runs, FileId home, FileId *first) {
    const Program *program = programs->inference->program;
    Text named = {"", 0};
    uint32_t count = 0;
    for (uint32_t e = 0; e < programs->entries->count; e++) {
        FileId file = programs->entries->files[e];
        if (!(runs >> e & 1) || file == home) continue;
        Text path = program->files.items[file].path;
        if (!count) *first = file;
        if (!count) named = text_format(arena, "also run by `%.*s`", (int)path.length, path.bytes);
        if (count == 1)
            named = text_format(arena, "%.*s and `%.*s`", (int)named.length, named.bytes, (int)path.length,
                                path.bytes);
        count++;
    }
    if (count < 3) return named;
    return text_format(arena, "%.*s, and %u more", (int)named.length, named.bytes, count - 2);
}
