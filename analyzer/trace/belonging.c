#include "belonging.h"
#include "stack_join.h"
#include <math.h>

/* Whether a function on the stack is of these sources, by its name. Module-level code counts only if all
   functions of that file are found: another project may have a train.py too. */
static bool is_called_here(const PythonFrame *frames, const TracedWait *wait) {
    bool here = false;
    for (uint32_t i = 0; i < wait->frame_count; i++) {
        const PythonFrame *frame = &frames[wait->frames[i]];
        if (frame->file && !frame->func) return false;
        here |= frame->file != 0;
    }
    return here;
}

/* In a recording each wait's stack tells it. */
static void count_stacks(const TracedRun *run, const Waits *waits, const Program *program, Belonging *out) {
    Arena scratch = {0};
    Sources *sources = sources_new(&scratch, program);
    for (uint32_t i = 0; i < waits->items.count; i++) {
        const TraceCall *call = run->calls[waits->items.items[i].call].call;
        const TraceFrame *place = stack_place(sources, run->trace, call);
        out->called += place != NULL;
        out->here += place && sources_file(sources, place->file);
    }
    arena_free(&scratch);
}

static void count_calls(const TracedRun *run, const Waits *waits, const Program *program, Belonging *out) {
    if (run->trace->stacks) {
        count_stacks(run, waits, program, out);
        return;
    }
    Arena scratch = {0};
    const PythonFrame *frames = frames_find(&scratch, run->trace, program);
    for (uint32_t i = 0; i < waits->items.count; i++) {
        const TracedWait *wait = &waits->items.items[i];
        out->called += wait->frame_count > 0;
        out->here += is_called_here(frames, wait);
    }
    arena_free(&scratch);
}

static double launches_a_step(const TracedRun *run) {
    double launches = 0;
    for (uint32_t i = 0; i < run->count; i++) launches += run->calls[i].links > 0;
    return run->steps ? launches / run->steps : 0;
}

/* Compiled code queues fewer operations than its source has. */
static bool is_compiled(const Trace *trace) {
    static const char *const words[] = {"triton_", "GraphLaunch"};
    for (Sym name = 1; name <= trace->names.texts.count; name++)
        if (text_holds_any(names_text(&trace->names, name), words, sizeof words / sizeof *words)) return true;
    return false;
}

/* Whether the counts contradict the trace. If everything in a loop is known, they are accurate: traces of
   tests/traces queue 0.7 to 1.6 times what is counted in their own loops, and nine in ten of their waits fit
   findings. */
static bool counts_differ(const Belonging *self) {
    static const double most = 2.5, few = 128;
    double high = self->operations_high, low = self->operations_low, launches = self->launches;
    return launches > fmax(most * high, high + few) || low > fmax(most * launches, launches + few);
}

static Text reason(Arena *arena, const TracedRun *run, const HotLoop *loop, const Belonging *self) {
    if (self->called && !self->here)
        return text_format(arena, "none of the Python functions around its %u waits is of these sources",
                           self->called);
    bool known = run->trace->stacks && self->called;
    if (known || !loop || loop->unseen || is_compiled(run->trace)) return TEXT("");
    if (counts_differ(self))
        return text_format(arena, "a step of it queues %.0f GPU operations, the loop that fits best %.0f",
                           self->launches, self->operations_high);
    if (2 * self->joined < self->waits)
        return text_format(arena, "only %u of its %u waits fit what waits in the loop that fits best",
                           self->joined, self->waits);
    return TEXT("");
}

Belonging belonging_of(Arena *arena, const TracedRun *run, const Waits *waits, const Join *join,
                       const Program *program, const Findings *findings, const Costs *assumed) {
    Belonging self = {.waits = waits->items.count, .joined = join->matched, .launches = launches_a_step(run)};
    const HotLoop *loop = join->matched ? &findings->loops.items[join->loop] : NULL;
    count_calls(run, waits, program, &self);
    if (loop) {
        self.operations_low = assumed->loops[join->loop].operations_low;
        self.operations_high = assumed->loops[join->loop].operations_high;
    }
    self.foreign = reason(arena, run, loop, &self);
    return self;
}
