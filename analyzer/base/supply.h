#ifndef SYNCL_SUPPLY_H
#define SYNCL_SUPPLY_H
/* Memory ahead of its use. The system clears memory where it is first touched, at about 2 s a GB in a virtual machine;
   while a long step runs on one thread, a thread of the supply's own touches the next blocks of an arena on another core.

   A supply starts nothing before it is first asked by one that may start it. It holds at most SUPPLY_AHEAD blocks, which supply_close frees again;
   what was taken belongs to the taker, who frees it with free(). Where no block is ready, no thread to be had, or other
   sizes are asked for, the taker gets NULL and makes its own: nothing waits, and nothing but time depends on it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SUPPLY_AHEAD = 2 };

typedef struct Supply {
    pthread_mutex_t lock;
    pthread_cond_t taken;
    pthread_t thread;
    void *ready[SUPPLY_AHEAD];
    uint32_t count;
    size_t bytes; /* of each block; 0 = nobody has asked yet */
    char *ahead;  /* what will be written to bit by bit */
    size_t ahead_bytes;
    bool running;
    atomic_bool over;
} Supply;

void supply_open(Supply *self);
void *supply_take(Supply *self, size_t bytes, bool may_start);
/* An array that is filled from its start on, in some block that stays: it is made ready while no block is wanted. */
void supply_ahead(Supply *self, void *start, size_t bytes);
void supply_close(Supply *self);

/* A block of `bytes`, in huge pages where it is large and the system has them. NULL: out of memory. Freed by free(). */
void *supply_block(size_t bytes);

#endif
