#include "trace.h"
#include "split.h"
#include "search.h"
#include <math.h>

enum { TRACK_LIMIT = 4096, NAME_LIMIT = 512, DISTINCT_NAMES = 1 << 20 };

typedef struct Track {
    int64_t process, number;
} Track;

typedef VEC(Track) Tracks;

/* The fields read of every event, before its kind is known. */
typedef struct Fields {
    Text category, name, phase;
    double start_us, duration_us;
    int64_t process, thread, device, stream, correlation;
    uint64_t bytes;
    bool has_start, has_duration, has_stream, wrong;
} Fields;

typedef struct Reader {
    Arena *arena;
    Trace *trace;
    Tracks threads, streams, devices;
    double origin_us;
    bool has_origin;
} Reader;

/* ---- one event's fields ---- */

static Text text_value(yyjson_val *value, Fields *fields) {
    if (!yyjson_is_str(value)) fields->wrong = true;
    if (!yyjson_is_str(value)) return (Text){"", 0};
    size_t length = yyjson_get_len(value);
    return (Text){yyjson_get_str(value), length < NAME_LIMIT ? (uint32_t)length : NAME_LIMIT};
}

static double number_value(yyjson_val *value, bool *has) {
    *has = yyjson_is_num(value);
    return yyjson_get_num(value);
}

/* Process and thread ids may be strings: "Spans", "PyTorch Profiler". */
static int64_t id_value(yyjson_val *value) {
    if (yyjson_is_int(value)) return yyjson_get_sint(value);
    if (!yyjson_is_str(value)) return -1;
    return (int64_t)(text_hash((Text){yyjson_get_str(value), (uint32_t)yyjson_get_len(value)}) >> 2);
}

static bool is(yyjson_val *key, const char *word) { return yyjson_equals_str(key, word); }

static void read_argument(Fields *fields, yyjson_val *key, yyjson_val *value) {
    if (is(key, "correlation"))
        fields->correlation = yyjson_get_sint(value), fields->wrong |= !yyjson_is_int(value);
    else if (is(key, "stream"))
        fields->stream = id_value(value), fields->has_stream = yyjson_is_int(value);
    else if (is(key, "device"))
        fields->device = id_value(value);
    else if (is(key, "bytes") && yyjson_is_uint(value))
        fields->bytes = yyjson_get_uint(value);
}

static void read_arguments(Fields *fields, yyjson_val *arguments) {
    yyjson_obj_iter each = yyjson_obj_iter_with(arguments);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&each));)
        read_argument(fields, key, yyjson_obj_iter_get_val(key));
}

static void read_field(Fields *fields, yyjson_val *key, yyjson_val *value) {
    if (is(key, "ph"))
        fields->phase = text_value(value, fields);
    else if (is(key, "cat"))
        fields->category = text_value(value, fields);
    else if (is(key, "name"))
        fields->name = text_value(value, fields);
    else if (is(key, "ts"))
        fields->start_us = number_value(value, &fields->has_start);
    else if (is(key, "dur"))
        fields->duration_us = number_value(value, &fields->has_duration);
    else if (is(key, "pid"))
        fields->process = id_value(value);
    else if (is(key, "tid"))
        fields->thread = id_value(value);
    else if (is(key, "args") && yyjson_is_obj(value))
        read_arguments(fields, value);
}

/* ---- small numbers and names ---- */

static uint16_t track(Arena *arena, Tracks *tracks, int64_t process, int64_t number) {
    for (uint32_t i = tracks->count; i-- > 0;)
        if (tracks->items[i].process == process && tracks->items[i].number == number) return (uint16_t)i;
    if (tracks->count == TRACK_LIMIT) return TRACK_LIMIT - 1;
    vec_push(arena, tracks, ((Track){process, number}));
    return (uint16_t)(tracks->count - 1);
}

/* The profiler's names of bound methods contain addresses, so each object would give a new name: removes them. */
static Text without_address(Text name) {
    static const char mark[] = " object at 0x";
    for (uint32_t i = 0; i + sizeof mark - 1 <= name.length; i++)
        if (name.bytes[i] == ' ' && memcmp(name.bytes + i, mark, sizeof mark - 1) == 0)
            return text_slice(name, 0, i);
    return name;
}

static Sym name_of(Reader *reader, Text name) {
    Names *names = &reader->trace->names;
    if (names->texts.count >= DISTINCT_NAMES) return names_find(names, name);
    return names_intern(names, name);
}

/* ---- kinds ---- */

static CallKind call_kind(Text name) {
    static const struct {
        Text prefix;
        CallKind kind;
    } kinds[] = {
#define CUDA_CALL(prefix, kind) {{#prefix, sizeof #prefix - 1}, CALL_##kind},
#include "cuda_calls.def"
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (text_starts(name, kinds[i].prefix)) return kinds[i].kind;
    return CALL_OTHER;
}

/* cudaMallocAsync and the like are ordered by the stream and do not wait. */
static bool is_async(Text name) { return text_holds(name, "Async"); }

void trace_name_call(TraceCall *call, Text name) {
    bool async = is_async(name);
    call->kind = (uint8_t)call_kind(name);
    if (async && (call->kind == CALL_ALLOCATE || call->kind == CALL_FREE)) call->kind = CALL_OTHER;
    call->blocks = call->kind == CALL_COPY && !async;
}

static WorkKind copy_kind(Text name) {
    if (text_holds(name, "HtoD")) return WORK_TO_DEVICE;
    if (text_holds(name, "DtoH")) return WORK_TO_HOST;
    return text_holds(name, "DtoD") ? WORK_ON_DEVICE : WORK_COPY;
}

/* ---- rows ---- */

static double since_origin(Reader *reader, double start_us) {
    if (!reader->has_origin) reader->origin_us = start_us, reader->has_origin = true;
    return start_us - reader->origin_us;
}

static void add_call(Reader *reader, const Fields *fields) {
    TraceCall *call = rows_add(reader->arena, &reader->trace->calls);
    call->start_us = since_origin(reader, fields->start_us);
    call->end_us = call->start_us + fields->duration_us;
    call->correlation = (uint32_t)fields->correlation;
    call->name = name_of(reader, fields->name);
    call->thread = track(reader->arena, &reader->threads, fields->process, fields->thread);
    trace_name_call(call, fields->name);
}

static void add_work(Reader *reader, const Fields *fields, WorkKind kind) {
    TraceWork *work = rows_add(reader->arena, &reader->trace->works);
    work->start_us = since_origin(reader, fields->start_us);
    work->end_us = work->start_us + fields->duration_us;
    work->correlation = (uint32_t)fields->correlation;
    work->name = name_of(reader, fields->name);
    work->bytes = fields->bytes < UINT32_MAX ? (uint32_t)fields->bytes : UINT32_MAX;
    int64_t device = fields->device >= 0 ? fields->device : fields->process;
    int64_t stream = fields->has_stream ? fields->stream : fields->thread;
    work->stream = track(reader->arena, &reader->streams, device, stream);
    (void)track(reader->arena, &reader->devices, device, 0);
    work->kind = (uint8_t)kind;
    work->pageable = text_holds(fields->name, "Pageable");
}

static void add_span(Reader *reader, const Fields *fields, SpanKind kind) {
    TraceSpan *span = rows_add(reader->arena, &reader->trace->spans);
    span->start_us = since_origin(reader, fields->start_us);
    span->end_us = span->start_us + fields->duration_us;
    span->name = name_of(reader, without_address(fields->name));
    span->thread = track(reader->arena, &reader->threads, fields->process, fields->thread);
    span->kind = (uint8_t)kind;
    reader->trace->has_operators |= kind == SPAN_OPERATOR;
    reader->trace->has_python |= kind == SPAN_PYTHON;
    reader->trace->has_steps |= kind == SPAN_STEP;
}

typedef enum RowKind {
    ROW_OTHER,
    ROW_CALL,
    ROW_KERNEL,
    ROW_COPY,
    ROW_FILL,
    ROW_OPERATOR,
    ROW_PYTHON,
    ROW_REGION,
    ROW_PROFILER
} RowKind;

static RowKind row_kind(Text category) {
    static const struct {
        Text now, before;
        RowKind kind;
    } kinds[] = {
#define CATEGORY(now, before, kind) {{#now, sizeof #now - 1}, {#before, sizeof #before - 1}, ROW_##kind},
#include "categories.def"
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (text_equal(category, kinds[i].now) || text_equal(category, kinds[i].before)) return kinds[i].kind;
    return ROW_OTHER;
}

static void add_event(Reader *reader, const Fields *fields) {
    bool step = text_starts(fields->name, TEXT("ProfilerStep"));
    switch (row_kind(fields->category)) {
    case ROW_OTHER: return;
    case ROW_CALL: add_call(reader, fields); break;
    case ROW_KERNEL: add_work(reader, fields, WORK_KERNEL); break;
    case ROW_COPY: add_work(reader, fields, copy_kind(fields->name)); break;
    case ROW_FILL: add_work(reader, fields, WORK_FILL); break;
    case ROW_OPERATOR: add_span(reader, fields, step ? SPAN_STEP : SPAN_OPERATOR); break;
    case ROW_PYTHON: add_span(reader, fields, SPAN_PYTHON); break;
    case ROW_REGION: add_span(reader, fields, step ? SPAN_STEP : SPAN_REGION); break;
    case ROW_PROFILER: add_span(reader, fields, SPAN_PROFILER); break;
    }
    reader->trace->kept++;
}

static void take_event(void *context, yyjson_val *event) {
    Reader *reader = context;
    Fields fields = {.device = -1};
    if (!yyjson_is_obj(event)) return;
    yyjson_obj_iter each = yyjson_obj_iter_with(event);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&each));)
        read_field(&fields, key, yyjson_obj_iter_get_val(key));
    if (!text_equal(fields.phase, TEXT("X"))) return; /* others are marks, flows and names */
    bool sound = !fields.wrong && fields.has_start && fields.has_duration && fields.duration_us >= 0 &&
                 fields.start_us >= 0 && fields.duration_us < 1e12 && fields.correlation >= 0;
    if (sound)
        add_event(reader, &fields);
    else
        reader->trace->broken++;
}

/* ---- order ---- */

static bool call_before(const void *a, const void *b) {
    const TraceCall *x = a, *y = b;
    if (x->start_us != y->start_us) return x->start_us < y->start_us;
    return x->correlation < y->correlation;
}

static bool work_before(const void *a, const void *b) {
    const TraceWork *x = a, *y = b;
    if (x->start_us != y->start_us) return x->start_us < y->start_us;
    return x->correlation < y->correlation;
}

/* Of spans with the same start, the outer one first. */
static bool span_before(const void *a, const void *b) {
    const TraceSpan *x = a, *y = b;
    if (x->start_us != y->start_us) return x->start_us < y->start_us;
    return x->end_us != y->end_us ? x->end_us > y->end_us : x->name < y->name;
}

static bool link_before(const void *a, const void *b) {
    const TraceLink *x = a, *y = b;
    return x->correlation != y->correlation ? x->correlation < y->correlation : x->work < y->work;
}

/* Shifts times to the earliest event, which need not be the first in the file. */
static void count_from_earliest(Trace *trace) {
    double earliest_us = INFINITY;
    if (trace->calls.count) earliest_us = fmin(earliest_us, trace_call(trace, 0)->start_us);
    if (trace->works.count) earliest_us = fmin(earliest_us, trace_work(trace, 0)->start_us);
    if (trace->spans.count) earliest_us = fmin(earliest_us, trace_span(trace, 0)->start_us);
    for (uint32_t i = 0; i < trace->calls.count; i++) {
        TraceCall *call = rows_at(&trace->calls, i);
        call->start_us -= earliest_us, call->end_us -= earliest_us;
    }
    for (uint32_t i = 0; i < trace->works.count; i++) {
        TraceWork *work = rows_at(&trace->works, i);
        work->start_us -= earliest_us, work->end_us -= earliest_us;
    }
    for (uint32_t i = 0; i < trace->spans.count; i++) {
        TraceSpan *span = rows_at(&trace->spans, i);
        span->start_us -= earliest_us, span->end_us -= earliest_us;
    }
}

static void link_works(Arena *arena, Trace *trace) {
    trace->links.size = sizeof(TraceLink);
    for (uint32_t i = 0; i < trace->works.count; i++)
        *(TraceLink *)rows_add(arena, &trace->links) = (TraceLink){trace_work(trace, i)->correlation, i};
    rows_sort(&trace->links, link_before);
}

void trace_finish(Arena *arena, Trace *trace) {
    rows_sort(&trace->calls, call_before);
    rows_sort(&trace->works, work_before);
    rows_sort(&trace->spans, span_before);
    count_from_earliest(trace);
    link_works(arena, trace);
}

uint32_t trace_links(const Trace *trace, uint32_t correlation, uint32_t *count) {
    uint32_t low = 0, high = trace->links.count;
    LOWER_BOUND(low, high, ((const TraceLink *)rows_at(&trace->links, middle))->correlation < correlation);
    *count = 0;
    while (correlation && low + *count < trace->links.count &&
           ((const TraceLink *)rows_at(&trace->links, low + *count))->correlation == correlation)
        ++*count;
    return low;
}

static bool check(const Trace *trace, Arena *arena, const char *path, const Split *split, Text *error) {
    const char *what = NULL;
    if (trace->kept == 0 && trace->broken > 0)
        what = "every event has fields of the wrong type or negative times: not what torch.profiler writes";
    else if (trace->calls.count == 0 && trace->works.count == 0)
        what = split->from_torch || trace->kept > 0 ? "has no CUDA events: record with activities=[..., "
                                                      "ProfilerActivity.CUDA] on the GPU (see syncl trace-help)"
                                                    : "is a Chrome trace, but not one of torch.profiler: it "
                                                      "has no CUDA calls or kernels (see syncl trace-help)";
    else if (trace->calls.count == 0)
        what =
            "has GPU work but no CUDA runtime calls, so nothing says what the host did (see syncl trace-help)";
    else if (trace->works.count == 0)
        what = "has CUDA calls but no GPU work: the profiler could not record kernels (see syncl trace-help)";
    else if (trace->broken > trace->kept / 100)
        what = "more than one event in a hundred is broken (wrong types or negative times)";
    if (what) *error = text_format(arena, "%s: %s", path, what);
    return !what;
}

Trace *trace_read(Arena *arena, const char *path, Text *error) {
    Arena scratch = {0};
    Trace *trace = arena_new(arena, Trace, 1);
    Reader reader = {.arena = arena, .trace = trace};
    Split split = {0};
    trace->calls.size = sizeof(TraceCall), trace->works.size = sizeof(TraceWork),
    trace->spans.size = sizeof(TraceSpan);
    trace->names.arena = arena;
    Feed *feed = feed_open(arena, path, error);
    bool read = feed && split_events(&scratch, feed, path, take_event, &reader, &split, error);
    if (feed) feed_close(feed);
    if (error->length) *error = text_format(arena, "%.*s", (int)error->length, error->bytes);
    arena_free(&scratch);
    trace->bytes = split.bytes, trace->events = split.events, trace->distributed = split.distributed,
    trace->rank = split.rank;
    trace->threads = reader.threads.count, trace->streams = reader.streams.count;
    trace->devices = reader.devices.count;
    if (!read || !check(trace, arena, path, &split, error)) return NULL;
    trace_finish(arena, trace);
    return trace;
}
