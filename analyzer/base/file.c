#include "file.h"
#include "path.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 64 << 20 };

static const char *read_open(Arena *arena, int file, Text *bytes) {
    struct stat info;
    if (fstat(file, &info) != 0) return strerror(errno);
    if (!S_ISREG(info.st_mode)) return "is not a regular file";
    if (info.st_size > MOST_BYTES) return "is larger than 64 MiB";
    char *all = arena_alloc(arena, (size_t)info.st_size + 1);
    uint32_t length = 0;
    while (length < (uint32_t)info.st_size) {
        ssize_t got = read(file, all + length, (size_t)info.st_size - length);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return strerror(errno);
        if (got == 0) break;
        length += (uint32_t)got;
    }
    *bytes = (Text){all, length};
    return NULL;
}

bool file_read(Arena *arena, Text path, Text *bytes, Text *error) {
    int file = open(path_terminated(arena, path), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const char *wrong = file < 0 ? strerror(errno) : read_open(arena, file, bytes);
    if (file >= 0) close(file);
    if (wrong) *error = text_format(arena, "%s", wrong);
    return !wrong;
}

bool file_exists(Arena *arena, Text path) {
    struct stat info;
    return stat(path_terminated(arena, path), &info) == 0 && S_ISREG(info.st_mode);
}
