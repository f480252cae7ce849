#include "plan_json.h"

static void add_joint(const Json *json, Value *object, const CostJoint *joint) {
    Value *gain = json_object(json), *share = json_object(json);
    json_add_number(json, gain, "low_us", joint->gain.low_us);
    json_add_number(json, gain, "high_us", joint->gain.high_us);
    json_add_number(json, share, "low", joint->share.low);
    json_add_number(json, share, "high", joint->share.high);
    json_add(json, object, "gain", gain);
    json_add(json, object, "share", share);
}

static Value *group_value(const Json *json, const Report *report, const PlanGroup *group, LoopName *loop_name) {
    Value *object = json_object(json), *writes = json_array(json), *findings = json_array(json),
          *alike = json_array(json), *also = json_array(json);
    const SiteCost *first = group->findings.items[0]->cost;
    for (uint32_t i = 0; i < group->write_count; i++)
        json_append(writes, json_text(json, group->writes[i].text));
    for (uint32_t i = 0; i < group->findings.count; i++)
        json_append(findings, json_text(json, group->findings.items[i]->fingerprint));
    json_add_text(json, object, "where", group->where);
    json_add(json, object, "loop", loop_name(json, report, group->loop));
    for (uint32_t i = 0; i < group->also.count; i++)
        json_append(also, loop_name(json, report, group->also.items[i]));
    json_add(json, object, "also_in", also);
    json_add_bool(json, object, "together", group->together);
    json_add(json, object, "write", writes);
    add_joint(json, object, &group->joint);
    if (group->on_top) json_add_bool(json, object, "on_top", true);
    json_add_text(json, object, "basis",
                  !group->measured  ? TEXT("static")
                  : first->recorded ? TEXT("recorded")
                                    : TEXT("trace"));
    json_add_text(json, object, "confidence", confidence_word(group->confidence));
    json_add(json, object, "findings", findings);
    for (uint32_t i = 0; i < group->alike.count; i++)
        json_append(alike, json_text(json, group->alike.items[i]->fingerprint));
    json_add(json, object, "alike", alike);
    return object;
}

static Value *verdict_value(const Json *json, const Report *report, const PlanLoop *loop, LoopName *loop_name) {
    Value *object = json_object(json);
    json_add(json, object, "loop", loop_name(json, report, loop->loop));
    json_add_count(json, object, "findings", loop->findings);
    json_add_count(json, object, "groups", loop->groups);
    add_joint(json, object, &loop->planned);
    json_add_bool(json, object, "leave", loop->leave);
    json_add_bool(json, object, "host_sets_pace", loop->host_paces);
    return object;
}

Value *plan_value(const Json *json, const Report *report, LoopName *loop_name) {
    const Plan *plan = report->plan;
    Value *object = json_object(json), *groups = json_array(json), *loops = json_array(json);
    for (uint32_t i = 0; i < plan->shown; i++)
        json_append(groups, group_value(json, report, &plan->groups.items[i], loop_name));
    for (uint32_t i = 0; i < plan->loops.count; i++)
        json_append(loops, verdict_value(json, report, &plan->loops.items[i], loop_name));
    json_add(json, object, "groups", groups);
    json_add_count(json, object, "more", plan->groups.count - plan->shown);
    json_add(json, object, "loops", loops);
    return object;
}
