/* System calls that fail, linked around the program by `ld --wrap` as build/syncl-faulty. FAULTS says how:

   interrupt   every second call is interrupted (EINTR)
   short       reads and writes move one to seven bytes at a time
   write=N     the Nth of open, write, close, fchown, fsync and rename for what is written fails: no space on the device
   term=N      before the Nth of these the program is told to end (SIGTERM), as a user may at any moment
   stop=N      before the Nth of these it is halted (SIGSTOP), until a test lets it go on
   read=N      the Nth of open, read, opendir and readdir fails: an input/output error
   memory=N    the Nth allocation fails

   With FAULTS_COUNTS=FILE the run writes there how many of each there were: "write 12\nread 40\nmemory 3000\n". */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DESCRIPTORS = 1024 };
typedef enum Kind { WRITES, READS, MEMORY, KINDS } Kind;

static const char *const kinds[KINDS] = {"write", "read", "memory"};
static const int errors[KINDS] = {ENOSPC, EIO, ENOMEM};
static atomic_uint counts[KINDS], moved;
static atomic_bool written[DESCRIPTORS]; /* opened to be written */
static bool interrupt, cut_short;
static unsigned failing[KINDS];  /* 0 = none, else its number from 1 */
static unsigned ending, halting; /* likewise */

static void say_counts(void) {
    FILE *file = fopen(getenv("FAULTS_COUNTS"), "w");
    for (int i = 0; file && i < KINDS; i++) fprintf(file, "%s %u\n", kinds[i], counts[i]);
    if (file) fclose(file);
}

static unsigned number_of(const char *faults, const char *word) {
    const char *at = faults ? strstr(faults, word) : NULL;
    return at && at[strlen(word)] == '=' ? (unsigned)atoi(at + strlen(word) + 1) : 0;
}

__attribute__((constructor)) static void begin(void) {
    const char *faults = getenv("FAULTS");
    interrupt = faults && strstr(faults, "interrupt");
    cut_short = faults && strstr(faults, "short");
    for (int i = 0; i < KINDS; i++) failing[i] = number_of(faults, kinds[i]);
    ending = number_of(faults, "term"), halting = number_of(faults, "stop");
    if (getenv("FAULTS_COUNTS")) atexit(say_counts);
}

static bool fails(Kind kind) {
    unsigned count = ++counts[kind];
    if (kind == WRITES && count == ending) kill(getpid(), SIGTERM);
    if (kind == WRITES && count == halting) kill(getpid(), SIGSTOP);
    if (count != failing[kind]) return false;
    errno = errors[kind];
    return true;
}

/* Is this call to be interrupted? One that is tried again goes through: each function counts its own. */
static bool is_interrupted(atomic_uint *calls) {
    if (!interrupt || ++*calls % 2 == 0) return false;
    errno = EINTR;
    return true;
}

static size_t shortened(size_t length) {
    size_t most = 1 + moved++ % 7;
    return cut_short && length > most ? most : length;
}

static bool is_written(int descriptor) {
    return descriptor == STDOUT_FILENO || (descriptor > 2 && descriptor < DESCRIPTORS && written[descriptor]);
}

#define WRAPPED(type, name, ...)     \
    type __real_##name(__VA_ARGS__); \
    type __wrap_##name(__VA_ARGS__); \
    type __wrap_##name(__VA_ARGS__)

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...) {
    static atomic_uint calls;
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? (mode_t)va_arg(rest, unsigned) : 0;
    va_end(rest);
    bool writes = (flags & O_ACCMODE) != O_RDONLY;
    if (is_interrupted(&calls) || fails(writes ? WRITES : READS)) return -1;
    int descriptor = __real_open(path, flags, mode);
    if (descriptor >= 0 && descriptor < DESCRIPTORS) written[descriptor] = writes;
    return descriptor;
}

WRAPPED(ssize_t, read, int descriptor, void *bytes, size_t length) {
    static atomic_uint calls;
    if (is_interrupted(&calls) || fails(READS)) return -1;
    return __real_read(descriptor, bytes, shortened(length));
}

WRAPPED(ssize_t, write, int descriptor, const void *bytes, size_t length) {
    static atomic_uint calls;
    if (is_interrupted(&calls) || (is_written(descriptor) && fails(WRITES))) return -1;
    return __real_write(descriptor, bytes, shortened(length));
}

/* Linux closes it whatever it says. */
WRAPPED(int, close, int descriptor) {
    bool failed = is_written(descriptor) && fails(WRITES);
    int why = errno, done = __real_close(descriptor);
    if (failed) errno = why;
    return failed ? -1 : done;
}

WRAPPED(int, fchown, int descriptor, uid_t owner, gid_t group) {
    return fails(WRITES) ? -1 : __real_fchown(descriptor, owner, group);
}
WRAPPED(int, fsync, int descriptor) { return fails(WRITES) ? -1 : __real_fsync(descriptor); }

WRAPPED(int, rename, const char *from, const char *to) { return fails(WRITES) ? -1 : __real_rename(from, to); }

WRAPPED(DIR *, opendir, const char *path) { return fails(READS) ? NULL : __real_opendir(path); }

WRAPPED(struct dirent *, readdir, DIR *stream) { return fails(READS) ? NULL : __real_readdir(stream); }

WRAPPED(int, poll, struct pollfd *ends, nfds_t count, int timeout) {
    static atomic_uint calls;
    return is_interrupted(&calls) ? -1 : __real_poll(ends, count, timeout);
}

WRAPPED(pid_t, waitpid, pid_t id, int *status, int options) {
    static atomic_uint calls;
    return is_interrupted(&calls) ? -1 : __real_waitpid(id, status, options);
}

WRAPPED(void *, malloc, size_t size) { return fails(MEMORY) ? NULL : __real_malloc(size); }
WRAPPED(void *, calloc, size_t count, size_t size) { return fails(MEMORY) ? NULL : __real_calloc(count, size); }
WRAPPED(void *, realloc, void *old, size_t size) { return fails(MEMORY) ? NULL : __real_realloc(old, size); }
WRAPPED(int, posix_memalign, void **block, size_t alignment, size_t size) {
    return fails(MEMORY) ? ENOMEM : __real_posix_memalign(block, alignment, size);
}
