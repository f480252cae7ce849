#ifndef SYNCL_SITE_H
#define SYNCL_SITE_H
/* Sites, hot loops and their events: what the analysis passes to cost and report. A site is a place where the
   host may wait for the GPU, in code that can run more than once in a run. Plain data, owned by the arena of
   the Analysis and const once flow/ has made it. All ids start at 1; 0 = none. */
#include "confidence.h"
#include "program.h"
#include "rulebook.h"
#include "workload.h"

typedef uint32_t SiteId, HotLoopId;

typedef enum Level { LEVEL_NOTE, LEVEL_WARNING, LEVEL_ERROR } Level; /* an error breaks a contract of an API */
typedef enum Need { NEED_UNKNOWN, NEED_AVOIDABLE, NEED_NEEDED } Need;
typedef enum Role { ROLE_GPU, ROLE_HOT, ROLE_WAIT } Role;

/* What "how often" counts: the kind of iteration of the hot loop that a site belongs to. */
typedef enum Unit {
    UNIT_NONE,
    UNIT_STEP,       /* training step */
    UNIT_BATCH,      /* one of several batches whose gradients are accumulated for one training step */
    UNIT_EVALUATION, /* evaluation batch */
    UNIT_ITERATION, /* iteration of any other loop that launches GPU work: rollout, decoded token, inference batch */
    UNIT_CALL,      /* no loop is visible: each call of a method that a framework or the model's user calls */
    UNIT_EPOCH,     /* iteration of a loop around hot loops */
} Unit;

const char *unit_one(Unit unit);  /* "training step" */
const char *unit_a(Unit unit);    /* "a training step" */
const char *unit_many(Unit unit); /* "training steps" */
Text unit_word(Unit unit);        /* "step": the word of JSON and dumps; "run" for UNIT_NONE */

static inline bool unit_trains(Unit unit) { return unit == UNIT_STEP || unit == UNIT_BATCH; }

typedef struct Frequency {
    Unit unit;
    double times;      /* executions in an iteration in which it runs (inner loops multiply); 0 = several, number
                          unknown */
    uint32_t every;    /* runs once in so many iterations; 1 = in each; 0 = less often, number unknown */
    bool rank_guarded; /* under `if rank == 0` or the like */
    bool gathered;     /* UNIT_STEP: a step has `batches` iterations, each a UNIT_BATCH; 0 = several, number unknown */
    uint32_t batches;
    bool whole;        /* UNIT_EPOCH: once in each of several trainings */
    Text only;         /* an option that is off by default and must be given, "`--amp`"; empty = it runs always */
    Text text;         /* "every training step", "once in 100 training steps", "8 times every step", ... */
} Frequency;

typedef struct Reason {
    Role role;
    bool loop; /* the span is the head of a loop around the line, or around a call on the way to it */
    FileId file;
    Span span;
    Text text; /* "`loss` is on the GPU: result of `model(...)`" */
} Reason;

/* A replacement of bytes in a file. */
typedef struct FixEdit {
    FileId file;
    Span span; /* the bytes removed; end = start: none */
    Text text;
    bool behind; /* it goes after the loop, where a value that each iteration read is read once */
    bool waits;  /* it waits, in place of several other waits */
} FixEdit;

typedef struct FixSpan {
    FileId file;
    Span span;
} FixSpan;

/* What a remedy of the rule's page makes of the code: all edits are made, or none. */
typedef struct Fix {
    Text remedy; /* its name on the page */
    Text title; /* what it does */
    Text doubt; /* why it is unsafe; empty = safe: same values, random numbers and exceptions */
    const FixEdit *edits; /* by file and position, without overlap */
    uint32_t edit_count;
    bool joined; /* one wait remains, shared with other places */
    bool sure;   /* worth it only where even the low end of its gain counts */
    const FixSpan *with; /* other places that stop waiting with it */
    uint32_t with_count;
} Fix;

typedef struct Site {
    FileId file;
    Span span;      /* the waiting expression */
    ExprId expr;    /* the same; 0 for what is no expression, such as a comment */
    Span statement; /* the head of its statement */
    uint32_t rank;  /* its place in an order that ignores where functions stand in their files: by file, function
                       (ranking.h), then place in it */
    HazardId hazard;
    ClauseId clause;
    Confidence confidence;
    Evidence evidence;
    Level level;
    uint16_t purpose; /* PURPOSE_ word: what the value is read for, as far as its own function shows; 0 = unknown */
    Need need;
    Text entry;                                 /* qualified name of the API that waits: torch.Tensor.item */
    double waits;                               /* per execution; 0 = several, number unknown */
    double backward_waits;                      /* further waits, at the backward() line */
    double copied_bytes_low, copied_bytes_high; /* per execution; 0 when only a scalar is copied */
    bool copy_to_device;
    bool other;     /* in one of two branches, the other of which is in the loop's prices: never added to them */
    bool unpriced;  /* not a wait: wrong or slow in a way that has no price */
    Text accelerator; /* see Findings; of its part of the program */
    HotLoopId loop; /* the dearest one; frequency.unit is its iteration (UNIT_EPOCH: the loop around it) */
    Frequency frequency;
    const Reason *reasons;
    uint32_t reason_count;
    const HotLoopId *also;
    uint32_t also_count; /* other loops that reach it */
    const Fix *fix;      /* NULL = no remedy of its page fits */
} Site;

typedef struct Lines {
    uint32_t first, last;
} Lines;

Lines site_lines(const FileModel *model, const Site *site); /* of its statement */

typedef enum EventKind {
    EVENT_OPS,       /* forward code queues `count` GPU operations, `matmuls` of them long ones */
    EVENT_BACKWARD,  /* the backward pass of the operations since the loop began (their `backward` counts) */
    EVENT_OPTIMIZER, /* an optimizer step of `count` operations */
    EVENT_WAIT,      /* the host waits `count` times; `site` is set */
    EVENT_COPY,      /* bytes cross the bus; `site` is set if a finding causes it; to_device */
    EVENT_HOST,   /* host work: `count` times a quantity of calib/profile.def; without a name, of unknown length */
    EVENT_DATA,   /* the next batch is taken from a loader */
    EVENT_UNSEEN, /* a call of an unknown model or function: it may queue any number of operations */
    EVENT_LOOP_BEGIN, /* an inner loop of `count` iterations (0 = unknown), up to its EVENT_LOOP_END */
    EVENT_LOOP_END,
} EventKind;

typedef struct Event {
    uint8_t kind;    /* EventKind */
    bool to_device;
    bool pinned;     /* EVENT_COPY: the source is certainly in page-locked memory */
    bool in_process; /* EVENT_DATA: no worker process prepares it */
    SiteId site;     /* of an EVENT_WAIT, and of the OPS, HOST and COPY events that go away when the site is removed */
    double share;    /* 1 = in each iteration; 0.01 = in one of 100 */
    double count;    /* 0 = unknown, where allowed above */
    union {
        struct {
            double backward; /* EVENT_OPS: operations that its backward pass queues */
            double matmuls;  /* EVENT_OPS: how many of `count` are long operations */
        };
        struct {
            double bytes_low, bytes_high; /* EVENT_COPY */
        };
        Text quantity; /* EVENT_HOST */
    };
    FileId file;
    Span span; /* the call that caused it */
    const Workload *work; /* how much work that is, as far as shapes tell: use event_work */
} Event;

/* The event's workload; most events have none, and many share one. */
static inline const Workload *event_work(const Event *event) {
    static const Workload none = {0};
    return event->work ? event->work : &none;
}

typedef struct HotLoop {
    Unit unit; /* STEP, BATCH, EVALUATION, ITERATION or CALL */
    FileId file;
    Span head; /* `for batch in loader:`, or the def line for UNIT_CALL */
    Text name; /* "training step of `for x, y in loader` in train()" */
    const Event *events;
    uint32_t event_count; /* in program order, through calls */
    uint32_t unseen;      /* calls of unknown functions */
    Text unseen_text;     /* the first of them, for the report */
    Text accelerator;     /* as of a site */
} HotLoop;

typedef struct Findings {
    VEC(Site)
    sites; /* items[0] unused; in file, then position order; after them what the order of events shows */
    VEC(HotLoop) loops; /* items[0] unused; in file, then position order */
    Text accelerator;   /* "mps": the code runs on that accelerator, for which nothing is calibrated; empty = CUDA */
    uint32_t given_up;  /* calls of functions whose values did not settle within the bounds on evaluations and
                           iterations */
    uint32_t
        unknown_receivers; /* operations that would wait if an unknown value were on the GPU: counted only */
} Findings;

#endif
