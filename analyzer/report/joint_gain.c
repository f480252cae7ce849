#include "joint_gain.h"
#include "ledger_drawing.h"
#include <math.h>

const Ledger *joint_ledger(const Report *report, HotLoopId loop) {
    return report->analysis->ledger ? ledger_of_loop(report->analysis->ledger, loop) : NULL;
}

static CostJoint measured(Arena *arena, const Report *report, const Ledger *ledger, const CostSet *set) {
    bool *sites = arena_new(arena, bool, report->analysis->findings->sites.count + 1u);
    for (uint32_t i = 0; i < set->given_count; i++) sites[set->given[i]] = true;
    CostRange given = set->given_count ? ledger_saving(ledger, sites).range : (CostRange){0};
    for (uint32_t i = 0; i < set->count; i++) sites[set->sites[i]] = true;
    CostJoint joint = {.gain = ledger_saving(ledger, sites).range};
    joint.gain.low_us = fmax(joint.gain.low_us - given.low_us, 0);
    joint.gain.high_us = fmax(joint.gain.high_us - given.high_us, joint.gain.low_us);
    double turn_us = fmax(ledger->clean_us, 1e-9);
    joint.share.low = joint.gain.low_us / turn_us, joint.share.high = joint.gain.high_us / turn_us;
    if (!set->drawn) return joint;
    joint.before.arena = joint.after.arena = arena;
    (void)ledger_draw(ledger, sites, &joint.after);
    memset(sites, 0, sizeof *sites * report->analysis->findings->sites.count);
    (void)ledger_draw(ledger, sites, &joint.before);
    return joint;
}

CostJoint *joint_gains(Arena *arena, const Report *report, const CostSet *sets, uint32_t count) {
    const Analysis *analysis = report->analysis;
    CostJoint *joints =
        cost_joint(arena, analysis->findings, analysis->profile, &report->options->cost, sets, count);
    for (uint32_t i = 0; i < count; i++) {
        const Ledger *ledger = joint_ledger(report, sets[i].loop);
        if (ledger) joints[i] = measured(arena, report, ledger, &sets[i]);
    }
    return joints;
}
