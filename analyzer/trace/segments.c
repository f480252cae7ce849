#include "segments.h"
#include "search.h"
#include <math.h>
#include <stdlib.h>

enum {
    ANYWHERE = UINT32_MAX,
    OF_A_LOOP = 4, /* stretches of one loop that are taken */
    TURNS = 6,     /* iterations that a stretch has at least */
};

/* The lines of a hot loop's body. */
typedef struct Body {
    uint32_t first, last;
    bool called; /* a function that a framework calls, not a loop */
} Body;

typedef struct Cutter {
    Arena *arena, *scratch;
    const Trace *trace;
    Sources *sources;
    const Findings *findings;
    Body *bodies; /* [HotLoopId] */
    HotLoopId
        *of_stacks; /* [stack]: the part it belongs to; 0 = outside of all loops, ANYWHERE = it does not tell */
    TraceSegments out;
} Cutter;

/* ---- which loop a stack is in ---- */

static Body body_of(const Program *program, const HotLoop *loop) {
    const FileModel *model = program->files.items[loop->file].model;
    Span span = loop->head;
    bool called = false;
    for (StmtId id = 1; id < model->stmts.count; id++) {
        const Stmt *stmt = &model->stmts.items[id];
        bool head = stmt->head.start == loop->head.start;
        if (head && (stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE)) span = stmt->span;
        if (head && stmt->kind == STMT_FUNCTION) span = stmt->span, called = true;
    }
    return (Body){model_line(model, span.start), model_line(model, span.end ? span.end - 1 : 0), called};
}

static bool is_step(const HotLoop *loop) { return unit_trains(loop->unit) || loop->unit == UNIT_EVALUATION; }

/* The innermost hot loop around a line. */
static HotLoopId around(const Cutter *self, FileId file, uint32_t line) {
    HotLoopId best = 0;
    for (HotLoopId id = 1; id < self->findings->loops.count; id++) {
        const Body *body = &self->bodies[id];
        if (self->findings->loops.items[id].file != file || line < body->first || line > body->last) continue;
        if (!best || body->last - body->first < self->bodies[best].last - self->bodies[best].first) best = id;
    }
    return best;
}

/* The outermost loop is meant: a loop over layers in a model's forward() runs inside a training step. */
static HotLoopId loop_of(const Cutter *self, TraceStack stack, bool *here) {
    HotLoopId best = 0;
    *here = false;
    for (uint32_t i = 0; i < stack.count; i++) {
        const TraceFrame *frame = &self->trace->stacks->frames.items[stack.first + i];
        FileId file = sources_file(self->sources, frame->file);
        HotLoopId loop = file ? around(self, file, frame->line) : 0;
        *here |= file != 0;
        if (loop && is_step(&self->findings->loops.items[loop])) return loop;
        if (loop && (!best || self->bodies[best].called)) best = loop;
    }
    return best;
}

/* Functions that a framework calls one after the other in each step form one part: the framework's loop. */
static HotLoopId part_of(const Cutter *self, HotLoopId loop) {
    const HotLoop *loops = self->findings->loops.items;
    for (HotLoopId id = 1; id < loop && self->bodies[loop].called; id++)
        if (self->bodies[id].called && loops[id].unit == loops[loop].unit) return id;
    return loop;
}

static void find_stacks(Cutter *self) {
    const TraceStacks *stacks = self->trace->stacks;
    self->of_stacks = arena_new(self->scratch, HotLoopId, stacks->stacks.count + 1);
    for (uint32_t id = 1; id < stacks->stacks.count; id++) {
        bool here;
        HotLoopId loop = loop_of(self, stacks->stacks.items[id], &here);
        bool unclear = !here || (loop && self->findings->loops.items[loop].unit == UNIT_CALL);
        self->of_stacks[id] = unclear ? ANYWHERE : part_of(self, loop);
    }
    self->of_stacks[0] = ANYWHERE;
}

/* ---- stretches ---- */

typedef struct Stretch {
    HotLoopId part;
    double from_us, to_us;
    uint32_t stack, turns; /* of its first call; how often that stack recurred */
    Sym name;
} Stretch;

typedef VEC(Stretch) Stretches;

/* A stretch extends from where the previous one was last seen to where the next one starts. */
static Stretches find_stretches(const Cutter *self) {
    Stretches stretches = {0};
    double seen_us = -1e300;
    for (uint32_t i = 0; i < self->trace->calls.count; i++) {
        const TraceCall *call = trace_call(self->trace, i);
        HotLoopId part = self->of_stacks[call->stack];
        Stretch *now = stretches.count ? &stretches.items[stretches.count - 1] : NULL;
        if (part == ANYWHERE) continue;
        if (!now || now->part != part) {
            if (now) now->to_us = call->start_us;
            vec_push(self->scratch, &stretches, ((Stretch){part, seen_us, 1e300, call->stack, 0, call->name}));
            now = &stretches.items[stretches.count - 1];
        }
        now->turns += call->stack == now->stack && call->name == now->name;
        seen_us = call->end_us;
    }
    return stretches;
}

static int by_part_then_length(const void *a, const void *b) {
    const Stretch *x = a, *y = b;
    double more_us = (y->to_us - y->from_us) - (x->to_us - x->from_us);
    if (x->part != y->part) return x->part < y->part ? -1 : 1;
    return more_us > 0 ? 1 : more_us < 0 ? -1 : (x->from_us > y->from_us) - (x->from_us < y->from_us);
}

static uint32_t first_call(const Trace *trace, double from_us) {
    uint32_t low = 0, high = trace->calls.count;
    LOWER_BOUND(low, high, trace_call(trace, middle)->start_us < from_us);
    return low;
}

static const Trace *cut_out(const Cutter *self, const Stretch *stretch) {
    Trace *part = arena_copy(self->arena, self->trace, sizeof *part);
    part->calls = (Rows){.size = sizeof(TraceCall)};
    for (uint32_t i = first_call(self->trace, stretch->from_us); i < self->trace->calls.count; i++) {
        const TraceCall *call = trace_call(self->trace, i);
        if (call->start_us >= stretch->to_us) break;
        *(TraceCall *)rows_add(self->arena, &part->calls) = *call;
    }
    part->events = part->kept = part->calls.count;
    return part;
}

static void add(Cutter *self, const Stretch *stretch) {
    HotLoopId loop = self->bodies[stretch->part].called ? 0 : stretch->part;
    const Trace *part = cut_out(self, stretch);
    bool cut = part->calls.count < self->trace->calls.count;
    vec_push(self->arena, &self->out, ((TraceSegment){stretch->part, loop, part, cut}));
}

/* Adds the longest stretches of one loop. If another loop runs in each of its iterations, no stretch has
   several iterations: then everything from the first to the last stretch is one. */
static void add_part(Cutter *self, const Stretch *stretches, uint32_t count) {
    Stretch all = stretches[0];
    uint32_t added = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (stretches[i].turns >= TURNS && added < OF_A_LOOP) add(self, &stretches[i]), added++;
        all.from_us = fmin(all.from_us, stretches[i].from_us), all.to_us = fmax(all.to_us, stretches[i].to_us);
    }
    if (!added) add(self, &all);
}

static void add_parts(Cutter *self, Stretches *stretches) {
    qsort(stretches->items, stretches->count, sizeof(Stretch), by_part_then_length);
    for (uint32_t from = 0, to; from < stretches->count; from = to) {
        HotLoopId part = stretches->items[from].part;
        for (to = from; to < stretches->count && stretches->items[to].part == part;) to++;
        if (part) add_part(self, &stretches->items[from], to - from);
    }
}

TraceSegments segments_of(Arena *arena, const Trace *trace, Sources *sources, const Program *program,
                          const Findings *findings) {
    Arena scratch = {0};
    Cutter self = {
        .arena = arena, .scratch = &scratch, .trace = trace, .sources = sources, .findings = findings};
    self.bodies = arena_new(&scratch, Body, findings->loops.count + 1);
    for (HotLoopId id = 1; id < findings->loops.count; id++)
        self.bodies[id] = body_of(program, &findings->loops.items[id]);
    find_stacks(&self);
    Stretches stretches = find_stretches(&self);
    if (stretches.count) add_parts(&self, &stretches);
    if (!self.out.count) vec_push(arena, &self.out, ((TraceSegment){.trace = trace}));
    arena_free(&scratch);
    return self.out;
}
