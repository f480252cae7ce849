#ifndef SYNCL_REPORT_H
#define SYNCL_REPORT_H
/* The report: which findings are shown, in which order, with every text that a format needs. Takes an Analysis;
   gives a Report in the arena that points into it. Each format has a file that writes it: report_<format>.c. */
#include "analyze.h"
#include "broken_files.h"
#include "output.h"
#include "remarks.h"
#include "repository.h"
#include "selection.h"
#include "suppress.h"

typedef struct ReportOptions {
    Selection selection;
    const Selection *by_file; /* [FileId]: the selection of each file; NULL = `selection` for all */
    Confidence min_confidence;
    Level fail_on;
    bool quiet;       /* print findings only */
    RemarkWishes remarks;
    const struct KnownList *known; /* findings of a baseline or another revision, which are not shown; NULL = none */
    bool drawn;            /* draw an iteration of each loop of the plan */
    bool fixes;            /* find out which fixes gain anything */
    uint32_t top;          /* groups of the plan; 0 = no plan */
    double min_cost_us;    /* findings that certainly cost less are not shown */
    double fail_over_us;   /* 0 = any finding at fail_on fails; else only a loop whose total exceeds it does */
    bool fail_on_too;      /* with fail_over_us: findings fail too */
    CostOptions cost;      /* for those totals */
    Confidence fail_confidence; /* findings of lower confidence do not fail */
    bool fail_on_broken;   /* a file that was read only in part fails */
    Text observed;         /* log of a run under sync debug mode; empty = none */
    const char *version;   /* of syncl */
    Repository repository; /* for formats with paths from its root */
} ReportOptions;

/* A site that is shown. */
typedef struct Finding {
    SiteId id;                /* 0: a remark on a comment */
    const Site *site;
    const SiteCost *cost;
    const SourceFile *file;
    Text rule, code, kind;    /* host-read, SYN101, wait */
    Text message, suggestion; /* {expr} filled in */
    bool own_advice;          /* the suggestion is that of a fact, not of the page */
    Text fingerprint;         /* 16 hex digits, see fingerprint.h */
    uint32_t cell;            /* of a notebook, else 0; lines below are then within the cell */
    Position start, end;      /* of the waiting expression; end exclusive */
    Position raw_start, raw_end; /* the same in the file's own bytes, for tools that know no cells */
    uint32_t statement_line, statement_end_line;
    double worth; /* part of the sort key, see worth.h */
} Finding;

/* A finding that is known: known.items[as]. Not shown, unless it was a note and is now a warning. */
typedef struct KnownHere {
    Finding finding;
    uint32_t as;
    bool risen; /* it has become a warning */
} KnownHere;

/* What happened to a loop's total since another revision, and why. */
typedef struct Cause {
    const Finding *finding;
    double growth_us;
    Text text;        /* "new", "now every training step, before once an epoch", ... */
} Cause;

typedef struct LoopGrowth {
    HotLoopId loop;
    double growth_us; /* negative: it shrank */
    double share;     /* as a share of the former iteration */
    bool is_new;      /* the loop is new */
    bool too_much;
    VEC(Cause) causes; /* largest growth first; what shrank or disappeared last */
    double rest_us;    /* growth without a cause: waits together cost more than the sum of each alone */
} LoopGrowth;

typedef struct Comparison {
    Text revision;
    uint32_t gone;         /* former findings that no longer exist */
    VEC(LoopGrowth) loops; /* loops that changed, largest growth first */
    double max_growth_us;
    bool fails;
} Comparison;

typedef struct Report {
    const Analysis *analysis;
    const ReportOptions *options;
    VEC(Finding) findings;    /* most worth mending first, then by file, line, column, rule */
    uint32_t files;           /* analysed and reported */
    uint32_t errors, warnings, notes; /* shown */
    uint32_t unsure;          /* not shown: below min_confidence */
    uint32_t deselected;      /* not shown: by --select and --ignore */
    uint32_t suppressed;      /* not shown: by comments in the source */
    uint32_t cheap;           /* not shown: by min_cost_us */
    uint32_t known;           /* not shown: known from before */
    BrokenFiles broken;       /* files that were read in part */
    VEC(KnownHere) before;    /* known findings, in the order of the file */
    const Comparison *comparison; /* with another revision; NULL = none */
    const struct Observed *observed; /* what the log shows; NULL = no log */
    const bool *beside;            /* [FileId]: code beside the program, see worth.h */
    bool trains; /* see worth_trains */
    const bool *strays;            /* [FileId]: code that nothing runs, see entries.h */
    const struct Bindings **bindings; /* [FileId]: of the files of the findings and of their loops; else NULL */
    const Text *loaders;           /* [HotLoopId]: the loader that the loop iterates over; empty = none, or no
                                      advice mentions it */
    const struct Plan *plan;       /* NULL where no plan is wanted */
    const bool *gains;             /* [finding]: its fix gains something; NULL where nobody asked */
    const LoopCost *totals;   /* [HotLoopId]: totals of the findings shown; NULL without fail_over_us */
    bool fails;
} Report;

Report *report_make(Arena *result, const Analysis *analysis, const ReportOptions *options);

bool report_gains(const Report *report, const Finding *finding); /* its fix gains something */
double report_middle(CostRange range); /* the one number by which findings are sorted and gates judged */
/* What the findings of the report cost together in each loop; with_before: and those of the other revision. */
const LoopCost *report_totals(Arena *result, const Report *report, bool with_before); /* [HotLoopId] */
bool report_fails(const Report *report, const Finding *finding); /* by itself, whatever the totals are */
bool report_over(const Report *report, HotLoopId loop); /* its total exceeds fail_over_us */

typedef void ReportFormat(Output *output, const Report *report);
ReportFormat report_plan, report_full, report_concise, report_json, report_json_lines, report_github, report_sarif, report_gitlab,
    report_junit, report_rdjson;
ReportFormat report_statistics, report_statistics_json; /* counts instead of findings */
ReportFormat report_comparison;     /* lines for people; nothing without a comparison */
ReportFormat report_github_summary; /* Markdown for $GITHUB_STEP_SUMMARY */
ReportFormat report_html;           /* a single-file page */
ReportFormat report_markdown;       /* the same within the size limit of a GitHub comment */

/* Words that all formats share. */
Text report_level(Level level);                /* warning */
Text report_need(Need need);                   /* avoidable */
Text report_role(Role role);                   /* gpu */
Text report_filled(Arena *arena, Text message, Text expression); /* {expr} filled in */
/* "train.py:3:5", "nb.ipynb:cell 2:3:5": where a finding starts, for people. Safe to show. */
Text report_place(Arena *arena, const Finding *finding);
/* What is wrong, how often, and what it costs, with "Cell 2, line 3: " before it in a notebook. For formats
   with one text. */
Text report_sentence(Arena *arena, const Finding *finding);
/* "Cell 2, line 3: " for a message whose position is that in the raw file; empty outside of a notebook. */
Text report_cell(Arena *arena, const Finding *finding);
/* One sentence, with its full stop: which profile the prices are from. */
Text report_profile_line(Arena *arena, const Report *report);
/* "2 warnings and 1 note in 14 files", and what is not shown. */
Text report_summary_line(Arena *arena, const Report *report);

#endif
