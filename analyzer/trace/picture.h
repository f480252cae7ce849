#ifndef SYNCL_PICTURE_H
#define SYNCL_PICTURE_H
/* One step of a trace as columns of equal time: how busy the host and each stream were in each, and the lines
   that wait in the step, with the GPU's idle time after them. Owned by the arena. */
#include "ledger.h"

enum { PICTURE_STREAMS = 6, PICTURE_LINES = 26 };

/* All waits of one site in the step; or, without a finding, all of one kind. */
typedef struct PictureLine {
    SiteId site; /* 0 = no finding */
    WaitKind kind;
    uint32_t times;
    double blocked_us, idle_us; /* the host stood still; after the waits the stream was idle until the next work */
} PictureLine;

typedef struct PictureWait {
    uint32_t line, column; /* column: the one in which the wait ends */
} PictureWait;

typedef struct Picture {
    uint32_t columns;
    double from_us, column_us;
    double *working, *waiting;           /* [columns]: fraction of the host's time */
    double *busy[PICTURE_STREAMS];       /* [columns]: fraction of the stream's time */
    uint32_t streams;
    VEC(PictureLine) lines;              /* in the order of their first waits */
    VEC(PictureWait) waits;              /* in order */
    double told_to_us;                   /* idle time up to here is attributed to some line already */
} Picture;

Picture *picture_draw(Arena *arena, const Ledger *ledger, uint32_t columns);

#endif
