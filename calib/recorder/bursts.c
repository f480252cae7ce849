#include "bursts.h"
#include <stdlib.h>
#include <string.h>

static const uint64_t second_ns = 1000000000u;

enum {
    RECURS = 6,       /* recurrences that show that a line recurs */
    LEAST_STEPS = 12, /* in a clean or detailed burst */
    LEAST_MS = 300,   /* least duration of a detailed burst, */
    CLEAN_MS = 1000,  /* and of the clean steps before the first, which cost nothing */
    LOOK_MS = 200,
    LONGEST_S = 30,
    LONGEST_SEARCH_S = 30,
    LONGEST_SILENCE_S = 120, /* longest time without a call that can wait: compiling, loading data */
    LONGEST_OUTER_S = 6,     /* longest time to wait for a loop around the one found */
    BLIND_S = 2,             /* duration of a burst if nothing recurs */
};

static void search_on(Bursts *bursts, uint64_t now_ns) {
    bursts->from_ns = now_ns;
    for (uint32_t id = 1; id < bursts->stacks_end; id++) bursts->stacks[id].seen = 0;
}

void bursts_begin(Bursts *bursts, uint32_t steps, uint32_t skip, uint64_t now_ns) {
    *bursts = (Bursts){.steps = steps, .skip = skip, .window_ns = second_ns, .begun_ns = now_ns};
    bursts->from_ns = now_ns;
}

void bursts_saw(Bursts *bursts, uint32_t stack, uint64_t now_ns) {
    bursts->called_ns = now_ns;
    if (!stack || stack >= BURSTS_STACKS || bursts->phase != RECORD_WARM) return;
    BurstsStack *self = &bursts->stacks[stack];
    if (!self->seen) self->first_ns = now_ns;
    self->times_ns[self->seen++ % BURSTS_TIMES] = now_ns;
    self->ever++;
    if (bursts->stacks_end <= stack) bursts->stacks_end = stack + 1;
}

/* ---- finding the anchor ---- */

static int ascending(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The time between the latest recurrences, without gaps inside one: a line that reads three values waits three
   times. */
static uint32_t gaps_of(const BurstsStack *self, uint64_t *gaps) {
    uint32_t kept = self->seen < BURSTS_TIMES ? self->seen : BURSTS_TIMES, count = 0, large = 0;
    for (uint32_t i = self->seen - kept + 1; i < self->seen; i++)
        gaps[count++] = self->times_ns[i % BURSTS_TIMES] - self->times_ns[(i - 1) % BURSTS_TIMES];
    qsort(gaps, count, sizeof *gaps, ascending);
    uint64_t within = count ? gaps[count - 1 - count / 10] / 4 : 0;
    for (uint32_t i = 0; i < count; i++)
        if (gaps[i] >= within) gaps[large++] = gaps[i];
    return large;
}

/* 0 = it does not recur evenly, for half of the phase and until now. (Copies while a model is loaded end soon.) */
static uint64_t period_of(const Bursts *bursts, const BurstsStack *self, uint64_t now_ns) {
    uint64_t gaps[BURSTS_TIMES], last_ns = self->times_ns[(self->seen - 1) % BURSTS_TIMES];
    uint32_t count = gaps_of(self, gaps), even = 0;
    if (self->seen <= RECURS || count < RECURS) return 0;
    uint64_t usual = gaps[count / 2];
    for (uint32_t i = 0; i < count; i++) even += gaps[i] > usual / 2 && gaps[i] < usual + usual / 2;
    bool still = now_ns - last_ns <= 4 * usual + second_ns / 10,
         long_enough = 2 * (last_ns - self->first_ns) >= now_ns - bursts->from_ns;
    return 10 * even >= 7 * count && still && long_enough ? usual : 0;
}

/* Of nested loops, the outermost that recurs. */
static void find_anchor(Bursts *bursts, uint64_t now_ns) {
    for (uint32_t id = 1; id < bursts->stacks_end; id++) {
        uint64_t period_ns =
            bursts->stacks[id].seen > RECURS ? period_of(bursts, &bursts->stacks[id], now_ns) : 0;
        if (period_ns > bursts->period_ns) bursts->anchor = id, bursts->period_ns = period_ns;
    }
}

/* A line seen a few times, at longer intervals than the anchor's, may belong to an outer loop: a loop over
   micro-batches recurs before the step does. */
static bool outer_may_come(const Bursts *bursts, uint64_t now_ns) {
    for (uint32_t id = 1; id < bursts->stacks_end; id++) {
        const BurstsStack *self = &bursts->stacks[id];
        if (self->seen < 2 || self->seen > RECURS) continue;
        uint64_t last_ns = self->times_ns[self->seen - 1], gap_ns = last_ns - self->times_ns[self->seen - 2];
        if (2 * gap_ns > 3 * bursts->period_ns && now_ns - last_ns <= 2 * gap_ns) return true;
    }
    return false;
}

/* ---- phases ---- */

/* A loop that never waits is recorded too, once it is likely to be running. */
static bool searched_long(const Bursts *bursts, uint64_t now_ns) {
    bool silent = now_ns - bursts->called_ns > LONGEST_SEARCH_S / 2 * second_ns;
    return now_ns - bursts->begun_ns > (silent ? LONGEST_SILENCE_S : LONGEST_SEARCH_S) * second_ns;
}

static bool enter(Bursts *bursts, RecordPhaseKind phase, uint64_t now_ns) {
    bursts->phase = phase, bursts->from_ns = now_ns;
    return true;
}

/* What was found has not recurred as often as the user wants: the search begins anew, for as long as that takes. */
static bool is_skipped(Bursts *bursts, uint64_t now_ns) {
    if (!bursts->anchor || bursts->stacks[bursts->anchor].ever > bursts->skip) return false;
    bursts->anchor = 0, bursts->period_ns = bursts->found_ns = 0;
    bursts->begun_ns = now_ns;
    search_on(bursts, now_ns);
    return true;
}

static bool search(Bursts *bursts, uint64_t now_ns) {
    if (now_ns - bursts->from_ns < second_ns || now_ns - bursts->looked_ns < LOOK_MS * (second_ns / 1000))
        return false;
    bursts->looked_ns = now_ns;
    find_anchor(bursts, now_ns);
    if (bursts->anchor && !bursts->found_ns) bursts->found_ns = now_ns;
    if (bursts->anchor && now_ns - bursts->found_ns < LONGEST_OUTER_S * second_ns &&
        outer_may_come(bursts, now_ns))
        return false;
    if (is_skipped(bursts, now_ns)) return false;
    if (bursts->anchor || searched_long(bursts, now_ns)) return enter(bursts, RECORD_CLEAN, now_ns);
    if (now_ns - bursts->from_ns < bursts->window_ns) return false;
    bursts->window_ns += bursts->window_ns / 2;
    search_on(bursts, now_ns);
    return false;
}

static bool lasted(const Bursts *bursts, uint64_t now_ns, uint64_t wanted_ns, uint64_t least_ms) {
    uint64_t least_ns = least_ms * (second_ns / 1000), most_ns = LONGEST_S * second_ns;
    if (wanted_ns < least_ns) wanted_ns = least_ns;
    return now_ns - bursts->from_ns >= (wanted_ns < most_ns ? wanted_ns : most_ns);
}

/* The first and last step of a burst are incomplete. */
static bool is_long_enough(const Bursts *bursts, uint64_t now_ns) {
    uint32_t steps = bursts->steps / BURSTS_DETAILS;
    bool pause = bursts->phase == RECORD_CLEAN && bursts->works_told;
    if (!bursts->anchor) return lasted(bursts, now_ns, BLIND_S * second_ns, 0);
    if (pause) return lasted(bursts, now_ns, 3 * bursts->period_ns, 0);
    bool clean = bursts->phase == RECORD_CLEAN;
    if (clean) steps = bursts->steps;
    if (steps < LEAST_STEPS) steps = LEAST_STEPS;
    return lasted(bursts, now_ns, (steps + 2) * bursts->period_ns, clean ? CLEAN_MS : LEAST_MS);
}

static RecordPhaseKind next_phase(Bursts *bursts) {
    if (bursts->phase != RECORD_CLEAN) return RECORD_CLEAN;
    if (!bursts->works_told) return bursts->works_told = true, RECORD_WORKS;
    return bursts->details++ < BURSTS_DETAILS ? RECORD_DETAIL : RECORD_DONE;
}

bool bursts_turn(Bursts *bursts, uint64_t now_ns, bool full) {
    if (bursts->phase == RECORD_WARM) return search(bursts, now_ns);
    if (bursts->phase == RECORD_DONE) return false;
    bool over = (bursts->phase != RECORD_CLEAN && full) || is_long_enough(bursts, now_ns);
    return over && enter(bursts, next_phase(bursts), now_ns);
}
