#include "ledger.h"
#include "median.h"
#include "replay.h"
#include "stream_order.h"
#include <math.h>

enum { OTHERS_LIMIT = 64 };

static const double tolerance =
    0.05; /* of the step time: what the replay may be off before it is not believed */

typedef struct Maker {
    Arena *arena;
    const LedgerInput *input;
    Ledger *ledger;
    Removal *removals;    /* [call] */
    uint32_t *others;     /* [wait] index + 1 into ledger->others */
    Overhead recording;   /* what it took of the host */
    double *apart_us;     /* [SiteId] two waits of it that are so far apart belong to two executions */
    uint32_t first_other; /* the replay's number of others[0] */
} Maker;

/* ---- what recording took ---- */

/* What recording adds to a launch is seen in the trace: it takes longer than on the calibrated machine. As much again
   is added beside the call (tests/truth/README.md). Spans take what was measured of them. */
static Overhead overhead_of(const Maker *maker) {
    static const double most_us = 5;
    Arena scratch = {0};
    const TracedRun *run = maker->ledger->run;
    const Profile *profile = maker->input->profile;
    double *took = arena_new(&scratch, double, run->count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->count; i++)
        if (run->calls[i].call->kind == CALL_LAUNCH) took[count++] = run->calls[i].own_us;
    double usual_us = median_of(took, count, 0);
    double launch_us = fmin(fmax(usual_us - profile->enqueue_us.median, 0), most_us);
    arena_free(&scratch);
    return (Overhead){.launch_us = launch_us,
                      .call_us = launch_us,
                      .operator_us = profile->trace_operator_us.median,
                      .python_us = profile->trace_python_us.median,
                      .step_us = profile->trace_step_us.median,
                      .slower = run->trace->has_operators ? 1 : profile->trace_slower.median};
}

/* ---- what leaves with a wait ---- */

static void leave(Maker *maker, uint32_t call, uint32_t site, double gap_us) {
    maker->removals[call] = (Removal){.site = site, .call = true, .gap_us = gap_us};
}

/* What the profile knows is without the recording, a gap is as it was recorded. */
static double recorded_us(const Maker *maker, const RunCall *call, double host_us) {
    double whole_us = replay_gap_us(&maker->recording, call);
    return whole_us > 0 ? call->gap_us * fmin(host_us / whole_us, 1) : 0;
}

/* Python's and PyTorch's part of a read or a synchronisation, which no CUDA call shows. */
static double own_us(const Maker *maker, const TracedWait *wait) {
    const Profile *profile = maker->input->profile;
    switch (wait->kind) {
    case WAITED_READ: return fmax(profile->item_us.median - profile->read_back_us.median, 0);
    case WAITED_TO_HOST: return profile->torch_copy_us.median;
    case WAITED_DEVICE: return fmax(profile->torch_device_sync_us.median - profile->device_sync_us.median, 0);
    case WAITED_STREAM: return fmax(profile->torch_stream_sync_us.median - profile->stream_sync_us.median, 0);
    case WAITED_EVENT: return fmax(profile->torch_event_sync_us.median - profile->event_sync_us.median, 0);
    case WAITED_TO_DEVICE:
    case WAITED_MEMORY:
    case WAIT_KINDS: break;
    }
    return 0;
}

/* The outermost operator around the wait that does nothing but read. */
static int reading_operator(const Maker *maker, const TracedWait *wait) {
    static const char *const reading[] = {"aten::_local_scalar_dense",
                                          "aten::item",
                                          "aten::is_nonzero",
                                          "aten::nonzero",
                                          "aten::copy_",
                                          "aten::_to_copy",
                                          "aten::to",
                                          "aten::_linalg_check_errors"};
    const Names *names = &maker->ledger->run->trace->names;
    int outermost = -1;
    for (int i = 0; i < WAIT_OPERATORS && wait->operators[i]; i++) {
        bool reads = false;
        for (size_t k = 0; k < sizeof reading / sizeof reading[0]; k++)
            reads |= text_equal(names_text(names, wait->operators[i]), text_of(reading[k]));
        if (!reads) break;
        outermost = i;
    }
    return outermost;
}

/* Every call between two times of the wait's thread leaves, and the work between them. */
static void leave_between(Maker *maker, const TracedWait *wait, uint32_t site, double from_us, double to_us) {
    const TracedRun *run = maker->ledger->run;
    uint16_t thread = run->calls[wait->call].call->thread;
    uint32_t first = wait->call, last = wait->call;
    while (first > 0 && run->calls[first - 1].start_us >= from_us) first--;
    while (last + 1 < run->count && run->calls[last + 1].call->end_us <= to_us) last++;
    for (uint32_t i = first; i <= last; i++) {
        const RunCall *call = &run->calls[i];
        if (call->call->thread == thread)
            leave(maker, i, site, i == first ? fmax(call->start_us - from_us, 0) : call->gap_us);
    }
    double rest_us = to_us - run->calls[last].call->end_us;
    if (last + 1 < run->count && rest_us > 0 && !maker->removals[last + 1].site)
        maker->removals[last + 1] = (Removal){.site = site, .gap_us = rest_us, .only_gap = true};
}

static Text rule_of(const Maker *maker, SiteId site) {
    const Rulebook *book = maker->input->book;
    return rulebook_text(book, book->hazards[maker->input->findings->sites.items[site].hazard].name);
}

/* Rules whose API does nothing but bring the value to the host: all that it does leaves with it. */
static bool only_reads(const Maker *maker, SiteId site) {
    static const char *const rules[] = {"host-read", "print-tensor", "tensor-truth", "copy-to-host"};
    Text rule = rule_of(maker, site);
    for (size_t i = 0; site && i < sizeof rules / sizeof rules[0]; i++)
        if (text_equal(rule, text_of(rules[i]))) return true;
    return false;
}

static void leave_one(Maker *maker, uint32_t index, uint32_t site) {
    const TracedRun *run = maker->ledger->run;
    const TracedWait *wait = &maker->ledger->waits->items.items[index];
    uint32_t callee = maker->ledger->join->callees[index];
    int outer = reading_operator(maker, wait);
    if (callee && only_reads(maker, maker->ledger->join->sites[index])) {
        leave_between(maker, wait, site, wait->frame_us[callee - 1][0], wait->frame_us[callee - 1][1]);
        return;
    }
    if (wait->kind == WAITED_TO_DEVICE) { /* the copy itself is needed */
        maker->removals[wait->call] = (Removal){.site = site, .call = !run->calls[wait->call].links};
        return;
    }
    if (outer >= 0) {
        leave_between(maker, wait, site, wait->operator_us[outer][0], wait->operator_us[outer][1]);
        return;
    }
    uint32_t first = wait->copy ? wait->copy - 1 : wait->call;
    for (uint32_t i = first; i <= wait->call; i++)
        if (run->calls[i].chain == run->calls[wait->call].chain)
            leave(maker, i, site,
                  i == first ? recorded_us(maker, &run->calls[i], own_us(maker, wait)) : run->calls[i].gap_us);
}

/* Several waits in one execution (a print reads its tensor many times): what stands between them is the site's too. */
static void leave_together(Maker *maker, uint32_t before, uint32_t wait, uint32_t site) {
    const TracedRun *run = maker->ledger->run;
    const TracedWait *waits = maker->ledger->waits->items.items;
    for (uint32_t i = waits[before].call + 1; i < waits[wait].call; i++)
        if (run->calls[i].chain == run->calls[waits[wait].call].chain)
            leave(maker, i, site, run->calls[i].gap_us);
    leave(maker, waits[wait].call, site, run->calls[waits[wait].call].gap_us);
}

static double between_us(const Maker *maker, uint32_t before, uint32_t wait) {
    const TracedRun *run = maker->ledger->run;
    const TracedWait *waits = maker->ledger->waits->items.items;
    return run->calls[waits[wait].call].start_us - run->calls[waits[before].call].call->end_us;
}

static bool one_execution(const Maker *maker, uint32_t before, uint32_t wait, SiteId site) {
    const Site *found = &maker->input->findings->sites.items[site];
    const TracedWait *waits = maker->ledger->waits->items.items;
    if (found->waits == 1 || maker->ledger->join->sites[before] != site) return false;
    return waits[wait].kind != WAITED_TO_DEVICE && between_us(maker, before, wait) < maker->apart_us[site];
}

/* The reads of one execution follow each other closely; from one execution to the next it is as far as it ever gets
   between two neighbours of the site, unless the window holds a single one. */
static void find_executions(Maker *maker) {
    static const double near = 0.1; /* of a step */
    const Ledger *ledger = maker->ledger;
    maker->apart_us = arena_new(maker->arena, double, ledger->site_count + 1);
    for (uint32_t i = 1; i < ledger->waits->items.count; i++) {
        SiteId site = ledger->join->sites[i];
        if (site && site == ledger->join->sites[i - 1])
            maker->apart_us[site] = fmax(maker->apart_us[site], between_us(maker, i - 1, i));
    }
    for (SiteId site = 1; site < ledger->site_count; site++)
        maker->apart_us[site] = fmax(0.5 * maker->apart_us[site], near * ledger->step_us);
}

/* ---- waits without a finding ---- */

static Text where(const Maker *maker, const TracedWait *wait) {
    const Names *names = &maker->ledger->run->trace->names;
    const TraceCall *call = maker->ledger->run->calls[wait->call].call;
    Text text = names_text(names, call->name);
    if (wait->operators[0]) {
        Sym outer = wait->operators[0];
        for (uint32_t i = 0; i < WAIT_OPERATORS && wait->operators[i]; i++) outer = wait->operators[i];
        Text name = names_text(names, outer);
        text = text_format(maker->arena, "%.*s in %.*s", (int)text.length, text.bytes, (int)name.length,
                           name.bytes);
    }
    for (uint32_t i = 0; i < wait->frame_count; i++) {
        Text frame = names_text(names, wait->frames[i]);
        if (text_starts(frame, TEXT("<built-in"))) continue;
        return text_format(maker->arena, "%.*s, %.*s", (int)text.length, text.bytes, (int)frame.length,
                           frame.bytes);
    }
    return text;
}

static uint32_t other_of(Maker *maker, const TracedWait *wait) {
    Ledger *ledger = maker->ledger;
    Text place = where(maker, wait);
    for (uint32_t i = 0; i < ledger->others.count; i++)
        if (ledger->others.items[i].kind == wait->kind && text_equal(ledger->others.items[i].where, place))
            return i + 1;
    if (ledger->others.count == OTHERS_LIMIT) return OTHERS_LIMIT;
    vec_push(maker->arena, &ledger->others, ((TracedOther){.kind = wait->kind, .where = place}));
    return ledger->others.count;
}

/* ---- prices ---- */

static void number_sites(Maker *maker) {
    Ledger *ledger = maker->ledger;
    for (uint32_t i = 0; i < ledger->waits->items.count; i++) {
        SiteId site = ledger->join->sites[i];
        if (site && !ledger->locals[site]) ledger->locals[site] = ++ledger->local_count;
        if (!site) maker->others[i] = other_of(maker, &ledger->waits->items.items[i]);
    }
    maker->first_other = ledger->local_count + 1;
    ledger->local_count += ledger->others.count + 1;
}

/* Host work that the site does beside its reads, for each of them: a check before the read, say. */
static double beside_us(const Maker *maker, SiteId site) {
    const Findings *findings = maker->input->findings;
    const Site *found = &findings->sites.items[site];
    const HotLoop *loop = &findings->loops.items[found->loop];
    double sum_us = 0, reads = 0;
    for (uint32_t i = 0; i < loop->event_count; i++) {
        const Event *event = &loop->events[i];
        if (event->site != site) continue;
        const Quantity *quantity =
            event->kind == EVENT_HOST ? profile_quantity(maker->input->profile, event->quantity) : NULL;
        if (quantity) sum_us += quantity->median * fmax(event->count, 1);
        if (event->kind == EVENT_WAIT) reads += fmax(event->count, 1);
    }
    if (sum_us == 0 && text_equal(rule_of(maker, site), TEXT("print-tensor")))
        sum_us = (reads > 16 ? maker->input->profile->print_matrix_us : maker->input->profile->print_scalar_us)
                     .median;
    return reads > 0 ? sum_us / reads : 0;
}

/* A trace without stacks does not show it: it is taken from the host's work before the read. A row of reads has it
   between them, and an operator that finds out a size shows its own. */
static void leave_beside(Maker *maker, uint32_t index, SiteId site) {
    const TracedWait *wait = &maker->ledger->waits->items.items[index];
    uint32_t index_of_first = wait->copy ? wait->copy - 1 : wait->call;
    const RunCall *call = &maker->ledger->run->calls[index_of_first];
    Removal *first = &maker->removals[index_of_first];
    bool shown = only_reads(maker, site) || wait->kind == WAITED_TO_DEVICE ||
                 (maker->ledger->run->trace->has_operators && reading_operator(maker, wait) < 0);
    if (!shown && first->site) first->gap_us += recorded_us(maker, call, beside_us(maker, site));
}

/* Several reads, each with the same work of the host's: a distribution's constructor that checks each argument. */
static bool repeats_itself(const Maker *maker, SiteId site) {
    const Findings *findings = maker->input->findings;
    const HotLoop *loop = &findings->loops.items[findings->sites.items[site].loop];
    double works = 0, reads = 0;
    for (uint32_t i = 0; i < loop->event_count; i++) {
        const Event *event = &loop->events[i];
        if (event->site != site) continue;
        works += event->kind == EVENT_HOST ? event->count : 0;
        reads += event->kind == EVENT_WAIT ? event->count : 0;
    }
    return works > 1 && works == reads;
}

static bool launches(const RunCall *call) { return call->call->kind == CALL_LAUNCH && call->links; }

/* The first read of such a row launches what a later one does, and what stands between two stands before the first. */
static void leave_like_later(Maker *maker, uint32_t first_wait, uint32_t local) {
    const RunCall *calls = maker->ledger->run->calls;
    const TracedWait *waits = maker->ledger->waits->items.items;
    uint32_t behind = waits[first_wait].call + 1, later = waits[first_wait + 1].call, count = 0;
    uint32_t first = waits[first_wait].copy ? waits[first_wait].copy - 1 : waits[first_wait].call;
    for (uint32_t i = behind; i <= later; i++) count += launches(&calls[i]);
    for (; count > 0 && first > 0; first--) {
        const RunCall *before = &calls[first - 1];
        if (before->wait || before->call->thread != calls[first].call->thread) break;
        leave(maker, first, local, calls[first].gap_us);
        count -= launches(before);
    }
    leave(maker, first, local, fmin(calls[first].gap_us, calls[behind].gap_us));
}

/* What a row of reads takes by the profile and the trace does not show between them: the launches and the Python
   before the first read, as far as they stand in one piece, and the Python behind the last. */
static void leave_around(Maker *maker, uint32_t first_wait, uint32_t last_wait, SiteId site, uint32_t local) {
    static const double piece_us = 30;
    const TracedRun *run = maker->ledger->run;
    const TracedWait *waits = maker->ledger->waits->items.items;
    const Overhead *recording = &maker->recording;
    uint32_t first = waits[first_wait].copy ? waits[first_wait].copy - 1 : waits[first_wait].call;
    uint32_t last = waits[last_wait].call, reads = last_wait - first_wait + 1;
    double left_us = reads * (beside_us(maker, site) + maker->input->profile->item_us.median);
    while (first > 0 && maker->removals[first - 1].site == local) first--;
    for (uint32_t i = first; i <= last; i++)
        left_us -= (i > first ? replay_gap_us(recording, &run->calls[i]) : 0) +
                   replay_own_us(recording, &run->calls[i]);
    for (uint32_t i = first; i > 0 && left_us > 0; i--) {
        double whole_us = replay_gap_us(recording, &run->calls[i]), gap_us = fmin(whole_us, left_us);
        const RunCall *before = &run->calls[i - 1];
        double part_us = recorded_us(maker, &run->calls[i], gap_us);
        maker->removals[i].gap_us = fmax(maker->removals[i].gap_us, part_us);
        left_us -= gap_us;
        if (gap_us > piece_us || maker->removals[i - 1].site ||
            before->call->thread != run->calls[i].call->thread)
            break;
        double before_us = replay_own_us(recording, before);
        if (before->wait || left_us < before_us) break;
        leave(maker, i - 1, local, 0);
        left_us -= before_us;
    }
    Removal *behind = &maker->removals[last + 1];
    bool is_free = last + 1 < run->count && (!behind->site || (behind->site == local && behind->only_gap));
    if (left_us > 0 && is_free)
        *behind = (Removal){
            .site = local, .gap_us = recorded_us(maker, &run->calls[last + 1], left_us), .only_gap = true};
}

static void mark_removals(Maker *maker) {
    Ledger *ledger = maker->ledger;
    uint32_t begin = 0;
    for (uint32_t i = 0; i < ledger->waits->items.count; i++) {
        SiteId site = ledger->join->sites[i];
        uint32_t local = site ? ledger->locals[site] : maker->first_other + maker->others[i] - 1;
        leave_one(maker, i, local);
        if (site) leave_beside(maker, i, site);
        bool goes_on = site && i && one_execution(maker, i - 1, i, site);
        bool ends = i + 1 == ledger->waits->items.count || !site || !one_execution(maker, i, i + 1, site);
        if (goes_on)
            leave_together(maker, i - 1, i, local);
        else
            begin = i;
        if (!site || !ends || begin == i || ledger->join->callees[i]) continue;
        if (repeats_itself(maker, site))
            leave_like_later(maker, begin, local);
        else
            leave_around(maker, begin, i, site, local);
    }
}

static void add_up(Maker *maker) {
    Ledger *ledger = maker->ledger;
    for (uint32_t i = 0; i < ledger->waits->items.count; i++) {
        SiteId site = ledger->join->sites[i];
        double blocked_us = ledger->run->calls[ledger->waits->items.items[i].call].own_us / ledger->steps;
        if (site) {
            TracedSite *traced = &ledger->sites[site];
            traced->seen = true, traced->in_library = ledger->join->in_library[site];
            traced->times += 1.0 / ledger->steps, traced->blocked_us += blocked_us;
        } else {
            TracedOther *other = &ledger->others.items[maker->others[i] - 1];
            other->times += 1.0 / ledger->steps, other->blocked_us += blocked_us;
        }
    }
}

static double without(const Ledger *ledger, const bool *removed) {
    double step_us = replay_step(ledger->clean, removed).turn_us;
    return fmax(ledger->clean_us - step_us, 0);
}

static void price(Maker *maker) {
    Arena scratch = {0};
    Ledger *ledger = maker->ledger;
    bool *removed = arena_new(&scratch, bool, ledger->local_count + 1);
    for (SiteId site = 1; site < maker->input->findings->sites.count; site++) {
        if (!ledger->sites[site].seen) continue;
        removed[ledger->locals[site]] = true;
        ledger->sites[site].saving_us = without(ledger, removed);
        removed[ledger->locals[site]] = false;
    }
    for (uint32_t i = 0; i < ledger->others.count; i++) {
        removed[maker->first_other + i] = true;
        ledger->others.items[i].saving_us = without(ledger, removed);
        removed[maker->first_other + i] = false;
    }
    arena_free(&scratch);
}

double ledger_saving(const Ledger *ledger, const bool *sites) {
    Arena scratch = {0};
    bool *removed = arena_new(&scratch, bool, ledger->local_count + 1);
    for (SiteId site = 1; site < ledger->site_count; site++)
        if (sites[site] && ledger->locals[site]) removed[ledger->locals[site]] = true;
    double saving_us = without(ledger, removed);
    arena_free(&scratch);
    return saving_us;
}

/* ---- belief ---- */

static double unevenness(const Steps *steps) {
    double mean = (steps->starts_us[steps->count] - steps->starts_us[0]) / steps->count, squares = 0;
    for (uint32_t i = 0; i < steps->count; i++) {
        double off = steps->starts_us[i + 1] - steps->starts_us[i] - mean;
        squares += off * off;
    }
    return mean > 0 ? sqrt(squares / steps->count) / mean : 0;
}

static void doubt(Maker *maker, const Steps *steps) {
    Ledger *ledger = maker->ledger;
    double off = ledger->replayed_us / ledger->step_us - 1;
    if (fabs(off) <= tolerance) return;
    const char *why = ledger->run->trace->distributed ? "; waits for other ranks are not replayed"
                      : ledger->run->chains > 1       ? "; several threads queue work side by side"
                      : ledger->run->streams > 1
                          ? "; what streams wait for each other is not in a trace and was guessed"
                          : "";
    const char *uneven = unevenness(steps) > 0.15 ? "; the traced steps differ much from one another" : "";
    ledger->distrust = text_format(
        maker->arena,
        "the replay with every wait in gives %.0f us a step where the trace shows %.0f (%+.0f %%)%s%s",
        ledger->replayed_us, ledger->step_us, 100 * off, uneven, why);
}

static Replay *replay_with(Maker *maker, Arena *arena, const Overhead *overhead, double part) {
    Overhead some = {part > 0,
                     part * overhead->launch_us,
                     part * overhead->call_us,
                     part * overhead->operator_us,
                     part * overhead->python_us,
                     part * overhead->step_us,
                     1 + part * (overhead->slower - 1)};
    double queue = maker->input->profile->queue_launches.median;
    return replay_new(arena, maker->ledger->run, maker->removals, maker->ledger->local_count + 1, queue, &some);
}

/* How ill a part of the recording's usual share explains the step time without the profiler: the GPU's clock alone moves
   a step by a hundredth or two, so where the GPU sets the pace the usual share is the better witness. */
static double misfit(Maker *maker, const Overhead *overhead, double part) {
    static const double step_share = 0.02, part_share = 0.5;
    Arena scratch = {0};
    double wanted_us = maker->input->step_time_us;
    double step_us = replay_step(replay_with(maker, &scratch, overhead, part), NULL).turn_us;
    arena_free(&scratch);
    double step_off = (step_us / wanted_us - 1) / step_share, part_off = (part - 1) / part_share;
    return step_off * step_off + part_off * part_off;
}

/* How much of what recording takes elsewhere it took here: told by the step time without the profiler, if given. */
static double part_recorded(Maker *maker, const Overhead *overhead) {
    static const double coarse = 0.25, fine = 0.03125, most = 4;
    if (maker->input->step_time_us <= 0) return 1;
    double best = 1, least = misfit(maker, overhead, 1);
    for (double step = coarse; step >= fine; step /= 8) {
        double low = step == coarse ? fine : fmax(best - coarse, fine);
        double high = step == coarse ? most : best + coarse;
        for (double part = low; part <= high; part += step) {
            double now = misfit(maker, overhead, part);
            if (now < least) least = now, best = part;
        }
    }
    return best;
}

static void replay_all(Maker *maker, const Steps *steps) {
    Ledger *ledger = maker->ledger;
    const Overhead *recording = &maker->recording;
    ledger->replay = replay_with(maker, maker->arena, recording, 0);
    ledger->clean = replay_with(maker, maker->arena, recording, part_recorded(maker, recording));
    TurnTime traced = replay_step(ledger->replay, NULL), clean = replay_step(ledger->clean, NULL);
    ledger->replayed_us = traced.turn_us;
    ledger->clean_us = clean.turn_us, ledger->host_us = clean.host_busy_us,
    ledger->gpu_us = ledger->run->gpu_busy_us;
    doubt(maker, steps);
}

Ledger *ledger_make(Arena *arena, const LedgerInput *input, Text *error) {
    Ledger *ledger = arena_new(arena, Ledger, 1);
    Maker maker = {.arena = arena, .input = input, .ledger = ledger};
    const Trace *trace = trace_read(arena, input->path, error);
    const Steps *steps = trace ? steps_find(arena, trace, error) : NULL;
    TracedRun *run = steps ? run_cut(arena, trace, steps, error) : NULL;
    if (run) stream_order_find(run);
    ledger->run = run;
    if (!ledger->run) {
        if (trace) *error = text_format(arena, "%s: %.*s", input->path, (int)error->length, error->bytes);
        return NULL;
    }
    ledger->path = text_of(input->path), ledger->how = steps->how, ledger->steps = ledger->run->steps;
    ledger->step_us = ledger->run->step_us, ledger->blocked_us = ledger->run->blocked_us;
    ledger->run_ahead_us = ledger->run->run_ahead_us;
    ledger->site_count = input->findings->sites.count;
    ledger->sites = arena_new(arena, TracedSite, ledger->site_count + 1);
    ledger->locals = arena_new(arena, uint32_t, ledger->site_count + 1);
    ledger->waits = waits_of(arena, ledger->run);
    ledger->join = join_waits(arena, ledger->run, ledger->waits, input->program, input->book, input->findings);
    ledger->loop = ledger->join->matched ? ledger->join->loop : 0;
    maker.removals = arena_new(arena, Removal, ledger->run->count + 1);
    maker.others = arena_new(arena, uint32_t, ledger->waits->items.count + 1);
    number_sites(&maker);
    maker.recording = overhead_of(&maker);
    maker.recording.usual = true;
    find_executions(&maker);
    mark_removals(&maker);
    replay_all(&maker, steps);
    add_up(&maker);
    price(&maker);
    return ledger;
}
