#define _XOPEN_SOURCE 700 /* realpath */
#include "rewrite.h"
#include "file.h"
#include "output.h"
#include "path.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif

typedef struct Rewrite {
    Arena *arena;
    Text path, root;
    Text *error;
    const char *target; /* the path with all links resolved */
    struct stat info;   /* stat of the target */
} Rewrite;

static bool refuse(const Rewrite *self, const char *why) {
    *self->error = text_format(self->arena, "cannot write %.*s: %s", SHOWN(self->path), why);
    return false;
}

/* ---- whether it is allowed ---- */

static const char *resolved(Arena *arena, const char *path) {
    char *found = realpath(path, NULL);
    const char *copy = found ? arena_copy(arena, found, strlen(found) + 1) : NULL;
    free(found);
    return copy;
}

/* The root with its links resolved too: a home folder may itself be a link. */
static bool is_inside(const Rewrite *self) {
    const char *root = resolved(self->arena, path_terminated(self->arena, self->root));
    return root && path_is_below(text_of(self->target), text_of(root));
}

static bool find(Rewrite *self) {
    const char *path = path_terminated(self->arena, self->path);
    self->target = resolved(self->arena, path);
    if (!self->target || stat(self->target, &self->info) != 0) return refuse(self, strerror(errno));
    if (!S_ISREG(self->info.st_mode)) return refuse(self, "it is not a regular file");
    if (!is_inside(self)) return refuse(self, "it is a link that leads out of the project");
    if (self->info.st_nlink > 1) return refuse(self, "it has several names (hard links)");
    if (!(self->info.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH))) return refuse(self, "it is read-only");
    if (access(self->target, W_OK) != 0) return refuse(self, strerror(errno));
    if (geteuid() != 0 && self->info.st_uid != geteuid()) return refuse(self, "it belongs to somebody else");
    return true;
}

bool rewrite_may(Arena *arena, Text path, Text root, Text *error) {
    Rewrite self = {.arena = arena, .path = path, .root = root, .error = error};
    return find(&self);
}

/* ---- the new file beside it ---- */

#ifdef __linux__
enum { ATTRIBUTE_BYTES = 1 << 16 };

/* Copies the extended attributes, those of the system (security.*) too. */
static bool keep_attributes(const Rewrite *self, int from, int to) {
    char *names = arena_alloc(self->arena, ATTRIBUTE_BYTES), *value = arena_alloc(self->arena, ATTRIBUTE_BYTES);
    ssize_t length = flistxattr(from, names, ATTRIBUTE_BYTES);
    for (ssize_t at = 0; at < length; at += (ssize_t)strlen(names + at) + 1) {
        bool matters = strncmp(names + at, "user.", 5) == 0 || strncmp(names + at, "system.posix_acl", 16) == 0;
        ssize_t size = fgetxattr(from, names + at, value, ATTRIBUTE_BYTES);
        if (matters && (size < 0 || fsetxattr(to, names + at, value, (size_t)size, 0) != 0)) return false;
    }
    return length >= 0 || errno == ENOTSUP || errno == ENOSYS;
}
#else
static bool keep_attributes(const Rewrite *self, int from, int to) {
    (void)self, (void)from, (void)to;
    return true;
}
#endif

/* Where the new file already has the right owner, not being allowed to change owners is no failure. */
static bool keep_owner(const Rewrite *self, int file) {
    struct stat made;
    if (fchown(file, self->info.st_uid, self->info.st_gid) == 0) return true;
    if (errno != EPERM || fstat(file, &made) != 0) return false;
    return made.st_uid == self->info.st_uid && made.st_gid == self->info.st_gid;
}

/* The owner is set before the mode, because setting the owner clears bits of the mode. */
static bool fill(const Rewrite *self, int file, int original, Text now) {
    return keep_owner(self, file) && output_to_descriptor(now, file) &&
           fchmod(file, self->info.st_mode & 07777) == 0 && keep_attributes(self, original, file) &&
           fsync(file) == 0;
}

static bool same_time(struct timespec a, struct timespec b) {
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/* Checked last, right before the rename: is it still the file that was read? */
static bool is_unchanged(const Rewrite *self) {
    struct stat now;
    if (stat(self->target, &now) != 0) return false;
    return now.st_ino == self->info.st_ino && now.st_dev == self->info.st_dev &&
           now.st_size == self->info.st_size &&
#ifdef __APPLE__
           same_time(now.st_mtimespec, self->info.st_mtimespec) &&
           same_time(now.st_ctimespec, self->info.st_ctimespec);
#else
           same_time(now.st_mtim, self->info.st_mtim) && same_time(now.st_ctim, self->info.st_ctim);
#endif
}

/* Syncs the folder so that the rename is on disk too, where the file system supports that. */
static bool settle_folder(const Rewrite *self) {
    int folder = file_open(path_terminated(self->arena, path_folder(text_of(self->target))));
    if (folder < 0) return errno == EACCES; /* a folder may be writable but not readable */
    bool settled = fsync(folder) == 0 || errno == EINVAL || errno == ENOTSUP;
    int why = errno;
    (void)close(folder);
    errno = why;
    return settled;
}

static int open_beside(const char *name) {
    int file;
    do file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    while (file < 0 && errno == EINTR);
    return file;
}

static bool replace(const Rewrite *self, int original, Text now) {
    const char *name = text_format(self->arena, "%s.syncl-%ld.tmp", self->target, (long)getpid()).bytes;
    int file = open_beside(name);
    if (file < 0) return refuse(self, strerror(errno));
    bool filled = fill(self, file, original, now);
    int why = errno;
    bool closed = close(file) == 0;
    if (filled && !closed) why = errno;
    bool unchanged = filled && closed && is_unchanged(self);
    if (unchanged && rename(name, self->target) == 0)
        return settle_folder(self) || refuse(self, strerror(errno));
    if (unchanged) why = errno;
    (void)unlink(name);
    return refuse(self, filled && closed && !unchanged ? "it changed meanwhile" : strerror(why));
}

static bool replace_if_same(const Rewrite *self, Text was, Text now) {
    Text bytes, why;
    int original = file_open(self->target);
    if (original < 0) return refuse(self, strerror(errno));
    bool read = file_read(self->arena, text_of(self->target), &bytes, &why);
    bool done = read && text_equal(bytes, was) ? replace(self, original, now)
                : read                         ? refuse(self, "it changed since it was read")
                                               : refuse(self, path_terminated(self->arena, why));
    (void)close(original);
    return done;
}

/* Blocks signals during the change. Other threads have all signals blocked (base/supply.c), so a signal that
   arrives meanwhile is handled after it. */
bool rewrite_file(Arena *arena, Text path, Text was, Text now, Text root, Text *error) {
    Rewrite self = {.arena = arena, .path = path, .root = root, .error = error};
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    bool done = find(&self) && replace_if_same(&self, was, now);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return done;
}
