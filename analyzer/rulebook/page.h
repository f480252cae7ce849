#ifndef SYNCL_PAGE_H
#define SYNCL_PAGE_H
/* Splits a rule page into title, fields, sections and fenced blocks, as rules/FORMAT.md says. Takes the page's
   bytes, which must outlive the Page: every Text points into them, except the message. Never fails: what is
   missing is empty, and `rulepage` checks what must be there. Lines are 1-based. */
#include "text.h"

typedef enum PageSection {
    SECTION_HEAD, /* before the first ## heading */
    SECTION_WHY,
    SECTION_INSTEAD,
    SECTION_FACTS,
    SECTION_REPORTED,
    SECTION_QUIET,
    SECTION_REMEDIES, /* optional */
    SECTION_OTHER,
    SECTION_COUNT
} PageSection;

typedef struct PageFence {
    uint8_t section; /* PageSection */
    Text info;       /* what follows the backticks: "python torch.Tensor" */
    Text body;
    uint32_t line; /* of the body's first line */
    bool closed;
} PageFence;

typedef struct Page {
    Text name, code;              /* from the title `# name (CODE)`; empty when there is none */
    Text part;                    /* from a title `# name: part` of a further page of the rule; else empty */
    Text kind;                    /* field `Kind: timing`; empty when there is none */
    Text finds;                   /* field `Finds: stale_read`; likewise: */
    Text does, trace;             /* `Does: reads`, `Trace: read, to_host` */
    Text mend;                    /* fields `Mend: Delete {exprs}.`, joined: what to write for the code at hand */
    Text operators, kernels;      /* `Operators: aten::nonzero*, *unique*`, `Kernels: *cub::*` */
    Text message;                 /* first paragraph on one line; owned by the arena */
    Text sections[SECTION_COUNT]; /* without the heading; bytes is NULL when the page has no such section */
    VEC(PageFence) fences;
} Page;

bool page_is_field(Text line); /* a line such as `Does: reads`, which stands above the message */
Page page_split(Arena *arena, Text bytes);
Text page_first_paragraph(Arena *arena, Text section); /* on one line; owned by the arena */
bool page_is_remedy(const PageFence *fence); /* ```python remedy */
const char *page_section_name(PageSection section); /* as the heading is written */

#endif
