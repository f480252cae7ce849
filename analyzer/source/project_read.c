/* Reads and lowers files on threads: each takes the next file and writes its result to that file's place. */
#include "file.h"
#include "kept_model.h"
#include "loading.h"
#include "team.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEFAULT_BYTES = 8 * 1024 * 1024, LOOKED_AT = 8192, READ_A_THREAD = 8, PARSED_A_THREAD = 1 << 16 };
enum { NOTEBOOK_LIMIT = 8 }; /* notebooks may be so many times larger: most of one is pictures */

typedef struct Work {
    Source *sources;
    uint32_t end, file_bytes;
    const Overlaid *overlaid;
    uint32_t overlaid_count;
    const Cache *cache;
    atomic_uint next;
} Work;

typedef struct Worker {
    Work *work;
    Arena result, outlines;
    uint64_t added_bytes; /* written to the cache */
} Worker;

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

static bool check_bytes(Worker *self, Source *source, char *bytes, size_t length) {
    if (memchr(bytes, 0, length < LOOKED_AT ? length : LOOKED_AT))
        return refuse(source, TEXT("holds NUL bytes: it is binary or UTF-16, not Python"));
    source->bytes = (Text){bytes, (uint32_t)length};
    if (is_notebook(source)) return read_cells(self, source);
    text_end_lines(bytes, length);
    return true;
}

static bool read_open(Worker *self, Source *source, int file) {
    struct stat info;
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) return refuse(source, TEXT("is not a regular file"));
    size_t limit = byte_limit_of(self, source);
    if (info.st_size > (off_t)limit) return refuse_size(self, source, limit);
    size_t length = (size_t)info.st_size;
    char *bytes = arena_raw(&self->result, length + 1);
    bytes[length] = 0;
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
    vec_room(&self->result, &bytes, 1);
    return check_bytes(self, source, bytes.items, length);
}

static const Overlaid *overlaid(const Work *work, Text absolute) {
    uint32_t low = 0, high = work->overlaid_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = text_compare(work->overlaid[middle].absolute, absolute);
        if (order == 0) return &work->overlaid[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static bool read_source(Worker *self, Arena *scratch, Source *source) {
    const Overlaid *over = overlaid(self->work, source->absolute);
    if (over) {
        char *bytes = arena_alloc(&self->result, over->bytes.length + 1u);
        memcpy(bytes, over->bytes.bytes, over->bytes.length);
        return check_bytes(self, source, bytes, over->bytes.length);
    }
    if (source->is_stdin) return read_stdin(self, source);
    int file = file_open(path_terminated(scratch, source->absolute));
    if (file < 0) return refuse(source, text_format(&self->result, "cannot be read: %s", strerror(errno)));
    bool done = read_open(self, source, file);
    close(file);
    return done;
}

/* Standard input is text that is being typed: it is not cached. */
static void lower_source(Worker *self, Arena *scratch, SyntaxParser *parser, Source *source) {
    const Cache *cache = source->is_stdin ? NULL : self->work->cache;
    Gaps gaps = {source->left_out.items, source->left_out.count};
    FileModel *model = arena_new(&self->result, FileModel, 1);
    source->model = model;
    if (cache && kept_model_find(cache, &self->result, scratch, source->bytes, gaps, model)) return;
    lower_around(&self->result, scratch, parser, source->bytes, gaps, model);
    if (cache) self->added_bytes += kept_model_keep(cache, scratch, source->bytes, gaps, model);
}

static Source *next_source(Work *work) {
    uint32_t i = atomic_fetch_add(&work->next, 1);
    return i < work->end ? &work->sources[i] : NULL;
}

static void run_reading(void *argument) {
    Worker *self = argument;
    Arena scratch = {0};
    for (Source *source; (source = next_source(self->work));) {
        if (read_source(self, &scratch, source)) outline_read(&self->outlines, source->bytes, &source->outline);
        arena_reset(&scratch);
    }
    arena_free(&scratch);
}

static void run_lowering(void *argument) {
    Worker *self = argument;
    Arena scratch = {0};
    SyntaxParser *parser = syntax_open();
    for (Source *source; (source = next_source(self->work));) {
        if (!source->skipped.length) lower_source(self, &scratch, parser, source);
        arena_reset(&scratch);
    }
    syntax_close(parser);
    arena_free(&scratch);
}

/* A thread must have enough work to repay its start. */
static uint32_t thread_count(const Loading *self, uint64_t work, uint64_t work_a_thread) {
    uint64_t useful = work / work_a_thread + 1;
    if (useful == 1) return 1;
    uint32_t count = self->limits.threads ? self->limits.threads : team_cores("");
    if (count > TEAM_LIMIT) count = TEAM_LIMIT;
    return count < useful ? count : (uint32_t)useful;
}

static void run_on_threads(Loading *self, TeamBody *body, uint32_t first, uint32_t end, uint32_t count) {
    Work work = {.sources = self->sources.items,
                 .end = end,
                 .cache = self->limits.cache,
                 .file_bytes = self->limits.file_bytes ? self->limits.file_bytes : DEFAULT_BYTES,
                 .overlaid = self->limits.overlaid,
                 .overlaid_count = self->limits.overlaid_count};
    Worker workers[TEAM_LIMIT] = {0};
    atomic_init(&work.next, first);
    for (uint32_t i = 0; i < count; i++) workers[i].work = &work;
    team_run(body, workers, sizeof *workers, count);
    for (uint32_t i = 0; i < count; i++) {
        arena_adopt(self->result, &workers[i].result);
        arena_adopt(&self->outlines, &workers[i].outlines);
        self->added_bytes += workers[i].added_bytes;
    }
}

void loading_read(Loading *self, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; i++)
        if (!self->sources.items[i].is_stdin) inputs_file(self->limits.inputs, self->sources.items[i].absolute);
    run_on_threads(self, run_reading, first, end, thread_count(self, end - first, READ_A_THREAD));
}

void loading_lower(Loading *self) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < self->sources.count; i++) {
        const Source *source = &self->sources.items[i];
        bytes += source->bytes.length;
        for (uint32_t k = 0; k < source->left_out.count; k++)
            bytes -= source->left_out.items[k].end - source->left_out.items[k].start;
    }
    run_on_threads(self, run_lowering, 0, self->sources.count, thread_count(self, bytes, PARSED_A_THREAD));
}
