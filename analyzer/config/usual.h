#ifndef SYNCL_USUAL_H
#define SYNCL_USUAL_H
/* Folders that hold no source of the project itself: what is left out where no `exclude` says otherwise. */
#include "text.h"

bool usual_exclusion(Text path); /* by its last part */

#endif
