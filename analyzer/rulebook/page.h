#ifndef SYNCL_PAGE_H
#define SYNCL_PAGE_H
/* A rule page taken apart: title, sections and fenced blocks of one Markdown file, as rules/FORMAT.md says.
   Takes the page's bytes, which must outlive the Page; every Text points into them, but the one-line message.
   Never fails: what is missing is empty, and `rulepage` says what must be there. Lines are 1-based. */
#include "text.h"

typedef enum PageSection {
    SECTION_HEAD, /* before the first ## heading */
    SECTION_WHY,
    SECTION_INSTEAD,
    SECTION_FACTS,
    SECTION_REPORTED,
    SECTION_QUIET,
    SECTION_REMEDIES, /* need not be there */
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
    Text name, code;              /* of the title `# name (CODE)`, empty when there is none */
    Text part;                    /* of a title `# name: part`, a further page of the rule `name`; else empty */
    Text kind;                    /* of a line `Kind: timing`, else empty */
    Text finds;                   /* of a line `Finds: stale_read`, else empty; likewise: */
    Text does, trace;             /* `Does: reads`, `Trace: read, to_host` */
    Text mend;                    /* lines `Mend: Delete {exprs}.`, joined: what to write for this code */
    Text operators, kernels;      /* `Operators: aten::nonzero*, *unique*`, `Kernels: *cub::*` */
    Text message;                 /* the first paragraph, joined to one line; owned by the arena */
    Text sections[SECTION_COUNT]; /* without the heading; bytes is NULL when the page has no such section */
    VEC(PageFence) fences;
} Page;

bool page_is_field(Text line); /* `Does: reads` and its like, as they stand above the message */
Page page_split(Arena *arena, Text bytes);
Text page_first_paragraph(Arena *arena, Text section); /* joined to one line; owned by the arena */
bool page_is_remedy(const PageFence *fence); /* ```python remedy */
const char *page_section_name(PageSection section); /* as the heading is written */

#endif
