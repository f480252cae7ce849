#include "timeline.h"
#include "queue.h"
#include <assert.h>
#include <math.h>

/* fmax and fmin are library calls because of NaN; clocks are never NaN, and this is pricing's inner loop. */
static inline double larger(double a, double b) { return a > b ? a : b; }
static inline double smaller(double a, double b) { return a < b ? a : b; }

enum { LAUNCH_PIECES = 8 }; /* most pieces of one item */

struct Timeline {
    TimelineSetup setup;
    double *threads, *streams, *events; /* clocks */
    uint32_t *waited;      /* [stream]: item index + 1 of a wait after which nothing was launched on it yet */
    double whole_launches; /* most launches of an item that are queued as one batch; 0 = no bound */
    double *saved;         /* [TIMELINE_DEPTH][2][threads + streams] clocks before the last two iterations */
    Queue *queues;
    TimelineMark *marks, *inner; /* NULL = not recorded */
    uint32_t loop_turn;          /* iteration of the inner loop, from 0 */
    double turn_begin_us;        /* start of the current iteration */
    double stood_us;             /* time in waits since anything was queued */
    double turn_us;              /* of the last iteration */
    bool unsettled;              /* the last inner loop was extrapolated from unequal iterations */
    const Item *items;
    uint32_t count;
    TimelineChange change;
    ItemTime *times;
    TimelineDrawing *drawing; /* NULL = no drawing */
    TurnTime sum;
    double weight; /* how many iterations the current one stands for; 0 while warming up */
    uint32_t depth;
};

Timeline *timeline_new(Arena *result, const TimelineSetup *setup) {
    Timeline *timeline = arena_new(result, Timeline, 1);
    timeline->setup = *setup;
    if (!timeline->setup.turns) timeline->setup.turns = 6, timeline->setup.warm_up = 2;
    assert(timeline->setup.warm_up < timeline->setup.turns && setup->threads && setup->streams);
    if (setup->queue_launches > 0) timeline->whole_launches = larger(setup->queue_launches / 2, 1);
    timeline->threads = arena_new(result, double, setup->threads);
    timeline->streams = arena_new(result, double, setup->streams);
    timeline->events = arena_new(result, double, setup->events + 1);
    timeline->waited = arena_new(result, uint32_t, setup->streams);
    timeline->saved = arena_new(result, double, 2 * (setup->threads + setup->streams) * TIMELINE_DEPTH);
    timeline->queues = arena_new(result, Queue, setup->streams);
    for (uint32_t stream = 0; stream < setup->streams; stream++)
        timeline->queues[stream].batches = arena_new(result, Batch, QUEUE_BATCHES);
    return timeline;
}

static void draw(Timeline *timeline, BarKind kind, uint32_t site, double from_us, double until_us) {
    TimelineDrawing *drawing = timeline->drawing;
    double begin_us = timeline->turn_begin_us;
    if (until_us <= from_us) return;
    TimelineBar bar = {(uint8_t)kind, site, from_us - begin_us, until_us - begin_us};
    vec_push(drawing->arena, &drawing->bars, bar);
}

/* Replays `launches` equal operations in closed form. The end of the last one is the maximum over three cases:
   the GPU never starved; starved only before the first; starved before each one (in between it is linear). */
static inline void launch_some(Timeline *timeline, const Item *item, double launches) {
    double latency_us = timeline->setup.launch_latency_us, first = smaller(launches, 1);
    double *host = &timeline->threads[item->thread], *stream = &timeline->streams[item->stream];
    double start_us = larger(*host + first * item->host_us + latency_us, *stream);
    double host_end_us = *host + launches * item->host_us;
    double end_us = larger(start_us + launches * item->gpu_us, host_end_us + latency_us + first * item->gpu_us);
    if (timeline->drawing && !item->thread) draw(timeline, BAR_WORK, item->site, *host, host_end_us);
    if (timeline->drawing) draw(timeline, BAR_GPU, item->site, start_us, end_us);
    uint32_t wait = timeline->waited[item->stream];
    if (wait && timeline->times) timeline->times[wait - 1].gap_us += (start_us - *stream) * timeline->weight;
    timeline->waited[item->stream] = 0;
    if (timeline->setup.queue_launches > 0) {
        Batch batch = {launches, start_us, end_us};
        double limit = timeline->setup.queue_launches;
        host_end_us = larger(host_end_us, queue_push(&timeline->queues[item->stream], *host, limit, batch));
        if (launches > limit) host_end_us = larger(host_end_us, end_us - limit * item->gpu_us);
    }
    *host = host_end_us;
    *stream = end_us;
}

/* A run longer than the queue is queued in pieces; nested loops make runs of any length. */
static void launch_pieces(Timeline *timeline, const Item *item) {
    double piece = larger(timeline->whole_launches, item->repeat / LAUNCH_PIECES);
    for (double left = item->repeat; left > 0; left -= piece) launch_some(timeline, item, smaller(left, piece));
}

static inline void launch(Timeline *timeline, const Item *item) {
    if (timeline->whole_launches > 0 && item->repeat > timeline->whole_launches)
        launch_pieces(timeline, item);
    else if (item->repeat > 0)
        launch_some(timeline, item, item->repeat);
    timeline->sum.host_busy_us += timeline->weight * item->host_us * item->repeat;
    timeline->sum.gpu_busy_us += timeline->weight * item->gpu_us * item->repeat;
    timeline->stood_us = 0;
}

/* The clock that a wait waits for. Marks the streams, so that the gap after the wait is measured. */
static double waited_for_us(Timeline *timeline, const Item *item) {
    uint32_t index = (uint32_t)(item - timeline->items);
    if (item->kind == ITEM_WAIT_EVENT) return timeline->events[item->object];
    uint32_t first = item->stream, end = item->stream + 1u;
    if (item->kind == ITEM_WAIT_DEVICE) first = 0, end = timeline->setup.streams;
    double clock_us = 0;
    for (uint32_t stream = first; stream < end; stream++) {
        clock_us = larger(clock_us, timeline->streams[stream]);
        if (!timeline->waited[stream]) timeline->waited[stream] = index + 1;
        if (timeline->setup.threads > 1) continue; /* another thread may be behind */
        queue_clear(&timeline->queues[stream]);
    }
    return clock_us;
}

static void note_mark(Timeline *timeline, const Item *item) {
    size_t index = (size_t)(item - timeline->items);
    TimelineMark *mark = timeline->depth ? &timeline->inner[index * TIMELINE_LOOP_TURNS + timeline->loop_turn]
                                         : &timeline->marks[index];
    mark->thread_us = timeline->threads[0] - timeline->turn_begin_us;
    mark->stream_us = timeline->streams[0] - timeline->turn_begin_us;
    mark->stood_us = timeline->stood_us;
    mark->set = timeline->streams[0] <= timeline->threads[0];
}

/* At a wait, freed sites stop accumulating: notes how far each let the thread get ahead of the stream. */
static void stop_freed(Timeline *timeline, double now_us) {
    for (uint32_t i = 1; i < timeline->change.freed_count; i++) {
        TimelineFreed *freed = &timeline->change.freed[i];
        if (!freed->open) continue;
        double ahead_us = smaller(freed->behind_us, now_us - freed->since_us) + freed->copied_us;
        freed->ahead_us = larger(freed->ahead_us, ahead_us);
        freed->open = false, freed->waited = true;
    }
}

/* True: the wait is freed, the thread goes on. False: a real wait, which ends the lead of earlier freed ones. */
static bool passes(Timeline *timeline, const Item *item) {
    TimelineFreed *freed = &timeline->change.freed[item->site];
    double *host = &timeline->threads[item->thread], copied_us = item->moved_us * item->repeat;
    if (!freed->is) stop_freed(timeline, *host);
    if (!freed->is) return false;
    if (freed->later) *host += copied_us;
    freed->behind_us = larger(timeline->streams[item->stream] - *host, 0);
    freed->copied_us = (freed->open ? freed->copied_us : 0) + (freed->later ? 0 : copied_us);
    freed->since_us = *host, freed->open = true;
    return true;
}

static void wait(Timeline *timeline, const Item *item) {
    double *host = &timeline->threads[item->thread], before_us = *host;
    if (item->repeat <= 0 || (timeline->change.freed && passes(timeline, item))) return;
    double ready_us = waited_for_us(timeline, item) + item->wake_us + item->gpu_us;
    double again_us = larger(item->repeat - 1, 0) * item->host_us;
    double called_us = before_us + item->host_us * smaller(item->repeat, 1);
    *host = larger(called_us, ready_us) + again_us;
    timeline->stood_us += larger(ready_us - called_us, 0);
    if (timeline->drawing && !item->thread) draw(timeline, BAR_WAIT, item->site, before_us, *host);
    if (timeline->times)
        timeline->times[item - timeline->items].blocked_us += (*host - before_us) * timeline->weight;
    timeline->sum.host_busy_us += timeline->weight * item->host_us * item->repeat;
}

static void step_host(Timeline *timeline, const Item *item) {
    double before_us = timeline->threads[item->thread];
    timeline->threads[item->thread] += item->host_us * item->repeat;
    if (timeline->drawing && !item->thread)
        draw(timeline, BAR_WORK, item->site, before_us, timeline->threads[item->thread]);
    timeline->sum.host_busy_us += timeline->weight * item->host_us * item->repeat;
}

/* A host that stood still for the item's wake_us is as cold as it gets. */
static void step_cold(Timeline *timeline, const Item *item) {
    Item part = *item;
    part.repeat *= item->wake_us > 0 ? smaller(timeline->stood_us / item->wake_us, 1) : timeline->stood_us > 0;
    if (part.repeat > 0) step_host(timeline, &part);
}

static void run_other(Timeline *timeline, const Item *item) {
    double *host = &timeline->threads[item->thread], *stream = &timeline->streams[item->stream];
    switch ((ItemKind)item->kind) {
    case ITEM_HOST: step_host(timeline, item); break;
    case ITEM_COLD: step_cold(timeline, item); break;
    case ITEM_WAIT_STREAM:
    case ITEM_WAIT_DEVICE:
    case ITEM_WAIT_EVENT: wait(timeline, item); break;
    case ITEM_RECORD:
        step_host(timeline, item);
        timeline->events[item->object] = larger(*host + timeline->setup.launch_latency_us, *stream);
        break;
    case ITEM_STREAM_WAITS:
        step_host(timeline, item);
        *stream = larger(*stream, timeline->events[item->object]);
        break;
    case ITEM_FOLLOWS: *host = larger(*host, timeline->threads[item->object]); break;
    case ITEM_LAUNCH:
    case ITEM_LOOP:
    case ITEM_LOOP_END: break;
    }
}

/* Most items are launches. */
static inline void run_item(Timeline *timeline, const Item *item) {
    if (item->kind == ITEM_LAUNCH)
        launch(timeline, item);
    else
        run_other(timeline, item);
}

static void run_items(Timeline *timeline, uint32_t first, uint32_t end);

/* A loop instead of memcpy: there are few clocks, and they are copied in each iteration of each loop. */
static inline void copy_clocks(double *into, const double *from, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) into[i] = from[i];
}

static void save_clocks(const Timeline *timeline, double *saved) {
    copy_clocks(saved, timeline->threads, timeline->setup.threads);
    copy_clocks(saved + timeline->setup.threads, timeline->streams, timeline->setup.streams);
}

static double clock_at(const Timeline *timeline, uint32_t i) {
    return i < timeline->setup.threads ? timeline->threads[i] : timeline->streams[i - timeline->setup.threads];
}

/* Each clock advanced since `saved` as much as from `before` to `saved`: further iterations only repeat that. */
static bool steady(const Timeline *timeline, const double *before, const double *saved) {
    for (uint32_t i = 0; i < timeline->setup.threads + timeline->setup.streams; i++) {
        double now_us = clock_at(timeline, i), moved_us = now_us - saved[i], then_us = saved[i] - before[i];
        if (fabs(moved_us - then_us) > 1e-9 * now_us) return false;
    }
    return true;
}

/* Advances every clock by `turns` times its advance in the last iteration. */
static void extrapolate(Timeline *timeline, const double *saved, double turns) {
    if (timeline->drawing && turns > 0) { /* one bar at the end, as busy as that iteration */
        double host_us = timeline->threads[0], stream_us = timeline->streams[0];
        draw(timeline, BAR_WORK, 0, host_us, host_us + turns * (host_us - saved[0]));
        draw(timeline, BAR_GPU, 0, stream_us, stream_us + turns * (stream_us - saved[timeline->setup.threads]));
    }
    for (uint32_t thread = 0; thread < timeline->setup.threads; thread++)
        timeline->threads[thread] += turns * (timeline->threads[thread] - saved[thread]);
    saved += timeline->setup.threads;
    for (uint32_t stream = 0; stream < timeline->setup.streams; stream++) {
        double shift_us = turns * (timeline->streams[stream] - saved[stream]);
        timeline->streams[stream] += shift_us;
        queue_delay(&timeline->queues[stream], shift_us);
    }
}

/* Adds what was added since `before` so many times more. */
static void repeat_sum(TurnTime *sum, const TurnTime *before, double times) {
    sum->turn_us += times * (sum->turn_us - before->turn_us);
    sum->host_busy_us += times * (sum->host_busy_us - before->host_busy_us);
    sum->gpu_busy_us += times * (sum->gpu_busy_us - before->gpu_busy_us);
}

static void run_loop(Timeline *timeline, uint32_t first, uint32_t end, double repeat) {
    /* fewer iterations at each depth, because nested loops multiply */
    static const double most[TIMELINE_DEPTH] = {TIMELINE_LOOP_TURNS, 3, 2, 2, 1, 1, 1, 1};
    uint32_t clocks = timeline->setup.threads + timeline->setup.streams;
    double weight = timeline->weight, *saved = NULL, *before = NULL;
    double turns = smaller(ceil(repeat), timeline->depth < TIMELINE_DEPTH ? most[timeline->depth] : 1);
    if (timeline->depth < TIMELINE_DEPTH) {
        saved = timeline->saved + 2 * timeline->depth * clocks;
        before = saved + clocks;
    }
    timeline->depth++;
    for (double turn = 1; turn <= turns; turn++) {
        if (turn == turns) timeline->weight = weight * larger(repeat - turns + 1, 0);
        TurnTime sum = timeline->sum;
        if (saved) {
            copy_clocks(before, saved, clocks);
            save_clocks(timeline, saved);
        }
        timeline->unsettled = false;
        if (timeline->depth == 1) timeline->loop_turn = (uint32_t)turn - 1;
        run_items(timeline, first, end);
        bool alike = turn > 1 && saved && steady(timeline, before, saved);
        timeline->unsettled |= turn == turns && repeat > turns && !alike;
        /* times of single items need the last iteration with its weight; without them the sums suffice */
        if (timeline->times || turn == turns || !alike) continue;
        repeat_sum(&timeline->sum, &sum, repeat - turn);
        turns = turn;
    }
    timeline->depth--;
    timeline->weight = weight;
    if (saved && turns > 0 && turns != repeat)
        extrapolate(timeline, saved, repeat - turns); /* a fractional iteration goes backwards */
}

static bool is_wait(const Item *item) {
    return item->kind >= ITEM_WAIT_STREAM && item->kind <= ITEM_WAIT_EVENT;
}

static bool is_kept(const Timeline *timeline, const Item *item) {
    const TimelineFreed *freed = timeline->change.freed;
    if (!item->site) return true;
    if (freed && freed[item->site].is && !is_wait(item)) return false;
    if (timeline->change.moved_site == item->site) return false;
    return !timeline->change.removed || !timeline->change.removed[item->site];
}

static void run_items(Timeline *timeline, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; i++) {
        const Item *item = &timeline->items[i];
        if (item->kind == ITEM_LOOP) {
            assert(item->object > i && item->object < timeline->count);
            if (item->repeat > 0) run_loop(timeline, i + 1, item->object, item->repeat);
            if (timeline->marks && !timeline->depth) timeline->marks[i].unsettled = timeline->unsettled;
            i = item->object;
        } else {
            if (is_kept(timeline, item)) run_item(timeline, item);
            if (timeline->marks && timeline->depth <= 1) note_mark(timeline, item);
        }
    }
}

static void run_moved(Timeline *timeline) {
    if (!timeline->change.moved_site) return;
    for (uint32_t i = 0; i < timeline->count; i++)
        if (timeline->items[i].site == timeline->change.moved_site) run_item(timeline, &timeline->items[i]);
}

static void reset(Timeline *timeline) {
    memset(timeline->threads, 0, sizeof(double) * timeline->setup.threads);
    memset(timeline->streams, 0, sizeof(double) * timeline->setup.streams);
    memset(timeline->events, 0, sizeof(double) * timeline->setup.events);
    memset(timeline->waited, 0, sizeof(uint32_t) * timeline->setup.streams);
    for (uint32_t stream = 0; stream < timeline->setup.streams; stream++)
        queue_clear(&timeline->queues[stream]);
    timeline->sum = (TurnTime){0};
    timeline->depth = 0, timeline->stood_us = 0;
}

/* The iteration ends with the slowest clock. */
static double frontier_us(const Timeline *timeline) {
    double latest_us = 0;
    for (uint32_t i = 0; i < timeline->setup.threads; i++) latest_us = larger(latest_us, timeline->threads[i]);
    for (uint32_t i = 0; i < timeline->setup.streams; i++) latest_us = larger(latest_us, timeline->streams[i]);
    return latest_us;
}

static void average(ItemTime *times, uint32_t count, double turns) {
    if (!times) return;
    for (uint32_t i = 0; i < count; i++) times[i].blocked_us /= turns, times[i].gap_us /= turns;
}

/* Replays iterations; *steady is set if the last two were alike. */
static TurnTime replay_turns(Timeline *timeline, bool *steady) {
    double before_us = 0, begin_us = 0, last_us = -1, counted = 0;
    ItemTime *times = timeline->times;
    TimelineMark *marks = timeline->marks;
    *steady = false;
    for (uint32_t turn = 0; turn < timeline->setup.turns; turn++) {
        bool counts = turn >= timeline->setup.warm_up;
        timeline->weight = counts, timeline->marks = counts ? marks : NULL;
        if (turn == timeline->setup.warm_up) begin_us = before_us;
        if (!times) timeline->weight = 1, timeline->sum = (TurnTime){0};
        timeline->turn_begin_us = before_us;
        run_items(timeline, 0, timeline->count);
        run_moved(timeline);
        double now_us = frontier_us(timeline), turn_us = timeline->turn_us = now_us - before_us;
        before_us = now_us, counted += counts;
        /* steady: further iterations would be the same; if no item times are wanted, warm-up ones count too */
        *steady = fabs(turn_us - last_us) <= 1e-9 * now_us;
        if (*steady && !times)
            return (TurnTime){turn_us, timeline->sum.host_busy_us, timeline->sum.gpu_busy_us};
        if (*steady && counted > 0) break;
        last_us = turn_us;
    }
    double turns = times ? counted : 1; /* number of iterations that the sums and times cover */
    average(times, timeline->count, turns);
    return (TurnTime){(before_us - begin_us) / counted, timeline->sum.host_busy_us / turns,
                      timeline->sum.gpu_busy_us / turns};
}

static void begin(Timeline *timeline, const Item *items, uint32_t count, TimelineChange change,
                  ItemTime *times) {
    reset(timeline);
    timeline->items = items, timeline->count = count, timeline->change = change, timeline->times = times;
    timeline->marks = timeline->inner = NULL;
}

TurnTime timeline_replay(Timeline *timeline, const Item *items, uint32_t count, TimelineChange change,
                         ItemTime *times) {
    bool steady;
    begin(timeline, items, count, change, times);
    if (times) memset(times, 0, sizeof *times * count);
    return replay_turns(timeline, &steady);
}

void timeline_draw(Timeline *timeline, const Item *items, uint32_t count, TimelineChange change,
                   TimelineDrawing *drawing) {
    (void)timeline_replay(timeline, items, count, change, NULL);
    timeline->turn_begin_us = frontier_us(timeline);
    timeline->drawing = drawing;
    run_items(timeline, 0, count);
    timeline->drawing = NULL;
    drawing->turn_us = frontier_us(timeline) - timeline->turn_begin_us;
}

/* ---- the effect of one change on a steady iteration ---- */

/* How much longer a wait takes that finds the stream just finished than one that finds it long idle. */
static double idle_us(const Item *items, uint32_t count) {
    double most_us = 0;
    for (uint32_t i = 0; i < count; i++)
        if (is_wait(&items[i])) most_us = larger(most_us, items[i].wake_us + items[i].gpu_us);
    return most_us;
}

/* The longest wake_us of any cold item: standing still longer makes the host no colder. */
static double coldest_us(const Item *items, uint32_t count) {
    double most_us = 0;
    for (uint32_t i = 0; i < count; i++)
        if (items[i].kind == ITEM_COLD) most_us = larger(most_us, items[i].wake_us);
    return most_us;
}

static void clear_inner(TimelineSteady *steady) {
    for (uint32_t i = 0; i < steady->count; i++) {
        if (steady->items[i].kind != ITEM_LOOP) continue;
        uint32_t end = steady->items[i].object;
        memset(steady->inner + (size_t)i * TIMELINE_LOOP_TURNS, 0,
               sizeof *steady->inner * (end - i) * TIMELINE_LOOP_TURNS);
        i = end;
    }
}

TurnTime timeline_record(Timeline *timeline, TimelineSteady *steady, TimelineChange change, ItemTime *times) {
    assert(timeline->setup.threads == 1 && timeline->setup.streams == 1);
    begin(timeline, steady->items, steady->count, change, times);
    memset(times, 0, sizeof *times * steady->count);
    memset(steady->marks, 0, sizeof *steady->marks * steady->count);
    clear_inner(steady);
    timeline->marks = steady->marks, timeline->inner = steady->inner;
    TurnTime turn = replay_turns(timeline, &steady->steady);
    steady->turn_us = timeline->turn_us;
    steady->idle_us = idle_us(steady->items, steady->count);
    steady->cold_us = coldest_us(steady->items, steady->count);
    return turn;
}

static bool find_mark(const TimelineSteady *steady, uint32_t from, uint32_t before, uint32_t *found) {
    for (*found = before; *found > from;)
        if (steady->marks[--*found].set) return true;
    return false;
}

static bool as_cold(const Timeline *timeline, const TimelineSteady *steady, const TimelineMark *mark) {
    double now_us = smaller(timeline->stood_us, steady->cold_us),
           then_us = smaller(mark->stood_us, steady->cold_us);
    return fabs(now_us - then_us) <= 1e-9 * timeline->threads[0];
}

/* Whether the clocks agree with the recorded ones. Nothing is pending at a mark, so all that later items can
   depend on is how far the stream is behind the thread and how long the thread stood still; the former does not
   matter when the stream has been idle for long. */
static bool agrees(const Timeline *timeline, const TimelineSteady *steady, const TimelineMark *mark) {
    if (!mark->set || !as_cold(timeline, steady, mark)) return false;
    double host = timeline->threads[0], apart_us = timeline->streams[0] - host;
    double then_us = mark->stream_us - mark->thread_us;
    bool idle = apart_us <= -steady->idle_us && then_us <= -steady->idle_us;
    return idle || fabs(apart_us - then_us) <= 1e-9 * host;
}

/* Replays up to `count` items from the item `at` on, wrapping into the next iteration, until the clocks agree. */
static bool run_until_alike(Timeline *timeline, const TimelineSteady *steady, uint32_t at, uint32_t changed,
                            uint32_t end, double *later_us) {
    for (; at < end; at++) {
        uint32_t i = at % steady->count;
        const Item *item = &steady->items[i];
        if (item->kind == ITEM_LOOP) {
            if (steady->marks[i].unsettled) return false;
            if (item->repeat > 0) run_loop(timeline, i + 1, item->object, item->repeat);
            if (timeline->unsettled) return false;
            at += item->object - i;
        } else {
            if (is_kept(timeline, item)) run_item(timeline, item);
            if (at + 1 < changed || !agrees(timeline, steady, &steady->marks[i])) continue;
            *later_us = timeline->threads[0] - steady->marks[i].thread_us -
                        (double)(at / steady->count) * steady->turn_us;
            return true;
        }
    }
    return false;
}

static void go_on_from(Timeline *timeline, const TimelineMark *mark) {
    timeline->threads[0] = mark->thread_us;
    timeline->streams[0] = mark->stream_us;
    timeline->stood_us = mark->stood_us;
}

/* The last mark before the item in an iteration of the inner loop; the loop item itself = none. */
static uint32_t inner_mark(const TimelineSteady *steady, uint32_t loop, uint32_t before, uint32_t turn) {
    while (--before > loop && !steady->inner[before * TIMELINE_LOOP_TURNS + turn].set) continue;
    return before;
}

/* How much later an inner loop's iteration ends: replayed from the mark before the change until the clocks agree. */
static bool shift_of_turn(Timeline *timeline, const TimelineSteady *steady, TimelineRange range, uint32_t turn,
                          double *later_us) {
    const TimelineMark *marks = steady->inner;
    uint32_t start = inner_mark(steady, range.from, range.inner_from, turn);
    if (start == range.from) return false;
    go_on_from(timeline, &marks[start * TIMELINE_LOOP_TURNS + turn]);
    for (uint32_t i = start + 1; i + 1 < range.until; i++) {
        const Item *item = &steady->items[i];
        const TimelineMark *mark = &marks[i * TIMELINE_LOOP_TURNS + turn];
        if (item->kind == ITEM_LOOP) {
            if (item->repeat > 0) run_loop(timeline, i + 1, item->object, item->repeat);
            if (timeline->unsettled) return false;
            i = item->object;
        } else {
            if (is_kept(timeline, item)) run_item(timeline, item);
            *later_us = timeline->threads[0] - mark->thread_us;
            if (i + 1 >= range.inner_until && agrees(timeline, steady, mark)) return true;
        }
    }
    return false;
}

/* Sums over the iterations that were replayed; further ones are as the last. */
static bool shift_in_loop(Timeline *timeline, const TimelineSteady *steady, TimelineRange range,
                          double *later_us) {
    const Item *loop = &steady->items[range.from];
    double turns = smaller(ceil(loop->repeat), TIMELINE_LOOP_TURNS), last_us = 0, before_us = 0;
    if (steady->marks[range.from].unsettled || turns < 1) return false;
    *later_us = 0, timeline->depth = 1, timeline->unsettled = false;
    for (uint32_t turn = 0; turn < turns; turn++, *later_us += last_us) {
        before_us = last_us;
        if (!shift_of_turn(timeline, steady, range, turn, &last_us)) return false;
    }
    if (loop->repeat > turns && fabs(last_us - before_us) > 1e-9 * steady->turn_us) return false;
    *later_us += (loop->repeat - turns) * last_us;
    return true;
}

static bool within_loop(const TimelineSteady *steady, TimelineRange range) {
    const Item *first = &steady->items[range.from];
    return first->kind == ITEM_LOOP && range.until == first->object + 1 && range.inner_from > range.from;
}

bool timeline_shift(Timeline *timeline, const TimelineSteady *steady, TimelineChange change,
                    TimelineRange range, ItemTime *times, double *later_us) {
    uint32_t start, turn = 0;
    assert(!change.moved_site && range.from < range.until && range.until <= steady->count);
    if (!steady->steady) return false;
    begin(timeline, steady->items, steady->count, change, times);
    timeline->weight = 1;
    if (!times && within_loop(steady, range) && shift_in_loop(timeline, steady, range, later_us)) return true;
    if (!find_mark(steady, 0, range.from, &start)) {
        if (!find_mark(steady, range.until, steady->count, &start)) return false;
        turn = steady->count; /* start in the iteration before */
    }
    begin(timeline, steady->items, steady->count, change, times);
    if (times) memset(times + range.from, 0, sizeof *times * (range.until - range.from));
    go_on_from(timeline, &steady->marks[start]);
    timeline->weight = 1;
    return run_until_alike(timeline, steady, start + 1, turn + range.until, turn + range.from + steady->count,
                           later_us);
}
