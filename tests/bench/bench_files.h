#ifndef SYNCL_BENCH_FILES_H
#define SYNCL_BENCH_FILES_H
/* What the bench programs share: files read into memory before the clock starts, and the clock. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "text.h"

static inline Text bench_read(Arena *arena, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    fseek(file, 0, SEEK_END);
    size_t length = (size_t)ftell(file);
    rewind(file);
    char *bytes = arena_alloc(arena, length + 1);
    length = fread(bytes, 1, length, file);
    fclose(file);
    return (Text){bytes, (uint32_t)length};
}

static inline double bench_now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

#endif
