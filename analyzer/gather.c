#include "gather.h"

/* A part, and which of its findings are kept: 0 = not kept. */
typedef struct Gathering {
    Arena *arena;
    const Program *whole;
    const Part *part;
    const Findings *found;
    SiteId *sites;    /* [SiteId of the part]: its id in the whole */
    HotLoopId *loops; /* likewise */
    uint32_t ranked;  /* sites of the parts before it */
    Findings *all;
} Gathering;

static FileId file_of(const Gathering *self, FileId file) { return file ? self->part->files[file - 1] : 0; }

static bool is_reported(const Gathering *self, FileId file) {
    FileId whole = file_of(self, file);
    return self->whole->files.items[whole].reported;
}

/* ---- what is kept ---- */

static void keep_loops(const Gathering *self) {
    const Findings *found = self->found;
    for (HotLoopId id = 1; id < found->loops.count; id++)
        self->loops[id] = is_reported(self, found->loops.items[id].file);
    for (SiteId id = 1; id < found->sites.count; id++) {
        const Site *site = &found->sites.items[id];
        if (!is_reported(self, site->file)) continue;
        self->sites[id] = self->loops[site->loop] = 1;
        for (uint32_t i = 0; i < site->also_count; i++) self->loops[site->also[i]] = 1;
    }
    self->loops[0] = 0;
}

/* Keeps all sites of a loop, as each affects the others' prices. */
static void keep_sites(const Gathering *self) {
    const Findings *found = self->found;
    for (SiteId id = 1; id < found->sites.count; id++)
        self->sites[id] |= self->loops[found->sites.items[id].loop];
    for (HotLoopId id = 1; id < found->loops.count; id++)
        for (uint32_t i = 0; self->loops[id] && i < found->loops.items[id].event_count; i++)
            self->sites[found->loops.items[id].events[i].site] = 1;
    self->sites[0] = 0;
}

static void number(uint32_t *ids, uint32_t count, uint32_t next) {
    for (uint32_t id = 1; id < count; id++)
        if (ids[id]) ids[id] = next++;
}

/* ---- translation of ids ---- */

static const Fix *gather_fix(const Gathering *self, const Fix *fix) {
    if (!fix) return NULL;
    Fix *made = arena_copy(self->arena, fix, sizeof *fix);
    FixEdit *edits = arena_copy(self->arena, fix->edits, sizeof *edits * fix->edit_count);
    for (uint32_t i = 0; i < fix->edit_count; i++) edits[i].file = file_of(self, edits[i].file);
    made->edits = edits;
    FixSpan *with = arena_copy(self->arena, fix->with, sizeof *with * fix->with_count);
    for (uint32_t i = 0; i < fix->with_count; i++) with[i].file = file_of(self, with[i].file);
    made->with = with;
    return made;
}

static void gather_site(const Gathering *self, Site site) {
    Reason *reasons = arena_copy(self->arena, site.reasons, sizeof *reasons * site.reason_count);
    for (uint32_t i = 0; i < site.reason_count; i++) reasons[i].file = file_of(self, reasons[i].file);
    HotLoopId *also = arena_copy(self->arena, site.also, sizeof *also * site.also_count);
    uint32_t also_count = 0;
    for (uint32_t i = 0; i < site.also_count; i++)
        if (self->loops[also[i]]) also[also_count++] = self->loops[also[i]];
    site.reasons = reasons;
    site.also = also;
    site.also_count = also_count;
    site.file = file_of(self, site.file);
    site.rank += self->ranked;
    site.loop = self->loops[site.loop];
    site.accelerator = self->found->accelerator;
    site.fix = gather_fix(self, site.fix);
    vec_push(self->arena, &self->all->sites, site);
}

static void gather_loop(const Gathering *self, HotLoop loop) {
    Event *events = arena_copy(self->arena, loop.events, sizeof *events * loop.event_count);
    for (uint32_t i = 0; i < loop.event_count; i++) {
        events[i].file = file_of(self, events[i].file);
        events[i].site = self->sites[events[i].site];
    }
    loop.events = events;
    loop.file = file_of(self, loop.file);
    loop.accelerator = self->found->accelerator;
    vec_push(self->arena, &self->all->loops, loop);
}

static void gather(Gathering *self) {
    const Findings *found = self->found;
    self->sites = arena_new(self->arena, SiteId, found->sites.count);
    self->loops = arena_new(self->arena, HotLoopId, found->loops.count);
    keep_loops(self);
    keep_sites(self);
    number(self->sites, found->sites.count, self->all->sites.count);
    number(self->loops, found->loops.count, self->all->loops.count);
    for (SiteId id = 1; id < found->sites.count; id++)
        if (self->sites[id]) gather_site(self, found->sites.items[id]);
    for (HotLoopId id = 1; id < found->loops.count; id++)
        if (self->loops[id]) gather_loop(self, found->loops.items[id]);
    self->all->given_up += found->given_up;
    self->all->unknown_receivers += found->unknown_receivers;
}

/* ---- all parts ---- */

/* One GPU is priced in a run: the other accelerator if everything that waits is on it, else CUDA. */
static Text accelerator_of(const Findings *const *found, uint32_t count) {
    Text accelerator = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (found[i]->sites.count > 1 && !found[i]->accelerator.length) return (Text){0};
        if (found[i]->accelerator.length) accelerator = found[i]->accelerator;
    }
    return accelerator;
}

static bool is_all(const Program *whole, const Parts *parts) {
    bool reported = parts->items.count == 1 && parts->items.items[0].count + 1 == whole->files.count;
    for (FileId file = 1; reported && file < whole->files.count; file++)
        reported = whole->files.items[file].reported || !whole->files.items[file].whole;
    return reported;
}

const Findings *findings_gather(Arena *arena, const Program *whole, const Parts *parts,
                                const Findings *const *found) {
    if (is_all(whole, parts)) return found[0];
    Findings *all = arena_new(arena, Findings, 1);
    vec_push(arena, &all->sites, (Site){0});
    vec_push(arena, &all->loops, (HotLoop){0});
    uint32_t ranked = 0;
    for (uint32_t i = 0; i < parts->items.count; i++) {
        Gathering gathering = {.arena = arena,
                               .whole = whole,
                               .part = &parts->items.items[i],
                               .found = found[i],
                               .ranked = ranked,
                               .all = all};
        gather(&gathering);
        ranked += found[i]->sites.count;
    }
    all->accelerator = accelerator_of(found, parts->items.count);
    return all;
}
