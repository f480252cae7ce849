#ifndef SYNCL_DRAWING_H
#define SYNCL_DRAWING_H
/* One iteration as bars in two lanes, host and GPU: made by timeline_draw from a replay, drawn by reports. */
#include "arena.h"

typedef enum BarKind { BAR_WORK, BAR_WAIT, BAR_GPU } BarKind;

/* What the host or the GPU does in a time span, in microseconds since the iteration began. */
typedef struct TimelineBar {
    uint8_t kind;  /* BarKind */
    uint32_t site; /* BAR_WAIT: its site; 0 = none */
    double from_us, until_us;
} TimelineBar;

typedef struct TimelineDrawing {
    Arena *arena;
    VEC(TimelineBar) bars; /* of the first thread and of all streams */
    double turn_us;
} TimelineDrawing;

#endif
