#ifndef SYNCL_TEST_TRAINING_LOOP_H
#define SYNCL_TEST_TRAINING_LOOP_H
/* Analyses a script that has one loop: head, body and tail, one behind the other. Gives the loop, which lives in the arena. */
#include "analyze.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

static inline const HotLoop *training_loop(Arena *arena, const char *head, const char *body, const char *tail) {
    char folder[] = "/tmp/syncl-loop-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/train.py", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%s%s%s", head, body, tail);
    fclose(file);
    Text error = {0};
    const char *paths[] = {path};
    AnalyzeOptions options = {.paths = paths, .path_count = 1};
    const Analysis *analysis = analyze(arena, &options, &error);
    unlink(path);
    rmdir(folder);
    assert_non_null(analysis);
    assert_int_equal(analysis->findings->loops.count, 2);
    return &analysis->findings->loops.items[1];
}

#endif
