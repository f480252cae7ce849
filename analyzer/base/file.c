#include "file.h"
#include "path.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 64 << 20, PIPE_ROOM = 1 << 16, PIPE_WAIT_MS = 5000 };

int file_open(const char *path) {
    int file;
    do file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    while (file < 0 && errno == EINTR);
    return file;
}

ssize_t file_piece(int file, char *bytes, size_t room) {
    for (;;) {
        ssize_t got = read(file, bytes, room);
        if (got >= 0 || (errno != EINTR && errno != EAGAIN)) return got;
        struct pollfd end = {file, POLLIN, 0};
        if (errno == EAGAIN) (void)poll(&end, 1, -1);
    }
}

bool file_is_written(int pipe) {
    struct pollfd end = {pipe, POLLIN, 0};
    int ready;
    do ready = poll(&end, 1, PIPE_WAIT_MS);
    while (ready < 0 && errno == EINTR);
    return ready > 0;
}

static const char *larger_than(Arena *arena, uint32_t bytes) {
    return text_format(arena, "is larger than %u MiB", bytes >> 20).bytes;
}

/* Reads the size that the file had when it was opened; what is appended meanwhile is ignored. */
static const char *read_regular(Arena *arena, int file, off_t size, Text *bytes) {
    char *all = arena_alloc(arena, (size_t)size + 1);
    uint32_t length = 0;
    while (length < (uint32_t)size) {
        ssize_t got = file_piece(file, all + length, (size_t)size - length);
        if (got < 0) return strerror(errno);
        if (got == 0) break;
        length += (uint32_t)got;
    }
    *bytes = (Text){all, length};
    return NULL;
}

static const char *read_pipe(Arena *arena, int file, uint32_t most, Text *bytes) {
    if (!file_is_written(file)) return "is a pipe that nobody writes to";
    VEC(char) all = {0};
    char *room = arena_alloc(arena, PIPE_ROOM);
    for (ssize_t got; (got = file_piece(file, room, PIPE_ROOM)) != 0;) {
        if (got < 0) return strerror(errno);
        if (all.count + (size_t)got > most) return larger_than(arena, most);
        for (ssize_t i = 0; i < got; i++) vec_push(arena, &all, room[i]);
    }
    vec_push(arena, &all, '\0');
    *bytes = (Text){all.items, all.count - 1};
    return NULL;
}

static const char *read_open(Arena *arena, int file, bool pipes, uint32_t most, Text *bytes) {
    struct stat info;
    if (fstat(file, &info) != 0) return strerror(errno);
    if (pipes && S_ISFIFO(info.st_mode)) return read_pipe(arena, file, most, bytes);
    if (!S_ISREG(info.st_mode)) return "is not a regular file";
    if (info.st_size > most) return larger_than(arena, most);
    return read_regular(arena, file, info.st_size, bytes);
}

static bool read_path(Arena *arena, Text path, bool pipes, uint32_t most, Text *bytes, Text *error) {
    int file = file_open(path_terminated(arena, path));
    const char *wrong = file < 0 ? strerror(errno) : read_open(arena, file, pipes, most, bytes);
    if (file >= 0) close(file);
    if (wrong) *error = text_format(arena, "%s", wrong);
    return !wrong;
}

bool file_read(Arena *arena, Text path, Text *bytes, Text *error) {
    return read_path(arena, path, false, MOST_BYTES, bytes, error);
}

bool file_read_named(Arena *arena, Text path, uint32_t most_bytes, Text *bytes, Text *error) {
    return read_path(arena, path, true, most_bytes, bytes, error);
}

bool file_exists(Arena *arena, Text path) {
    struct stat info;
    return stat(path_terminated(arena, path), &info) == 0 && S_ISREG(info.st_mode);
}
