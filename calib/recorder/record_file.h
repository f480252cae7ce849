#ifndef SYNCL_RECORD_FILE_H
#define SYNCL_RECORD_FILE_H
/* The file of a recording as it grows: rows are put into a buffer by any thread, and written in whole chunks. Two buffers
   of RECORD_BUFFER bytes are all its memory. A row that has no room is dropped, unless its thread may write itself. */
#include "record_format.h"
#include <pthread.h>
#include <stdbool.h>

enum { RECORD_BUFFER = 4 << 20 };

typedef struct RecordFile {
    int descriptor;                           /* < 0: not open, everything is dropped */
    pthread_mutex_t filling_lock, writing_lock; /* the second is taken first */
    unsigned char *filling, *writing;         /* each [RECORD_BUFFER], behind room for a RecordChunk */
    uint32_t filled;
    uint64_t written;                         /* bytes in all */
} RecordFile;

bool record_file_open(RecordFile *file, const char *path, const RecordHead *head); /* errno tells why not */
/* A row of two parts, either may be empty. waits: may write when there is no room. */
bool record_file_put(RecordFile *file, RecordKind kind, const void *head, uint32_t head_bytes, const void *tail,
                     uint32_t tail_bytes, bool waits);
void record_file_flush(RecordFile *file);
void record_file_close(RecordFile *file);

#endif
