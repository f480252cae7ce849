#include "gains.h"
#include "joint_gain.h"
#include "search.h"
#include <stdlib.h>

enum { ALONE_AT_MOST = 64 }; /* of a loop, those worth most are asked for one by one; the others at once */

/* Indices of findings. */
typedef VEC(uint32_t) Indices;

typedef struct GainTask {
    Arena *arena;
    const Report *report;
    bool *gains;       /* [finding] the answer; until then, what is still to be made */
    const bool *later; /* [SiteId] */
    HotLoopId loop;
    Indices fixes; /* of the loop: what is worth most first */
} GainTask;

static const Finding *finding_at(const GainTask *self, uint32_t index) {
    return &self->report->findings.items[index];
}

static int by_id(const void *left, const void *right) {
    SiteId a = *(const SiteId *)left, b = *(const SiteId *)right;
    return a < b ? -1 : a > b;
}

/* These, where all others of the loop that are still to be made are. */
static CostSet set_of(const GainTask *self, const Indices *some) {
    SiteId *sites = arena_new(self->arena, SiteId, some->count + 1u),
           *given = arena_new(self->arena, SiteId, self->fixes.count + 1u);
    uint32_t count = 0, given_count = 0;
    for (uint32_t i = 0; i < some->count; i++) sites[count++] = finding_at(self, some->items[i])->id;
    if (count > 1) qsort(sites, count, sizeof *sites, by_id);
    for (uint32_t i = 0; i < self->fixes.count; i++) {
        SiteId id = finding_at(self, self->fixes.items[i])->id;
        uint32_t at = first_from(sites, count, sizeof *sites, id);
        if (self->gains[self->fixes.items[i]] && !(at < count && sites[at] == id)) given[given_count++] = id;
    }
    if (given_count > 1) qsort(given, given_count, sizeof *given, by_id);
    return (CostSet){.loop = self->loop,
                     .sites = sites,
                     .count = count,
                     .given = given,
                     .given_count = given_count,
                     .mended = true,
                     .later = self->later};
}

static bool is_little(const GainTask *self, const CostJoint *joint) {
    return joint->share.high < cost_least_gain(&self->report->options->cost);
}

static bool gain_little(const GainTask *self, const Indices *some) {
    CostSet set = set_of(self, some);
    return is_little(self, joint_gains(self->arena, self->report, &set, 1));
}

/* Which of them gain little by themselves. */
static Indices little_ones(const GainTask *self, const Indices *some) {
    Indices little = {0};
    CostSet *sets = arena_new(self->arena, CostSet, some->count + 1u);
    for (uint32_t i = 0; i < some->count; i++)
        sets[i] = set_of(self, &(Indices){.items = &some->items[i], .count = 1});
    const CostJoint *joints = joint_gains(self->arena, self->report, sets, some->count);
    for (uint32_t i = 0; i < some->count; i++)
        if (is_little(self, &joints[i])) vec_push(self->arena, &little, some->items[i]);
    return little;
}

static void leave(const GainTask *self, const Indices *some) {
    for (uint32_t i = 0; i < some->count; i++) self->gains[some->items[i]] = false;
}

/* What gains little each may gain something together: from what is worth least on, as many are left as gain little together. */
static void leave_little(const GainTask *self, const Indices *some) {
    Indices little = little_ones(self, some), left = {0};
    if (little.count > 1 && !gain_little(self, &little)) {
        for (uint32_t i = little.count; i-- > 0;) {
            vec_push(self->arena, &left, little.items[i]);
            if (!gain_little(self, &left)) left.count--;
        }
        little = left;
    }
    leave(self, &little);
}

static bool runs_each_turn(const Finding *finding) {
    const Frequency *frequency = &finding->site->frequency;
    return frequency->every == 1 && !frequency->only.length && !finding->site->other;
}

/* What runs each turn first: the others stand beside it, and each of them runs in turns of its own. */
static void judge(const GainTask *self) {
    Indices often = {0}, rest = {0}, seldom = {0};
    for (uint32_t i = 0; i < self->fixes.count; i++) {
        Indices *into = i >= ALONE_AT_MOST                                       ? &rest
                        : runs_each_turn(finding_at(self, self->fixes.items[i])) ? &often
                                                                                 : &seldom;
        vec_push(self->arena, into, self->fixes.items[i]);
    }
    if (rest.count && gain_little(self, &rest)) leave(self, &rest);
    leave_little(self, &often);
    Indices little = little_ones(self, &seldom);
    leave(self, &little);
}

static bool has_price(const Finding *finding) {
    return finding->site->loop && !finding->site->unpriced && !finding->cost->uncalibrated;
}

static bool is_asked(const Finding *finding, bool unsafe) {
    const Fix *fix = finding->id ? finding->site->fix : NULL;
    return fix && (unsafe || !fix->doubt.length);
}

static const bool *copied_later(Arena *arena, const Report *report) {
    bool *later = arena_new(arena, bool, report->analysis->findings->sites.count + 1u);
    for (uint32_t i = 0; i < report->findings.count; i++) {
        const Finding *finding = &report->findings.items[i];
        const Fix *fix = finding->id ? finding->site->fix : NULL;
        for (uint32_t k = 0; fix && k < fix->edit_count; k++) later[finding->id] |= fix->edits[k].behind;
    }
    return later;
}

const bool *gains_of_fixes(Arena *arena, const Report *report, const bool *asked, bool unsafe) {
    uint32_t loops = report->analysis->findings->loops.count, count = report->findings.count;
    bool *gains = arena_new(arena, bool, count + 1u);
    GainTask *of_loop = arena_new(arena, GainTask, loops + 1u);
    const bool *later = copied_later(arena, report);
    for (uint32_t i = 0; i < count; i++) {
        const Finding *finding = &report->findings.items[i];
        gains[i] = asked ? asked[i] : is_asked(finding, unsafe);
        if (gains[i] && has_price(finding)) vec_push(arena, &of_loop[finding->site->loop].fixes, i);
    }
    for (HotLoopId id = 1; id < loops; id++) {
        GainTask self = {arena, report, gains, later, id, of_loop[id].fixes};
        if (self.fixes.count) judge(&self);
    }
    return gains;
}

const bool *gains_by_safety(Arena *arena, const Report *report) {
    bool *gains = arena_new(arena, bool, report->findings.count + 1u);
    const bool *safe = gains_of_fixes(arena, report, NULL, false),
               *all = gains_of_fixes(arena, report, NULL, true);
    for (uint32_t i = 0; i < report->findings.count; i++)
        gains[i] = is_asked(&report->findings.items[i], false) ? safe[i] : all[i];
    return gains;
}
