#include "git.h"
#include "path.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { ARGUMENTS_LIMIT = 40, CHUNK = 1 << 16, ERROR_BYTES = 2000, MOST_BYTES = 1 << 30 };

typedef VEC(char) Bytes;

/* ---- how it is started ---- */

/* Overrides the repository's own configuration. */
static const char *const harmless[] = {
    "--no-pager",
    "--no-optional-locks",
    "--no-replace-objects",
    "--literal-pathspecs",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.pager=cat",
    "-c",
    "core.attributesFile=/dev/null",
    "-c",
    "core.alternateRefsCommand=false",
    "-c",
    "diff.external=false",
    "-c",
    "protocol.allow=never",
    "-c",
    "submodule.recurse=false",
};

static const char *const settings[] = {
    "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1",
    "GIT_ALLOW_PROTOCOL=",   "GIT_ATTR_NOSYSTEM=1",  "GIT_PAGER=cat",       "LC_ALL=C",
};

/* Variables with the user's own settings, not the repository's: they hold which repositories are trusted. */
static bool is_users(const char *variable) {
    return strncmp(variable, "GIT_CONFIG_GLOBAL=", 18) == 0 ||
           strncmp(variable, "GIT_CONFIG_SYSTEM=", 18) == 0 ||
           strncmp(variable, "GIT_CONFIG_NOSYSTEM=", 20) == 0;
}

static char **environment(Arena *arena) {
    uint32_t count = 0, kept = 0;
    while (environ[count]) count++;
    char **made = arena_new(arena, char *, count + sizeof settings / sizeof settings[0] + 1);
    for (uint32_t i = 0; i < count; i++)
        if (strncmp(environ[i], "GIT_", 4) != 0 || is_users(environ[i])) made[kept++] = environ[i];
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        made[kept++] = arena_copy(arena, settings[i], strlen(settings[i]) + 1);
    return made;
}

/* Found on PATH, but never in a relative folder, which could be the repository. */
static const char *program(Arena *arena) {
    const char *path = getenv("PATH");
    for (const char *at = path ? path : "/usr/bin:/bin"; *at; at += *at == ':') {
        size_t length = strcspn(at, ":");
        const char *file = text_format(arena, "%.*s/git", (int)length, at).bytes;
        if (*at == '/' && access(file, X_OK) == 0) return file;
        at += length;
    }
    return NULL;
}

typedef struct Process {
    Arena *arena;
    pid_t id;
    int in, out, err; /* our ends of the pipes */
    Text input;
    uint32_t written;
    Bytes output, errors;
} Process;

static _Noreturn void exec_with_pipes(const char *file, char **arguments, char **variables, const int ends[6]) {
    (void)signal(SIGPIPE, SIG_DFL);
    (void)signal(SIGXFSZ, SIG_DFL);
    if (dup2(ends[0], 0) < 0 || dup2(ends[3], 1) < 0 || dup2(ends[5], 2) < 0) _exit(127);
    for (int i = 0; i < 6; i++)
        if (ends[i] > 2) close(ends[i]);
    (void)execve(file, arguments, variables);
    _exit(127);
}

static bool start(Process *self, char **arguments) {
    const char *file = program(self->arena);
    char **variables = environment(self->arena);
    int ends[6] = {-1, -1, -1, -1, -1, -1};
    if (!file || pipe(ends) != 0 || pipe(ends + 2) != 0 || pipe(ends + 4) != 0) return false;
    self->id = fork();
    if (self->id == 0) exec_with_pipes(file, arguments, variables, ends);
    close(ends[0]);
    close(ends[3]);
    close(ends[5]);
    self->in = ends[1];
    self->out = ends[2];
    self->err = ends[4];
    for (int i = 1; i <= 4; i += i == 1 ? 1 : 2) (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    (void)fcntl(self->in, F_SETFL, O_NONBLOCK);
    return self->id > 0;
}

/* ---- talking ---- */

static void close_end(int *end) {
    if (*end >= 0) close(*end);
    *end = -1;
}

static void feed(Process *self) {
    ssize_t count = write(self->in, self->input.bytes + self->written, self->input.length - self->written);
    if (count > 0) self->written += (uint32_t)count;
    if ((count < 0 && errno != EAGAIN && errno != EINTR) || self->written == self->input.length)
        close_end(&self->in);
}

static void drain(Process *self, int *end, Bytes *into, uint32_t limit) {
    char chunk[CHUNK];
    ssize_t count = read(*end, chunk, sizeof chunk);
    if (count < 0 && errno == EINTR) return;
    if (count <= 0 || into->count + (size_t)count > limit) {
        close_end(end);
        return;
    }
    if (into->capacity < into->count + (uint32_t)count) {
        uint32_t wanted = into->capacity * 2 > into->count + CHUNK ? into->capacity * 2 : into->count + CHUNK;
        into->items = arena_grow(self->arena, into->items, into->capacity, wanted);
        into->capacity = wanted;
    }
    memcpy(into->items + into->count, chunk, (size_t)count);
    into->count += (uint32_t)count;
}

static void exchange(Process *self) {
    if (!self->input.length) close_end(&self->in);
    while (self->out >= 0 || self->err >= 0) {
        struct pollfd ends[3] = {{self->in, POLLOUT, 0}, {self->out, POLLIN, 0}, {self->err, POLLIN, 0}};
        if (poll(ends, 3, -1) < 0 && errno != EINTR) break;
        if (ends[0].revents) feed(self);
        if (ends[1].revents) drain(self, &self->out, &self->output, MOST_BYTES);
        if (ends[2].revents) drain(self, &self->err, &self->errors, CHUNK * 4u);
    }
    close_end(&self->in);
    close_end(&self->out);
    close_end(&self->err);
}

/* The first line that git wrote to stderr. */
static Text reason(const Process *self) {
    uint32_t length = 0;
    while (length < self->errors.count && length < ERROR_BYTES && self->errors.items[length] != '\n') length++;
    if (!length) return TEXT("it ended without a word");
    return text_format(self->arena, "%.*s", (int)length, self->errors.items);
}

static bool run(Arena *arena, Text root, const char *const *words, Text input, Text *output, Text *error) {
    char *arguments[ARGUMENTS_LIMIT] = {"git"};
    uint32_t count = 1;
    for (size_t i = 0; i < sizeof harmless / sizeof harmless[0]; i++)
        arguments[count++] = arena_copy(arena, harmless[i], strlen(harmless[i]) + 1);
    arguments[count++] = "-C";
    arguments[count++] = arena_copy(arena, path_terminated(arena, root), root.length + 1u);
    for (; *words; words++) arguments[count++] = arena_copy(arena, *words, strlen(*words) + 1);
    Process process = {.arena = arena, .in = -1, .out = -1, .err = -1, .input = input};
    int status = 0;
    if (!start(&process, arguments)) {
        *error = TEXT("git cannot be started: is it installed?");
        return false;
    }
    exchange(&process);
    while (waitpid(process.id, &status, 0) < 0 && errno == EINTR) {}
    *output = (Text){process.output.items ? process.output.items : "", process.output.count};
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    Text why = reason(&process);
    *error = text_format(arena, "git: %.*s", SHOWN(why));
    return false;
}

/* ---- what it says ---- */

static bool is_object(Text name) {
    for (uint32_t i = 0; i < name.length; i++)
        if (!strchr("0123456789abcdef", name.bytes[i])) return false;
    return name.length == 40 || name.length == 64;
}

static bool find_tree(Arena *arena, Text root, const char *revision, const char **tree, Text *error) {
    const char *wanted = text_format(arena, "%s^{tree}", revision).bytes;
    const char *const words[] = {"rev-parse", "--verify", "--quiet", "--end-of-options", wanted, NULL};
    Text output;
    if (!run(arena, root, words, (Text){0}, &output, error)) {
        if (text_ends(*error, TEXT("without a word")))
            *error = text_format(arena, "git knows no revision '%s'", revision);
        return false;
    }
    while (output.length && output.bytes[output.length - 1] == '\n') output.length--;
    *tree = path_terminated(arena, output);
    if (is_object(output)) return true;
    *error = text_format(arena, "git knows no revision '%s'", revision);
    return false;
}

/* A tree may be crafted: no component of a path may lead out of the folder that it is written to. */
static bool is_plain(Text path) {
    for (uint32_t start = 0, end; start <= path.length; start = end + 1) {
        for (end = start; end < path.length && path.bytes[end] != '/';) end++;
        Text part = text_slice(path, start, end);
        if (!part.length || text_equal(part, TEXT(".")) || text_equal(part, TEXT(".."))) return false;
    }
    return path.length > 0;
}

typedef struct Listing {
    VEC(Text) objects; /* object names of the tree's files, in order */
} Listing;

/* Parses "100644 blob <object>\t<path>\0"; skips links and submodules. */
static void read_listing(Arena *arena, Text listing, bool (*is_wanted)(Text path), GitTree *tree,
                         Listing *out) {
    for (uint32_t start = 0, end; start < listing.length; start = end + 1) {
        for (end = start; end < listing.length && listing.bytes[end] != '\0';) end++;
        Text line = text_slice(listing, start, end);
        const char *tab = memchr(line.bytes, '\t', line.length);
        if (!tab || !text_starts(line, TEXT("100"))) continue;
        uint32_t before = (uint32_t)(tab - line.bytes);
        const char *blank = before > 12 ? memchr(line.bytes + 7, ' ', before - 7) : NULL;
        if (!blank) continue;
        Text object = text_slice(line, (uint32_t)(blank - line.bytes) + 1, before);
        Text path = text_slice(line, before + 1, line.length);
        if (!is_object(object) || !is_plain(path) || !is_wanted(path)) continue;
        vec_push(arena, &tree->files, ((GitFile){.path = path}));
        vec_push(arena, &out->objects, object);
    }
}

/* Parses "<object> blob <size>\n<bytes>\n" for each object asked for. */
static bool read_objects(Text output, GitTree *tree) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < tree->files.count; i++) {
        const char *line = output.bytes + at, *end = memchr(line, '\n', output.length - at);
        if (!end) return false;
        const char *blob = end;
        while (blob > line && blob[-1] != ' ') blob--;
        unsigned long size = strtoul(blob, NULL, 10);
        at += (uint32_t)(end - line) + 1;
        if (blob - line < 46 || memcmp(blob - 5, "blob ", 5) != 0 || size >= output.length - at) return false;
        tree->files.items[i].bytes = text_slice(output, at, at + (uint32_t)size);
        at += (uint32_t)size + 1;
    }
    return true;
}

bool git_files(Arena *result, Text root, const char *revision, bool (*is_wanted)(Text path), GitTree *tree,
               Text *error) {
    const char *object = NULL;
    Text listing, output, input;
    Listing list = {0};
    if (!find_tree(result, root, revision, &object, error)) return false;
    const char *const names[] = {"ls-tree", "-r", "-z", "--full-tree", "--end-of-options", object, NULL};
    if (!run(result, root, names, (Text){0}, &listing, error)) return false;
    read_listing(result, listing, is_wanted, tree, &list);
    if (!tree->files.count) return true;
    uint32_t width = list.objects.items[0].length + 1;
    char *wanted = arena_alloc(result, (size_t)width * list.objects.count);
    for (uint32_t i = 0; i < list.objects.count; i++) {
        memcpy(wanted + (size_t)i * width, list.objects.items[i].bytes, width - 1);
        wanted[(size_t)(i + 1) * width - 1] = '\n';
    }
    input = (Text){wanted, width * list.objects.count};
    static const char *const bytes[] = {"cat-file", "--batch", NULL};
    if (!run(result, root, bytes, input, &output, error)) return false;
    if (read_objects(output, tree)) return true;
    *error =
        text_format(result, "git does not have all files of '%s' here: a shallow or partial clone?", revision);
    return false;
}
