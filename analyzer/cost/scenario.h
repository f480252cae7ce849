#ifndef SYNCL_SCENARIO_H
#define SYNCL_SCENARIO_H
/* The scenarios under which a loop is priced: which of host and GPU is slower, how GPU time is distributed,
   where the host work is that no event shows, and which end of every unknown is taken. What the user knows
   (step time, GPU share, operations) pins them: durations are then solved for, so that the replay of the loop
   with all its waits takes the given time. Changes nothing of the plan but its current turn. */
#include "turn.h"

typedef enum Regime { REGIME_HOST_BOUND, REGIME_BALANCED, REGIME_GPU_BOUND } Regime;
typedef enum Spread { SPREAD_EVEN, SPREAD_LONG } Spread; /* GPU time: even over all operations, or mostly in the
                                                            long ones and where they are first met */
/* Host time that no event explains: at the front of the iteration, or spread over it. Where the GPU is slower,
   or no step time is known: none, or at the front as much as the GPU may hide. */
typedef enum Uncounted { UNCOUNTED_LOADER, UNCOUNTED_SPREAD } Uncounted;

typedef struct Scenario {
    Regime regime;
    Spread spread;
    Uncounted uncounted;
    Side side;
    double known_at; /* of Rates, where it is not solved for */
} Scenario;

typedef struct Pins {
    double turn_us;    /* 0 = unknown */
    double gpu_busy;   /* 0..1; 0 = unknown */
    double operations; /* 0 = as counted */
} Pins;

enum { SCENARIO_LIMIT = 24 };

/* The scenarios that fit what is known of the loop, in a fixed order. `turn`: any turn of it. */
uint32_t scenario_list(const Pins *pins, const Turn *turn, Scenario out[SCENARIO_LIMIT]);

/* Whether the GPU is taken to hide host work. */
bool scenario_hides(Scenario scenario);

/* The turn with the counted or pinned number of operations, before any time is solved for: the same in all
   scenarios of a side. Its items are valid until another turn is made. */
Turn scenario_counted(TurnPlan *plan, const Profile *profile, const Pins *pins, Side side);

/* The turn under a scenario. removed: sites that the real run does not execute each iteration; the others take
   the pinned time. counted: the counted turn of the same side. */
Turn scenario_turn(TurnPlan *plan, Timeline *timeline, const bool *removed, const Profile *profile,
                   const Pins *pins, Scenario scenario, const Turn *counted);

#endif
