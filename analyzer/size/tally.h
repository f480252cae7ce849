#ifndef SYNCL_TALLY_H
#define SYNCL_TALLY_H
/* Sums of work, in the order in which it runs. The first and the last operations keep their order; of those
   between, operations of one kind and of similar size are merged into one part, so a tally stays small however
   much is added. */
#include "number.h"

enum { TALLY_PARTS = 24, TALLY_ORDERED = 32, TALLY_MOST = TALLY_PARTS + 2 * TALLY_ORDERED };

typedef struct Tally {
    WorkPart *parts;
    uint32_t count, capacity; /* count: at most TALLY_MOST */
    uint32_t first, last; /* as in Workload; nothing stands behind the first until they are TALLY_ORDERED */
    bool open;       /* see Workload */
    Text unknown;
    Amount copied, tensors, parameters;
    double times; /* number of executions added; divide by it for one */
} Tally;

Amount amount_add(Amount a, Amount b);
/* Adds an operation that runs behind all others. */
void tally_part(Arena *arena, Tally *tally, WorkPart part);
/* Adds `more` behind all others, multiplied by a range of iterations. */
void tally_add(Arena *arena, Tally *into, const Tally *more, Amount turns);
/* One of two branches is taken: at least the lesser of both, at most the greater. */
void tally_either(Arena *arena, Tally *into, const Tally *a, const Tally *b);
/* The work of one execution, in memory of its own. */
Workload tally_work(Arena *arena, const Tally *tally);
Workload work_join(Arena *arena, const Workload *a, const Workload *b);
Workload work_times(Arena *arena, const Workload *work, double times);
double work_launches(const Workload *work);
double work_backward(const Workload *work);

#endif
