#ifndef SYNCL_DRAWING_H
#define SYNCL_DRAWING_H
/* One turn as bars of two lanes, host and GPU: what timeline_draw makes of a replay, for reports to draw. */
#include "arena.h"

typedef enum BarKind { BAR_WORK, BAR_WAIT, BAR_GPU } BarKind;

/* What the host or the GPU does from a time to another, microseconds since the turn began. */
typedef struct TimelineBar {
    uint8_t kind;  /* BarKind */
    uint32_t site; /* BAR_WAIT: whose; 0 = none */
    double from_us, until_us;
} TimelineBar;

typedef struct TimelineDrawing {
    Arena *arena;
    VEC(TimelineBar) bars; /* of the first thread, and of all streams */
    double turn_us;
} TimelineDrawing;

#endif
