#include "follow.h"
#include "gather.h"
#include "fix.h"
#include "sites.h"
#include "team.h"
#include <stdatomic.h>
#include <stdlib.h>

typedef struct Following {
    const Program *whole;
    const Rulebook *book;
    Parts parts;
    FollowOptions options;
    uint64_t exprs;     /* over all parts */
    const Part **order; /* by work, the most first */
    atomic_uint next;   /* next index in `order` */
    Arena *arenas;      /* [part]; adopted by the result in the end */
    Arena *stores;      /* [part]: Inference.store; freed by sites_find */
    const Inference **inferences;
    const Findings **findings;
    Digest *keys;              /* [part]: its key in the cache */
    atomic_ullong added_bytes; /* written to the cache */
} Following;

/* More than a thread's share of work: its findings are then computed by all threads together. */
static bool is_large(const Following *work, const Part *part) {
    return (uint64_t)part->exprs * work->options.threads > work->exprs;
}

static bool find_kept(Following *work, uint32_t part) {
    if (!work->options.cache) return false;
    Arena scratch = {0};
    FindingsAsked asked = {.whole = work->whole,
                           .part = &work->parts.items.items[part],
                           .book = work->book,
                           .told = work->options.told,
                           .shapes = work->options.sizes.given,
                           .shape_count = work->options.sizes.given_count};
    work->keys[part] = kept_findings_key(&scratch, &asked);
    work->findings[part] =
        kept_findings_find(work->options.cache, &work->arenas[part], &scratch, work->keys[part], &asked);
    arena_free(&scratch);
    return work->findings[part];
}

/* Frees the facts of a part once its findings are known: they are most of the memory of a run. */
static void forget(Following *work, uint32_t part) {
    Arena findings = {.supply = work->arenas[part].supply};
    work->findings[part] = kept_findings_copy(&findings, work->findings[part]);
    work->inferences[part] = NULL;
    arena_free(&work->arenas[part]);
    work->arenas[part] = findings;
}

static void find(Following *work, uint32_t part, uint32_t threads) {
    Arena *arena = &work->arenas[part];
    const Findings *found =
        sites_find(arena, work->inferences[part], threads, work->options.told, &work->options.sizes);
    work->findings[part] = fix_findings(arena, work->inferences[part], found);
    if (work->options.cache) {
        Arena scratch = {0};
        atomic_fetch_add(&work->added_bytes, kept_findings_keep(work->options.cache, &scratch, work->keys[part],
                                                                work->findings[part]));
        arena_free(&scratch);
    }
    if (!work->options.dumped) forget(work, part);
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
        InferOptions options = {.names = infer_gpu_names(program, work->book),
                                .threads = threads,
                                .store = work->options.dumped ? NULL : &work->stores[part]};
        work->stores[part].supply = arena->supply;
        work->inferences[part] = infer_program(arena, program, work->book, &options);
        if (threads == 1) find(work, part, 1);
    }
}

static int by_work(const void *a, const void *b) {
    const Part *x = *(const Part *const *)a, *y = *(const Part *const *)b;
    if (x->exprs != y->exprs) return x->exprs < y->exprs ? 1 : -1;
    return x->files[0] < y->files[0] ? -1 : 1;
}

Followed follow_parts(Arena *result, const Program *whole, const Rulebook *book, const FollowOptions *options) {
    Following work = {.whole = whole, .book = book, .parts = program_parts(result, whole), .options = *options};
    if (!work.options.threads) work.options.threads = team_cores("");
    uint32_t count = work.parts.items.count;
    work.order = arena_new(result, const Part *, count);
    work.arenas = arena_new(result, Arena, count);
    work.stores = arena_new(result, Arena, count);
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
    return (Followed){work.inferences, count, findings_gather(result, whole, &work.parts, work.findings)};
}
