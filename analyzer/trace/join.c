#include "join.h"
#include "stack_join.h"

enum { ELEMENT_LIMIT = 400, WAITS_APART = 32, WORK_LIMIT = 300000000 };

/* A wait that the loop's events expect. */
typedef struct Element {
    SiteId site;
    uint32_t kinds;                /* bits of WaitKind that it may look like */
    bool shape, truth;             /* shape: waits for the size of a result; truth: for a truth value */
    bool mixed;                    /* may read anything */
    bool rare;                     /* not in every iteration */
    bool several;                  /* waits several times in a row */
    double skip;                   /* penalty of skipping it */
    uint32_t loop_first, loop_end; /* elements of the inner loop around it */
    FileId file;
    FuncId func;
    Text member; /* last component of the API's name */
} Element;

typedef struct Match {
    const TracedRun *run;
    const Waits *waits;
    const TracedWait *seen; /* the waits, with a mark (WAIT_MARK) where a backward pass begins */
    const uint32_t *origin; /* [seen]: index of the wait; UINT32_MAX = a mark */
    uint32_t seen_count;
    bool trains; /* the trace shows where backward passes begin */
    const Program *program;
    const Rulebook *book;
    const Findings *findings;
    const PythonFrame *frames;
    Element *elements;
    uint32_t count;
} Match;

/* Backward passes are queued by a thread of their own. */
static bool trains(const TracedRun *run) {
    uint32_t changes = 0;
    for (uint32_t i = 1; i < run->count; i++)
        changes += run->calls[i].chain == 0 && run->calls[i].thread_changed;
    return changes >= run->steps;
}

/* ---- the waits that the loop expects, in order ---- */

static Text last_part(Text dotted) {
    uint32_t start = dotted.length;
    while (start > 0 && dotted.bytes[start - 1] != '.') start--;
    return text_slice(dotted, start, dotted.length);
}

/* A site that waits eight times in a row gives eight elements; the number is not always known. */
static void add_elements(Match *match, const Event *event, uint32_t loop_first) {
    const Site *site = &match->findings->sites.items[event->site];
    const FileModel *model = match->program->files.items[site->file].model;
    const Hazard *hazard = &match->book->hazards[site->hazard];
    bool known = event->count >= 1 && event->count <= WAITS_APART && site->waits > 0;
    bool within = loop_first != UINT32_MAX, rare = event->share < 1;
    bool copies = waits_kinds(hazard) == 1u << WAITED_TO_DEVICE; /* an object is copied tensor by tensor */
    uint32_t times = known ? (uint32_t)event->count : 1;
    for (uint32_t i = 0; i < times && match->count < ELEMENT_LIMIT; i++)
        match->elements[match->count++] = (Element){
            .site = event->site,
            .kinds = waits_kinds(hazard),
            .shape = hazard->does & DOES_BIT(sizes),
            .truth = hazard->does & DOES_BIT(decides),
            .mixed = !hazard->trace || (hazard->trace & TRACE_BIT(mixed)),
            .rare = rare,
            .several = !known || copies,
            .skip = i > 0 || rare || within ? 0.1 : 0.7,
            .loop_first = loop_first,
            .loop_end = loop_first,
            .file = site->file,
            .func = frames_function_of(model, site->span.start),
            .member = last_part(site->entry),
        };
}

/* The backward pass is queued by its own thread, so any trace shows where it begins. This distinguishes reads
   that look alike before and after it. */
static void add_backward(Match *match) {
    if (match->count < ELEMENT_LIMIT)
        match->elements[match->count++] = (Element){.kinds = 1u << WAIT_MARK,
                                                    .skip = match->trains ? 2 : 0.5,
                                                    .loop_first = UINT32_MAX,
                                                    .loop_end = UINT32_MAX};
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
        /* A loop of one iteration is no loop: its contents belong to the loop around it. */
        uint32_t around = depth ? open[depth - 1] : UINT32_MAX;
        if (event->kind == EVENT_LOOP_BEGIN && depth < 16)
            open[depth++] = event->count == 1 ? around : match->count;
        if (event->kind == EVENT_LOOP_END && depth > 0 && open[--depth] != UINT32_MAX)
            close_loop(match, open[depth]);
        if (event->kind == EVENT_BACKWARD) add_backward(match);
        if (event->kind == EVENT_WAIT && event->site)
            add_elements(match, event, depth ? open[depth - 1] : UINT32_MAX);
    }
}

/* ---- the score of a wait and an element ---- */

/* Matches a pattern of `Operators:` or `Kernels:` on the pages of hazards like `dynamic-shape`. */
static bool tells_size(const Match *match, Text seen, bool operator) {
    for (HazardId id = 1; id < match->book->hazard_count; id++) {
        const Hazard *hazard = &match->book->hazards[id];
        if (!(hazard->does & DOES_BIT(sizes))) continue;
        Text list = rulebook_text(match->book, operator? hazard->operators : hazard->kernels);
        for (Text pattern = text_item(&list); pattern.length; pattern = text_item(&list))
            if (text_like(seen, pattern)) return true;
    }
    return false;
}

/* Whether the size of a result was read, by the operators around the wait or the kernel queued before the copy. */
static bool reads_shape(const Match *match, const TracedWait *wait) {
    const Trace *trace = match->run->trace;
    for (uint32_t i = 0; i < WAIT_OPERATORS && wait->operators[i]; i++)
        if (tells_size(match, names_text(&trace->names, wait->operators[i]), true)) return true;
    if (trace->has_operators || !wait->copy) return false;
    for (uint32_t i = wait->copy - 1; i-- > 0 && i + 8 > wait->copy;) {
        const RunCall *call = &match->run->calls[i];
        if (call->links)
            return tells_size(match, names_text(&trace->names, trace_linked(trace, call->first_link)->name),
                              false);
    }
    return false;
}

/* The function's name in a trace's frame: "<built-in method item of Tensor", "<built-in function print>",
   "torch/_tensor.py(568): __repr__". */
static Text short_name(Text frame) {
    static const char *const before[] = {"<built-in method ", "<built-in function "};
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) {
        if (!text_starts(frame, text_of(before[i]))) continue;
        uint32_t start = (uint32_t)strlen(before[i]), end = start;
        while (end < frame.length && frame.bytes[end] != ' ' && frame.bytes[end] != '>') end++;
        return text_slice(frame, start, end);
    }
    uint32_t start = frame.length;
    while (start > 0 && frame.bytes[start - 1] != ' ') start--;
    return text_slice(frame, start, frame.length);
}

/* The Python functions around the wait: the element's own function must be among them, and the one it calls be
   the API's. */
static double stack_agrees(const Match *match, const TracedWait *wait, const Element *element) {
    const Names *names = &match->run->trace->names;
    for (uint32_t i = 0, nearest = 1; i < wait->frame_count; i++) {
        const PythonFrame *frame = &match->frames[wait->frames[i]];
        if (!frame->file) continue;
        if (frame->file == element->file && frame->func == element->func) {
            Text called = i ? short_name(names_text(names, wait->frames[i - 1])) : TEXT("");
            bool protocol = text_starts(element->member, TEXT("__"));
            if (text_equal(called, TEXT("__next__")) && !protocol)
                return -1000; /* a wait of the loader itself */
            double named = text_equal(called, element->member) ? 3
                           : (called.length == 0) == protocol  ? 0.5
                                                               : -2;
            return (nearest ? 5 : 3) + named;
        }
        nearest = 0;
    }
    return wait->frame_count ? -1000 : 0;
}

static double agrees(const Match *match, const TracedWait *wait, bool shape, const Element *element) {
    if (wait->kind == WAITED_MEMORY) return -1000; /* matched by memory_to_its_site */
    if (wait->kind == WAIT_MARK || !element->site) return wait->kind == WAIT_MARK && !element->site ? 4 : -1000;
    if (!(element->kinds & (1u << wait->kind))) return -1000;
    double score = (element->kinds == UINT32_MAX ? 1 : 2) - (element->rare ? 0.8 : 0);
    if (!element->mixed && wait->kind <= WAITED_TO_HOST) score += element->shape == shape ? 1 : -2.5;
    if (!element->mixed && !shape && wait->bytes) score += (wait->bytes == 1) == element->truth ? 0.5 : -0.5;
    return score + stack_agrees(match, wait, element);
}

/* ---- the best alignment (dynamic programming) ---- */

/* Whether going from one element to another starts a new iteration of the loop. */
static bool starts_iteration(const Match *match, uint32_t from, uint32_t to) {
    const Element *element = &match->elements[from];
    if (to > from || (to == from && element->several)) return false;
    return element->loop_first == UINT32_MAX || to < element->loop_first || to >= element->loop_end;
}

/* The penalty of going from one element to the next one seen: the elements skipped in between. */
static double passage(const Match *match, uint32_t from, uint32_t to) {
    const Element *elements = match->elements;
    if (to == from && elements[to].several) return 0;
    bool inner = to <= from && !starts_iteration(match, from, to); /* the next iteration of an inner loop */
    uint32_t first = inner ? elements[from].loop_first : 0,
             end = inner ? elements[from].loop_end : match->count;
    double cost = inner ? 0.2 : 0;
    for (uint32_t i = from + 1 < end ? from + 1 : first; i != to && cost < 4; i = i + 1 < end ? i + 1 : first)
        cost += elements[i].skip;
    return -cost;
}

/* A step of the trace is one iteration of the loop, but need not begin where the loop does: it is cut where a
   sequence of launches recurs. Cut behind `loss.item()`, it has the waits of the iteration's end and then those of
   its beginning, so the alignment may go from the last elements to the first ones once a step, and not again:
   else a print, which reads three times, would be three iterations of one `.item()`. A state is therefore an
   element and whether this step has gone round already: state s is element s / 2, gone round s % 2. With the
   first wait of a step nothing has. */
typedef struct Way {
    double *score, *next; /* [state]: best score of an alignment that ends there */
    uint16_t *before;     /* [wait][state]: the previous state */
    bool *taken; /* [wait][state]: the wait is matched with the state's element; else it is unmatched */
} Way;

/* Wait w is matched with element e: improves the best alignments that end in either state of e, from any state
   before. fresh: w is the first of its step. */
static void take(const Match *match, const double *passages, Way way, uint32_t w, uint32_t e, double gain,
                 bool fresh) {
    uint32_t count = match->count;
    for (uint32_t from = 0; from < 2 * count; from++) {
        uint32_t f = from / 2;
        bool begun = fresh ? false : from % 2, around = starts_iteration(match, f, e);
        if (around && begun) continue;
        uint32_t to = 2 * e + (begun || around);
        double score = way.score[from] + passages[f * count + e] + gain;
        if (score <= way.next[to]) continue;
        way.next[to] = score;
        way.before[(size_t)w * 2 * count + to] = (uint16_t)from;
        way.taken[(size_t)w * 2 * count + to] = true;
    }
}

static double walk(const Match *match, uint32_t waits, const double *passages, Way way) {
    static const double unseen = -1.2;
    uint32_t states = 2 * match->count, step = UINT32_MAX;
    for (uint32_t w = 0; w < waits; w++) {
        const TracedWait *wait = &match->seen[w];
        bool shape = wait->kind != WAIT_MARK && reads_shape(match, wait),
             fresh = match->run->calls[wait->call].step != step;
        step = match->run->calls[wait->call].step;
        for (uint32_t s = 0; s < states; s++) {
            uint32_t from = fresh && s % 2 == 0 && way.score[s + 1] > way.score[s] ? s + 1 : s;
            way.next[s] = fresh && s % 2 ? -1e9 : way.score[from] + unseen;
            way.before[(size_t)w * states + s] = (uint16_t)from;
        }
        for (uint32_t e = 0; e < match->count; e++) {
            double gain = agrees(match, wait, shape, &match->elements[e]);
            if (gain > -100) take(match, passages, way, w, e, gain, fresh);
        }
        memcpy(way.score, way.next, sizeof *way.next * states);
    }
    double best = -1e9;
    for (uint32_t s = 0; s < states; s++)
        if (way.score[s] > best) best = way.score[s];
    return best;
}

static void follow_back(const Match *match, uint32_t waits, Way way, SiteId *sites) {
    uint32_t at = 0, states = 2 * match->count;
    for (uint32_t s = 0; s < states; s++)
        if (way.score[s] > way.score[at]) at = s;
    for (uint32_t w = waits; w-- > 0;) {
        size_t cell = (size_t)w * states + at;
        if (match->origin[w] != UINT32_MAX)
            sites[match->origin[w]] = way.taken[cell] ? match->elements[at / 2].site : 0;
        at = way.before[cell];
    }
}

/* The score of a loop's best alignment; fills in the sites. */
static double try_loop(Match *match, const HotLoop *loop, SiteId *sites) {
    Arena scratch = {0};
    uint32_t waits = match->seen_count;
    lay_out(match, loop);
    memset(sites, 0, sizeof *sites * (match->waits->items.count + 1));
    if (!match->count) return -1.2 * waits;
    size_t square = (size_t)match->count * match->count, states = 2 * (size_t)match->count;
    if (2 * waits * square > WORK_LIMIT) waits = (uint32_t)(WORK_LIMIT / (2 * square));
    Way way = {arena_new(&scratch, double, states), arena_new(&scratch, double, states),
               arena_new(&scratch, uint16_t, waits * states), arena_new(&scratch, bool, waits *states)};
    double *passages = arena_new(&scratch, double, square);
    for (uint32_t f = 0; f < match->count; f++)
        for (uint32_t e = 0; e < match->count; e++) passages[f * match->count + e] = passage(match, f, e);
    double score = walk(match, waits, passages, way);
    follow_back(match, waits, way, sites);
    arena_free(&scratch);
    return score;
}

/* ---- entry ---- */

/* Its API gives the allocator's memory back: `@fences('memory')` on a page. */
static bool gives_memory_back(const Match *match, SiteId site) {
    ClauseId clause = match->findings->sites.items[site].clause;
    return text_equal(rulebook_effect_text(match->book, clause, EFF_fences), TEXT("memory"));
}

/* A step that gives memory back frees and allocates again each time; any other keeps what it has. So all of the
   allocator's waits belong to that site, wherever they are made. */
static void memory_to_its_site(const Match *match, SiteId *sites) {
    SiteId cause = 0;
    for (uint32_t e = 0; e < match->count && !cause; e++)
        if (gives_memory_back(match, match->elements[e].site)) cause = match->elements[e].site;
    for (uint32_t i = 0; i < match->waits->items.count; i++)
        if (match->waits->items.items[i].kind == WAITED_MEMORY) sites[i] = cause;
}

/* The frame that the innermost function of the program calls. */
static uint32_t callee_of(const Match *match, const TracedWait *wait) {
    for (uint32_t i = 0; i < wait->frame_count; i++)
        if (match->frames[wait->frames[i]].file) return i;
    return 0;
}

/* The innermost Python function around the wait is not of the program. */
static bool within_library(const Match *match, const TracedWait *wait) {
    const Names *names = &match->run->trace->names;
    for (uint32_t i = 0; i < wait->frame_count; i++) {
        if (match->frames[wait->frames[i]].file) return false;
        if (!text_starts(names_text(names, wait->frames[i]), TEXT("<built-in"))) return true;
    }
    return false;
}

/* The thread that waits most; the autograd thread seldom does. */
static uint16_t main_thread(const TracedRun *run, const Waits *waits) {
    uint32_t counts[UINT8_MAX + 1] = {0};
    uint16_t most = run->calls[0].call->thread;
    for (uint32_t i = 0; i < waits->items.count; i++) {
        uint16_t thread = run->calls[waits->items.items[i].call].call->thread;
        if (thread <= UINT8_MAX && ++counts[thread] > counts[most]) most = thread;
    }
    return most;
}

/* Adds a mark where another thread continues the main chain and queues many launches: a backward pass. */
static void mark_backward(Arena *arena, Match *match) {
    const TracedRun *run = match->run;
    uint32_t waits = match->waits->items.count, next = 0, marks = 0;
    TracedWait *seen = arena_new(arena, TracedWait, waits + run->count + 1);
    uint32_t *origin = arena_new(arena, uint32_t, waits + run->count + 1);
    uint16_t own = main_thread(run, match->waits);
    for (uint32_t i = 0; i < run->count; i++) {
        const RunCall *call = &run->calls[i];
        bool begins = call->chain == 0 && call->thread_changed && call->call->thread != own && i > 0;
        if (begins)
            origin[next] = UINT32_MAX, seen[next++] = (TracedWait){.call = i, .kind = WAIT_MARK}, marks++;
        for (uint32_t w = next - marks; w < waits && match->waits->items.items[w].call == i; w++)
            origin[next] = w, seen[next++] = match->waits->items.items[w];
    }
    match->seen = seen, match->origin = origin, match->seen_count = next;
}

/* Stacks, where there are some, overrule the alignment. */
static void by_stacks(Arena *scratch, Join *join, const Match *match) {
    Sources *sources = sources_new(scratch, match->program);
    StackJoin input = {match->run, match->waits, match->program, sources, match->book, match->findings};
    stack_join(&input, join->sites, join->in_library);
    HotLoopId loop = stack_loop(&input, join->sites);
    if (loop) join->loop = loop;
}

/* Only one script of a folder ran, and scripts of one folder often wait alike. */
static HotLoopId rival_of(const Match *match, const double *scores, HotLoopId loop) {
    static const double alike = 0.05; /* difference of scores per wait that counts as equal */
    const HotLoop *loops = match->findings->loops.items;
    HotLoopId best = 0;
    for (HotLoopId id = 1; loop && id < match->findings->loops.count; id++) {
        bool near = scores[id] >= scores[loop] - alike * match->seen_count;
        if (loops[id].file != loops[loop].file && near && (!best || scores[id] > scores[best])) best = id;
    }
    return best;
}

Join *join_waits(Arena *arena, const TracedRun *run, const Waits *waits, const Program *program,
                 const Rulebook *book, const Findings *findings) {
    Arena scratch = {0};
    uint32_t count = waits->items.count;
    Join *join = arena_new(arena, Join, 1);
    Match match = {.run = run, .waits = waits, .program = program, .book = book, .findings = findings};
    join->sites = arena_new(arena, SiteId, count + 1);
    join->callees = arena_new(arena, uint32_t, count + 1);
    join->in_library = arena_new(arena, bool, findings->sites.count + 1);
    match.frames = frames_find(&scratch, run->trace, program);
    if (run->count) mark_backward(&scratch, &match);
    match.trains = trains(run);
    match.elements = arena_new(&scratch, Element, ELEMENT_LIMIT);
    SiteId *sites = arena_new(&scratch, SiteId, count + 1);
    double most = -1e9, *scores = arena_new(&scratch, double, findings->loops.count + 1);
    for (HotLoopId id = 1; id < findings->loops.count; id++) {
        const HotLoop *loop = &findings->loops.items[id];
        double score = scores[id] =
            try_loop(&match, loop, sites) + (unit_trains(loop->unit) ? (match.trains ? 1e6 : 0.5) : 0);
        if (score <= most) continue;
        most = score, join->loop = id;
        memory_to_its_site(&match, sites);
        memcpy(join->sites, sites, sizeof *sites * count);
    }
    join->rival = run->trace->stacks ? 0 : rival_of(&match, scores, join->loop);
    if (run->trace->stacks) by_stacks(&scratch, join, &match);
    for (uint32_t i = 0; i < count; i++) {
        join->matched += join->sites[i] != 0;
        join->callees[i] = callee_of(&match, &waits->items.items[i]);
        if (join->sites[i] && !run->trace->stacks)
            join->in_library[join->sites[i]] |= within_library(&match, &waits->items.items[i]);
    }
    arena_free(&scratch);
    return join;
}
