#include "record_file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool write_all(int descriptor, const void *bytes, size_t count) {
    const char *at = bytes;
    while (count > 0) {
        ssize_t done = write(descriptor, at, count);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        at += done, count -= (size_t)done;
    }
    return true;
}

bool record_file_open(RecordFile *file, const char *path, const RecordHead *head) {
    *file = (RecordFile){.descriptor = -1};
    pthread_mutex_init(&file->filling_lock, NULL);
    pthread_mutex_init(&file->writing_lock, NULL);
    file->filling = malloc(sizeof(RecordChunk) + RECORD_BUFFER);
    file->writing = malloc(sizeof(RecordChunk) + RECORD_BUFFER);
    if (!file->filling || !file->writing) return false;
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
    if (descriptor < 0) return false;
    if (!write_all(descriptor, head, sizeof *head)) return close(descriptor), false;
    file->descriptor = descriptor;
    return true;
}

/* A full disk ends the recording and nothing else. */
void record_file_flush(RecordFile *file) {
    pthread_mutex_lock(&file->writing_lock);
    pthread_mutex_lock(&file->filling_lock);
    unsigned char *full = file->filling;
    uint32_t bytes = file->filled;
    file->filling = file->writing, file->writing = full, file->filled = 0;
    pthread_mutex_unlock(&file->filling_lock);
    if (bytes && file->descriptor >= 0) {
        RecordChunk chunk = {.bytes = bytes, .sum = record_sum(full + sizeof chunk, bytes)};
        memcpy(full, &chunk, sizeof chunk);
        if (!write_all(file->descriptor, full, sizeof chunk + bytes)) {
            close(file->descriptor);
            file->descriptor = -1;
        }
        file->written += sizeof chunk + bytes;
    }
    pthread_mutex_unlock(&file->writing_lock);
}

static bool put(RecordFile *file, RecordRow row, const void *head, uint32_t head_bytes, const void *tail) {
    pthread_mutex_lock(&file->filling_lock);
    bool fits = file->filled + sizeof row + row.bytes <= RECORD_BUFFER && file->descriptor >= 0;
    unsigned char *at = file->filling + sizeof(RecordChunk) + file->filled;
    if (fits) {
        memcpy(at, &row, sizeof row);
        memcpy(at + sizeof row, head, head_bytes);
        if (row.bytes > head_bytes) memcpy(at + sizeof row + head_bytes, tail, row.bytes - head_bytes);
        file->filled += (uint32_t)sizeof row + row.bytes;
    }
    pthread_mutex_unlock(&file->filling_lock);
    return fits;
}

bool record_file_put(RecordFile *file, RecordKind kind, const void *head, uint32_t head_bytes, const void *tail,
                     uint32_t tail_bytes, bool waits) {
    RecordRow row = {(uint16_t)kind, (uint16_t)(head_bytes + tail_bytes)};
    if (put(file, row, head, head_bytes, tail)) return true;
    if (!waits || file->descriptor < 0) return false;
    record_file_flush(file);
    return put(file, row, head, head_bytes, tail);
}

void record_file_close(RecordFile *file) {
    record_file_flush(file);
    pthread_mutex_lock(&file->writing_lock);
    if (file->descriptor >= 0) close(file->descriptor);
    file->descriptor = -1;
    pthread_mutex_unlock(&file->writing_lock);
}
