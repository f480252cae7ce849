#include "picture.h"
#include <math.h>

/* Adds a time span to the columns that it covers, as fractions. */
static void cover(const Picture *picture, double *columns, double start_us, double end_us) {
    double begin = fmax((start_us - picture->from_us) / picture->column_us, 0);
    double end = fmin((end_us - picture->from_us) / picture->column_us, picture->columns);
    for (uint32_t column = (uint32_t)fmin(begin, picture->columns); column < picture->columns && column < end;
         column++)
        columns[column] += fmax(fmin(end, column + 1.0) - fmax(begin, column), 0);
}

static void draw_streams(Picture *picture, const Trace *trace) {
    double to_us = picture->from_us + picture->column_us * picture->columns;
    for (uint32_t i = 0; i < trace->works.count; i++) {
        const TraceWork *work = trace_work(trace, i);
        if (work->start_us >= to_us) break;
        if (work->end_us > picture->from_us && work->stream < picture->streams)
            cover(picture, picture->busy[work->stream], work->start_us, work->end_us);
    }
}

/* When the stream's next work starts after a time; that time itself when there is none. */
static double next_start_us(const TracedRun *run, uint32_t from, uint16_t stream, bool any, double after_us) {
    for (uint32_t i = from; i < run->count; i++) {
        const RunCall *call = &run->calls[i];
        if (!call->links || (!any && call->stream != stream)) continue;
        return fmax(trace_linked(run->trace, call->first_link)->start_us, after_us);
    }
    return after_us;
}

/* The part of a time span that no work of the stream covers. */
static double idle_us(const Trace *trace, uint16_t stream, bool any, double from_us, double to_us) {
    double sum_us = 0, busy_to_us = from_us;
    for (uint32_t i = 0; i < trace->works.count; i++) {
        const TraceWork *work = trace_work(trace, i);
        if (work->start_us >= to_us) break;
        if (work->end_us <= busy_to_us || (!any && work->stream % RUN_STREAMS != stream)) continue;
        sum_us += fmax(work->start_us - busy_to_us, 0);
        busy_to_us = work->end_us;
    }
    return sum_us + fmax(to_us - busy_to_us, 0);
}

static uint32_t line_of(Arena *arena, Picture *picture, SiteId site, WaitKind kind) {
    for (uint32_t i = 0; i < picture->lines.count; i++)
        if (picture->lines.items[i].site == site && (site || picture->lines.items[i].kind == kind)) return i;
    if (picture->lines.count < PICTURE_LINES)
        vec_push(arena, &picture->lines, ((PictureLine){.site = site, .kind = kind}));
    return picture->lines.count - 1;
}

static void add_wait(Arena *arena, Picture *picture, const Ledger *ledger, uint32_t index) {
    const TracedWait *wait = &ledger->waits->items.items[index];
    const RunCall *call = &ledger->run->calls[wait->call];
    bool any = call->wait == RUN_WAIT_DEVICE || wait->kind == WAITED_MEMORY;
    double end_us = call->start_us + call->own_us, over_us = call->start_us + fmax(call->pending_us, 0);
    double next_us = next_start_us(ledger->run, wait->call + 1, call->stream, any, over_us);
    double column = (end_us - picture->from_us) / picture->column_us;
    if (column < 0) return;
    uint32_t index_of_line = line_of(arena, picture, ledger->join->sites[index], wait->kind);
    PictureLine *line = &picture->lines.items[index_of_line];
    line->times++, line->blocked_us += call->own_us;
    if (over_us < picture->told_to_us)
        over_us = picture->told_to_us; /* several waits in one gap: it is attributed once */
    line->idle_us += idle_us(ledger->run->trace, call->stream, any, over_us, fmax(next_us, over_us));
    picture->told_to_us = fmax(next_us, over_us);
    vec_push(arena, &picture->waits,
             ((PictureWait){index_of_line, (uint32_t)fmin(column, picture->columns - 1)}));
}

static void draw_host(Arena *arena, Picture *picture, const Ledger *ledger, uint32_t step) {
    const TracedRun *run = ledger->run;
    for (uint32_t i = 0; i < run->count; i++) {
        const RunCall *call = &run->calls[i];
        if (call->chain != 0 || call->step != step) continue;
        double *kind = call->wait ? picture->waiting : picture->working;
        cover(picture, picture->working, call->start_us - call->gap_us, call->start_us);
        cover(picture, kind, call->start_us, call->call->end_us);
    }
    for (uint32_t i = 0; i < ledger->waits->items.count; i++)
        if (run->calls[ledger->waits->items.items[i].call].step == step) add_wait(arena, picture, ledger, i);
}

Picture *picture_draw(Arena *arena, const Ledger *ledger, uint32_t columns) {
    Picture *picture = arena_new(arena, Picture, 1);
    const TracedRun *run = ledger->run;
    uint32_t step = run->steps / 2;
    picture->columns = columns;
    picture->from_us = run->starts_us[step];
    picture->column_us = fmax(run->starts_us[step + 1] - picture->from_us, 1e-3) / columns;
    picture->streams = run->streams < PICTURE_STREAMS ? run->streams : PICTURE_STREAMS;
    picture->working = arena_new(arena, double, columns), picture->waiting = arena_new(arena, double, columns);
    for (uint32_t i = 0; i < picture->streams; i++) picture->busy[i] = arena_new(arena, double, columns);
    draw_streams(picture, run->trace);
    draw_host(arena, picture, ledger, step);
    return picture;
}
