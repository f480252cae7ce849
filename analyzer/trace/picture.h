#ifndef SYNCL_PICTURE_H
#define SYNCL_PICTURE_H
/* One step of a trace as columns of equal time: how much of each the host worked and each stream was busy, and the lines
   that wait in the step with the idle time of the GPU behind them. Takes a ledger, const; owned by the arena. */
#include "ledger.h"

enum { PICTURE_STREAMS = 6, PICTURE_LINES = 26 };

/* All waits of one site in the step; of those without a finding, all of a kind. */
typedef struct PictureLine {
    SiteId site; /* 0 = no finding */
    WaitKind kind;
    uint32_t times;
    double blocked_us, idle_us; /* the host stood; behind that the stream stood until the next work came */
} PictureLine;

typedef struct PictureWait {
    uint32_t line, column; /* index into lines; the column in which it ends */
} PictureWait;

typedef struct Picture {
    uint32_t columns;
    double from_us, column_us;
    double *working, *waiting;           /* [columns] shares of the host's time, 0..1 */
    double *busy[PICTURE_STREAMS];       /* [columns] */
    uint32_t streams;
    VEC(PictureLine) lines;              /* in the order of their first waits, at most PICTURE_LINES */
    VEC(PictureWait) waits;              /* in order */
    double told_to_us;                   /* until when idle time stands with some line */
} Picture;

Picture *picture_draw(Arena *arena, const Ledger *ledger, uint32_t columns);

#endif
