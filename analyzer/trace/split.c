#include "split.h"

enum {
    WINDOW = 1024 * 1024,
    EVENT_LIMIT = 16 * 1024 * 1024,
    NOWHERE_DEPTH = 1 << 30,
    KEY_LIMIT = 32,
};

typedef struct Scanner {
    Arena *arena;
    Feed *feed;
    const char *path;
    EventTaker *take;
    void *context;
    Split *split;
    Text *error;
    char *window;
    size_t capacity, used, at;
    size_t
        keep; /* from here on the window is still needed: an unfinished event or string; SIZE_MAX = nothing */
    uint64_t dropped;             /* bytes of the file before the window */
    uint32_t depth, events_depth; /* events_depth: depth inside the array of events; NOWHERE_DEPTH outside */
    bool in_string, is_array, found, closed;
    size_t string_start;
    char key[KEY_LIMIT]; /* the latest string at depth 1 */
    bool in_rank;        /* after "rank" in distributedInfo: digits belong to it */
    char *parsed;        /* a copy of an event, in which yyjson works */
    size_t parsed_room;
    char *pool;
    size_t pool_room;
} Scanner;

static bool fail(Scanner *scanner, const char *what) {
    uint64_t byte = scanner->dropped + scanner->at;
    *scanner->error =
        text_format(scanner->arena, "%s: %s (at byte %llu)", scanner->path, what, (unsigned long long)byte);
    return false;
}

static char *room_for(Scanner *scanner, char **bytes, size_t *room, size_t wanted) {
    if (*room < wanted) *bytes = arena_alloc(scanner->arena, *room = wanted * 2);
    return *bytes;
}

/* Passes on one event. yyjson parses a copy in place: it unescapes strings where they are. */
static bool hand_on(Scanner *scanner, size_t start, size_t end) {
    size_t length = end - start;
    char *copy = room_for(scanner, &scanner->parsed, &scanner->parsed_room, length + YYJSON_PADDING_SIZE);
    memcpy(copy, scanner->window + start, length);
    memset(copy + length, 0, YYJSON_PADDING_SIZE);
    size_t needed = yyjson_read_max_memory_usage(length, YYJSON_READ_INSITU);
    char *pool = room_for(scanner, &scanner->pool, &scanner->pool_room, needed);
    yyjson_alc allocator;
    yyjson_read_err problem;
    yyjson_alc_pool_init(&allocator, pool, scanner->pool_room);
    yyjson_doc *event = yyjson_read_opts(copy, length, YYJSON_READ_INSITU, &allocator, &problem);
    if (!event) return fail(scanner, problem.msg);
    scanner->split->events++;
    scanner->take(scanner->context, yyjson_doc_get_root(event));
    return true;
}

static bool key_is(const Scanner *scanner, const char *key) { return strcmp(scanner->key, key) == 0; }

static void note_key(Scanner *scanner) {
    scanner->split->from_torch |= key_is(scanner, "deviceProperties") || key_is(scanner, "schemaVersion") ||
                                  key_is(scanner, "baseTimeNanoseconds");
    scanner->split->distributed |= key_is(scanner, "distributedInfo");
}

static void end_string(Scanner *scanner) {
    scanner->in_string = false;
    if (scanner->depth <= scanner->events_depth) scanner->keep = SIZE_MAX; /* no longer inside an event */
    size_t length = scanner->at - scanner->string_start;
    const char *string = scanner->window + scanner->string_start;
    scanner->in_rank = scanner->depth == 2 && key_is(scanner, "distributedInfo") && length == 4 &&
                       memcmp(string, "rank", length) == 0;
    if (scanner->depth != 1) return;
    if (length >= KEY_LIMIT) length = 0;
    memcpy(scanner->key, string, length);
    scanner->key[length] = '\0';
    note_key(scanner);
}

/* Moves behind the end of the string, or to the end of the window. */
static void skip_string(Scanner *scanner) {
    while (scanner->at < scanner->used) {
        char *quote = memchr(scanner->window + scanner->at, '"', scanner->used - scanner->at);
        scanner->at = quote ? (size_t)(quote - scanner->window) : scanner->used;
        if (!quote) return;
        size_t escapes = 0;
        while (scanner->at - escapes > scanner->string_start && quote[-1 - (long)escapes] == '\\') escapes++;
        if (escapes % 2 == 0) end_string(scanner);
        scanner->at++;
        if (!scanner->in_string) return;
    }
}

static void begin_string(Scanner *scanner) {
    scanner->in_string = true;
    scanner->string_start = scanner->at + 1;
    if (scanner->keep == SIZE_MAX) scanner->keep = scanner->at;
    scanner->split->odd += scanner->depth == scanner->events_depth;
}

static void open_bracket(Scanner *scanner, char bracket) {
    if (scanner->depth == 0) scanner->is_array = bracket == '[';
    bool begins = bracket == '[' && !scanner->found &&
                  (scanner->depth == 0 || (scanner->depth == 1 && key_is(scanner, "traceEvents")));
    if (scanner->depth == scanner->events_depth) {
        scanner->keep = scanner->at;
        scanner->split->odd += bracket == '[';
    }
    scanner->depth++;
    if (begins) scanner->events_depth = scanner->depth, scanner->found = true;
}

static bool close_bracket(Scanner *scanner) {
    if (scanner->depth == 0) return fail(scanner, "a bracket too many: not a trace");
    scanner->depth--;
    if (scanner->depth == scanner->events_depth) {
        bool object = scanner->window[scanner->keep] == '{';
        if (object && !hand_on(scanner, scanner->keep, scanner->at + 1)) return false;
        scanner->keep = SIZE_MAX;
    }
    if (scanner->depth < scanner->events_depth) scanner->events_depth = NOWHERE_DEPTH;
    if (scanner->depth == 0) scanner->closed = true;
    return true;
}

static void note_rank(Scanner *scanner, char c) {
    enum { MOST = 1000000 };
    uint32_t *rank = &scanner->split->rank;
    if (c >= '0' && c <= '9' && *rank < MOST) *rank = *rank * 10 + (uint32_t)(c - '0');
}

static bool scan(Scanner *scanner) {
    while (scanner->at < scanner->used) {
        if (scanner->in_string) {
            skip_string(scanner);
            continue;
        }
        char c = scanner->window[scanner->at];
        switch (c) {
        case '"': begin_string(scanner); break;
        case '{':
        case '[': open_bracket(scanner, c); break;
        case '}':
        case ']':
            if (!close_bracket(scanner)) return false;
            break;
        default:
            if (scanner->depth == 0 && !scanner->closed && !strchr(" \t\r\n\xEF\xBB\xBF", c))
                return fail(scanner, "is not JSON, so not a Chrome trace");
            scanner->split->odd +=
                scanner->depth == scanner->events_depth && (c == 't' || c == 'f' || c == 'n');
            if (scanner->in_rank) note_rank(scanner, c);
        }
        scanner->at++;
    }
    return true;
}

/* Drops what is no longer needed and reads more behind the rest. */
static bool refill(Scanner *scanner) {
    size_t from = scanner->keep < scanner->at ? scanner->keep : scanner->at, rest = scanner->used - from;
    if (rest > EVENT_LIMIT) return fail(scanner, "one event is larger than 16 MB: not a trace");
    char *window = scanner->window;
    if (rest > scanner->capacity / 2) {
        scanner->window = arena_alloc(scanner->arena, scanner->capacity *= 2);
        memcpy(scanner->window, window + from, rest);
    } else {
        memmove(window, window + from, rest);
    }
    if (scanner->keep != SIZE_MAX) scanner->keep -= from;
    scanner->string_start -= scanner->in_string ? from : 0;
    scanner->at -= from, scanner->used = rest, scanner->dropped += from;
    size_t more = feed_read(scanner->feed, scanner->window + rest, scanner->capacity - rest, scanner->error);
    scanner->used += more, scanner->split->bytes += more;
    return more > 0;
}

bool split_events(Arena *arena, Feed *feed, const char *path, EventTaker *take, void *context, Split *split,
                  Text *error) {
    Scanner scanner = {.arena = arena,
                       .feed = feed,
                       .path = path,
                       .take = take,
                       .context = context,
                       .split = split,
                       .error = error,
                       .capacity = WINDOW,
                       .keep = SIZE_MAX,
                       .events_depth = NOWHERE_DEPTH};
    scanner.window = arena_alloc(arena, WINDOW);
    *split = (Split){0};
    while (refill(&scanner))
        if (!scan(&scanner)) return false;
    if (error->length) return false;
    if (split->bytes == 0) return fail(&scanner, "is empty");
    if (!scanner.closed)
        return fail(
            &scanner,
            "is cut off: the end of the JSON is missing. Let the profiler finish writing, then record again");
    if (!scanner.found) return fail(&scanner, "has no \"traceEvents\": JSON, but not a Chrome trace");
    return true;
}
