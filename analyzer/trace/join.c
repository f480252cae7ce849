#include "join.h"

enum { ELEMENT_LIMIT = 400, WORK_LIMIT = 300000000 };

#define KIND(kind) (1u << WAITED_##kind)

/* A wait of the loop's events. */
typedef struct Element {
    SiteId site;
    uint32_t kinds;                /* bits of WaitKind that it can be seen as */
    bool shape;                    /* waits for the size of a result */
    bool several;                  /* waits more than once on end */
    double skip;                   /* what it costs to leave it out */
    uint32_t loop_first, loop_end; /* elements of the inner loop around it */
    FileId file;
    FuncId func;
    Text member; /* last part of the API's name */
} Element;

typedef struct Match {
    const TracedRun *run;
    const Waits *waits;
    const Program *program;
    const Rulebook *book;
    const Findings *findings;
    const PythonFrame *frames;
    Element *elements;
    uint32_t count;
} Match;

/* How a rule's waits look in a trace. A rule that is not here may look like anything. */
static uint32_t kinds_of(Text rule) {
    static const struct {
        const char *rule;
        uint32_t kinds;
    } rows[] = {
        {"host-read", KIND(READ) | KIND(TO_HOST)},
        {"print-tensor", KIND(READ) | KIND(TO_HOST)},
        {"tensor-truth", KIND(READ)},
        {"copy-to-host", KIND(TO_HOST) | KIND(READ)},
        {"copy-to-device", KIND(TO_DEVICE)},
        {"tensor-from-host", KIND(TO_DEVICE)},
        {"index-from-host", KIND(TO_DEVICE) | KIND(READ)},
        {"dynamic-shape", KIND(READ) | KIND(TO_HOST)},
        {"explicit-sync", KIND(DEVICE) | KIND(STREAM) | KIND(EVENT) | KIND(MEMORY)},
        {"grad-scaler", KIND(READ)},
        {"linalg-check", KIND(READ)},
        {"distribution-validation", KIND(READ)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (text_equal(rule, text_of(rows[i].rule))) return rows[i].kinds;
    return UINT32_MAX;
}

/* ---- the loop's waits in order ---- */

static Text last_part(Text dotted) {
    uint32_t start = dotted.length;
    while (start > 0 && dotted.bytes[start - 1] != '.') start--;
    return text_slice(dotted, start, dotted.length);
}

static void add_element(Match *match, const Event *event, uint32_t loop_first) {
    const Site *site = &match->findings->sites.items[event->site];
    const FileModel *model = match->program->files.items[site->file].model;
    Text rule = rulebook_text(match->book, match->book->hazards[site->hazard].name);
    if (match->count == ELEMENT_LIMIT) return;
    match->elements[match->count++] = (Element){
        .site = event->site,
        .kinds = kinds_of(rule),
        .shape = text_equal(rule, TEXT("dynamic-shape")),
        .several = event->count != 1 || site->waits != 1,
        .skip = event->share < 1 || loop_first != UINT32_MAX ? 0.1 : 0.7,
        .loop_first = loop_first,
        .loop_end = loop_first,
        .file = site->file,
        .func = frames_function_of(model, site->span.start),
        .member = last_part(site->entry),
    };
}

static void close_loop(Match *match, uint32_t first) {
    for (uint32_t i = first; i < match->count; i++)
        if (match->elements[i].loop_first == first) match->elements[i].loop_end = match->count;
}

static void lay_out(Match *match, const HotLoop *loop) {
    uint32_t open[16], depth = 0;
    match->count = 0;
    for (uint32_t i = 0; i < loop->event_count; i++) {
        const Event *event = &loop->events[i];
        if (event->kind == EVENT_LOOP_BEGIN && depth < 16) open[depth++] = match->count;
        if (event->kind == EVENT_LOOP_END && depth > 0) close_loop(match, open[--depth]);
        if (event->kind == EVENT_WAIT && event->site)
            add_element(match, event, depth ? open[depth - 1] : UINT32_MAX);
    }
}

/* ---- how well a wait and an element agree ---- */

static bool holds(Text text, const char *word) {
    uint32_t length = (uint32_t)strlen(word);
    for (uint32_t i = 0; i + length <= text.length; i++)
        if (memcmp(text.bytes + i, word, length) == 0) return true;
    return false;
}

/* Is the size of a result what was read? The operators say so, or the kernel queued before the copy. */
static bool reads_shape(const Match *match, const TracedWait *wait) {
    static const char *const operators[] = {"nonzero",           "index",   "masked_select", "unique",
                                            "repeat_interleave", "bincount"};
    const Names *names = &match->run->trace->names;
    for (uint32_t i = 0; i < WAIT_OPERATORS && wait->operators[i]; i++)
        for (size_t k = 0; k < sizeof operators / sizeof operators[0]; k++)
            if (holds(names_text(names, wait->operators[i]), operators[k]) &&
                !text_equal(names_text(names, wait->operators[i]), TEXT("aten::is_nonzero")))
                return true;
    if (match->run->trace->has_operators || !wait->copy) return false;
    for (uint32_t i = wait->copy - 1; i-- > 0 && i + 4 > wait->copy;) {
        const RunCall *call = &match->run->calls[i];
        if (call->links)
            return holds(names_text(names, trace_linked(match->run->trace, call->first_link)->name), "cub::");
    }
    return false;
}

/* "<built-in method item of Tensor" calls torch.Tensor.item. */
static bool calls_member(Text name, Text member) {
    static const char before[] = "<built-in method ";
    uint32_t start = (uint32_t)sizeof before - 1, end = start + member.length;
    return member.length && text_starts(name, text_of(before)) && end < name.length && name.bytes[end] == ' ' &&
           text_equal(text_slice(name, start, end), member);
}

/* The Python functions around the wait: the element's own must be one of them. */
static double stack_agrees(const Match *match, const TracedWait *wait, const Element *element) {
    bool nearest = true, named = false;
    for (uint32_t i = 0; i < wait->frame_count; i++) {
        const PythonFrame *frame = &match->frames[wait->frames[i]];
        Text name = names_text(&match->run->trace->names, wait->frames[i]);
        if (nearest && !frame->file) named |= calls_member(name, element->member);
        if (!frame->file) continue;
        if (frame->file == element->file && frame->func == element->func)
            return (nearest ? 5 : 3) + (named ? 2 : 0);
        nearest = false;
    }
    return wait->frame_count ? -1000 : 0;
}

static double agrees(const Match *match, const TracedWait *wait, bool shape, const Element *element) {
    if (!(element->kinds & (1u << wait->kind))) return -1000;
    double score = element->kinds == UINT32_MAX ? 1 : 2;
    if (element->kinds != UINT32_MAX && wait->kind <= WAITED_TO_HOST)
        score += element->shape == shape ? 1 : -2.5;
    return score + stack_agrees(match, wait, element);
}

/* ---- the dearest way ---- */

/* What it costs to go from one element to the next one seen. */
static double passage(const Match *match, uint32_t from, uint32_t to) {
    const Element *elements = match->elements;
    if (from == to && elements[to].several) return 0;
    bool same_loop = elements[from].loop_first != UINT32_MAX && to >= elements[from].loop_first &&
                     to < elements[from].loop_end;
    if (to <= from && same_loop) return -0.2;
    double cost = 0;
    for (uint32_t i = (from + 1) % match->count; i != to && cost < 4; i = (i + 1) % match->count)
        cost += elements[i].skip;
    return -cost;
}

typedef struct Way {
    double *score; /* [element], of the best way that has come to it */
    uint16_t
        *before; /* [wait][element] the element before; the wait itself was of element `at` unless unseen */
    bool *taken; /* [wait][element] the wait belongs to the element */
} Way;

static double walk(const Match *match, uint32_t waits, const double *passages, Way way, double *next) {
    static const double unseen = -1.2;
    uint32_t count = match->count;
    for (uint32_t w = 0; w < waits; w++) {
        const TracedWait *wait = &match->waits->items.items[w];
        bool shape = reads_shape(match, wait);
        for (uint32_t e = 0; e < count; e++) {
            double gain = agrees(match, wait, shape, &match->elements[e]), best = way.score[e] + unseen;
            uint32_t from = e;
            bool taken = false;
            for (uint32_t f = 0; f < count && gain > -100; f++) {
                double score = way.score[f] + passages[f * count + e] + gain;
                if (score > best) best = score, from = f, taken = true;
            }
            next[e] = best;
            way.before[(size_t)w * count + e] = (uint16_t)from;
            way.taken[(size_t)w * count + e] = taken;
        }
        memcpy(way.score, next, sizeof *next * count);
    }
    double best = -1e9;
    for (uint32_t e = 0; e < count; e++)
        if (way.score[e] > best) best = way.score[e];
    return best;
}

static void follow_back(const Match *match, uint32_t waits, Way way, SiteId *sites) {
    uint32_t at = 0, count = match->count;
    for (uint32_t e = 0; e < count; e++)
        if (way.score[e] > way.score[at]) at = e;
    for (uint32_t w = waits; w-- > 0;) {
        size_t cell = (size_t)w * count + at;
        sites[w] = way.taken[cell] ? match->elements[at].site : 0;
        at = way.before[cell];
    }
}

/* How well a loop explains the waits; fills in the sites. */
static double try_loop(Match *match, const HotLoop *loop, SiteId *sites) {
    Arena scratch = {0};
    uint32_t waits = match->waits->items.count;
    lay_out(match, loop);
    memset(sites, 0, sizeof *sites * (waits + 1));
    if (!match->count) return -1.2 * waits;
    size_t square = (size_t)match->count * match->count;
    if (waits * square > WORK_LIMIT) waits = (uint32_t)(WORK_LIMIT / square);
    Way way = {arena_new(&scratch, double, match->count),
               arena_new(&scratch, uint16_t, (size_t)waits * match->count),
               arena_new(&scratch, bool, (size_t)waits * match->count)};
    double *passages = arena_new(&scratch, double, square), *next = arena_new(&scratch, double, match->count);
    for (uint32_t f = 0; f < match->count; f++)
        for (uint32_t e = 0; e < match->count; e++) passages[f * match->count + e] = passage(match, f, e);
    double score = walk(match, waits, passages, way, next);
    follow_back(match, waits, way, sites);
    arena_free(&scratch);
    return score;
}

/* ---- all of it ---- */

/* The innermost Python function around the wait is none of the program's. */
static bool within_library(const Match *match, const TracedWait *wait) {
    const Names *names = &match->run->trace->names;
    for (uint32_t i = 0; i < wait->frame_count; i++) {
        if (match->frames[wait->frames[i]].file) return false;
        if (!text_starts(names_text(names, wait->frames[i]), TEXT("<built-in"))) return true;
    }
    return false;
}

Join *join_waits(Arena *arena, const TracedRun *run, const Waits *waits, const Program *program,
                 const Rulebook *book, const Findings *findings) {
    Arena scratch = {0};
    uint32_t count = waits->items.count;
    Join *join = arena_new(arena, Join, 1);
    Match match = {.run = run, .waits = waits, .program = program, .book = book, .findings = findings};
    join->sites = arena_new(arena, SiteId, count + 1);
    join->in_library = arena_new(arena, bool, findings->sites.count + 1);
    match.frames = frames_find(&scratch, run->trace, program);
    match.elements = arena_new(&scratch, Element, ELEMENT_LIMIT);
    SiteId *sites = arena_new(&scratch, SiteId, count + 1);
    double most = -1e9;
    for (HotLoopId id = 1; id < findings->loops.count; id++) {
        const HotLoop *loop = &findings->loops.items[id];
        double score = try_loop(&match, loop, sites) + (loop->unit == UNIT_STEP ? 0.5 : 0);
        if (score <= most) continue;
        most = score, join->loop = id;
        memcpy(join->sites, sites, sizeof *sites * count);
    }
    for (uint32_t i = 0; i < count; i++) {
        join->matched += join->sites[i] != 0;
        if (join->sites[i]) join->in_library[join->sites[i]] |= within_library(&match, &waits->items.items[i]);
    }
    arena_free(&scratch);
    return join;
}
