#ifndef SYNCL_PICTURE_H
#define SYNCL_PICTURE_H
/* One step of a trace as columns of equal time: how much of each the host worked and each stream was busy, and the waits
   of the step with the idle time of the GPU behind them. Takes a ledger, const; owned by the arena. */
#include "ledger.h"

enum { PICTURE_STREAMS = 6, PICTURE_WAITS = 26 };

typedef struct PictureWait {
    SiteId site;         /* 0 = no finding */
    WaitKind kind;
    uint32_t column;     /* in which it ends */
    double blocked_us, gap_us; /* the host stood; then the stream stood until the next work came */
} PictureWait;

typedef struct Picture {
    uint32_t columns;
    double from_us, column_us;
    double *working, *waiting;           /* [columns] shares of the host's time, 0..1 */
    double *busy[PICTURE_STREAMS];       /* [columns] */
    uint32_t streams;
    VEC(PictureWait) waits;              /* in order, at most PICTURE_WAITS: the longest gaps */
} Picture;

Picture *picture_draw(Arena *arena, const Ledger *ledger, uint32_t columns);

#endif
