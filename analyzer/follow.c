#include "follow.h"
#include "sites.h"
#include "team.h"
#include <stdatomic.h>
#include <stdlib.h>

typedef struct Following {
    const Program *whole;
    const Rulebook *book;
    Parts parts;
    GpuNames gpu_names;
    FollowOptions options;
    uint64_t exprs;     /* of all parts */
    const Part **order; /* the one with most to do first */
    atomic_uint next;   /* index of `order` */
    Arena *arenas;      /* [part]; adopted in the end */
    const Inference **inferences;
    const Findings **findings;
    Digest *keys;              /* [part], in the cache */
    atomic_ullong added_bytes; /* to it */
} Following;

/* More than a thread's share: what is found in it is found by all threads together. */
static bool is_large(const Following *work, const Part *part) {
    return (uint64_t)part->exprs * work->options.threads > work->exprs;
}

static bool find_kept(Following *work, uint32_t part) {
    if (!work->options.cache) return false;
    Arena scratch = {0};
    Text cuda = work->gpu_names.any ? TEXT("cuda") : (Text){0};
    FindingsAsked asked = {.whole = work->whole,
                           .part = &work->parts.items.items[part],
                           .book = work->book,
                           .gpu = work->gpu_names.accelerator.length ? work->gpu_names.accelerator : cuda,
                           .told = work->options.told};
    work->keys[part] = kept_findings_key(&scratch, &asked);
    work->findings[part] =
        kept_findings_find(work->options.cache, &work->arenas[part], &scratch, work->keys[part], &asked);
    arena_free(&scratch);
    return work->findings[part];
}

static void find(Following *work, uint32_t part, uint32_t threads) {
    work->findings[part] = sites_find(&work->arenas[part], work->inferences[part], threads, work->options.told);
    if (!work->options.cache) return;
    Arena scratch = {0};
    atomic_fetch_add(&work->added_bytes,
                     kept_findings_keep(work->options.cache, &scratch, work->keys[part], work->findings[part]));
    arena_free(&scratch);
}

static void follow(void *member) {
    Following *work = *(Following **)member;
    uint32_t i;
    while ((i = atomic_fetch_add(&work->next, 1)) < work->parts.items.count) {
        uint32_t part = (uint32_t)(work->order[i] - work->parts.items.items);
        if (find_kept(work, part)) continue;
        Arena *arena = &work->arenas[part];
        Program *program = program_of_part(arena, work->whole, work->order[i]);
        uint32_t threads = is_large(work, work->order[i]) ? work->options.threads : 1;
        work->inferences[part] = infer_program(arena, program, work->book, work->gpu_names, threads);
        if (threads == 1) find(work, part, 1);
    }
}

static int by_work(const void *a, const void *b) {
    const Part *x = *(const Part *const *)a, *y = *(const Part *const *)b;
    if (x->exprs != y->exprs) return x->exprs < y->exprs ? 1 : -1;
    return x->files[0] < y->files[0] ? -1 : 1;
}

/* ---- together ---- */

typedef struct Gathering {
    Arena *arena;
    const FileId *files;   /* [FileId of the part - 1] */
    uint32_t sites, loops; /* that came before */
    Findings *all;
} Gathering;

static FileId file_of(const Gathering *self, FileId file) { return file ? self->files[file - 1] : 0; }

static void gather_site(const Gathering *self, Site site) {
    Reason *reasons = arena_copy(self->arena, site.reasons, sizeof *reasons * site.reason_count);
    for (uint32_t i = 0; i < site.reason_count; i++) reasons[i].file = file_of(self, reasons[i].file);
    HotLoopId *also = arena_copy(self->arena, site.also, sizeof *also * site.also_count);
    for (uint32_t i = 0; i < site.also_count; i++) also[i] += self->loops;
    site.reasons = reasons;
    site.also = also;
    site.file = file_of(self, site.file);
    if (site.loop) site.loop += self->loops;
    vec_push(self->arena, &self->all->sites, site);
}

static void gather_loop(const Gathering *self, HotLoop loop) {
    Event *events = arena_copy(self->arena, loop.events, sizeof *events * loop.event_count);
    for (uint32_t i = 0; i < loop.event_count; i++) {
        events[i].file = file_of(self, events[i].file);
        if (events[i].site) events[i].site += self->sites;
    }
    loop.events = events;
    loop.file = file_of(self, loop.file);
    vec_push(self->arena, &self->all->loops, loop);
}

static void gather(Gathering *self, const Part *part, const Findings *found) {
    self->files = part->files;
    self->sites = self->all->sites.count - 1;
    self->loops = self->all->loops.count - 1;
    for (SiteId id = 1; id < found->sites.count; id++) gather_site(self, found->sites.items[id]);
    for (HotLoopId id = 1; id < found->loops.count; id++) gather_loop(self, found->loops.items[id]);
    self->all->given_up += found->given_up;
    self->all->unknown_receivers += found->unknown_receivers;
}

/* One GPU is priced in a run: another accelerator than CUDA where all that waits is on it. */
static Text accelerator_of(const Following *work) {
    Text accelerator = {0};
    for (uint32_t i = 0; i < work->parts.items.count; i++) {
        const Findings *found = work->findings[i];
        if (found->sites.count > 1 && !found->accelerator.length) return (Text){0};
        if (found->accelerator.length) accelerator = found->accelerator;
    }
    return accelerator;
}

static const Findings *gather_all(Arena *arena, const Following *work) {
    const Part *first = work->parts.items.items;
    if (work->parts.items.count == 1 && first->count + 1 == work->whole->files.count) return work->findings[0];
    Findings *all = arena_new(arena, Findings, 1);
    vec_push(arena, &all->sites, (Site){0});
    vec_push(arena, &all->loops, (HotLoop){0});
    Gathering gathering = {.arena = arena, .all = all};
    for (uint32_t i = 0; i < work->parts.items.count; i++) gather(&gathering, &first[i], work->findings[i]);
    all->accelerator = accelerator_of(work);
    return all;
}

Followed follow_parts(Arena *result, const Program *whole, const Rulebook *book, const FollowOptions *options) {
    Following work = {.whole = whole,
                      .book = book,
                      .parts = program_parts(result, whole),
                      .gpu_names = infer_gpu_names(whole, book),
                      .options = *options};
    if (!work.options.threads) work.options.threads = team_cores("");
    uint32_t count = work.parts.items.count;
    work.order = arena_new(result, const Part *, count);
    work.arenas = arena_new(result, Arena, count);
    work.inferences = arena_new(result, const Inference *, count);
    work.findings = arena_new(result, const Findings *, count);
    work.keys = arena_new(result, Digest, count);
    for (uint32_t i = 0; i < count; i++) {
        work.order[i] = &work.parts.items.items[i];
        work.exprs += work.order[i]->exprs;
    }
    if (count > 1) qsort(work.order, count, sizeof *work.order, by_work);
    if (count) work.arenas[work.order[0] - work.parts.items.items].supply = result->supply;
    Following *followers[TEAM_LIMIT];
    for (uint32_t i = 0; i < TEAM_LIMIT; i++) followers[i] = &work;
    uint32_t team = work.options.threads < count ? work.options.threads : count;
    if (team) team_run_deep(follow, followers, sizeof *followers, team, FOLLOW_STACK);
    for (uint32_t i = 0; i < count; i++) {
        if (!work.findings[i]) find(&work, i, work.options.threads);
        arena_adopt(result, &work.arenas[i]);
    }
    if (options->cache) cache_trim(options->cache, work.added_bytes);
    return (Followed){work.inferences, count, gather_all(result, &work)};
}
