#include "plan.h"
#include "grouping.h"
#include "joint_gain.h"
#include "place.h"
#include "plan_fold.h"
#include "source_names.h"
#include "worth.h"
#include <math.h>
#include <stdlib.h>

enum {
    GROUPS_OF_A_LOOP = 24, /* each takes replays of the loop in every scenario, alone and with the others */
    REMEDIES = 8           /* remedies of a group that are printed */
};

static const double only_together =
    1.25;                             /* fixing all at once gains at least this factor more than one by one */
static const double least_part = 0.1; /* of the joint gain: a group whose absence costs less is not needed */
static const double idle_share =
    0.5; /* GPU idle share of an iteration, in every scenario, from which a loop is clearly host-bound */

typedef struct AskedSet {
    CostSet set;
    CostJoint joint;
    uint32_t before; /* index + 1 of the previous question about the same loop */
} AskedSet;

typedef struct GroupFinding {
    const Finding *finding;
    uint32_t group;
    HotLoopId loop;
} GroupFinding;

typedef struct Draft {
    Arena *arena;
    const Report *report;
    Plan *plan;
    VEC(MendCause) causes;     /* [group] */
    VEC(Text) templates;       /* [group] */
    VEC(uint32_t) before;      /* [group]: index + 1 of the previous group of the same loop; 0 = none */
    uint32_t *last;            /* [HotLoopId]: index + 1 of its last group */
    uint32_t *counts;          /* [HotLoopId]: number of groups; later, when some are merged, at most so many */
    VEC(GroupFinding) grouped; /* the findings of all groups, by group */
    Grouping of_loops;         /* ... by loop, and then by group */
    bool indexed;              /* both are of the groups as they are */
    VEC(AskedSet) asked;
    uint32_t *last_asked; /* [HotLoopId]: index + 1 of the last question about it */
} Draft;

/* ---- groups ---- */

/* Code that needs an option is not part of what a run costs by default. */
static bool is_priced(const Finding *finding) {
    const Site *site = finding->site;
    return finding->id && !site->frequency.only.length && site->loop && !site->unpriced &&
           site->frequency.unit != UNIT_EPOCH && !finding->cost->uncalibrated;
}

static Text advice(const Report *report, const Finding *finding) {
    Text template = mend_template(report, finding);
    return template.length ? template : finding->suggestion;
}

/* All reads from the GPU in one function are fixed together, whatever they are for, since each waits for the
   same work. Each copy to the GPU has a cause of its own. */
static bool is_read(const Finding *finding, Text template) {
    return !finding->site->copy_to_device && !text_holds(template, "{index");
}

static bool same_cause(const MendCause *a, const MendCause *b) {
    return text_equal(a->name, b->name) && a->file == b->file && a->func == b->func;
}

static bool is_in(const Finding *finding, const SourceFile *file, FuncId func) {
    return finding->file == file && source_function(file, finding->site) == func;
}

static bool same_function(const Finding *a, const Finding *b) {
    return is_in(a, b->file, source_function(b->file, b->site));
}

/* A group belongs to one function, a loop's loader, or the whole run: what is fixed at once. */
static bool belongs(const Draft *draft, uint32_t i, const Finding *finding, Text template,
                    const MendCause *cause) {
    const Finding *first = draft->plan->groups.items[i].findings.items[0];
    bool alike = text_equal(draft->templates.items[i], template);
    if (alike && (text_holds(template, "{loader") || text_holds(template, "{once}"))) return true;
    bool reads = is_read(finding, template) && is_read(first, draft->templates.items[i]);
    bool here = same_function(finding, first);
    if (reads && here && first->site->hazard == finding->site->hazard) return true;
    return alike && here && same_cause(&draft->causes.items[i], cause);
}

static PlanGroup *known_group(const Draft *draft, const Finding *finding, Text template,
                              const MendCause *cause) {
    for (uint32_t i = draft->last[finding->site->loop]; i; i = draft->before.items[i - 1])
        if (belongs(draft, i - 1, finding, template, cause)) return &draft->plan->groups.items[i - 1];
    return NULL;
}

/* NULL: the loop has its maximum of groups, all of them dearer. */
static PlanGroup *group_for(Draft *draft, const Finding *finding) {
    HotLoopId loop = finding->site->loop;
    Text template = advice(draft->report, finding);
    MendCause cause = mend_cause(draft->report, finding);
    PlanGroup *known = known_group(draft, finding, template, &cause);
    if (known || draft->counts[loop] == GROUPS_OF_A_LOOP) return known;
    vec_push(draft->arena, &draft->causes, cause);
    vec_push(draft->arena, &draft->templates, template);
    vec_push(draft->arena, &draft->before, draft->last[loop]);
    vec_push(draft->arena, &draft->plan->groups, ((PlanGroup){.loop = loop, .confidence = CONFIDENCE_CERTAIN}));
    draft->last[loop] = draft->plan->groups.count, draft->counts[loop]++;
    return &draft->plan->groups.items[draft->plan->groups.count - 1];
}

static PlanLoop *loop_for(Draft *draft, HotLoopId id) {
    Plan *plan = draft->plan;
    if (!plan->loop_at[id]) {
        vec_push(draft->arena, &plan->loops, (PlanLoop){.loop = id});
        plan->loop_at[id] = plan->loops.count;
    }
    return &plan->loops.items[plan->loop_at[id] - 1];
}

static void add_finding(Arena *arena, PlanGroup *group, const Finding *finding) {
    vec_push(arena, &group->findings, finding);
    if (finding->site->confidence < group->confidence) group->confidence = finding->site->confidence;
}

static void gather(Draft *draft) {
    for (uint32_t i = 0; i < draft->report->findings.count; i++) {
        const Finding *finding = &draft->report->findings.items[i];
        if (!is_priced(finding)) continue;
        PlanGroup *group = group_for(draft, finding);
        if (group) add_finding(draft->arena, group, finding);
        loop_for(draft, finding->site->loop)->findings++;
    }
}

/* Collects each distinct advice of its findings; of[finding] is the index. */
static uint32_t find_remedies(const Draft *draft, const PlanGroup *group, Text *remedies, uint8_t *of) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < group->findings.count; i++) {
        Text remedy = advice(draft->report, group->findings.items[i]);
        uint32_t at = 0;
        while (at < count && !text_equal(remedies[at], remedy)) at++;
        of[i] = (uint8_t)at;
        if (at == count && at < REMEDIES) remedies[count++] = remedy;
    }
    return count;
}

/* A single finding has its own advice. */
static PlanWrite write_of(const Draft *draft, const Finding *const *findings, uint32_t count) {
    PlanWrite write = {.remedy = advice(draft->report, findings[0]), .first = findings[0]};
    write.text = write.brief = findings[0]->suggestion;
    if (count == 1) return write;
    write.text = mend_text(draft->arena, draft->report, findings, count, false);
    write.brief = mend_text(draft->arena, draft->report, findings, count, true);
    return write;
}

static void write_edits(Draft *draft, PlanGroup *group) {
    uint32_t count = group->findings.count;
    PlanWrite *writes = arena_new(draft->arena, PlanWrite, REMEDIES);
    Text remedies[REMEDIES];
    const Finding **alike = arena_new(draft->arena, const Finding *, count);
    uint8_t *of = arena_new(draft->arena, uint8_t, count);
    group->write_count = find_remedies(draft, group, remedies, of);
    for (uint32_t at = 0, some; at < group->write_count; at++) {
        some = 0;
        for (uint32_t i = 0; i < count; i++)
            if (of[i] == at) alike[some++] = group->findings.items[i];
        writes[at] = write_of(draft, alike, some);
    }
    group->writes = writes;
}

static void describe(Draft *draft, uint32_t i) {
    PlanGroup *group = &draft->plan->groups.items[i];
    const MendCause *cause = &draft->causes.items[i];
    write_edits(draft, group);
    const Finding *first = group->findings.items[0];
    uint32_t at = 0;
    bool placed = mend_place(draft->report, cause, first, &at);
    const SourceFile *file = placed ? cause->file : first->file;
    Text line = place_text(draft->arena, file, placed ? at : first->site->span.start);
    group->file = file;
    group->where = text_format(draft->arena, "%.*s:%.*s", (int)file->path.length, file->path.bytes,
                               (int)line.length, line.bytes);
}

/* ---- what they gain ---- */

typedef VEC(CostSet) Sets;

static int by_id(const void *left, const void *right) {
    SiteId a = *(const SiteId *)left, b = *(const SiteId *)right;
    return a < b ? -1 : a > b;
}

static CostSet set_of(Arena *arena, HotLoopId loop, const Finding *const *findings, uint32_t count) {
    SiteId *sites = arena_new(arena, SiteId, count + 1u);
    for (uint32_t i = 0; i < count; i++) sites[i] = findings[i]->id;
    if (count > 1) qsort(sites, count, sizeof *sites, by_id);
    return (CostSet){.loop = loop, .sites = sites, .count = count};
}

static CostSet set_of_group(Draft *draft, const PlanGroup *group) {
    return set_of(draft->arena, group->loop, group->findings.items, group->findings.count);
}

static void index_findings(Draft *draft) {
    const Plan *plan = draft->plan;
    draft->grouped.count = 0;
    for (uint32_t i = 0; i < plan->groups.count; i++)
        for (uint32_t f = 0; f < plan->groups.items[i].findings.count; f++) {
            const Finding *finding = plan->groups.items[i].findings.items[f];
            vec_push(draft->arena, &draft->grouped, ((GroupFinding){finding, i, finding->site->loop}));
        }
    draft->of_loops = GROUPING(draft->arena, draft->grouped.items, draft->grouped.count, loop,
                               draft->report->analysis->findings->loops.count + 1u);
    draft->indexed = true;
}

/* All findings of the loop's first groups, except those of group `but`. */
static CostSet set_of_groups(Draft *draft, HotLoopId loop, uint32_t limit, uint32_t but) {
    VEC(const Finding *) all = {0};
    if (!draft->indexed) index_findings(draft);
    for (uint32_t i = draft->of_loops.first[loop]; i < draft->of_loops.first[loop + 1]; i++) {
        const GroupFinding *one = &draft->grouped.items[draft->of_loops.order[i]];
        if (one->group < limit && one->group != but) vec_push(draft->arena, &all, one->finding);
    }
    return set_of(draft->arena, loop, all.items, all.count);
}

static bool same_sites(const SiteId *a, uint32_t a_count, const SiteId *b, uint32_t b_count) {
    return a_count == b_count && (!a_count || memcmp(a, b, sizeof *a * a_count) == 0);
}

/* The answer to an equal set asked before: a loop's only group equals all its groups. */
static const CostJoint *known_gain(const Draft *draft, const CostSet *set) {
    for (uint32_t at = draft->last_asked[set->loop]; at; at = draft->asked.items[at - 1].before) {
        const AskedSet *asked = &draft->asked.items[at - 1];
        if (same_sites(asked->set.sites, asked->set.count, set->sites, set->count) &&
            same_sites(asked->set.given, asked->set.given_count, set->given, set->given_count) &&
            asked->set.drawn == set->drawn)
            return &asked->joint;
    }
    return NULL;
}

static const CostJoint *gains_of(Draft *draft, const Sets *sets) {
    Sets news = {0};
    for (uint32_t i = 0; i < sets->count; i++)
        if (!known_gain(draft, &sets->items[i])) vec_push(draft->arena, &news, sets->items[i]);
    const CostJoint *joints = joint_gains(draft->arena, draft->report, news.items, news.count);
    for (uint32_t i = 0; i < news.count; i++) {
        HotLoopId loop = news.items[i].loop;
        AskedSet asked = {news.items[i], joints[i], draft->last_asked[loop]};
        vec_push(draft->arena, &draft->asked, asked);
        draft->last_asked[loop] = draft->asked.count;
    }
    CostJoint *all = arena_new(draft->arena, CostJoint, sets->count + 1u);
    for (uint32_t i = 0; i < sets->count; i++) all[i] = *known_gain(draft, &sets->items[i]);
    return all;
}

/* The mean of its findings' weights. */
static double weight_of(const Report *report, const PlanGroup *group) {
    double sum = 0;
    for (uint32_t i = 0; i < group->findings.count; i++) sum += worth_weight(report, group->findings.items[i]);
    return sum / group->findings.count;
}

static void judge_group(Draft *draft, PlanGroup *group, const CostJoint *joint) {
    group->joint = *joint;
    group->measured = joint_ledger(draft->report, group->loop) != NULL;
    group->worth = worth_of_gain(draft->report, group->loop, joint->gain) * weight_of(draft->report, group);
}

/* ---- groups that only gain together ---- */

static bool holds_write(const PlanWrite *writes, uint32_t count, Text text) {
    for (uint32_t i = 0; i < count; i++)
        if (text_equal(writes[i].text, text)) return true;
    return false;
}

/* Merges the marked groups. */
static PlanGroup merged(Draft *draft, HotLoopId loop, const bool *marked) {
    Arena *arena = draft->arena;
    const Plan *plan = draft->plan;
    PlanGroup all = {.loop = loop, .confidence = CONFIDENCE_CERTAIN};
    PlanWrite *writes = arena_new(arena, PlanWrite, plan->groups.count * REMEDIES + 1u);
    for (uint32_t i = 0; i < plan->groups.count; i++) {
        const PlanGroup *group = &plan->groups.items[i];
        if (!marked[i]) continue;
        if (!all.findings.count) all.where = group->where, all.file = group->file;
        for (uint32_t f = 0; f < group->findings.count; f++) add_finding(arena, &all, group->findings.items[f]);
        for (uint32_t w = 0; w < group->write_count; w++) {
            if (!holds_write(writes, all.write_count, group->writes[w].text))
                writes[all.write_count++] = group->writes[w];
        }
        all.together |= all.findings.count > group->findings.count;
    }
    all.writes = writes;
    return all;
}

/* An edit for the whole run ({once}) is listed by itself, for all loops. */
static bool is_for_all(const PlanGroup *group) { return text_holds(group->writes[0].remedy, "{once}"); }

/* Leaves out each group of the loop in turn: marks those whose absence costs much of the joint gain. */
static void mark_needed(Draft *draft, const PlanLoop *loop, bool *marked) {
    const Plan *plan = draft->plan;
    Sets sets = {0};
    for (uint32_t left = 0; left < plan->groups.count; left++)
        if (plan->groups.items[left].loop == loop->loop)
            vec_push(draft->arena, &sets, set_of_groups(draft, loop->loop, plan->groups.count, left));
    const CostJoint *joints = gains_of(draft, &sets);
    double all_us = cost_robust_us(loop->joint.gain);
    for (uint32_t i = 0, s = 0; i < plan->groups.count; i++)
        if (plan->groups.items[i].loop == loop->loop)
            marked[i] = all_us - cost_robust_us(joints[s++].gain) >= least_part * all_us &&
                        !is_for_all(&plan->groups.items[i]);
}

/* Whether the loop's groups gain clearly more together than one by one. */
static bool only_gain_together(const Draft *draft, const PlanLoop *loop) {
    const Plan *plan = draft->plan;
    double apart_us = 0;
    uint32_t count = 0;
    if (draft->counts[loop->loop] < 2) return false;
    for (uint32_t i = 0; i < plan->groups.count; i++) {
        if (plan->groups.items[i].loop != loop->loop) continue;
        apart_us += cost_robust_us(plan->groups.items[i].joint.gain);
        count++;
    }
    return count > 1 && loop->joint.share.high >= cost_least_gain(&draft->report->options->cost) &&
           cost_robust_us(loop->joint.gain) >= only_together * apart_us;
}

/* Restricts the marks to groups of one function and of the loop itself: other functions may be alternatives in
   a run, and are fixed later. */
static void narrow(const Draft *draft, const HotLoop *loop, bool *marked) {
    const Plan *plan = draft->plan;
    const SourceFile *home = &draft->report->analysis->program->files.items[loop->file];
    FuncId around = bindings_function(draft->report->bindings[loop->file], loop->head.start);
    const Finding *head = NULL;
    for (uint32_t i = 0; i < plan->groups.count; i++) {
        const Finding *first = plan->groups.items[i].findings.items[0];
        if (marked[i] && !is_in(first, home, around) && (!head || first < head)) head = first;
    }
    for (uint32_t i = 0; i < plan->groups.count; i++) {
        const Finding *first = plan->groups.items[i].findings.items[0];
        marked[i] &= is_in(first, home, around) || (head && same_function(first, head));
    }
}

/* Merges the loop's marked groups into one. */
static void unite(Draft *draft, HotLoopId loop, bool *marked) {
    Plan *plan = draft->plan;
    uint32_t kept = 0;
    narrow(draft, &draft->report->analysis->findings->loops.items[loop], marked);
    PlanGroup all = merged(draft, loop, marked);
    if (!all.findings.count) return;
    Sets sets = {0};
    vec_push(draft->arena, &sets, set_of_group(draft, &all));
    judge_group(draft, &all, gains_of(draft, &sets));
    for (uint32_t i = 0; i < plan->groups.count; i++)
        if (!marked[i]) plan->groups.items[kept++] = plan->groups.items[i];
    plan->groups.items[kept++] = all;
    plan->groups.count = kept;
    draft->indexed = false;
}

/* Where each group alone gains little, because the wait moves to the next, merges those that are needed. */
static void merge_loop(Draft *draft, const PlanLoop *loop) {
    if (!only_gain_together(draft, loop)) return;
    bool *marked = arena_new(draft->arena, bool, draft->plan->groups.count);
    mark_needed(draft, loop, marked);
    unite(draft, loop->loop, marked);
}

/* ---- groups that gain once the others are mended ---- */

/* What the group adds to all other groups of the loop. */
static CostSet set_beside(Draft *draft, uint32_t index) {
    CostSet set = set_of_group(draft, &draft->plan->groups.items[index]);
    CostSet others = set_of_groups(draft, set.loop, draft->plan->groups.count, index);
    set.given = others.sites, set.given_count = others.count;
    return set;
}

/* Reading the loss gains nothing while a print after it waits for the same work; once the print is fixed, it
   does. */
static void judge_on_top(Draft *draft) {
    Plan *plan = draft->plan;
    double least_share = cost_least_gain(&draft->report->options->cost);
    Sets sets = {0};
    VEC(PlanGroup *) asked = {0};
    for (uint32_t i = 0; i < plan->groups.count; i++) {
        if (plan->groups.items[i].joint.share.high >= least_share) continue;
        CostSet set = set_beside(draft, i);
        if (!set.given_count) continue; /* no other wait hides it */
        vec_push(draft->arena, &sets, set);
        vec_push(draft->arena, &asked, &plan->groups.items[i]);
    }
    const CostJoint *joints = gains_of(draft, &sets);
    for (uint32_t i = 0; i < asked.count; i++) {
        if (joints[i].share.high < least_share) continue;
        judge_group(draft, asked.items[i], &joints[i]);
        asked.items[i]->on_top = true;
    }
}

/* Takes what the group gains alone or, if larger, what it adds to all other groups of the loop. */
static void judge_beside(Draft *draft) {
    Plan *plan = draft->plan;
    Sets sets = {0};
    for (uint32_t i = 0; i < plan->groups.count; i++) vec_push(draft->arena, &sets, set_beside(draft, i));
    const CostJoint *joints = gains_of(draft, &sets);
    for (uint32_t i = 0; i < plan->groups.count; i++) {
        PlanGroup *group = &plan->groups.items[i];
        double worth = worth_of_gain(draft->report, group->loop, joints[i].gain);
        group->worth = fmax(group->worth, worth * weight_of(draft->report, group));
    }
}

/* Merges groups of a loop that hide one another. */
static void unite_on_top(Draft *draft, HotLoopId loop) {
    const Plan *plan = draft->plan;
    if (draft->counts[loop] < 2) return;
    bool *marked = arena_new(draft->arena, bool, plan->groups.count + 1u);
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan->groups.count; i++) {
        marked[i] = plan->groups.items[i].loop == loop && plan->groups.items[i].on_top &&
                    !is_for_all(&plan->groups.items[i]);
        count += marked[i];
    }
    if (count > 1) unite(draft, loop, marked);
}

/* ---- the plan ---- */

static int by_worth(const void *left, const void *right) {
    const PlanGroup *a = left, *b = right;
    if (a->worth != b->worth) return a->worth > b->worth ? -1 : 1;
    return a->findings.items[0] < b->findings.items[0] ? -1 : a->findings.items[0] > b->findings.items[0];
}

static void price(Draft *draft) {
    Plan *plan = draft->plan;
    Sets sets = {0};
    for (uint32_t i = 0; i < plan->groups.count; i++)
        vec_push(draft->arena, &sets, set_of_group(draft, &plan->groups.items[i]));
    for (uint32_t i = 0; i < plan->loops.count; i++)
        vec_push(draft->arena, &sets,
                 set_of_groups(draft, plan->loops.items[i].loop, plan->groups.count, UINT32_MAX));
    /* not asked for yet, but each time that a loop is priced anew it is replayed in all scenarios first */
    for (uint32_t i = 0; i < plan->groups.count; i++) vec_push(draft->arena, &sets, set_beside(draft, i));
    const CostJoint *joints = gains_of(draft, &sets);
    for (uint32_t i = 0; i < plan->groups.count; i++) judge_group(draft, &plan->groups.items[i], &joints[i]);
    for (uint32_t i = 0; i < plan->loops.count; i++)
        plan->loops.items[i].joint = joints[plan->groups.count + i];
    for (uint32_t i = 0; i < plan->loops.count; i++) merge_loop(draft, &plan->loops.items[i]);
    judge_on_top(draft);
    for (uint32_t i = 0; i < plan->loops.count; i++) unite_on_top(draft, plan->loops.items[i].loop);
    judge_on_top(draft);
    judge_beside(draft);
}

/* Each of its waits only moves to one that stays. */
static bool is_held(const PlanGroup *group) {
    for (uint32_t i = 0; i < group->findings.count; i++)
        if (!group->findings.items[i]->cost->held) return false;
    return true;
}

static void choose(Draft *draft, uint32_t top) {
    Plan *plan = draft->plan;
    uint32_t kept = 0;
    double least_share = cost_least_gain(&draft->report->options->cost);
    for (uint32_t i = 0; i < plan->groups.count; i++)
        if (plan->groups.items[i].joint.share.high >= least_share && !is_held(&plan->groups.items[i]))
            plan->groups.items[kept++] = plan->groups.items[i];
    plan->groups.count = kept;
    if (kept > 1) qsort(plan->groups.items, kept, sizeof *plan->groups.items, by_worth);
    plan_fold(draft->arena, plan);
    kept = plan->groups.count;
    if (kept > 1) qsort(plan->groups.items, kept, sizeof *plan->groups.items, by_worth);
    plan->shown = kept < top ? kept : top;
    draft->indexed = false;
    plan->group_of = arena_new(draft->arena, uint32_t, draft->report->findings.count + 1u);
    for (uint32_t i = 0; i < plan->shown; i++)
        for (uint32_t f = 0; f < plan->groups.items[i].findings.count; f++)
            plan->group_of[plan->groups.items[i].findings.items[f] - draft->report->findings.items] = i + 1;
}

static void judge_loops(Draft *draft) {
    Plan *plan = draft->plan;
    Sets sets = {0};
    for (uint32_t i = 0; i < plan->shown; i++) {
        const PlanGroup *group = &plan->groups.items[i];
        loop_for(draft, group->loop)->groups++;
    }
    for (uint32_t i = 0; i < plan->loops.count; i++)
        if (plan->loops.items[i].groups)
            vec_push(draft->arena, &sets,
                     set_of_groups(draft, plan->loops.items[i].loop, plan->shown, UINT32_MAX));
    for (uint32_t i = 0; i < sets.count; i++) sets.items[i].drawn = draft->report->options->drawn;
    const CostJoint *joints = gains_of(draft, &sets);
    for (uint32_t i = 0; i < plan->loops.count; i++) {
        PlanLoop *loop = &plan->loops.items[i];
        const LoopCost *cost = &draft->report->analysis->costs->loops[loop->loop];
        if (loop->groups) loop->planned = *joints++;
        loop->leave = loop->joint.share.high < cost_least_gain(&draft->report->options->cost);
        loop->host_paces = cost->gpu.high_us < idle_share * cost->turn.low_us;
    }
}

const Plan *plan_make(Arena *result, const Report *report, uint32_t top) {
    Plan *plan = arena_new(result, Plan, 1);
    uint32_t loops = report->analysis->findings->loops.count + 1u;
    Draft draft = {.arena = result, .report = report, .plan = plan};
    draft.last = arena_new(result, uint32_t, loops), draft.counts = arena_new(result, uint32_t, loops);
    draft.last_asked = arena_new(result, uint32_t, loops);
    plan->loop_at = arena_new(result, uint32_t, loops);
    gather(&draft);
    for (uint32_t i = 0; i < plan->groups.count; i++) describe(&draft, i);
    price(&draft);
    choose(&draft, top);
    judge_loops(&draft);
    return plan;
}

const PlanLoop *plan_loop(const Plan *plan, HotLoopId loop) {
    return plan->loop_at[loop] ? &plan->loops.items[plan->loop_at[loop] - 1] : NULL;
}
