#ifndef SYNCL_LEDGER_DRAWING_H
#define SYNCL_LEDGER_DRAWING_H
/* A recorded step as bars: replayed without what recording added, and without the sites that are left out. Takes a ledger,
   const; gives bars in the arena of the drawing, whose sites are those of the findings. false: it holds prices alone. */
#include "ledger.h"

bool ledger_draw(const Ledger *ledger, const bool *sites, TimelineDrawing *drawing);

#endif
