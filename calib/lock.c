#define _DEFAULT_SOURCE /* flock */
#include "lock.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Another user's lock file can be locked without being written to. */
static int open_lock(const char *path) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    return descriptor >= 0 ? descriptor : open(path, O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
}

bool lock_gpu(Arena *arena, const char *gpu, Text *error) {
    const char *folder = getenv("TMPDIR");
    const char *path = text_format(arena, "%s/syncl-%s.lock", folder && *folder ? folder : "/tmp", gpu).bytes;
    int descriptor = open_lock(path);
    /* if no lock file can be made, goes on without */
    if (descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0) return true;
    bool taken = errno == EWOULDBLOCK;
    if (taken)
        *error = text_format(arena, "another calibration is measuring this GPU (%s); nothing measured", gpu);
    close(descriptor);
    return !taken;
}
