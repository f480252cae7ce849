/* graph.h: the graph of every kind of statement, and what it answers; and what holds of every graph. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include "dump_graph.h"
#include "graph.h"
#include "graph_samples.h"
#include "live.h"
#include "lower.h"
#include "project.h"

typedef struct Made {
    Arena arena;
    FileModel model;
    Text bytes;
    const FlowGraph *graph; /* of the last function */
} Made;

static void make(Made *made, const char *source) {
    *made = (Made){.bytes = text_of(source)};
    Arena scratch = {0};
    SyntaxParser *parser = syntax_open();
    lower_file(&made->arena, &scratch, parser, made->bytes, &made->model);
    syntax_close(parser);
    arena_free(&scratch);
    const Func *last = &made->model.funcs.items[made->model.funcs.count - 1];
    made->graph = graph_make(&made->arena, &made->arena, &made->model, last);
}

static void is_as_drawn(void **state) {
    const GraphSample *sample = *state;
    Made made;
    make(&made, sample->source);
    char *dump = NULL;
    size_t length;
    FILE *stream = open_memstream(&dump, &length);
    dump_file_graphs(stream, &made.model, made.bytes);
    fclose(stream);
    const char *there = strstr(dump, sample->graph);
    if (!there || strcmp(there, sample->graph) != 0) fail_msg("of\n%s\nis\n%s", sample->source, dump);
    free(dump);
    arena_free(&made.arena);
}

/* ---- questions ---- */

static uint32_t slot_named(const Made *made, const char *name) {
    const Func *func = made->graph->func;
    for (uint32_t s = 0; s < func->local_count; s++)
        if (text_is(model_name(&made->model, made->model.locals.items[func->first_local + s].name), name))
            return s + 1;
    fail_msg("no %s", name);
    return 0;
}

/* The first step on a line. */
static StepId step_on(const Made *made, uint32_t line) {
    for (StepId s = 1; s < made->graph->step_count; s++)
        if (model_line(&made->model, made->model.stmts.items[made->graph->steps[s].stmt].head.start) == line)
            return s;
    fail_msg("no step on line %u", line);
    return 0;
}

static bool written(Made *made, const char *name, uint32_t from, uint32_t to) {
    return graph_written_between(made->graph, &made->arena, slot_named(made, name), step_on(made, from),
                                 step_on(made, to));
}

static void what_is_written_between(void **state) {
    (void)state;
    Made made;
    make(&made,
         "def f(a, b):\n x = a\n y = x\n if b:\n  x = 2\n z = y\n a.b = 1\n w = a.b\n a = 3\n return a.b\n");
    assert_false(written(&made, "x", 2, 4));
    assert_false(written(&made, "x", 2, 5));
    assert_true(written(&made, "x", 2, 6));
    assert_false(written(&made, "y", 3, 6));
    assert_false(written(&made, "a.b", 7, 8));
    assert_true(written(&made, "a.b", 8, 10)); /* a = 3 */
    assert_true(written(&made, "y", 6, 3));    /* no way leads there */
    arena_free(&made.arena);
}

static void a_turn_writes_between_as_well(void **state) {
    (void)state;
    Made made;
    make(&made, "def f(a):\n x = 1\n for i in a:\n  y = x\n  x = 2\n z = x\n");
    assert_true(written(&made, "x", 2, 4)); /* in the second turn */
    assert_false(written(&made, "y", 2, 3));
    assert_true(graph_written_in(made.graph, slot_named(&made, "x"), 1));
    assert_true(graph_written_in(made.graph, slot_named(&made, "i"), 1));
    assert_false(graph_written_in(made.graph, slot_named(&made, "z"), 1));
    arena_free(&made.arena);
}

static void an_exception_may_leave_a_step_undone(void **state) {
    (void)state;
    Made made;
    make(&made, "def f(a):\n x = 1\n try:\n  x = a()\n  y = 2\n except E:\n  z = x\n return x\n");
    AccessId use = *graph_uses(made.graph, slot_named(&made, "x")).first;
    Reaching reaching;
    graph_reaching(made.graph, &made.arena, use, &reaching);
    assert_int_equal(reaching.items.count, 2); /* of `z = x`: before and behind the call */
    arena_free(&made.arena);
    make(&made, "def f(a):\n try:\n  x = a()\n except E:\n  z = x\n return x\n");
    graph_reaching(made.graph, &made.arena, *graph_uses(made.graph, slot_named(&made, "x")).first, &reaching);
    assert_int_equal(reaching.items.count, 1);
    assert_int_equal(reaching.items.items[0], 0);
    arena_free(&made.arena);
}

static void uses_of_a_definition(void **state) {
    (void)state;
    Made made;
    make(&made, "def f(a):\n x = a\n if a:\n  print(x)\n  x = 2\n print(x)\n");
    Reaching uses;
    graph_reached(made.graph, &made.arena, *graph_defs(made.graph, slot_named(&made, "x")).first, &uses);
    assert_int_equal(uses.items.count, 2);
    AccessId last = graph_uses(made.graph, slot_named(&made, "x")).first[1];
    assert_int_equal(graph_only_def(made.graph, &made.arena, last), 0);
    arena_free(&made.arena);
}

static void loops_that_turn_once(void **state) {
    (void)state;
    Made made;
    make(&made,
         "def f(a):\n for i in a:\n  if i:\n   break\n  else:\n   return i\n for i in a:\n  if i: break\n"
         " for i in a:\n  while True:\n   return i\n");
    assert_false(graph_repeats(made.graph, 1));
    assert_true(graph_repeats(made.graph, 2));
    assert_false(graph_repeats(made.graph, 3));
    assert_false(graph_repeats(made.graph, 4));
    arena_free(&made.arena);
}

static bool takes(Made *made, LoopId loop, const char *name) {
    return is_taken(taken_by_turns(&made->arena, &made->arena, made->graph, loop), slot_named(made, name));
}

static void what_turns_take_from_the_turn_before(void **state) {
    (void)state;
    Made made;
    make(&made, "def f(a):\n for i in a:\n  x = i\n  y = x + z\n  if y:\n   z = 1\n  w = a.b\n  a.b = w\n"
                " while a:\n  u = 1\n  if u: break\n  v = 2\n");
    assert_false(takes(&made, 1, "i"));
    assert_false(takes(&made, 1, "x"));
    assert_true(takes(&made, 1, "z"));
    assert_true(takes(&made, 1, "a.b"));
    assert_false(takes(&made, 2, "u"));
    assert_true(takes(&made, 2, "v")); /* `break` takes along what the turn before left */
    arena_free(&made.arena);
}

/* ---- what holds of every graph ---- */

/* Whether a way leads from the entry to `to` past `without`: by the definition of dominance. */
static bool comes_past(const FlowGraph *graph, Arena *scratch, BlockId without, BlockId to) {
    bool *seen = arena_new(scratch, bool, graph->block_count);
    BlockId *stack = arena_new(scratch, BlockId, graph->block_count);
    uint32_t depth = 0;
    if (without != GRAPH_ENTRY) stack[depth++] = GRAPH_ENTRY, seen[GRAPH_ENTRY] = true;
    while (depth) {
        const Block *block = &graph->blocks[stack[--depth]];
        for (uint32_t e = block->first_edge; e < block[1].first_edge; e++) {
            BlockId next = graph->edges[e].to;
            if (seen[next] || next == without) continue;
            seen[next] = true;
            stack[depth++] = next;
        }
    }
    return seen[to];
}

static void check_dominators(const FlowGraph *graph, Arena *scratch) {
    enum { SMALL = 40 }; /* by their definition, of small graphs alone */
    for (BlockId b = 1; b < graph->reached; b++) {
        assert_true(graph_dominates(graph, GRAPH_ENTRY, b));
        assert_true(graph_dominates(graph, b, b));
        for (BlockId a = 1; graph->block_count < SMALL && a < graph->reached; a++)
            assert_int_equal(graph_dominates(graph, a, b), !comes_past(graph, scratch, a, b));
        arena_reset(scratch);
    }
    for (BlockId b = 1; b < graph->block_count; b++) assert_true(graph_postdominates(graph, graph->exit, b));
}

/* Edges back lead to what dominates where they begin, which is the head of a loop: nothing is irreducible. */
static void check_edges(const FlowGraph *graph) {
    for (uint32_t e = 0; e < graph->edge_count; e++) {
        const FlowEdge *edge = &graph->edges[e];
        assert_true(edge->from && edge->from < graph->block_count && edge->to && edge->to < graph->block_count);
        if (!graph_reachable(graph, edge->from)) continue;
        assert_true(graph_reachable(graph, edge->to));
        if (edge->to > edge->from) continue;
        assert_true(graph_dominates(graph, edge->to, edge->from));
        LoopId loop = graph->blocks[edge->to].loop;
        assert_int_equal(graph->heads[loop - graph->func->first_loop], edge->to);
        assert_true(graph_in_loop(graph, edge->from, loop));
    }
}

static void check_guards(const FlowGraph *graph) {
    for (BlockId b = 1; b < graph->reached; b++) {
        Guard guard;
        if (!graph_guard(graph, b, &guard)) continue;
        assert_true(guard.test != b && graph_dominates(graph, guard.test, b));
        assert_true(guard.stmt != 0);
    }
}

/* A definition that reaches a use is of the variable, and stands in the function. */
static void check_reaching(const FlowGraph *graph, Arena *scratch) {
    for (AccessId a = 1; a < graph->access_count; a++) {
        if (graph_is_def(&graph->accesses[a])) continue;
        Reaching reaching;
        graph_reaching(graph, scratch, a, &reaching);
        BlockId block = graph->steps[graph->accesses[a].step].block;
        assert_true(!graph_reachable(graph, block) || reaching.items.count > 0);
        for (uint32_t i = 0; i < reaching.items.count; i++)
            assert_true(!reaching.items.items[i] || graph_is_def(&graph->accesses[reaching.items.items[i]]));
        arena_reset(scratch);
    }
}

static void check_steps(const FlowGraph *graph) {
    for (StmtId s = graph->func->first_stmt; s < graph->func->end_stmt; s++)
        assert_true(graph_block(graph, s) != 0);
    for (BlockId b = 1; b < graph->block_count; b++)
        for (StepId s = graph->blocks[b].first_step; s < graph->blocks[b].end_step; s++)
            assert_int_equal(graph->steps[s].block, b);
}

static void what_holds_of_every_graph(void **state) {
    (void)state;
    const char *const paths[] = {"corpus", "tests/cases", "tests/features"};
    Arena arena = {0}, scratch = {0}, graphs = {0};
    ProjectError error;
    const Program *program = project_load(&arena, paths, 3, NULL, &error);
    assert_non_null(program);
    uint32_t count = 0;
    for (FileId file = 1; file < program->files.count; file++) {
        const FileModel *model = program->files.items[file].model;
        for (FuncId func = 1; func < model->funcs.count; func++, count++) {
            const FlowGraph *graph = graph_make(&graphs, &scratch, model, &model->funcs.items[func]);
            arena_reset(&scratch);
            check_steps(graph);
            check_edges(graph);
            check_dominators(graph, &scratch);
            check_guards(graph);
            check_reaching(graph, &scratch);
            arena_reset(&graphs);
        }
    }
    assert_true(count > 1000);
    arena_free(&graphs);
    arena_free(&scratch);
    arena_free(&arena);
}

enum { SAMPLES = sizeof graph_samples / sizeof *graph_samples };

int main(void) {
    struct CMUnitTest tests[SAMPLES + 8] = {

        cmocka_unit_test(what_is_written_between),
        cmocka_unit_test(a_turn_writes_between_as_well),
        cmocka_unit_test(an_exception_may_leave_a_step_undone),
        cmocka_unit_test(uses_of_a_definition),
        cmocka_unit_test(loops_that_turn_once),
        cmocka_unit_test(what_turns_take_from_the_turn_before),
        cmocka_unit_test(what_holds_of_every_graph),
    };
    for (uint32_t i = 0; i < SAMPLES; i++)
        tests[8 + i] = (struct CMUnitTest){.name = graph_samples[i].title,
                                           .test_func = is_as_drawn,
                                           .initial_state = (void *)(uintptr_t)&graph_samples[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
