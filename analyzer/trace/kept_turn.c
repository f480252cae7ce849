#include "kept_turn.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char letters[] = {
    [ITEM_HOST] = 'H',       [ITEM_LAUNCH] = 'L', [ITEM_WAIT_STREAM] = 'S',  [ITEM_WAIT_DEVICE] = 'D',
    [ITEM_WAIT_EVENT] = 'E', [ITEM_RECORD] = 'R', [ITEM_STREAM_WAITS] = 'W', [ITEM_FOLLOWS] = 'F'};

/* ---- the typical step ---- */

static double gpu_us(ReplayStep step) {
    double sum_us = 0;
    for (uint32_t i = 0; i < step.count; i++)
        sum_us += step.items[i].kind == ITEM_LAUNCH ? step.items[i].repeat * step.items[i].gpu_us : 0;
    return sum_us;
}

/* Among the steps with the most common number of items, the one whose GPU time is nearest to their average. */
static ReplayStep usual_step(const Replay *replay) {
    uint32_t steps = replay_steps(replay), most = 0;
    double mean_us = 0, nearest_us = INFINITY;
    ReplayStep best = {0};
    for (uint32_t i = 0; i < steps; i++) mean_us += gpu_us(replay_items(replay, i)) / steps;
    for (uint32_t i = 0; i < steps; i++) {
        ReplayStep one = replay_items(replay, i);
        uint32_t alike = 0;
        for (uint32_t k = 0; k < steps; k++) alike += replay_items(replay, k).count == one.count;
        double off_us = fabs(gpu_us(one) - mean_us);
        if (alike < most || (alike == most && off_us >= nearest_us)) continue;
        most = alike, nearest_us = off_us, best = one;
    }
    return best;
}

/* ---- merging items ---- */

typedef struct Group {
    Item item; /* starts as its first item */
    double launches, host_us, gpu_us;
    bool open;
} Group;

static void flush(Arena *arena, KeptTurn *turn, Group *group) {
    Item item = group->item;
    item.kind = group->launches > 0 ? ITEM_LAUNCH : ITEM_HOST;
    item.repeat = fmax(group->launches, 1);
    item.host_us = group->host_us / item.repeat, item.gpu_us = group->gpu_us / item.repeat;
    if (group->open) vec_push(arena, &turn->items, item);
    *group = (Group){0};
}

static bool is_mark(const Item *item) { return item->kind == ITEM_HOST && item->object; }

/* A group without a launch so far may join any stream. */
static bool goes_on(const Group *group, const Item *item, double most_us) {
    bool launch = item->kind == ITEM_LAUNCH, other = launch && group->launches > 0;
    if (!group->open || is_mark(item) || (!launch && item->kind != ITEM_HOST)) return false;
    if (group->item.thread != item->thread || group->item.site != item->site) return false;
    return (!other || group->item.stream == item->stream) && group->host_us <= most_us &&
           group->gpu_us <= most_us;
}

static void add(Arena *arena, KeptTurn *turn, Group *group, const Item *item, double most_us) {
    bool launch = item->kind == ITEM_LAUNCH;
    if (!goes_on(group, item, most_us)) flush(arena, turn, group);
    if (is_mark(item) || (!launch && item->kind != ITEM_HOST)) {
        vec_push(arena, &turn->items, *item);
        return;
    }
    if (!group->open) *group = (Group){.item = *item, .open = true};
    if (launch) group->item.stream = item->stream, group->launches += item->repeat;
    group->host_us += item->repeat * item->host_us, group->gpu_us += launch ? item->repeat * item->gpu_us : 0;
}

/* ---- events ---- */

/* An event recorded in the step before is replaced by the one that this step records at the same place. */
static uint32_t *events_of(Arena *scratch, const Replay *replay, ReplayStep step, uint32_t *count) {
    uint32_t *events = arena_new(scratch, uint32_t, replay_places(replay) + 1);
    *count = 0;
    for (uint32_t i = 0; i < step.count; i++)
        if (step.items[i].kind == ITEM_RECORD) events[replay_place(replay, step.items[i].object)] = ++*count;
    return events;
}

static bool is_of_event(const Item *item) {
    return item->kind == ITEM_RECORD || item->kind == ITEM_WAIT_EVENT || item->kind == ITEM_STREAM_WAITS;
}

static Item own_item(const Replay *replay, const Item *from, const uint32_t *events, const uint32_t *names) {
    Item item = *from;
    item.site = names[item.site];
    if (!is_of_event(&item)) return item;
    item.object = events[replay_place(replay, item.object)];
    if (!item.object) item.kind = ITEM_HOST, item.repeat = 1; /* the step before differs: no such event */
    return item;
}

KeptTurn kept_turn_of(Arena *arena, const Replay *replay, const uint32_t *names) {
    Arena scratch = {0};
    KeptTurn turn = {.setup = replay_setup(replay)};
    ReplayStep step = usual_step(replay);
    const uint32_t *events = events_of(&scratch, replay, step, &turn.setup.events);
    turn.setup.events++;
    for (double most_us = 1; !turn.items.count || turn.items.count > KEPT_ITEMS / 2; most_us *= 2) {
        Group group = {0};
        turn.items.count = 0;
        for (uint32_t i = 0; i < step.count; i++) {
            Item item = own_item(replay, &step.items[i], events, names);
            add(arena, &turn, &group, &item, most_us);
        }
        flush(arena, &turn, &group);
        if (!step.count || most_us > 1e9) break;
    }
    arena_free(&scratch);
    return turn;
}

/* ---- as text ---- */

Text kept_turn_line(Arena *arena, const Item *item) {
    return text_format(arena, "%c %u %u %u %u %.4g %.4g %.4g %.4g", letters[item->kind], item->thread,
                       item->stream, item->object, item->site, item->repeat, item->host_us, item->gpu_us,
                       item->wake_us);
}

enum { NUMBERS = 8, LINE_LIMIT = 160 };

/* Exactly eight numbers, finite and not negative. */
static bool numbers_of(const char *line, double *numbers) {
    static const double most = 1e9;
    for (int i = 0; i < NUMBERS; i++) {
        char *end;
        numbers[i] = *line == ' ' ? strtod(line, &end) : -1;
        if (!(numbers[i] >= 0 && numbers[i] <= most)) return false;
        line = end;
    }
    return !*line;
}

bool kept_turn_take(Arena *arena, KeptTurn *turn, Text line, uint32_t sites) {
    char text[LINE_LIMIT] = "";
    double n[NUMBERS];
    const char *letter = line.length ? memchr(letters, line.bytes[0], sizeof letters) : NULL;
    if (!letter || line.length >= LINE_LIMIT || turn->items.count == KEPT_ITEMS) return false;
    memcpy(text, line.bytes, line.length);
    if (!numbers_of(text + 1, n)) return false;
    Item item = {
        .kind = (uint8_t)(letter - letters), .repeat = n[4], .host_us = n[5], .gpu_us = n[6], .wake_us = n[7]};
    bool threads = n[0] < RUN_CHAINS && n[1] < RUN_STREAMS, objects = n[2] <= KEPT_ITEMS && n[3] <= sites;
    if (!threads || !objects) return false;
    item.thread = (uint8_t)n[0], item.stream = (uint16_t)n[1], item.object = (uint32_t)n[2],
    item.site = (uint32_t)n[3];
    if (item.kind == ITEM_FOLLOWS && item.object >= RUN_CHAINS) return false;
    if (is_of_event(&item) && !item.object) return false;
    vec_push(arena, &turn->items, item);
    TimelineSetup *setup = &turn->setup;
    if (item.thread >= setup->threads) setup->threads = item.thread + 1u;
    if (item.kind == ITEM_FOLLOWS && item.object >= setup->threads) setup->threads = item.object + 1;
    if (item.stream >= setup->streams) setup->streams = item.stream + 1u;
    if (item.object >= setup->events) setup->events = item.object + 1;
    return true;
}
