/* Reads and lowers files, on threads: each takes the next file, and its answer goes to that file's place. */
#include "file.h"
#include "kept_model.h"
#include "loading.h"
#include "team.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEFAULT_BYTES = 8 * 1024 * 1024, LOOKED_AT = 8192, FILES_A_THREAD = 8 };
enum { NOTEBOOK_LIMIT = 8 }; /* times as large a file: most of a notebook is its pictures */

typedef struct Work {
    Source *sources;
    uint32_t end, file_bytes;
    const Cache *cache;
    atomic_uint next;
} Work;

typedef struct Worker {
    Work *work;
    Arena result;
    uint64_t added_bytes; /* to the cache */
} Worker;

static uint32_t byte_limit(uint32_t wanted) { return wanted ? wanted : DEFAULT_BYTES; }

static bool refuse(Source *source, Text reason) {
    source->skipped = reason;
    return false;
}

static bool read_all(int file, char *bytes, size_t length) {
    for (size_t at = 0; at < length;) {
        ssize_t got = file_piece(file, bytes + at, length - at);
        if (got <= 0) return false;
        at += (size_t)got;
    }
    return true;
}

static bool is_notebook(const Source *source) { return text_ends(source->path, TEXT(".ipynb")); }

static size_t byte_limit_of(const Worker *self, const Source *source) {
    return (size_t)self->work->file_bytes * (is_notebook(source) ? NOTEBOOK_LIMIT : 1);
}

static bool refuse_size(Worker *self, Source *source, size_t limit) {
    return refuse(source, text_format(&self->result, "is larger than %.3g MiB", (double)limit / 1048576.0));
}

static bool read_cells(Worker *self, Source *source) {
    Notebook *notebook = arena_new(&self->result, Notebook, 1);
    source->notebook = notebook;
    return notebook_read(&self->result, source->bytes, &source->bytes, notebook, &source->skipped);
}

static bool check_bytes(Worker *self, Source *source, const char *bytes, size_t length) {
    if (memchr(bytes, 0, length < LOOKED_AT ? length : LOOKED_AT))
        return refuse(source, TEXT("holds NUL bytes: it is binary or UTF-16, not Python"));
    source->bytes = (Text){bytes, (uint32_t)length};
    return !is_notebook(source) || read_cells(self, source);
}

static bool read_open(Worker *self, Source *source, int file) {
    struct stat info;
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) return refuse(source, TEXT("is not a regular file"));
    size_t limit = byte_limit_of(self, source);
    if (info.st_size > (off_t)limit) return refuse_size(self, source, limit);
    size_t length = (size_t)info.st_size;
    char *bytes = arena_alloc(&self->result, length + 1);
    if (!read_all(file, bytes, length)) return refuse(source, TEXT("could not be read to its end"));
    return check_bytes(self, source, bytes, length);
}

static bool read_stdin(Worker *self, Source *source) {
    size_t limit = byte_limit_of(self, source), length = 0;
    VEC(char) bytes = {0};
    char block[1 << 14];
    for (ssize_t got; (got = file_piece(STDIN_FILENO, block, sizeof block)) != 0;) {
        if (got < 0) return refuse(source, text_format(&self->result, "cannot be read: %s", strerror(errno)));
        length += (size_t)got;
        if (length > limit) return refuse_size(self, source, limit);
        for (ssize_t i = 0; i < got; i++) vec_push(&self->result, &bytes, block[i]);
    }
    return check_bytes(self, source, bytes.items ? bytes.items : "", length);
}

static bool read_source(Worker *self, Arena *scratch, Source *source) {
    if (source->is_stdin) return read_stdin(self, source);
    int file = file_open(path_terminated(scratch, source->absolute));
    if (file < 0) return refuse(source, text_format(&self->result, "cannot be read: %s", strerror(errno)));
    bool done = read_open(self, source, file);
    close(file);
    return done;
}

/* What comes on standard input is typed just now: it is not kept. */
static void lower_source(Worker *self, Arena *scratch, SyntaxParser *parser, Source *source) {
    const Cache *cache = source->is_stdin ? NULL : self->work->cache;
    FileModel *model = arena_new(&self->result, FileModel, 1);
    source->model = model;
    if (cache && kept_model_find(cache, &self->result, scratch, source->bytes, model)) return;
    lower_file(&self->result, scratch, parser, source->bytes, model);
    if (cache) self->added_bytes += kept_model_keep(cache, scratch, source->bytes, model);
}

static void run(void *argument) {
    Worker *self = argument;
    Arena scratch = {0};
    SyntaxParser *parser = syntax_open();
    for (uint32_t i; (i = atomic_fetch_add(&self->work->next, 1)) < self->work->end;) {
        Source *source = &self->work->sources[i];
        if (read_source(self, &scratch, source)) lower_source(self, &scratch, parser, source);
        arena_reset(&scratch);
    }
    syntax_close(parser);
    arena_free(&scratch);
}

static uint32_t thread_count(const Loading *self, uint32_t files) {
    uint32_t useful = files / FILES_A_THREAD + 1; /* a thread costs more than a few files */
    if (useful == 1) return 1;
    uint32_t count = self->limits.threads ? self->limits.threads : team_cores("");
    if (count > TEAM_LIMIT) count = TEAM_LIMIT;
    return count < useful ? count : useful;
}

void loading_read(Loading *self, uint32_t first) {
    Work work = {.sources = self->sources.items,
                 .end = self->sources.count,
                 .cache = self->limits.cache,
                 .file_bytes = byte_limit(self->limits.file_bytes)};
    atomic_init(&work.next, first);
    Worker workers[TEAM_LIMIT] = {0};
    for (uint32_t i = first; i < work.end; i++)
        if (!work.sources[i].is_stdin) inputs_file(self->limits.inputs, work.sources[i].absolute);
    uint32_t count = thread_count(self, work.end - first);
    for (uint32_t i = 0; i < count; i++) workers[i].work = &work;
    team_run(run, workers, sizeof *workers, count);
    for (uint32_t i = 0; i < count; i++) {
        arena_adopt(self->result, &workers[i].result);
        self->added_bytes += workers[i].added_bytes;
    }
}
