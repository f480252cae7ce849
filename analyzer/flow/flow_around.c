/* What surrounds all calls of a program: found once, in this order, before its functions are walked. */
#include "calls.h"
#include "flow_pick.h"
#include "flow_settings.h"

const AroundCalls *flow_around_calls(Arena *arena, const Inference *inference) {
    AroundCalls *made = arena_new(arena, AroundCalls, 1);
    made->tests = arena_new(arena, bool, inference->program->files.count);
    for (FileId id = 1; id < inference->program->files.count; id++)
        made->tests[id] = calls_is_test(inference->book, &inference->program->files.items[id]);
    flow_find_callers(arena, inference, &made->callers);
    flow_find_options(arena, inference, made);
    flow_find_environment(arena, inference, made);
    flow_find_filled(arena, inference, made);
    flow_find_outside(arena, inference, made);
    flow_find_made(arena, arena, inference, made);
    return made;
}
