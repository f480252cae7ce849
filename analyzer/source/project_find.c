/* The files under the named paths. */
#include "loading.h"
#include "usual.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

void loading_skip(Loading *self, Text path, Text reason) {
    vec_push(&self->scratch, &self->skipped, ((Skipped){path, reason}));
}

typedef struct Found {
    Text path;
    FileKey key;
    bool named; /* named on the command line, or below a folder that is */
} Found;

typedef struct FolderWalk {
    Loading *loading;
    VEC(Found) files;
    VEC(FileKey) folders; /* folders already walked, against loops of links and folders named twice */
    bool of_project;      /* walking a project around the named files: unreadable files are not reported */
    uint32_t entries;     /* folder entries seen in this walk */
    uint32_t most;        /* limit of `entries` */
} FolderWalk;

static void skip(FolderWalk *self, Text path, Text reason) {
    if (self->of_project)
        self->loading->incomplete = true;
    else
        loading_skip(self->loading, path, reason);
}

static bool same_file(FileKey a, FileKey b) { return a.device == b.device && a.inode == b.inode; }

static const char *kind_of(mode_t mode) {
    if (S_ISFIFO(mode)) return "is a FIFO, not a file";
    if (S_ISSOCK(mode)) return "is a socket, not a file";
    if (S_ISCHR(mode) || S_ISBLK(mode)) return "is a device, not a file";
    return "is not a regular file";
}

static void add_file(FolderWalk *self, Text path, const struct stat *info) {
    if (!S_ISREG(info->st_mode)) {
        skip(self, path, text_of(kind_of(info->st_mode)));
        return;
    }
    Found found = {path, {info->st_dev, info->st_ino}, !self->of_project};
    vec_push(&self->loading->scratch, &self->files, found);
}

static bool enter(FolderWalk *self, const struct stat *info) {
    FileKey key = {info->st_dev, info->st_ino};
    for (uint32_t i = 0; i < self->folders.count; i++)
        if (same_file(self->folders.items[i], key)) return false;
    vec_push(&self->loading->scratch, &self->folders, key);
    return true;
}

typedef struct Entries {
    VEC(Text) names;
} Entries;

static void skip_unread(FolderWalk *self, Text path, int reason) {
    skip(self, path.length ? path : TEXT("."),
         text_format(self->loading->result, "cannot be read: %s", strerror(reason)));
}

static bool is_too_large(const FolderWalk *self) { return self->of_project && self->entries > self->most; }

/* False: the folder cannot be read, which is recorded. */
static bool list_folder(FolderWalk *self, Text folder, Entries *out) {
    Arena *arena = &self->loading->scratch;
    inputs_folder(self->loading->limits.inputs, folder);
    DIR *stream = opendir(folder.length ? path_terminated(arena, folder) : ".");
    if (!stream) {
        skip_unread(self, folder, errno);
        return false;
    }
    for (struct dirent *entry; !is_too_large(self) && (errno = 0, entry = readdir(stream));) {
        self->entries += self->of_project;
        Text name = text_of(entry->d_name);
        if (text_equal(name, TEXT(".")) || text_equal(name, TEXT(".."))) continue;
        vec_push(arena, &out->names, ((Text){arena_copy(arena, name.bytes, name.length + 1), name.length}));
    }
    if (errno) skip_unread(self, folder, errno); /* the entries listed before the error are still read */
    closedir(stream);
    if (out->names.count) qsort(out->names.items, out->names.count, sizeof(Text), text_order);
    return true;
}

static void walk(FolderWalk *self, Text folder);

/* Our own cache folder is no part of a project. */
static bool is_cache(const FolderWalk *self, Text absolute) {
    const Cache *cache = self->loading->limits.cache;
    if (!self->of_project || !cache || !cache->folder) return false;
    Text folder = path_absolute(&self->loading->scratch, self->loading->current, text_of(cache->folder));
    return text_equal(absolute, folder);
}

static bool is_left_out(const FolderWalk *self, Text path, bool is_folder) {
    const PathFilter *filter = &self->loading->limits.filter;
    Text absolute = path_absolute(self->loading->result, self->loading->current, path);
    if (is_folder && is_cache(self, absolute)) return true;
    if (!filter->leave_out) return usual_exclusion(path);
    return filter->leave_out(filter->self, absolute, is_folder);
}

static bool is_left_out_named(const FolderWalk *self, Text path) {
    const PathFilter *filter = &self->loading->limits.filter;
    Text absolute = path_absolute(self->loading->result, self->loading->current, path);
    return filter->leave_out_named && filter->leave_out_named(filter->self, absolute);
}

/* Links to folders are not followed: their targets are walked anyway, or do not belong to the project. */
static void visit(FolderWalk *self, Text folder, Text name) {
    Arena *arena = &self->loading->scratch;
    Text path = path_join(self->loading->result, folder, name);
    const char *terminated = path_terminated(arena, path);
    struct stat info;
    if (lstat(terminated, &info) != 0) {
        if (errno != ENOENT) skip_unread(self, path, errno); /* else it was removed since it was listed */
        return;
    }
    if (S_ISDIR(info.st_mode)) {
        if (text_ends(name, TEXT(".dist-info")))
            loading_note_installed(self->loading, path_absolute(arena, self->loading->current, folder));
        if (!is_left_out(self, path, true) && enter(self, &info)) walk(self, path);
        return;
    }
    if (!text_ends(name, TEXT(".py")) && !text_ends(name, TEXT(".ipynb"))) return;
    if (is_left_out(self, path, false)) return;
    if (S_ISLNK(info.st_mode) || info.st_nlink > 1) inputs_same(self->loading->limits.inputs, path);
    if (S_ISLNK(info.st_mode)) {
        if (stat(terminated, &info) != 0) {
            skip(self, path, TEXT("is a broken or circular link"));
            return;
        }
        if (S_ISDIR(info.st_mode)) return;
    }
    add_file(self, path, &info);
}

static void walk(FolderWalk *self, Text folder) {
    Entries entries = {0};
    if (!list_folder(self, folder, &entries)) return;
    for (uint32_t i = 0; i < entries.names.count; i++) visit(self, folder, entries.names.items[i]);
}

/* Shortens a path for display: `.` to nothing, `dir/` to `dir`, `./a.py` to `a.py`. */
static Text display_path(Text path) {
    while (path.length > 1 && text_starts(path, TEXT("./"))) {
        path = text_slice(path, 2, path.length);
        while (path.length && path.bytes[0] == '/') path = text_slice(path, 1, path.length);
    }
    while (path.length > 1 && path.bytes[path.length - 1] == '/') path = text_slice(path, 0, path.length - 1);
    return text_equal(path, TEXT(".")) ? (Text){"", 0} : path;
}

static bool fail(Loading *self, const char *path, int reason) {
    self->error->message = text_format(self->result, "cannot read %s: %s", path, strerror(reason));
    return false;
}

/* Comes before the files: what an editor sends on standard input is newer than the file of that name. */
static void add_stdin(Loading *self) {
    const char *name = self->limits.stdin_name ? self->limits.stdin_name : "-";
    uint32_t before = self->sources.count;
    loading_add(self, path_absolute(self->result, self->current, text_of(name)), true);
    if (self->sources.count == before) return; /* `-` was given twice */
    self->sources.items[before].path = text_of(name);
    self->sources.items[before].is_stdin = self->sources.items[before].reported = true;
}

static bool start(FolderWalk *self, const char *name) {
    Loading *loading = self->loading;
    struct stat info;
    if (strcmp(name, "-") == 0) return add_stdin(loading), true;
    if (stat(name, &info) != 0) return fail(loading, name, errno);
    (void)inputs_kind(loading->limits.inputs, &loading->scratch, text_of(name));
    Text path = display_path(text_of(name));
    path = (Text){arena_copy(loading->result, path.bytes, path.length), path.length};
    if (!S_ISDIR(info.st_mode)) {
        if (!is_left_out_named(self, path)) add_file(self, path, &info);
        return true;
    }
    if (is_left_out_named(self, path)) return true;
    vec_push(&loading->scratch, &loading->named, path_absolute(loading->result, loading->current, path));
    uint32_t files = self->files.count, skipped = loading->skipped.count;
    if (enter(self, &info)) {
        walk(self, path);
        bool nothing = self->files.count == files && loading->skipped.count == skipped;
        if (nothing) loading_skip(loading, path.length ? path : TEXT("."), TEXT("holds no Python files"));
    }
    return true;
}

static int by_key(const void *a, const void *b) {
    const Found *x = *(const Found *const *)a, *y = *(const Found *const *)b;
    if (x->key.device != y->key.device) return x->key.device < y->key.device ? -1 : 1;
    if (x->key.inode != y->key.inode) return x->key.inode < y->key.inode ? -1 : 1;
    if (x->named != y->named) return x->named ? -1 : 1;
    if (x->path.length != y->path.length) return x->path.length < y->path.length ? -1 : 1;
    return text_compare(x->path, y->path);
}

/* A file reached by several names counts once: under a name that was given, else the shortest, else the first
   in byte order. */
static void drop_doubles(FolderWalk *self) {
    uint32_t count = self->files.count, kept = 0;
    Found **order = arena_new(&self->loading->scratch, Found *, count + 1);
    for (uint32_t i = 0; i < count; i++) order[i] = &self->files.items[i];
    qsort(order, count, sizeof *order, by_key);
    for (uint32_t i = count; i-- > 1;)
        if (same_file(order[i]->key, order[i - 1]->key)) order[i]->path = (Text){0};
    for (uint32_t i = 0; i < count; i++)
        if (self->files.items[i].path.bytes) self->files.items[kept++] = self->files.items[i];
    self->files.count = kept;
}

static void add_found(FolderWalk *self, bool named) {
    Loading *loading = self->loading;
    for (uint32_t i = 0; i < self->files.count; i++) {
        const Found *found = &self->files.items[i];
        uint32_t before = loading->sources.count;
        if (found->named != named) continue;
        loading_add(loading, path_absolute(loading->result, loading->current, found->path), true);
        if (loading->sources.count == before) continue;
        if (named) loading->sources.items[before].path = found->path;
        loading->sources.items[before].reported = named;
    }
}

static void find_named(FolderWalk *self) {
    drop_doubles(self);
    if (self->files.count) qsort(self->files.items, self->files.count, sizeof(Found), text_order);
    add_found(self, true);
}

/* ---- projects around the named files ---- */

typedef struct Tops {
    VEC(Project) items;
} Tops;

static void add_top(Loading *self, Tops *tops, Project project) {
    bool known = !project.folder.length;
    for (uint32_t i = 0; i < tops->items.count; i++)
        known |= text_equal(tops->items.items[i].folder, project.folder);
    for (uint32_t i = 0; i < self->named.count; i++)
        known |= path_is_below(project.folder, self->named.items[i]);
    if (!known) vec_push(&self->scratch, &tops->items, project);
}

static void find_projects(FolderWalk *self) {
    Loading *loading = self->loading;
    Tops tops = {0};
    for (uint32_t i = 0; i < loading->sources.count; i++) {
        loading_place(loading, &loading->sources.items[i]);
        add_top(loading, &tops, loading_project(loading, &loading->sources.items[i]));
    }
    uint32_t named = self->files.count;
    self->of_project = true;
    for (uint32_t i = 0; i < tops.items.count; i++) {
        struct stat info;
        const Project *project = &tops.items.items[i];
        uint32_t before = self->files.count;
        self->entries = 0;
        self->most = project->is_marked ? PROJECT_ENTRIES : UNMARKED_ENTRIES;
        if (stat(path_terminated(&loading->scratch, project->folder), &info) == 0 && enter(self, &info))
            walk(self, project->folder);
        if (!is_too_large(self)) continue;
        self->files.count = before;
        loading->incomplete = true;
    }
    if (self->files.count == named) return;
    drop_doubles(self);
    add_found(self, false);
}

bool loading_find(Loading *self, const char *const *paths, size_t count) {
    FolderWalk walk_state = {.loading = self};
    for (size_t i = 0; i < count; i++)
        if (!start(&walk_state, paths[i])) return false;
    find_named(&walk_state);
    self->reported = self->sources.count;
    if (self->limits.whole_projects) find_projects(&walk_state);
    return true;
}
