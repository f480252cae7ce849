#include "revision.h"
#include "file.h"
#include "output.h"
#include "path.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, OPEN_FOLDERS = 16 };

static bool is_source(Text path) { return text_ends(path, TEXT(".py")) || text_ends(path, TEXT(".ipynb")); }

/* Names of files that mark the top of a project; their contents are not used. */
static bool is_mark(Text path) {
    Text base = path_base(path);
    return text_equal(base, TEXT("pyproject.toml")) || text_equal(base, TEXT("setup.cfg"));
}

static bool is_wanted(Text path) { return is_source(path) || is_mark(path); }

/* ---- writing ---- */

static bool make_folders(char *path) {
    for (char *at = strchr(path, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *at = '/';
        if (!made) return false;
    }
    return true;
}

/* Below the working folder, which is our own and was empty. */
static bool write_one(Arena *arena, const GitFile *file) {
    char *path = arena_copy(arena, path_terminated(arena, file->path), file->path.length + 1u);
    if (!make_folders(path)) return false;
    int descriptor;
    do descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0) return errno == EEXIST; /* two names that are one on this file system */
    bool good = is_mark(file->path) || output_to_descriptor(file->bytes, descriptor);
    return (close(descriptor) == 0) && good;
}

static bool write_tree(Arena *arena, const GitTree *tree) {
    Arena scratch = {0};
    bool good = mkdir(".git", 0700) == 0; /* marks the top of the project */
    for (uint32_t i = 0; good && i < tree->files.count; i++) {
        good = write_one(&scratch, &tree->files.items[i]);
        arena_reset(&scratch);
    }
    int why = errno;
    arena_free(&scratch);
    errno = why;
    (void)arena;
    return good;
}

/* ---- the folder ---- */

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk) {
    (void)info, (void)kind, (void)walk;
    return remove(path);
}

static void remove_tree(const char *path) { (void)nftw(path, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS); }

static bool fail(Arena *arena, Revision *revision, const char *folder, Text *error) {
    *error = text_format(arena, "cannot write the other revision's files: %s", strerror(errno));
    if (revision->back >= 0) {
        (void)fchdir(revision->back);
        close(revision->back);
    }
    if (folder) remove_tree(folder);
    return false;
}

bool revision_enter(Arena *arena, const Repository *repository, const char *name, Revision *revision,
                    Text *error) {
    GitTree tree = {0};
    const char *place = getenv("TMPDIR");
    char *folder = arena_alloc(arena, PATH_BYTES), *real = arena_alloc(arena, PATH_BYTES);
    *revision = (Revision){.back = -1};
    if (!repository->found) {
        *error = TEXT("--compare needs a git repository, and there is none here");
        return false;
    }
    if (!git_files(arena, repository->root, name, is_wanted, &tree, error)) return false;
    int length = snprintf(folder, PATH_BYTES, "%s/syncl-compare-XXXXXX", place && *place ? place : "/tmp");
    if (length >= PATH_BYTES || !mkdtemp(folder)) return fail(arena, revision, NULL, error);
    revision->back = file_open(".");
    if (revision->back < 0 || chdir(folder) != 0 || !getcwd(real, PATH_BYTES) || !write_tree(arena, &tree))
        return fail(arena, revision, folder, error);
    revision->folder = text_of(real);
    return true;
}

void revision_leave(Arena *arena, Revision *revision) {
    (void)fchdir(revision->back);
    close(revision->back);
    remove_tree(path_terminated(arena, revision->folder));
}
