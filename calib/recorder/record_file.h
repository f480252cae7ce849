#ifndef SYNCL_RECORD_FILE_H
#define SYNCL_RECORD_FILE_H
/* The file of a recording while it grows: any thread adds rows to a buffer, which is written in whole chunks.
   Uses two buffers of RECORD_BUFFER bytes and no more memory. A row without room is dropped, unless its thread
   may write. */
#include "record_format.h"
#include <pthread.h>
#include <stdbool.h>

enum { RECORD_BUFFER = 4 << 20 };

typedef struct RecordFile {
    int descriptor;                           /* negative: not open, everything is dropped */
    pthread_mutex_t filling_lock, writing_lock; /* writing_lock is taken first */
    unsigned char *filling, *writing;         /* each [RECORD_BUFFER], after room for a RecordChunk */
    uint32_t filled;
    uint64_t written;                         /* total bytes */
} RecordFile;

bool record_file_open(RecordFile *file, const char *path, const RecordHead *head); /* false: see errno */
/* Adds a row of two parts, either of which may be empty. waits: the thread may write if there is no room. */
bool record_file_put(RecordFile *file, RecordKind kind, const void *head, uint32_t head_bytes, const void *tail,
                     uint32_t tail_bytes, bool waits);
void record_file_flush(RecordFile *file);
void record_file_close(RecordFile *file);

#endif
