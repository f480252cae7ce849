#include "tally.h"
#include <math.h>

static const double INFINITE = __builtin_inf();

static double scaled(double value, double by) { return value <= 0 || by <= 0 ? 0 : value * by; }

Amount amount_add(Amount a, Amount b) { return (Amount){a.low + b.low, a.high + b.high}; }
static Amount amount_times(Amount a, Amount by) {
    return (Amount){scaled(a.low, by.low), scaled(a.high, by.high)};
}

/* The size class of an operation's time, in steps of two; unknown sizes are a class of their own. */
static int size_of(const WorkPart *part) {
    double each =
        (part->flops.high / 128 + part->bytes.high) / fmax(part->launches + part->backward_launches, 1);
    if (!(each < INFINITE)) return -1;
    if (part->flops.low < part->flops.high || part->bytes.low < part->bytes.high) return -2;
    return each < 1 ? 0 : 1 + (int)(log2(each) / 2);
}

/* The class of a matrix product's narrowest side, in steps of four, as far as narrow ones run slower: a
   convolution with three filters differs from one with 64. */
static int thinness_of(const WorkPart *part) {
    return part->least > 0 ? (int)(log2(fmin(part->least, 128)) / 2) : 0;
}

static bool alike(const WorkPart *a, const WorkPart *b) {
    return a->kind == b->kind && a->precision == b->precision && a->tf32 == b->tf32 &&
           thinness_of(a) == thinness_of(b) && size_of(a) == size_of(b);
}

static uint32_t grouped(const Tally *tally) { return tally->count - tally->first - tally->last; }

/* Where there is no room for another group: the last one of its kind, else the last. */
static WorkPart *nearest(Tally *tally, const WorkPart *part) {
    uint32_t end = tally->count - tally->last;
    for (uint32_t i = end; i-- > tally->first;)
        if (tally->parts[i].kind == part->kind) return &tally->parts[i];
    return &tally->parts[end - 1];
}

static void part_add(WorkPart *into, const WorkPart *more) {
    into->launches += more->launches, into->backward_launches += more->backward_launches;
    into->flops = amount_add(into->flops, more->flops);
    into->bytes = amount_add(into->bytes, more->bytes);
    into->backward_flops = amount_add(into->backward_flops, more->backward_flops);
    into->backward_bytes = amount_add(into->backward_bytes, more->backward_bytes);
    if (more->least > 0 && (into->least <= 0 || more->least < into->least)) into->least = more->least;
}

static bool is_none(const WorkPart *part) { return part->launches <= 0 && part->backward_launches <= 0; }

/* Most tallies have one or two parts. */
static void make_room(Arena *arena, Tally *tally) {
    if (tally->count < tally->capacity) return;
    uint32_t capacity = tally->capacity ? tally->capacity * 2 : 4;
    tally->parts = arena_stretch(arena, tally->parts, sizeof *tally->parts * tally->capacity,
                                 sizeof *tally->parts * capacity);
    tally->capacity = capacity;
}

/* Adds to the groups. */
static void add_grouped(Arena *arena, Tally *tally, WorkPart part) {
    if (is_none(&part)) return;
    make_room(arena, tally);
    uint32_t end = tally->count - tally->last;
    WorkPart *same = NULL;
    for (uint32_t i = tally->first; i < end && !same; i++)
        if (alike(&tally->parts[i], &part)) same = &tally->parts[i];
    if (!same && grouped(tally) == TALLY_PARTS) same = nearest(tally, &part);
    if (same) {
        part_add(same, &part);
        return;
    }
    memmove(&tally->parts[end + 1], &tally->parts[end], sizeof part * tally->last);
    tally->parts[end] = part;
    tally->count++;
}

/* The oldest of the last operations is among the last no more. */
static void group_oldest(Arena *arena, Tally *tally) {
    uint32_t at = tally->count - tally->last;
    WorkPart oldest = tally->parts[at];
    tally->count--, tally->last--;
    memmove(&tally->parts[at], &tally->parts[at + 1], sizeof oldest * tally->last);
    add_grouped(arena, tally, oldest);
}

void tally_part(Arena *arena, Tally *tally, WorkPart part) {
    if (is_none(&part)) return;
    make_room(arena, tally);
    bool begins = tally->count == tally->first;
    WorkPart *before = begins || tally->last ? &tally->parts[tally->count - 1] : NULL;
    if (tally->count && before && alike(before, &part)) {
        part_add(before, &part);
        return;
    }
    begins &= tally->first < TALLY_ORDERED;
    if (tally->last == TALLY_ORDERED) group_oldest(arena, tally);
    tally->parts[tally->count++] = part;
    ++*(begins ? &tally->first : &tally->last);
}

static WorkPart part_times(WorkPart part, Amount turns, double times) {
    part.launches *= times, part.backward_launches *= times;
    part.flops = amount_times(part.flops, turns), part.bytes = amount_times(part.bytes, turns);
    part.backward_flops = amount_times(part.backward_flops, turns);
    part.backward_bytes = amount_times(part.backward_bytes, turns);
    return part;
}

/* Adds in no order. */
static void add_scaled(Arena *arena, Tally *into, const Tally *more, Amount turns, double times) {
    while (into->last) group_oldest(arena, into);
    for (uint32_t i = 0; i < more->count; i++)
        add_grouped(arena, into, part_times(more->parts[i], turns, times));
}

static void add_once(Arena *arena, Tally *into, const Tally *more) {
    for (uint32_t i = 0; i < more->first; i++) tally_part(arena, into, more->parts[i]);
    uint32_t end = more->count - more->last;
    while (end > more->first && into->last) group_oldest(arena, into);
    for (uint32_t i = more->first; i < end; i++) add_grouped(arena, into, more->parts[i]);
    for (uint32_t i = end; i < more->count; i++) tally_part(arena, into, more->parts[i]);
}

/* A known number of iterations: those that are not among the first operations, nor the last iteration, are grouped. */
static void add_turns(Arena *arena, Tally *into, const Tally *more, double turns) {
    for (uint32_t i = 0; i < TALLY_ORDERED && turns > 1 && into->count == into->first; i++, turns--)
        add_once(arena, into, more);
    if (turns > 1) add_scaled(arena, into, more, (Amount){turns - 1, turns - 1}, turns - 1);
    add_once(arena, into, more);
}

static void add_amounts(Tally *into, const Tally *more, Amount turns) {
    into->open |= more->open;
    if (!into->unknown.length) into->unknown = more->unknown;
    into->copied = amount_add(into->copied, amount_times(more->copied, turns));
    into->tensors = amount_add(into->tensors, amount_times(more->tensors, turns));
    into->parameters = amount_add(into->parameters, amount_times(more->parameters, turns));
}

void tally_add(Arena *arena, Tally *into, const Tally *more, Amount turns) {
    double times = turns.low > 0 && turns.high < INFINITE ? (turns.low + turns.high) / 2 : fmax(turns.low, 1);
    if (turns.low >= 1 && turns.low >= turns.high && floor(turns.low) >= turns.low)
        add_turns(arena, into, more, turns.low);
    else
        add_scaled(arena, into, more, turns, times);
    add_amounts(into, more, turns);
    into->open |= turns.low < turns.high && more->count; /* the number of executions is unknown */
}

static double total_work(const Tally *tally) {
    double sum = 0;
    for (uint32_t i = 0; i < tally->count; i++)
        sum += tally->parts[i].launches + tally->parts[i].flops.high / 1e9 + tally->parts[i].bytes.high / 1e6;
    return sum;
}

void tally_either(Arena *arena, Tally *into, const Tally *a, const Tally *b) {
    const Tally *more = total_work(a) >= total_work(b) ? a : b, *less = more == a ? b : a;
    Tally both = {0};
    tally_add(arena, &both, more, (Amount){1, 1});
    bool none = !less->count;
    for (uint32_t i = 0; i < both.count && none; i++) {
        WorkPart *part = &both.parts[i];
        part->flops.low = part->bytes.low = part->backward_flops.low = part->backward_bytes.low = 0;
    }
    both.open |= less->open;
    both.copied.low = fmin(a->copied.low, b->copied.low);
    both.tensors.low = fmin(a->tensors.low, b->tensors.low);
    tally_add(arena, into, &both, (Amount){1, 1});
}

Workload tally_work(Arena *arena, const Tally *tally) {
    Tally one = {0};
    if (tally->times > 1) {
        Amount share = {1 / tally->times, 1 / tally->times};
        add_scaled(arena, &one, tally, share, share.low);
        add_amounts(&one, tally, share);
    } else {
        tally_add(arena, &one, tally, (Amount){1, 1});
    }
    Text unknown = one.unknown;
    if (unknown.length) unknown.bytes = arena_copy(arena, unknown.bytes, unknown.length);
    return (Workload){.parts = one.count ? arena_copy(arena, one.parts, sizeof *one.parts * one.count) : NULL,
                      .part_count = one.count,
                      .first = one.first,
                      .last = one.last,
                      .open = one.open,
                      .copied = one.copied,
                      .tensors = one.tensors,
                      .parameters = one.parameters,
                      .unknown = unknown};
}

double work_launches(const Workload *work) {
    double sum = 0;
    for (uint32_t i = 0; i < work->part_count; i++) sum += work->parts[i].launches;
    return sum;
}

double work_backward(const Workload *work) {
    double sum = 0;
    for (uint32_t i = 0; i < work->part_count; i++) sum += work->parts[i].backward_launches;
    return sum;
}

static Tally tally_of(Arena *arena, const Workload *work) {
    Tally tally = {.open = work->open, .unknown = work->unknown};
    if (work->part_count) tally.parts = arena_copy(arena, work->parts, sizeof *work->parts * work->part_count);
    tally.count = tally.capacity = work->part_count, tally.first = work->first, tally.last = work->last;
    tally.copied = work->copied, tally.tensors = work->tensors, tally.parameters = work->parameters;
    return tally;
}

Workload work_join(Arena *arena, const Workload *a, const Workload *b) {
    Tally sum = tally_of(arena, a), more = tally_of(arena, b);
    tally_add(arena, &sum, &more, (Amount){1, 1});
    return tally_work(arena, &sum);
}

Workload work_times(Arena *arena, const Workload *work, double times) {
    Tally sum = {0}, one = tally_of(arena, work);
    tally_add(arena, &sum, &one, (Amount){times, times});
    return tally_work(arena, &sum);
}
