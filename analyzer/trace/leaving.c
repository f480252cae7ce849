#include "leaving.h"
#include <math.h>

typedef struct Leaving {
    const LeavingInput *input;
    Arena *scratch;
    Removal *removals; /* [call] */
    double *apart_us;  /* [SiteId]: waits of the site that are further apart belong to different executions */
} Leaving;

/* ---- what is removed with a wait ---- */

static void remove_call(Leaving *self, uint32_t call, uint32_t site, double gap_us) {
    self->removals[call] = (Removal){.site = site, .call = true, .gap_us = gap_us};
}

/* The profile's times are without recording, a gap is as recorded: converts. */
static double recorded_us(const Leaving *self, const RunCall *call, double host_us) {
    double whole_us = replay_gap_us(self->input->recording, call);
    return whole_us > 0 ? call->gap_us * fmin(host_us / whole_us, 1) : 0;
}

/* The part of Python and PyTorch in a read or synchronisation, which no CUDA call shows. */
static double own_us(const Leaving *self, const TracedWait *wait) {
    const Profile *profile = self->input->profile;
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
static int reading_operator(const Leaving *self, const TracedWait *wait) {
    static const char *const reading[] = {"aten::_local_scalar_dense",
                                          "aten::item",
                                          "aten::is_nonzero",
                                          "aten::nonzero",
                                          "aten::copy_",
                                          "aten::_to_copy",
                                          "aten::to",
                                          "aten::_linalg_check_errors"};
    const Names *names = &self->input->run->trace->names;
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

/* The first call of a wait's operation: its copy, and the stream query that PyTorch makes right before it. The
   host's own part precedes it. */
static uint32_t begins_at(const Leaving *self, const TracedWait *wait) {
    static const double right_us = 4;
    const TracedRun *run = self->input->run;
    uint32_t begin = wait->copy ? wait->copy - 1 : wait->call;
    for (; begin > 0 && run->calls[begin].gap_us < right_us; begin--) {
        const RunCall *before = &run->calls[begin - 1];
        Text name = names_text(&run->trace->names, before->call->name);
        if (before->chain != run->calls[begin].chain || !text_equal(name, TEXT("cudaStreamIsCapturing"))) break;
    }
    return begin;
}

/* Removes every call between two times on the wait's thread, and the host work between them. */
static void remove_between(Leaving *self, const TracedWait *wait, uint32_t site, double from_us, double to_us) {
    const TracedRun *run = self->input->run;
    uint16_t thread = run->calls[wait->call].call->thread;
    uint32_t first = wait->call, last = wait->call;
    while (first > 0 && run->calls[first - 1].start_us >= from_us) first--;
    while (last + 1 < run->count && run->calls[last + 1].call->end_us <= to_us) last++;
    for (uint32_t i = first; i <= last; i++) {
        const RunCall *call = &run->calls[i];
        if (call->call->thread == thread)
            remove_call(self, i, site, i == first ? fmax(call->start_us - from_us, 0) : call->gap_us);
    }
    double rest_us = to_us - run->calls[last].call->end_us;
    if (last + 1 < run->count && rest_us > 0 && !self->removals[last + 1].site)
        self->removals[last + 1] = (Removal){.site = site, .gap_us = rest_us, .only_gap = true};
}

static bool does(const Leaving *self, SiteId site, uint32_t does_bits) {
    return site && rulebook_does(self->input->book, self->input->findings->sites.items[site].hazard, does_bits);
}

/* Hazards whose API only brings the value to the host: everything it does is removed. */
static bool only_reads(const Leaving *self, SiteId site) {
    return does(self, site, DOES_BIT(reads) | DOES_BIT(prints) | DOES_BIT(decides) | DOES_BIT(fetches));
}

static void remove_wait(Leaving *self, uint32_t index, uint32_t site) {
    const TracedRun *run = self->input->run;
    const TracedWait *wait = &self->input->waits->items.items[index];
    uint32_t callee = self->input->join->callees[index];
    int outer = reading_operator(self, wait);
    if (callee && only_reads(self, self->input->join->sites[index])) {
        remove_between(self, wait, site, wait->frame_us[callee - 1][0], wait->frame_us[callee - 1][1]);
        return;
    }
    if (wait->kind == WAITED_TO_DEVICE) { /* the copy itself is needed */
        self->removals[wait->call] = (Removal){.site = site, .call = !run->calls[wait->call].links};
        return;
    }
    if (outer >= 0) {
        remove_between(self, wait, site, wait->operator_us[outer][0], wait->operator_us[outer][1]);
        return;
    }
    uint32_t first = begins_at(self, wait);
    for (uint32_t i = first; i <= wait->call; i++)
        if (run->calls[i].chain == run->calls[wait->call].chain)
            remove_call(self, i, site,
                        i == first ? recorded_us(self, &run->calls[i], own_us(self, wait))
                                   : run->calls[i].gap_us);
}

/* Several waits in one execution (a print reads its tensor many times): what is between them belongs to the
   site too. */
static void remove_together(Leaving *self, uint32_t before, uint32_t wait, uint32_t site) {
    const TracedRun *run = self->input->run;
    const TracedWait *waits = self->input->waits->items.items;
    for (uint32_t i = waits[before].call + 1; i < waits[wait].call; i++)
        if (run->calls[i].chain == run->calls[waits[wait].call].chain)
            remove_call(self, i, site, run->calls[i].gap_us);
    remove_call(self, waits[wait].call, site, run->calls[waits[wait].call].gap_us);
}

static double between_us(const Leaving *self, uint32_t before, uint32_t wait) {
    const TracedRun *run = self->input->run;
    const TracedWait *waits = self->input->waits->items.items;
    return run->calls[waits[wait].call].start_us - run->calls[waits[before].call].call->end_us;
}

static bool one_execution(const Leaving *self, uint32_t before, uint32_t wait, SiteId site) {
    const Site *found = &self->input->findings->sites.items[site];
    const TracedWait *waits = self->input->waits->items.items;
    if (found->waits == 1 || self->input->join->sites[before] != site || self->input->join->sites[wait] != site)
        return false;
    return waits[wait].kind != WAITED_TO_DEVICE && between_us(self, before, wait) < self->apart_us[site];
}

/* Groups a site's waits into executions: waits of one execution follow closely, while the largest distance
   between two neighbours is from one execution to the next, unless the window has only one. */
static void find_executions(Leaving *self) {
    static const double near = 0.1; /* of a step */
    const LeavingInput *input = self->input;
    uint32_t sites = input->findings->sites.count;
    self->apart_us = arena_new(self->scratch, double, sites + 1);
    for (uint32_t i = 1; i < input->waits->items.count; i++) {
        SiteId site = input->join->sites[i];
        if (site && site == input->join->sites[i - 1])
            self->apart_us[site] = fmax(self->apart_us[site], between_us(self, i - 1, i));
    }
    for (SiteId site = 1; site < sites; site++)
        self->apart_us[site] = fmax(0.5 * self->apart_us[site], near * input->run->step_us);
}

/* ---- host work that the trace does not show ---- */

/* Host work of the site beside its reads, for each of them, e.g. a check before the read. */
static double beside_us(const Leaving *self, SiteId site) {
    const Findings *findings = self->input->findings;
    const Site *found = &findings->sites.items[site];
    const HotLoop *loop = &findings->loops.items[found->loop];
    double sum_us = 0, reads = 0;
    for (uint32_t i = 0; i < loop->event_count; i++) {
        const Event *event = &loop->events[i];
        if (event->site != site) continue;
        const Quantity *quantity =
            event->kind == EVENT_HOST ? profile_quantity(self->input->profile, event->quantity) : NULL;
        if (quantity) sum_us += quantity->median * fmax(event->count, 1);
        if (event->kind == EVENT_WAIT) reads += fmax(event->count, 1);
    }
    if (sum_us == 0 && does(self, site, DOES_BIT(prints)))
        sum_us =
            (reads > 16 ? self->input->profile->print_matrix_us : self->input->profile->print_scalar_us).median;
    return reads > 0 ? sum_us / reads : 0;
}

/* A trace without stacks does not show it: it is taken from the host's work before the read. A row of reads has it
   between them, and an operator that finds out a size shows its own. */
static void remove_unseen_work(Leaving *self, uint32_t index, SiteId site) {
    const TracedWait *wait = &self->input->waits->items.items[index];
    uint32_t index_of_first = begins_at(self, wait);
    const RunCall *call = &self->input->run->calls[index_of_first];
    Removal *first = &self->removals[index_of_first];
    bool shown = only_reads(self, site) || wait->kind == WAITED_TO_DEVICE ||
                 (self->input->run->trace->has_operators && reading_operator(self, wait) < 0);
    if (!shown && first->site) first->gap_us += recorded_us(self, call, beside_us(self, site));
}

/* Host work of a sequence of reads outside of its first and last read. For a print, in proportion to what is
   between them, as a slow host is slow in all of it; else what the profile says of the whole sequence. */
static double unseen_us(const Leaving *self, SiteId site, uint32_t reads, double shown_us) {
    enum { SCALAR_READS = 16 };
    const Profile *profile = self->input->profile;
    if (reads <= SCALAR_READS && does(self, site, DOES_BIT(prints)))
        return shown_us * fmax(profile->trace_print.median - 1, 0);
    return reads * (beside_us(self, site) + profile->item_us.median) - shown_us;
}

/* The host's time from the first call to the last, without waiting for work queued before. */
static double shown_us(const Leaving *self, uint32_t first, uint32_t last) {
    const Overhead *recording = self->input->recording;
    double sum_us = 0;
    for (uint32_t i = first; i <= last; i++) {
        const RunCall *call = &self->input->run->calls[i];
        sum_us += i > first ? replay_gap_us(recording, call) : 0;
        sum_us += call->wait ? call->after_us : replay_own_us(recording, call);
    }
    return sum_us;
}

/* Removes what precedes a sequence of reads: calls and gaps are taken backwards from it for as long as the known
   time lasts, no call waits or belongs to another site, and the gap between them is that of code which does
   nothing but launch. So of `print(loss)` behind `loss.backward()`: abs, max and what else chooses the format, 5
   us apart; the Python before them as far as the print is known to take; nothing of the backward pass. Gives the
   time that is left. */
static double remove_before(Leaving *self, uint32_t first, uint32_t local, double left_us) {
    static const double launching_us = 30;
    const RunCall *calls = self->input->run->calls;
    const Overhead *recording = self->input->recording;
    for (uint32_t i = first; i > 0 && left_us > 0; i--) {
        const RunCall *before = &calls[i - 1];
        double gap_us = fmin(replay_gap_us(recording, &calls[i]), left_us),
               before_us = replay_own_us(recording, before);
        self->removals[i].gap_us = fmax(self->removals[i].gap_us, recorded_us(self, &calls[i], gap_us));
        left_us -= gap_us;
        bool other =
            before->wait || self->removals[i - 1].site || before->call->thread != calls[i].call->thread;
        if (gap_us > launching_us || other || left_us < before_us) break;
        remove_call(self, i - 1, local, 0);
        left_us -= before_us;
    }
    return left_us;
}

/* A sequence of reads does more than reading: before it (remove_before) and, with what is left of the time that
   this is known to take, behind it. */
static void remove_around(Leaving *self, uint32_t first_wait, uint32_t last_wait, SiteId site, uint32_t local) {
    const TracedRun *run = self->input->run;
    const TracedWait *waits = self->input->waits->items.items;
    uint32_t first = begins_at(self, &waits[first_wait]), last = waits[last_wait].call;
    double unseen = unseen_us(self, site, last_wait - first_wait + 1, shown_us(self, first, last));
    double left_us = remove_before(self, first, local, unseen);
    Removal *behind = &self->removals[last + 1];
    bool is_free = last + 1 < run->count && (!behind->site || (behind->site == local && behind->only_gap));
    if (left_us > 0 && is_free)
        *behind = (Removal){
            .site = local, .gap_us = recorded_us(self, &run->calls[last + 1], left_us), .only_gap = true};
}

static void mark_removals(Leaving *self) {
    const LeavingInput *input = self->input;
    uint32_t begin = 0;
    for (uint32_t i = 0; i < input->waits->items.count; i++) {
        SiteId site = input->join->sites[i];
        uint32_t local = input->numbers[i];
        remove_wait(self, i, local);
        if (site) remove_unseen_work(self, i, site);
        bool goes_on = site && i && one_execution(self, i - 1, i, site);
        bool ends = i + 1 == input->waits->items.count || !site || !one_execution(self, i, i + 1, site);
        if (goes_on)
            remove_together(self, i - 1, i, local);
        else
            begin = i;
        if (site && ends && begin < i && !input->join->callees[i]) remove_around(self, begin, i, site, local);
    }
}

Removal *leaving_of(Arena *arena, const LeavingInput *input) {
    Arena scratch = {0};
    Leaving self = {.input = input, .scratch = &scratch};
    self.removals = arena_new(arena, Removal, input->run->count + 1);
    find_executions(&self);
    mark_removals(&self);
    arena_free(&scratch);
    return self.removals;
}
