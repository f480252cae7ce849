#ifndef SYNCL_OBSERVED_H
#define SYNCL_OBSERVED_H
/* What a run of the user's own showed, put beside what is believed: the warnings of
   torch.cuda.set_sync_debug_mode("warn"), as Python prints them or a line each (`FILE:LINE: text`), with whatever stands
   around them in a log; and, to know what ran at all, lines of an LCOV report (`coverage lcov`) in the same text or in
   another. Takes the report's findings, const; gives what was seen of each and the waits that no finding names. A file
   of the log is one of the program when their paths end alike, as the run may have been on another machine. A
   notebook's lines cannot be told from the names that its kernel gives them. Never fails: what is no such line is
   not read. */
#include "report.h"

typedef enum Seen {
    SEEN_CONFIRMED,      /* the debug mode warned on its lines */
    SEEN_NOT,            /* it did not, and the lines ran */
    SEEN_NOT_EXECUTED,   /* the lines did not run */
    SEEN_NOT_OBSERVED,   /* whether they ran is not in the logs: there is no coverage of the file */
    SEEN_NOT_OBSERVABLE, /* the debug mode says nothing of such a wait, or the finding is none */
} Seen;

typedef struct ObservedWait {
    FileId file; /* 0 = of no analysed file */
    Text path;   /* as analysed, else as in the log: anybody's words */
    uint32_t line, count;
    bool in_backward; /* a backward() line, while some finding waits in the backward pass */
    bool hidden;      /* a finding names it that is not shown */
} ObservedWait;

typedef struct Observed {
    uint32_t warnings, here; /* here: of those, on lines of files that were analysed */
    uint32_t covered;        /* lines of a coverage report, of such files */
    Seen *seen;       /* by index of report->findings */
    uint32_t *counts; /* warnings, by the same: of those on a statement, the share of this wait in it */
    VEC(ObservedWait) waits; /* without a finding that is shown; most warnings first, then by path and line */
    VEC(ObservedWait) once;  /* likewise, of lines that ran once */
} Observed;

const Observed *observed_match(Arena *result, const Report *report, Text log);

Text observed_word(Seen seen); /* confirmed, not-seen, ... */
Text observed_text(Arena *arena, const Observed *observed, uint32_t finding); /* a sentence */
/* What is odd about the logs: no warning in them, or none of these files. Empty: nothing is. */
Text observed_oddity(Arena *arena, const Report *report);

#endif
