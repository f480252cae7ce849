#include "ledger_drawing.h"
#include "replay.h"
#include <math.h>

/* Of several recordings, the first one that counts for the prices. */
static const Ledger *replayed(const Ledger *ledger) {
    for (uint32_t i = 0; i < ledger->recording_count; i++)
        if (ledger->recordings[i].priced) return ledger->recordings[i].ledger;
    return ledger;
}

typedef struct Window {
    double from_us, until_us;
} Window;

/* The middle step, in the lane's own time: a host that runs ahead of the GPU takes less time per step. */
static Window middle_of(const TimelineDrawing *drawing, bool gpu, uint32_t steps) {
    Window all = {INFINITY, -INFINITY};
    for (uint32_t i = 0; i < drawing->bars.count; i++) {
        const TimelineBar *bar = &drawing->bars.items[i];
        if ((bar->kind == BAR_GPU) != gpu) continue;
        all.from_us = fmin(all.from_us, bar->from_us), all.until_us = fmax(all.until_us, bar->until_us);
    }
    double step_us = fmin((all.until_us - all.from_us) / steps, drawing->turn_us / steps);
    double from_us = all.from_us + step_us * (steps / 2);
    return (Window){from_us, from_us + step_us};
}

static void keep_middle(TimelineDrawing *drawing, uint32_t steps) {
    Window lanes[2] = {middle_of(drawing, false, steps), middle_of(drawing, true, steps)};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < drawing->bars.count; i++) {
        TimelineBar bar = drawing->bars.items[i];
        Window lane = lanes[bar.kind == BAR_GPU];
        bar.from_us = fmax(bar.from_us, lane.from_us) - lane.from_us;
        bar.until_us = fmin(bar.until_us, lane.until_us) - lane.from_us;
        if (bar.until_us > bar.from_us) drawing->bars.items[kept++] = bar;
    }
    drawing->bars.count = kept, drawing->turn_us /= steps;
}

bool ledger_draw(const Ledger *average, const bool *sites, TimelineDrawing *drawing) {
    const Ledger *ledger = replayed(average);
    if (ledger->listed || !ledger->clean) return false;
    Arena scratch = {0};
    bool *removed = arena_new(&scratch, bool, ledger->local_count + 1);
    SiteId *names = arena_new(&scratch, SiteId, ledger->local_count + 1);
    for (SiteId site = 1; site < ledger->site_count; site++) {
        if (sites[site] && ledger->locals[site]) removed[ledger->locals[site]] = true;
        names[ledger->locals[site]] = site;
    }
    names[0] = 0;
    replay_draw(ledger->clean, removed, drawing);
    for (uint32_t i = 0; i < drawing->bars.count; i++) {
        uint32_t local = drawing->bars.items[i].site;
        drawing->bars.items[i].site = local <= ledger->local_count ? names[local] : 0;
    }
    keep_middle(drawing, ledger->run->steps);
    arena_free(&scratch);
    return true;
}
