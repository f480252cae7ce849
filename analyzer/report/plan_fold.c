#include "plan_fold.h"
#include "worth.h"

static bool holds_remedy(const PlanGroup *group, Text remedy) {
    for (uint32_t i = 0; i < group->write_count; i++)
        if (text_equal(group->writes[i].remedy, remedy)) return true;
    return false;
}

/* Its edits include all those of the other group. */
static bool does_as_much(const PlanGroup *group, const PlanGroup *other) {
    for (uint32_t w = 0; w < other->write_count; w++)
        if (!holds_remedy(group, other->writes[w].remedy)) return false;
    return true;
}

static const double twin_worth = 0.5; /* least worth, relative to the other group's */

/* Of two places of about equal worth, the earlier one represents both: a base class before its variants. */
static bool stands_before(const PlanGroup *other, const PlanGroup *group) {
    const Site *a = other->findings.items[0]->site, *b = group->findings.items[0]->site;
    bool first = a->file != b->file ? a->file < b->file : a->span.start < b->span.start;
    return first && other->worth >= twin_worth * group->worth;
}

/* One place represents all: a run has one of the loops, and each place is an edit of its own. */
static void fold_into(Arena *arena, PlanGroup *group, PlanGroup other) {
    bool known = false;
    if (stands_before(&other, group)) {
        PlanGroup was = *group;
        *group = other, other = was;
        group->worth = was.worth, group->also = was.also, group->alike = was.alike;
    }
    for (uint32_t i = 0; i < group->also.count && !known; i++) known = group->also.items[i] == other.loop;
    if (!known && other.loop != group->loop) vec_push(arena, &group->also, other.loop);
    for (uint32_t f = 0; f < other.findings.count; f++) vec_push(arena, &group->alike, other.findings.items[f]);
}

void plan_fold(Arena *arena, Plan *plan) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < plan->groups.count; i++) {
        PlanGroup group = plan->groups.items[i];
        uint32_t at = 0;
        while (at < kept && !does_as_much(&plan->groups.items[at], &group)) at++;
        if (at < kept)
            fold_into(arena, &plan->groups.items[at], group);
        else
            plan->groups.items[kept++] = group;
    }
    plan->groups.count = kept;
    for (uint32_t i = 0; i < kept; i++) {
        PlanGroup *group = &plan->groups.items[i];
        group->worth *= worth_of_places(1.0 + group->alike.count);
    }
}
