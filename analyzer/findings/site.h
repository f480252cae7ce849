#ifndef SYNCL_SITE_H
#define SYNCL_SITE_H
/* Sites, hot loops and their events: what the analysis hands to cost and report. A site is a place where the host
   may wait for the GPU in code that can run more than once in a run. Everything here is plain data, owned by the
   arena of the Analysis, const after `sites` and `calls` made it. All ids start at 1, 0 = none. */
#include "confidence.h"
#include "program.h"
#include "rulebook.h"
#include "workload.h"

typedef uint32_t SiteId, HotLoopId;

typedef enum Level { LEVEL_NOTE, LEVEL_WARNING, LEVEL_ERROR } Level; /* an error breaks a contract */
typedef enum Need { NEED_UNKNOWN, NEED_AVOIDABLE, NEED_NEEDED } Need;
typedef enum Role { ROLE_GPU, ROLE_HOT, ROLE_WAIT } Role;

/* The unit of "how often": one turn of the hot loop that a site belongs to. */
typedef enum Unit {
    UNIT_NONE,
    UNIT_STEP,       /* training step */
    UNIT_BATCH,      /* one of several batches whose gradients add up to a training step's */
    UNIT_EVALUATION, /* evaluation batch */
    UNIT_ITERATION, /* any other loop that launches GPU work each turn: rollout, decoded token, inference batch */
    UNIT_CALL,      /* no loop is visible: each call of a method that a framework or a model's user calls */
    UNIT_EPOCH,     /* the body of a loop around hot loops */
} Unit;

static inline bool unit_trains(Unit unit) { return unit == UNIT_STEP || unit == UNIT_BATCH; }

typedef struct Frequency {
    Unit unit;
    double times;      /* executions a turn when it runs (inner loops multiply); 0 = several, number unknown */
    uint32_t every;    /* runs once in so many turns; 1 = each turn; 0 = amortised, N unknown */
    bool rank_guarded; /* under `if rank == 0` and the like */
    bool gathered;     /* of UNIT_STEP: so many turns of the loop make one, each a UNIT_BATCH; 0 = several, number unknown */
    uint32_t batches;
    bool whole;        /* of UNIT_EPOCH: once in each of several trainings */
    Text only;         /* "`--amp`": where an option is given that is off by default; empty = always */
    Text text;         /* "every training step", "once in 100 training steps", "8 times every step", ... */
} Frequency;

typedef struct Reason {
    Role role;
    FileId file;
    Span span;
    Text text; /* "`loss` is on the GPU: result of `model(...)`" */
} Reason;

/* Bytes that go, and what comes in their place. */
typedef struct FixEdit {
    FileId file;
    Span span; /* end = start: none do */
    Text text;
    bool behind; /* it stands behind the loop, where what was read in each turn is read once more */
    bool waits;  /* what several places waited for is waited for here */
} FixEdit;

typedef struct FixSpan {
    FileId file;
    Span span;
} FixSpan;

/* What a remedy of the rule's page makes of the code: all of its edits or none. */
typedef struct Fix {
    Text remedy; /* its name on the page */
    Text title; /* what it does */
    Text doubt; /* why it is unsafe; empty = it is safe: same values, random numbers and exceptions */
    const FixEdit *edits; /* by file and place, none in another */
    uint32_t edit_count;
    bool joined; /* it waits together with other places: one wait stays */
    const FixSpan *with; /* other places that wait no more by it */
    uint32_t with_count;
} Fix;

typedef struct Site {
    FileId file;
    Span span;      /* the waiting expression */
    ExprId expr;    /* the same; 0 of what is no expression, as a comment */
    Span statement; /* the head of its statement */
    uint32_t rank;  /* among the sites of a run: by file and function as ranking.h has them, then by place in the function */
    HazardId hazard;
    ClauseId clause;
    Confidence confidence;
    Evidence evidence;
    Level level;
    uint16_t purpose; /* PURPOSE_ word: what the value is read for, as far as its own function shows; 0 = not known */
    Need need;
    Text entry;                                 /* qualified name of the API that waits: torch.Tensor.item */
    double waits;                               /* per execution; 0 = several, number unknown */
    double backward_waits;                      /* more, on the backward() line */
    double copied_bytes_low, copied_bytes_high; /* per execution; 0 when nothing but a scalar crosses */
    bool copy_to_device;
    bool other;     /* in one of two branches of which the other is priced with its loop: never added to it */
    bool unpriced;  /* no wait: wrong or slow in a way that no price says */
    Text accelerator; /* see Findings: of its part of the program */
    HotLoopId loop; /* the dearest; its turn is frequency.unit (UNIT_EPOCH: the loop around it) */
    Frequency frequency;
    const Reason *reasons;
    uint32_t reason_count;
    const HotLoopId *also;
    uint32_t also_count; /* other loops that reach it */
    const Fix *fix;      /* NULL = no remedy of its page fits */
} Site;

typedef enum EventKind {
    EVENT_OPS,       /* count GPU operations are queued by forward code, `matmuls` of them long ones */
    EVENT_BACKWARD,  /* the backward pass of the operations since the loop began (their `backward` counts) */
    EVENT_OPTIMIZER, /* an optimizer step: count operations */
    EVENT_WAIT,      /* site; the host waits `count` times */
    EVENT_COPY,      /* bytes cross the bus; site when a finding causes it, else 0; to_device */
    EVENT_HOST,   /* host work: quantity of calib/profile.def by name, count times; none = of unknown length */
    EVENT_DATA,   /* the next batch is asked of a loader */
    EVENT_UNSEEN, /* a call of a model or function that could not be followed: range of operations unknown */
    EVENT_LOOP_BEGIN, /* an inner loop of count turns (0 = unknown), until its EVENT_LOOP_END */
    EVENT_LOOP_END,
} EventKind;

typedef struct Event {
    EventKind kind;
    SiteId site;     /* EVENT_WAIT, and the OPS / HOST / COPY events that go away when the site is removed */
    double share;    /* 1 = each turn; 0.01 = once in 100 turns */
    double count;    /* 0 = unknown where that is allowed above */
    double backward; /* EVENT_OPS: operations that its backward pass queues */
    double matmuls;  /* EVENT_OPS: long operations among count */
    double bytes_low, bytes_high;
    bool to_device;
    bool pinned;     /* EVENT_COPY: what is copied surely lies in page-locked memory */
    bool in_process; /* EVENT_DATA: no worker makes it ahead */
    Text quantity;   /* EVENT_HOST */
    FileId file;
    Span span; /* the call that caused it */
    const Workload *work; /* how much that is, as far as shapes tell: event_work */
} Event;

/* Most events carry none, and many the same. */
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
    uint32_t unseen;      /* calls that could not be followed */
    Text unseen_text;     /* the first of them, for the report */
    Text accelerator;     /* as a site's */
} HotLoop;

typedef struct Findings {
    VEC(Site)
    sites; /* items[0] unused; in file, then position order; after them what the order of events shows */
    VEC(HotLoop) loops; /* items[0] unused; in file, then position order */
    Text accelerator;   /* "mps": the code runs on that, for which nothing is calibrated; empty = CUDA */
    uint32_t given_up;  /* calls of functions whose values never settled within the bounds on evaluations and turns of loops */
    uint32_t
        unknown_receivers; /* places that would wait if an unknown value were on the GPU: counted, not guessed */
} Findings;

#endif
