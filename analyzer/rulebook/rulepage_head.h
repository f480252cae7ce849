#ifndef SYNCL_RULEPAGE_HEAD_H
#define SYNCL_RULEPAGE_HEAD_H
/* The fields between a hazard page's title and its message: `Kind: timing`, `Does: reads`, `Trace: read,
   to_host`. Takes the page as split; fills the hazard's row. A word that effects.def does not list is a mistake
   of the page. */
#include "draft.h"
#include "page.h"

bool head_says(const Page *page); /* the page has some field */
void head_read(Draft *draft, DraftPlace place, const Page *page, Hazard *hazard);

#endif
