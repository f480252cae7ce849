#include "progress.h"
#include <stdio.h>
#include <time.h>

enum { QUIET_TURNS = 4, TURN_NANOSECONDS = 250000000, SECOND = 1000000000 };

void progress_open(Progress *progress, const char *stage) {
    pthread_mutex_init(&progress->lock, NULL);
    pthread_cond_init(&progress->changed, NULL);
    progress->stage = stage;
    progress->files = 0;
}

void progress_close(Progress *progress) {
    pthread_cond_destroy(&progress->changed);
    pthread_mutex_destroy(&progress->lock);
}

void progress_tell(Progress *progress, const char *stage, uint32_t files) {
    pthread_mutex_lock(&progress->lock);
    progress->stage = stage;
    progress->files = files;
    pthread_cond_signal(&progress->changed);
    pthread_mutex_unlock(&progress->lock);
}

static void draw(const Progress *progress, unsigned turn) {
    fprintf(stderr, "\r\x1b[Ksyncl: %s", progress->stage);
    if (progress->files) fprintf(stderr, " %u file%s", progress->files, progress->files == 1 ? "" : "s");
    fprintf(stderr, ", %u s", turn / QUIET_TURNS);
    fflush(stderr);
}

static struct timespec turn_end(void) {
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += TURN_NANOSECONDS;
    end.tv_sec += end.tv_nsec / SECOND;
    end.tv_nsec %= SECOND;
    return end;
}

void progress_watch(Progress *progress) {
    unsigned turn = 0;
    pthread_mutex_lock(&progress->lock);
    while (progress->stage) {
        struct timespec end = turn_end();
        if (pthread_cond_timedwait(&progress->changed, &progress->lock, &end) == 0) continue;
        if (++turn >= QUIET_TURNS && progress->stage) draw(progress, turn);
    }
    pthread_mutex_unlock(&progress->lock);
    if (turn >= QUIET_TURNS) fputs("\r\x1b[K", stderr);
}
