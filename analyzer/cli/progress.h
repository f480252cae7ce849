#ifndef SYNCL_PROGRESS_H
#define SYNCL_PROGRESS_H
/* The progress line of long runs, on a terminal only. One thread works and announces stages, another draws them
   on standard error; after the last stage the line is erased. No result depends on it. */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Progress {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const char *stage; /* NULL = finished; must be safe text */
    uint32_t files;    /* 0 = not known yet */
} Progress;

void progress_open(Progress *progress, const char *stage);
void progress_tell(Progress *progress, const char *stage, uint32_t files);
/* Runs on the drawing thread; returns when the stage is NULL. Draws nothing in the first second. */
void progress_watch(Progress *progress);
void progress_close(Progress *progress);

#endif
