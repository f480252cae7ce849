#ifndef SYNCL_PROGRESS_H
#define SYNCL_PROGRESS_H
/* The line on a terminal that says what a long run is at. One thread works and tells the stages, another watches and
   draws them on standard error; after the last stage the line is gone. Nothing of it is part of any result. */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Progress {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const char *stage; /* NULL = over; our own words */
    uint32_t files;    /* 0 = not known yet */
} Progress;

void progress_open(Progress *progress, const char *stage);
void progress_tell(Progress *progress, const char *stage, uint32_t files);
/* Returns when the stage is NULL. Draws nothing in the first second. */
void progress_watch(Progress *progress);
void progress_close(Progress *progress);

#endif
