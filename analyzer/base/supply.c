#define _DEFAULT_SOURCE /* madvise */
#include "supply.h"
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { HUGE_PAGE = 2 * 1024 * 1024, PAGE = 4096, STACK = 256 * 1024 };

/* glibc else takes large blocks out of the heap once some were freed, where neither the system gets them back nor an aligned
   block of the same size fits into them: a run kept what inference and flows had worked with beside all that came after. */
void supply_settle(void) {
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, HUGE_PAGE / 2);
#endif
}

void *supply_block(size_t bytes) {
#ifdef MADV_HUGEPAGE
    void *block = NULL;
    if (bytes >= HUGE_PAGE) {
        if (posix_memalign(&block, HUGE_PAGE, bytes) != 0) return NULL;
        madvise(block, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
        return block;
    }
#endif
    return malloc(bytes);
}

/* Touches each page. False: the supply was closed meanwhile. */
static bool touch(Supply *self, void *block, size_t bytes) {
    volatile char *at = block;
    for (size_t i = 0; i < bytes; i += PAGE) {
        if (atomic_load_explicit(&self->over, memory_order_relaxed)) return false;
        at[i] = 0;
    }
    return true;
}

static void *run(void *argument) {
    Supply *self = argument;
    for (;;) {
        pthread_mutex_lock(&self->lock);
        while (self->count == SUPPLY_AHEAD && !self->over) pthread_cond_wait(&self->taken, &self->lock);
        pthread_mutex_unlock(&self->lock);
        if (self->over) return NULL;
        void *block = supply_block(self->bytes);
        if (!block) return NULL; /* out of memory: the thread that needs a block reports it */
        if (!touch(self, block, self->bytes)) {
            free(block);
            return NULL;
        }
        pthread_mutex_lock(&self->lock);
        self->ready[self->count++] = block;
        pthread_mutex_unlock(&self->lock);
    }
}

static void start(Supply *self, size_t bytes) {
    pthread_attr_t attributes;
    self->bytes = bytes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all,
                    &before); /* the new thread takes no signals: base/rewrite.c relies on that */
    self->running = pthread_create(&self->thread, &attributes, run, self) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

void supply_open(Supply *self) {
    *self = (Supply){0};
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->taken, NULL);
}

void *supply_take(Supply *self, size_t bytes, bool may_start) {
    void *block = NULL;
    pthread_mutex_lock(&self->lock);
    if (!self->bytes && may_start) start(self, bytes);
    if (self->count && bytes == self->bytes) {
        block = self->ready[--self->count];
        pthread_cond_signal(&self->taken);
    }
    pthread_mutex_unlock(&self->lock);
    return block;
}

void supply_close(Supply *self) {
    pthread_mutex_lock(&self->lock);
    self->over = true;
    pthread_cond_signal(&self->taken);
    pthread_mutex_unlock(&self->lock);
    if (self->running) pthread_join(self->thread, NULL);
    while (self->count) free(self->ready[--self->count]);
    pthread_cond_destroy(&self->taken);
    pthread_mutex_destroy(&self->lock);
}
