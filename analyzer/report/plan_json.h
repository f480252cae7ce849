#ifndef SYNCL_PLAN_JSON_H
#define SYNCL_PLAN_JSON_H
/* The plan as JSON. `loop_name`: how the report names a loop. */
#include "json.h"
#include "plan.h"

typedef Value *LoopName(const Json *json, const Report *report, HotLoopId id);
Value *plan_value(const Json *json, const Report *report, LoopName *loop_name);

#endif
