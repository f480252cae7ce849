/* Prints --dump=graph: one line a block. */
#include "dump_graph.h"
#include "graph.h"

typedef struct Dump {
    FILE *out;
    const FlowGraph *graph;
    Text bytes;
} Dump;

static void put_name(const Dump *self, uint32_t slot) {
    const Local *local = &self->graph->model->locals.items[self->graph->func->first_local + slot - 1];
    Text name = model_name(self->graph->model, local->name);
    fprintf(self->out, "%.*s", (int)(name.length < 40 ? name.length : 40), name.bytes);
}

/* The source of a span on one line, cut to a limit. */
static void put_source(const Dump *self, Span span) {
    for (uint32_t at = span.start; at < span.end && at < span.start + 40; at++)
        if (self->bytes.bytes[at] >= ' ') fputc(self->bytes.bytes[at], self->out);
}

static void put_step(const Dump *self, const FlowStep *step) {
    static const char *const kinds[] = {"", "test ", "guard ", "iter ", "bind ", "enter "};
    const FlowGraph *graph = self->graph;
    uint32_t line = model_line(graph->model, graph->model->stmts.items[step->stmt].span.start);
    fprintf(self->out, " | %s%u", kinds[step->kind], line);
    for (AccessId a = step->first_access; a < step[1].first_access; a++) {
        static const char *const marks[] = {"", "=", "=", "+=", "=", "=", "=", ":=", "=", " del"};
        fputc(' ', self->out);
        put_name(self, graph->accesses[a].slot);
        fputs(marks[graph->accesses[a].kind], self->out);
    }
}

static void put_guards(const Dump *self, BlockId block) {
    static const char *const kinds[] = {[STMT_IF] = "",
                                        [STMT_WHILE] = "",
                                        [STMT_FOR] = "turn of ",
                                        [STMT_HANDLER] = "exception of ",
                                        [STMT_CASE] = "case of "};
    const FlowGraph *graph = self->graph;
    Guard guard;
    for (BlockId b = block; graph_guard(graph, b, &guard); b = guard.test) {
        fprintf(self->out, "%s%s%s", b == block ? " if " : ", ", guard.controls ? "" : "(",
                guard.truth ? "" : "not ");
        if (guard.condition)
            put_source(self, graph->model->exprs.items[guard.condition].span);
        else
            fprintf(self->out, "%s%u", kinds[graph->model->stmts.items[guard.stmt].kind],
                    model_line(graph->model, graph->model->stmts.items[guard.stmt].span.start));
        if (!guard.controls) fputc(')', self->out);
    }
}

static void put_block(const Dump *self, BlockId b) {
    static const char *const kinds[] = {"", "true ", "false ", "raises "};
    const FlowGraph *graph = self->graph;
    const Block *block = &graph->blocks[b];
    fprintf(self->out, "  B%u%s%s", b, b == graph->exit ? " exit" : "",
            graph_reachable(graph, b) ? "" : " unreached");
    if (block->idom) fprintf(self->out, " dom B%u", block->idom);
    if (block->ipdom && b != graph->exit) fprintf(self->out, " pdom B%u", block->ipdom);
    if (block->loop) fprintf(self->out, " in L%u", block->loop);
    put_guards(self, b);
    for (StepId s = block->first_step; s < block->end_step; s++) put_step(self, &graph->steps[s]);
    for (uint32_t e = block->first_edge; e < block[1].first_edge; e++)
        fprintf(self->out, "%s%sB%u", e == block->first_edge ? " -> " : ", ", kinds[graph->edges[e].kind],
                graph->edges[e].to);
    fputc('\n', self->out);
}

static void put_reaching(const Dump *self, Arena *scratch, AccessId use) {
    const FlowGraph *graph = self->graph;
    Reaching reaching;
    graph_reaching(graph, scratch, use, &reaching);
    fputs("    ", self->out);
    put_name(self, graph->accesses[use].slot);
    fprintf(self->out, " of %u is of",
            model_line(graph->model, graph->model->exprs.items[graph->accesses[use].expr].span.start));
    for (uint32_t i = 0; i < reaching.items.count; i++) {
        AccessId def = reaching.items.items[i];
        if (def)
            fprintf(self->out, " %u",
                    model_line(graph->model, graph->model->exprs.items[graph->accesses[def].expr].span.start));
        else
            fputs(" start", self->out);
    }
    fputs(reaching.many ? " ...\n" : "\n", self->out);
}

static void put_func(FILE *out, Arena *arena, const FileModel *model, FuncId id, Text bytes) {
    Dump self = {out, graph_make(arena, arena, model, &model->funcs.items[id]), bytes};
    Text name = model_name(model, model->funcs.items[id].name);
    fprintf(out, "F%u %.*s\n", id, (int)(name.length < 60 ? name.length : 60), name.bytes);
    for (BlockId b = 1; b < self.graph->block_count; b++) put_block(&self, b);
    for (AccessId a = 1; a < self.graph->access_count; a++)
        if (!graph_is_def(&self.graph->accesses[a])) put_reaching(&self, arena, a);
}

void dump_file_graphs(FILE *out, const FileModel *model, Text bytes) {
    Arena arena = {0};
    for (FuncId id = 1; id < model->funcs.count; id++) {
        put_func(out, &arena, model, id, bytes);
        arena_reset(&arena);
    }
    arena_free(&arena);
}

void dump_graph(FILE *out, const Program *program) {
    for (FileId id = 1; id < program->files.count; id++) {
        const SourceFile *file = &program->files.items[id];
        fprintf(out, "== %.*s\n", SHOWN(file->path));
        dump_file_graphs(out, file->model, file->bytes);
    }
}
