#ifndef SYNCL_OBSERVED_H
#define SYNCL_OBSERVED_H
/* Compares findings with a log of the user's own run: warnings of torch.cuda.set_sync_debug_mode("warn"), as
   Python prints them or as lines `FILE:LINE: text`, among any other output; and, to know what ran at all, lines
   of an LCOV report (`coverage lcov`) in the same log or another. Takes the report's findings; gives what was
   seen of each, and the waits that no finding names. A logged file is one of the program if their paths end
   alike, since the run may have been on another machine. Lines of notebooks cannot be matched, because of the
   names that kernels give to cells. Never fails: other lines are ignored. */
#include "report.h"

typedef enum Seen {
    SEEN_CONFIRMED,      /* the debug mode warned on its lines */
    SEEN_NOT,            /* its lines ran without a warning */
    SEEN_NOT_EXECUTED,   /* its lines did not run */
    SEEN_NOT_OBSERVED,   /* unknown whether its lines ran: there is no coverage of the file */
    SEEN_NOT_OBSERVABLE, /* the debug mode does not warn of such a wait, or the finding is no wait */
} Seen;

typedef struct ObservedWait {
    FileId file; /* 0 = no analysed file */
    Text path;   /* as analysed, else as in the log; not safe to show */
    uint32_t line, count;
    bool in_backward; /* a backward() line, and some finding waits in the backward pass */
    bool hidden;      /* a finding covers it, but is not shown */
} ObservedWait;

typedef struct Observed {
    uint32_t warnings, here; /* here: warnings on lines of analysed files */
    uint32_t covered;        /* lines of analysed files in a coverage report */
    Seen *seen;       /* [index in report->findings] */
    uint32_t *counts; /* [the same]: warnings; of those on a statement, this wait's share */
    VEC(ObservedWait) waits; /* without a finding that is shown; by number of warnings, then path and line */
    VEC(ObservedWait) once;  /* the same, on lines that ran once */
} Observed;

const Observed *observed_match(Arena *result, const Report *report, Text log);

Text observed_word(Seen seen); /* "confirmed", "not-seen", ... */
Text observed_text(Arena *arena, const Observed *observed, uint32_t finding); /* as a sentence */
/* A remark if the logs have no warning, or none of these files; else empty. */
Text observed_oddity(Arena *arena, const Report *report);

#endif
