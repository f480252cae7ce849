#ifndef SYNCL_SCENARIO_H
#define SYNCL_SCENARIO_H
/* The named scenarios under which a loop is priced: who is the slower of host and GPU, where the GPU's time sits, where
   the host work sits that no event shows, and which end of every unknown is taken. What the user knows (step time, GPU
   share, operations) pins them: durations are then solved for, so that the replay of the loop as it is, waits and
   all, takes the given time. Takes plan and profile const but for the plan's turn. */
#include "turn.h"

typedef enum Regime { REGIME_HOST_BOUND, REGIME_BALANCED, REGIME_GPU_BOUND } Regime;
typedef enum Spread { SPREAD_EVEN, SPREAD_LONG } Spread; /* GPU time: even, or in the long operations and where they are first met */
/* Unexplained host time: in front, or in all. Where the GPU sets the pace, or no step time is known: none, or as much as
   may be hidden, in front. */
typedef enum Uncounted { UNCOUNTED_LOADER, UNCOUNTED_SPREAD } Uncounted;

typedef struct Scenario {
    Regime regime;
    Spread spread;
    Uncounted uncounted;
    Side side;
} Scenario;

typedef struct Pins {
    double turn_us;    /* 0 = not known */
    double gpu_busy;   /* 0..1, 0 = not known */
    double operations; /* 0 = as counted */
} Pins;

enum { SCENARIO_LIMIT = 24 };

/* The scenarios that fit what is known of the loop, whose turn is any as planned, in a fixed order. */
uint32_t scenario_list(const Pins *pins, const Turn *turn, Scenario out[SCENARIO_LIMIT]);

/* Host work is taken to be hidden under the GPU's. */
bool scenario_hides(Scenario scenario);

/* The turn with as many operations as are counted or pinned, before any time is solved for: alike in all scenarios of a side.
   Its items are good until another turn is made. */
Turn scenario_counted(TurnPlan *plan, const Profile *profile, const Pins *pins, Side side);

/* The turn under a scenario. removed: what the real run does not do each turn; the rest takes the pinned time. counted: of
   its side. */
Turn scenario_turn(TurnPlan *plan, Timeline *timeline, const bool *removed, const Profile *profile,
                   const Pins *pins, Scenario scenario, const Turn *counted);

#endif
