#include "gains.h"
#include "joint_gain.h"
#include "search.h"
#include <stdlib.h>

enum { ALONE_AT_MOST = 64 }; /* fixes of a loop that are judged one by one, the dearest; further ones at once */

/* Indices of findings. */
typedef VEC(uint32_t) Indices;

/* The fixes of a loop, by worth. */
typedef struct LoopFixes {
    Indices often, seldom; /* often: in every iteration; seldom: in some iterations only */
    Indices rest;
    Indices all;
    Indices little; /* those of `often` that gain little alone */
} LoopFixes;

typedef struct GainTask {
    Arena *arena;
    const Report *report;
    bool *gains;           /* [finding]: the answer; until then, whether its fix is still to be made */
    const uint8_t *manner; /* [SiteId] */
    LoopFixes *loops;      /* [HotLoopId] */
    uint32_t loop_count;
} GainTask;

typedef struct Question {
    HotLoopId loop;
    Indices some;
    bool sure;   /* asks for the least that they gain, not the most */
    bool little; /* the answer: all of them together gain little */
} Question;

typedef VEC(Question) Questions;

static const Finding *finding_at(const GainTask *self, uint32_t index) {
    return &self->report->findings.items[index];
}

static const Fix *fix_of(const Finding *finding) { return finding->id ? finding->site->fix : NULL; }

/* The set of these fixes, given all other fixes of the loop that are still to be made. */
static CostSet set_of(const GainTask *self, const Question *question) {
    const Indices *some = &question->some, *all = &self->loops[question->loop].all;
    SiteId *sites = arena_new(self->arena, SiteId, some->count + 1u),
           *given = arena_new(self->arena, SiteId, all->count + 1u);
    uint32_t count = 0, given_count = 0;
    for (uint32_t i = 0; i < some->count; i++) sites[count++] = finding_at(self, some->items[i])->id;
    if (count > 1) qsort(sites, count, sizeof *sites, number_order);
    for (uint32_t i = 0; i < all->count; i++) {
        SiteId id = finding_at(self, all->items[i])->id;
        uint32_t at = first_from(sites, count, sizeof *sites, id);
        if (self->gains[all->items[i]] && !(at < count && sites[at] == id)) given[given_count++] = id;
    }
    if (given_count > 1) qsort(given, given_count, sizeof *given, number_order);
    return (CostSet){.loop = question->loop,
                     .sites = sites,
                     .count = count,
                     .given = given,
                     .given_count = given_count,
                     .mended = true,
                     .manner = self->manner};
}

/* Asks all questions at once, since each replay has a fixed cost for the program. */
static void answer(const GainTask *self, Questions *questions) {
    CostSet *sets = arena_new(self->arena, CostSet, questions->count + 1u);
    double least = cost_least_gain(&self->report->options->cost);
    for (uint32_t i = 0; i < questions->count; i++) sets[i] = set_of(self, &questions->items[i]);
    const CostJoint *joints = joint_gains(self->arena, self->report, sets, questions->count);
    for (uint32_t i = 0; i < questions->count; i++) {
        Question *it = &questions->items[i];
        it->little = (it->sure ? joints[i].share.low : joints[i].share.high) < least;
    }
}

static void ask(const GainTask *self, Questions *questions, HotLoopId loop, Indices some) {
    if (some.count) vec_push(self->arena, questions, ((Question){loop, some, false, false}));
}

static void ask_each(const GainTask *self, Questions *questions, HotLoopId loop, const Indices *some) {
    for (uint32_t i = 0; i < some->count; i++)
        ask(self, questions, loop, (Indices){.items = &some->items[i], .count = 1});
}

static void leave(const GainTask *self, const Indices *some) {
    for (uint32_t i = 0; i < some->count; i++) self->gains[some->items[i]] = false;
}

static void leave_little(const GainTask *self, Questions *questions) {
    answer(self, questions);
    for (uint32_t i = 0; i < questions->count; i++)
        if (questions->items[i].little) leave(self, &questions->items[i].some);
}

/* Drops the least worthwhile fixes as long as all dropped ones together gain little. */
static void leave_one_by_one(const GainTask *self, HotLoopId loop, const Indices *little) {
    Indices left = {0};
    for (uint32_t i = little->count; i-- > 0;) {
        Questions one = {0};
        vec_push(self->arena, &left, little->items[i]);
        ask(self, &one, loop, left);
        answer(self, &one);
        if (!one.items[0].little) left.count--;
    }
    leave(self, &left);
}

/* Fixes that gain little one by one may gain something together. */
static void judge_often(const GainTask *self) {
    Questions each = {0}, together = {0};
    for (HotLoopId id = 1; id < self->loop_count; id++) ask_each(self, &each, id, &self->loops[id].often);
    answer(self, &each);
    for (uint32_t i = 0; i < each.count; i++)
        if (each.items[i].little)
            vec_push(self->arena, &self->loops[each.items[i].loop].little, each.items[i].some.items[0]);
    for (HotLoopId id = 1; id < self->loop_count; id++) ask(self, &together, id, self->loops[id].little);
    answer(self, &together);
    for (uint32_t i = 0; i < together.count; i++) {
        const Question *it = &together.items[i];
        if (it->little || it->some.count == 1)
            leave(self, &it->some);
        else
            leave_one_by_one(self, it->loop, &it->some);
    }
}

/* Drops fixes that make the code no easier to read where they may gain little. */
static void leave_unsure(const GainTask *self) {
    Questions unsure = {0};
    for (HotLoopId id = 1; id < self->loop_count; id++) {
        const Indices *all = &self->loops[id].all;
        for (uint32_t i = 0; i < all->count; i++)
            if (fix_of(finding_at(self, all->items[i]))->sure)
                ask(self, &unsure, id, (Indices){.items = &all->items[i], .count = 1});
    }
    for (uint32_t i = 0; i < unsure.count; i++) unsure.items[i].sure = true;
    leave_little(self, &unsure);
}

/* Fixes in every iteration come first, as the others are judged beside them. */
static void judge(const GainTask *self) {
    Questions rest = {0}, seldom = {0};
    leave_unsure(self);
    for (HotLoopId id = 1; id < self->loop_count; id++) ask(self, &rest, id, self->loops[id].rest);
    leave_little(self, &rest);
    judge_often(self);
    for (HotLoopId id = 1; id < self->loop_count; id++) ask_each(self, &seldom, id, &self->loops[id].seldom);
    leave_little(self, &seldom);
}

static bool runs_each_turn(const Finding *finding) {
    const Frequency *frequency = &finding->site->frequency;
    return frequency->every == 1 && !frequency->only.length && !finding->site->other;
}

static void take(const GainTask *self, uint32_t index) {
    const Finding *finding = finding_at(self, index);
    LoopFixes *loop = &self->loops[finding->site->loop];
    Indices *into = loop->all.count >= ALONE_AT_MOST ? &loop->rest
                    : runs_each_turn(finding)        ? &loop->often
                                                     : &loop->seldom;
    vec_push(self->arena, into, index);
    vec_push(self->arena, &loop->all, index);
}

static bool has_price(const Finding *finding) {
    return finding->site->loop && !finding->site->unpriced && !finding->cost->uncalibrated;
}

/* The loop has something that a wait can delay: GPU operations, or unknown calls. */
static bool queues(const HotLoop *loop) {
    for (uint32_t i = 0; i < loop->event_count; i++) {
        const Event *event = &loop->events[i];
        bool work = event->kind == EVENT_OPS || event->kind == EVENT_BACKWARD || event->kind == EVENT_OPTIMIZER;
        if (event->kind == EVENT_UNSEEN || (work && !event->site)) return true;
    }
    return false;
}

/* Rarely runs, runs once an epoch, or is in calls that nobody visible makes and that queue no GPU work, as a
   metric's reset(): fixing it gains nothing. */
static bool hardly_matters(const GainTask *self, const Finding *finding) {
    const Site *site = finding->site;
    const HotLoop *loop = &self->report->analysis->findings->loops.items[site->loop];
    if (site->unpriced || finding->cost->uncalibrated) return false;
    if (site->frequency.unit == UNIT_EPOCH || evidence_is_seldom(site->evidence)) return true;
    return site->loop && loop->unit == UNIT_CALL && !queues(loop);
}

static const uint8_t *manners(Arena *arena, const Report *report) {
    uint8_t *manner = arena_new(arena, uint8_t, report->analysis->findings->sites.count + 1u);
    for (uint32_t i = 0; i < report->findings.count; i++) {
        const Finding *finding = &report->findings.items[i];
        const Fix *fix = fix_of(finding);
        if (fix && fix->joined) manner[finding->id] = MENDED_JOINED;
        for (uint32_t k = 0; fix && k < fix->edit_count; k++)
            if (fix->edits[k].behind) manner[finding->id] |= MENDED_LATER;
    }
    return manner;
}

/* Both findings have an edit in common, e.g. of a loader's pinning, or are one remedy in one statement: nobody
   would make only one of them. */
static bool goes_with(const Finding *one, const Finding *other) {
    const Fix *a = fix_of(one), *b = fix_of(other);
    bool beside = one->site->file == other->site->file &&
                  one->site->statement.start == other->site->statement.start &&
                  text_equal(a->remedy, b->remedy);
    for (uint32_t i = 0; !beside && i < a->edit_count; i++)
        for (uint32_t k = 0; !beside && k < b->edit_count; k++)
            beside = a->edits[i].file == b->edits[k].file && a->edits[i].span.start == b->edits[k].span.start &&
                     a->edits[i].span.end == b->edits[k].span.end &&
                     text_equal(a->edits[i].text, b->edits[k].text);
    return beside;
}

/* What gains nothing goes with what does. */
static void add_companions(const GainTask *self, HotLoopId id) {
    const Indices *all = &self->loops[id].all;
    for (uint32_t i = 0; i < all->count; i++) {
        bool *gains = &self->gains[all->items[i]];
        for (uint32_t k = 0; !*gains && k < all->count; k++)
            *gains = self->gains[all->items[k]] &&
                     goes_with(finding_at(self, all->items[i]), finding_at(self, all->items[k]));
    }
}

const bool *gains_of_fixes(Arena *arena, const Report *report, const bool *asked) {
    uint32_t loops = report->analysis->findings->loops.count, count = report->findings.count;
    bool *gains = arena_new(arena, bool, count + 1u);
    LoopFixes *of_loops = arena_new(arena, LoopFixes, loops + 1u);
    GainTask self = {arena, report, gains, manners(arena, report), of_loops, loops};
    for (uint32_t i = 0; i < count; i++) {
        const Finding *finding = &report->findings.items[i];
        gains[i] =
            asked[i] && !hardly_matters(&self, finding) && (has_price(finding) || !fix_of(finding)->sure);
        if (gains[i] && has_price(finding)) take(&self, i);
    }
    judge(&self);
    for (HotLoopId id = 1; id < loops; id++) add_companions(&self, id);
    return gains;
}

const bool *gains_by_safety(Arena *arena, const Report *report) {
    uint32_t count = report->findings.count;
    bool *safe = arena_new(arena, bool, count + 1u), *all = arena_new(arena, bool, count + 1u),
         *gains = arena_new(arena, bool, count + 1u);
    bool *doubted = arena_new(arena, bool, report->analysis->findings->loops.count + 1u); /* [HotLoopId] */
    for (uint32_t i = 0; i < count; i++) {
        const Fix *fix = fix_of(&report->findings.items[i]);
        safe[i] = fix && !fix->doubt.length;
        if (fix && !safe[i]) doubted[report->findings.items[i].site->loop] = true;
    }
    /* in the other loops all fixes are safe */
    for (uint32_t i = 0; i < count; i++) {
        const Finding *finding = &report->findings.items[i];
        all[i] = fix_of(finding) && doubted[finding->site->loop];
    }
    const bool *of_safe = gains_of_fixes(arena, report, safe), *of_all = gains_of_fixes(arena, report, all);
    for (uint32_t i = 0; i < count; i++) gains[i] = safe[i] ? of_safe[i] : of_all[i];
    return gains;
}
