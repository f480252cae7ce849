#ifndef SYNCL_SUPPRESS_H
#define SYNCL_SUPPRESS_H
/* Comments that allow a wait: `# syncl: allow[rule] reason` or `# noqa: SYN101` on any line of the statement,
   and `# syncl: skip-file` anywhere in a file. A rule is a name, a code or the beginning of codes; `allow`
   without brackets allows every rule. A bare `# noqa` is meant for other linters and allows nothing. Takes
   program and findings; gives what is allowed, in the arena. */
#include "rulebook.h"
#include "site.h"

typedef struct Allowance {
    FileId file;
    uint32_t line;     /* of the comment, 1-based; 0 for the whole file */
    Span comment;
    Span pragma;       /* the part of the comment from `syncl:` or `noqa:` on */
    const Text *rules; /* [rule_count]; none = every rule */
    uint32_t rule_count;
    bool *rule_used;   /* [rule_count] */
    bool is_noqa;
    Text reason;       /* the text after the brackets; may be empty */
    uint32_t used;     /* number of sites that it allows */
} Allowance;

typedef struct Suppressions {
    VEC(Allowance) allowances; /* in file, then line order */
    const bool *allowed;       /* [SiteId] */
    uint32_t unused;           /* allowances that allow nothing */
} Suppressions;

Suppressions *suppress_sites(Arena *result, const Program *program, const Rulebook *book, const Findings *findings);

#endif
