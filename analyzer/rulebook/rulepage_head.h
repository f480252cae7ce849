#ifndef SYNCL_RULEPAGE_HEAD_H
#define SYNCL_RULEPAGE_HEAD_H
/* The fields between a hazard page's title and its message: `Kind: timing`, `Does: reads`, `Trace: read, to_host`.
   Takes the page as it is split, gives the hazard's row; what no row of effects.def knows is a mistake of the page. */
#include "draft.h"
#include "page.h"

bool head_says(const Page *page); /* there is some field */
void head_read(Draft *draft, DraftPlace place, const Page *page, Hazard *hazard);

#endif
