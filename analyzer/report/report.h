#ifndef SYNCL_REPORT_H
#define SYNCL_REPORT_H
/* The report: which findings are shown, in which order, with every text a format needs. Takes an Analysis, const;
   gives a Report in the arena that points into it. One file a format writes it out: report_<format>.c. */
#include "analyze.h"
#include "broken_files.h"
#include "output.h"
#include "remarks.h"
#include "repository.h"
#include "selection.h"
#include "suppress.h"

typedef struct ReportOptions {
    Selection selection;
    const Selection *by_file; /* [FileId]: of each file its own; NULL = `selection` for all */
    Confidence min_confidence;
    Level fail_on;
    bool quiet;       /* findings only */
    RemarkWishes remarks;
    const struct KnownList *known; /* of a baseline or another revision: not shown; NULL = none */
    bool drawn;            /* with a picture of a turn of each loop of the plan */
    bool fixes;            /* which of them gain anything is told */
    uint32_t top;          /* groups of the plan; 0 = no plan is wanted */
    double min_cost_us;    /* what surely costs less is not shown */
    double fail_over_us;   /* 0 = any finding at fail_on fails; else only the total of a loop beyond it does */
    bool fail_on_too;      /* with fail_over_us: findings fail as well */
    CostOptions cost;      /* for those totals */
    Confidence fail_confidence; /* what is less sure does not fail */
    bool fail_on_broken;   /* so does a file that was read in part */
    Text observed;         /* a log of a run under the debug mode; empty = none */
    const char *version;   /* of syncl */
    Repository repository; /* for the formats that want paths from its root */
} ReportOptions;

/* A site that is shown. */
typedef struct Finding {
    SiteId id;                /* 0: a remark on a comment */
    const Site *site;
    const SiteCost *cost;
    const SourceFile *file;
    Text rule, code, kind;    /* host-read, SYN101, wait */
    Text message, suggestion; /* {expr} filled in */
    bool own_advice;          /* the suggestion is not the page's, but of the fact that fits */
    Text fingerprint;         /* 16 hex digits: the same as long as rule, path, expression and statement are */
    uint32_t cell;            /* of a notebook, else 0; lines below are counted in it */
    Position start, end;      /* of the waiting expression; end exclusive */
    Position raw_start, raw_end; /* the same in the file's own bytes: what opens a notebook knows no cells */
    uint32_t statement_line, statement_end_line;
    double worth; /* that the order goes by, see worth.h */
} Finding;

/* One that is known: known.items[as]. Not shown, unless it was a note then and is a warning now. */
typedef struct KnownHere {
    Finding finding;
    uint32_t as;
    bool risen;
} KnownHere;

/* What became of a loop's total since another revision, and why. */
typedef struct Cause {
    const Finding *finding;
    double growth_us;
    Text text;        /* "new", "now every training step, before once an epoch", ... */
} Cause;

typedef struct LoopGrowth {
    HotLoopId loop;
    double growth_us; /* below zero: it shrank */
    double share;     /* of the turn as it was */
    bool is_new;      /* the loop is */
    bool too_much;
    VEC(Cause) causes; /* what grew most first, then what shrank or went */
    double rest_us;    /* of the growth, in no cause: what waits cost together beyond each alone */
} LoopGrowth;

typedef struct Comparison {
    Text revision;
    uint32_t gone;         /* findings of then that are no more */
    VEC(LoopGrowth) loops; /* that changed; the most grown first */
    double max_growth_us;
    bool fails;
} Comparison;

typedef struct Report {
    const Analysis *analysis;
    const ReportOptions *options;
    VEC(Finding) findings;    /* most worth mending first, then file, line, column, rule */
    uint32_t files;           /* analysed and reported on */
    uint32_t errors, warnings, notes; /* shown */
    uint32_t unsure;          /* left out: less sure than min_confidence */
    uint32_t deselected;      /* left out by --select and --ignore */
    uint32_t suppressed;      /* left out by comments in the source */
    uint32_t cheap;           /* left out by min_cost_us */
    uint32_t known;           /* left out: known from before */
    BrokenFiles broken;       /* read in part */
    VEC(KnownHere) before;    /* those that are known, in the order of the file */
    const Comparison *comparison; /* with another revision; NULL = none */
    const struct Observed *observed; /* what that log shows; NULL = there is none */
    const bool *beside;            /* [FileId] code beside the program, see worth.h */
    bool trains; /* see worth_trains */
    const bool *strays;            /* [FileId] code that nothing runs, see entries.h */
    const Text *loaders;           /* [HotLoopId] the loader that the loop goes over; empty = none, or no advice is about it */
    const struct Plan *plan;       /* NULL where none is wanted */
    const bool *gains;             /* [finding] its fix does; NULL where nobody asks */
    const LoopCost *totals;   /* [HotLoopId] of what is shown; NULL unless fail_over_us asks for it */
    bool fails;
} Report;

Report *report_make(Arena *result, const Analysis *analysis, const ReportOptions *options);

bool report_gains(const Report *report, const Finding *finding); /* its fix does */
double report_middle(CostRange range); /* the one number that findings are sorted and gates judged by */
/* What the findings of the report cost together, in each loop; with_before: and those that the other revision had. */
const LoopCost *report_totals(Arena *result, const Report *report, bool with_before); /* [HotLoopId] */
bool report_fails(const Report *report, const Finding *finding); /* by itself, whatever the totals are */
bool report_over(const Report *report, HotLoopId loop); /* its total is beyond fail_over_us */

typedef void ReportFormat(Output *output, const Report *report);
ReportFormat report_plan, report_full, report_concise, report_json, report_json_lines, report_github, report_sarif, report_gitlab,
    report_junit, report_rdjson;
ReportFormat report_statistics, report_statistics_json; /* counts instead of findings */
ReportFormat report_comparison;     /* lines for people; nothing when nothing was compared */
ReportFormat report_github_summary; /* Markdown for $GITHUB_STEP_SUMMARY */
ReportFormat report_html;           /* a page in one file */
ReportFormat report_markdown;       /* the same below the size of a comment on GitHub */

/* Words that all formats share. */
Text report_confidence(Confidence confidence); /* certain */
Text report_level(Level level);                /* warning */
Text report_need(Need need);                   /* avoidable */
Text report_role(Role role);                   /* gpu */
Text report_unit(Unit unit);                   /* step */
Text report_filled(Arena *arena, Text message, Text expression); /* {expr} filled in */
/* "train.py:3:5", "nb.ipynb:cell 2:3:5": where a finding starts, for people. Clean. */
Text report_place(Arena *arena, const Finding *finding);
/* What is wrong, how often, and what it costs; "Cell 2, line 3: " before it in a notebook. For formats with one text. */
Text report_sentence(Arena *arena, const Finding *finding);
/* "Cell 2, line 3: " before a message whose position is the raw file's; empty outside of a notebook. */
Text report_cell(Arena *arena, const Finding *finding);
/* One sentence: whose prices these are. Ends with a stop. */
Text report_profile_line(Arena *arena, const Report *report);
/* "2 warnings and 1 note in 14 files" and what was left out. */
Text report_summary_line(Arena *arena, const Report *report);

#endif
