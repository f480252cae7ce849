#include "scenario.h"
#include <math.h>

/* GPU-bound above the first share of GPU time: nvidia-smi counts a sample with any kernel as busy, and kernels
   queued back to back still leave small gaps (facts: mlp_wide shows 92 % and is GPU-bound). Host-bound below
   the second. In between both are possible. */
static const double gpu_bound_share = 0.9, host_bound_share = 0.85;
/* The GPU may be less busy than nvidia-smi shows by so much: gaps within a sample count as busy. */
static const double busy_error = 0.05;
/* In a GPU-bound loop, queueing takes at most this share of an iteration: otherwise any wait would let the GPU
   run dry. */
static const double ahead_share = 0.7;
static const double most_share = 0.99;  /* of a GPU that ever waits for its host */
static const double least_scale = 0.05; /* lower bound of the factor of the host's time per operation */
enum { SOLVE_ROUNDS = 16, HIDE_ROUNDS = 8, SCALE_ROUNDS = 5, KNOWN_POINTS = 5 };

static bool fits(const Pins *pins, Regime regime) {
    if (pins->gpu_busy <= 0) return true;
    if (pins->gpu_busy >= gpu_bound_share) return regime == REGIME_GPU_BOUND;
    if (pins->gpu_busy < host_bound_share) return regime == REGIME_HOST_BOUND;
    return regime != REGIME_BALANCED;
}

bool scenario_hides(Scenario scenario) {
    return scenario.regime == REGIME_GPU_BOUND && scenario.uncounted == UNCOUNTED_SPREAD;
}

/* False for a scenario that would give the same numbers as another. */
static bool distinct(const Pins *pins, const Turn *turn, Scenario scenario) {
    bool more = turn->hides || (pins->turn_us > 0 && scenario.regime != REGIME_GPU_BOUND);
    if (!more && scenario.uncounted != UNCOUNTED_LOADER) return false;
    if (scenario.spread == SPREAD_EVEN) return true;
    return turn->long_operations + turn->known_operations > 0 &&
           (scenario.regime != REGIME_HOST_BOUND || pins->gpu_busy > 0);
}

/* The GPU is told to be busy, but not for how long: that says nothing of where in its range the known work stands. */
static bool only_share(const Pins *pins, const Turn *turn) {
    return pins->gpu_busy >= gpu_bound_share && pins->turn_us <= 0 && turn->known_operations > 0;
}

uint32_t scenario_list(const Pins *pins, const Turn *turn, Scenario out[SCENARIO_LIMIT]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < SCENARIO_LIMIT; i++) {
        Scenario scenario = {(Regime)(i / 8), (Spread)(i / 4 % 2), (Uncounted)(i / 2 % 2), (Side)(i % 2),
                             (double)(i / 8) / REGIME_GPU_BOUND};
        if (only_share(pins, turn)) scenario.regime = REGIME_GPU_BOUND;
        if (fits(pins, scenario.regime) && distinct(pins, turn, scenario)) out[count++] = scenario;
    }
    return count;
}

/* ---- solving ---- */

/* The unknowns that are solved for, and the inputs. */
typedef struct Search {
    TurnPlan *plan;
    Timeline *timeline;
    const bool *removed;
    const Profile *profile;
    Scenario scenario;
    Rates base; /* rates before anything is solved for */
    double small, lengthy,
        queue_us;           /* of the base turn: operations whose work is not known, and the queueing of all */
    double known, known_us; /* operations of known work, and their GPU time at base.known_at */
    double known_points
        [KNOWN_POINTS]; /* their GPU time at even steps from the low ends of their ranges to the high ends, if: */
    bool places_known;   /* gpu_us says where in their ranges they are */
    double gpu_us;       /* GPU time of one iteration, for the loop's own operations */
    double uncounted_us; /* host time that no event explains */
    bool in_front;       /* it is at the front, not spread over the operations */
    double host_scale;   /* factor of the host time of operations, where the count must be too high */
    double start_scale;  /* the same for the host time before a pass's first operation */
    Turn turn;
} Search;

/* Gives operations of known work so long together. Either all stand at the same point of their ranges, so that a small operation,
   whose range is narrow, stays short however long the others are; beyond the ranges all are scaled. Or all are as much longer or
   shorter than the middles of their ranges. */
static void place_known(const Search *search, double us, Rates *rates) {
    const double *points = search->known_points;
    bool scaled = search->scenario.spread == SPREAD_LONG;
    double step = 1.0 / (KNOWN_POINTS - 1), middle_us = points[KNOWN_POINTS / 2];
    uint32_t i = 0;
    while (i + 2 < KNOWN_POINTS && points[i + 1] < us) i++;
    double at = points[i + 1] > points[i] ? log(us / points[i]) / log(points[i + 1] / points[i]) : 0;
    rates->known_at = scaled ? 0.5 : fmin(fmax((i + at) * step, 0), 1);
    rates->known_scale = scaled           ? us / middle_us
                         : us < points[0] ? us / points[0]
                                          : fmax(us / points[KNOWN_POINTS - 1], 1);
}

/* The part of the GPU's time that known work takes: operations of unknown work take as long in the mean, where the ranges allow that. */
static double known_part(const Search *search, double unknown) {
    const double *points = search->known_points;
    double alike_us = search->gpu_us * search->known / fmax(search->known + unknown, 1e-9);
    if (unknown > 0) alike_us = fmin(fmax(alike_us, points[0]), points[KNOWN_POINTS - 1]);
    return fmax(fmin(alike_us, search->gpu_us), 1e-3);
}

static void set_gpu(const Search *search, Rates *rates) {
    double count = search->small + search->lengthy;
    double known_us = search->places_known ? known_part(search, count) : search->known_us;
    double rest_us = fmax(search->gpu_us - known_us, 0);
    if (search->places_known) place_known(search, known_us, rates);
    rates->small_gpu_us = rates->long_gpu_us = count > 0 ? rest_us / count : 0;
    rates->known_apart = search->scenario.spread == SPREAD_LONG;
    if (search->scenario.spread == SPREAD_EVEN || search->lengthy <= 0) return;
    double small_us = turn_value(&search->profile->small_operation_gpu_us, rates->side);
    if (search->small > 0) small_us = fmin(small_us, rest_us / 2 / search->small);
    rates->small_gpu_us = small_us;
    rates->long_gpu_us = (rest_us - small_us * search->small) / search->lengthy;
}

static void set_host(const Search *search, Rates *rates) {
    double count = search->small + search->lengthy + search->known;
    double extra_us = 0;
    if (search->scenario.uncounted == UNCOUNTED_SPREAD && !search->in_front && count > 0)
        extra_us = search->uncounted_us / count;
    else
        rates->front_us = search->uncounted_us;
    rates->forward_us = rates->forward_us * search->host_scale + extra_us;
    rates->backward_us = rates->backward_us * search->host_scale + extra_us;
    rates->optimizer_us = rates->optimizer_us * search->host_scale + extra_us;
    rates->optimizer_each_us *= search->host_scale;
    rates->turn_start_us *= search->start_scale, rates->start_scale = search->start_scale;
    rates->backward_start_us *= search->start_scale, rates->backward_first_us *= search->start_scale;
    rates->optimizer_start_us *= search->start_scale, rates->optimizer_tensor_us *= search->start_scale;
}

/* Makes the turn with the current unknowns. */
static void make_turn(Search *search) {
    Rates rates = search->base;
    set_gpu(search, &rates);
    set_host(search, &rates);
    search->turn = turn_make(search->plan, &rates);
}

static double try_turn(Search *search) {
    make_turn(search);
    TimelineChange change = {.removed = search->removed};
    return timeline_replay(search->timeline, search->turn.items, search->turn.item_count, change, NULL).turn_us;
}

/* Raises *unknown until the iteration takes turn_us. The iteration grows by at most 1 us per us of the unknown,
   so stepping by the difference never overshoots, and is exact where the unknown is on the critical path. */
static void solve(Search *search, double *unknown, double turn_us) {
    for (uint32_t round = 0; round < SOLVE_ROUNDS; round++) {
        double missing_us = turn_us - try_turn(search);
        if (fabs(missing_us) <= 1e-4 * turn_us) return;
        *unknown = fmax(*unknown + missing_us, 0);
    }
    make_turn(search);
}

/* The counted queueing takes longer than the iteration: then the count, or the time per operation, is too high,
   and is scaled down. What a pass takes before its first operation is not scaled. */
static void fit_host(Search *search, double most_us) {
    double rest_us = search->turn.has_loader ? search->base.loader_us : 0;
    if (search->queue_us + rest_us <= most_us) return;
    search->base.loader_us = fmin(rest_us, most_us / 4);
    double start_us = search->turn.start_us, left_us = most_us - search->base.loader_us - start_us;
    search->host_scale = fmin(fmax(left_us / fmax(search->queue_us - start_us, 1e-9), least_scale), 1);
}

static void solve_host_bound(Search *search, const Pins *pins, double busy) {
    search->gpu_us = busy * pins->turn_us;
    fit_host(search, pins->turn_us);
    solve(search, &search->uncounted_us, pins->turn_us);
    /* waits and copies take time too: shrinks the queueing until everything fits */
    for (uint32_t round = 0; round < SOLVE_ROUNDS; round++) {
        double over_us = try_turn(search) - pins->turn_us;
        if (over_us <= 1e-3 * pins->turn_us || search->queue_us <= 0 || search->host_scale <= least_scale)
            return;
        search->host_scale = fmax(search->host_scale - over_us / search->queue_us, least_scale);
    }
}

/* Puts as much host work at the front as leaves the GPU as busy as it is seen to be. The GPU hides that work
   now, and any wait may expose it. (calib/validate: 10 ms of loading under a GPU that is 100 % busy; a read in
   one of ten steps cost 500 us a step.) */
static void put_hidden_host_work(Search *search, const Pins *pins) {
    double share = fmax(pins->gpu_busy, gpu_bound_share) - busy_error, least_us = 0;
    double most_us = fmax(gpu_bound_share * pins->turn_us - search->queue_us, 0);
    for (uint32_t round = 0; round < HIDE_ROUNDS; round++) {
        search->uncounted_us = (least_us + most_us) / 2;
        search->gpu_us = pins->turn_us;
        solve(search, &search->gpu_us, pins->turn_us);
        if (search->gpu_us >= share * pins->turn_us)
            least_us = search->uncounted_us;
        else
            most_us = search->uncounted_us;
    }
    search->uncounted_us = least_us;
    search->gpu_us = pins->turn_us;
    solve(search, &search->gpu_us, pins->turn_us);
}

/* The GPU's share of the iteration with the current unknowns; a given iteration time is kept by adjusting GPU
   time. */
static double share_now(Search *search, const Pins *pins) {
    if (pins->turn_us <= 0) return search->gpu_us / fmax(try_turn(search), 1e-9);
    search->gpu_us = pins->turn_us;
    solve(search, &search->gpu_us, pins->turn_us);
    return search->gpu_us / pins->turn_us;
}

/* The largest factor of host time at which the GPU is at least that busy; false = there is none. */
static bool fit_scale(Search *search, const Pins *pins, double *scale, double least_share) {
    double low = 0, high = *scale;
    for (uint32_t round = 0; round < SCALE_ROUNDS; round++) {
        *scale = (low + high) / 2;
        *(share_now(search, pins) >= least_share ? &low : &high) = *scale;
    }
    return low > 0;
}

/* A given GPU share bounds the host's time: behind each wait the GPU idles while the host queues again, so a
   slow host would make it less busy than given. Scales the start of passes down or, where that is not enough,
   the time per operation. How much faster the host is beyond that is unknown, so the quick side is scaled only
   to reach the share exactly. */
static void fit_share(Search *search, const Pins *pins) {
    double least_share = pins->gpu_busy - busy_error;
    if (pins->gpu_busy <= 0 || share_now(search, pins) >= least_share) return;
    if (search->scenario.side == SIDE_QUICK) least_share = fmin(pins->gpu_busy, most_share);
    if (!fit_scale(search, pins, &search->start_scale, least_share))
        (void)fit_scale(search, pins, &search->host_scale, least_share);
}

static void solve_gpu_bound(Search *search, const Pins *pins) {
    fit_host(search, ahead_share * pins->turn_us);
    search->gpu_us = pins->turn_us;
    solve(search, &search->gpu_us, pins->turn_us);
    fit_share(search, pins);
    if (scenario_hides(search->scenario)) put_hidden_host_work(search, pins);
}

/* Only the GPU share is given: GPU time is that share of whatever the iteration then takes. */
static void solve_share(Search *search, double busy) {
    for (uint32_t round = 0; round < SOLVE_ROUNDS; round++) search->gpu_us = busy * try_turn(search);
    make_turn(search);
}

/* No step time is given: host work that no event shows is none, or what the profile assumes. */
static void assume_uncounted(Search *search) {
    search->in_front = true;
    if (search->scenario.uncounted == UNCOUNTED_SPREAD)
        search->uncounted_us = turn_value(&search->profile->hidden_host_us, search->scenario.side);
}

static double gpu_ratio(const Profile *profile, Scenario scenario) {
    const Quantity *ratios[] = {&profile->gpu_share_host_bound, &profile->gpu_share_balanced,
                                &profile->gpu_share_gpu_bound};
    return turn_value(ratios[scenario.regime], scenario.side);
}

/* For operations of unknown work, GPU time as a ratio of the host's time for queueing. The assumed ratio of the
   regime, pulled towards the ratio of the loop's known work, the more of the loop is known. */
static double unknown_ratio(const Search *search, double unknown, double queue_us) {
    double ratio = gpu_ratio(search->profile, search->scenario), all = unknown + search->known;
    double least = fmin(turn_value(&search->profile->gpu_share_host_bound, search->scenario.side), ratio);
    double known_queue_us = queue_us * search->known / fmax(unknown, 1e-9);
    if (search->known <= 0 || unknown <= 0 || known_queue_us <= 0) return ratio;
    double alike = ratio * pow(search->known_us / known_queue_us / ratio, search->known / all);
    return fmin(fmax(alike, least), ratio);
}

/* GPU time: as known for known work, and that ratio of the queueing time for the rest. */
static double assumed_gpu_us(const Search *search) {
    double unknown = search->small + search->lengthy, all = unknown + search->known;
    double queue_us = all > 0 ? search->queue_us * unknown / all : search->queue_us;
    return search->known_us + unknown_ratio(search, unknown, queue_us) * queue_us;
}

static void settle(Search *search, const Pins *pins) {
    bool gpu_bound = search->scenario.regime == REGIME_GPU_BOUND;
    double ratio = gpu_ratio(search->profile, search->scenario), most = 0.6;
    if (search->known_us > 0 && pins->turn_us > 0)
        ratio = assumed_gpu_us(search) / pins->turn_us, most = host_bound_share;
    if (pins->turn_us <= 0) assume_uncounted(search);
    if (pins->turn_us > 0 && gpu_bound) {
        solve_gpu_bound(search, pins);
    } else if (pins->turn_us > 0) {
        solve_host_bound(search, pins, pins->gpu_busy > 0 ? pins->gpu_busy : fmin(ratio, most));
    } else if (pins->gpu_busy > 0 && !gpu_bound) {
        solve_share(search, pins->gpu_busy);
    } else {
        search->gpu_us = assumed_gpu_us(search);
        make_turn(search);
        if (gpu_bound) fit_share(search, pins);
    }
}

Turn scenario_counted(TurnPlan *plan, const Profile *profile, const Pins *pins, Side side) {
    Rates rates = turn_rates(profile, side);
    Turn turn = turn_make(plan, &rates);
    double count = turn.small_operations + turn.long_operations + turn.known_operations;
    if (pins->operations <= 0 || count <= 0) return turn;
    rates.operations_scale = pins->operations / count;
    return turn_make(plan, &rates);
}

static double known_us_at(Search *search, double at) {
    search->base.known_at = at;
    return turn_make(search->plan, &search->base).known_gpu_us;
}

Turn scenario_turn(TurnPlan *plan, Timeline *timeline, const bool *removed, const Profile *profile,
                   const Pins *pins, Scenario scenario, const Turn *counted) {
    Search search = {.plan = plan,
                     .timeline = timeline,
                     .removed = removed,
                     .profile = profile,
                     .scenario = scenario,
                     .base = counted->rates,
                     .small = counted->small_operations,
                     .lengthy = counted->long_operations,
                     .queue_us = counted->host_us,
                     .in_front = scenario_hides(scenario),
                     .host_scale = 1,
                     .start_scale = 1,
                     .turn = *counted};
    if (counted->known_operations > 0) {
        search.known = counted->known_operations;
        search.places_known = pins->turn_us > 0 || (pins->gpu_busy > 0 && scenario.regime != REGIME_GPU_BOUND);
        for (uint32_t i = 0; search.places_known && i < KNOWN_POINTS; i++)
            search.known_points[i] = known_us_at(&search, (double)i / (KNOWN_POINTS - 1));
        search.known_us = known_us_at(&search, scenario.known_at);
    }
    settle(&search, pins);
    return search.turn;
}
