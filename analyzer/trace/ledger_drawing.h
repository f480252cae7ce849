#ifndef SYNCL_LEDGER_DRAWING_H
#define SYNCL_LEDGER_DRAWING_H
/* Draws a recorded step: replayed without what recording added and without the sites that are left out. Gives
   bars in the drawing's arena, with sites of the findings. False: the ledger holds prices only. */
#include "ledger.h"

bool ledger_draw(const Ledger *ledger, const bool *sites, TimelineDrawing *drawing);

#endif
