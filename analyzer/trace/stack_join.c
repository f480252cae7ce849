#include "stack_join.h"

enum { LINE_SITES = 32 };

/* ---- places ---- */

static FileId find_place(Sources *sources, const Trace *trace, const TraceCall *call,
                         const TraceFrame **place) {
    TraceStack stack = trace->stacks->stacks.items[call->stack];
    const TraceFrame *frames = trace->stacks->frames.items + stack.first;
    *place = stack.count ? frames : NULL;
    for (uint32_t i = 0; i < stack.count; i++) {
        FileId file = sources_file(sources, frames[i].file);
        if (file) return *place = &frames[i], file;
    }
    return 0;
}

const TraceFrame *stack_place(Sources *sources, const Trace *trace, const TraceCall *call) {
    const TraceFrame *place = NULL;
    if (trace->stacks && call->stack) (void)find_place(sources, trace, call, &place);
    return place;
}

/* ---- sites of a line ---- */

static bool stands_at(const FileModel *model, Span span, uint32_t line) {
    return model_line(model, span.start) <= line && line <= model_line(model, span.end ? span.end - 1 : 0);
}

static uint32_t kinds_of(const StackJoin *self, const Site *site) {
    return waits_kinds(&self->book->hazards[site->hazard]);
}

/* In order of evaluation: a site nested in another one ends before it. */
static uint32_t insert(const Findings *findings, SiteId *sites, uint32_t count, SiteId site) {
    uint32_t at = count;
    for (; at > 0 && findings->sites.items[sites[at - 1]].span.end > findings->sites.items[site].span.end; at--)
        sites[at] = sites[at - 1];
    sites[at] = site;
    return count + 1;
}

/* The sites on the line itself, else those whose statement contains it (statements are evaluated line by line). */
static uint32_t sites_at(const StackJoin *self, FileId file, uint32_t line, WaitKind kind, SiteId *sites) {
    const FileModel *model = self->program->files.items[file].model;
    uint32_t count = 0;
    for (int statement = 0; statement < 2 && !count; statement++)
        for (SiteId id = 1; id < self->findings->sites.count && count < LINE_SITES; id++) {
            const Site *site = &self->findings->sites.items[id];
            Span span = statement ? site->statement : site->span;
            if (site->file != file || site->unpriced || !stands_at(model, span, line)) continue;
            if (kinds_of(self, site) & 1u << kind) count = insert(self->findings, sites, count, id);
        }
    return count;
}

/* ---- wait by wait ---- */

/* Where a line has several sites, each takes as many of the line's waits in turn as it is known to wait. */
typedef struct Turn {
    uint32_t stack, at; /* stack of the latest wait; index of its current site */
    WaitKind kind;
    double left; /* waits of that site still to come */
} Turn;

static SiteId choose(const StackJoin *self, const SiteId *sites, uint32_t count, const TraceCall *call,
                     WaitKind kind, Turn *turn) {
    bool again = turn->stack == call->stack && turn->kind == kind;
    turn->at = !again ? 0 : turn->left >= 1 ? turn->at : (turn->at + 1) % count;
    if (turn->at >= count) turn->at = 0;
    if (!again || turn->left < 1) {
        double waits = self->findings->sites.items[sites[turn->at]].waits;
        turn->left = waits >= 1 ? waits : 1;
    }
    turn->left -= 1, turn->stack = call->stack, turn->kind = kind;
    return sites[turn->at];
}

static SiteId site_of(const StackJoin *self, const TracedWait *wait, Turn *turn, bool *in_library) {
    const Trace *trace = self->run->trace;
    const TraceCall *call = self->run->calls[wait->call].call;
    const TraceFrame *place = NULL;
    SiteId sites[LINE_SITES];
    FileId file = find_place(self->sources, trace, call, &place);
    uint32_t count = file && !place->gone ? sites_at(self, file, place->line, wait->kind, sites) : 0;
    if (!count) return 0;
    *in_library = place != trace->stacks->frames.items + trace->stacks->stacks.items[call->stack].first;
    return choose(self, sites, count, call, wait->kind, turn);
}

void stack_join(const StackJoin *self, SiteId *sites, bool *in_library) {
    Turn turn = {0};
    for (uint32_t i = 0; i < self->waits->items.count; i++) {
        const TracedWait *wait = &self->waits->items.items[i];
        bool within = false;
        if (wait->kind == WAITED_MEMORY && sites[i]) continue; /* its cause is on another line */
        if (self->run->calls[wait->call].call->stack)
            sites[i] = site_of(self, wait, &turn, &within);
        else if (sites[i] && self->findings->sites.items[sites[i]].backward_waits <= 0)
            sites[i] = 0;
        if (sites[i]) in_library[sites[i]] |= within;
    }
}

HotLoopId stack_loop(const StackJoin *self, const SiteId *sites) {
    HotLoopId best = 0;
    uint32_t most = 0;
    for (HotLoopId loop = 1; loop < self->findings->loops.count; loop++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < self->waits->items.count; i++)
            count += sites[i] && self->findings->sites.items[sites[i]].loop == loop;
        if (count > most) most = count, best = loop;
    }
    return best;
}
