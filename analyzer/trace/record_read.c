#include "record_read.h"
#include "feed.h"
#include <stdlib.h>

enum { FILE_LIMIT = 1 << 30, ID_LIMIT = 1 << 17, SOURCES_LIMIT = 1024 };

typedef struct Row {
    uint64_t start_ns, end_ns;
    uint32_t correlation, thread, name, stack;
} Row;

typedef struct Reader {
    Arena *arena, *scratch;
    Recorded *recorded;
    VEC(Row) calls, apis;
    VEC(RecordWork) works;
    VEC(RecordPhase) phases;
    TraceStacks *stacks;
    VEC(RecordFrame) frames; /* by id, as in the file */
    uint32_t threads[256], thread_count;
    uint64_t last_ns;
} Reader;

/* ---- bytes ---- */

static bool read_bytes(Arena *arena, const char *path, Text *bytes, Text *error) {
    Feed *feed = feed_open(arena, path, error);
    VEC(char) all = {0};
    while (feed && all.count < FILE_LIMIT) {
        vec_room(arena, &all, FEED_PIECE);
        size_t count = feed_read(feed, all.items + all.count, FEED_PIECE, error);
        all.count += (uint32_t)count;
        if (!count) break;
    }
    if (feed) feed_close(feed);
    if (!error->length && all.count >= FILE_LIMIT)
        *error = text_format(arena, "%s: is larger than 1 GiB", path);
    *bytes = (Text){all.items, all.count};
    return feed && !error->length;
}

bool record_is(const char *path) {
    Arena scratch = {0};
    Text error = {0};
    char begin[FEED_PIECE];
    Feed *feed = feed_open(&scratch, path, &error);
    size_t count = feed ? feed_read(feed, begin, sizeof begin, &error) : 0;
    if (feed) feed_close(feed);
    arena_free(&scratch);
    return count >= sizeof(RecordHead) && memcmp(begin, RECORD_MAGIC, 8) == 0;
}

/* ---- rows ---- */

static Text text_at(const Recorded *recorded, uint32_t id) {
    return id < recorded->texts.count ? recorded->texts.items[id] : (Text){"", 0};
}

static void take_fact(Reader *self, Text fact) {
    Recorded *recorded = self->recorded;
    const struct {
        const char *key;
        Text *into;
    } facts[] = {{"trouble=", &recorded->trouble},
                 {"folder=", &recorded->folder},
                 {"command=", &recorded->command},
                 {"python=", &recorded->python},
                 {"stacks=", &recorded->no_stacks}};
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        if (text_starts(fact, text_of(facts[i].key)))
            *facts[i].into = text_slice(fact, (uint32_t)strlen(facts[i].key), fact.length);
}

static void take_text(Reader *self, Text row) {
    RecordId id;
    if (row.length < sizeof id) return;
    memcpy(&id, row.bytes, sizeof id);
    if (id.id >= ID_LIMIT) return;
    while (self->recorded->texts.count <= id.id) vec_push(self->arena, &self->recorded->texts, ((Text){"", 0}));
    self->recorded->texts.items[id.id] = text_slice(row, sizeof id, row.length);
}

static void take_frame(Reader *self, const RecordFrame *frame) {
    if (frame->id >= ID_LIMIT) return;
    while (self->frames.count <= frame->id) vec_push(self->scratch, &self->frames, ((RecordFrame){0}));
    self->frames.items[frame->id] = *frame;
}

/* Stacks keep ids; frames are looked up when all have been read. */
static void take_stack(Reader *self, Text row) {
    TraceStacks *stacks = self->stacks;
    uint32_t id, frame, count = row.length / (uint32_t)sizeof id;
    if (count < 1 || count > RECORD_STACK_LIMIT + 1) return;
    memcpy(&id, row.bytes, sizeof id);
    if (id >= ID_LIMIT) return;
    while (stacks->stacks.count <= id) vec_push(self->arena, &stacks->stacks, ((TraceStack){0, 0}));
    stacks->stacks.items[id] = (TraceStack){stacks->frames.count, count - 1};
    for (uint32_t i = 1; i < count; i++) {
        memcpy(&frame, row.bytes + i * sizeof frame, sizeof frame);
        vec_push(self->arena, &stacks->frames, ((TraceFrame){.line = frame}));
    }
}

static void take_source(Reader *self, Text row) {
    RecordId id;
    uint32_t count = row.length / (uint32_t)sizeof(uint32_t);
    if (count < 1 || self->recorded->sources.count == SOURCES_LIMIT) return;
    memcpy(&id, row.bytes, sizeof id);
    uint32_t *hashes = arena_copy(self->arena, row.bytes + sizeof id, sizeof *hashes * (count - 1));
    vec_push(self->arena, &self->recorded->sources,
             ((RecordedSource){text_at(self->recorded, id.id), hashes, count - 1}));
}

static void take_call(Reader *self, RecordKind kind, const RecordCall *call) {
    Row row = {call->start_ns, call->end_ns, call->correlation, call->thread, call->name, call->stack};
    if (call->end_ns < call->start_ns) return;
    if (kind == RECORD_CALL)
        vec_push(self->scratch, &self->calls, row);
    else
        vec_push(self->scratch, &self->apis, row);
}

static void take_work(Reader *self, const RecordWork *work) {
    if (work->end_ns >= work->start_ns && work->kind <= RECORD_GRAPH)
        vec_push(self->scratch, &self->works, *work);
}

static void take_end(Reader *self, const RecordEnd *end) {
    self->recorded->ended = true;
    self->recorded->dropped = end->dropped_calls + end->dropped_works;
    self->recorded->stackless = end->stackless;
}

static void take_row(Reader *self, RecordKind kind, Text row) {
#define TAKE(Type, what, ...)                  \
    do {                                       \
        Type what;                             \
        if (row.length != sizeof what) break;  \
        memcpy(&what, row.bytes, sizeof what); \
        __VA_ARGS__;                           \
    } while (0)
    switch (kind) {
    case RECORD_FACT: take_fact(self, row); break;
    case RECORD_TEXT: take_text(self, row); break;
    case RECORD_FRAME: TAKE(RecordFrame, frame, take_frame(self, &frame)); break;
    case RECORD_STACK: take_stack(self, row); break;
    case RECORD_CALL:
    case RECORD_API: TAKE(RecordCall, call, take_call(self, kind, &call)); break;
    case RECORD_WORK: TAKE(RecordWork, work, take_work(self, &work)); break;
    case RECORD_PHASE: TAKE(RecordPhase, phase, vec_push(self->scratch, &self->phases, phase)); break;
    case RECORD_SOURCE: take_source(self, row); break;
    case RECORD_END: TAKE(RecordEnd, end, take_end(self, &end)); break;
    }
#undef TAKE
}

static void take_rows(Reader *self, Text rows) {
    RecordRow row;
    for (uint32_t at = 0; at + sizeof row <= rows.length; at += (uint32_t)sizeof row + row.bytes) {
        memcpy(&row, rows.bytes + at, sizeof row);
        if (row.bytes > rows.length - at - sizeof row) return;
        uint32_t from = at + (uint32_t)sizeof row;
        take_row(self, (RecordKind)row.kind, text_slice(rows, from, from + row.bytes));
    }
}

static void take_chunks(Reader *self, Text bytes) {
    RecordChunk chunk;
    uint32_t at = sizeof(RecordHead);
    for (; at + sizeof chunk <= bytes.length; at += (uint32_t)sizeof chunk + chunk.bytes) {
        memcpy(&chunk, bytes.bytes + at, sizeof chunk);
        const char *rows = bytes.bytes + at + sizeof chunk;
        if (chunk.bytes > bytes.length - at - sizeof chunk) break;
        if (record_sum((const unsigned char *)rows, chunk.bytes) != chunk.sum) break;
        take_rows(self, (Text){rows, chunk.bytes});
    }
    self->recorded->cut = at != bytes.length;
}

/* ---- stacks ---- */

static void look_up_frames(Reader *self) {
    TraceStacks *stacks = self->stacks;
    for (uint32_t i = 0; i < stacks->frames.count; i++) {
        TraceFrame *frame = &stacks->frames.items[i];
        RecordFrame written =
            frame->line < self->frames.count ? self->frames.items[frame->line] : (RecordFrame){0};
        *frame = (TraceFrame){text_at(self->recorded, written.file), text_at(self->recorded, written.name),
                              written.line, false};
    }
}

static int by_correlation(const void *a, const void *b) {
    const Row *x = a, *y = b;
    return (x->correlation > y->correlation) - (x->correlation < y->correlation);
}

static int by_end(const void *a, const void *b) {
    const Row *x = a, *y = b;
    return x->end_ns != y->end_ns ? (x->end_ns > y->end_ns) - (x->end_ns < y->end_ns) : by_correlation(a, b);
}

static const Row *row_of(const Row *rows, uint32_t count, uint32_t correlation) {
    Row key = {.correlation = correlation};
    return count ? bsearch(&key, rows, count, sizeof key, by_correlation) : NULL;
}

/* The thread's number, the same in all bursts. */
static uint16_t thread_of(Reader *self, uint32_t thread) {
    uint32_t i = 0;
    while (i < self->thread_count && self->threads[i] != thread) i++;
    if (i == self->thread_count && i < 255) self->threads[self->thread_count++] = thread;
    return (uint16_t)(i < 255 ? i : 255);
}

/* ---- bursts ---- */

typedef struct Burst {
    Reader *reader;
    Trace *trace;
    RecordedWindow window;
    uint32_t first, last; /* range of its calls' correlations */
    uint64_t tracks[64];  /* keys of its streams */
    uint32_t stream_count;
} Burst;

static uint16_t stream_of(Burst *burst, uint32_t device, uint32_t stream) {
    uint64_t track = (uint64_t)device << 32 | stream;
    uint32_t i = 0;
    while (i < burst->stream_count && burst->tracks[i] != track) i++;
    if (i == burst->stream_count && i < 63) burst->tracks[burst->stream_count++] = track;
    return (uint16_t)(i < 63 ? i : 63);
}

static double since_us(const Burst *burst, uint64_t ns) {
    return ns >= burst->window.from_ns ? (double)(ns - burst->window.from_ns) * 1e-3
                                       : -(double)(burst->window.from_ns - ns) * 1e-3;
}

static bool within(const Burst *burst, const Row *row) {
    return row->start_ns >= burst->window.from_ns && row->start_ns < burst->window.to_ns;
}

static void add_call(Burst *burst, const Row *row, const Row *told) {
    Reader *self = burst->reader;
    TraceCall *call = rows_add(self->arena, &burst->trace->calls);
    Text name = text_at(self->recorded, row->name);
    call->start_us = since_us(burst, row->start_ns), call->end_us = since_us(burst, row->end_ns);
    call->correlation = row->correlation;
    call->name = names_intern(&burst->trace->names, name);
    call->thread = thread_of(self, row->thread), call->watched = told != NULL;
    uint32_t stack = told ? told->stack : 0;
    call->stack = stack < self->stacks->stacks.count ? stack : 0;
    trace_name_call(call, name);
    if (row->correlation < burst->first) burst->first = row->correlation;
    if (row->correlation > burst->last) burst->last = row->correlation;
}

/* A callback's call passes its stack to the activity with the same correlation. */
static void add_calls(Burst *burst) {
    Reader *self = burst->reader;
    for (uint32_t i = 0; i < self->apis.count; i++) {
        const Row *row = &self->apis.items[i];
        const Row *told = row_of(self->calls.items, self->calls.count, row->correlation);
        if (within(burst, row)) add_call(burst, row, told);
    }
    for (uint32_t i = 0; i < self->calls.count; i++) {
        const Row *row = &self->calls.items[i];
        if (within(burst, row) && !row_of(self->apis.items, self->apis.count, row->correlation))
            add_call(burst, row, row);
    }
}

static void add_work(Burst *burst, const RecordWork *from) {
    static const struct {
        WorkKind kind;
        const char *name;
    } kinds[] = {[RECORD_KERNEL] = {WORK_KERNEL, "kernel"},
                 [RECORD_FILL] = {WORK_FILL, "Memset"},
                 [RECORD_TO_DEVICE] = {WORK_TO_DEVICE, "Memcpy HtoD"},
                 [RECORD_TO_HOST] = {WORK_TO_HOST, "Memcpy DtoH"},
                 [RECORD_ON_DEVICE] = {WORK_ON_DEVICE, "Memcpy DtoD"},
                 [RECORD_COPY] = {WORK_COPY, "Memcpy"},
                 [RECORD_GRAPH] = {WORK_KERNEL, "CUDA graph"}};
    TraceWork *work = rows_add(burst->reader->arena, &burst->trace->works);
    Text name = text_at(burst->reader->recorded, from->name);
    work->start_us = since_us(burst, from->start_ns), work->end_us = since_us(burst, from->end_ns);
    work->correlation = from->correlation;
    work->kind = (uint8_t)kinds[from->kind].kind;
    work->name = names_intern(&burst->trace->names, name.length ? name : text_of(kinds[from->kind].name));
    work->bytes = from->bytes < UINT32_MAX ? (uint32_t)from->bytes : UINT32_MAX;
    work->stream = stream_of(burst, from->device, from->stream);
    work->pageable = from->pageable != 0;
}

static const Trace *burst_of(Reader *self, RecordedWindow window) {
    Trace *trace = arena_new(self->arena, Trace, 1);
    Burst burst = {.reader = self, .trace = trace, .window = window, .first = UINT32_MAX};
    trace->calls.size = sizeof(TraceCall), trace->works.size = sizeof(TraceWork);
    trace->spans.size = sizeof(TraceSpan), trace->names.arena = self->arena;
    add_calls(&burst);
    for (uint32_t i = 0; i < self->works.count; i++) {
        const RecordWork *work = &self->works.items[i];
        if (work->correlation >= burst.first && work->correlation <= burst.last) add_work(&burst, work);
    }
    trace->events = trace->kept = trace->calls.count + trace->works.count;
    trace->threads = self->thread_count, trace->streams = burst.stream_count, trace->devices = 1;
    trace->distributed = self->recorded->ranks > 1, trace->rank = self->recorded->rank;
    trace->stacks = self->stacks;
    trace_finish(self->arena, trace);
    return trace;
}

static void make_bursts(Reader *self) {
    Recorded *recorded = self->recorded;
    bool detailed = false;
    for (uint32_t i = 0; i < self->phases.count; i++) {
        const RecordPhase *phase = &self->phases.items[i];
        uint64_t to_ns = i + 1 < self->phases.count ? self->phases.items[i + 1].at_ns : self->last_ns;
        RecordedWindow window = {phase->at_ns, to_ns};
        if (to_ns <= phase->at_ns) continue;
        if (phase->phase == RECORD_CLEAN && !detailed) vec_push(self->arena, &recorded->clean, window);
        if (phase->phase == RECORD_WORKS) vec_push(self->arena, &recorded->works, window);
        detailed |= phase->phase == RECORD_WORKS || phase->phase == RECORD_DETAIL;
        if (phase->phase != RECORD_DETAIL) continue;
        const Trace *burst = burst_of(self, window);
        if (burst->works.count) vec_push(self->arena, &recorded->bursts, burst);
    }
}

/* ---- entry ---- */

static void note_last(Reader *self) {
    for (uint32_t i = 0; i < self->calls.count; i++)
        if (self->calls.items[i].end_ns > self->last_ns) self->last_ns = self->calls.items[i].end_ns;
    for (uint32_t i = 0; i < self->apis.count; i++)
        if (self->apis.items[i].end_ns > self->last_ns) self->last_ns = self->apis.items[i].end_ns;
}

/* qsort must not get NULL, which an empty recording would give. */
static void sort_rows(Row *rows, uint32_t count, int (*order)(const void *, const void *)) {
    if (count > 1) qsort(rows, count, sizeof *rows, order);
}

static void keep_calls(Reader *self) {
    sort_rows(self->calls.items, self->calls.count, by_end);
    for (uint32_t i = 0; i < self->calls.count; i++) {
        const Row *row = &self->calls.items[i];
        RecordedCall call = {row->start_ns, row->end_ns, row->stack, row->name, thread_of(self, row->thread)};
        vec_push(self->arena, &self->recorded->calls, call);
    }
    self->recorded->watched = self->calls.count;
    sort_rows(self->calls.items, self->calls.count, by_correlation);
    sort_rows(self->apis.items, self->apis.count, by_correlation);
}

static bool take_head(Reader *self, Text bytes, Text *error) {
    RecordHead head;
    Recorded *recorded = self->recorded;
    const char *path = recorded->path.bytes;
    if (bytes.length < sizeof head || memcmp(bytes.bytes, RECORD_MAGIC, 8) != 0) {
        *error = text_format(self->arena, "%s: is no recording of syncl record", path);
        return false;
    }
    memcpy(&head, bytes.bytes, sizeof head);
    recorded->rank = head.rank, recorded->ranks = head.ranks, recorded->process = head.process;
    if (head.version != RECORD_VERSION)
        *error = text_format(self->arena, "%s: is a recording of another syncl (format %u, %d is read)", path,
                             head.version, RECORD_VERSION);
    return !error->length;
}

Recorded *record_read(Arena *arena, const char *path, Text *error) {
    Arena scratch = {0};
    Recorded *recorded = arena_new(arena, Recorded, 1);
    Reader self = {.arena = arena, .scratch = &scratch, .recorded = recorded};
    Text bytes;
    recorded->path = text_of(path);
    self.stacks = recorded->stacks = arena_new(arena, TraceStacks, 1);
    bool good = read_bytes(arena, path, &bytes, error) && take_head(&self, bytes, error);
    if (good) {
        take_chunks(&self, bytes);
        look_up_frames(&self);
        note_last(&self);
        keep_calls(&self);
        make_bursts(&self);
    }
    arena_free(&scratch);
    return good ? recorded : NULL;
}
