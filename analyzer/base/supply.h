#ifndef SYNCL_SUPPLY_H
#define SYNCL_SUPPLY_H
/* Pages made ready ahead of their use. The system zeroes a page when it is first touched, which costs about 2 s
   a GB in a virtual machine. While a long step runs on one thread, the supply's own thread touches the next
   blocks of an arena on another core.

   A supply starts its thread at the first supply_take with `may_start`. It holds at most SUPPLY_AHEAD blocks;
   supply_close frees them. A block taken belongs to the taker, who frees it with free(). Where no block is
   ready, no thread can be started or another size is asked for, the taker gets NULL and allocates for itself:
   nothing ever waits for the supply, and nothing but time depends on it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SUPPLY_AHEAD = 1 };

typedef struct Supply {
    pthread_mutex_t lock;
    pthread_cond_t taken;
    pthread_t thread;
    void *ready[SUPPLY_AHEAD];
    uint32_t count;
    size_t bytes; /* of each block; 0 = none was asked for yet */
    bool running;
    atomic_bool over;
} Supply;

/* To be called once, first: large blocks that are freed go back to the system. */
void supply_settle(void);

void supply_open(Supply *self);
void *supply_take(Supply *self, size_t bytes, bool may_start);
void supply_close(Supply *self);

/* A block of `bytes`, on huge pages where it is large and the system has them. NULL: out of memory. Free with
   free(). */
void *supply_block(size_t bytes);

#endif
