/* The order of the pass: runs the scripts from their beginning, then the wanted functions that no script
   reached. */
#include "size.h"
#include "sizer.h"
#include <math.h>

/* Budgets. FUEL is for the scripts, and again for what no script reached. It does not depend on the program's
   size, since statements without effect must not change what is known. Each hot loop has a share of it, and
   TURN_FUEL more while there is enough. In the projects of tests/truth a unit takes 10 to 140 steps, most of them
   in descriptions of APIs; STEPS_A_UNIT ends programs with very long bodies. A step takes about 40 ns. */
enum { FUEL = 44000, TURN_FUEL = 256, STEPS_A_UNIT = 200 };

static void refuel(Sizes *self, int64_t fuel) { self->fuel = fuel, self->steps = fuel * STEPS_A_UNIT; }

/* NULL: the file has no wanted turn. */
static uint32_t *first_turn(const Sizes *self, FileId file, FuncId func, LoopId loop) {
    uint32_t *of_file = self->first_turns[file];
    if (!of_file) return NULL;
    return &of_file[loop ? loop : self->inference->program->files.items[file].model->loops.count + func];
}

static void index_turns(Sizes *self) {
    const Program *program = self->inference->program;
    self->first_turns = arena_new(self->arena, uint32_t *, program->files.count);
    for (uint32_t i = self->turns.count; i-- > 0;) {
        SizeTurn *turn = &self->turns.items[i];
        if (!turn->wanted) continue;
        const FileModel *model = program->files.items[turn->file].model;
        if (!self->first_turns[turn->file])
            self->first_turns[turn->file] =
                arena_new(self->arena, uint32_t, model->loops.count + model->funcs.count);
        uint32_t *first = first_turn(self, turn->file, turn->func, turn->loop);
        turn->next = *first, *first = i;
        self->waiting++;
    }
}

static void add_turns(Sizes *self, const Rate *loops, uint32_t count, const bool *wanted) {
    for (uint32_t i = 0; i < count; i++) {
        SizeTurn turn = {.wanted = i && wanted[i], .context = loops[i].context};
        if (turn.wanted) {
            const Context *context = self->inference->contexts.items[loops[i].context];
            turn.file = context->file, turn.func = context->func;
            bool whole = loops[i].item == UINT32_MAX;
            if (!whole) turn.loop = self->graph->flows[loops[i].context].items.items[loops[i].item].loop;
            turn.wanted = whole || turn.loop;
        }
        vec_push(self->arena, &self->turns, turn);
    }
    index_turns(self);
}

SizeTurn *size_wanted(const Sizes *self, FileId file, FuncId func, LoopId loop) {
    uint32_t *first = first_turn(self, file, func, loop);
    while (!loop && first && self->turns.items[*first].node) *first = self->turns.items[*first].next;
    return first && *first ? &self->turns.items[*first] : NULL;
}

void size_begin_turn(Sizes *self, Scope *scope, SizeTurn *turn) {
    turn->node = scope->node = arena_new(self->arena, SizeNode, 1);
    turn->node->func = global_func(self->inference, scope->file, scope->func);
    self->recording = true;
    self->waiting--;
}

/* The name of Python's main module: a script is run under it. */
static void run_scripts(Sizes *self, int64_t budget) {
    const Program *program = self->inference->program;
    bool *imported = arena_new(self->arena, bool, program->files.count);
    for (FileId file = 1; file < program->files.count; file++) {
        const FileModel *model = program->files.items[file].model;
        for (uint32_t i = 1; i < model->imports.count; i++) {
            const Import *import = &model->imports.items[i];
            for (int with_name = 0; with_name < 2; with_name++) {
                Sym name = names_find(&program->names,
                                      program_import_name(self->arena, program, file, import, with_name));
                FileId to = name ? program_import(program, file, name) : 0;
                if (to && to != file) imported[to] = true;
            }
        }
    }
    for (FileId file = 1; file < program->files.count && budget > 0 && (self->waiting || self->shapes);
         file++) {
        if (imported[file] || !program->files.items[file].reaches_torch) continue;
        refuel(self, budget);
        self->script = file;
        (void)size_module(self, file);
        budget = self->fuel;
    }
}

/* Runs a function that no script reached, with arguments as inference has them. */
static void run_turn(Sizes *self, SizeTurn *turn) {
    const Context *context = self->inference->contexts.items[turn->context];
    const SourceFile *file = &self->inference->program->files.items[turn->file];
    const Func *func = &file->model->funcs.items[turn->func];
    if (func->kind == FUNC_MODULE || func->kind == FUNC_CLASS_BODY) {
        (void)size_module(self, turn->file);
        return;
    }
    Scope *scope = size_scope(self, turn->file, turn->func);
    scope->around = func->parent == 1 ? size_module(self, turn->file) : NULL;
    scope->context = context;
    if (func->class_id) scope->class_ = size_class(self, turn->file, func->class_id, NULL);
    for (uint32_t i = 0; i < func->param_count; i++) {
        const Param *param = &file->model->params.items[func->first_param + i];
        Thing value = i < context->arg_count ? size_taken(self, context->args[i]) : thing_unknown();
        if (value.kind == THING_UNKNOWN && param->fallback && scope->around)
            value = size_eval(self, scope->around, param->fallback);
        if (!i && func->class_id && value.kind == THING_INSTANCE) scope->receiver = value;
        if (param->slot)
            scope->slots[param->slot] = value, scope->bound[param->slot] = value.kind != THING_UNKNOWN;
    }
    if (!turn->loop) size_begin_turn(self, scope, turn);
    size_exec_block(self, scope, func->body);
    self->recording = false;
}

static void run_turns(Sizes *self) {
    int64_t share = FUEL / (self->waiting + 1) / 2, more = FUEL;
    for (uint32_t i = 0; i < self->turns.count; i++) {
        SizeTurn *turn = &self->turns.items[i];
        if (!turn->wanted || turn->node) continue;
        int64_t given = share + (more < TURN_FUEL ? more : TURN_FUEL);
        refuel(self, given);
        run_turn(self, turn);
        int64_t taken = given - self->fuel - share;
        if (taken > 0) more -= taken < more ? taken : more;
    }
}

Sizes *sizes_find(Arena *arena, const CallGraph *graph, const Rate *loops, uint32_t loop_count,
                  const bool *wanted, const SizeOptions *options) {
    Sizes *self = arena_new(arena, Sizes, 1);
    const Inference *inference = graph->inference;
    const Program *program = inference->program;
    self->arena = arena, self->graph = graph, self->inference = inference, self->book = inference->book;
    self->rules = size_rules(), self->unrolled = 1;
    if (options) self->options = *options;
    add_turns(self, loops, loop_count, wanted);
    if (!self->waiting && !self->options.shapes) return self;
    numbers_init(&self->numbers, arena);
    self->modules = arena_new(arena, Scope *, program->files.count);
    self->module_runs = arena_new(arena, uint8_t, program->files.count);
    self->classes = arena_new(arena, ClassThing *, program->class_count + 1);
    self->instances = arena_new(arena, Instance *, program->class_count + 1);
    self->rule_classes = arena_new(arena, ClassThing *, self->rules->model->classes.count);
    self->entry_rows = arena_new(arena, uint16_t, self->book->entry_count);
    if (self->options.shapes) self->shapes = arena_new(arena, Tensor **, program->files.count);
    refuel(self, FUEL);
    self->rule_scope = size_scope(self, 0, 1);
    size_exec_block(self, self->rule_scope, self->rules->model->funcs.items[1].body);
    run_scripts(self, FUEL);
    run_turns(self);
    return self;
}

/* ---- queries ---- */

const SizeNode *size_turn(const Sizes *sizes, uint32_t loop) {
    return sizes && loop < sizes->turns.count ? sizes->turns.items[loop].node : NULL;
}

const SizeNode *size_call(const SizeNode *node, ExprId call, GlobalFunc callee) {
    uint32_t count = node ? node->calls.count : 0;
    for (uint32_t i = FIRST_FROM(node->calls.items, count, call, call); i < count; i++) {
        const SizeCall *below = &node->calls.items[i];
        if (below->call != call) break;
        if (below->node->func == callee) return below->node;
    }
    return NULL;
}

/* Whether two entries describe the same method: a class may override one whose base describes the sizes. */
bool size_same_entry(const Rulebook *book, EntryId a, EntryId b) {
    Text name = rulebook_text(book, book->entries[a].name);
    return a == b || (book->entries[a].name == book->entries[b].name && !text_starts(name, TEXT("__")));
}

/* Of a call on an object of which inference knows a base class only: `model(**batch)` of a PreTrainedModel. */
static bool is_overridden(const Rulebook *book, EntryId own, EntryId base) {
    EntryId a = book->entries[own].parent, b = book->entries[base].parent;
    return a && b && book->entries[own].name == book->entries[base].name && rulebook_inherits(book, a, b);
}

static uint32_t first_work(const SizeNode *node, ExprId expr) {
    return node ? FIRST_FROM(node->works.items, node->works.count, expr, expr) : 0;
}

static bool is_work_of(const SizeNode *node, uint32_t at, ExprId expr) {
    return node && at < node->works.count && node->works.items[at].expr == expr;
}

Workload size_operation(Arena *arena, const SizeNode *node, const Rulebook *book, ExprId expr, EntryId entry) {
    const SizeWork *found = NULL;
    for (uint32_t i = first_work(node, expr); is_work_of(node, i, expr); i++) {
        const SizeWork *work = &node->works.items[i];
        if (size_same_entry(book, work->entry, entry)) return tally_work(arena, &work->tally);
        if (!found && is_overridden(book, work->entry, entry)) found = work;
    }
    return found ? tally_work(arena, &found->tally) : (Workload){0};
}

static void add_executions(Arena *arena, Tally *sum, const Tally *more) {
    double times = more->times > sum->times ? more->times : sum->times;
    tally_add(arena, sum, more, (Amount){1, 1});
    sum->times = times;
}

static void add_called(Arena *arena, Tally *sum, const SizeNode *node, ExprId call) {
    uint32_t count = node ? node->calls.count : 0;
    for (uint32_t i = FIRST_FROM(node->calls.items, count, call, call); i < count; i++) {
        if (node->calls.items[i].call != call) break;
        add_executions(arena, sum, &node->calls.items[i].node->total);
    }
}

Workload size_called(Arena *arena, const SizeNode *node, ExprId call) {
    Tally sum = {0};
    add_called(arena, &sum, node, call);
    return tally_work(arena, &sum);
}

Workload size_followed(Arena *arena, const SizeNode *node, ExprId call) {
    Tally sum = {0};
    for (uint32_t i = first_work(node, call); is_work_of(node, i, call); i++)
        add_executions(arena, &sum, &node->works.items[i].tally);
    add_called(arena, &sum, node, call);
    return tally_work(arena, &sum);
}

Workload size_whole(Arena *arena, const SizeNode *node) {
    return node ? tally_work(arena, &node->total) : (Workload){0};
}

Amount size_turns(const SizeNode *node, LoopId loop) {
    uint32_t count = node ? node->loops.count : 0, at = FIRST_FROM(node->loops.items, count, loop, loop);
    if (at == count || node->loops.items[at].loop != loop) return amount_unknown();
    const SizeLoop *one = &node->loops.items[at];
    return (Amount){one->turns.low / one->times, one->turns.high / one->times};
}

Text size_shape(Arena *arena, const Sizes *sizes, FileId file, ExprId expr) {
    const Tensor *tensor = sizes && sizes->shapes && sizes->shapes[file] ? sizes->shapes[file][expr] : NULL;
    if (!tensor || tensor->rank == RANK_UNKNOWN) return (Text){0};
    Text text = TEXT("(");
    for (int i = 0; i < tensor->rank; i++) {
        const char *between = i ? ", " : "";
        Amount range = number_range(&sizes->numbers, tensor->dims[i]);
        Text dim = !tensor->dims[i].of         ? text_format(arena, "%.15g", tensor->dims[i].times)
                   : isfinite(range.high) != 0 ? text_format(arena, "%.15g..%.15g", range.low, range.high)
                                               : TEXT("?");
        text = text_format(arena, "%.*s%s%.*s", SHOWN(text), between, SHOWN(dim));
    }
    return text_format(arena, "%.*s%s)", SHOWN(text), tensor->rank == 1 ? "," : "");
}
